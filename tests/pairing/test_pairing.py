"""The pairing is the best there is: compared with every other one, and with other solvers.

`pytest -m campaign tests/pairing/test_pairing.py` takes 5,000 positions of up to ten players,
200 of up to 30 and 100 of up to 150.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Literal

import pytest

from keizer.pairing import (
    ALTERNATIVES,
    RULES,
    Board,
    Breach,
    Game,
    ImpossibleError,
    Pairing,
    Player,
    Policy,
    Relaxation,
    pair,
)
from keizer.pairing.facts import Strength
from tests.support.files import ROOT, campaign, needs
from tests.support.pairings import Case, Oracle, Unit, random_position

REMATCH = RULES.index("rematch")

POSITIONS = 100
"""In one test."""

FREE = Policy(
    rematch_gap=0,
    max_meetings=None,
    colour_run="off",
    colour_difference="off",
    fewest_byes="off",
    bye_again="off",
    bye_at_start="off",
)
"""Asks nothing."""


def positions(chunk: int, *, most: int | None = None) -> list[Case]:
    """Positions of up to eight players, in the campaign ten."""
    seeds = range(chunk * POSITIONS, (chunk + 1) * POSITIONS)
    return [
        random_position(random.Random(seed), most or (8 if chunk < 4 else 10)) for seed in seeds
    ]


def units(found: Pairing) -> list[Unit]:
    """The boards and the bye."""
    boards: list[Unit] = [tuple(board) for board in found.boards]
    return boards + ([] if found.bye is None else [(found.bye,)])


def bare(relaxations: tuple[Relaxation, ...]) -> list[Relaxation]:
    """Without what they say about alternatives."""
    return [it._replace(stuck=None, instead=()) for it in relaxations]


def ranks(count: int, **facts: int) -> list[Player]:
    """Players 1, 2, 3, ...; facts: one of them as in `p3=2`, his byes."""
    return [Player(it, byes=facts.get(f"p{it}", 0)) for it in range(1, count + 1)]


def pairs(found: Pairing) -> list[set[int]]:
    return [set(board) for board in found.boards]


# ------------------------------------------------------------ the best there is


@pytest.mark.parametrize("chunk", [*range(4), *campaign(4, 54)])
def test_no_other_pairing_is_better(chunk: int) -> None:
    """Boards, colours and why, bye, and what is given up: as the best of all pairings."""
    for case in positions(chunk):
        oracle = Oracle(case)
        best = oracle.best()
        seated = oracle.seated(best)
        if oracle.sums(best)[REMATCH]:
            with pytest.raises(ImpossibleError) as error:
                case.paired()
            assert error.value.players in seated and oracle.met(*error.value.players)
            continue
        found = case.paired()
        assert units(found) == seated, case
        assert bare(found.relaxations) == oracle.relaxations(seated), case
        assert [reason.colour for reason in found.reasons] == [
            "fixed" if unit in oracle.settled else oracle.seat(unit)[1] for unit in found.boards
        ], case


def from_the_top(oracle: Oracle) -> list[Unit]:
    """The highest-ranked meets the nearest with whom the rules (1-17) still come out best."""

    @cache
    def least(left: tuple[int, ...]) -> tuple[int, ...]:
        return min((total(left, unit) for unit in choices(left)), default=(0,) * 17)

    def choices(left: tuple[int, ...]) -> list[Unit]:
        alone: list[Unit] = [left[:1]] if len(left) % 2 else []
        return [(left[0], other) for other in left[1:]] + alone if left else []

    def without(left: tuple[int, ...], unit: Unit) -> tuple[int, ...]:
        return tuple(it for it in left if it not in unit)

    def total(left: tuple[int, ...], unit: Unit) -> tuple[int, ...]:
        rest = least(without(left, unit))
        return tuple(one + other for one, other in zip(oracle.digits(unit)[:17], rest, strict=True))

    left, found = tuple(oracle.line), []
    while left:
        unit = next(unit for unit in choices(left) if total(left, unit) == least(left))
        found.append(unit)
        left = without(left, unit)
    return found


@pytest.mark.parametrize("chunk", [*range(4), *campaign(4, 24)])
def test_top_down_is_the_procedure_of_that_name(chunk: int) -> None:
    for case in positions(chunk, most=8):
        case.policy = case.policy._replace(system="keizer", aim="top-down")
        oracle = Oracle(case)
        assert units(case.paired()) == oracle.seated(from_the_top(oracle)), case


@pytest.mark.parametrize("chunk", [0, *campaign(1, 34)])
def test_an_integer_program_finds_nothing_better(chunk: int) -> None:
    for seed in range(chunk * 6, (chunk + 1) * 6):
        case = random_position(random.Random(seed), 30, least=20)
        oracle = Oracle(case)
        least = oracle.least_sums()
        found = case.possible()
        assert (found is None) == (least[REMATCH] > 0), case
        if found:
            assert oracle.sums(oracle.made(found)) == least, case


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 20)])
def test_as_many_meet_for_the_first_time_as_can(chunk: int) -> None:
    """As many boards as a maximum matching has; nothing buys one off. Or a Swiss is refused."""
    nx = needs("networkx")
    short = 0
    for seed in range(chunk * POSITIONS, (chunk + 1) * POSITIONS):
        rng = random.Random(seed)
        players = [
            Player(it, score=rng.choice([0, 5, 1000])) for it in range(2 * rng.randint(1, 5))
        ]
        free = list(combinations(range(len(players)), 2))
        met = set(rng.sample(free, rng.randint(0, len(free))))
        games = [Game(1, *both) for both in sorted(met)]
        graph = nx.Graph([it for it in free if it not in met])
        most = len(nx.max_weight_matching(graph, maxcardinality=True))
        found = pair(players, games, round_number=2, policy=FREE._replace(max_meetings=1))
        new = [board for board in found.boards if tuple(sorted(board)) not in met]
        assert len(new) == most, seed
        swiss = Case(players, games, 2, FREE._replace(system="swiss")).possible()
        assert (swiss is None) == (most < len(players) // 2), seed
        short += 0 < most < len(players) // 2
    assert short > 10


def large(rng: random.Random, most: int) -> Case:
    """A field in which neighbours often will not do."""
    case = random_position(rng, most, least=60)
    players, count = case.players, len(case.players)
    kind = rng.choice(["any", "groups", "met", "families"])
    if kind == "groups":
        groups = rng.choice([3, 10, 20, 30])
        case.players = [it._replace(group=place % groups) for place, it in enumerate(players)]
        case.policy = case.policy._replace(max_group_distance=rng.choice([0, 0, 1]))
    elif kind == "met":
        size = rng.choice([20, 24, 30])
        blocks = [range(first, min(first + size, count)) for first in range(0, count, size)]
        case.number = 40
        case.games = [
            Game(1 + (one + two) % size, *rng.sample([players[one].id, players[two].id], 2))
            for block in blocks
            for one, two in combinations(block, 2)
        ]
        case.policy = case.policy._replace(rematch_gap=rng.choice([30, 99]), max_meetings=1)
    elif kind == "families":
        few = count // 3
        names = [*["top"] * few, *["low"] * few, *["mid"] * (count - 2 * few)]
        case.players = [
            it._replace(apart=frozenset([name])) for it, name in zip(players, names, strict=True)
        ]
    return case


@pytest.mark.parametrize("seed", [*range(6), 103, *campaign(6, 103), *campaign(104, 107)])
def test_large_fields_are_paired_exactly_too(seed: int) -> None:
    """Where the engine looks at neighbours first: as on the complete graph."""
    rng = random.Random(seed)
    case = large(rng, 80 if seed < 6 else rng.choice([80, 100, 150]))
    oracle = Oracle(case)
    order = case.policy.aim == "top-down" or len(case.players) <= 80
    best = oracle.cheapest(order=order)
    found = case.possible()
    assert (found is None) == (oracle.sums(best)[REMATCH] > 0)
    if found:
        worth: Callable[[list[Unit]], tuple[int, ...]] = oracle.vector if order else oracle.sums
        assert worth(oracle.made(found)) == worth(best)


# --------------------------------------------------------- always the same


@pytest.mark.parametrize("chunk", range(2))
def test_the_order_of_the_games_and_the_ids_do_not_matter(chunk: int) -> None:
    """Other numbers for the players: the same boards, but for a first round that is drawn."""
    rng = random.Random(chunk)
    for case in positions(chunk):
        found = case.possible()
        rng.shuffle(case.games)
        assert case.possible() == found
        if case.number == 1 and case.policy.first_round == "random":
            continue
        known = {player.id for player in case.players}.union(*(game[1:] for game in case.games))
        new = dict(zip(sorted(known), rng.sample(range(1000), len(known)), strict=True))
        other = Case(
            [player._replace(id=new[player.id]) for player in case.players],
            [Game(number, new[white], new[black]) for number, white, black in case.games],
            case.number,
            case.policy,
            case.period_start,
            [Board(new[white], new[black]) for white, black in case.fixed],
            None if case.bye is None else new[case.bye],
        ).possible()
        assert (found is None) == (other is None)
        if found and other:
            assert units(other) == [tuple(new[it] for it in unit) for unit in units(found)]
            assert [(it.rule, it.amount) for it in other.relaxations] == [
                (it.rule, it.amount) for it in found.relaxations
            ]


def test_the_hash_seed_does_not_matter() -> None:
    """Three other processes say the same of small and larger fields."""
    script = (
        "import random\n"
        "from tests.support.pairings import random_position\n"
        "for seed in range(60):\n"
        "    size = 10 if seed < 40 else 70\n"
        "    print(random_position(random.Random(seed), size, least=size - 6).possible())\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(said) == 1


# ---------------------------------------------------- seats, byes, by hand


@pytest.mark.parametrize("chunk", range(4))
def test_everybody_is_seated_once_and_what_is_fixed_stays(chunk: int) -> None:
    for case in positions(chunk):
        found = case.possible()
        if found is None:
            continue
        seats = [it for unit in units(found) for it in unit]
        assert sorted(seats) == sorted(player.id for player in case.players)
        assert (found.bye is None) == (len(case.players) % 2 == 0)
        assert set(case.fixed) <= set(found.boards)
        assert case.bye in {None, found.bye}
        assert len(found.reasons) == len(found.boards)
        places = [min(Oracle(case).place[it] for it in board) for board in found.boards]
        assert places == sorted(places)


@pytest.mark.parametrize("chunk", range(4))
def test_the_same_boards_made_by_hand_give_up_the_same(chunk: int) -> None:
    for case in positions(chunk):
        found = case.possible()
        if found is None:
            continue
        rng = random.Random(chunk)
        judged = pair(
            case.players,
            case.games,
            fixed=rng.sample(found.boards, len(found.boards)),
            bye=found.bye,
            round_number=case.number,
            policy=case.policy,
            period_start=case.period_start,
        )
        assert units(judged) == units(found)
        assert list(judged.relaxations) == bare(found.relaxations)
        assert {reason.colour for reason in judged.reasons} <= {"fixed"}
        assert [reason[:3] for reason in judged.reasons] == [it[:3] for it in found.reasons]


def test_any_boards_are_judged_by_their_own_colours() -> None:
    for case in positions(0):
        oracle = Oracle(case)
        free = random.Random(1).sample(oracle.ids, len(oracle.ids))
        bye = free.pop() if len(free) % 2 else None
        boards = [Board(*ids) for ids in zip(free[::2], free[1::2], strict=True)]
        judged = pair(
            case.players,
            case.games,
            fixed=boards,
            bye=bye,
            round_number=case.number,
            policy=case.policy,
            period_start=case.period_start,
        )
        assert list(judged.relaxations) == oracle.relaxations(units(judged))


def test_nobody_or_somebody_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        pair([], round_number=1)
    with pytest.raises(ValueError, match="once"):
        pair([Player(1), Player(2), Player(1)], round_number=1)
    assert pair([Player(7)], round_number=1) == Pairing((), 7)


@pytest.mark.parametrize(
    ("count", "fixed", "bye"),
    [
        (4, [Board(1, 9)], None),
        (4, [Board(1, 1)], None),
        (4, [Board(1, 2), Board(2, 3)], None),
        (5, [Board(1, 2)], 2),
        (5, [], 9),
        (4, [], 1),
        (4, [Board(1, 2)], 3),
    ],
)
def test_nonsense_by_hand_is_refused(count: int, fixed: list[Board], bye: int | None) -> None:
    with pytest.raises(ValueError, match=r"fixed|bye"):
        pair(ranks(count), round_number=1, fixed=fixed, bye=bye)


def test_what_is_fixed_is_taken_out_first() -> None:
    """1-4 by hand with White for 1, 3 sits out: 2 meets 5, whose distance is then 1."""
    found = pair(ranks(5), round_number=1, fixed=[Board(1, 4)], bye=3)
    assert found.boards == (Board(1, 4), Board(5, 2)) and found.bye == 3
    assert [reason.colour for reason in found.reasons] == ["fixed", "rank"]


# ------------------------------------------------------------- first round


def test_what_has_to_be_repeated_is_the_meeting_that_is_longest_ago() -> None:
    """All have met once, all beyond the gap: 1 and 4 in round 1, his neighbour last of all."""
    games = [
        *(Game(1, 1, 4), Game(1, 3, 2)),
        *(Game(2, 3, 1), Game(2, 4, 2)),
        *(Game(3, 2, 1), Game(3, 3, 4)),
    ]
    policy = Policy(rematch_gap=0, max_meetings=1, colour_run="off", colour_difference="off")
    assert pairs(pair(ranks(4), games, round_number=9, policy=policy)) == [{1, 4}, {2, 3}]
    free = policy._replace(max_meetings=None)
    assert pairs(pair(ranks(4), games, round_number=9, policy=free)) == [{1, 2}, {3, 4}]


def test_the_first_round_is_1_2_and_3_4() -> None:
    found = pair(ranks(10), round_number=1)
    assert pairs(found) == [{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}]


@pytest.mark.parametrize("aim", ["closest", "top-down"])
@pytest.mark.parametrize("system", ["keizer", "swiss"])
def test_the_first_round_by_halves(
    aim: Literal["closest", "top-down"], system: Literal["keizer", "swiss"]
) -> None:
    policy = Policy(first_round="halves", aim=aim, system=system)
    found = pair(ranks(8), round_number=1, policy=policy)
    assert pairs(found) == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    found = pair(ranks(9), round_number=1, policy=policy)
    assert pairs(found) == [{1, 5}, {2, 6}, {3, 7}, {4, 8}] and found.bye == 9
    later = pair(ranks(8), round_number=2, policy=policy)
    assert pairs(later) == [{1, 2}, {3, 4}, {5, 6}, {7, 8}]


def test_a_first_round_that_is_drawn_depends_on_the_seed() -> None:
    """Each seed gives its own round again and again; the lowest sits out all the same."""
    drawn = [
        pair(ranks(21), round_number=1, policy=Policy(first_round="random", seed=seed))
        for seed in (1, 2, 3, 1, 2, 3)
    ]
    assert drawn[:3] == drawn[3:]
    assert len({found.boards for found in drawn}) == 3
    assert {found.bye for found in drawn} == {21}


def test_the_bye_goes_to_the_lowest_with_the_fewest() -> None:
    assert pair(ranks(5), round_number=1).bye == 5
    assert pair(ranks(5, p5=1), round_number=2).bye == 4
    assert pair(ranks(5, p1=1, p2=1, p3=1, p4=1, p5=1), round_number=3).bye == 5
    off = Policy(fewest_byes="off")
    assert pair(ranks(5, p5=1), round_number=2, policy=off).bye == 5


@pytest.mark.parametrize("first", [Player(1, byes=1, sat_out=True), Player(1, starts=True)])
def test_who_may_sit_out_again_or_at_once_counts_among_those_with_the_fewest(first: Player) -> None:
    """Where the club does not mind, it is his turn: 2, ranked lower, has had one bye more."""
    others = [Player(2, byes=first.byes + 1), Player(3, byes=first.byes + 2)]
    policy = Policy(bye_again="off", bye_at_start="off")
    assert pair([first, *others], round_number=5, policy=policy).bye == 1
    assert pair([first, *others], round_number=5).bye == 2


# ---------------------------------------------------- why, and why not else


@pytest.mark.parametrize("chunk", [*range(4), *campaign(4, 14)])
def test_what_is_given_up_says_why(chunk: int) -> None:
    """Somebody has nobody else, or what the best other pairing gives up."""
    for case in positions(chunk):
        found = case.possible()
        if found is None or not found.relaxations:
            continue
        oracle = Oracle(case)
        ranked = sorted(oracle.ranked())
        for index, told in enumerate(found.relaxations):
            unit = told.players
            nobody = {
                it
                for it in unit
                if len(unit) == 2
                and all(
                    oracle.breaches(oracle.seat((it, other))[0])
                    for other in oracle.line
                    if other != it
                )
            }
            if unit in oracle.settled:
                assert (told.stuck, told.instead) == (None, ())
            elif nobody:
                assert told.stuck in nobody and told.instead == (), case
            else:
                others = [
                    other for _, other in ranked if not any(set(one) == set(unit) for one in other)
                ]
                seats = [oracle.seat(one)[0] for one in (others[0] if others else [])]
                want = [Breach(rule, one) for one in seats for rule in oracle.breaches(one)]
                assert told.stuck is None
                few = index * len(oracle.place) < ALTERNATIVES
                assert sorted(told.instead) == (sorted(want) if few else []), case


@pytest.mark.parametrize("chunk", [*range(4), *campaign(4, 14)])
def test_who_was_passed_over_is_told(chunk: int) -> None:
    """All nearer ones whom nobody higher met, each with what was against him."""
    for case in positions(chunk):
        found = case.possible()
        if found is None:
            continue
        oracle = Oracle(case)
        partner = dict(found.boards) | {black: white for white, black in found.boards}
        for board, reason in zip(found.boards, found.reasons, strict=True):
            higher, lower = sorted(board, key=lambda it: oracle.place[it])
            past = oracle.past.get(frozenset(board), [])
            assert reason.distance == oracle.place[lower] - oracle.place[higher]
            assert reason.meetings == len(past)
            assert reason.last_meeting == (past[-1].round_number if past else None)
            want = [Breach(rule, (higher, it)) for rule, it in oracle.passed_over(board, partner)]
            assert list(reason.passed_over) == ([] if board in case.fixed else want), case


def test_neighbours_who_have_just_met_are_passed_over() -> None:
    found = pair(ranks(4), [Game(1, 2, 1), Game(1, 4, 3)], round_number=2)
    assert found.boards == (Board(3, 1), Board(4, 2))
    assert [reason.passed_over for reason in found.reasons] == [
        (Breach("rematch_gap", (1, 2)),),
        (),
    ]


def test_somebody_may_be_passed_over_for_the_sake_of_others() -> None:
    """3 and 4 have only each other's neighbours left: 1 cannot have 2."""
    together = [
        Player(1),
        Player(2),
        Player(3, apart=frozenset("x")),
        Player(4, apart=frozenset("x")),
    ]
    found = pair(together, round_number=1)
    assert pairs(found) == [{1, 3}, {2, 4}] and not found.relaxations
    assert found.reasons[0].passed_over == (Breach("fit", (1, 2)),)


