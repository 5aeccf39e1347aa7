"""The acts about results: of the director and of members, and their confirmation."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

from keizer import messages
from keizer.acts.declare import (
    BOARD,
    DATE,
    PHONE,
    PLAYER,
    ROUND,
    TEXT,
    Said,
    Who,
    act,
    act_of,
)
from keizer.acts.session import Writing
from keizer.errors import DeclinedError, Faults, KeizerError, refuse
from keizer.messages import Message, plural, say
from keizer.season import views
from keizer.season.club_night import confirmation, drafts
from keizer.season.club_night import results as entering
from keizer.season.club_night.results import Entered
from keizer.season.people import roster
from keizer.store.log import journal

_Round = Annotated[int | None, ROUND, "The round; the latest one by default."]


class Results(NamedTuple):
    """Results that were entered, and what follows from them.

    said: a message for each result.
    number: the number of the round.
    entered: the results, each with the result that the board had before.
    moves: the players who moved in the standings, the furthest up first.
    still_open: the boards of the round without a result.
    stale: what changed since the draft was paired, if there is one: reasons to pair it
        again.
    """

    said: list[Message]
    number: int
    entered: list[Entered]
    moves: list[entering.Moved]
    still_open: list[int]
    stale: list[Message]


def _of_the_past(tournament: Writing, *_: object, **arguments: Any) -> bool:
    """Return whether a result is of a round before the last one.

    Such a result comes late, or corrects one: people first see who moves by it.
    """
    number = arguments.get("round")
    if number is None or not arguments.get("result"):
        return False  # the last round, or only a day
    return bool(number < tournament.now.last_round)


@act(shows_first=_of_the_past)
def result(
    tournament: Writing,
    board: Annotated[Who, PLAYER, "The board, or a player who sits there."],
    result: Annotated[
        str, TEXT, "As one types it: 1-0, =, +-; not needed with a day."
    ] = "",
    *,
    round: _Round = None,
    on: Annotated[
        str | None, DATE, "The day of the board, YYYY-MM-DD; none: the round's."
    ] = None,
) -> Results:
    """Enter or correct the result of a board, or the day when it is played."""
    if on is None:
        return _enter_one(tournament, board, result, round)
    sheet = entering.Sheet(tournament, round)
    board_number, _ = sheet.find_seat(board)
    date_message = _set_date(tournament, sheet.round_number, board_number, on)
    if result:
        done = _enter_one(tournament, board, result, sheet.round_number)
    else:
        done = Results(
            said=[],
            number=sheet.round_number,
            entered=[],
            moves=[],
            still_open=tournament.open_boards(sheet.round_number),
            stale=[],
        )
    return done._replace(said=[*done.said, date_message])


def _set_date(tournament: Writing, number: int, board: int, on: str) -> Message:
    """Set the day when a board of a round is played.

    on: YYYY-MM-DD, or the word none: then the board is played on the round's day.
    """
    date = None if on == "none" else on
    changed = tournament.update(
        "round",
        {"date": date},
        tournament_id=tournament.id,
        round_number=number,
        board=board,
    )
    if not changed:
        raise KeizerError(
            "round {round} has no board {board}.", round=number, board=board
        )
    if date is None:
        day = say("on the day of its round")
    else:
        day = say("on {day:date}", day=date)
    return tournament.describe(_say_board(number, board, day))


@act()
def results(
    tournament: Writing,
    results: Mapping[int, str] | Mapping[str, str],
    *,
    round: _Round = None,
) -> Results:
    """Enter or correct results: by board, or by a player who sits there.

    "1" and "0" are then that player's score.
    """
    if not results:
        raise KeizerError("name at least one board with its result.")
    # Boards and results are read like those of the act `result`.
    board_parameter, result_parameter, *_ = act_of(result).parameters()
    sheet = entering.Sheet(tournament, round)
    boards_and_texts = [
        (board_parameter.read(board), result_parameter.read(text))
        for board, text in dict(results).items()
    ]
    read = [sheet.read_result(board, text) for board, text in boards_and_texts]
    if round is None:
        _decline_overwriting(tournament, read, sheet.round_number)
    return _write(tournament, read, sheet.round_number)


@act()
def result_lines(
    tournament: Writing, lines: Sequence[str], *, round: _Round = None
) -> Results:
    """Enter or correct results, a line each: a board or a player, and behind a space the result."""  # noqa: E501  # a help text
    sheet = entering.Sheet(tournament, round)
    read: list[entering.Result] = []
    faults: Faults = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            read.append(sheet.read_line(line))
        except KeizerError as error:
            faults.append((number, error.message))
    refuse(say("standard input"), faults, say("no result was entered"))
    if not read:
        raise KeizerError(
            "standard input has no results: a line is a board and a result."
        )
    if round is None:
        _decline_overwriting(tournament, read, sheet.round_number)
    return _write(tournament, read, sheet.round_number)


def _decline_overwriting(
    tournament: Writing, results: Sequence[entering.Result], number: int
) -> None:
    """Raise DeclinedError if a list would change results of a round nobody named.

    The list may be meant for the next round, which is not paired yet. A single result
    may be changed, as the message about it says which round it is of.
    """
    if len(results) == 1:
        return
    boards = entering.boards_to_overwrite(tournament, results, number)
    if boards:
        raise DeclinedError(
            plural(
                "round {round} has another result on {boards}",
                "round {round} has other results on {boards}",
                len(boards),
                round=number,
                boards=messages.boards(boards),
            ),
            "round",
            say("add --round {round} if that round is meant.", round=number),
        )


def _enter_one(
    tournament: Writing, board: Who, typed: str, round_: int | None
) -> Results:
    """Read and write the result of one board."""
    sheet = entering.Sheet(tournament, round_)
    read = sheet.read_result(board, typed)
    return _write(tournament, [read], sheet.round_number)


def _write(
    tournament: Writing, results: Sequence[entering.Result], number: int
) -> Results:
    """Write results of a round, and return them with what follows from them."""
    # Both are read before the results are written, which changes them.
    ranks_before = views.ranks(tournament)
    reporters = confirmation.reporters_by_board(tournament, number)
    # The first result of a draft publishes it.
    with tournament.announcing_late_entries():
        written = entering.enter_results(tournament, results, round_number=number)
    _confirm_repeated(tournament, written, reporters)
    moves = entering.find_moves(ranks_before, views.ranks(tournament))
    still_open = tournament.open_boards(number)
    stale = drafts.changes_since_pairing(tournament) if tournament.now.draft else []
    tournament.describe(written.said)
    return Results(
        said=[_say_board(number, game.board, game.said) for game in written.entered],
        number=number,
        entered=written.entered,
        moves=moves,
        still_open=still_open,
        stale=stale,
    )


def _confirm_repeated(
    tournament: Writing, written: entering.EnteredResults, reporters: Mapping[int, int]
) -> None:
    """Confirm the results of members that were entered again, as they are.

    reporters: by board, the member who reported its result.
    """
    unchanged = {game.board for game in written.entered if game.result == game.before}
    repeated = unchanged & reporters.keys()
    if repeated:
        confirm(tournament, round=written.number, boards=sorted(repeated))


def _say_board(number: int, board: int, game: Message) -> Message:
    """Return a message about a board; game: its result, or its day."""
    return say(
        "round {round}, board {board}: {game}", round=number, board=board, game=game
    )


@act()
def answer(
    tournament: Writing,
    typed: str,
    board: int | None,
    shown: Mapping[int, str],
    *,
    round: _Round = None,
) -> Results:
    """Enter the answer to a question about the result of a board.

    typed: the answer: a result, or a board or player and a result.
    board: the board that was asked about, or None if the question named none.
    shown: the players by board, as they were shown with the question.
    """
    sheet = entering.Sheet(tournament, round)
    read = _read_answer(sheet, typed, board)
    results = _write(tournament, [read], sheet.round_number)
    (game,) = results.entered
    # The pairing may have changed since. The error takes back what was written.
    if shown.get(game.board) != game.players:
        raise KeizerError(
            "board {board} has changed: it is now {players}. Check it again.",
            board=game.board,
            players=game.players,
        )
    return results


def _read_answer(
    sheet: entering.Sheet, typed: str, board: int | None
) -> entering.Result:
    """Read a result of the board that was asked about, or a line about any board.

    Raises KeizerError if the answer is neither, or could be both, as “1 0” can.
    """
    if board is None:
        return sheet.read_line(typed)
    words = typed.split()
    if len(words) <= 1:
        return sheet.read_result(board, typed)
    if set(words) <= {"0", "1"}:
        raise KeizerError(
            "“{typed}” can be a board and a result, or a result: type it as 1-0.",
            typed=typed,
        )
    try:
        return sheet.read_line(typed)
    except KeizerError:
        # It may be the board's result, typed with spaces as in 1 - 0. If it is not that
        # either, the error about the line is raised again.
        with suppress(KeizerError):
            return sheet.read_result(board, typed)
        raise


@act()
def confirm(
    tournament: Writing,
    *,
    round: Annotated[int, ROUND, "The round."],
    boards: Annotated[Sequence[int], BOARD, "The boards."] = (),
) -> Said:
    """Confirm results that members entered.

    They are dated anew, by who does it.
    """
    if not boards:
        raise KeizerError("no board is named.")
    reporters = confirmation.reporters_by_board(tournament, round)
    for board in boards:
        if board not in reporters:
            raise KeizerError(
                "board {board} has no result that was reported and not confirmed.",
                board=board,
            )
        # The confirmation is a new row of the log by the author of this act. An UPDATE
        # that changes nothing is not on the log, so the date must be a later one, if
        # only by a second.
        tournament.conn.execute(
            "UPDATE round SET last_updated = max(CURRENT_TIMESTAMP,"
            "  COALESCE(datetime(last_updated, '+1 second'), ''))"
            " WHERE tournament_id = ? AND round_number = ? AND board = ?",
            (tournament.id, round, board),
        )
    return Said(
        tournament.describe(
            "results of round {number} confirmed: {boards}",
            number=round,
            boards=messages.boards(boards),
        )
    )


@act(rights=PHONE)
def report(
    tournament: Writing, *, result: Annotated[str, TEXT, "1-0, ½-½ or 0-1."] = ""
) -> Said:
    """Enter the result of your own board; the same as the opponent entered confirms it.

    For that it has to come from another device, or both from personal links.
    """
    player = tournament.myself
    seat = confirmation.own_board(tournament, player)
    if result not in confirmation.USUAL:
        raise KeizerError(
            "on a phone you can enter 1-0, ½-½ or 0-1; for anything else tell the"
            " director."
        )
    may_correct = True
    may_confirm = True
    # Without a witness nobody knows the devices, and each may do both.
    if tournament.witness:
        may_correct, may_confirm = tournament.witness.may(tournament.conn, seat.game)
    # The reporter is None if the director entered or confirmed the result.
    is_own_report = seat.reporter == player
    is_from_opponent = seat.reporter is not None and not is_own_report
    may_enter = seat.result is None or (is_own_report and may_correct)
    if may_enter:
        message = _enter_report(tournament, seat, result)
    elif seat.result != result:
        message = _contradict(tournament, seat, result, may_dispute=is_from_opponent)
    elif not is_from_opponent:
        message = say("Board {board} has that result already.", board=seat.board)
    elif not may_confirm:
        message = say(
            "Board {board} has that result, reported from this phone: one of the"
            " opponent's confirms it, or the director.",
            board=seat.board,
        )
    else:
        message = _confirm_report(tournament, seat)
    return Said(message)


def _enter_report(
    tournament: Writing, seat: confirmation.OwnBoard, result: str
) -> Message:
    """Write the result that a member reports, or corrects, of their own board."""
    written = entering.enter_results(
        tournament, [(seat.board, result)], round_number=seat.round
    )
    tournament.describe(written.said)
    if tournament.witness:
        tournament.witness.note(tournament.conn, seat.game)
    (game,) = written.entered
    return say("Board {board}: {game}. Thank you.", board=seat.board, game=game.said)


def _contradict(
    tournament: Writing, seat: confirmation.OwnBoard, result: str, *, may_dispute: bool
) -> Message:
    """Note that a member claims another result than the one the opponent reported.

    may_dispute: the opponent reported the result. If it has another origin, such as the
    director, KeizerError is raised.
    """
    if not (may_dispute and tournament.witness):
        raise KeizerError(
            "board {board} has the result {result} already: if that is wrong, tell the"
            " director.",
            board=seat.board,
            result=seat.result,
        )
    tournament.witness.dispute(
        tournament.conn, seat.game, str(seat.result), tournament.myself, result
    )
    return say(
        "Your opponent reported {reported}, you reported {result}. The director can see"
        " both.",
        reported=seat.result,
        result=result,
    )


def _confirm_report(tournament: Writing, seat: confirmation.OwnBoard) -> Message:
    """Confirm the result that the opponent reported.

    The log names the member who confirms it as the author.
    """
    confirm(tournament, round=seat.round, boards=[seat.board])
    player = tournament.myself
    signature = confirmation.signature_of(player, roster.players(tournament)[player])
    journal.set_author(tournament.conn, f"{signature}, confirms")
    return say(
        "Board {board}: {result}, confirmed. Thank you.",
        board=seat.board,
        result=seat.result,
    )
