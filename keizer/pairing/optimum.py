"""The best pairing of those who are to be paired, as a matching problem.

The vertices are the players and, if their number is odd, the bye. A minimum-weight
perfect matching is solved among few candidate pairs, and goes on with others until its
prices prove that no other pair could improve it.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain

from keizer.pairing.boards import LEGAL, Boards, Pair, ordered
from keizer.pairing.costs import Costs, Slot
from keizer.pairing.facts import Difference
from keizer.pairing.likely import read_likely
from keizer.pairing.matching import Matching
from keizer.pairing.pricing import Pricing


class Problem:
    """The players who are to be paired, in the order for pairing.

    settled: players (player.id) who have their board or bye already.
    """

    def __init__(self, boards: Boards, settled: Collection[int]) -> None:
        self.boards = boards
        lines = [line for player, line in boards.line.items() if player not in settled]
        self.costs = Costs(boards, sorted(lines))
        read_likely(self.costs)
        self.proved = False
        """True if the prices of the first solution prove that none is better."""
        self.steps = 0
        """The work done: players looked at in matchings, and bounds compared."""

    def solve(self, without: Pair | None = None, bye: int | None = None) -> list[Pair]:
        """Return the pairs of the cheapest pairing.

        A solution among the pairs that are read has prices, which tell what else could
        be in a better one. That is read, and the solution goes on from there, until
        nothing is left. If the costs get other digits, all begins again.

        without: a pair of lines that must not be in it. bye: the line that must have
        it.
        """
        costs = self.costs
        layout = None
        while layout != costs.layout:
            layout = costs.layout
            matching = Matching(self._rows(without, bye), costs.initial_prices())
            pricing = Pricing(costs)
            while new_pairs := pricing.read(matching):
                matching.add(
                    {pair: self._cost(pair, without, bye) for pair in new_pairs}
                )
            self.steps += matching.scans + pricing.steps
        if without is None and bye is None:
            self.proved = matching.proves(costs.known)
        return [
            costs.lines_of((vertex, mate))
            for vertex, mate in enumerate(matching.mates)
            if vertex < mate
        ]

    def _cost(self, pair: Pair, without: Pair | None, bye: int | None) -> int:
        """Return what a pair of vertices costs.

        That is more than any pairing if it must not be in it.
        """
        costs = self.costs
        lines = costs.lines_of(pair)
        is_bye = pair[1] == costs.count
        is_other_bye = is_bye and bye is not None and lines[0] != bye
        if is_other_bye or lines == without:
            return costs.known[pair] + costs.dearest
        return costs.known[pair]

    def _rows(self, without: Pair | None, bye: int | None) -> list[dict[int, int]]:
        """Return for each vertex what it costs with others, as far as that is read."""
        rows: list[dict[int, int]] = [{} for _ in range(self.costs.size)]
        for pair in self.costs.known:
            vertex, other = pair
            cost = self._cost(pair, without, bye)
            rows[vertex][other] = cost
            rows[other][vertex] = cost
        return rows

    # ------------------------------------------------- why not otherwise

    def stuck(self, pair: Pair) -> int | None:
        """Return the player of a pair who may meet nobody else, nor have the bye.

        None if both may, or the pair is a bye. Their rows with everybody are read.
        """
        if pair[1] == self.boards.bye_line:
            return None
        for line in pair:
            if not self._has_legal_board(line):
                return self.boards.player[line]
        return None

    def _has_legal_board(self, line: int) -> bool:
        """Return whether a line has a legal board with any other, or a legal bye."""
        rows = self.boards.rows
        others = [other for other in self.costs.lines if other != line]
        return any(rows[ordered(line, other)][LEGAL] for other in others)

    def otherwise(
        self, best: Sequence[Pair], without: Pair | None = None, bye: int | None = None
    ) -> Difference | None:
        """Return how the best pairing differs from the best one as `solve` says.

        That is the first digit in which they do. None if there is no other pairing.
        """
        if without and self.costs.count == len(self.boards.ids(without)):
            return None
        best_sums = self._sums(best)
        other_sums = self._sums(self.solve(without, bye))
        for slot in self.costs.slots:
            if best_sums[slot] != other_sums[slot]:
                name, _ = slot
                return Difference(
                    name, other_sum=other_sums[slot], chosen_sum=best_sums[slot]
                )
        return None

    def _sums(self, pairs: Sequence[Pair]) -> Counter[Slot]:
        """Return each digit, summed over the pairs of lines of a pairing."""
        sums: Counter[Slot] = Counter()
        for line, other in pairs:
            digits, choice = self.boards.digits((line, other))
            vertices = self.costs.vertex[line], self.costs.vertex[other]
            choices = self.costs.choices(vertices, choice)
            for slot, amount in chain(self.costs.counted(digits), choices):
                sums[slot] += amount
        return sums
