"""Results as they come in, from the director and from the members, and confirmed."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, NamedTuple

from keizer.acts.declare import BOARD, PHONE, PLAYER, ROUND, TEXT, Said, Who, act
from keizer.acts.session import Writing
from keizer.errors import Faults, KeizerError, refuse
from keizer.messages import Message, say
from keizer.season import drafts, reporting, views
from keizer.season import results as entering
from keizer.season.results import Entered
from keizer.store import journal


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


def _of_the_past(tournament: Writing, *_: object, round: int | None = None, **__: object) -> bool:
    """Whether a result is of a round before the last, where it may have counted."""
    return round is not None and round < tournament.now.last_round


@act(shows_first=_of_the_past)
def result(
    tournament: Writing,
    board: Annotated[Who, PLAYER, "The board, or a player who sits there."],
    result: Annotated[str, TEXT, "As one types it: 1-0, =, +-."],
    *,
    round: Annotated[int | None, ROUND, "The round; the latest one by default."] = None,
) -> Results:
    """Enter or correct the result of a board."""
    return _enter(tournament, [(board, result)], round)


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
    return _enter(tournament, results.items(), round)


@act()
def result_lines(
    tournament: Writing,
    lines: Annotated[Sequence[str], TEXT, "A board and a result on each line."],
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
        raise KeizerError("standard input has no results: a line is a board and a result.")
    return _write(tournament, found, sheet.number)


def _enter(tournament: Writing, typed: Iterable[tuple[Who, str]], round_: int | None) -> Results:
    sheet = entering.Sheet(tournament, round_)
    return _write(tournament, [sheet.result(*one) for one in typed], sheet.number)


def _write(tournament: Writing, found: Sequence[entering.Result], number: int) -> Results:
    before = views.ranks(tournament)
    with tournament.announcing_late_entries():
        written = entering.enter_results(tournament, found, round_number=number)
    moved = entering.moved(before, views.ranks(tournament))
    still_open = tournament.open_boards(number)
    stale = drafts.outdated(tournament) if tournament.now.draft else []
    journal.describe(tournament.conn, written.said)
    said = [
        say("round {round}, board {board}: {game}", round=number, board=game.board, game=game.said)
        for game in written.entered
    ]
    return Results(said, number, written.entered, moved, still_open, stale)


@act()
def answer(
    tournament: Writing,
    typed: Annotated[str, TEXT, "A result, or a board or a player and a result."],
    board: Annotated[int | None, BOARD, "The board asked about."],
    shown: Mapping[int, str],
    *,
    round: Annotated[int | None, ROUND, "The round; the latest one by default."] = None,
) -> Results:
    """Enter a result that was asked for; shown: who sits at each board, as was said."""
    sheet = entering.Sheet(tournament, round)
    found = _write(tournament, [_meant(sheet, typed, board)], sheet.number)
    (game,) = found.entered
    if shown.get(game.board) != game.players:
        raise KeizerError(
            "board {board} has changed, it is {players} now: look again.",
            board=game.board, players=game.players,
        )  # fmt: skip
    return found


def _meant(sheet: entering.Sheet, typed: str, board: int | None) -> entering.Result:
    """What an answer means: the result of the board asked about, or a line about any."""
    if board is None:
        return sheet.line(typed)
    first, *rest = typed.split()
    if {first, *rest} <= {"0", "1"} and rest:
        raise KeizerError(
            "“{typed}” can be a board and a result, or a result: type it as 1-0.", typed=typed
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
    """Let results that members entered stand."""
    if not boards:
        raise KeizerError("no board is named.")
    return Said(reporting.confirm(tournament, round, boards))


@act(rights=PHONE)
def report(tournament: Writing, *, result: Annotated[str, TEXT, "1-0, ½-½ or 0-1."] = "") -> Said:
    """Enter the result of one's own board; what the opponent entered is confirmed so.

    From another device than that came from, or where both used their personal links.
    """
    me, by = tournament.myself, tournament.witness
    mine = reporting.own_board(tournament, me)
    corrects, confirms = by.may(tournament.conn, mine.game) if by else (True, True)
    enters = mine.result is None or (mine.by == me and corrects)
    said = reporting.report(tournament, me, mine, result, enters=enters, confirms=confirms)
    if by and enters:
        by.note(tournament.conn, mine.game)
    return Said(said)
