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
from keizer.errors import DeclinedError, Faults, KeizerError, refuse_if_any
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

    said: a message for each result, or for the day of a board.
    number: the number of the round.
    entered: the results, each with the result that the board had before.
    moves: the players who moved in the standings, the furthest up first.
    still_open: the boards of the round that have no result.
    stale: messages about what changed since the draft of the next round was paired,
        which may be reasons to pair it again. Empty if there is no draft.
    """

    said: list[Message]
    number: int
    entered: list[Entered]
    moves: list[entering.Moved]
    still_open: list[int]
    stale: list[Message]


def _of_the_past(tournament: Writing, *_: object, **arguments: Any) -> bool:
    """Return whether a result is entered for a round before the last one.

    Such a result comes late, or corrects one. So people are to see who moves in the
    standings, before it is written.

    arguments: the keyword arguments of the act `result`.
    """
    number = arguments.get("round")
    if number is None:
        return False  # the last round is meant
    if not arguments.get("result"):
        return False  # only the day of the board is set
    return bool(number < tournament.now.last_round)


@act(shows_moves_first=_of_the_past)
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
    sheet = entering.ResultSheet(tournament, round)
    # The number of the board, also if a player was named; who sits there is not needed.
    board_number, _ = sheet.find_seat(board)
    date_message = _set_date(tournament, sheet.round_number, board_number, on)
    if result:
        done = _enter_one(tournament, board, result, sheet.round_number)
    else:
        # Only the day is set: no result was entered, and nobody moves.
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
    """Set the day when a board of a round is played; return a message about it.

    The other boards keep their day. The message is also the description of the command
    on the log. KeizerError is raised if the round has no such board.

    number: the number of the round.
    on: YYYY-MM-DD, or the word none: then the board is played on the round's day.
    """
    date = None if on == "none" else on
    # Table round has a row for each board of a round: only one row changes.
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
    # What a program gives is read as the command reads what people type for the act
    # `result`, whose first two parameters are a board and a result.
    board_parameter, result_parameter, *_ = act_of(result).parameters()
    sheet = entering.ResultSheet(tournament, round)
    boards_and_texts = [
        (board_parameter.read(board), result_parameter.read(text))
        for board, text in dict(results).items()
    ]
    entries = [sheet.read_result(board, text) for board, text in boards_and_texts]
    # Without a round, the last one is only assumed to be meant.
    if round is None:
        _decline_overwriting(tournament, entries, sheet.round_number)
    return _write(tournament, entries, sheet.round_number)


@act()
def result_lines(
    tournament: Writing, lines: Sequence[str], *, round: _Round = None
) -> Results:
    """Enter or correct results, a line each: a board or a player, and behind a space the result."""  # noqa: E501  # a help text
    sheet = entering.ResultSheet(tournament, round)
    entries: list[entering.BoardResult] = []
    faults: Faults = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entries.append(sheet.read_line(line))
        except KeizerError as error:
            faults.append((number, error.message))
    # One error with the faults of all lines.
    refuse_if_any(say("standard input"), faults, say("no result was entered"))
    if not entries:
        raise KeizerError(
            "standard input has no results: a line is a board and a result."
        )
    # Without a round, the last one is only assumed to be meant.
    if round is None:
        _decline_overwriting(tournament, entries, sheet.round_number)
    return _write(tournament, entries, sheet.round_number)


def _decline_overwriting(
    tournament: Writing, results: Sequence[entering.BoardResult], number: int
) -> None:
    """Raise DeclinedError if a list without a round would change results.

    Its results are taken for those of the last round. But the list may be meant for the
    next round, which is not paired yet. A single result may be changed, since the
    message about it says which round it is of.

    results: boards with their new results.
    number: the number of the round that is assumed.
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
            option="round",
            typed=say("add --round {round} if that round is meant.", round=number),
        )


def _enter_one(
    tournament: Writing, board: Who, typed: str, round_: int | None
) -> Results:
    """Read and write the result of one board; return it with what follows from it.

    board: the number of the board, or a player who sits there.
    typed: the result as somebody typed it.
    round_: the number of the round, or None for the last one.
    """
    sheet = entering.ResultSheet(tournament, round_)
    entry = sheet.read_result(board, typed)
    return _write(tournament, [entry], sheet.round_number)


def _write(
    tournament: Writing, results: Sequence[entering.BoardResult], number: int
) -> Results:
    """Write results of a round, and return them with what follows from them.

    The first result of a draft publishes the round. A result that a member had reported
    is confirmed if it is entered again as it is.

    results: boards with their new results.
    number: the number of the round.
    """
    # The ranks and the reporters, who are members that reported results of this round,
    # are read first: writing results changes both.
    ranks_before = views.ranks(tournament)
    reporters = confirmation.reporters_by_board(tournament, number)
    # If a draft is published by this, players may have entered too late for it.
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
    """Confirm the reported results that were entered again without a change.

    A result that a member reported is to be confirmed by somebody else. Entering the
    same result again does that.

    written: the results that were just entered.
    reporters: by board, the player.id of the member who reported its result.
    """
    unchanged = {game.board for game in written.entered if game.result == game.before}
    repeated = unchanged & reporters.keys()
    if repeated:
        confirm(tournament, round=written.number, boards=sorted(repeated))


