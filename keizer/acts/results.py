"""Results as they come in, from the director and from the members, and confirmed."""

from collections.abc import Iterable, Mapping, Sequence
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
    of,
)
from keizer.acts.session import Writing
from keizer.errors import DeclinedError, Faults, KeizerError, refuse
from keizer.messages import Fact, Message, plural, say
from keizer.season import views
from keizer.season.club_night import confirmation, drafts
from keizer.season.club_night import results as entering
from keizer.season.club_night.results import Entered
from keizer.season.people import roster
from keizer.store.log import journal


class Results(NamedTuple):
    """Results that were entered."""

    said: list[Message]
    number: int
    entered: list[Entered]
    """Each with what was there before."""
    moves: list[entering.Moved]
    """Who moved in the standings, furthest up first."""
    still_open: list[int]
    """Boards of the round without a result."""
    stale: list[Message]
    """Why the draft there is should be paired anew."""


def _of_the_past(tournament: Writing, *_: object, **typed: Any) -> bool:
    """Whether a result is of a round before the last, where it may have counted."""
    number = typed.get("round") if typed.get("result") else None
    return number is not None and number < tournament.now.last_round


@act(shows_first=_of_the_past)
def result(
    tournament: Writing,
    board: Annotated[Who, PLAYER, "The board, or a player who sits there."],
    result: Annotated[
        str, TEXT, "As one types it: 1-0, =, +-; not needed with a day."
    ] = "",
    *,
    round: Annotated[int | None, ROUND, "The round; the latest one by default."] = None,
    on: Annotated[
        str | None, DATE, "The day of the board, YYYY-MM-DD; none: the round's."
    ] = None,
) -> Results:
    """Enter or correct the result of a board, or the day when it is played."""
    if on is None:
        return _enter(tournament, [(board, result)], round)
    sheet = entering.Sheet(tournament, round)
    at, where = (
        sheet.seat(board)[0],
        {"tournament_id": tournament.id, "round_number": sheet.number},
    )
    if not tournament.update(
        "round", {"date": None if on == "none" else on}, board=at, **where
    ):
        raise KeizerError(
            "round {round} has no board {board}.", round=sheet.number, board=at
        )
    day = (
        say("on the day of its round") if on == "none" else say("on {day:date}", day=on)
    )
    facts: dict[str, Fact] = {"round": sheet.number, "board": at, "game": day}
    said = tournament.describe("round {round}, board {board}: {game}", **facts)
    left = Results([], sheet.number, [], [], tournament.open_boards(sheet.number), [])
    done = _enter(tournament, [(board, result)], sheet.number) if result else left
    return done._replace(said=[*done.said, said])


@act()
def results(
    tournament: Writing,
    results: Mapping[int, str] | Mapping[str, str],
    *,
    round: Annotated[int | None, ROUND, "The round; the latest one by default."] = None,
) -> Results:
    """Enter or correct results: by board, or by a player who sits there.

    "1" and "0" are then that player's score.
    """
    if not results:
        raise KeizerError("name at least one board with its result.")
    board, one = [*of(result).parameters()][:2]
    sheet = entering.Sheet(tournament, round)
    read = [
        (board.read(where), one.read(said)) for where, said in dict(results).items()
    ]
    found = [sheet.result(*typed) for typed in read]
    _check_meant(tournament, found, sheet.number, round)
    return _write(tournament, found, sheet.number)


@act()
def result_lines(
    tournament: Writing,
    lines: Sequence[str],
    *,
    round: Annotated[int | None, ROUND, "The round; the latest one by default."] = None,
) -> Results:
    """Enter or correct results, a line each: a board or a player, and behind a space the result."""
    sheet = entering.Sheet(tournament, round)
    found: list[entering.Result] = []
    faults: Faults = []
    for number, line in enumerate(lines, 1):
        try:
            found += [sheet.line(line)] if line.strip() else []
        except KeizerError as error:
            faults.append((number, error.said))
    refuse(say("standard input"), faults, say("no result was entered"))
    if not found:
        raise KeizerError(
            "standard input has no results: a line is a board and a result."
        )
    _check_meant(tournament, found, sheet.number, round)
    return _write(tournament, found, sheet.number)


def _check_meant(
    tournament: Writing,
    found: Sequence[entering.Result],
    number: int,
    named: int | None,
) -> None:
    """Refuse a list that changes results of a round which nobody has named.

    It may be of a round that is not paired yet. One result alone says which round it was.
    """
    if named is not None or len(found) == 1:
        return
    boards = entering.overwritten(tournament, found, number)
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


def _enter(
    tournament: Writing, typed: Iterable[tuple[Who, str]], round_: int | None
) -> Results:
    sheet = entering.Sheet(tournament, round_)
    return _write(tournament, [sheet.result(*one) for one in typed], sheet.number)


