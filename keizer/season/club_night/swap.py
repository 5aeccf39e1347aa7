"""Two players change places in a round that is paired already."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, first, say
from keizer.season.club_night.publication import close, unseat
from keizer.season.club_night.rounds import Position, Seat, clear, position_before, seat
from keizer.season.queries import Tournament
from keizer.season.tournaments import paired_round, suspended
from keizer.season.views import said

_MOST = 3
"""The broken rules that are named."""


class Changed(NamedTuple):
    """A board that changed, None: a bye; and the names of the players there now."""

    board: int | None
    players: list[str]


class Swapped(NamedTuple):
    """What a swap changed: the round, and each board with who sits there now."""

    said: list[Message]
    number: int
    boards: list[Changed]


def swap(
    tournament: Tournament, one: int, two: int, *, anyway: bool = False
) -> Swapped:
    """Let two players change places in the last round; two who meet change colours.

    Either may have the bye. Raises KeizerError when one has no seat or a result, the round
    is published or a rule would be broken (unless anyway: then that is put on record).
    """
    number = paired_round(tournament)
    if not anyway and tournament.scalar("published", round=number) is not None:
        raise DeclinedError(
            say("round {number} is published", number=number),
            "anyway",
            say("use --anyway to change it all the same."),
        )
    found = tournament.run("seats_and_byes", round=number).fetchall()
    seats = {board: [player for player in ids if player] for board, _, *ids in found}
    results = {board: result for board, result, *_ in found}
    seat_of = {
        player: (board, ids.index(player))
        for board, ids in seats.items()
        for player in ids
    }
    if one not in seat_of or two not in seat_of:
        raise KeizerError(
            "both players must be in round {number}, at a board or with the bye.",
            number=number,
        )
    changed = list(dict.fromkeys((seat_of[one][0], seat_of[two][0])))
    for board in changed:
        if results[board]:
            raise KeizerError(
                "board {board} has a result: reopen it first.", board=board
            )
    for player, (board, side) in ((one, seat_of[two]), (two, seat_of[one])):
        seats[board][side] = player
    touched = {board: seats[board] for board in changed}
    position, rows, reasons = _judged(tournament, number, [*seat_of], touched)
    with suspended(tournament):
        for player in (player for ids in touched.values() for player in ids):
            unseat(tournament, number, player)
        seat(tournament, number, rows)
    for reason in reasons:
        tournament.insert("reason", **reason)
    if not anyway and any(reason["about"] == "given up" for reason in reasons):
        first_white, last_white = (
            seats[board][0] for board in (changed[0], changed[-1])
        )
        broken = tournament.records(
            "broken", round=number, one=first_white, two=last_white
        )
        raise DeclinedError(
            say(
                "that breaks a rule ({rules})", rules=first([*map(said, broken)], _MOST)
            ),
            "anyway",
            say("use --anyway to do it all the same."),
        )
    called = position.names
    tournament.describe(
        "swap of {one} and {two} in round {number}",
        one=called[one],
        two=called[two],
        number=number,
    )
    boards = [
        Changed(
            board if board > 0 else None, [called[player] for player in seats[board]]
        )
        for board in changed
    ]
    seated = [
        say("round {round}, bye: {name}", round=number, name=names[0])
        if board is None
        else say(
            "round {round}, board {board}: {white} – {black}",
            round=number,
            board=board,
            white=names[0],
            black=names[1],
        )
        for board, names in boards
    ]
    return Swapped(seated, number, boards)


class _Judged(NamedTuple):
    """What a round started from, and of the boards and byes that are touched: seats, reasons."""

    position: Position
    seats: list[Seat]
    reasons: list[dict[str, Any]]


def _judged(
    tournament: Tournament,
    number: int,
    seated: Sequence[int],
    touched: Mapping[int, Sequence[int]],
) -> _Judged:
    """What a round that is paired started from, and these boards and byes in it: seats, reasons."""
    tournament.conn.execute("SAVEPOINT paired")
    try:
        clear(tournament, number)
        seat(tournament, number, [Seat("draft")])  # even if it is published
        if number > 1:
            close(tournament, number - 1)  # even if its results are all open again
        position = position_before(tournament)
        for player in {*seated} - {*position.names}:
            name = tournament.scalar("SELECT name FROM player WHERE id = ?", player)
            raise KeizerError(
                "{name} is not present in round {number}: pair it anew.",
                name=name,
                number=number,
            )
        place = position.places()
        rows = [
            Seat("board", board, ids[0], ids[1], place[ids[0]], place[ids[1]], "fixed")
            if board > 0
            else Seat("out", white=ids[0], kind="bye")
            for board, ids in touched.items()
        ]
        with suspended(tournament):
            seat(tournament, number, rows)
        tournament.insert("z_reasons", tournament_id=tournament.id)
        reasons = tournament.records("reasons", round=number)
        return _Judged(position, rows, [{**reason, "id": None} for reason in reasons])
    finally:
        tournament.conn.execute("ROLLBACK TO paired")
        tournament.forget()
        tournament.conn.execute("RELEASE paired")
