"""Pairings at random and their oracle: the reference of conformance/, and the Swiss beside it.

It shares nothing with keizer.pairing but what goes in and comes out.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import networkx as nx

from conformance import adapter, generate
from conformance.positions import (
    BYE_RULES,
    COLOUR_RULES,
    DEFAULTS,
    MEETING_RULES,
    Position,
    Unit,
)
from keizer.pairing.facts import RULES, Board, Pairing, Policy, Relaxation
from tests.support.club_nights import RULES as POLICIES

FLOATING = ("unwanted", "strongly", "down1", "up1", "down2", "up2")

BYE = -1
"""The opponent of the player with the bye."""


class Player(NamedTuple):
    """A player who is present, as a case of conformance/ has one; score, floats: of a Swiss."""

    id: int
    score: int = 0
    group: int = 0
    byes: int = 0
    bye_last_round: bool = False
    first: bool = False
    floats: tuple[int, int] = (0, 0)
    prohibited: frozenset[str] = frozenset()


class Game(NamedTuple):
    """A game of an earlier round, players by id."""

    round_number: int
    white: int
    black: int


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

    def told(self) -> dict[str, Any]:
        """The position of a case of conformance/."""
        return {
            "round": self.number,
            "period_start": self.period_start,
            "players": [player._asdict() for player in self.players],
            "games": self.games,
            "settled": self.fixed,
            "bye": self.bye,
        }

    def paired(self) -> Pairing:
        """What the engine makes of it."""
        return adapter.paired(self.told(), self.policy)

    def possible(self) -> Pairing | None:
        """Likewise; None where a Swiss needs a rematch."""
        found = self.paired()
        return None if found.left and self.policy.stuck == "refuse" else found


SWISS = Policy(system="swiss", first_round="halves", fewest_byes="hard")
"""The rules of preset swiss, as far as a pairing is concerned."""


def swiss_rounds(
    players: int, rounds: int, *, white_wins: bool = False
) -> Iterator[Case]:
    """The positions of a Swiss of made-up games, which the engine pairs and a lot decides.

    white_wins: every game instead, so that who has most points must have Black next.
    """
    rng = random.Random(players)
    scores = dict.fromkeys(range(1, players + 1), 0)
    games: list[Game] = []
    for number in range(1, rounds + 1):
        order = sorted(scores, key=lambda player: (-scores[player], player))
        present = [Player(player, scores[player]) for player in order]
        yield Case(present, list(games), number, SWISS)
        if number == rounds:
            return
        pairing = Case(present, games, number, SWISS).paired()
        if pairing.bye is not None:
            scores[pairing.bye] += 2
        for white, black in pairing.boards:
            games.append(Game(number, white, black))
            points = (2, 0) if white_wins else rng.choice([(2, 0), (1, 1), (0, 2)])
            for player, won in zip((white, black), points, strict=True):
                scores[player] += won


def due_colours(players: int, *, mixed: bool) -> Case:
    """The third round of a Keizer season in which each had one colour twice, so none meets alike.

    Half are due White, half Black: the same half twice; mixed: each round another half had White.
    """
    rng = random.Random(players)
    ids = list(range(1, players + 1))
    sides = rng.sample(ids, players)
    games = []
    for number in (1, 2):
        if mixed:
            sides = rng.sample(ids, players)
        white, black = sides[: players // 2], sides[players // 2 :]
        black = black[number:] + black[:number]
        games += [Game(number, *pair) for pair in zip(white, black, strict=True)]
    return Case([Player(player) for player in ids], games, 3)


def text(value: object) -> str:
    """A rule as a case of conformance/ has it."""
    return (
        "none"
        if value is None
        else str(int(value) if isinstance(value, bool) else value)
    )


class Oracle(Position):
    """What a case says of pairs, byes and whole pairings."""

    def __init__(self, case: Case) -> None:
        self.policy = policy = case.policy
        self.swiss = policy.system == "swiss"
        self.score = {player.id: self.swiss * player.score for player in case.players}
        self.scores = sorted({*self.score.values()}, reverse=True)
        rules = {key: text(getattr(policy, key)) for key in DEFAULTS}
        super().__init__({"rules": rules, "position": case.told()})
        self.slots = self._slots()

    def _order(self) -> list[int]:
        return sorted(super()._order(), key=lambda player: -self.score[player])

    def strength(self, rule: str) -> str:
        """hard, soft or off."""
        return self._strength(rule)

    def _strength(self, rule: str) -> str:
        return (
            "off" if rule == "rematch" and not self.swiss else super()._strength(rule)
        )

    def group(self, player: int) -> int:
        """In a Swiss the place of the score among the scores, from 1; else 1."""
        return 1 + self.scores.index(self.score[player])

    def amounts(self, seated: Unit) -> dict[str, int]:
        found = super().amounts(seated)
        met = self.met(*seated) if len(seated) > 1 else 0
        return {rule: found.get(rule, met * (rule == "rematch")) for rule in RULES}

    def breaches(self, seated: Unit) -> dict[str, int]:
        """The hard rules that it breaks."""
        return {
            rule: amount
            for rule, amount in self.amounts(seated).items()
            if amount and self._strength(rule) == "hard"
        }

    def _by_rank(self, unit: Unit) -> Unit:
        if not self.swiss:
            return super()._by_rank(unit)
        higher, lower = self.in_line(unit)
        last = self.colours[higher][-1:]
        first = last == [-1] if last else self.position[higher] % 2 == 0
        return (higher, lower) if first else (lower, higher)

    def _halves(self) -> bool:
        later = self.swiss and self.round > 1
        return self.policy.swiss_within == "halves" if later else super()._halves()

    def _slots(self) -> list[tuple[str, int]]:
        """What counts in a Swiss behind the rules and the bye: group by group, from the top."""
        found = [("leave", 1), ("above", 1)]
        for group in range(1, len(self.scores) + 1):
            mine, nearer, farther = (
                [player for player in self.order if self.group(player) == group - back]
                for back in range(3)
            )
            found += [("leave", group + 1), ("above", group + 1)]
            found += [(name, group) for name in ("unplayed", *COLOUR_RULES, *FLOATING)]
            found += [("far", player) for player in farther]
            found += [("below", player) for player in nearer]
            found += [("spread", group), *(("own", player) for player in mine)]
        return found

    def _costs(self, unit: Unit) -> tuple[int, ...]:
        """All digits but the choices of a pair or a bye, in the order in which they decide."""
        if not self.swiss:
            return super()._costs(unit)
        if self.parted(unit):
            both = zip(*(self.costs((player,)) for player in unit), strict=True)
            found = [sum(digit) for digit in both][: -len(self.slots)]
            found[RULES.index("left_over")] = 1
            return (*found, *[0] * len(self.slots))
        seated = self.seat(unit)
        amounts = self.amounts(seated)

        def kept(names: Iterable[str], strength: str) -> list[int]:
            return [
                amounts[rule] * (self._strength(rule) == strength) for rule in names
            ]

        met = any(kept(("rematch", *MEETING_RULES), "hard"))
        lately = self.past[frozenset(unit)][-1][0] if met else 0
        below = self.below(unit[0]) if len(unit) == 1 else 0
        head = (*kept(RULES, "hard"), lately, *kept(BYE_RULES, "soft"), below)
        there = self._in_group(unit)
        low = self.group(self.in_line(unit)[-1])
        for rule, amount in zip(COLOUR_RULES, kept(COLOUR_RULES, "soft"), strict=True):
            there[rule, low] = amount
        return (*head, *(there.get(slot, 0) for slot in self.slots))

    def _in_group(self, unit: Unit) -> dict[tuple[str, int], int]:
        """What counts of a pair or a bye in a score group, but the soft rules."""
        first, *other = self.in_line(unit)
        high, place, size = self.group(first), self.position[first], len(self.order)
        last = max(
            self.position[player] for player in self.ids if self.group(player) == high
        )
        (one, two), behind = self.players[first]["floats"], last - place
        found = {("own", first): size + 1, ("spread", high): behind}
        if not other:
            games = len(self.colours[first])
            found |= {
                ("unplayed", high): self.round - 1 - games,
                ("own", first): size + 1,
            }
            found |= {("down1", high): int(one > 0), ("down2", high): int(two > 0)}
        else:
            low, choice = self.group(other[0]), self.position[other[0]] - place - 1
            found["unwanted", low], found["strongly", low] = self.unwanted(
                self.seat(unit)
            )
            if high == low:
                count = sum(self.group(player) == high for player in self.ids)
                found |= {("own", first): choice, ("spread", high): count - choice - 1}
            else:
                was, before = self.players[other[0]]["floats"]
                found |= {("down1", high): int(one > 0), ("down2", high): int(two > 0)}
                found |= {("up1", low): int(was < 0), ("up2", low): int(before < 0)}
                found["far" if low - high > 1 else "below", first] = choice
                found |= {("leave", group): 1 for group in range(high, low)}
                found |= {("above", group): group - high for group in range(high, low)}
        return {
            slot: amount
            for slot, amount in found.items()
            if slot[0] != "spread" or self._halves()
        }

    def parted(self, unit: Unit) -> bool:
        """Whether these two are left over rather than meet again."""
        leaves = self.swiss and self.policy.stuck != "rematch"
        if not leaves or len(unit) == 1 or unit in self.settled:
            return False
        one, other = (self.players[player]["prohibited"] for player in unit)
        return self.met(*unit) > 0 or bool(one & other)

    def over(self, units: Iterable[Unit]) -> list[int]:
        """Who is left over, from the top."""
        found = [player for unit in units if self.parted(unit) for player in unit]
        return sorted(found, key=self.place.__getitem__)

    def below(self, player: int) -> int:
        """How many are ranked lower; in a Swiss, have a lower score."""
        if self.swiss:
            return sum(score < self.score[player] for score in self.score.values())
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

    # a whole pairing, without what is settled

    def choices(self, units: Iterable[Unit]) -> list[int]:
        """The last digit: which choice each one's opponent is, from the top; in a Swiss none."""
        found = [0] * len(self.order)
        if self.swiss:
            return found
        for place, choice in map(self._choice, units):
            found[place] = choice
        return found

    def sums(self, units: Iterable[Unit]) -> tuple[int, ...]:
        """All digits but the last of a pairing."""
        digits = [self.costs(unit) for unit in units]
        return tuple(map(sum, zip(*digits, strict=True)))

    def cost(self, units: Iterable[Unit]) -> tuple[int, ...]:
        """By what pairings are compared."""
        units = list(units)
        return (*self.sums(units), *self.choices(units))

    def units(self) -> list[Unit]:
        """Every pair and every possible bye."""
        pairs: list[Unit] = [
            (one, other)
            for place, one in enumerate(self.free)
            for other in self.free[place + 1 :]
        ]
        return (
            pairs + [(player,) for player in self.free] if len(self.free) % 2 else pairs
        )

    def made(self, found: Pairing) -> list[Unit]:
        """What a pairing does with those who are free, in the way of units()."""
        units: list[Unit] = [
            *found.boards,
            *([] if found.bye is None else [(found.bye,)]),
        ]
        made = [self.in_line(unit) for unit in units if unit not in self.settled]
        ways = [
            [self.in_line(unit) for unit in units]
            for units in every_pairing(list(found.left))
            if all(self.parted(unit) for unit in units)
        ]
        return made + min(ways, key=self.cost)

    def in_line(self, unit: Unit) -> Unit:
        """Who comes first in the order for pairing first."""
        return tuple(sorted(unit, key=self.position.__getitem__))

    def seated(self, units: Iterable[Unit]) -> list[Unit]:
        """With colours, those settled by hand as well: boards from the top, then the bye."""
        found = [
            *self.settled,
            *(self.seat(unit) for unit in units if not self.parted(unit)),
        ]
        return sorted(
            found,
            key=lambda unit: (len(unit) == 1, min(self.place[one] for one in unit)),
        )

    def relaxations(
        self, seated: Iterable[Unit], over: Sequence[int] = ()
    ) -> list[Relaxation]:
        """What seated pairs and a bye give up, and those who are left over."""
        found = [
            Relaxation(rule, unit, amount)
            for unit in seated
            for rule, amount in self.breaches(unit).items()
        ]
        for player in over:
            found.append(Relaxation("left_over", (player,), 1))
            found += self.relaxations([(player,)])
        return found

    def ranked(self) -> list[tuple[tuple[int, ...], list[Unit]]]:
        """Every pairing, the best first, and what is to be said of it."""
        return sorted((self.cost(units), units) for units in every_pairing(self.free))

    def skipped(self, board: Unit, partner: Mapping[int, int]) -> list[Relaxation]:
        """The nearest five of those who stood between the two, and what was against them."""
        if self._halves() or (self.round == 1 and self.policy.first_round == "random"):
            return []
        settled = {player for unit in self.settled for player in unit}
        higher, lower = sorted(board, key=lambda player: self.place[player])
        found = []
        for other in self.ids[self.place[higher] + 1 : self.place[lower]]:
            if other in partner and self.place[partner[other]] > self.place[higher]:
                against = self.breaches(self.seat((higher, other))).items()
                rule, amount = next(iter(against), ("fit", 0))
                if other not in settled:
                    found.append(Relaxation(rule, (higher, other), amount))
        return found[:5]

    def cheapest(self, *, order: bool) -> list[Unit]:
        """The best pairing from networkx, all digits packed into one whole number."""
        digits = {
            unit: self.cost([unit]) if order else self.costs(unit)
            for unit in self.units()
        }
        sizes = [
            max(column) * len(self.free) + 1
            for column in zip(*digits.values(), strict=True)
        ]
        packed = dict.fromkeys(digits, 0)
        for unit, column in digits.items():
            for digit, size in zip(column, sizes, strict=True):
                packed[unit] = packed[unit] * size + digit
        return [self.in_line(unit) for unit in matched(packed)]


