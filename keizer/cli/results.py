"""Results as they come in: the command result."""

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
    r"""Enter or correct results, or move a board to another day.

    BOARD is the number of a board, or a player who sits there; 1 and 0 are then the
    score of that player. Without BOARD the command asks, board by board; - reads
    standard input, a board and a result on each line. A list that changes results needs
    --round, or a yes.

    Results: 1-0 (or 1), 0-1 (or 0), = (or r, 1/2, ½-½), 0-0, forfeits +-, -+ and --,
    adj, void (counts for nothing), and open. A match of several games: 2-1, or 1-1-1
    with the games drawn.

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
        lines_of_stdin = [*limits.lines()]
        done = _enter_list(season, lines_of_stdin, number)
    else:
        # --on without a board comes here, too: the act refuses an empty board.
        done = season.do(acts.result, board or "", result or "", round=number, on=on)
    _announce(done)


def _announce(done: acts.Results) -> None:
    """Print the results that were entered, and what follows from them.

    Players who moved in the standings are named only if a result was corrected.
    """
    output.announce(done.said)
    is_correction = any(game.before is not None for game in done.entered)
    if is_correction and done.moves:
        output.say(
            say("Rank changes: {moves}.", moves=entering.moves_in_sentence(done.moves))
        )
    if done.still_open:
        output.say(say("Still open: {boards}.", boards=boards(done.still_open)))
    # Warnings: why the draft of the next round should be paired again.
    output.say(*done.stale, err=True)


def _enter_list(
    season: session.CommandSession, lines: list[str], number: int | None
) -> acts.Results:
    """Enter a list of results.

    If it would change results, but no round is named, the act declines it. At a
    terminal a person may then agree; elsewhere the error stands.
    """
    try:
        return season.do(acts.result_lines, lines, round=number)
    except DeclinedError as error:
        if not sys.stdin.isatty():
            raise
        output.say(output.sentence(error.what), err=True)
        if not output.confirm(say("Do it?")):
            raise
    # The round is named now, so that the act accepts the list.
    number = _default_round(season)
    return season.do(acts.result_lines, lines, round=number)


def _default_round(season: session.CommandSession) -> int:
    """Return the round for which results are entered by default.

    It is the latest round that has boards.
    """
    with season.reading() as tournament:
        return entering.Sheet(tournament).round_number


_HELP = (
    say("1, 0 or = : White won, lost, drew; +- or -+ : White won or lost by forfeit."),
    say(
        "Enter leaves a board open; type a board or a player and a result (2 0-1)"
        " for that one; q ends."
    ),
)


class _RoundSheet(NamedTuple):
    """The boards of a round as the file has them at this moment."""

    players: dict[int, str]
    """The names of both players by board, such as “Baker – Carter”."""
    still_open: list[int]
    """The boards without a result."""


def _read_sheet(season: session.CommandSession, number: int) -> _RoundSheet:
    """Read the boards of a round from the file."""
    with season.reading() as tournament:
        rows = views.pairings(tournament, number)
    sheet = _RoundSheet({}, [])
    for row in rows:
        board = row["board"]
        if board is None:
            continue  # the bye
        sheet.players[board] = f"{row['white']} – {row['black']}"
        if not row["result"]:
            sheet.still_open.append(board)
    return sheet


def _ask_results(season: session.CommandSession, named_round: int | None) -> None:
    """Ask for the results of a round, and enter each.

    named_round: the round; if it is None, the latest round with boards.
    """
    number = _default_round(season) if named_round is None else named_round
    sheet = _read_sheet(season, number)
    if not sheet.players:
        raise KeizerError("round {round} has no boards.", round=number)
    is_complete = not sheet.still_open
    # Answers from a pipe may be meant for the next round, whose pairing was refused.
    # They must not overwrite the results of this one.
    only_reads = is_complete and named_round is None and not sys.stdin.isatty()
    count = plural("{number} board", "{number} boards", len(sheet.players))
    output.say(say("Round {round}, {boards}.", round=number, boards=count), *_HELP)
    sheet = _ask_board_by_board(season, number, only_reads=only_reads)
    _announce_progress(number, sheet)


def _ask_board_by_board(
    season: session.CommandSession, number: int, *, only_reads: bool
) -> _RoundSheet:
    """Ask for the result of each open board, and enter each answer at once.

    Returns the boards as they were at the last question.

    only_reads: refuse an answer that is a result.
    """
    done_boards: set[int] = set()  # the result was entered, or Enter left it open
    ask = output.asker()
    while True:
        # Read before each question: somebody may enter results at another terminal.
        sheet = _read_sheet(season, number)
        waiting = (board for board in sheet.still_open if board not in done_boards)
        board = next(waiting, None)
        typed = ask(_question(board, sheet))
        # Enter leaves a board open; it ends once there is no board to ask about.
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
                # The answer may name another board than the one asked about.
                board = _enter_answer(season, number, typed, board, sheet)
            if board is not None:
                done_boards.add(board)
        except KeizerError as error:
            # The same board is asked about again.
            output.say(say("  {said}", said=error.message))


def _question(board: int | None, sheet: _RoundSheet) -> Message:
    """Return the question about a board, or about corrections if no board is left."""
    if board is None:
        return say(
            "That was the last board. To correct one, type its number and a"
            " result; Enter ends"
        )
    return say("Board {board}, {players}", board=board, players=sheet.players[board])


def _enter_answer(
    season: session.CommandSession,
    number: int,
    typed: str,
    board: int | None,
    sheet: _RoundSheet,
) -> int:
    """Enter a result that was typed, print it and who moved, and return its board.

    Args:
        season: The season.
        number: The round.
        typed: A result, or a board or player and a result.
        board: The board that was asked about, if there was one.
        sheet: The boards as they were at the question. If other players sit at the
            board by now, the act refuses the result.
    """
    done = season.do(acts.answer, typed, board, sheet.players, round=number)
    (game,) = done.entered
    output.say(say("  {game}", game=game.said))
    if done.moves:
        output.say(say("  {moves}", moves=entering.moves_in_sentence(done.moves)))
    return game.board


def _announce_progress(number: int, sheet: _RoundSheet) -> None:
    """Print how many results of a round are in, and which boards are open."""
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