def test_two_who_are_alone_are_stuck_and_a_third_is_told_of() -> None:
    found = pair(ranks(2), [Game(1, 1, 2)], round_number=2)
    assert found.boards == (Board(2, 1),)
    assert found.relaxations == (Relaxation("rematch_gap", (2, 1), 5, stuck=2),)
    # 1 and 2 are new and 3 sat out last: whoever sits out, a rule is given up.
    three = [Player(1, starts=True), Player(2, starts=True), Player(3, byes=1, sat_out=True)]
    assert pair(three, round_number=2).relaxations == (
        Relaxation("bye_again", (3,), 1, instead=(Breach("bye_at_start", (2,)),)),
    )


def test_in_a_large_field_only_the_first_say_what_would_be_instead() -> None:
    """61 of one family may all meet the lowest only: nobody is stuck, thirty boards are wrong."""
    family = [Player(it, apart=frozenset("x")) for it in range(1, 62)]
    found = pair([*family, Player(62)], round_number=1)
    assert [it.rule for it in found.relaxations] == ["apart"] * 30
    told = [it for it in found.relaxations if it.instead]
    assert told == list(found.relaxations[: len(told)])
    assert {len(it.instead) for it in told} == {30}
    assert (len(told) - 1) * 62 < ALTERNATIVES <= len(told) * 62
    assert {it.stuck for it in found.relaxations} == {None}


