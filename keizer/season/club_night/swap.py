"""Two players change places in a round that is paired already."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, first, say
from keizer.season.club_night.publication import mark_published, unseat
from keizer.season.club_night.rounds import (
    Position,
    Step,
    clear_pairing,
    read_position,
    run_steps,
)
from keizer.season.queries import Tournament
from keizer.season.tournaments import last_paired_round, revaluation_suspended
from keizer.season.views import row_message

_MOST = 3
"""The most broken rules that are named."""


class Changed(NamedTuple):
    """A board that changed, or None for the bye, and the names of its players now."""

    board: int | None
    players: list[str]


class Swapped(NamedTuple):
    """A swap: a message for each board that changed, the round, and these boards."""

    said: list[Message]
    number: int
    boards: list[Changed]


def swap(
    tournament: Tournament, first: int, second: int, *, anyway: bool = False
) -> Swapped:
    """Let two players change places in the last round; if they meet, they swap colours.

    first, second: player.id; one of the two may have the bye.
    anyway: even if the round is published, or the swap breaks a rule.
    Raises KeizerError if a player has no seat, or their board has a result.
    """
    number = last_paired_round(tournament)
    if not anyway and tournament.scalar("published", round=number) is not None:
        raise DeclinedError(
            say("round {number} is published", number=number),
            "anyway",
            say("use --anyway to change it."),
        )
    rows = tournament.run("boards_and_byes", round=number).fetchall()
    results = {board: result for board, result, *_ in rows}
    # A bye is a board with one player, and with a number below 0.
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
    second_board, second_side = seat_of[second]
    touched_boards = list(dict.fromkeys((first_board, second_board)))
    for board in touched_boards:
        if results[board]:
            raise KeizerError(
                "board {board} has a result: reopen it first.", board=board
            )
    seats[first_board][first_side] = second
    seats[second_board][second_side] = first
    touched = {board: seats[board] for board in touched_boards}
    trial = _try_pairing(tournament, number, [*seat_of], touched)
    _write_swap(tournament, number, touched, trial)
    breaks_rules = any(reason["about"] == "given up" for reason in trial.reasons)
    if breaks_rules and not anyway:
        # The swap is written already, since the refusal reads which rules it breaks;
        # the caller's transaction is rolled back.
        whites = (seats[first_board][0], seats[second_board][0])
        raise _declined(tournament, number, whites)
    names = trial.position.names
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


def _write_swap(
    tournament: Tournament,
    number: int,
    touched: Mapping[int, Sequence[int]],
    trial: "_Trial",
) -> None:
    """Write the boards and byes that are touched, and the reasons of the round."""
    with revaluation_suspended(tournament):
        for players in touched.values():
            for player in players:
                unseat(tournament, number, player)
        run_steps(tournament, number, trial.steps)
    for reason in trial.reasons:
        tournament.insert("reason", **reason)


def _declined(
    tournament: Tournament, number: int, whites: tuple[int, int]
) -> DeclinedError:
    """Return the refusal that names the rules which two boards break.

    whites: the players with White on the two boards, or with the bye.
    """
    one, two = whites
    broken = tournament.records("broken_rules", round=number, one=one, two=two)
    rules = first([row_message(row) for row in broken], _MOST)
    return DeclinedError(
        say("that breaks a rule ({rules})", rules=rules),
        "anyway",
        say("use --anyway to do it."),
    )


def _sentence(changed: Changed, number: int) -> Message:
    """Return a message that says who sits at a board now, or has the bye."""
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


class _Trial(NamedTuple):
    """A changed round as if it had just been paired.

    position: the facts before the round. steps: these write the boards and byes that
    are touched. reasons: rows of table reason for them, without an id.
    """

    position: Position
    steps: list[Step]
    reasons: list[dict[str, Any]]


def _try_pairing(
    tournament: Tournament,
    number: int,
    seated: Collection[int],
    touched: Mapping[int, Sequence[int]],
) -> _Trial:
    """Pair the round like this on trial: return its steps and reasons, undo all else.

    seated: everybody in the round. touched: the players of boards and byes that
    change, by board, White first.
    """
    tournament.conn.execute("SAVEPOINT paired")
    try:
        clear_pairing(tournament, number)
        # A round that is published becomes a draft here, and the round before counts as
        # published even if all its results are open again: else the position would be
        # that of another round.
        run_steps(tournament, number, [Step("draft")])
        if number > 1:
            mark_published(tournament, number - 1)
        position = read_position(tournament)
        _check_present(tournament, position, number, seated)
        steps = _steps(position, touched)
        with revaluation_suspended(tournament):
            run_steps(tournament, number, steps)
        # An insert into this view writes the reasons of the round.
        tournament.insert("z_reasons", tournament_id=tournament.id)
        reasons = tournament.records("reasons", round=number)
        new_reasons = [{**reason, "id": None} for reason in reasons]
        return _Trial(position, steps, new_reasons)
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
            "{name} is not present in round {number}: pair it again.",
            name=name,
            number=number,
        )


def _steps(position: Position, touched: Mapping[int, Sequence[int]]) -> list[Step]:
    """Return the steps that write these boards and byes, all settled by hand."""
    places = position.places()
    steps = []
    for board, players in touched.items():
        is_bye = board < 0
        if is_bye:
            (player,) = players
            step = Step("out", white=player, kind="bye")
        else:
            white, black = players
            step = Step(
                "board", board, white, black, places[white], places[black], "fixed"
            )
        steps.append(step)
    return steps
