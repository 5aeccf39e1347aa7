"""Results as they come in: result."""

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

import click

from keizer import KeizerError
from keizer.cli import options, output, session
from keizer.formats import limits
from keizer.season import names, roster, tournaments, views
from keizer.season import results as entering
from keizer.store import steps

_MOST = 6
"""So many moves in the table are named after a result."""


class _ResultCommand(click.Command):
    """Lets a result begin with a dash: -+ and -- are no options here."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        dashes = {"--": "−−", "-+": "−+", "---": "−−"}
        return super().parse_args(ctx, [dashes.get(arg, arg) for arg in args])


@session.command(
    options.board,
    options.result,
    options.round_number("The round; the last one by default."),
    cls=_ResultCommand,
)
def result(
    season: session.Season, board: str | None, result: str | None, number: int | None
) -> None:
    """Enter or correct results.

    Without BOARD they are asked for, board by board. With BOARD “-” many are read
    from standard input, a board and a result a line.

    Results: 1-0, 0-1, = (or 1/2, ½-½), 0-0, forfeits +-, -+ and --, adj, void (counts
    for nothing), and open.
    Of a match of several games: 2-1, or 1-1-1 with those drawn.

    \b
    Example: keizer result club.db
             keizer result club.db 3 1-0
             printf '1 1-0\\n2 =\\n' | keizer result club.db -
    """
    if board is None:
        _ask(season, number)
        return
    lines = list(limits.lines()) if board == "-" and result is None else None
    with season.writing() as (conn, chosen):
        most = entering.match_games(conn, chosen)
        results = [_one(board, result, most)] if lines is None else _typed_results(lines, most)
        if not results:
            raise KeizerError("standard input has no results: a line is a board and a result.")
        done = _enter(conn, chosen, results, number)
        still_open = tournaments.open_boards(conn, chosen, done.number)
    for game in done.entered:
        corrected = game.before is not None and game.before != game.result
        output.say(
            f"Round {done.number}, board {game.board}: {game.white} – {game.black}"
            f" {game.result or 'open'}" + (f" (was {game.before})" if corrected else "")
        )
    if done.moves and any(game.before is not None for game in done.entered):
        output.say(f"Who moved: {done.moves}.")
    if still_open:
        output.say(f"Still open: {names.boards(still_open)}.")


class _Done(NamedTuple):
    """What was entered, and who moved in the table."""

    number: int
    entered: list[entering.Entered]
    moves: str


def _enter(
    conn: sqlite3.Connection,
    tournament: int,
    results: list[tuple[int, str | None]],
    number: int | None,
) -> _Done:
    before = views.ranks(conn, tournament)
    number, entered = entering.enter_results(conn, tournament, results, round_number=number)
    listed = ", ".join(f"board {board} {result or 'open'}" for board, result in results)
    steps.describe(conn, f"results of round {number}: {listed}")
    moved = {
        player: (before[player], rank)
        for player, rank in views.ranks(conn, tournament).items()
        if before.get(player, rank) != rank
    }
    return _Done(number, entered, _moves(moved, roster.players(conn, tournament)))


def _moves(moved: dict[int, tuple[int, int]], called: dict[int, str]) -> str:
    """Who moved, those furthest up in the new table first."""
    said = [
        f"{called[player]} {was} → {now}"
        for player, (was, now) in sorted(moved.items(), key=lambda item: item[1][1])
    ]
    return names.first(said, _MOST)


_HELP = (
    "1, 0 or = : White won, lost, drew; + or - : he won or lost by forfeit. Enter leaves a",
    "board open; a board and a result (2 0-1) enters or corrects that one; q ends.",
)
_KEYS = {"1": "1-0", "0": "0-1", "+": "+-", "-": "-+"}


def _ask(season: session.Season, number: int | None) -> None:
    """Ask for the results of a round: each is written when it is typed."""
    with season.reading() as (conn, chosen):
        number = tournaments.paired_round(conn, chosen) if number is None else number
        most = entering.match_games(conn, chosen)
    sheet = _sheet(season, number)
    if not sheet:
        raise KeizerError(f"round {number} has no boards.")
    output.say(f"Round {number}, {len(sheet)} boards.", *_HELP)
    asked: set[int] = set()
    ask = output.asker()
    while True:
        # Anew each time: somebody may be at another terminal.
        sheet = _sheet(season, number)
        board = next((it for it in sheet if it not in asked and not sheet[it]["result"]), None)
        typed = ask(
            "All boards asked: a board and a result corrects, Enter ends"
            if board is None
            else f"Board {board}, {_names(sheet[board])}"
        )
        if typed in (None, "q", "Q") or (not typed and board is None):
            break
        try:
            if typed:
                entered = _answer(typed, board, most)
                _write(season, number, entered, sheet)
                board = entered[0]
            asked.add(board or 0)
        except KeizerError as error:
            output.say(f"  {error}")
    still_open = [board for board, row in sheet.items() if not row["result"]]
    played = f"{len(sheet) - len(still_open)} of {len(sheet)} boards of round {number} are in"
    output.say(
        f"{played}" + (f"; provisional: {names.boards(still_open)} open." if still_open else ".")
    )


def _sheet(season: session.Season, number: int) -> dict[int, views.Row]:
    """The boards of a round as they are now."""
    with season.reading() as (conn, chosen):
        found = views.pairings(conn, chosen, number)
    return {row["board"]: row for row in found if row["board"]}


def _names(row: views.Row) -> str:
    return f"{row['white']} – {row['black']}"


def _answer(typed: str, board: int | None, match_games: int) -> tuple[int, str | None]:
    """The board and the result that an answer means: of another board, both are typed."""
    first, *rest = typed.split(maxsplit=1)
    if board is not None and not first.isdecimal():
        return board, names.result(_KEYS.get(typed, typed), match_games)
    try:
        return _one(first, rest[0] if rest else None, match_games)
    except KeizerError:
        if board is None:
            raise
        return board, names.result(_KEYS.get(typed, typed), match_games)


def _write(
    season: session.Season,
    number: int,
    entered: tuple[int, str | None],
    shown: Mapping[int, views.Row],
) -> None:
    """Write one result, and say what follows from it; of those shown at the board only."""
    with season.writing() as (conn, chosen):
        done = _enter(conn, chosen, [entered], number)
        (game,) = done.entered
        there = f"{game.white} – {game.black}"
        if game.board not in shown or _names(shown[game.board]) != there:
            raise KeizerError(f"board {game.board} has changed, it is {there} now: look again.")
    was = f" (was {game.before})" if game.before not in (None, game.result) else ""
    output.say(f"  {game.white} – {game.black} {game.result or 'open'}{was}")
    if done.moves:
        output.say(f"  {done.moves}")


def _one(board: str, typed: str | None, match_games: int) -> tuple[int, str | None]:
    if not (board.isascii() and board.isdecimal()):
        raise KeizerError(f"“{board}” is no board: it is a number from 1.")
    if typed is None:
        raise KeizerError(f"board {board} needs a result: {names.RESULTS}.")
    return int(board), names.result(typed, match_games)


def _typed_results(lines: list[str], match_games: int) -> list[tuple[int, str | None]]:
    results = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        board, *typed = line.split(maxsplit=1)
        try:
            results.append(_one(board, typed[0].strip() if typed else None, match_games))
        except KeizerError as error:
            raise KeizerError(f"line {number}: {error}") from error
    return results


COMMANDS = (result,)