# --------------------------------------------------------- each rule, each colour


SAME = frozenset("x")
WHITE_TWICE = [Game(1, 1, 8), Game(1, 2, 9), Game(2, 1, 9), Game(2, 2, 8)]


@pytest.mark.parametrize(
    ("case", "players", "amount"),
    [
        pytest.param(Case([Player(1, apart=SAME), Player(2, apart=SAME)]), (2, 1), 1, id="apart"),
        pytest.param(
            Case(
                ranks(2),
                [Game(1, 1, 2)],
                2,
                FREE._replace(system="swiss"),
                fixed=[Board(1, 2)],
            ),
            (1, 2),
            1,
            id="rematch",
        ),
        pytest.param(
            Case([Player(1, starts=True)], [], 2, FREE._replace(bye_at_start="hard")),
            (1,),
            1,
            id="bye_at_start",
        ),
        pytest.param(
            Case([Player(1, byes=1, sat_out=True)], [], 2, FREE._replace(bye_again="hard")),
            (1,),
            1,
            id="bye_again",
        ),
        pytest.param(
            Case(
                [
                    Player(1, byes=1, apart=frozenset("x")),
                    Player(2, byes=1, apart=frozenset("y")),
                    Player(3, byes=3, apart=frozenset("xy")),
                ],
                [],
                4,
                FREE._replace(fewest_byes="hard"),
            ),
            (3,),
            2,
            id="fewest_byes",
        ),
        pytest.param(
            Case(ranks(2), [Game(1, 1, 2)], 9, FREE._replace(max_meetings=1)),
            (2, 1),
            1,
            id="max_meetings",
        ),
        pytest.param(
            Case(
                ranks(2),
                [Game(1, 1, 2), Game(3, 2, 1), Game(4, 1, 2)],
                9,
                FREE._replace(max_meetings_period=1),
                period_start=3,
            ),
            (2, 1),
            2,
            id="max_meetings_period",
        ),
        pytest.param(
            Case(
                [
                    Player(1, apart=frozenset("x")),
                    Player(2),
                    Player(3, apart=frozenset("x")),
                    Player(4, apart=frozenset("x")),
                    Player(5),
                ],
                [Game(1, 1, 2)],
                9,
                FREE._replace(meet_all_first=True),
                fixed=[Board(3, 5)],
                bye=4,
            ),
            (2, 1),
            2,
            id="meet_all_first",
        ),
        pytest.param(
            Case(ranks(2), [Game(1, 1, 2)], 4, FREE._replace(rematch_gap=5)),
            (2, 1),
            3,
            id="rematch_gap",
        ),
        pytest.param(
            Case(ranks(2), WHITE_TWICE, 3, FREE._replace(colour_run="hard")),
            (2, 1),
            1,
            id="colour_run",
        ),
        pytest.param(
            Case(ranks(2), WHITE_TWICE, 3, FREE._replace(colour_difference="hard")),
            (2, 1),
            1,
            id="colour_difference",
        ),
        pytest.param(
            Case(
                [Player(1, group=0), Player(2, group=3)],
                policy=FREE._replace(max_group_distance=1),
            ),
            (2, 1),
            2,
            id="group_distance",
        ),
    ],
)
def test_each_rule_is_given_up_where_nothing_else_is_left(
    case: Case, players: Unit, amount: int, request: pytest.FixtureRequest
) -> None:
    """Two or three who can only meet, or sit out, against one rule."""
    rule = request.node.callspec.id
    assert rule in RULES
    assert bare(case.paired().relaxations) == [Relaxation(rule, players, amount)]


