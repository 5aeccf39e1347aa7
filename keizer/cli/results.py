"""Results as they come in: result."""

import sys
from functools import partial
from typing import Annotated

import click

from keizer import DeclinedError, KeizerError
from keizer.acts import results as acts
from keizer.cli import options, output, session
from keizer.cli.options import argument, option, round_number
from keizer.formats import limits
from keizer.messages import boards, plural, say
from keizer.season import views
from keizer.season.club_night import results as entering


class _ResultCommand(options.Exemplified):
    """Lets a result begin with a dash: -+ and -- are no options here."""

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

    BOARD is the number of a board, or a player who sits there; 1 and 0 are then the score
    of that player. Without BOARD the command asks, board by board; - reads standard input,
    a board and a result on each line. A list that changes results needs --round, or a yes.

    Results: 1-0 (or 1), 0-1 (or 0), = (or r, 1/2, ½-½), 0-0, forfeits +-, -+ and --, adj,
    void (counts for nothing), and open.
    A match of several games: 2-1, or 1-1-1 with the games drawn.

    Examples:
        keizer result club.db
        keizer result club.db 3 1-0
        keizer result club.db Baker 1
        keizer result club.db 3 --on 2027-01-19
        printf '1 1-0\n2 =\n' | keizer result club.db -
    """
    if board is None and on is None:
        _ask(season, number)
        return
    if board == "-" and result is None and on is None:
        done = _enter_list(season, [*limits.lines()], number)
    else:
        done = season.do(acts.result, board or "", result or "", round=number, on=on)
    output.said(done.said)
    if done.moves and any(game.before is not None for game in done.entered):
        output.say(say("Who moved: {moves}.", moves=entering.moves(done.moves)))
    if done.still_open:
        output.say(say("Still open: {boards}.", boards=boards(done.still_open)))
    output.say(*done.stale, err=True)


def _enter_list(
    season: session.CommandSession, lines: list[str], number: int | None
) -> acts.Results:
    """Enter a list of results; at a terminal ask before it changes some of a round not named."""
    try:
        return season.do(acts.result_lines, lines, round=number)
    except DeclinedError as error:
        if not sys.stdin.isatty():
            raise
        output.say(output.sentence(error.what), err=True)
        if not output.confirm(say("Do it?")):
            raise
    return season.do(acts.result_lines, lines, round=_latest(season))


def _latest(season: session.CommandSession) -> int:
    """The round that results are of where nobody names one."""
    with season.reading() as tournament:
        return entering.Sheet(tournament).number


_HELP = (
    say("1, 0 or = : White won, lost, drew; +- or -+ : White won or lost by forfeit."),
    say(
        "Enter leaves a board open; a board or a player and a result (2 0-1) is that one; q ends."
    ),
)


def _ask(season: session.CommandSession, number: int | None) -> None:
    """Ask for the results of a round: each is written when it is typed."""
    named = number is not None
    number = _latest(season) if number is None else number
    seats, still_open = _sheet(season, number)
    if not seats:
        raise KeizerError("round {round} has no boards.", round=number)
    # A list that comes through a pipe may be of the round that was refused.
    only_reads = not (still_open or named or sys.stdin.isatty())
    said = plural("{number} board", "{number} boards", len(seats))
    output.say(say("Round {round}, {boards}.", round=number, boards=said), *_HELP)
    asked: set[int] = set()
    ask = output.asker()
    while True:
        # Anew each time: somebody may be at another terminal.
        seats, still_open = _sheet(season, number)
        board = next((board for board in still_open if board not in asked), None)
        typed = ask(
            say("That was the last board. A board and a result corrects; Enter ends")
            if board is None
            else say("Board {board}, {players}", board=board, players=seats[board])
        )
        if typed in (None, "q", "Q") or (not typed and board is None):
            break
        if only_reads:
            raise KeizerError(
                "all results of round {round} are in: add --round {round} to change some.",
                round=number,
            )
        try:
            if typed:
                board = _write(season, number, typed, board, seats)
            asked.add(board or 0)
        except KeizerError as error:
            output.say(say("  {said}", said=error.said))
    said = plural(
        "{number} of {boards} of round {round} is in",
        "{number} of {boards} of round {round} are in",
        len(seats) - len(still_open),
        boards=plural("{number} board", "{number} boards", len(seats)),
        round=number,
    )
    if still_open:
        said = say(
            "{said}; provisional: {boards} open", said=said, boards=boards(still_open)
        )
    output.said(said)


def _sheet(
    season: session.CommandSession, number: int
) -> tuple[dict[int, str], list[int]]:
    """Who sits at each board as it is now, and the boards without a result."""
    with season.reading() as tournament:
        found = [row for row in views.pairings(tournament, number) if row["board"]]
    seats = {row["board"]: f"{row['white']} – {row['black']}" for row in found}
    return seats, [row["board"] for row in found if not row["result"]]


def _write(
    season: session.CommandSession,
    number: int,
    typed: str,
    board: int | None,
    shown: dict[int, str],
) -> int:
    """Write one result, of those shown at the board only, and say what follows; its board."""
    done = season.do(acts.answer, typed, board, shown, round=number)
    (game,) = done.entered
    output.say(say("  {game}", game=game.said))
    if done.moves:
        output.say(say("  {moves}", moves=entering.moves(done.moves)))
    return game.board
