"""The slow oracle of pairings: plain digits, every pairing, an integer program.

It shares nothing with keizer.pairing but the plain data that go in and come out.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import zip_longest
from typing import Any

import networkx as nx

from keizer.pairing import (
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
from tests.support.club_nights import RULES as POLICIES
from tests.support.files import needs

Unit = tuple[int, ...]
"""Two who meet (in a seated one White comes first), or the player with the bye."""

BYE = -1
"""The opponent of the player with the bye."""

MEETING_RULES = ("max_meetings", "max_meetings_period", "meet_all_first", "rematch_gap")
BYE_RULES = ("bye_at_start", "bye_again", "fewest_byes")
COLOUR_RULES = ("colour_run", "colour_difference")


@dataclass
class Case:
    """All that goes into a pairing."""

    players: list[Player]
    games: list[Game] = field(default_factory=list)
    number: int = 1
    policy: Policy = field(default_factory=Policy)
    period_start: int = 1
    fixed: list[Board] = field(default_factory=list)
    bye: int | None = None

    def paired(self) -> Pairing:
        """What the engine makes of it."""
        return pair(
            self.players,
            self.games,
            round_number=self.number,
            policy=self.policy,
            period_start=self.period_start,
            fixed=self.fixed,
            bye=self.bye,
        )

    def possible(self) -> Pairing | None:
        """Likewise; None where a Swiss needs a rematch."""
        try:
            return self.paired()
        except ImpossibleError:
            return None


class Oracle:
    """What a case says of pairs, byes and whole pairings."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.policy = case.policy
        self.ids = [player.id for player in case.players]
        self.player = {player.id: player for player in case.players}
        self.place = {player: index for index, player in enumerate(self.ids)}
        self.seat, self.digits = cache(self._seat), cache(self._digits)
        self.past: defaultdict[frozenset[int], list[Game]] = defaultdict(list)
        self.colours: defaultdict[int, list[int]] = defaultdict(list)
        for game in sorted(case.games):
            self.past[frozenset((game.white, game.black))].append(game)
            self.colours[game.white].append(1)
            self.colours[game.black].append(-1)
        self.settled: list[Unit] = [*case.fixed, *([] if case.bye is None else [(case.bye,)])]
        self.order_of_all = self._order()
        self.halves = self._halves()
        settled = {player for unit in self.settled for player in unit}
        self.line = [player for player in self.order_of_all if player not in settled]
        self.line_place = {player: index for index, player in enumerate(self.order_of_all)}
        self.groups = max(self.group(player) for player in self.ids)
        unbarred = [player.byes for player in case.players if not self._barred(player)]
        self.least_byes = min(unbarred or [player.byes for player in case.players])
        self.least_met = {
            player: min(
                (self.met(player, other) for other in self.ids if other != player), default=0
            )
            for player in self.ids
        }

    def _order(self) -> list[int]:
        """Everybody in the order for pairing."""
        seed = self.policy.seed

        def lot(player: int) -> int:
            drawn = (player % 1_000_000 * 48271 + seed * 16807) % 65521
            return (drawn * 40014 + seed) % 65519

        order = list(self.ids)
        if self.case.number == 1 and self.policy.first_round == "random":
            order.sort(key=lot)
        if self.policy.system == "swiss":
            order.sort(key=lambda player: -self.player[player].score)
        return order

    def _halves(self) -> bool:
        if self.case.number == 1:
            return self.policy.first_round == "halves"
        return self.policy.system == "swiss" and self.policy.swiss_within == "halves"

    def choices(self, player: int) -> list[int]:
        """Everybody who comes later in the order, the best opponent first."""
        later = self.order_of_all[self.order_of_all.index(player) + 1 :]
        halves = self._mine((player, player))
        if halves is None:
            return later
        upper, lower = halves
        mine = upper + lower
        if player in upper:
            above = upper[upper.index(player) + 1 :]
            nearest = lower + above[::-1]
        else:
            nearest = lower[lower.index(player) + 1 :]
        others = [other for other in later if other not in mine]
        return nearest + others

    def _parts(self, mine: list[int]) -> tuple[list[int], list[int]]:
        """The halves of a group; with an odd number above it, its first is for one of these."""
        taken = self.order_of_all.index(mine[0]) % 2
        half = taken + max(1, (len(mine) - taken) // 2)
        return mine[:half], mine[half:]

    def group(self, player: int) -> int:
        """In a Swiss the place of the score among the scores, from 1; else 1."""
        if self.policy.system != "swiss":
            return 1
        scores = sorted({one.score for one in self.case.players}, reverse=True)
        return 1 + scores.index(self.player[player].score)

    def _barred(self, player: Player) -> bool:
        found = {"bye_at_start": player.starts, "bye_again": player.bye_last_round}
        return any(barred and self.strength(rule) == "hard" for rule, barred in found.items())

    def met(self, one: int, other: int, since: int = 0) -> int:
        """How often the two have met."""
        return sum(game.round_number >= since for game in self.past[frozenset((one, other))])

    def strength(self, rule: str) -> str:
        """hard, soft or off."""
        policy = self.policy
        asked = {
            "prohibited": True,
            "rematch": policy.system == "swiss",
            "max_meetings": policy.max_meetings is not None,
            "max_meetings_period": policy.max_meetings_period is not None,
            "meet_all_first": policy.meet_all_first,
            "rematch_gap": True,
            "group_distance": policy.max_group_distance is not None,
        }
        return ("off", "hard")[asked[rule]] if rule in asked else str(getattr(policy, rule))

    # one pair or bye

    def colour_run(self, seated: Unit) -> int:
        limit = self.policy.max_colour_run
        return sum(
            self.colours[player][-limit:] == [colour] * limit
            for player, colour in zip(seated, (1, -1), strict=True)
        )

    def colour_difference(self, seated: Unit) -> int:
        limit = self.policy.max_colour_difference
        sums = [
            (sum(self.colours[player]), colour)
            for player, colour in zip(seated, (1, -1), strict=True)
        ]
        return sum(abs(d + colour) > limit and abs(d + colour) > abs(d) for d, colour in sums)

    def squares(self, seated: Unit) -> int:
        white, black = seated
        return (sum(self.colours[white]) + 1) ** 2 + (sum(self.colours[black]) - 1) ** 2

    def again(self, seated: Unit) -> int:
        white, black = seated
        return (self.colours[white][-1:] == [1]) + (self.colours[black][-1:] == [-1])

    def rules(self, seated: Unit) -> dict[str, int]:
        """By how much a seated pair or a bye breaks each of the rules, kept or not."""
        found = dict.fromkeys(RULES, 0)
        policy = self.policy
        one, *others = (self.player[player] for player in seated)
        if not others:
            found["bye_at_start"], found["bye_again"] = int(one.starts), int(one.bye_last_round)
            found["fewest_byes"] = max(0, one.byes - self.least_byes)
            return found
        (white, black), other = seated, others[0]
        found["prohibited"] = int(bool(one.prohibited & other.prohibited))
        found["rematch"] = met = self.met(white, black)
        if met:
            lately = self.met(white, black, self.case.period_start)
            if policy.max_meetings is not None:
                found["max_meetings"] = max(0, met + 1 - policy.max_meetings)
            if policy.max_meetings_period is not None and lately:
                over = lately + 1 - policy.max_meetings_period
                found["max_meetings_period"] = max(0, over)
            found["meet_all_first"] = sum(max(0, met - self.least_met[player]) for player in seated)
            last = self.past[frozenset(seated)][-1].round_number
            found["rematch_gap"] = max(0, policy.rematch_gap - (self.case.number - 1 - last))
        found["colour_run"] = self.colour_run(seated)
        found["colour_difference"] = self.colour_difference(seated)
        if policy.max_group_distance is not None:
            found["group_distance"] = max(
                0, abs(one.group - other.group) - policy.max_group_distance
            )
        return found

    def breaches(self, seated: Unit) -> dict[str, int]:
        """The hard rules that it breaks."""
        broken = {rule: amount for rule, amount in self.rules(seated).items() if amount}
        return {rule: broken[rule] for rule in broken if self.strength(rule) == "hard"}

    def _seat(self, unit: Unit) -> tuple[Unit, str]:
        """Who has White, and why."""
        if len(unit) == 1:
            return unit, ""
        limits = [
            (rule, partial(self._limit, rule))
            for strength in ("hard", "soft")
            for rule in COLOUR_RULES
            if self.strength(rule) == strength
        ]
        criteria: list[tuple[str, Callable[[Unit], Any]]] = [
            *limits,
            ("difference", self.squares),
            ("last", self._last_colours),
            ("meeting", self._last_meeting),
        ]
        both = (unit, unit[::-1])
        for name, worth in criteria:
            if worth(both[0]) != worth(both[1]):
                return min(both, key=worth), name
        higher, lower = sorted(unit, key=self.place.__getitem__)
        if self.policy.system == "keizer":
            return (lower, higher), "rank"
        last = self.colours[higher][-1:]
        first = last == [-1] if last else self.place[higher] % 2 == 0
        return ((higher, lower) if first else (lower, higher)), "rank"

    def _limit(self, rule: str, seated: Unit) -> int:
        return self.rules(seated)[rule]

    def _last_colours(self, seated: Unit) -> bool:
        """Whether the first difference, from the last game back, speaks against it."""
        white, black = (self.colours[player][::-1] for player in seated)
        for one, other in zip_longest(white, black, fillvalue=0):
            if one != other:
                return one > other
        return False

    def _last_meeting(self, seated: Unit) -> bool:
        past = self.past[frozenset(seated)]
        return past != [] and past[-1].white == seated[0]

    def _digits(self, unit: Unit) -> tuple[int, ...]:
        """All digits but the last of a pair or a bye, in the order in which they decide."""
        policy, seated = self.policy, self.seat(unit)[0]
        rules = self.rules(seated)
        if self.parted(unit):
            both = zip(*(self.digits((player,)) for player in unit), strict=True)
            found = [sum(digit) for digit in both]
            found[RULES.index("rematch")] = 1
            return tuple(found)

        def kept(names: Iterable[str], strength: str) -> list[int]:
            return [rules[rule] if self.strength(rule) == strength else 0 for rule in names]

        hard, soft_byes = kept(RULES, "hard"), kept(BYE_RULES, "soft")
        if len(unit) == 1:
            rest = [0] * (self.groups + 7)
            return (*hard, 0, *soft_byes, self.below(unit[0]), *rest)
        repeated = any(kept(("rematch", *MEETING_RULES), "hard"))
        lately = self.past[frozenset(unit)][-1].round_number if repeated else 0
        swiss, closest = policy.system == "swiss", policy.aim == "closest"
        groups = sorted(self.group(player) for player in unit)
        floats = [0] * self.groups
        floats[groups[0] - 1] = groups[1] - groups[0]
        soft_colours = kept(COLOUR_RULES, "soft")
        if swiss:
            adjacent = policy.swiss_within == "adjacent" and closest
            last = [
                *soft_colours, *self.unwanted(seated), self.same_half(unit),
                self.squared(unit) if adjacent else 0,
            ]  # fmt: skip
            return (*hard, lately, 0, 0, 0, 0, *floats, *last, 0)
        if not closest:
            return (*hard, lately, 0, 0, 0, 0, *[0] * (self.groups + 7))
        last = [self.squared(unit), *soft_colours, self.squares(seated), self.again(seated)]
        return (*hard, lately, 0, 0, 0, 0, *floats, *last, 0, 0)

    def parted(self, unit: Unit) -> bool:
        """Whether these two are left over rather than meet again."""
        swiss = self.policy.system == "swiss" and self.policy.stuck != "rematch"
        return swiss and len(unit) == 2 and self.met(*unit) > 0 and unit not in self.settled

    def over(self, units: Iterable[Unit]) -> list[int]:
        """Who is left over, from the top."""
        found = [player for unit in units if self.parted(unit) for player in unit]
        return sorted(found, key=self.place.__getitem__)

    def below(self, player: int) -> int:
        """How many are ranked lower; in a Swiss, have a lower score."""
        if self.policy.system == "swiss":
            return sum(one.score < self.player[player].score for one in self.case.players)
        return len(self.ids) - 1 - self.place[player]

    def unwanted(self, seated: Unit) -> list[int]:
        """How many have not the colour they should have; of those, the ones with a difference."""
        found = [0, 0]
        for player, colour in zip(seated, (1, -1), strict=True):
            had = self.colours[player]
            wanted = -sum(had) or -sum(had[-1:])
            if wanted * colour < 0:
                found[0] += 1
                found[1] += sum(had) != 0
        return found

    def _mine(self, unit: Unit) -> tuple[list[int], list[int]] | None:
        """The halves that meet, where the two are of one group, of four or more."""
        if not self.halves or self.group(unit[0]) != self.group(unit[1]):
            return None
        mine = [player for player in self.order_of_all if self.group(player) == self.group(unit[0])]
        taken = self.line_place[mine[0]] % 2
        return self._parts(mine) if len(mine) - taken > 3 else None

    def same_half(self, unit: Unit) -> int:
        mine = self._mine(unit)
        return int(mine is not None and (unit[0] in mine[0]) == (unit[1] in mine[0]))

    def squared(self, unit: Unit) -> int:
        mine = self._mine(unit)
        one, other = unit
        apart = abs(self.line_place[one] - self.line_place[other])
        if mine is None:
            return int(apart**2)
        taken = self.line_place[mine[0][0]] % 2
        return int((apart - (len(mine[0]) - taken)) ** 2)

    # a whole pairing (of the line)

    def order(self, units: Iterable[Unit]) -> list[int]:
        """The last digit: which choice each one's opponent is, from the top."""
        found = [0] * len(self.order_of_all)
        for unit in units:
            first, *other = sorted(unit, key=self.line_place.__getitem__)
            place = self.line_place[first]
            choices = self.choices(first)
            found[place] = choices.index(other[0]) if other else len(choices)
        return found

    def sums(self, units: Iterable[Unit]) -> tuple[int, ...]:
        """All digits but the last of a pairing."""
        none = [0] * (24 + self.groups)
        return tuple(map(sum, zip(none, *(self.digits(unit) for unit in units), strict=True)))

    def vector(self, units: Iterable[Unit]) -> tuple[int, ...]:
        """By what pairings are compared."""
        units = list(units)
        return (*self.sums(units), *self.order(units))

    def units(self) -> list[Unit]:
        """Every pair and every possible bye of the line."""
        pairs: list[Unit] = [
            (one, other) for place, one in enumerate(self.line) for other in self.line[place + 1 :]
        ]
        return pairs + [(player,) for player in self.line] if len(self.line) % 2 else pairs

    def made(self, found: Pairing) -> list[Unit]:
        """What a pairing does with the line, in the way of units()."""
        units: list[Unit] = [*found.boards, *([] if found.bye is None else [(found.bye,)])]
        made = [self.in_line(unit) for unit in units if unit not in self.settled]
        return made + self._parted(list(found.left))

    def _parted(self, over: list[int]) -> list[Unit]:
        """The pairs of which nobody meets, by who has met; the last digit tells which."""
        if not over:
            return []
        ways = [
            [self.in_line(unit) for unit in units]
            for units in every_pairing(over)
            if all(len(unit) == 2 and self.met(*unit) for unit in units)
        ]
        return min(ways, key=self.vector)

    def in_line(self, unit: Unit) -> Unit:
        """Who comes first in the line first."""
        return tuple(sorted(unit, key=self.line_place.__getitem__))

    def seated(self, units: Iterable[Unit]) -> list[Unit]:
        """With colours, those settled by hand as well: boards from the top, then the bye."""
        found = [*self.settled, *(self.seat(unit)[0] for unit in units if not self.parted(unit))]
        return sorted(
            found, key=lambda unit: (len(unit) == 1, min(self.place[one] for one in unit))
        )

    def relaxations(self, seated: Iterable[Unit], over: Sequence[int] = ()) -> list[Relaxation]:
        """What seated pairs and a bye give up, and those who are left over."""
        found = [
            Relaxation(rule, unit, amount)
            for unit in seated
            for rule, amount in self.breaches(unit).items()
        ]
        for player in over:
            found.append(Relaxation("rematch", (player,), 1))
            found += self.relaxations([(player,)])
        return found

    def ranked(self) -> list[tuple[tuple[int, ...], list[Unit]]]:
        """Every pairing of the line, and what is to be said of it."""
        return [(self.vector(units), units) for units in every_pairing(self.line)]

    def best(self) -> list[Unit]:
        """The best of all pairings of the line."""
        return min(self.ranked())[1]

    def skipped(self, board: Board, partner: dict[int, int]) -> list[Breach]:
        """The nearest five of those who stood between the two, and what was against them."""
        if self.halves or (self.case.number == 1 and self.policy.first_round == "random"):
            return []
        settled = {player for unit in self.settled for player in unit}
        higher, lower = sorted(board, key=lambda player: self.place[player])
        found = []
        for other in self.ids[self.place[higher] + 1 : self.place[lower]]:
            if other in partner and self.place[partner[other]] > self.place[higher]:
                against = self.breaches(self.seat((higher, other))[0]).items()
                rule, amount = next(iter(against), ("fit", 0))
                if other not in settled:
                    found.append(Breach(rule, (higher, other), amount))
        return found[:5]

    def least_sums(self) -> tuple[int, ...]:
        """All digits but the last of the best pairing, from an integer program.

        One variable for each pair and bye; digit by digit the least sum is found
        and then held.
        """
        units = self.units()
        highspy = needs("highspy")
        program = highspy.Highs()
        program.setOptionValue("output_flag", False)  # noqa: FBT003
        program.setOptionValue("threads", 1)
        program.setOptionValue("mip_rel_gap", 0.0)
        taken = program.addBinaries(len(units))
        units_of: defaultdict[int, list[int]] = defaultdict(list)
        for index, unit in enumerate(units):
            for member in (*unit, *[BYE] * (2 - len(unit))):
                units_of[member].append(index)
        for indices in units_of.values():
            program.addConstr(sum(taken[index] for index in indices) == 1)
        found = []
        for costs in zip(*(self.digits(unit) for unit in units), strict=True):
            if not any(costs):
                found.append(0)
                continue
            total = sum(cost * taken[index] for index, cost in enumerate(costs) if cost)
            program.minimize(total)
            assert program.getModelStatus() == highspy.HighsModelStatus.kOptimal
            found.append(round(program.getObjectiveValue()))
            program.addConstr(total == found[-1])
        return tuple(found)

    def cheapest(self, *, order: bool) -> list[Unit]:
        """The best pairing from networkx, all digits packed into one whole number."""
        vectors = {
            unit: self.vector([unit]) if order else self.digits(unit) for unit in self.units()
        }
        sizes = [max(column) * len(self.line) + 1 for column in zip(*vectors.values(), strict=True)]
        costs = dict.fromkeys(vectors, 0)
        for unit, vector in vectors.items():
            for digit, size in zip(vector, sizes, strict=True):
                costs[unit] = costs[unit] * size + digit
        return [self.in_line(unit) for unit in matched(costs)]


def matched(costs: Mapping[Unit, int]) -> list[Unit]:
    """The cheapest of the matchings with most vertices in them; networkx is exact for ints."""
    graph = nx.Graph()
    for unit, cost in costs.items():
        graph.add_edge(*unit, *[BYE] * (2 - len(unit)), weight=-cost)
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return [tuple(member for member in unit if member != BYE) for unit in pairs]


def every_pairing(ids: list[int]) -> Iterator[list[Unit]]:
    """All ways to pair the players; a single one has the bye."""
    if not ids:
        yield []
        return
    first, rest = ids[0], ids[1:]
    for other in rest:
        for units in every_pairing([left for left in rest if left != other]):
            yield [(first, other), *units]
    if len(ids) % 2:
        for units in every_pairing(rest):
            yield [(first,), *units]


# random positions


def random_policy(rng: random.Random) -> Policy:
    """Any policy, the usual ones more often."""
    chosen = {rule: rng.choice(values) for rule, values in POLICIES.items()}
    return Policy(seed=rng.randint(0, 9), **chosen)


def random_games(rng: random.Random, ids: list[int], rounds: int) -> list[Game]:
    """A history, the absent ones' games included; now and then a round comes again."""
    games: list[Game] = []
    again, presence = rng.choice([0, 0.2, 0.5]), rng.choice([0.6, 0.9, 1])
    past: list[Unit] = []
    for number in range(1, rounds + 1):
        if rng.random() >= again:
            there = [player for player in ids if rng.random() < presence]
            rng.shuffle(there)
            past = list(zip(there[::2], there[1::2], strict=False))
        boards = [unit if rng.random() < 0.5 else unit[::-1] for unit in past]
        games += [Game(number, white, black) for white, black in boards]
    rng.shuffle(games)
    return games


def random_position(rng: random.Random, most: int = 10, *, least: int = 1) -> Case:
    """Any position of up to `most` players."""
    policy = random_policy(rng)
    everybody = rng.sample(range(1, 4 * most + 9), rng.randint(least, most) + rng.randint(0, 2))
    ids = everybody[: max(least, len(everybody) - rng.randint(0, 2))][:most]
    few = policy.system == "swiss" or rng.random() < 0.15
    number = rng.randint(1, max(2, len(ids) // 2) if few else 12)
    families, labels = rng.choice([0, 0, 0.2, 0.4]), ["a", "b", "c"]
    absent, late = rng.choice([0, 0.2]), rng.choice([0, 0.15])
    most_points = rng.choice([0, 1, 2 * number])
    scores = sorted((rng.randint(0, most_points) for _ in ids), reverse=True)
    if rng.random() < 0.3:
        rng.shuffle(scores)
    players = [
        Player(
            player,
            score=score,
            group=rng.randint(0, 3),
            byes=rng.choice([0, 0, 1, 1, 2, 4]),
            bye_last_round=rng.random() < absent,
            starts=rng.random() < late,
            prohibited=frozenset(label for label in labels if rng.random() < families),
        )
        for player, score in zip(ids, scores, strict=True)
    ]
    case = Case(players, random_games(rng, everybody, number - 1), number, policy)
    case.period_start = rng.randint(1, number)
    free = rng.sample(ids, len(ids))
    if len(ids) % 2 and rng.random() < 0.1:
        case.bye = free.pop()
    while len(free) > 1 and rng.random() < 0.12:
        case.fixed.append(Board(free.pop(), free.pop()))
    return case
