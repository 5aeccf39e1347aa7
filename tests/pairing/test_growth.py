"""How the work of a pairing grows with the field: counted, so that no machine makes a difference.

What is counted: rows of view possible_boards that are read, and steps of the engine (players
looked at in matchings, and bounds compared).
"""

from typing import NamedTuple

import pytest

from conformance import adapter
from keizer.pairing.boards import Boards
from keizer.pairing.optimum import Problem
from tests.support.pairings import Case, due_colours, swiss_rounds


class Work(NamedTuple):
    """What one pairing took."""

    rows: int
    steps: int


def work(case: Case) -> Work:
    """Pair a field, and count."""
    players = [player.id for player in case.players]
    with adapter.laid_out(case.told(), case.policy._asdict()) as conn:
        boards = Boards(conn, 1, case.policy, players)
        problem = Problem(boards, ())
        problem.solve()
    assert problem.proved
    return Work(len(boards.rows), problem.steps)


@pytest.mark.parametrize("players", [150, pytest.param(600, marks=pytest.mark.seeds)])
def test_a_swiss_takes_the_same_work_for_each_player_however_many_there_are(players: int) -> None:
    """In all of the first rounds: of 149 or 599 opponents each, none reads more than a few."""
    for case in swiss_rounds(players, 4):
        rows, steps = work(case)
        assert rows <= 20 * players
        assert steps <= 250 * players


def test_a_first_round_is_found_with_hardly_a_search() -> None:
    """Of a Swiss by halves: neighbours, and a few about the one opponent who is due."""
    (first,) = map(work, swiss_rounds(300, 1))
    assert first.rows <= 6 * 300


def test_half_a_field_due_white_takes_hardly_more_than_any_other() -> None:
    """Then nobody may meet the nearest: the k-th due White meets the k-th due Black."""
    mixed, halves = work(due_colours(200, mixed=True)), work(due_colours(200, mixed=False))
    assert halves.rows <= 1.5 * mixed.rows
    assert halves.steps <= 2.5 * mixed.steps
