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
    """A command that takes a result which begins with a hyphen: -+, -- or ---.

    click would take such an argument for an option.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, after these results are written with minus signs."""
        # --- is another way to type --, which by itself ends the options.
        dashes = {"--": "−−", "-+": "−+", "---": "−−"}
        return super().parse_args(ctx, [dashes.get(arg, arg) for arg in args])


@partial(session.command, cls=_ResultCommand)
def result(
    season: session.CommandSession,
    board: Annotated[str | None, argument(required=False)],
    result: Annotated[str | None, argument(required=False)],
    number: Annotated[
        int | None,
        round_number("The round; the latest one by default.", with_start=False),
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
    # An argument or option that was not typed is None.
    asks_for_results = board is None and on is None
    if asks_for_results:
        _ask_results(season, number)
        return
    reads_stdin = board == "-" and result is None and on is None
    if reads_stdin:
        lines_of_stdin = [*limits.lines()]
        _announce(_enter_list(season, lines_of_stdin, number))
        return
    # One board. The act takes "" for what was not typed, and it refuses what is no
    # board: "" if only --on was typed, and "-" with a result or with --on.
    done = season.do(acts.result, board or "", result or "", round=number, on=on)
    _announce(done)


def _announce(done: acts.Results) -> None:
    """Print the results that were entered, and what follows from them.

    Players who moved in the standings are named only if a result was corrected.
    """
    output.announce(done.said)
    is_correction = any(game.before is not None for game in done.entered)
    if is_correction and done.moves:
        output.print_lines(
            say("Rank changes: {moves}.", moves=entering.moves_in_sentence(done.moves))
        )
    if done.still_open:
        output.print_lines(say("Still open: {boards}.", boards=boards(done.still_open)))
    # Warnings: why the draft of the next round should be paired again.
    output.print_lines(*done.stale, err=True)


def _enter_list(
    season: session.CommandSession, lines: list[str], number: int | None
) -> acts.Results:
    """Enter a list of results, and return them with what follows from them.

    If the list would change results, but no round is named, the act declines it. At a
    terminal a person is then asked, and may agree. Otherwise DeclinedError is raised.

    lines: a board or a player, and the result, on each line.
    number: the number of the round; None for the last one.
    """
    try:
        return season.do(acts.result_lines, lines, round=number)
    except DeclinedError as error:
        if not sys.stdin.isatty():
            raise
        output.print_lines(output.sentence(error.what), err=True)
        if not output.confirm(say("Do it?")):
            raise
    # The person agreed. The round is named now, so that the act accepts the list.
    named_round = _default_round(season)
    return season.do(acts.result_lines, lines, round=named_round)


def _default_round(season: session.CommandSession) -> int:
    """Return the number of the round for which results are entered by default.

    It is the draft, if there is one. Otherwise it is the last round that has boards.
    """
    with season.reading() as tournament:
        return entering.ResultSheet(tournament).round_number


_HELP = (
    say("1, 0 or = : White won, lost, drew; +- or -+ : White won or lost by forfeit."),
    say(
        "Enter leaves a board open; type a board or a player and a result (2 0-1)"
        " for that one; q ends."
    ),
)


class _RoundSheet(NamedTuple):
    """The boards of a round, as they were when the file was read."""

    players_by_board: dict[int, str]
    """Both names by the number of the board, such as {3: "Baker – Carter"}."""
    still_open: list[int]
    """The numbers of the boards without a result."""


def _read_sheet(season: session.CommandSession, number: int) -> _RoundSheet:
    """Read the boards of a round from the file; number: that of the round."""
    with season.reading() as tournament:
        rows = views.pairings(tournament, number)
    sheet = _RoundSheet({}, [])
    for row in rows:
        board = row["board"]
        if board is None:
            continue  # this row is the bye
        sheet.players_by_board[board] = f"{row['white']} – {row['black']}"
        if not row["result"]:
            sheet.still_open.append(board)
    return sheet


def _ask_results(season: session.CommandSession, named_round: int | None) -> None:
    """Ask for the results of a round, enter each, and print how many are in.

    Raises KeizerError if the round has no boards.

    named_round: the number of the round; None for the latest round with boards.
    """
    number = _default_round(season) if named_round is None else named_round
    sheet = _read_sheet(season, number)
    if not sheet.players_by_board:
        raise KeizerError("round {round} has no boards.", round=number)
    is_complete = not sheet.still_open
    # The answers may come from a script that pairs a round, and then enters results. If
    # the pairing failed, this is still the round before, with all its results. They
    # must not be overwritten by those that the script has for the next round.
    refuses_results = is_complete and named_round is None and not sys.stdin.isatty()
    number_of_boards = len(sheet.players_by_board)
    count = plural("{number} board", "{number} boards", number_of_boards)
    output.print_lines(
        say("Round {round}, {boards}.", round=number, boards=count), *_HELP
    )
    sheet = _ask_board_by_board(season, number, refuses_results=refuses_results)
    _announce_progress(number, sheet)


def _ask_board_by_board(
    season: session.CommandSession, number: int, *, refuses_results: bool
) -> _RoundSheet:
    """Ask for the result of each open board, and enter each answer at once.

    The answer may also be a result of another board, such as a correction. An answer
    that is refused is printed, and the same board is asked about again. Returns the
    boards as they were at the last question.

    refuses_results: True to raise KeizerError at any answer, as all results are in.
    """
    # Boards whose result was entered, or which the person left open by Enter.
    done_boards: set[int] = set()
    ask = output.asker()
    while True:
        # Read before each question: somebody may enter results at another terminal.
        sheet = _read_sheet(season, number)
        waiting = (board for board in sheet.still_open if board not in done_boards)
        board = next(waiting, None)
        typed = ask(_question(board, sheet))
        # Enter, an empty answer, leaves a board open. If no board is left to ask about,
        # it ends the questions, as q does, and None: the end of the input.
        is_end = typed in (None, "q", "Q") or (not typed and board is None)
        if is_end:
            return sheet
        if refuses_results:
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
            output.print_lines(say("  {said}", said=error.message))


def _question(board: int | None, sheet: _RoundSheet) -> Message:
    """Return the question for the result of a board.

    board: None if no board is left. Then the question is about corrections.
    """
    if board is None:
        return say(
            "That was the last board. To correct one, type its number and a"
            " result; Enter ends"
        )
    players = sheet.players_by_board[board]
    return say("Board {board}, {players}", board=board, players=players)


def _enter_answer(
    season: session.CommandSession,
    number: int,
    typed: str,
    board: int | None,
    sheet: _RoundSheet,
) -> int:
    """Enter a result that was typed, print it and who moved, and return its board.

    Raises KeizerError, with nothing entered, if the act refuses the result. It does so,
    too, if other players sit at the board by now than when the question was asked.

    season: the season.
    number: the number of the round.
    typed: a result, or a board or player and a result.
    board: the board that was asked about; None if the question named none.
    sheet: the boards as they were when the question was asked.
    """
    done = season.do(acts.answer, typed, board, sheet.players_by_board, round=number)
    # The answer is about one board.
    (game,) = done.entered
    output.print_lines(say("  {game}", game=game.said))
    if done.moves:
        output.print_lines(
            say("  {moves}", moves=entering.moves_in_sentence(done.moves))
        )
    return game.board


def _announce_progress(number: int, sheet: _RoundSheet) -> None:
    """Print for how many boards of a round the result is in, and which have none.

    number: the number of the round.
    """
    number_of_boards = len(sheet.players_by_board)
    number_of_results = number_of_boards - len(sheet.still_open)
    progress = plural(
        "{number} of {boards} of round {round} is in",
        "{number} of {boards} of round {round} are in",
        number_of_results,
        boards=plural("{number} board", "{number} boards", number_of_boards),
        round=number,
    )
    # Without results of all boards the standings may still change.
    if sheet.still_open:
        progress = say(
            "{said}; provisional: {boards} open",
            said=progress,
            boards=boards(sheet.still_open),
        )
    output.announce(progress)