@pytest.mark.parametrize(
    ("reason", "games", "board"),
    [
        ("limit", [Game(1, 1, 8), Game(2, 1, 9)], (2, 1)),
        ("limit", [Game(1, 8, 2), Game(2, 9, 2)], (2, 1)),
        ("limit", [Game(1, 8, 1), Game(2, 9, 1)], (1, 2)),
        ("difference", [Game(1, 8, 1)], (1, 2)),
        ("difference", [Game(1, 1, 8)], (2, 1)),
        ("last", [Game(1, 1, 8), Game(2, 8, 1), Game(1, 9, 2), Game(2, 2, 9)], (1, 2)),
        ("last", [Game(1, 8, 1), Game(2, 1, 8), Game(1, 2, 9), Game(2, 9, 2)], (2, 1)),
        ("meeting", [Game(1, 1, 8), Game(2, 2, 1), Game(3, 9, 2)], (1, 2)),
        ("rank", [], (2, 1)),
        ("rank", [Game(1, 1, 8), Game(1, 2, 9)], (2, 1)),
    ],
)
def test_what_decides_who_has_white(reason: str, games: list[Game], board: Unit) -> None:
    """Two players, 8 and 9 being absent now."""
    found = pair(ranks(2), games, round_number=4, policy=Policy(rematch_gap=0))
    assert (found.boards, found.reasons[0].colour) == ((board,), reason)


