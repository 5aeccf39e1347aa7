"""Results as they come in, and corrections of earlier ones."""

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.season import names, publication
from keizer.season.queries import cell
from keizer.season.tournaments import draft, paired_round
from keizer.store import commands


class Entered(NamedTuple):
    """A result as entered, and what stood there before."""

    board: int
    white: str
    black: str
    result: str | None
    before: str | None


_NONE_WON = (None, None, None)


def match_games(conn: sqlite3.Connection, tournament: int) -> int:
    """How many games a match may have."""
    return int(cell(conn, "SELECT match_games FROM rules WHERE tournament_id = ?", tournament))


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
    found = conn.execute(
        "SELECT g.board, white.name, black.name, g.result, g.white_wins IS NOT NULL"
        " FROM round AS g JOIN player AS white ON white.id = g.white"
        " JOIN player AS black ON black.id = g.black"
        " WHERE g.tournament_id = ? AND g.round_number = ?",
        (tournament, number),
    )
    games = {board: game for board, *game in found}
    if not games:
        raise KeizerError(f"round {number} has no boards: `keizer next-round` pairs one.")
    if number == draft(conn, tournament):
        publication.all_seated(conn, tournament)
        publication.begin(conn, tournament, number)
    entered: list[Entered] = []
    rows: list[tuple[Any, ...]] = []
    for board, result in results:
        if board not in games:
            raise KeizerError(f"round {number} has no board {board}: it has 1 to {max(games)}.")
        white, black, before, is_match = games[board]
        games_won = names.games_of(result)
        if games_won:
            rows.append(("match", board, None, *games_won))
        elif is_match:
            rows.append(("single", board, result, *_NONE_WON))
        elif result != before:
            rows.append(("result", board, result, *_NONE_WON))
        entered.append(Entered(board, white, black, result, before))
        games[board] = [white, black, result, bool(games_won)]
    nothing = (None, None, *_NONE_WON)
    if len(rows) > 1:  # one revaluation, at the end
        rows = [("begin", *nothing), *rows, ("end", *nothing)]
    conn.executemany(
        "INSERT INTO _entering (tournament_id, round_number, what, board, result, white_wins,"
        " black_wins, drawn) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(tournament, number, *row) for row in rows],
    )
    listed = ", ".join(f"board {board} {result or 'open'}" for board, result in results)
    commands.describe(conn, f"results of round {number}: {listed}")
    return number, entered
