"""The cheapest pairing of those who are to be paired, as a matching problem."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain

from keizer.pairing.boards import LEGAL, Boards, Pair
from keizer.pairing.costs import Costs, Slot
from keizer.pairing.facts import Instead
from keizer.pairing.likely import read_likely
from keizer.pairing.matching import Matching
from keizer.pairing.unread import Unread


class Problem:
    """Who is to be paired, in the order for pairing.

    settled: players (player.id) who have their board or bye already.
    """

    def __init__(self, boards: Boards, settled: Collection[int]) -> None:
        self.boards = boards
        lines = sorted(
            line for player, line in boards.line.items() if player not in settled
        )
        self.costs = Costs(boards, lines)
        read_likely(self.costs)
        self.proved = False
        """Whether the prices of the first solution prove that there is no better one."""
        self.steps = 0
        """How much was done: players looked at in matchings, and bounds compared."""

    def solve(self, without: Pair | None = None, bye: int | None = None) -> list[Pair]:
        """Return the pairs of the cheapest pairing.

        A solution among the pairs that are read has prices, which tell what else could be in a
        better one. That is read, and the solution goes on from there, until nothing is left.

        without: a pair of lines that is not to be in it. bye: the line that is to have it.
        """
        costs = self.costs
        layout = -1
        while layout != costs.layout:
            layout = costs.layout
            matching = Matching(self._rows(without, bye), costs.offers())
            unread = Unread(costs)
            while new := unread.read(matching):
                matching.add({pair: self._cost(pair, without, bye) for pair in new})
            self.steps += matching.scans + unread.steps
        if without is None and bye is None:
            self.proved = matching.proves(costs.known)
        lines = costs.lines
        mates = enumerate(matching.mate)
        return [(lines[one], lines[two]) for one, two in mates if one < two]

    def _cost(self, pair: Pair, without: Pair | None, bye: int | None) -> int:
        """What a pair of vertices costs: more than any pairing if it is not to be."""
        costs = self.costs
        cost = costs.known[pair]
        line, other = costs.lines_of(pair)
        is_other_bye = bye is not None and pair[1] == costs.count and line != bye
        if (line, other) == without or is_other_bye:
            cost += costs.dearest
        return cost

    def _rows(self, without: Pair | None, bye: int | None) -> list[dict[int, int]]:
        """By vertex: the others whose pair is read, and what it costs."""
        rows: list[dict[int, int]] = [{} for _ in range(self.costs.size)]
        for pair in self.costs.known:
            one, two = pair
            rows[one][two] = rows[two][one] = self._cost(pair, without, bye)
        return rows

    # ------------------------------------------------- why not otherwise

    def stuck(self, pair: Pair) -> int | None:
        """The line of one of the two who may meet nobody else to be paired, nor have the bye.

        Their rows with everybody are read.
        """
        if pair[1] == self.boards.last_line:
            return None
        for line in pair:
            if not any(
                self.boards.rows[min(line, other), max(line, other)][LEGAL]
                for other in self.costs.lines
                if other != line
            ):
                return line
        return None

    def otherwise(
        self, best: Sequence[Pair], without: Pair | None = None, bye: int | None = None
    ) -> Instead | None:
        """The first difference between the best pairing and the best one as solve says."""
        if without and self.costs.count == len(self.boards.ids(without)):
            return None
        here, there = self._sums(best), self._sums(self.solve(without, bye))
        for slot in self.costs.slots:
            if here[slot] != there[slot]:
                return Instead(slot[0], there[slot], here[slot])
        return None

    def _sums(self, pairs: Sequence[Pair]) -> Counter[Slot]:
        """Each digit, summed over a pairing."""
        sums: Counter[Slot] = Counter()
        for line, other in pairs:
            digits, choice = self.boards.digits((line, other))
            vertices = self.costs.vertex[line], self.costs.vertex[other]
            choices = self.costs.choices(vertices, choice)
            for slot, value in chain(self.costs.counted(digits), choices):
                sums[slot] += value
        return sums