def test_a_swiss_gives_each_his_other_colour_before_it_looks_at_distance() -> None:
    """All have had both colours; 1 and 2 had White last, 3 and 4 Black."""
    games = [
        *(Game(1, 8, 1), Game(1, 9, 2), Game(1, 3, 6), Game(1, 4, 7)),
        *(Game(2, 1, 9), Game(2, 2, 8), Game(2, 7, 3), Game(2, 6, 4)),
    ]
    swiss = pair(ranks(4), games, round_number=3, policy=Policy(system="swiss"))
    assert swiss.boards == (Board(3, 1), Board(4, 2))
    assert pairs(pair(ranks(4), games, round_number=3)) == [{1, 2}, {3, 4}]


# --------------------------------------------------------------- whole events


def test_a_swiss_has_no_fourth_round_for_four_players() -> None:
    games = [
        *(Game(1, 1, 2), Game(1, 3, 4)),
        *(Game(2, 3, 1), Game(2, 4, 2)),
        *(Game(3, 1, 4), Game(3, 2, 3)),
    ]
    with pytest.raises(ImpossibleError, match="rematch") as error:
        pair(ranks(4), games, round_number=4, policy=Policy(system="swiss"))
    assert set(error.value.players) in ({1, 2}, {1, 3}, {1, 4})
    keizer = pair(ranks(4), games, round_number=4)
    assert pairs(keizer) == [{1, 2}, {3, 4}]


