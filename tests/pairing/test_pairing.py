"""The pairing is the best there is: compared with every other one, and with another solver.

`pytest -m campaign tests/pairing/test_pairing.py` takes 5,000 positions of up to ten players,
and 100 of up to 150.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

import pytest

from conformance import positions as reference
from keizer.pairing import MAX_REASON_WORK, optimum
from keizer.pairing.facts import RULES, Board, Pairing, Policy, Relaxation
from keizer.pairing.matching import Matching
from tests.support.files import campaign
from tests.support.pairings import Case, Game, Oracle, Player, random_position

POSITIONS = 100
"""In one test."""


def positions(chunk: int) -> Iterator[Case]:
    """Positions of up to eight players, in the campaign ten."""
    for seed in range(chunk * POSITIONS, (chunk + 1) * POSITIONS):
        yield random_position(random.Random(seed), 8 if chunk < 2 else 10)


def paired(chunk: int) -> Iterator[tuple[Case, Pairing]]:
    """Those of them that can be paired, and how."""
    for case in positions(chunk):
        found = case.possible()
        if found is not None:
            yield case, found


def units(found: Pairing) -> list[reference.Unit]:
    """The boards and the bye."""
    return [*found.boards, *([] if found.bye is None else [(found.bye,)])]


def bare(relaxations: tuple[Relaxation, ...]) -> list[Relaxation]:
    """Without what they say about alternatives."""
    return [
        given_up._replace(player_without_alternative=None, instead=None)
        for given_up in relaxations
    ]


@pytest.mark.parametrize("chunk", [0, *campaign(1, 54)])
def test_no_other_pairing_is_better(chunk: int) -> None:
    """Boards, colours and why, bye, and what is given up: as the best of all pairings."""
    given_up = set[str]()
    for case in positions(chunk):
        oracle = Oracle(case)
        best = oracle.ranked()[0][1]
        seated, over = oracle.seated(best), oracle.left_over(best)
        found = case.paired()
        assert (units(found), list(found.left_over)) == (seated, over), case
        assert found.proved, case
        assert bare(found.relaxations) == oracle.relaxations(seated, over), case
        assert [*found.colours] == [
            "fixed" if unit in oracle.settled else oracle.decided(unit)[1]
            for unit in found.boards
        ], case
        given_up.update(told.rule for told in found.relaxations)
    if chunk == 0:
        assert given_up >= {*RULES} - {*ALONE}


class _Spoilt(Matching):
    """A matching in which the first two pairs have exchanged partners."""

    def __init__(self, costs: list[dict[int, int]], prices: Sequence[int] = ()) -> None:
        super().__init__(costs, prices)
        pairs = [(one, two) for one, two in enumerate(self.mates) if one < two]
        if len(pairs) > 1:
            (one, two), (three, four) = pairs[:2]
            self.mates[one], self.mates[four] = four, one
            self.mates[three], self.mates[two] = two, three


def test_what_is_not_the_best_is_not_called_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = Case([Player(number) for number in range(1, 7)])
    assert case.paired().proved
    monkeypatch.setattr(optimum, "Matching", _Spoilt)
    assert not case.paired().proved


ALONE = {
    "bye_at_start": Player(1, first=True),
    "bye_again": Player(1, bye_last_round=True),
}


@pytest.mark.parametrize("rule", ALONE)
def test_who_comes_alone_has_the_bye_against_the_rules(rule: str) -> None:
    found = Case([ALONE[rule]], number=2).paired()
    assert (found.bye, bare(found.relaxations)) == (1, [Relaxation(rule, (1,), 1)])


def test_where_nothing_else_decides_the_first_ones_have_opponents() -> None:
    """Player 4 has met neither 1 nor 2, and all others have met: 1 and 4 play.

    Digit 7 of a Swiss in docs/pairing.md.
    """
    players = [Player(1, 4), Player(2, 4), Player(3, 2), Player(4, 2)]
    games = [Game(1, 1, 2), Game(1, 3, 4), Game(2, 1, 3), Game(3, 2, 3)]
    policy = Policy(system="swiss", stuck="leave", swiss_within="adjacent")
    found = Case(players, games, 4, policy).paired()
    boards = [{board.white, board.black} for board in found.boards]
    assert (boards, found.left_over) == ([{1, 4}], (2, 3))


def test_categories_of_absent_members_do_not_outweigh_a_rule() -> None:
    """Colours weigh more than categories, however many lie between the few who came.

    1 and 2 must have White, 3 and 4 Black. So 1 and 2 meet players 39 categories away,
    of whom all the others are absent: rule 11 before rule 12 of docs/pairing.md.
    """
    players = [Player(1, group=0), Player(2, group=0)]
    players += [Player(3, group=39), Player(4, group=39)]
    games = [Game(1, 3, 1), Game(1, 4, 2), Game(2, 3, 2), Game(2, 4, 1)]
    policy = Policy(rematch_gap=0, colour_run="off", max_group_distance=0)
    case = Case(players, games, 3, policy)
    oracle = Oracle(case)
    _, best = oracle.ranked()[0]
    assert oracle.seated(best) == [(1, 3), (2, 4)]
    assert [*case.paired().boards] == [(1, 3), (2, 4)]


def often_left_over(rng: random.Random) -> Case:
    """Four to six players of a Swiss, most of whom have met."""
    count = rng.randint(4, 6)
    ids = rng.sample(range(1, 30), count)
    scores = sorted(rng.choices([0, 2, 4, 4], k=count), reverse=True)
    share = rng.choice([0.5, 0.7, 0.85])
    met = [pair for pair in combinations(ids, 2) if rng.random() < share]
    games = [Game(number, *rng.sample(pair, 2)) for number, pair in enumerate(met, 1)]
    policy = Policy(
        system="swiss", stuck="leave", swiss_within=rng.choice(["halves", "adjacent"])
    )
    players = [
        Player(player, score, floats=(rng.randint(-1, 1), rng.randint(-1, 1)))
        for player, score in zip(ids, scores, strict=True)
    ]
    return Case(players, games, len(games) + 1, policy)


@pytest.mark.parametrize("chunk", [0, *campaign(1, 10)])
def test_who_is_left_over_is_decided_too(chunk: int) -> None:
    """There is one best pairing, and it is the engine's."""
    for seed in range(chunk * POSITIONS, (chunk + 1) * POSITIONS):
        case = often_left_over(random.Random(seed))
        oracle = Oracle(case)
        (best_cost, best), *others = oracle.ranked()
        found = case.paired()
        seated, over = oracle.seated(best), oracle.left_over(best)
        assert (units(found), list(found.left_over)) == (seated, over), case
        for cost, other in others:
            if cost == best_cost:  # the same players left over, two by two otherwise
                assert oracle.seated(other) == seated, case


