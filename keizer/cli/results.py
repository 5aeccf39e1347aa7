"""Results as they come in: result."""

from contextlib import suppress
from functools import partial
from typing import Annotated

import click

from keizer import KeizerError
from keizer.cli import options, output, session
from keizer.cli.options import round_number
from keizer.errors import Faults, refuse
from keizer.formats import limits
from keizer.season import names, tournaments, views
from keizer.season import results as entering
from keizer.season.drafts import stale
from keizer.texts import are, counted


class _ResultCommand(click.Command):
    """Lets a result begin with a dash: -+ and -- are no options here."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        dashes = {"--": "−−", "-+": "−+", "---": "−−"}
        return super().parse_args(ctx, [dashes.get(arg, arg) for arg in args])


@partial(session.command, cls=_ResultCommand)
def result(
    season: session.Season,
    board: options.Board,
    result: options.Result,
    number: Annotated[int | None, round_number("The round; the latest one by default.")],
) -> None:
    """Enter or correct results.

    BOARD is the number of a board, or a player who sits there; 1 and 0 are then the score
    of that player. Without BOARD the command asks, board by board; - reads standard input,
    a board and a result on each line.

    Results: 1-0 (or 1), 0-1 (or 0), = (or r, 1/2, ½-½), 0-0, forfeits +-, -+ and --, adj,
    void (counts for nothing), and open.
    A match of several games: 2-1, or 1-1-1 with the games drawn.

    \b
    Example: keizer result club.db
             keizer result club.db 3 1-0
             keizer result club.db Baker 1
             printf '1 1-0\\n2 =\\n' | keizer result club.db -
    """
    if board is None:
        _ask(season, number)
        return
    lines = list(limits.lines()) if board == "-" and result is None else None
    with season.writing() as (conn, chosen), season.fixing(conn, chosen):
        sheet = entering.Sheet(conn, chosen, number)
        results = [sheet.result(board, result or "")] if lines is None else _read(lines, sheet)
        if not results:
            raise KeizerError("standard input has no results: a line is a board and a result.")
        number, entered, moves = entering.enter_and_tell(conn, chosen, results, round_number=number)
        still_open = tournaments.open_boards(conn, chosen, number)
        changes = stale(conn, chosen)
    for game in entered:
        output.say(f"Round {number}, board {game.board}: {game}")
    if moves and any(game.before is not None for game in entered):
        output.say(f"Who moved: {moves}.")
    if still_open:
        output.say(f"Still open: {names.boards(still_open)}.")
    output.say(*changes, err=True)


def _read(lines: list[str], sheet: entering.Sheet) -> list[entering.Result]:
    results = []
    faults: Faults = []
    for number, line in enumerate(lines, 1):
        try:
            results += [sheet.line(line)] if line.strip() else []
        except KeizerError as error:
            faults.append((number, str(error)))
    refuse("standard input", faults, "no result was entered")
    return results


_HELP = (
    "1, 0 or = : White won, lost, drew; +- or -+ : White won or lost by forfeit. Enter leaves",
    "a board open; a board or a player and a result (2 0-1) enters or corrects that one; q ends.",
)


def _ask(season: session.Season, number: int | None) -> None:
    """Ask for the results of a round: each is written when it is typed."""
    with season.reading() as (conn, chosen):
        number = entering.Sheet(conn, chosen, number).number
    sheet = _sheet(season, number)
    if not sheet:
        raise KeizerError(f"round {number} has no boards.")
    output.say(f"Round {number}, {counted(len(sheet), 'board')}.", *_HELP)
    asked: set[int] = set()
    ask = output.asker()
    while True:
        # Anew each time: somebody may be at another terminal.
        sheet = _sheet(season, number)
        board = next((board for board in sheet if board not in asked and not sheet[board][1]), None)
        typed = ask(
            "That was the last board. A board and a result corrects; Enter ends"
            if board is None
            else f"Board {board}, {sheet[board][0]}"
        )
        if typed in (None, "q", "Q") or (not typed and board is None):
            break
        try:
            if typed:
                board = _write(season, number, typed, board, sheet)
            asked.add(board or 0)
        except KeizerError as error:
            output.say(f"  {error}")
    still_open = [board for board, (_, result) in sheet.items() if not result]
    entered = len(sheet) - len(still_open)
    played = f"{entered} of {counted(len(sheet), 'board')} of round {number} {are(entered)} in"
    output.say(
        f"{played}" + (f"; provisional: {names.boards(still_open)} open." if still_open else ".")
    )


_Sheet = dict[int, tuple[str, str | None]]
"""Who sits at each board, and the result."""


def _sheet(season: session.Season, number: int) -> _Sheet:
    """The boards of a round as they are now."""
    with season.reading() as (conn, chosen):
        found = views.pairings(conn, chosen, number)
    return {
        row["board"]: (f"{row['white']} – {row['black']}", row["result"])
        for row in found
        if row["board"]
    }


def _write(
    season: session.Season, number: int, typed: str, board: int | None, shown: _Sheet
) -> int:
    """Write one result, of those shown at the board only, and say what follows; its board."""
    with season.writing() as (conn, chosen), season.fixing(conn, chosen):
        meant = _answer(entering.Sheet(conn, chosen, number), typed, board)
        _, (game,), moves = entering.enter_and_tell(conn, chosen, [meant], round_number=number)
        players = f"{game.white} – {game.black}"
        if game.board not in shown or shown[game.board][0] != players:
            raise KeizerError(f"board {game.board} has changed, it is {players} now: look again.")
    output.say(f"  {game}")
    if moves:
        output.say(f"  {moves}")
    return game.board


def _answer(sheet: entering.Sheet, typed: str, board: int | None) -> entering.Result:
    """What an answer means: the result of the board asked about, or a line about any."""
    if board is None:
        return sheet.line(typed)
    first, *rest = typed.split()
    if {first, *rest} <= {"0", "1"} and rest:
        raise KeizerError(f"“{typed}” can be a board and a result, or a result: type it as 1-0.")
    if not rest:
        return sheet.result(board, typed)
    try:
        return sheet.line(typed)
    except KeizerError:
        with suppress(KeizerError):
            return sheet.result(board, typed)
        raise
