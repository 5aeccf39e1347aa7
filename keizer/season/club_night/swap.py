"""Two players change places in a round that is paired already."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, say, shortened_list
from keizer.season.club_night.publication import mark_published, remove_seat
from keizer.season.club_night.rounds import (
    PairingBasis,
    Step,
    clear_pairing,
    read_pairing_basis,
    run_steps,
)
from keizer.season.queries import Tournament
from keizer.season.tournaments import last_paired_round, revaluation_suspended
from keizer.season.views import row_message

_MOST_RULES = 3
"""The most broken rules that are named."""


class Changed(NamedTuple):
    """A board or a bye that changed, and who has it now."""

    board: int | None
    """The number of the board; None for the bye."""
    players: list[str]
    """The names of White and Black, or only the name of the player with the bye."""


class Swapped(NamedTuple):
    """A swap of two players that was written."""

    said: list[Message]
    """A message for each board or bye that changed."""
    number: int
    """The number of the round."""
    boards: list[Changed]
    """The boards and byes that changed: two, or one if the players meet each other."""


def swap(
    tournament: Tournament, first: int, second: int, *, anyway: bool = False
) -> Swapped:
    """Let two players change places in the last round; if they meet, they swap colours.

    The round is written with its reasons, and the swap is noted on the log.
    first, second: player.id. One of them may have the bye, which the other then gets.
    anyway: also if the round is published, or the swap breaks a rule.
    Raises KeizerError if a player has no board or bye, or their board has a result; and
    DeclinedError, unless anyway, if the round is published or the swap breaks a rule.
    After an error, the caller has to roll back the transaction.
    """
    number = last_paired_round(tournament)
    if not anyway and tournament.scalar("published", round=number) is not None:
        raise DeclinedError(
            say("round {number} is published", number=number),
            option="anyway",
            typed=say("use --anyway to change it."),
        )
    rows = tournament.run("boards_and_byes", round=number).fetchall()
    results = {board: result for board, result, *_ in rows}
    # By the number of a board [White, Black], and by a negative number [the player with
    # the bye]: see `_is_bye`.
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
    # It is one board if the two meet each other.
    changed_boards = list(dict.fromkeys((first_board, second_board)))
    for board in changed_boards:
        if results[board]:
            raise KeizerError(
                "board {board} has a result: reopen it first.", board=board
            )
    seats[first_board][first_side] = second
    seats[second_board][second_side] = first
    changed_seats = {board: seats[board] for board in changed_boards}
    trial = _try_pairing(tournament, number, [*seat_of], changed_seats)
    _write_swap(tournament, number, changed_seats, trial)
    breaks_rules = any(reason["about"] == "given up" for reason in trial.reasons)
    if breaks_rules and not anyway:
        # The swap is written already, since the refusal reads from the file which rules
        # it breaks. The caller's transaction is rolled back.
        whites = (seats[first_board][0], seats[second_board][0])
        raise _refusal_of_broken_rules(tournament, number, whites)
    names = trial.basis.present
    tournament.describe(
        "swap of {one} and {two} in round {number}",
        one=names[first],
        two=names[second],
        number=number,
    )
    boards = [
        Changed(
            None if _is_bye(board) else board, [names[player] for player in players]
        )
        for board, players in changed_seats.items()
    ]
    return Swapped([_sentence(board, number) for board in boards], number, boards)


def _is_bye(board: int) -> bool:
    """Return whether a number of query boards_and_byes stands for a bye.

    The query has a bye as board -7 if it is that of player 7.
    """
    return board < 0


def _write_swap(
    tournament: Tournament,
    number: int,
    changed_seats: Mapping[int, Sequence[int]],
    trial: "_Trial",
) -> None:
    """Write the boards and byes that changed, and the reasons for them.

    changed_seats: maps the number of a board to [White, Black], and a negative number
    to [the player with the bye] (see `_is_bye`).
    trial: the steps and the reasons, as `_try_pairing` returned them.
    """
    # The standings are computed once, after the last board.
    with revaluation_suspended(tournament):
        # All old boards first, as nobody may have two boards at any moment.
        for players in changed_seats.values():
            for player in players:
                remove_seat(tournament, number, player)
        run_steps(tournament, number, trial.steps)
    for reason in trial.reasons:
        tournament.insert("reason", **reason)


def _refusal_of_broken_rules(
    tournament: Tournament, number: int, whites: tuple[int, int]
) -> DeclinedError:
    """Return the error to raise if a swap breaks rules; it names up to three of them.

    number: of the round. whites: player.id of White on the two boards that changed, or
    of the player with the bye.
    """
    white, other_white = whites
    broken = tournament.records(
        "broken_rules", round=number, one=white, two=other_white
    )
    messages = [row_message(row) for row in broken]
    rules = shortened_list(messages, _MOST_RULES)
    return DeclinedError(
        say("that breaks a rule ({rules})", rules=rules),
        option="anyway",
        typed=say("use --anyway to do it."),
    )


def _sentence(changed: Changed, number: int) -> Message:
    """Return a message that says who sits at a changed board now, or has the bye.

    number: of the round.
    """
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
    """What a trial found: how a round with changed boards would be written."""

    basis: PairingBasis
    """Who was present when the round was to be paired, and the rules."""
    steps: list[Step]
    """The steps that write the boards and byes that changed."""
    reasons: list[dict[str, Any]]
    """Why these are as they are, and the rules that they break: rows of table reason.

    Their id is None, so that inserting them gives each a new one.
    """


def _try_pairing(
    tournament: Tournament,
    number: int,
    seated: Collection[int],
    changed_seats: Mapping[int, Sequence[int]],
) -> _Trial:
    """Pair changed boards as if the round were just being paired; then undo all writes.

    The file writes the reasons of boards when a round is paired. So the pairing of the
    round is removed, the changed boards are paired by hand, and their reasons are read.
    number: of the round. seated: player.id of everybody with a board or the bye in it.
    changed_seats: the boards and byes that change. It maps the number of a board to
    [White, Black], and a negative number to [the player with the bye].
    Raises KeizerError if somebody seated is not present in the round.
    """
    tournament.conn.execute("SAVEPOINT paired")
    try:
        clear_pairing(tournament, number)
        # These two steps make this round the coming round. As a draft it counts as not
        # published, and the round before counts as published, even if none of its
        # boards has a result. Else `read_pairing_basis` would be about another round.
        run_steps(tournament, number, [Step("draft")])
        if number > 1:
            mark_published(tournament, number - 1)
        basis = read_pairing_basis(tournament)
        _check_all_present(tournament, basis, seated)
        steps = _steps(basis, changed_seats)
        with revaluation_suspended(tournament):
            run_steps(tournament, number, steps)
        # An insert into this view writes the reasons of the round.
        tournament.insert("z_reasons", tournament_id=tournament.id)
        reasons = tournament.records("reasons", round=number)
        new_reasons = [{**reason, "id": None} for reason in reasons]
        return _Trial(basis, steps, new_reasons)
    finally:
        tournament.conn.execute("ROLLBACK TO paired")
        tournament.forget_state()
        # ROLLBACK TO leaves the savepoint open; this closes it.
        tournament.conn.execute("RELEASE paired")


def _check_all_present(
    tournament: Tournament, basis: PairingBasis, seated: Collection[int]
) -> None:
    """Raise KeizerError if a player with a board or the bye is not present any more.

    basis: who is present. seated: player.id of those with a board or the bye.
    """
    absent = set(seated) - basis.present.keys()
    if absent:
        # The message names one of them, which is enough to pair the round again.
        name = tournament.scalar("SELECT name FROM player WHERE id = ?", absent.pop())
        raise KeizerError(
            "{name} is not present in round {number}: pair it again.",
            name=name,
            number=basis.number,
        )


def _steps(
    basis: PairingBasis, changed_seats: Mapping[int, Sequence[int]]
) -> list[Step]:
    """Return the steps that write boards and byes which a person decided.

    changed_seats: maps the number of a board to [White, Black], and a negative number
    to [the player with the bye] (see `_is_bye`).
    """
    places = basis.places()
    steps = []
    for board, players in changed_seats.items():
        if _is_bye(board):
            (player,) = players
            # No place, as a person gives this bye. If the engine gives a bye, the place
            # of the player in the order of pairing is stored with it.
            step = Step.without_board(player, "bye")
        else:
            white, black = players
            step = Step(
                "board",
                board=board,
                white=white,
                black=black,
                white_place=places[white],
                black_place=places[black],
                colour_by="fixed",  # by a person
            )
        steps.append(step)
    return steps
