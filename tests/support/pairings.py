"""Positions to pair, made by lot, and an independent oracle of their best pairing.

The oracle computes, by docs/pairing.md alone, what each board and bye costs, and
looks through every pairing there is (or asks networkx, where there are too many).
Its rules and the digits of the Keizer system are those of conformance/positions.py;
the digits of a Swiss are here. From keizer.pairing it has only the types of what
goes in and what comes out; neither its SQL nor its matching is behind any figure.
Slow and plain on purpose: nothing is pruned, estimated or kept from pair to pair.
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

Cost = tuple[int, ...]
"""The digits of a unit or a pairing, the one that decides first in front."""

Slot = tuple[str, int]
"""A digit of a Swiss: what it counts, and the score group or the player that has it."""

FLOATING = (
    "unwanted_colour",
    "strongly_unwanted",
    "down_again",
    "up_again",
    "down_before",
    "up_before",
)
"""The digits of a score group on colours and floats ("In a Swiss", 3 and 4)."""

BYE = -1
"""The opponent of the player with the bye, as networkx knows only pairs."""


class Player(NamedTuple):
    """A player who is present, as a case of conformance/ has one.

    The score and the floats count in a Swiss only.
    """

    id: int
    score: int = 0
    group: int = 0
    """The category, from 0; by it rule max_group_distance goes."""
    byes: int = 0
    bye_last_round: bool = False
    first: bool = False
    """The coming round is the first one of somebody who came late."""
    floats: tuple[int, int] = (0, 0)
    """In the last round and the one before: 1 down, -1 up, 0 neither."""
    prohibited: frozenset[str] = frozenset()


class Game(NamedTuple):
    """A game of an earlier round, players by id."""

    round_number: int
    white: int
    black: int


@dataclass
class Case:
    """A position to pair: the players from the top, earlier games, and the rules."""

    players: list[Player]
    games: list[Game] = field(default_factory=list)
    number: int = 1
    policy: Policy = field(default_factory=Policy)
    period_start: int = 1
    fixed: list[Board] = field(default_factory=list)
    bye: int | None = None

    def as_position(self) -> dict[str, Any]:
        """Return the position as a case of conformance/ writes it."""
        return {
            "round": self.number,
            "period_start": self.period_start,
            "players": [player._asdict() for player in self.players],
            "games": self.games,
            "settled": self.fixed,
            "bye": self.bye,
        }

    def paired(self) -> Pairing:
        """Return the pairing that the engine chooses."""
        return adapter.paired(self.as_position(), self.policy)

    def possible(self) -> Pairing | None:
        """Return the engine's pairing; None if the rules refuse it, for a rematch."""
        pairing = self.paired()
        if self.policy.stuck == "refuse" and pairing.left_over:
            return None
        return pairing


SWISS = Policy(system="swiss", first_round="halves", fewest_byes="hard")
"""The rules of preset swiss, as far as a pairing is concerned."""


def swiss_rounds(
    players: int, rounds: int, *, white_wins: bool = False
) -> Iterator[Case]:
    """Yield the positions of a Swiss that the engine pairs and a lot decides.

    With white_wins White wins every game, so that the players with most points must
    have Black next.
    """
    rng = random.Random(players)
    scores = dict.fromkeys(range(1, players + 1), 0)
    games: list[Game] = []
    for number in range(1, rounds + 1):
        order = sorted(scores, key=lambda player: (-scores[player], player))
        present = [Player(player, scores[player]) for player in order]
        case = Case(present, list(games), number, SWISS)
        yield case
        if number == rounds:
            return
        pairing = case.paired()
        if pairing.bye is not None:
            scores[pairing.bye] += 2
        for white, black in pairing.boards:
            games.append(Game(number, white, black))
            points = (2, 0) if white_wins else rng.choice([(2, 0), (1, 1), (0, 2)])
            scores[white] += points[0]
            scores[black] += points[1]


def due_colours(players: int, *, mixed: bool) -> Case:
    """Return the third round of a Keizer season in which half the club is due White.

    Each player had one colour twice, so that nobody meets somebody of the same half.
    With mixed each round had other halves, which leaves many a player without a colour
    that is due.
    """
    rng = random.Random(players)
    ids = list(range(1, players + 1))
    half = players // 2
    sides = rng.sample(ids, players)
    games = []
    for number in (1, 2):
        if mixed:
            sides = rng.sample(ids, players)
        whites = sides[:half]
        blacks = sides[half:]
        # moved on by the number of the round, so that nobody meets twice
        blacks = blacks[number:] + blacks[:number]
        for white, black in zip(whites, blacks, strict=True):
            games.append(Game(number, white, black))
    return Case([Player(player) for player in ids], games, 3)


