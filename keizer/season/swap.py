"""Two players change places in a round that is paired already."""

import sqlite3
from collections.abc import Collection, Mapping

from keizer.errors import DeclinedError, KeizerError
from keizer.pairing import Relaxation
from keizer.pairing.boards import Boards
from keizer.season.publication import close, unseat
from keizer.season.queries import cell
from keizer.season.rounds import Position, Seat, clear, keep, listed, position_before, seat
from keizer.season.tournaments import paired_round, suspended
from keizer.store import commands

Seats = dict[int, list[int]]
"""By board White and Black; who has a bye under their id with a minus."""


def swap(
    conn: sqlite3.Connection, tournament: int, one: int, two: int, *, anyway: bool = False
) -> tuple[int, list[tuple[int | None, list[str]]]]:
    """Let two players change places in the last round; two who meet change colours.

    Either may have the bye. Returns the round, and each board that changed
    (None: a bye) with the names there now. Raises KeizerError when one has no
    seat or a result, the round is published or a rule would be broken (unless
    anyway: then that is put on record).
    """
    number = paired_round(conn, tournament)
    published = "SELECT published_at FROM schedule WHERE tournament_id = ? AND round_number = ?"
    if not anyway and cell(conn, published, tournament, number) is not None:
        raise DeclinedError(
            f"round {number} is published", "anyway", "use --anyway to change it all the same."
        )
    seats, results = _seats(conn, tournament, number)
    seat_of = {player: (board, ids.index(player)) for board, ids in seats.items() for player in ids}
    for player in (one, two):
        if player not in seat_of:
            raise KeizerError(
                f"both players must be in round {number}, at a board or with the bye."
            )
        board = seat_of[player][0]
        if results.get(board):
            raise KeizerError(f"board {board} has a result: reopen it first.")
    changed = list(dict.fromkeys(seat_of[player][0] for player in (one, two)))
    for player, (board, side) in ((one, seat_of[two]), (two, seat_of[one])):
        seats[board][side] = player
    touched = [tuple(seats[board]) for board in changed]
    position, broken = _judged(conn, tournament, number, seat_of, touched)
    if any(broken.values()) and not anyway:
        raise DeclinedError(
            f"that breaks a rule, {listed(broken, position.names)}",
            "anyway",
            "use --anyway to do it all the same.",
        )
    _reseat(conn, tournament, position, {board: seats[board] for board in changed})
    keep(
        conn,
        tournament,
        position,
        [Relaxation(rule, ids, amount) for ids in touched for rule, amount in broken[ids].items()],
        touched,
    )
    both = " and ".join(position.names[player] for player in (one, two))
    commands.describe(conn, f"swap of {both} in round {number}")
    return number, [
        (board if board > 0 else None, [position.names[player] for player in seats[board]])
        for board in changed
    ]


def _seats(
    conn: sqlite3.Connection, tournament: int, number: int
) -> tuple[Seats, dict[int, str | None]]:
    """Who sits where in a round, and the result of each board."""
    seats: Seats = {}
    results = {}
    for board, white, black, result in conn.execute(
        "SELECT board, white, black, result FROM round"
        " WHERE tournament_id = :tournament AND round_number = :number UNION ALL"
        " SELECT -player_id, player_id, NULL, NULL FROM unplayed WHERE tournament_id = :tournament"
        " AND round_number = :number AND kind = 'bye'",
        {"tournament": tournament, "number": number},
    ):
        seats[board] = [white] if black is None else [white, black]
        results[board] = result
    return seats, results


def _judged(
    conn: sqlite3.Connection,
    tournament: int,
    number: int,
    seated: Mapping[int, object],
    touched: Collection[tuple[int, ...]],
) -> tuple[Position, dict[tuple[int, ...], dict[str, int]]]:
    """What a round that is paired started from, and the rules that these boards and byes break.

    Raises KeizerError where somebody who has a seat is not present.
    """
    conn.execute("SAVEPOINT paired")
    try:
        clear(conn, tournament, number)
        if number > 1:
            close(conn, tournament, number - 1)  # be its results all open again
        position = position_before(conn, tournament)
        for player in seated.keys() - position.names.keys():
            name = cell(conn, "SELECT name FROM player WHERE id = ?", player)
            raise KeizerError(f"{name} is not present in round {number}: pair it anew.")
        boards = Boards(conn, tournament, position.policy, list(position.names))
        return position, {ids: boards.breaches(ids) for ids in touched}
    finally:
        conn.execute("ROLLBACK TO paired")
        conn.execute("RELEASE paired")


def _reseat(conn: sqlite3.Connection, tournament: int, position: Position, seats: Seats) -> None:
    """Put these at their boards in place of who sits there."""
    place, number = position.places(), position.number
    rows = []
    with suspended(conn, tournament):
        for board, ids in seats.items():
            for player in ids:
                unseat(conn, tournament, number, player)
            if board < 0:
                rows.append(Seat("out", white=ids[0], kind="bye"))
            else:
                white, black = ids
                rows.append(Seat("board", board, white, black, place[white], place[black], "fixed"))
        seat(conn, tournament, number, rows)
