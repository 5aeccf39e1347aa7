"""The pairing is the best there is: compared with every other one, and with other solvers.

`pytest -m campaign tests/pairing/test_pairing.py` takes 5,000 positions of up to ten players,
200 of up to 30 and 100 of up to 150.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

import networkx as nx
import pytest

from keizer.pairing import (
    ALTERNATIVES,
    RULES,
    Board,
    Game,
    ImpossibleError,
    Pairing,
    Player,
    Policy,
    Relaxation,
    pair,
)
from keizer.pairing.facts import Strength
from tests.support.files import ROOT, campaign
from tests.support.pairings import Case, Oracle, Unit, random_position

REMATCH = RULES.index("rematch")

POSITIONS = 50
"""In one test."""

FREE = Policy(
    rematch_gap=0, max_meetings=None, colour_run="off", colour_difference="off",
    fewest_byes="off", bye_again="off", bye_at_start="off",
)  # fmt: skip
"""Asks nothing."""


def positions(chunk: int, *, most: int | None = None) -> list[Case]:
    """Positions of up to eight players, in the campaign ten."""
    seeds = range(chunk * POSITIONS, (chunk + 1) * POSITIONS)
    return [
        random_position(random.Random(seed), most or (8 if chunk < 4 else 10)) for seed in seeds
    ]


def paired(chunk: int) -> Iterator[tuple[Case, Pairing]]:
    """Those of them that can be paired, and how."""
    for case in positions(chunk):
        found = case.possible()
        if found is not None:
            yield case, found


def judged(case: Case, boards: Sequence[Board], bye: int | None) -> Pairing:
    """What is said of boards that somebody else made."""
    return pair(case.players, case.games, fixed=boards, bye=bye, round_number=case.number,
                policy=case.policy, period_start=case.period_start)  # fmt: skip


def units(found: Pairing) -> list[Unit]:
    """The boards and the bye."""
    boards: list[Unit] = [tuple(board) for board in found.boards]
    return boards + ([] if found.bye is None else [(found.bye,)])


def bare(relaxations: tuple[Relaxation, ...]) -> list[Relaxation]:
    """Without what they say about alternatives."""
    return [given_up._replace(stuck=None, instead=None) for given_up in relaxations]


def ranks(count: int, **facts: int) -> list[Player]:
    """Players 1, 2, 3, ...; facts: one of them as in `p3=2`, their byes."""
    return [Player(number, byes=facts.get(f"p{number}", 0)) for number in range(1, count + 1)]


def pairs(found: Pairing) -> list[set[int]]:
    return [set(board) for board in found.boards]


def played(*rounds: str) -> list[Game]:
    """Games as in `played("12 34", "31 42")`: White, Black, by round."""
    return [
        Game(number, int(board[0]), int(board[1]))
        for number, boards in enumerate(rounds, 1)
        for board in boards.split()
    ]


SAME = frozenset("x")
"""What two who must not meet share."""


# ------------------------------------------------------------ the best there is


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 108)])
def test_no_other_pairing_is_better(chunk: int) -> None:
    """Boards, colours and why, bye, and what is given up: as the best of all pairings."""
    for case in positions(chunk):
        oracle = Oracle(case)
        best = oracle.best()
        seated, over = oracle.seated(best), oracle.over(best)
        if over and case.policy.stuck == "refuse":
            with pytest.raises(ImpossibleError) as error:
                case.paired()
            assert list(error.value.players) == over, case
            continue
        found = case.paired()
        assert (units(found), list(found.left)) == (seated, over), case
        assert found.proved, case
        assert bare(found.relaxations) == oracle.relaxations(seated, over), case
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
        nearest = oracle.choices(left[0]) if left else []
        return [(left[0], other) for other in nearest if other in left] + alone if left else []

    def without(left: tuple[int, ...], unit: Unit) -> tuple[int, ...]:
        return tuple(player for player in left if player not in unit)

    def total(left: tuple[int, ...], unit: Unit) -> tuple[int, ...]:
        rest = least(without(left, unit))
        return tuple(one + other for one, other in zip(oracle.digits(unit)[:17], rest, strict=True))

    left, found = tuple(oracle.line), []
    while left:
        unit = next(unit for unit in choices(left) if total(left, unit) == least(left))
        found.append(unit)
        left = without(left, unit)
    return found


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 48)])
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


@pytest.mark.seeds
@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 40)])
def test_as_many_meet_for_the_first_time_as_can(chunk: int) -> None:
    """As many boards as a maximum matching has; nothing buys one off. A Swiss leaves the rest."""
    short = 0
    for seed in range(chunk * POSITIONS, (chunk + 1) * POSITIONS):
        rng = random.Random(seed)
        players = [
            Player(number, score=rng.choice([0, 5, 1000]))
            for number in range(2 * rng.randint(1, 5))
        ]
        free = list(combinations(range(len(players)), 2))
        met = set(rng.sample(free, rng.randint(0, len(free))))
        games = [Game(1, *both) for both in sorted(met)]
        graph = nx.Graph([pair for pair in free if pair not in met])
        most = len(nx.max_weight_matching(graph, maxcardinality=True))
        found = pair(players, games, round_number=2, policy=FREE._replace(max_meetings=1))
        new = [board for board in found.boards if tuple(sorted(board)) not in met]
        assert len(new) == most, seed
        leave, rematch, refuse = (
            Case(players, games, 2, FREE._replace(system="swiss", stuck=stuck)).possible()
            for stuck in ("leave", "rematch", "refuse")
        )
        assert leave and rematch
        assert not met & {tuple(sorted(board)) for board in leave.boards}
        assert (len(leave.boards), len(leave.left)) == (most, len(players) - 2 * most), seed
        assert sum(tuple(sorted(board)) not in met for board in rematch.boards) == most, seed
        assert (refuse is None) == (most < len(players) // 2), seed
        short += 0 < most < len(players) // 2
    assert short > POSITIONS / 10


def large(rng: random.Random, most: int) -> Case:
    """A field in which neighbours often will not do."""
    case = random_position(rng, most, least=60)
    players, count = case.players, len(case.players)
    kind = rng.choice(["any", "groups", "met", "families"])
    if kind == "groups":
        groups = rng.choice([3, 10, 20, 30])
        case.players = [
            player._replace(group=place % groups) for place, player in enumerate(players)
        ]
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
            player._replace(prohibited=frozenset([name]))
            for player, name in zip(players, names, strict=True)
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
        assert found.proved
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
            assert units(other) == [tuple(new[player] for player in unit) for unit in units(found)]
            assert [(given_up.rule, given_up.amount) for given_up in other.relaxations] == [
                (given_up.rule, given_up.amount) for given_up in found.relaxations
            ]


@pytest.mark.seeds
def test_the_hash_seed_does_not_matter() -> None:
    """Three other processes say the same of small and larger fields."""
    script = (
        "import random\n"
        "from tests.support.pairings import random_position\n"
        "for seed in range(46):\n"
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
def test_the_same_boards_made_by_hand_give_up_the_same(chunk: int) -> None:
    for case, found in paired(chunk):
        made = judged(case, random.Random(chunk).sample(found.boards, len(found.boards)), found.bye)
        assert units(made) == units(found)
        assert list(made.relaxations) == bare(found.relaxations)
        assert {reason.colour for reason in made.reasons} <= {"fixed"}
        assert [reason[:3] for reason in made.reasons] == [
            expected[:3] for expected in found.reasons
        ]


def test_any_boards_are_judged_by_their_own_colours() -> None:
    for case in positions(0):
        oracle = Oracle(case)
        free = random.Random(1).sample(oracle.ids, len(oracle.ids))
        bye = free.pop() if len(free) % 2 else None
        boards = [Board(*ids) for ids in zip(free[::2], free[1::2], strict=True)]
        made = judged(case, boards, bye)
        assert list(made.relaxations) == oracle.relaxations(units(made))


def test_nobody_or_somebody_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        pair([], round_number=1)
    with pytest.raises(ValueError, match="once"):
        pair([Player(1), Player(2), Player(1)], round_number=1)
    assert pair([Player(7)], round_number=1) == Pairing((), 7, proved=True)


@pytest.mark.parametrize(
    ("present", "free"),
    [(40, [3, 38]), (40, [1, 20, 21, 40]), (150, [*range(1, 10), *range(100, 151)])],
)
def test_those_between_whom_all_are_settled_are_paired(present: int, free: list[int]) -> None:
    """As late comers are: neighbours, since nobody has met, and in a Swiss each of them once."""
    settled = [player for player in range(1, present + 1) if player not in free]
    boards = [Board(*both) for both in zip(settled[::2], settled[1::2], strict=True)]
    for system in ("keizer", "swiss"):
        policy = FREE._replace(system=system)
        found = pair(ranks(present), fixed=boards, round_number=2, policy=policy)
        made = sorted(sorted(board) for board in found.boards if board not in boards)
        if system == "keizer":
            assert made == [[*both] for both in zip(free[::2], free[1::2], strict=True)]
        assert sorted(player for both in made for player in both) == free


@pytest.mark.parametrize(
    ("count", "fixed", "bye"),
    [
        (4, [(1, 9)], None), (4, [(1, 1)], None), (4, [(1, 2), (2, 3)], None),
        (5, [(1, 2)], 2), (5, [], 9), (4, [], 1), (4, [(1, 2)], 3),
    ],
)  # fmt: skip
def test_nonsense_by_hand_is_refused(count: int, fixed: list[Unit], bye: int | None) -> None:
    with pytest.raises(ValueError, match=r"fixed|bye"):
        pair(ranks(count), round_number=1, fixed=[Board(*ids) for ids in fixed], bye=bye)


# ------------------------------------------------------------- first round


def test_a_first_round_that_is_drawn_depends_on_the_seed() -> None:
    """Each seed gives its own round again and again; the lowest has the bye all the same."""
    drawn = [
        pair(ranks(21), round_number=1, policy=Policy(first_round="random", seed=seed))
        for seed in (1, 2, 3, 1, 2, 3)
    ]
    assert drawn[:3] == drawn[3:]
    assert len({found.boards for found in drawn}) == 3
    assert {found.bye for found in drawn} == {21}


@pytest.mark.parametrize("first", [Player(1, byes=1, bye_last_round=True), Player(1, starts=True)])
def test_who_may_have_the_bye_again_or_at_once_counts_among_those_with_the_fewest(
    first: Player,
) -> None:
    """Where the club does not mind, it is their turn: 2, ranked lower, has had one bye more."""
    others = [Player(2, byes=first.byes + 1), Player(3, byes=first.byes + 2)]
    policy = Policy(bye_again="off", bye_at_start="off")
    assert pair([first, *others], round_number=5, policy=policy).bye == 1
    assert pair([first, *others], round_number=5).bye == 2


# ---------------------------------------------------- why, and why not else


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 28)])
def test_what_is_given_up_says_why(chunk: int) -> None:
    """Somebody has nobody else, or where the best other pairing is worse, and by how much."""
    for case, found in paired(chunk):
        oracle = Oracle(case)
        ranked = sorted(oracle.ranked()) if found.relaxations else []
        for index, told in enumerate(found.relaxations):
            unit = told.players
            odd = len(oracle.line) % 2
            nobody = {
                player
                for player in unit
                if len(unit) == 2
                and not (odd and not oracle.breaches((player,)))
                and all(
                    oracle.breaches(oracle.seat((player, other))[0])
                    for other in oracle.line
                    if other != player
                )
            }
            if unit in oracle.settled or unit[0] in found.left:
                assert (told.stuck, told.instead) == (None, None)
            elif nobody:
                assert told.stuck in nobody and told.instead is None, case
            else:
                others = [
                    sums for sums, other in ranked if not any({*one} == {*unit} for one in other)
                ]
                assert told.stuck is None
                few = (1 + index) * len(oracle.place) <= ALTERNATIVES
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


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 28)])
def test_skipped_opponents_are_told(chunk: int) -> None:
    """All nearer ones whom nobody higher met, each with what was against them."""
    for case, found in paired(chunk):
        oracle = Oracle(case)
        partner = dict(found.boards) | {black: white for white, black in found.boards}
        for board, reason in zip(found.boards, found.reasons, strict=True):
            higher, lower = sorted(board, key=lambda player: oracle.place[player])
            past = oracle.past.get(frozenset(board), [])
            assert reason.distance == oracle.place[lower] - oracle.place[higher]
            assert reason.meetings == len(past)
            assert reason.last_meeting == (past[-1].round_number if past else None)
            settled = board in case.fixed
            want = [] if settled else oracle.skipped(board, partner)
            assert list(reason.skipped) == want, case


def test_in_a_large_field_only_the_first_say_what_would_be_instead() -> None:
    """61 of one family may all meet the lowest only: nobody is stuck, thirty boards are wrong."""
    family = [Player(number, prohibited=SAME) for number in range(1, 62)]
    found = pair([*family, Player(62)], round_number=1)
    assert [given_up.rule for given_up in found.relaxations] == ["prohibited"] * 30
    told = [given_up for given_up in found.relaxations if given_up.instead]
    assert told == list(found.relaxations[: len(told)])
    assert {given_up.instead and given_up.instead.digit for given_up in told} == {"squared"}
    assert len(told) * 62 <= ALTERNATIVES < (1 + len(told)) * 62
    assert {given_up.stuck for given_up in found.relaxations} == {None}


# --------------------------------------------------------- each rule, each colour


MET = played("12")
WHITE_TWICE = played("18 29", "19 28")
BYE_EACH = [
    Player(1, byes=1, prohibited=frozenset("x")),
    Player(2, byes=1, prohibited=frozenset("y")),
]
RELATED = [
    Player(1, prohibited=SAME),
    Player(2),
    Player(3, prohibited=SAME),
    Player(4, prohibited=SAME),
    Player(5),
]


def asks(**rules: object) -> Policy:
    return FREE._replace(**rules)  # type: ignore[arg-type]


GIVEN_UP = {
    "prohibited": (Case([Player(1, prohibited=SAME), Player(2, prohibited=SAME)]), (2, 1), 1),
    "rematch": (Case(ranks(2), MET, 2, asks(system="swiss"), fixed=[Board(1, 2)]), (1, 2), 1),
    "bye_at_start": (Case([Player(1, starts=True)], [], 2, asks(bye_at_start="hard")), (1,), 1),
    "bye_again": (
        Case([Player(1, byes=1, bye_last_round=True)], [], 2, asks(bye_again="hard")), (1,), 1,
    ),
    "fewest_byes": (
        Case(
            [*BYE_EACH, Player(3, byes=3, prohibited=frozenset("xy"))], [], 4,
            asks(fewest_byes="hard"),
        ), (3,), 2,
    ),
    "max_meetings": (Case(ranks(2), MET, 9, asks(max_meetings=1)), (2, 1), 1),
    "max_meetings_period": (
        Case(
            ranks(2), played("12", "", "21", "12"), 9, asks(max_meetings_period=1), period_start=3
        ), (2, 1), 2,
    ),
    "meet_all_first": (
        Case(RELATED, MET, 9, asks(meet_all_first=True), fixed=[Board(3, 5)], bye=4), (2, 1), 2,
    ),
    "rematch_gap": (Case(ranks(2), MET, 4, asks(rematch_gap=5)), (2, 1), 3),
    "colour_run": (Case(ranks(2), WHITE_TWICE, 3, asks(colour_run="hard")), (2, 1), 1),
    "colour_difference": (
        Case(ranks(2), WHITE_TWICE, 3, asks(colour_difference="hard")), (2, 1), 1,
    ),
    "group_distance": (
        Case([Player(1, group=0), Player(2, group=3)], policy=asks(max_group_distance=1)),
        (2, 1), 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_given_up_where_nothing_else_is_left(rule: str) -> None:
    """Players who can only meet, or have the bye, against one rule."""
    case, players, amount = GIVEN_UP[rule]
    assert bare(case.paired().relaxations) == [Relaxation(rule, players, amount)]


@pytest.mark.parametrize(
    ("reason", "rounds", "board"),
    [
        ("colour_run", ["18", "19"], (2, 1)),
        ("colour_run", ["82", "92"], (2, 1)),
        ("colour_run", ["81", "91"], (1, 2)),
        ("difference", ["81"], (1, 2)),
        ("difference", ["18"], (2, 1)),
        ("last", ["18 92", "81 29"], (1, 2)),
        ("last", ["81 29", "18 92"], (2, 1)),
        ("meeting", ["18", "21", "92"], (1, 2)),
        ("rank", [], (2, 1)),
        ("rank", ["18 29"], (2, 1)),
    ],
)
def test_what_decides_who_has_white(reason: str, rounds: list[str], board: Unit) -> None:
    """Two players, 8 and 9 being absent now."""
    found = pair(ranks(2), played(*rounds), round_number=4, policy=Policy(rematch_gap=0))
    assert (found.boards, found.reasons[0].colour) == ((board,), reason)


# --------------------------------------------------------------- whole events


@pytest.mark.parametrize("strength", ["hard", "soft"])
def test_a_swiss_of_five_gives_each_one_bye_in_five_rounds(strength: Strength) -> None:
    policy = Policy(system="swiss", rematch_gap=0, fewest_byes=strength)
    games: list[Game] = []
    byes: list[int] = []
    for number in range(1, 6):
        players = [
            Player(player, byes=byes.count(player), bye_last_round=byes[-1:] == [player])
            for player in range(1, 6)
        ]
        found = pair(players, games, round_number=number, policy=policy)
        games += [Game(number, *board) for board in found.boards]
        assert found.bye is not None
        byes.append(found.bye)
    assert sorted(byes) == [1, 2, 3, 4, 5]
