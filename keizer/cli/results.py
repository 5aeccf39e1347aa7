"""Results as they come in: result."""

import sys
from functools import partial
from typing import Annotated, NamedTuple

import click

from keizer import DeclinedError, KeizerError
from keizer.acts import results as acts
from keizer.cli import options, output, session
from keizer.cli.options import argument, option, round_number
from keizer.formats import limits
from keizer.messages import Message, boards, plural, say
from keizer.season import views
from keizer.season.club_night import results as entering


class _ResultCommand(options.Exemplified):
    """A command that takes a result which begins with a dash: -+, -- or ---."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        dashes = {"--": "−−", "-+": "−+", "---": "−−"}
        return super().parse_args(ctx, [dashes.get(arg, arg) for arg in args])


@partial(session.command, cls=_ResultCommand)
def result(
    season: session.CommandSession,
    board: Annotated[str | None, argument(required=False)],
    result: Annotated[str | None, argument(required=False)],
    number: Annotated[
        int | None, round_number("The round; the latest one by default.", 1)
    ],
    on: Annotated[
        str | None, option("Its day; or none: the round's.", metavar="YYYY-MM-DD")
    ],
) -> None:
    r"""Enter or correct results, or give a board a day of its own.

    BOARD is the number of a board, or a player who sits there; 1 and 0 are then the
    score of that player. Without BOARD the command asks, board by board; - reads
    standard input, a board and a result on each line. A list that changes results needs
    --round, or a yes.

    Results: 1-0 (or 1), 0-1 (or 0), = (or r, 1/2, ½-½), 0-0, forfeits +-, -+ and --,
    adj, void (counts for nothing), and open.
    A match of several games: 2-1, or 1-1-1 with the games drawn.

    Examples:
        keizer result club.db
        keizer result club.db 3 1-0
        keizer result club.db Baker 1
        keizer result club.db 3 --on 2027-01-19
        printf '1 1-0\n2 =\n' | keizer result club.db -
    """
    if board is None and on is None:
        _ask_results(season, number)
        return
    is_list = board == "-" and result is None and on is None
    if is_list:
        done = _enter_list(season, [*limits.lines()], number)
    else:
        done = season.do(acts.result, board or "", result or "", round=number, on=on)
    _announce(done)


def _announce(done: acts.Results) -> None:
    """Print what was entered and what follows; who moved only after a correction."""
    output.announce(done.said)
    is_correction = any(game.before is not None for game in done.entered)
    if is_correction and done.moves:
        output.say(
            say("Who moved: {moves}.", moves=entering.moves_in_sentence(done.moves))
        )
    if done.still_open:
        output.say(say("Still open: {boards}.", boards=boards(done.still_open)))
    output.say(*done.stale, err=True)


def _enter_list(
    season: session.CommandSession, lines: list[str], number: int | None
) -> acts.Results:
    """Enter a list of results.

    At a terminal it asks before results of a round that nobody named are changed.
    """
    try:
        return season.do(acts.result_lines, lines, round=number)
    except DeclinedError as error:
        if not sys.stdin.isatty():
            raise
        output.say(output.sentence(error.what), err=True)
        if not output.confirm(say("Do it?")):
            raise
    return season.do(acts.result_lines, lines, round=_latest_round(season))


def _latest_round(season: session.CommandSession) -> int:
    """Return the round of results where nobody names one."""
    with season.reading() as tournament:
        return entering.Sheet(tournament).round_number


_HELP = (
    say("1, 0 or = : White won, lost, drew; +- or -+ : White won or lost by forfeit."),
    say(
        "Enter leaves a board open; a board or a player and a result (2 0-1)"
        " is that one; q ends."
    ),
)


class _Sheet(NamedTuple):
    """The boards of a round as they are now."""

    players: dict[int, str]
    """The players at each board, as people read them."""
    still_open: list[int]
    """The boards without a result."""


def _read_sheet(season: session.CommandSession, number: int) -> _Sheet:
    with season.reading() as tournament:
        rows = views.pairings(tournament, number)
    sheet = _Sheet({}, [])
    for row in rows:
        board = row["board"]
        if board is None:
            continue  # the bye
        sheet.players[board] = f"{row['white']} – {row['black']}"
        if not row["result"]:
            sheet.still_open.append(board)
    return sheet


def _ask_results(season: session.CommandSession, named: int | None) -> None:
    """Ask for the results of a round, of the latest one if none is named."""
    number = _latest_round(season) if named is None else named
    sheet = _read_sheet(season, number)
    if not sheet.players:
        raise KeizerError("round {round} has no boards.", round=number)
    is_complete = not sheet.still_open
    # A list that comes through a pipe may be of the round that was refused.
    only_reads = is_complete and named is None and not sys.stdin.isatty()
    count = plural("{number} board", "{number} boards", len(sheet.players))
    output.say(say("Round {round}, {boards}.", round=number, boards=count), *_HELP)
    sheet = _ask_board_by_board(season, number, only_reads=only_reads)
    _announce_progress(number, sheet)


def _ask_board_by_board(
    season: session.CommandSession, number: int, *, only_reads: bool
) -> _Sheet:
    """Ask for one result after the other, and write each when it is typed.

    Returns the boards as they are when nobody wants to go on.
    """
    passed: set[int] = set()
    ask = output.asker()
    while True:
        # Read each time: somebody may be at another terminal.
        sheet = _read_sheet(season, number)
        waiting = (board for board in sheet.still_open if board not in passed)
        board = next(waiting, None)
        typed = ask(_question(board, sheet))
        is_end = typed in (None, "q", "Q") or (not typed and board is None)
        if is_end:
            return sheet
        if only_reads:
            raise KeizerError(
                "all results of round {round} are in: add --round {round} to change"
                " some.",
                round=number,
            )
        try:
            if typed:
                board = _enter(season, number, typed, board, sheet)
            passed.add(board or 0)
        except KeizerError as error:
            output.say(say("  {said}", said=error.message))


def _question(board: int | None, sheet: _Sheet) -> Message:
    if board is None:
        return say("That was the last board. A board and a result corrects; Enter ends")
    return say("Board {board}, {players}", board=board, players=sheet.players[board])


def _enter(
    season: session.CommandSession,
    number: int,
    typed: str,
    board: int | None,
    sheet: _Sheet,
) -> int:
    """Enter what was typed, say what follows, and return its board.

    It is refused if others sit at the board than those on the sheet that was shown.
    """
    done = season.do(acts.answer, typed, board, sheet.players, round=number)
    (game,) = done.entered
    output.say(say("  {game}", game=game.said))
    if done.moves:
        output.say(say("  {moves}", moves=entering.moves_in_sentence(done.moves)))
    return game.board


def _announce_progress(number: int, sheet: _Sheet) -> None:
    """Say how many results of a round are in, and which boards are open."""
    total = len(sheet.players)
    progress = plural(
        "{number} of {boards} of round {round} is in",
        "{number} of {boards} of round {round} are in",
        total - len(sheet.still_open),
        boards=plural("{number} board", "{number} boards", total),
        round=number,
    )
    if sheet.still_open:
        progress = say(
            "{said}; provisional: {boards} open",
            said=progress,
            boards=boards(sheet.still_open),
        )
    output.announce(progress)
