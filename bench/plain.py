"""The same table in plain Python: dictionaries, and one pass over the games."""

import sqlite3
from typing import NamedTuple

WIN, DRAW = 6000, 3000
OUTCOMES = {
    "1-0": (WIN, 0),
    "½-½": (DRAW, DRAW),
    "0-1": (0, WIN),
    "0-0": (0, 0),
    "adj": (DRAW, DRAW),
    "+-": (WIN, 0),
    "-+": (0, WIN),
    "--": (0, 0),
}
KINDS = {"bye": 4000, "excused": 2000, "unexcused": 0, "club duty": 4000}
POINT = 6_000_000


class Rows(NamedTuple):
    """What a table is made of."""

    before: list[tuple[int, int, int]]
    """Player, rank and value in units before the round."""
    games: list[tuple[int, int, str]]
    """White, Black and result, of all rounds so far."""
    unplayed: list[tuple[int, str]]
    """Player and kind, likewise."""


def read(conn: sqlite3.Connection, tournament: int, number: int) -> Rows:
    """The rows from a file, for the table after a round."""
    given = (tournament, number)
    return Rows(
        conn.execute(
            "SELECT player_id, rank_before, value_before_units FROM ranking_list"
            " WHERE tournament_id = ? AND round_number = ?",
            given,
        ).fetchall(),
        conn.execute(
            "SELECT white, black, result FROM round"
            " WHERE tournament_id = ? AND round_number <= ? AND result IS NOT NULL",
            given,
        ).fetchall(),
        conn.execute(
            "SELECT player_id, kind FROM unplayed WHERE tournament_id = ? AND round_number <= ?",
            given,
        ).fetchall(),
    )


def table(rows: Rows, top: int | None = None) -> list[tuple[int, int, int]]:
    """Player, score and new value in units, the first in front; the usual rules.

    top: what first place is worth, else one and a half times the players less one.
    """
    rank = {player: place for player, place, _ in rows.before}
    value = {player: units for player, _, units in rows.before}
    score = dict(value)
    for white, black, result in rows.games:
        of_white, of_black = OUTCOMES[result]
        score[white] += of_white * value[black] // 6000
        score[black] += of_black * value[white] // 6000
    for player, kind in rows.unplayed:
        score[player] += KINDS[kind] * value[player] // 6000
    first = 3 * (len(rank) - 1) // 2 if top is None else top
    order = sorted(rank, key=lambda player: (-score[player], rank[player]))
    return [
        (player, score[player], max(1, first - place) * POINT) for place, player in enumerate(order)
    ]