def matched(costs: Mapping[Any, int]) -> list[Unit]:
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


def random_policy(rng: random.Random) -> Policy:
    """Any policy, the usual ones more often."""
    chosen = {rule: rng.choice(values) for rule, values in POLICIES.items()}
    return Policy(seed=rng.randint(0, 9), **chosen)


def random_position(rng: random.Random, most: int = 10, *, least: int = 1) -> Case:
    """Any position of up to `most` players, boards and a bye that stand among them."""
    policy = random_policy(rng)
    ids, absent = rng.sample(range(1, 4 * most + 9), rng.randint(least, most) + 2), 2
    few = policy.system == "swiss" or rng.random() < 0.15
    number = rng.randint(1, len(ids) if few else 12)
    told = generate.position(rng, ids[absent:], ids[:absent], number)
    most_points = rng.choice([0, 1, 2 * number])
    scores = sorted(
        (rng.randint(0, most_points) for _ in told["players"]), reverse=True
    )
    if rng.random() < 0.3:
        rng.shuffle(scores)
    families = rng.choice([0, 0, 0.2, 0.4])
    for player, score in zip(told["players"], scores, strict=True):
        player["score"] = score
        player["prohibited"] = frozenset(
            name for name in "abc" if rng.random() < families
        )
    players = [Player(**player) for player in told["players"]]
    fixed = [Board(*board) for board in told["settled"]]
    games = [Game(*game) for game in told["games"]]
    rng.shuffle(games)
    players = [
        player._replace(floats=(rng.randint(-1, 1), rng.randint(-1, 1)))
        for player in players
    ]
    start = told.get("period_start", 1)
    return Case(players, games, number, policy, start, fixed, told.get("bye"))