# ---------------------------------------------------------------- the oracle


def text(value: object) -> str:
    """Return a rule's value as a case of conformance/ writes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(int(value))
    return str(value)


class Oracle(Position):
    """A position as docs/pairing.md judges it: pairs, byes and whole pairings.

    A unit is two players who meet or one who has the bye; a seated unit has White
    first.
    """

    def __init__(self, case: Case) -> None:
        self.policy = case.policy
        self.swiss = case.policy.system == "swiss"
        # a Keizer pairing has one score group, of everybody
        self.score = {
            player.id: player.score if self.swiss else 0 for player in case.players
        }
        self.scores = sorted({*self.score.values()}, reverse=True)
        rules = {rule: text(getattr(case.policy, rule)) for rule in DEFAULTS}
        super().__init__({"rules": rules, "position": case.as_position()})
        self.slots = self._slots()

    def _order(self) -> list[int]:
        """Return the order for pairing; in a Swiss the score comes before a lot."""

        def higher_score_first(player: int) -> int:
            return -self.score[player]

        return sorted(super()._order(), key=higher_score_first)

    def strength(self, rule: str) -> str:
        """Return hard, soft or off."""
        return self._strength(rule)

    def _strength(self, rule: str) -> str:
        if rule == "rematch" and not self.swiss:
            return "off"
        return super()._strength(rule)

    def group(self, player: int) -> int:
        """Return the score group, 1 being the highest."""
        score = self.score[player]
        return 1 + self.scores.index(score)

    def members(self, group: int) -> list[int]:
        """Return the players of a score group, in the order for pairing."""
        return [player for player in self.order if self.group(player) == group]

    def in_pairing_order(self, unit: Unit) -> Unit:
        """Return the players of a unit in the order for pairing."""
        return tuple(sorted(unit, key=self.position.__getitem__))

    def count_below(self, player: int) -> int:
        """Return how many players are ranked lower; in a Swiss, have a lower score."""
        if not self.swiss:
            last_place = len(self.ids) - 1
            return last_place - self.place[player]
        own_score = self.score[player]
        lower_scores = [score for score in self.score.values() if score < own_score]
        return len(lower_scores)

    # what a unit breaks

    def amounts(self, seated: Unit) -> dict[str, int]:
        """Return by how much a seated unit breaks each rule, asked for or not."""
        amounts = dict.fromkeys(RULES, 0) | super().amounts(seated)
        if len(seated) > 1:
            amounts["rematch"] = self.met(*seated)
        return amounts

    def breaches(self, seated: Unit) -> dict[str, int]:
        """Return the hard rules that a seated unit breaks, and by how much."""
        return {
            rule: amount
            for rule, amount in self.amounts(seated).items()
            if amount and self._strength(rule) == "hard"
        }

    def is_left_over(self, unit: Unit) -> bool:
        """Return whether two players are left over rather than meet (rule stuck)."""
        if not self.swiss or self.policy.stuck == "rematch":
            return False
        if len(unit) == 1 or unit in self.settled:
            return False
        first, second = (self.players[player] for player in unit)
        families = first["prohibited"] & second["prohibited"]
        return self.met(*unit) > 0 or bool(families)

    def unwanted(self, seated: Unit) -> list[int]:
        """Return how many get an unwanted colour, and how many strongly so.

        A player wants the colour they had less often or, if equal, did not have last;
        strongly, if they had one more often.
        """
        unwanted = 0
        strongly = 0
        for player, colour in zip(seated, (1, -1), strict=True):
            colours = self.colours[player]
            difference = sum(colours)
            wanted = -difference or -sum(colours[-1:])
            if wanted * colour < 0:
                unwanted += 1
                strongly += difference != 0
        return [unwanted, strongly]

    def _by_rank(self, unit: Unit) -> Unit:
        """Seat two whom no earlier criterion parts ("White and Black", 5)."""
        if not self.swiss:
            return super()._by_rank(unit)
        higher, lower = self.in_pairing_order(unit)
        last_colour = self.colours[higher][-1:]
        if last_colour:
            higher_has_white = last_colour == [-1]
        else:
            higher_has_white = self.position[higher] % 2 == 0
        return (higher, lower) if higher_has_white else (lower, higher)

    def _halves(self) -> bool:
        if self.swiss and self.round > 1:
            return self.policy.swiss_within == "halves"
        return super()._halves()

    # the digits of a Swiss

    def _slots(self) -> list[Slot]:
        """Return the digits of a Swiss behind the rules and the bye, as they decide.

        Score group by score group, from the top; each group decides how many leave
        the next one before anything else of its own.
        """
        slots = [("floats", 1), ("groups_above", 1)]
        for group in range(1, len(self.scores) + 1):
            slots += [("floats", group + 1), ("groups_above", group + 1)]
            slots += [
                (digit, group) for digit in ("bye_unplayed", *COLOUR_RULES, *FLOATING)
            ]
            slots += [("choice_far", player) for player in self.members(group - 2)]
            slots += [("choice_near", player) for player in self.members(group - 1)]
            slots.append(("spread", group))
            slots += [("choice", player) for player in self.members(group)]
        return slots

    def _costs(self, unit: Unit) -> Cost:
        """Return all digits but the choices, in the order in which they decide."""
        if not self.swiss:
            return super()._costs(unit)
        if self.is_left_over(unit):
            return self._costs_of_left_over(unit)
        seated = self.seat(unit)
        amounts = self.amounts(seated)
        meeting_amounts = self._of_strength(
            "hard", ("rematch", *MEETING_RULES), amounts
        )
        repeated = self.past[frozenset(unit)][-1][0] if any(meeting_amounts) else 0
        counts = self._in_groups(unit)
        lowest_group = self.group(self.in_pairing_order(unit)[-1])
        soft_colours = self._of_strength("soft", COLOUR_RULES, amounts)
        for rule, amount in zip(COLOUR_RULES, soft_colours, strict=True):
            counts[rule, lowest_group] = amount
        return (
            *self._of_strength("hard", RULES, amounts),
            repeated,
            *self._of_strength("soft", BYE_RULES, amounts),
            self.count_below(unit[0]) if len(unit) == 1 else 0,
            *(counts.get(slot, 0) for slot in self.slots),
        )

    def _costs_of_left_over(self, unit: Unit) -> Cost:
        """Return what two cost who are left over: what their byes break, added up.

        In the score groups only the choice of each counts, one more than with the bye.
        """
        byes = [(player,) for player in unit]
        digits = list(self.sums(byes))
        digits[RULES.index("left_over")] = 1
        first_of_groups = len(digits) - len(self.slots)
        for index, (digit, _) in enumerate(self.slots, first_of_groups):
            is_of_both = digit == "choice" and digits[index] > 0
            digits[index] = len(self.order) + 2 if is_of_both else 0
        return tuple(digits)

    def _of_strength(
        self, strength: str, rules: Iterable[str], amounts: Mapping[str, int]
    ) -> list[int]:
        """Return the amounts of these rules; 0 for those of another strength."""
        return [
            amounts[rule] if self._strength(rule) == strength else 0 for rule in rules
        ]

    def _in_groups(self, unit: Unit) -> dict[Slot, int]:
        """Return what a unit counts in the score groups, but for the soft rules."""
        first, *others = self.in_pairing_order(unit)
        if not others:
            counts = self._bye_in_group(first)
        else:
            (second,) = others
            if self.group(first) == self.group(second):
                counts = self._within_group(first, second)
            else:
                counts = self._across_groups(first, second)
            unwanted, strongly = self.unwanted(self.seat(unit))
            counts["unwanted_colour", self.group(second)] = unwanted
            counts["strongly_unwanted", self.group(second)] = strongly
        if not self._halves():
            counts.pop(("spread", self.group(first)))
        return counts

    def _bye_in_group(self, player: int) -> dict[Slot, int]:
        rounds_before = self.round - 1
        rounds_played = len(self.colours[player])
        counts = self._leaves_group(player)
        group = self.group(player)
        counts["bye_unplayed", group] = rounds_before - rounds_played
        return counts

    def _within_group(self, first: int, second: int) -> dict[Slot, int]:
        group = self.group(first)
        size = len(self.members(group))
        distance = self.position[second] - self.position[first]
        return {("choice", first): distance - 1, ("spread", group): size - distance}

    def _across_groups(self, higher: int, lower: int) -> dict[Slot, int]:
        high = self.group(higher)
        low = self.group(lower)
        counts = self._leaves_group(higher)
        last_float, float_before = self.players[lower]["floats"]
        counts["up_again", low] = int(last_float < 0)
        counts["up_before", low] = int(float_before < 0)
        distance = self.position[lower] - self.position[higher]
        if low == high + 1:
            counts["choice_near", higher] = distance - 1
        else:
            counts["choice_far", higher] = distance - 1
        for group in range(high, low):
            counts["floats", group] = 1
            counts["groups_above", group] = group - high
        return counts

    def _leaves_group(self, player: int) -> dict[Slot, int]:
        """Return what a player counts who has the bye or meets a lower group."""
        group = self.group(player)
        last_of_group = self.members(group)[-1]
        behind = self.position[last_of_group] - self.position[player]
        last_float, float_before = self.players[player]["floats"]
        return {
            ("choice", player): len(self.order) + 1,  # behind all others
            ("spread", group): behind,
            ("down_again", group): int(last_float > 0),
            ("down_before", group): int(float_before > 0),
        }

    # a whole pairing, without what is settled

    def left_over(self, units: Iterable[Unit]) -> list[int]:
        """Return the players who are left over, from the top."""
        players: list[int] = []
        for unit in units:
            if self.is_left_over(unit):
                players += unit
        return sorted(players, key=self.place.__getitem__)

    def choices(self, units: Iterable[Unit]) -> list[int]:
        """Return the last digit: each player's choice, in the order for pairing.

        A Swiss has its choices among the digits of the score groups.
        """
        choices = [0] * len(self.order)
        if not self.swiss:
            for unit in units:
                place, choice = self._choice(unit)
                choices[place] = choice
        return choices

    def sums(self, units: Iterable[Unit]) -> Cost:
        """Return all digits of a pairing but the last."""
        costs = [self.costs(unit) for unit in units]
        digits = zip(*costs, strict=True)
        return tuple(map(sum, digits))

    def cost(self, units: Iterable[Unit]) -> Cost:
        """Return what pairings are compared by."""
        units = list(units)
        return (*self.sums(units), *self.choices(units))

    def units(self) -> list[Unit]:
        """Return every pair of those who are free, and every possible bye."""
        pairs: list[Unit] = [
            (first, second)
            for place, first in enumerate(self.free)
            for second in self.free[place + 1 :]
        ]
        if len(self.free) % 2:
            return [*pairs, *((player,) for player in self.free)]
        return pairs

    def ranked(self) -> list[tuple[Cost, list[Unit]]]:
        """Return every pairing with its cost, the best first."""
        pairings = every_pairing(self.free)
        ranked = [(self.cost(units), units) for units in pairings]
        ranked.sort()
        return ranked

    def cheapest(self, *, order: bool) -> list[Unit]:
        """Return the best pairing by networkx; order: compare the choices as well.

        All digits of a unit are packed into one whole number. Each has as much room
        as its sum over a whole pairing can need, so no digit runs over into the next.
        """
        digits = {
            unit: self.cost([unit]) if order else self.costs(unit)
            for unit in self.units()
        }
        columns = zip(*digits.values(), strict=True)
        rooms = [max(column) * len(self.free) + 1 for column in columns]
        packed = dict.fromkeys(digits, 0)
        for unit, amounts in digits.items():
            for amount, room in zip(amounts, rooms, strict=True):
                packed[unit] = packed[unit] * room + amount
        return [self.in_pairing_order(unit) for unit in cheapest_matching(packed)]

    # what a pairing says

    def units_of(self, pairing: Pairing) -> list[Unit]:
        """Return the units of a pairing without the settled ones.

        Those who are left over are two by two, in the way that costs least, since a
        pairing says only who they are.
        """
        seated: list[Unit] = [*pairing.boards]
        if pairing.bye is not None:
            seated.append((pairing.bye,))
        units = [
            self.in_pairing_order(unit) for unit in seated if unit not in self.settled
        ]
        ways = [
            [self.in_pairing_order(unit) for unit in way]
            for way in every_pairing(list(pairing.left_over))
            if all(self.is_left_over(unit) for unit in way)
        ]
        return units + min(ways, key=self.cost)

    def seated(self, units: Iterable[Unit]) -> list[Unit]:
        """Return boards from the top, then the bye: seated, with the settled ones.

        Those who are left over are in none.
        """

        def top_first(unit: Unit) -> tuple[bool, int]:
            is_bye = len(unit) == 1
            highest_place = min(self.place[player] for player in unit)
            return is_bye, highest_place

        meeting = [self.seat(unit) for unit in units if not self.is_left_over(unit)]
        return sorted([*self.settled, *meeting], key=top_first)

    def relaxations(
        self, seated: Iterable[Unit], left_over: Sequence[int] = ()
    ) -> list[Relaxation]:
        """Return the rules that seated units, and players left over, give up."""
        relaxations = [
            Relaxation(rule, unit, amount)
            for unit in seated
            for rule, amount in self.breaches(unit).items()
        ]
        for player in left_over:
            relaxations.append(Relaxation("left_over", (player,), 1))
            relaxations += self.relaxations([(player,)])
        return relaxations

    def nearer_free(self, board: Unit, partner: Mapping[int, int]) -> list[Relaxation]:
        """Return the nearest five who stood between two and were free.

        Each with the first rule against their meeting the higher one, or "fit".
        partner: by player, over the whole round.
        """
        by_lot = self.round == 1 and self.policy.first_round == "random"
        if by_lot or self._halves():
            return []  # nobody is near
        higher, lower = sorted(board, key=self.place.__getitem__)
        place = self.place[higher]
        between = self.ids[place + 1 : self.place[lower]]
        nearer = []
        for other in between:
            if other not in self.free or other not in partner:
                continue
            if self.place[partner[other]] < place:
                continue  # taken by somebody above
            seated = self.seat((higher, other))
            reasons = iter(self.breaches(seated).items())
            rule, amount = next(reasons, ("fit", 0))
            nearer.append(Relaxation(rule, (higher, other), amount))
        return nearer[:5]


def cheapest_matching(costs: Mapping[Any, int]) -> list[Unit]:
    """Return the cheapest matching of most players; networkx is exact for ints.

    costs: by pair, or by the one player of a bye.
    """
    graph = nx.Graph()
    for unit, cost in costs.items():
        if len(unit) == 2:
            graph.add_edge(*unit, weight=-cost)
        else:
            graph.add_edge(*unit, BYE, weight=-cost)
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return [tuple(player for player in pair if player != BYE) for pair in pairs]


def every_pairing(ids: list[int]) -> Iterator[list[Unit]]:
    """Yield all ways to pair the players; of an odd number one has the bye."""
    if not ids:
        yield []
        return
    first, *rest = ids
    for other in rest:
        remaining = [player for player in rest if player != other]
        for units in every_pairing(remaining):
            yield [(first, other), *units]
    if len(ids) % 2:
        for units in every_pairing(rest):
            yield [(first,), *units]


# ------------------------------------------------------------- any position


def random_policy(rng: random.Random) -> Policy:
    """Return any policy, the usual ones more often."""
    chosen = {rule: rng.choice(values) for rule, values in POLICIES.items()}
    return Policy(seed=rng.randint(0, 9), **chosen)


def random_position(rng: random.Random, most: int = 10, *, least: int = 1) -> Case:
    """Return any position of `least` to `most` players.

    Two more have played and are absent; boards and a bye may be settled.
    """
    policy = random_policy(rng)
    by_swiss = policy.system == "swiss"
    count = rng.randint(least, most)
    ids = rng.sample(range(1, 4 * most + 9), count + 2)
    few_rounds = by_swiss or rng.random() < 0.15
    most_rounds = len(ids) if few_rounds else 12
    number = rng.randint(1, most_rounds)
    position = generate.position(rng, ids[2:], ids[:2], number)
    scores = _random_scores(rng, len(position["players"]), number)
    share = rng.choice([0, 0, 0.2, 0.4])
    for player, score in zip(position["players"], scores, strict=True):
        families = [name for name in "abc" if rng.random() < share]
        player["score"] = score
        player["prohibited"] = frozenset(families)
    games = [Game(*game) for game in position["games"]]
    rng.shuffle(games)
    players = [
        Player(**player, floats=(rng.randint(-1, 1), rng.randint(-1, 1)))
        for player in position["players"]
    ]
    return Case(
        players,
        games,
        number,
        policy,
        position.get("period_start", 1),
        [Board(*board) for board in position["settled"]],
        position.get("bye"),
    )


def _random_scores(rng: random.Random, count: int, number: int) -> list[int]:
    """Return scores before round `number`, now and then not in the order of places."""
    most_points = rng.choice([0, 1, 2 * number])
    scores = [rng.randint(0, most_points) for _ in range(count)]
    scores.sort(reverse=True)
    if rng.random() < 0.3:
        rng.shuffle(scores)
    return scores
