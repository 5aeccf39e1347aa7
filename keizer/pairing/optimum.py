"""The cheapest pairing of those who are to be paired, as a matching problem."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

from keizer.pairing.boards import (
    CHOICE,
    DIGITS,
    GROUP,
    LEGAL,
    LIKELY,
    OFF,
    WIDTH,
    Boards,
    Pair,
)
from keizer.pairing.facts import RULES, Instead
from keizer.pairing.matching import Matching

MOST_PLAYERS_COMPLETE = 48
"""In a field of at most this size all pairs are compared from the start."""

NEAREST = 16
"""In a larger one, for each player the opponents nearest to the ideal one,"""

FEWEST_LEGAL = 8
"""... and more, until this many of the pairs break no rule."""

PROMISING = 8
"""Of the other pairs that could be better: for each player this many in the first pass,
twice as many in each later one."""

HUB = 8
"""Who could meet an eighth of a large field or more is compared with everybody."""

REMATCH = DIGITS.index("rematch")


Slot = tuple[str, int]
"""A digit of a cost by name: for all boards (0), or in a Swiss for those of a score group;
`choice` for a vertex."""


class Problem:
    """Who is to be paired, in the order for pairing, and what each pair of them costs."""

    def __init__(self, boards: Boards, settled: Collection[int]) -> None:
        self.boards, policy = boards, boards.policy
        self.lines = sorted(line for player, line in boards.line.items() if player not in settled)
        self.count = len(self.lines)
        if self.count % 2:
            self.lines.append(boards.last_line)
        self.size = len(self.lines)
        self.vertex = {line: vertex for vertex, line in enumerate(self.lines)}
        self.leaving = policy.system == "swiss" and policy.stuck != "rematch"
        """Whether two who could only meet again are left over instead."""
        self._give_places()
        self.worth: dict[tuple[int, ...], int] = {}
        self.costs: dict[Pair, int] = {}
        """Of each pair of vertices whose row is read."""
        # Neighbours make a pairing, however many are settled between them.
        apart = [pair for pair in pairwise(self.lines) if pair not in boards.rows]
        if apart:
            boards.read((), apart)
        self._price()
        self.proved = False
        """Whether the prices of the first solution prove that there is no better one."""

    # ---------------------------------------------------------------- costs

    def _slots(self) -> Iterator[Slot]:
        """What counts, the weightiest first."""
        for name in self.boards.counted:
            if name == "floats":
                yield from ((name, group) for group in self.boards.groups)
            elif name != "score_group":
                yield name, 0
        yield from (("choice", vertex) for vertex in range(self.count))

    def _give_places(self) -> None:
        """Each digit stands as far up in a cost as the sum of those below it needs."""
        largest = self.boards.largest()
        if self.leaving:  # byes of two
            largest |= {name: 2 * largest[name] for name in (*RULES, "bye_place")}
        self.slots = list(self._slots())
        self.places: dict[Slot, int] = {}
        bit = 0
        for name, part in reversed(self.slots):
            self.places[name, part] = bit
            most = self.boards.last_line if name == "choice" else largest[name] * self.size
            bit += most.bit_length()
        self.dearest = 1 << bit
        """More than any pairing costs."""
        self.names = {name for name, _ in self.slots}

    def _counted(self, row: tuple[Any, ...]) -> tuple[int, ...]:
        """The digits of a row; where two who could only meet again are left over, of that."""
        digits = row[:WIDTH]
        if not (self.leaving and digits[REMATCH]):
            return digits
        behind = self.boards.last_line
        one, other = (self.boards.rows[line, behind] for line in self.boards.lines_of(row))
        left = [a + b for a, b in zip(one[:WIDTH], other[:WIDTH], strict=True)]
        left[REMATCH], left[GROUP] = 1, 1
        return tuple(left)

    def _slot(self, name: str, digits: Sequence[int]) -> Slot:
        return name, digits[GROUP] if name == "floats" else 0

    def _worth(self, digits: Sequence[int]) -> int:
        return sum(
            value << self.places[self._slot(name, digits)]
            for name, value in zip(DIGITS, digits, strict=True)
            if value and name in self.names
        )

    def _price(self) -> None:
        """Work out the costs of rows that were read."""
        vertex, costs, worth = self.vertex, self.costs, self.worth
        order = [self.places["choice", one] for one in range(self.count)]
        for (line, other), row in self.boards.rows.items():
            if line not in vertex or other not in vertex:
                continue
            one = vertex[line]
            digits = row[:WIDTH]
            if self.leaving and digits[REMATCH]:
                digits = self._counted(row)
            if digits not in worth:
                worth[digits] = self._worth(digits)
            costs[one, vertex[other]] = worth[digits] + (row[CHOICE] << order[one])

    # ---------------------------------------------------------------- solving

    def solve(self, without: Pair | None = None) -> list[Pair]:
        """The pairs of the cheapest pairing; `without` is not to be one of them."""
        rows: list[dict[int, int]] = [{} for _ in range(self.size)]
        pairs = self._near()
        most = PROMISING
        while pairs:
            for one, two in pairs:
                cost = self.costs[one, two]
                if (self.lines[one], self.lines[two]) == without:
                    cost += self.dearest
                rows[one][two] = rows[two][one] = cost
            matching = Matching(rows)
            pairs = self._missed(matching, rows, most)
            most *= 2
        if without is None:
            self.proved = not self.size or (
                matching.proves(self.costs)
                and (self.boards.complete or not any(self._open(matching.price)))
            )
        return [
            (self.lines[one], self.lines[two])
            for one, two in enumerate(matching.mate if self.size else ())
            if one < two
        ]

    def _near(self) -> list[Pair]:
        """The pairs that are compared in any case: all, or in a large field the likely ones."""
        if self.count <= MOST_PLAYERS_COMPLETE:
            return [*self.costs]
        down: list[list[tuple[int, int, int]]] = [[] for _ in range(self.size)]
        found = [*pairwise(range(self.size))]
        for one, two in self.costs:
            if two == self.count:
                found.append((one, two))
                continue
            row = self.boards.rows[self.lines[one], self.lines[two]]
            down[one].append((row[OFF], two, row[LEGAL]))
        for one, opponents in enumerate(down):
            legal = 0
            for seen, (_, two, allowed) in enumerate(sorted(opponents)):
                if seen >= NEAREST and legal >= FEWEST_LEGAL:
                    break
                legal += allowed
                if seen < NEAREST or allowed:
                    found.append((one, two))
        return found

    def _missed(self, matching: Matching, rows: Sequence[dict[int, int]], most: int) -> list[Pair]:
        """Pairs beyond those that could be part of a cheaper pairing; none: it is the cheapest.

        Of each place the `most` promising.
        """
        price = matching.price
        if not self.boards.complete:
            self._read(price)
        elif self.count <= MOST_PLAYERS_COMPLETE:
            return []
        promising: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for (one, two), cost in self.costs.items():
            if 2 * cost < price[one] + price[two] and two not in rows[one]:
                lack = matching.reduced(one, two, cost)
                if lack < 0:
                    promising[one].append((lack, two))
        return [
            (one, two) for one, found in enumerate(promising) for _, two in sorted(found)[:most]
        ]

    def _open(self, price: Sequence[int]) -> Iterator[Pair]:
        """Pairs whose row is not read and could make a pairing cheaper, if it broke no rule."""
        square = 1 << self.places["squared", 0] if ("squared", 0) in self.places else 0
        behind = [*accumulate(reversed(price[: self.count]), max)][::-1]
        """The highest price from each vertex on."""
        for one, line in enumerate(self.lines[: self.count]):
            for two in range(one + 1, self.count):
                apart = self.lines[two] - line
                choice = apart - 1
                if not self.boards.neighbours:
                    apart = choice = LIKELY + 1
                elif choice <= LIKELY:
                    continue
                least = 2 * (apart * apart * square + (choice << self.places["choice", one]))
                if least >= price[one] + behind[two]:
                    break
                if least < price[one] + price[two] and (one, two) not in self.costs:
                    yield one, two

    def _read(self, price: Sequence[int]) -> None:
        """See to it that every row is read that these prices do not exclude."""
        open_to: list[list[int]] = [[] for _ in range(self.count)]
        for one, two in self._open(price):
            open_to[one].append(two)
            open_to[two].append(one)
        # Those who could meet nearly anybody are read with everybody.
        hubs = {one for one, others in enumerate(open_to) if HUB * len(others) >= self.count}
        pairs = [
            (self.lines[one], self.lines[two])
            for one, others in enumerate(open_to)
            for two in others
            if one < two and not hubs & {one, two}
        ]
        if hubs or pairs:
            self.boards.read([self.lines[hub] for hub in hubs], pairs)
            self._price()

    # ------------------------------------------------- why not otherwise

    def stuck(self, pair: Pair) -> int | None:
        """The line of one of the two who may meet nobody else to be paired, nor have the bye."""
        if not self.boards.complete:
            if not self.boards.read_all():
                return None
            self._price()
        for line in pair if pair[1] < self.boards.last_line else ():
            if not any(
                self.boards.rows[min(line, other), max(line, other)][LEGAL]
                for other in self.lines
                if other != line
            ):
                return line
        return None

    def otherwise(self, best: Sequence[Pair], pair: Pair) -> Instead | None:
        """The first difference between the best pairing and the best one without this pair."""
        if self.count == len(self.boards.ids(pair)):
            return None
        here, there = self._sums(best), self._sums(self.solve(pair))
        for slot in self.slots:
            if here[slot] != there[slot]:
                return Instead(slot[0], there[slot], here[slot])
        return None

    def _sums(self, pairs: Sequence[Pair]) -> Counter[Slot]:
        """Each digit, summed over a pairing."""
        found: Counter[Slot] = Counter()
        for pair in pairs:
            row = self.boards.rows[pair]
            digits = self._counted(row)
            found["choice", self.vertex[pair[0]]] = row[CHOICE]
            for name, value in zip(DIGITS, digits, strict=True):
                found[self._slot(name, digits)] += value
        return found
