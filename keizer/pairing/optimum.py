"""The cheapest pairing of those who are to be paired, as a matching problem."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from keizer.pairing.boards import AT, DIGITS, FLOATS, GROUP, LEGAL, WIDTH, Boards, Pair
from keizer.pairing.facts import Instead
from keizer.pairing.matching import Matching

LEAVING = ("floats", "from_above")
"""How many leave a score group and those above it downwards, and from how far above they come."""

OF_HIGHER = ("bye_unplayed", "down_again", "down_before", "spread")
"""What counts for the score group of the higher of two, not of the lower."""


Slot = tuple[str, int]
"""A digit of a cost by name: for all boards (0), or in a Swiss for those of a score group;
`choice` for a vertex, and in a Swiss `choice below` for one who leaves its group."""


class Problem:
    """Who is to be paired, in the order for pairing, and what each pair of them costs."""

    def __init__(self, boards: Boards, settled: Collection[int]) -> None:
        self.boards = boards
        self.lines = sorted(line for player, line in boards.line.items() if player not in settled)
        self.count = len(self.lines)
        if self.count % 2:
            self.lines.append(boards.last_line)
        self.size = len(self.lines)
        self.vertex = {line: vertex for vertex, line in enumerate(self.lines)}
        self.group = boards.group
        self.sizes = Counter(self.group.values())
        """How many are in each score group."""
        self.last = {group: line for line, group in sorted(self.group.items())}
        """The last line of each."""
        self._give_places()
        self.worth: dict[tuple[int, ...], int] = {}
        self.costs: dict[Pair, int] = {}
        """Of each pair of vertices whose row is read."""
        # Neighbours make a pairing, however many are settled between them.
        boards.read([pair for pair in pairwise(self.lines) if pair not in boards.rows])
        self._price()
        self.proved = False
        """Whether the prices of the first solution prove that there is no better one."""

    # ---------------------------------------------------------------- costs

    def _slots(self) -> Iterator[Slot]:
        """What counts, the weightiest first; from `floats` on score group by score group."""
        names = self.boards.counted
        first = names.index("floats") if "floats" in names else len(names)
        yield from ((name, 0) for name in names[:first])
        below = range(1, 1 + (max(self.group.values()) if names[first:] else 0))
        yield from ((name, 1) for name in LEAVING if below)
        for group in below:
            yield from ((name, group + 1) for name in LEAVING if group + 1 in below)
            yield from ((name, group) for name in names[first + 1 : -1])
            yield from (("choice far below", one) for one in self._in(group - 2))
            yield from (("choice below", one) for one in self._in(group - 1))
            yield names[-1], group
            yield from (("choice", one) for one in self._in(group))
        if not below:
            yield from (("choice", one) for one in range(self.count))

    def _in(self, group: int) -> Iterator[int]:
        """The vertices of a score group."""
        return (one for one in range(self.count) if self.group[self.lines[one]] == group)

    def _give_places(self) -> None:
        """Each digit stands as far up in a cost as the sum of those below it needs."""
        largest = self.boards.largest()
        largest["from_above"] = len({*self.group.values()})
        self.slots = list(self._slots())
        self.places: dict[Slot, int] = {}
        bit = 0
        for name, part in reversed(self.slots):
            self.places[name, part] = bit
            most = largest[name] * self.size if name in largest else self.boards.last_line
            bit += most.bit_length()
        self.order = [self.places["choice", one] for one in range(self.count)]
        self.dearest = 1 << bit
        """More than any pairing costs."""
        self.names = [name for name in self.boards.counted if name != "floats"]
        self.in_parts = {name for name, part in self.slots if part and name in DIGITS}

    def _counted(self, digits: Sequence[int]) -> Iterator[tuple[Slot, int]]:
        """What counts of a board or a bye, but the choice."""
        high, low = digits[GROUP], digits[GROUP] + digits[FLOATS]
        for name in self.names:
            value = digits[AT[name]]
            if value:
                yield (name, (high if name in OF_HIGHER else low) * (name in self.in_parts)), value
        for group in range(high, low):
            yield ("floats", group), 1
            yield ("from_above", group), group - high

    def _choice(self, one: int, two: int, floats: int, choice: int) -> Iterator[tuple[Slot, int]]:
        """Which choice the one vertex takes by meeting the other."""
        if self.in_parts and (floats or two == self.count):
            yield ("choice", one), self.boards.last_line  # behind all of the group
        if floats:
            yield ("choice below" if floats == 1 else "choice far below", one), choice
        elif not (self.in_parts and two == self.count):
            yield ("choice", one), choice

    def _cost(self, one: int, two: int, digits: tuple[int, ...], choice: int) -> int:
        places, worth = self.places, self.worth
        if digits not in worth:
            worth[digits] = sum(value << places[slot] for slot, value in self._counted(digits))
        if not self.in_parts:  # as below, faster
            return worth[digits] + (choice << self.order[one])
        return worth[digits] + sum(
            value << places[slot] for slot, value in self._choice(one, two, digits[FLOATS], choice)
        )

    def _price(self) -> None:
        """Work out the costs of rows that were read."""
        vertex = self.vertex
        for (line, other), row in self.boards.rows.items():
            if line in vertex and other in vertex:
                one, two = vertex[line], vertex[other]
                self.costs[one, two] = self._cost(one, two, *self.boards.digits(row))

    # ---------------------------------------------------------------- solving

    def solve(self, without: Pair | None = None, bye: int | None = None) -> list[Pair]:
        """The pairs of the cheapest pairing; without: none of them; bye: the line that has it."""
        rows: list[dict[int, int]] = [{} for _ in range(self.size)]
        pairs, matching = [*self.costs], Matching(rows)
        while pairs:
            for one, two in pairs:
                cost = self.costs[one, two]
                if (self.lines[one], self.lines[two]) == without or (
                    bye and two == self.count and self.lines[one] != bye
                ):
                    cost += self.dearest
                rows[one][two] = rows[two][one] = cost
            matching = Matching(rows)
            pairs = self._missed(matching.price, rows)
        if not (without or bye):
            self.proved = matching.proves(self.costs) and not any(self._open(matching.price))
        mates = enumerate(matching.mate)
        return [(self.lines[one], self.lines[two]) for one, two in mates if one < two]

    def _missed(self, price: Sequence[int], rows: Sequence[dict[int, int]]) -> list[Pair]:
        """Pairs beyond these that could be part of a cheaper pairing; none: it is the cheapest.

        Every row is read that the prices do not exclude.
        """
        unread = [(self.lines[one], self.lines[two]) for one, two in self._open(price)]
        if unread:
            self.boards.read(unread)
            self._price()
        return [
            (one, two)
            for (one, two), cost in self.costs.items()
            if 2 * cost < price[one] + price[two] and two not in rows[one]
        ]

    def _open(self, price: Sequence[int]) -> Iterator[Pair]:
        """Pairs whose row is not read and could make a pairing cheaper, if they broke no rule."""
        behind = [*accumulate(reversed(price[: self.count]), max)][::-1]
        """The highest price from each vertex on."""
        for one in range(self.count):
            for two in range(one + 1, self.count):
                if (one, two) in self.costs:
                    continue
                least, further = self._least(one, two)
                if further and least >= price[one] + behind[two]:
                    break
                if least < price[one] + price[two]:
                    yield one, two

    def _least(self, one: int, two: int) -> tuple[int, bool]:
        """Twice the cost of a board that breaks nothing; whether further down it can only rise."""
        line, apart = self.lines[one], self.lines[two] - self.lines[one]
        group, other = self.group[line], self.group[line + apart]
        digits = [0] * WIDTH
        digits[GROUP], digits[FLOATS] = group, other - group
        digits[AT["squared"]] = apart * apart
        if self.boards.halves:
            within = self.sizes[group] - apart
            digits[AT["spread"]] = within if group == other else self.last[group] - line
        cost = 2 * self._cost(one, two, tuple(digits), apart - 1)
        return cost, not self.boards.halves or group < other

    # ------------------------------------------------- why not otherwise

    def stuck(self, pair: Pair) -> int | None:
        """The line of one of the two who may meet nobody else to be paired, nor have the bye.

        Their rows with everybody are read.
        """
        for line in pair if pair[1] < self.boards.last_line else ():
            if not any(
                self.boards.rows[min(line, other), max(line, other)][LEGAL]
                for other in self.lines
                if other != line
            ):
                return line
        return None

    def otherwise(
        self, best: Sequence[Pair], without: Pair | None = None, bye: int | None = None
    ) -> Instead | None:
        """The first difference between the best pairing and the best one as solve says."""
        if without and self.count == len(self.boards.ids(without)):
            return None
        here, there = self._sums(best), self._sums(self.solve(without, bye))
        for slot in self.slots:
            if here[slot] != there[slot]:
                return Instead(slot[0], there[slot], here[slot])
        return None

    def _sums(self, pairs: Sequence[Pair]) -> Counter[Slot]:
        """Each digit, summed over a pairing."""
        found: Counter[Slot] = Counter()
        for pair in pairs:
            one, two = (self.vertex[line] for line in pair)
            digits, choice = self.boards.digits(self.boards.rows[pair])
            choices = self._choice(one, two, digits[FLOATS], choice)
            for slot, value in chain(self._counted(digits), choices):
                found[slot] += value
        return found