@pytest.mark.parametrize("aim", ["closest", "top-down"])
def test_the_third_round_of_a_swiss_of_six_is_found(aim: Literal["closest", "top-down"]) -> None:
    """1-4 and then 2-3 leave 5 and 6, who have met: the whole list is looked at."""
    games = [
        *(Game(1, 1, 2), Game(1, 3, 4), Game(1, 5, 6)),
        *(Game(2, 1, 3), Game(2, 5, 2), Game(2, 4, 6)),
    ]
    met = [{game.white, game.black} for game in games]
    found = pair(ranks(6), games, round_number=3, policy=Policy(system="swiss", aim=aim))
    assert not any(board in met for board in pairs(found))
    assert sorted(it for board in found.boards for it in board) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("strength", ["hard", "soft"])
def test_a_swiss_of_five_gives_each_one_bye_in_five_rounds(strength: Strength) -> None:
    policy = Policy(system="swiss", rematch_gap=0, fewest_byes=strength)
    games: list[Game] = []
    byes: list[int] = []
    for number in range(1, 6):
        players = [Player(it, byes=byes.count(it), sat_out=byes[-1:] == [it]) for it in range(1, 6)]
        found = pair(players, games, round_number=number, policy=policy)
        games += [Game(number, *board) for board in found.boards]
        assert found.bye is not None
        byes.append(found.bye)
    assert sorted(byes) == [1, 2, 3, 4, 5]
