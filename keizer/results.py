"""Results as they come in, and corrections of earlier ones.

As in `season`, these write inside the caller's transaction and raise KeizerError
with one sentence.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple

from keizer import evening, names
from keizer.errors import KeizerError
from keizer.season import draft, paired_round, suspended


class Entered(NamedTuple):
    """A result as entered, and what stood there before."""

    board: int
    white: str
    black: str
    result: str | None
    before: str | None


def match_games(conn: sqlite3.Connection, tournament: int) -> int:
    """How many games a match may have."""
    found = conn.execute("SELECT match_games FROM rules WHERE tournament_id = ?", (tournament,))
    return int(found.fetchone()[0])


def enter_results(
    conn: sqlite3.Connection,
    tournament: int,
    results: Sequence[tuple[int, str | None]],
    *,
    round_number: int | None = None,
) -> tuple[int, list[Entered]]:
    """Write the results of boards, by default of the last round.

    results: board and result (a code of table outcome, a match as `names.result`
    has it, None to reopen).
    Returns the round and what was entered. Raises KeizerError for a round or
    board that is not there.
    """
    number = paired_round(conn, tournament) if round_number is None else round_number
    rows = conn.execute(
        "SELECT g.rowid, g.board, g.result, g.white_wins, white.name AS white, black.name AS black"
        " FROM round AS g JOIN player AS white ON white.id = g.white"
        " JOIN player AS black ON black.id = g.black"
        " WHERE g.tournament_id = ? AND g.round_number = ?",
        (tournament, number),
    ).fetchall()
    games = {row["board"]: row for row in rows}
    if not games:
        raise KeizerError(f"round {number} has no boards: `keizer next-round` pairs one.")
    if number == draft(conn, tournament):
        evening.all_seated(conn, tournament)
        evening.begin(conn, tournament, number)
    entered = []
    # One revalues by itself: to suspend that takes SQLite as long as to do it.
    with suspended(conn, tournament) if len(results) > 1 else nullcontext():
        for board, result in results:
            game = games.get(board)
            if game is None:
                raise KeizerError(f"round {number} has no board {board}: it has 1 to {max(games)}.")
            games_won = names.games_of(result)
            if games_won:
                conn.execute(
                    "UPDATE round SET white_wins = ?, black_wins = ?, drawn = ?,"
                    " last_updated = CURRENT_TIMESTAMP WHERE rowid = ?",
                    (*games_won, game["rowid"]),
                )
            elif game["white_wins"] is not None:
                conn.execute(
                    "UPDATE round SET result = ?, white_wins = NULL, black_wins = NULL,"
                    " drawn = NULL, last_updated = CURRENT_TIMESTAMP WHERE rowid = ?",
                    (result, game["rowid"]),
                )
            elif result != game["result"]:
                conn.execute(
                    "UPDATE round SET result = ?, last_updated = CURRENT_TIMESTAMP WHERE rowid = ?",
                    (result, game["rowid"]),
                )
            entered.append(Entered(board, game["white"], game["black"], result, game["result"]))
    return number, entered