def large(rng: random.Random, most: int) -> Case:
    """A field in which neighbours often will not do."""
    case = random_position(rng, most, least=60)
    players, count = case.players, len(case.players)
    kind = rng.choice(["any", "groups", "met", "families"])
    if kind == "groups":
        groups = rng.choice([3, 10, 20, 30])
        case.players = [
            player._replace(group=place % groups)
            for place, player in enumerate(players)
        ]
        case.policy = case.policy._replace(max_group_distance=rng.choice([0, 0, 1]))
    elif kind == "met":
        size = rng.choice([20, 24, 30])
        blocks = [
            range(first, min(first + size, count)) for first in range(0, count, size)
        ]
        case.number = 40
        case.games = [
            Game(
                1 + (one + two) % size,
                *rng.sample([players[one].id, players[two].id], 2),
            )
            for block in blocks
            for one, two in combinations(block, 2)
        ]
        case.policy = case.policy._replace(
            rematch_gap=rng.choice([30, 99]), max_meetings=1
        )
    elif kind == "families":
        few = count // 3
        names = [*["top"] * few, *["low"] * few, *["mid"] * (count - 2 * few)]
        case.players = [
            player._replace(prohibited=frozenset([name]))
            for player, name in zip(players, names, strict=True)
        ]
    return case


@pytest.mark.seeds
@pytest.mark.parametrize(
    "seed",
    [0, 1, 103, 200, *campaign(2, 103), *campaign(104, 107), *campaign(201, 300)],
)
def test_large_fields_are_paired_exactly_too(seed: int) -> None:
    """Where the engine looks at the likeliest first: as on the complete graph."""
    rng = random.Random(seed)
    if seed < 200:
        case = large(rng, 80 if seed < 6 else rng.choice([80, 100, 150]))
    else:
        case = random_position(rng, 30, least=20)
    oracle = Oracle(case)
    order = case.policy.aim == "top-down" or len(case.players) <= 80
    best = oracle.cheapest(order=order)
    found = case.possible()
    assert (found is None) == (
        case.policy.stuck == "refuse" and oracle.left_over(best) != []
    )
    if found:
        assert found.proved
        made = oracle.units_of(found)
        assert oracle.sums(made) == oracle.sums(best)
        assert not order or oracle.choices(made) == oracle.choices(best)


