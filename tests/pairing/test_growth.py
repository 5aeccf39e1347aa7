"""How the work of a pairing grows with the field: counted, so that no machine makes a difference.

What is counted: rows of view possible_boards that are read, and steps of the engine (players
looked at in matchings, and bounds compared). And that nothing is lost by what is not read.
"""

from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import pytest

from conformance import adapter
from keizer.pairing import unread
from keizer.pairing.boards import Boards
from keizer.pairing.matching import Matching
from keizer.pairing.optimum import Problem
from tests.support.pairings import Case, due_colours, swiss_rounds


class Work(NamedTuple):
    """What one pairing took."""

    rows: int
    steps: int


def work(case: Case) -> Work:
    """Pair a field, and count."""
    players = [player.id for player in case.players]
    with adapter.laid_out(case.as_position(), case.policy._asdict()) as conn:
        boards = Boards(conn, 1, case.policy, players)
        problem = Problem(boards, ())
        problem.solve()
    assert problem.proved
    return Work(len(boards.rows), problem.steps)


@pytest.mark.parametrize("players", [150, pytest.param(600, marks=pytest.mark.seeds)])
def test_a_swiss_takes_the_same_work_for_each_player_however_many_there_are(
    players: int,
) -> None:
    """In all of the first rounds: of 149 or 599 opponents each, none reads more than a few."""
    for case in swiss_rounds(players, 4):
        rows, steps = work(case)
        assert rows <= 20 * players
        assert steps <= 100 * players


def test_a_first_round_is_found_with_hardly_a_search() -> None:
    """Of a Swiss by halves: neighbours, and a few about the one opponent who is due."""
    (first,) = map(work, swiss_rounds(300, 1))
    assert first.rows <= 6 * 300
    assert first.steps <= 20 * 300


def test_half_a_field_due_white_takes_hardly_more_than_any_other() -> None:
    """Then nobody may meet the nearest: the k-th due White meets the k-th due Black."""
    mixed, halves = (
        work(due_colours(200, mixed=True)),
        work(due_colours(200, mixed=False)),
    )
    assert halves.rows <= 1.5 * mixed.rows
    assert halves.steps <= 2.5 * mixed.steps


def test_a_swiss_in_which_white_always_wins_takes_hardly_more_than_any_other() -> None:
    """In every other round a score group is due one colour, and all of it leaves the group.

    In the last rounds many of those who would meet have met.
    """
    works = [work(case) for case in swiss_rounds(150, 5, white_wins=True)]
    assert sum(round_.rows for round_ in works) <= 5 * 10 * 150
    assert sum(round_.steps for round_ in works) <= 5 * 50 * 150


def test_no_pair_that_is_not_read_is_in_a_better_pairing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when all pairs are read, and so nothing is left to bounds."""
    monkeypatch.setattr(unread, "BIG_BLOSSOM", 4)  # as in fields of hundreds
    by_halves = [*swiss_rounds(61, 5)]
    third = by_halves[2]
    by_rank = replace(third, policy=third.policy._replace(swiss_within="adjacent"))
    due = [due_colours(60, mixed=False), due_colours(60, mixed=True)]
    for case in (*by_halves, by_rank, *due, *swiss_rounds(60, 5, white_wins=True)):
        players = [player.id for player in case.players]
        with adapter.laid_out(case.as_position(), case.policy._asdict()) as conn:
            problem = Problem(Boards(conn, 1, case.policy, players), ())
            costs = problem.costs
            chosen = problem.solve()
            assert len(costs.known) < 60 * 59 / 3
            costs.read(combinations(range(costs.size), 2))
        rows: list[dict[int, int]] = [{} for _ in range(costs.size)]
        for (one, two), cost in costs.known.items():
            rows[one][two] = rows[two][one] = cost
        every = Matching(rows)
        best = {
            (costs.lines[one], costs.lines[two])
            for one, two in enumerate(every.mates)
            if one < two
        }
        assert best == {*chosen}, case
