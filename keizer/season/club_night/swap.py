"""Two players change places in a round that is paired already."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, first, say
from keizer.season.club_night.publication import mark_published, unseat
from keizer.season.club_night.rounds import (
    Position,
    Seat,
    clear_pairing,
    read_position,
    write_seats,
)
from keizer.season.queries import Tournament
from keizer.season.tournaments import last_paired_round, revaluation_suspended
from keizer.season.views import row_message

_MOST = 3
"""The most broken rules that are named."""


class Changed(NamedTuple):
    """A board that changed, None for a bye, and the names of its players now."""

    board: int | None
    players: list[str]


class Swapped(NamedTuple):
    """A swap: what is said of it, its round, and the boards that changed."""

    said: list[Message]
    number: int
    boards: list[Changed]


def swap(
    tournament: Tournament, first: int, second: int, *, anyway: bool = False
) -> Swapped:
    """Let two players change places in the last round; two who meet change colours.

    Either may have the bye.
    Raises KeizerError if a player has no seat or has a result. Unless anyway, it also
    does if the round is published or a rule would be broken.
    """
    number = last_paired_round(tournament)
    if not anyway and tournament.scalar("published", round=number) is not None:
        raise DeclinedError(
            say("round {number} is published", number=number),
            "anyway",
            say("use --anyway to change it all the same."),
        )
    rows = tournament.run("seats_and_byes", round=number).fetchall()
    results = {board: result for board, result, *_ in rows}
    # A bye is a board of one player, whose number is below 0.
    seats = {
        board: [player for player in players if player] for board, _, *players in rows
    }
    seat_of = {
        player: (board, side)
        for board, players in seats.items()
        for side, player in enumerate(players)
    }
    if first not in seat_of or second not in seat_of:
        raise KeizerError(
            "both players must be in round {number}, at a board or with the bye.",
            number=number,
        )
    first_board, first_side = seat_of[first]
    last_board, last_side = seat_of[second]
    changed = list(dict.fromkeys((first_board, last_board)))
    for board in changed:
        if results[board]:
            raise KeizerError(
                "board {board} has a result: reopen it first.", board=board
            )
    seats[first_board][first_side] = second
    seats[last_board][last_side] = first
    touched = {board: seats[board] for board in changed}
    judged = _judge(tournament, number, [*seat_of], touched)
    _write(tournament, number, touched, judged)
    breaks_rules = any(reason["about"] == "given up" for reason in judged.reasons)
    if breaks_rules and not anyway:
        whites = (seats[first_board][0], seats[last_board][0])
        raise _declined(tournament, number, whites)
    names = judged.position.names
    tournament.describe(
        "swap of {one} and {two} in round {number}",
        one=names[first],
        two=names[second],
        number=number,
    )
    boards = [
        Changed(board if board > 0 else None, [names[player] for player in players])
        for board, players in touched.items()
    ]
    return Swapped([_sentence(board, number) for board in boards], number, boards)


def _write(
    tournament: Tournament,
    number: int,
    touched: Mapping[int, Sequence[int]],
    judged: "_Judged",
) -> None:
    """Write the seats that are touched, and the reasons of the round."""
    with revaluation_suspended(tournament):
        for players in touched.values():
            for player in players:
                unseat(tournament, number, player)
        write_seats(tournament, number, judged.seats)
    for reason in judged.reasons:
        tournament.insert("reason", **reason)


def _declined(
    tournament: Tournament, number: int, whites: tuple[int, int]
) -> DeclinedError:
    """Return the refusal that names the rules that boards break, by who has White."""
    one, two = whites
    broken = tournament.records("broken", round=number, one=one, two=two)
    rules = first([row_message(row) for row in broken], _MOST)
    return DeclinedError(
        say("that breaks a rule ({rules})", rules=rules),
        "anyway",
        say("use --anyway to do it all the same."),
    )


def _sentence(changed: Changed, number: int) -> Message:
    """Return who sits at a board now, or has the bye."""
    if changed.board is None:
        (name,) = changed.players
        return say("round {round}, bye: {name}", round=number, name=name)
    white, black = changed.players
    return say(
        "round {round}, board {board}: {white} – {black}",
        round=number,
        board=changed.board,
        white=white,
        black=black,
    )


class _Judged(NamedTuple):
    """A changed round as if just paired: the position before, seats and reasons.

    seats: of the boards and byes that are touched alone.
    """

    position: Position
    seats: list[Seat]
    reasons: list[dict[str, Any]]


def _judge(
    tournament: Tournament,
    number: int,
    seated: Collection[int],
    touched: Mapping[int, Sequence[int]],
) -> _Judged:
    """Seat these boards and byes in the position before the round, and take that back.

    seated: everybody in the round. touched: players by board, White first.
    """
    tournament.conn.execute("SAVEPOINT paired")
    try:
        clear_pairing(tournament, number)
        write_seats(tournament, number, [Seat("draft")])  # even if it is published
        if number > 1:
            # Even if its results are all open again.
            mark_published(tournament, number - 1)
        position = read_position(tournament)
        _check_present(tournament, position, number, seated)
        seats = _seats(position, touched)
        with revaluation_suspended(tournament):
            write_seats(tournament, number, seats)
        tournament.insert("z_reasons", tournament_id=tournament.id)
        reasons = tournament.records("reasons", round=number)
        new_reasons = [{**reason, "id": None} for reason in reasons]
        return _Judged(position, seats, new_reasons)
    finally:
        tournament.conn.execute("ROLLBACK TO paired")
        tournament.forget_state()
        tournament.conn.execute("RELEASE paired")


def _check_present(
    tournament: Tournament, position: Position, number: int, seated: Collection[int]
) -> None:
    """Refuse a round with a player who is not present in it any more."""
    for player in set(seated) - position.names.keys():
        name = tournament.scalar("SELECT name FROM player WHERE id = ?", player)
        raise KeizerError(
            "{name} is not present in round {number}: pair it anew.",
            name=name,
            number=number,
        )


def _seats(position: Position, touched: Mapping[int, Sequence[int]]) -> list[Seat]:
    """Return the seats of boards, settled by hand, and of byes."""
    places = position.places()
    seats = []
    for board, players in touched.items():
        if board > 0:
            white, black = players
            row = Seat(
                "board", board, white, black, places[white], places[black], "fixed"
            )
        else:
            (player,) = players
            row = Seat("out", white=player, kind="bye")
        seats.append(row)
    return seats
