"""The best pairing of the players who are to be paired, as a matching problem.

The vertices of the problem are the players and, if they are odd in number, the bye. A
minimum-weight perfect matching is solved among few pairs, and goes on with further
pairs until its prices prove that no other pair could improve it (matching.py).
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
    """The problem to pair the players who have no board or bye yet.

    Each possible pair has a cost, and `solve` finds the pairing with the lowest sum. To
    explain a pairing, it is solved again under a condition (`difference`).

    Pairs are given and returned as two *lines*, the lower one first. A line is the
    place of a player in the order for pairing, from 1. The bye has the line behind all
    players.

    settled: the players (player.id) who have their board or bye already.
    """

    def __init__(self, boards: Boards, settled: Collection[int]) -> None:
        self.boards = boards
        lines = [
            line for player, line in boards.line_of.items() if player not in settled
        ]
        self.costs = Costs(boards, sorted(lines))
        read_likely(self.costs)
        self.proved = False
        """True if the best pairing is solved, and its prices prove that it is."""
        self.steps = 0
        """The work done: players looked at in matchings, and bounds compared."""

    def solve(self, without: Pair | None = None, bye: int | None = None) -> list[Pair]:
        """Return the pairs of the best pairing, or of the best under a condition.

        Each pair is two lines, the lower one first. The work is added to `steps`.
        Without a condition, `proved` is set: whether the result is proved to be best.

        The condition may be a pair that must not be in the pairing (`without`), or the
        line of a player who must have the bye (`bye`). If no pairing satisfies it, the
        result breaks it.
        """
        costs = self.costs
        layout = None
        # A cost is an integer in which each criterion has its own bits. When costs of
        # further pairs are read, they may need new bits. Then costs have another
        # layout, and all begins again, since costs of two layouts cannot be compared.
        while layout != costs.layout:
            layout = costs.layout
            known_costs = self._costs_by_vertex(without, bye)
            matching = Matching(known_costs, costs.initial_prices())
            pricing = Pricing(costs)
            # A first solution among few pairs is improved by further ones, until none
            # is left that could improve it.
            while new_pairs := pricing.read_open_pairs(matching):
                matching.add(
                    {pair: self._cost(pair, without, bye) for pair in new_pairs}
                )
            self.steps += matching.scans + pricing.steps
        if without is None and bye is None:
            self.proved = matching.proves(costs.known)
        return [
            costs.lines_of((vertex, mate))
            for vertex, mate in enumerate(matching.mates)
            if vertex < mate  # each pair once, not from both sides
        ]

    def _cost(self, pair: Pair, without: Pair | None, bye: int | None) -> int:
        """Return the cost of a pair of vertices under the condition of `solve`.

        A pair that must not be in the pairing costs more than any whole pairing. So it
        is only chosen if no pairing satisfies the condition.

        without: a pair of lines that must not be in the pairing. bye: the line of the
        player who must have the bye, so that no other player may have it. If both are
        None, there is no condition.
        """
        costs = self.costs
        lines = costs.lines_of(pair)
        is_wrong_bye = bye is not None and costs.is_bye(pair) and lines[0] != bye
        if is_wrong_bye or lines == without:
            return costs.known[pair] + costs.dearest
        return costs.known[pair]

    def _costs_by_vertex(
        self, without: Pair | None, bye: int | None
    ) -> list[dict[int, int]]:
        """Return for each vertex the costs of its pairs, by the other vertex.

        They are all costs that are known so far. Each is there twice, under both
        vertices of the pair. Pairs that must not be in the pairing cost more than any
        whole pairing.

        without: a pair of lines that must not be in the pairing. bye: the line of the
        player who must have the bye, so that no other player may have it. If both are
        None, all costs are as they are.
        """
        costs: list[dict[int, int]] = [{} for _ in range(self.costs.size)]
        for pair in self.costs.known:
            vertex, other = pair
            cost = self._cost(pair, without, bye)
            costs[vertex][other] = cost
            costs[other][vertex] = cost
        return costs

    # ------------------------------------------------- why not otherwise

    def player_without_alternative(self, pair: Pair) -> int | None:
        """Return the player of a board who has no legal board and no legal bye.

        A board or bye is legal if it breaks no hard rule. Of two such players the first
        is returned; None if there is none, or if the pair is a bye.

        The caller must have read the rows of both players with everybody else.
        """
        if pair[1] == self.boards.bye_line:
            return None
        for line in pair:
            if not self._has_legal_pair(line):
                return self.boards.player_of[line]
        return None

    def _has_legal_pair(self, line: int) -> bool:
        """Return whether a player has a legal board with anybody, or a legal bye.

        A board or bye is legal if it breaks no hard rule. Only players who have no
        board or bye yet count as opponents.

        line: the player's place in the order for pairing. The bye has the line behind
        all players.
        """
        rows = self.boards.rows
        # The costs are only of players without a board or bye. If they are odd in
        # number, the line of the bye comes last.
        lines_to_pair = self.costs.lines
        others = [other for other in lines_to_pair if other != line]
        return any(rows[ordered(line, other)][LEGAL] for other in others)

    def difference(
        self, best: Sequence[Pair], without: Pair | None = None, bye: int | None = None
    ) -> Difference | None:
        """Return how the best pairing under a condition differs from the best of all.

        The result names the first criterion in which the two differ, with the sums of
        both. None if there is no pairing under this condition.

        best: the best pairing of all. without: a pair that must not be in the other
        one. bye: the line of the player who must have the bye in it.
        """
        if without is not None:
            pair_is_everybody = len(self.boards.ids(without)) == self.costs.player_count
            if pair_is_everybody:
                return None  # nobody else is there to be paired in another way
        best_sums = self._sums(best)
        other_sums = self._sums(self.solve(without, bye))
        for slot in self.costs.slots:  # the weightiest first
            if best_sums[slot] != other_sums[slot]:
                digit, _ = slot
                return Difference(
                    digit, other_sum=other_sums[slot], chosen_sum=best_sums[slot]
                )
        return None

    def _sums(self, pairs: Sequence[Pair]) -> Counter[Slot]:
        """Return what a pairing costs, part by part.

        The parts are *slots*: ("rematch", 0) has the sum of `rematch` over all pairs,
        ("floats", 3) that of `floats` for score group 3.
        """
        sums: Counter[Slot] = Counter()
        for line, other in pairs:
            amounts, choice = self.boards.amounts_and_choice((line, other))
            vertices = self.costs.vertex[line], self.costs.vertex[other]
            slot_amounts = self.costs.slot_amounts(amounts)
            choice_amounts = self.costs.slot_amounts_of_choice(
                vertices, amounts, choice
            )
            for slot, amount in chain(slot_amounts, choice_amounts):
                sums[slot] += amount
        return sums