def _write(
    tournament: Writing, found: Sequence[entering.Result], number: int
) -> Results:
    before, reported = (
        views.ranks(tournament),
        confirmation.reported(tournament, number),
    )
    with tournament.announcing_late_entries():
        written = entering.enter_results(tournament, found, round_number=number)
    if same := {
        game.board for game in written.entered if game.result == game.before
    } & {*reported}:
        confirm(tournament, round=number, boards=sorted(same))
    moved = entering.moved(before, views.ranks(tournament))
    still_open = tournament.open_boards(number)
    stale = drafts.outdated(tournament) if tournament.now.draft else []
    tournament.describe(written.said)
    said = [
        say(
            "round {round}, board {board}: {game}",
            round=number,
            board=game.board,
            game=game.said,
        )
        for game in written.entered
    ]
    return Results(said, number, written.entered, moved, still_open, stale)


@act()
def answer(
    tournament: Writing,
    typed: str,
    board: int | None,
    shown: Mapping[int, str],
    *,
    round: Annotated[int | None, ROUND, "The round; the latest one by default."] = None,
) -> Results:
    """Enter a result that was asked for, of a board, or as a line is typed.

    shown: who sits at each board, as was said.
    """
    sheet = entering.Sheet(tournament, round)
    found = _write(tournament, [_meant(sheet, typed, board)], sheet.number)
    (game,) = found.entered
    if shown.get(game.board) != game.players:
        raise KeizerError(
            "board {board} has changed, it is {players} now: look again.",
            board=game.board,
            players=game.players,
        )
    return found


def _meant(sheet: entering.Sheet, typed: str, board: int | None) -> entering.Result:
    """What an answer means: the result of the board asked about, or a line about any."""
    if board is None:
        return sheet.line(typed)
    first, *rest = typed.split()
    if {first, *rest} <= {"0", "1"} and rest:
        raise KeizerError(
            "“{typed}” can be a board and a result, or a result: type it as 1-0.",
            typed=typed,
        )
    if not rest:
        return sheet.result(board, typed)
    try:
        return sheet.line(typed)
    except KeizerError:
        with suppress(KeizerError):
            return sheet.result(board, typed)
        raise


@act()
def confirm(
    tournament: Writing,
    *,
    round: Annotated[int, ROUND, "The round."],
    boards: Annotated[Sequence[int], BOARD, "The boards."] = (),
) -> Said:
    """Let results that members entered stand.

    They are dated anew, by who does it.
    """
    if not boards:
        raise KeizerError("no board is named.")
    reported = confirmation.reported(tournament, round)
    for board in boards:
        if board not in reported:
            raise KeizerError(
                "board {board} has no result that was reported and not confirmed.",
                board=board,
            )
        tournament.conn.execute(  # a second later at least: what stays as it is is not on the log
            "UPDATE round SET last_updated = max(CURRENT_TIMESTAMP,"
            "  COALESCE(datetime(last_updated, '+1 second'), ''))"
            " WHERE tournament_id = ? AND round_number = ? AND board = ?",
            (tournament.id, round, board),
        )
    which = messages.boards(boards)
    said = say(
        "results of round {number} confirmed: {boards}", number=round, boards=which
    )
    return Said(tournament.describe(said))


@act(rights=PHONE)
def report(
    tournament: Writing, *, result: Annotated[str, TEXT, "1-0, ½-½ or 0-1."] = ""
) -> Said:
    """Enter the result of one's own board; what the opponent entered is confirmed so.

    From another device than that came from, or where both used their personal links.
    """
    me, witness = tournament.myself, tournament.witness
    game, number, board, there, by = confirmation.own_board(tournament, me)
    if result not in confirmation.USUAL:
        raise KeizerError(
            "a phone takes 1-0, ½-½ or 0-1: tell the director anything else."
        )
    corrects, confirms = witness.may(tournament.conn, game) if witness else (True, True)
    if there is None or (by == me and corrects):
        written = entering.enter_results(
            tournament, [(board, result)], round_number=number
        )
        tournament.describe(written.said)
        if witness:
            witness.note(tournament.conn, game)
        (entered,) = written.entered
        return Said(
            say("Board {board}: {game}. Thank you.", board=board, game=entered.said)
        )
    if there != result and witness and by not in (None, me):
        witness.dispute(tournament.conn, game, there, me, result)
        facts = {"there": there, "result": result}
        return Said(
            say(
                "{there} was reported, you say {result}. The director sees it.", **facts
            )
        )
    if there != result:
        raise KeizerError(
            "board {board} has the result {result} already: if that is wrong, tell the director.",
            board=board,
            result=there,
        )
    if by in (None, me):
        return Said(say("Board {board} has that result already.", board=board))
    if not confirms:
        return Said(
            say(
                "Board {board} has that result, reported from this phone: one of the opponent's"
                " confirms it, or the director.",
                board=board,
            )
        )
    confirm(tournament, round=number, boards=[board])
    name = roster.players(tournament)[me]
    journal.by(tournament.conn, f"{confirmation.reporter(me, name)}, confirms")
    return Said(
        say(
            "Board {board}: {result}, confirmed. Thank you.", board=board, result=result
        )
    )