def _say_board(number: int, board: int, game: Message) -> Message:
    """Return a message about a board of a round.

    game: what the message says of it: its players and result, or its day.
    """
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
    sheet = entering.ResultSheet(tournament, round)
    entry = _read_answer(sheet, typed, board)
    results = _write(tournament, [entry], sheet.round_number)
    (game,) = results.entered
    # Other players may sit at the board since the question was shown. The error rolls
    # the transaction back, and with it the result.
    if shown.get(game.board) != game.players:
        raise KeizerError(
            "board {board} has changed: it is now {players}. Check it again.",
            board=game.board,
            players=game.players,
        )
    return results


def _read_answer(
    sheet: entering.ResultSheet, typed: str, board: int | None
) -> entering.BoardResult:
    """Read the answer to a question about a board; return a board with its result.

    An answer of one word is the result of that board. One of several words begins with
    another board, or with a player, as “2 0-1” does; or it is a result with spaces in
    it, as 1 - 0. KeizerError is raised if it is none of these, or if it is not clear
    which: “1 0” may be board 1 with the result 0, or the result 1-0.

    board: the board that was asked about; None if the question named none. Then the
        answer has to name one.
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
        # It may be the result of the board that was asked about, typed with spaces. If
        # it is not that either, the error about the line is raised again.
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
        # To confirm a result is to write its row again: then the log names the author
        # of this act for it. An UPDATE that changes nothing is not on the log. So the
        # date has to be a later one, if only by a second.
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
    own_board = confirmation.own_board(tournament, player)
    if result not in confirmation.MEMBER_RESULTS:
        raise KeizerError(
            "on a phone you can enter 1-0, ½-½ or 0-1; for anything else tell the"
            " director."
        )
    may_correct = True
    may_confirm = True
    # The witness knows from which device, such as a phone, each result came. Without a
    # witness the devices are not known, and every member may do both.
    if tournament.witness:
        may_correct, may_confirm = tournament.witness.rights_over_result(
            tournament.conn, own_board.game
        )
    # The reporter is None if the director entered or confirmed the result.
    is_own_report = own_board.reporter == player
    is_from_opponent = own_board.reporter is not None and not is_own_report
    may_enter = own_board.result is None or (is_own_report and may_correct)
    if may_enter:
        message = _enter_report(tournament, own_board, result)
    elif own_board.result != result:
        message = _contradict(
            tournament, own_board, result, may_dispute=is_from_opponent
        )
    elif not is_from_opponent:
        message = say("Board {board} has that result already.", board=own_board.board)
    elif not may_confirm:
        message = say(
            "Board {board} has that result, reported from this phone: one of the"
            " opponent's confirms it, or the director.",
            board=own_board.board,
        )
    else:
        message = _confirm_report(tournament, own_board)
    return Said(message)


def _enter_report(
    tournament: Writing, own_board: confirmation.OwnBoard, result: str
) -> Message:
    """Write the result that a member reports, or corrects, of their own board.

    The log then shows this result as what the command did. If the device of the member
    is known (`tournament.witness`), it is also recorded that the result came from
    there. Return a message of thanks.

    own_board: the board of the member, as it was before. result: such as 1-0.
    """
    written = entering.enter_results(
        tournament, [(own_board.board, result)], round_number=own_board.round
    )
    # The description of the command on the log; `keizer undo` shows it, too.
    tournament.describe(written.said)
    if tournament.witness:
        tournament.witness.record_device(tournament.conn, own_board.game)
    (game,) = written.entered
    return say(
        "Board {board}: {game}. Thank you.", board=own_board.board, game=game.said
    )


def _contradict(
    tournament: Writing,
    own_board: confirmation.OwnBoard,
    result: str,
    *,
    may_dispute: bool,
) -> Message:
    """Record that a member claims another result than the one the opponent reported.

    The result in the file stays. The message that is returned tells the member that
    the director can see both.

    The claim is recorded by `tournament.witness`, the device from which the member
    reports. KeizerError is raised if this device is not known.

    may_dispute: True if the opponent reported the result. KeizerError is raised if it
        is False, as the director may have entered the result.
    """
    device = tournament.witness
    if device is None or not may_dispute:
        raise KeizerError(
            "board {board} has the result {result} already: if that is wrong, tell the"
            " director.",
            board=own_board.board,
            result=own_board.result,
        )
    device.record_dispute(
        tournament.conn,
        own_board.game,
        str(own_board.result),
        tournament.myself,
        result,
    )
    return say(
        "Your opponent reported {reported}, you reported {result}. The director can see"
        " both.",
        reported=own_board.result,
        result=result,
    )


def _confirm_report(tournament: Writing, own_board: confirmation.OwnBoard) -> Message:
    """Confirm the result that the opponent reported, and return a message of thanks.

    As the author of the command, the log then has the member who confirms, in the form
    “Jan Bakker (#7), phone, confirms”.
    """
    confirm(tournament, round=own_board.round, boards=[own_board.board])
    member = tournament.myself
    name_by_player = roster.players(tournament)
    signature = confirmation.signature_of(member, name_by_player[member])
    # The web pages have made this member the reporter of what the command writes: a
    # result that is still to be confirmed. This result is confirmed. So the author is
    # set again, without a reporter, and with the word “confirms” for people.
    journal.set_author(tournament.conn, f"{signature}, confirms", reporter=None)
    return say(
        "Board {board}: {result}, confirmed. Thank you.",
        board=own_board.board,
        result=own_board.result,
    )