def test_any_boards_are_judged_by_their_own_colours() -> None:
    for case in positions(0):
        oracle = Oracle(case)
        free = random.Random(1).sample(oracle.ids, len(oracle.ids))
        bye = free.pop() if len(free) % 2 else None
        boards = [Board(*ids) for ids in zip(free[::2], free[1::2], strict=True)]
        made = replace(case, fixed=boards, bye=bye).paired()
        assert list(made.relaxations) == oracle.relaxations(units(made))


@pytest.mark.parametrize(
    ("present", "free"),
    [(40, [3, 38]), (40, [1, 20, 21, 40]), (150, [*range(1, 10), *range(100, 151)])],
)
def test_those_between_whom_all_are_settled_are_paired(
    present: int, free: list[int]
) -> None:
    """As late comers are: neighbours, since nobody has met, and in a Swiss each of them once."""
    settled = [player for player in range(1, present + 1) if player not in free]
    boards = [Board(*both) for both in zip(settled[::2], settled[1::2], strict=True)]
    systems: list[Literal["keizer", "swiss"]] = ["keizer", "swiss"]
    for system in systems:
        policy = Policy(system=system, colour_difference="off")
        players = [Player(number) for number in range(1, present + 1)]
        found = Case(players, [], 2, policy, fixed=boards).paired()
        made = sorted(sorted(board) for board in found.boards if board not in boards)
        if system == "keizer":
            assert made == [[*both] for both in zip(free[::2], free[1::2], strict=True)]
        assert sorted(player for both in made for player in both) == free


@pytest.mark.parametrize("chunk", [0, *campaign(1, 14)])
def test_what_is_given_up_says_why(chunk: int) -> None:
    """Somebody has nobody else, or where the best other pairing is worse, and by how much."""
    for case, found in paired(chunk):
        oracle = Oracle(case)
        ranked = oracle.ranked() if found.relaxations else []
        for index, told in enumerate(found.relaxations):
            unit = told.players
            odd = len(oracle.free) % 2
            nobody = {
                player
                for player in unit
                if len(unit) == 2
                and not (odd and not oracle.breaches((player,)))
                and all(
                    oracle.breaches(oracle.seat((player, other)))
                    for other in oracle.free
                    if other != player
                )
            }
            if unit in oracle.settled or unit[0] in found.left_over:
                assert (told.player_without_alternative, told.instead) == (None, None)
            elif nobody:
                assert (
                    told.player_without_alternative in nobody and told.instead is None
                ), case
            else:
                others = [
                    sums
                    for sums, other in ranked
                    if not any({*one} == {*unit} for one in other)
                ]
                assert told.player_without_alternative is None
                few = (1 + index) * len(oracle.place) <= MAX_REASON_WORK
                if few and others:
                    assert told.instead is not None
                    differ = [
                        both
                        for both in zip(others[0], ranked[0][0], strict=True)
                        if both[0] != both[1]
                    ]
                    assert told.instead[1:] == differ[0], case
                else:
                    assert told.instead is None, case


def test_in_a_large_field_only_the_first_say_what_would_be_instead() -> None:
    """61 of one family may all meet the lowest only: nobody is stuck, thirty boards are wrong."""
    family = [Player(number, prohibited=frozenset("x")) for number in range(1, 62)]
    found = Case([*family, Player(62)]).paired()
    assert [given_up.rule for given_up in found.relaxations] == ["prohibited"] * 30
    told = [given_up for given_up in found.relaxations if given_up.instead]
    assert told == list(found.relaxations[: len(told)])
    assert {given_up.instead and given_up.instead.digit for given_up in told} == {
        "squared"
    }
    assert len(told) * 62 <= MAX_REASON_WORK < (1 + len(told)) * 62
    assert {given_up.player_without_alternative for given_up in found.relaxations} == {
        None
    }
