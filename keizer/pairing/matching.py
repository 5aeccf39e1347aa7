"""Minimum-weight perfect matching: the cheapest way to pair everybody, exactly.

The players are the vertices of a graph. Two who may be paired are neighbours in it, and
their pair has a cost: a whole number of any size, so that it can be a row of digits as
long as the club's list of wishes.

Edmonds' algorithm solves the dual problem at the same time. Each vertex has a dual,
here its price: what it offers to be paired. Some odd sets of vertices have one too.
Such a set is a blossom, and its dual is here its surplus, which every pair that leaves
the set has to pay. A price includes the surplus of all blossoms around its vertex. So
for two who are not in one blossom

    reduced cost of (u, v) = cost - u.price - v.price,

and for two who are, twice the surplus of each blossom around both is added. A reduced
cost is never negative. Where it is 0 the pair is tight, and only tight pairs are
matched. That also proves that nothing cheaper exists, and lets a matching found among
few pairs be checked against all the others (`Matching.proves`). And it lets a solution
go on when there are more pairs (`Matching.add`), since only few prices are too high for
these.

One vertex after the other is matched, each by an alternating tree (tree.py). Vertices
and blossoms themselves are in blossoms.py.

J. Edmonds, Paths, trees, and flowers (1965); the single-tree form is that of
W. Cook and A. Rohe, Computing minimum-weight perfect matchings (1999).
"""

from collections.abc import Mapping, Sequence
from itertools import count

from keizer.pairing.blossoms import Blossom, Vertex
from keizer.pairing.tree import Tree

NOBODY = -1
"""The partner of everybody in a graph without a perfect matching."""

Pairs = Mapping[tuple[int, int], int]
"""The costs of pairs, by the numbers of their two vertices."""


class Matching:
    """A minimum-weight perfect matching of a graph, and the prices that prove it.

    costs: for each vertex its neighbours by number, and what the pair costs: an even
    whole number, for prices may be halves of costs, and the same from both sides.
    prices: what each vertex offers to begin with, 0 unless given. They are lowered
    where they exceed what a pair costs; good ones save work.
    """

    def __init__(self, costs: list[dict[int, int]], prices: Sequence[int] = ()) -> None:
        offers = prices or [0] * len(costs)
        self.vertices = [Vertex(number, offer) for number, offer in enumerate(offers)]
        for vertex, row in zip(self.vertices, costs, strict=True):
            for number, cost in row.items():
                vertex.costs[self.vertices[number]] = cost
        self.blossoms: dict[int, Blossom] = {}
        """The blossoms by number, in the order in which they were made."""
        self._numbers = count(len(costs))
        """The numbers for further blossoms."""
        self.mates: list[int] = []
        """The partner of each vertex, by number."""
        self.scans = 0
        """The number of outer vertices whose pairs were looked at: a measure of
        work."""
        self._lower_given_prices()
        self._match_greedily()
        self._solve()

    def add(self, costs: Pairs) -> None:
        """Go on with more pairs.

        Whatever still holds stays: prices, pairs of the matching and blossoms.
        """
        too_cheap: dict[Vertex, set[Vertex]] = {}
        for numbers, cost in costs.items():
            vertex, neighbour = (self.vertices[number] for number in numbers)
            vertex.costs[neighbour] = cost
            neighbour.costs[vertex] = cost
            if vertex.reduced_cost(neighbour) < 0:
                too_cheap.setdefault(vertex, set()).add(neighbour)
                too_cheap.setdefault(neighbour, set()).add(vertex)
        while too_cheap:
            # First the vertex that is in most of these pairs, so that few prices fall.
            vertex = max(too_cheap, key=lambda each: len(too_cheap[each]))
            self._lower_price(vertex)
            for neighbour in too_cheap.pop(vertex):
                too_cheap[neighbour].remove(vertex)
                if not too_cheap[neighbour]:
                    del too_cheap[neighbour]
        self._match_greedily()
        self._solve()

    # ------------------------------------------------------------ the proof

    def proves(self, costs: Pairs) -> bool:
        """Return whether no perfect matching of these pairs is cheaper than this one.

        This is worked out again from the prices alone. By weak duality it is so if no
        reduced cost is negative, and the matching costs no more than the lower bound.
        """
        if not self._is_dual_feasible(costs):
            return False
        cost = 0
        for vertex, mate in enumerate(self.mates):
            if vertex < mate:
                cost += costs[vertex, mate]
        return cost == self._lower_bound()

    def _lower_bound(self) -> int:
        """Return what any perfect matching costs at least, if the duals are feasible.

        That is the sum of all prices, less twice its surplus for each pair within a
        blossom. Among k vertices, k odd, there are at most (k - 1) / 2 pairs.
        """
        bound = sum(vertex.price for vertex in self.vertices)
        for blossom in self.blossoms.values():
            bound -= blossom.surplus * (len(blossom.leaves) - 1)
        return bound

    def _is_dual_feasible(self, costs: Pairs) -> bool:
        """Return whether the duals are valid, so that they give a lower bound.

        Each blossom has to be odd. No surplus and no reduced cost may be negative.
        """
        around: list[set[Blossom]] = [set() for _ in self.vertices]
        for blossom in self.blossoms.values():
            if blossom.surplus < 0 or len(blossom.leaves) % 2 == 0:
                return False
            for vertex in blossom.leaves:
                around[vertex.number].add(blossom)
        prices = [vertex.price for vertex in self.vertices]
        for (number, other), cost in costs.items():
            reduced_cost = cost - prices[number] - prices[other]
            if reduced_cost < 0:
                shared = around[number] & around[other]
                surplus = sum(blossom.surplus for blossom in shared)
                if reduced_cost + 2 * surplus < 0:
                    return False
        return True

    # ------------------------------------------------------------ before a tree

    def _lower_given_prices(self) -> None:
        """Lower prices until no pair costs less than its two vertices offer."""
        for vertex in self.vertices:
            for neighbour, cost in vertex.costs.items():
                limit = cost - neighbour.price
                vertex.price = min(vertex.price, limit)

    def _lower_price(self, vertex: Vertex) -> None:
        """Lower the price of a vertex until none of its reduced costs is negative.

        Then its pair may not be tight any more, nor those of the blossoms around it,
        which are taken apart.
        """
        while isinstance(vertex.top, Blossom):
            self._dissolve(vertex.top)
        vertex.unmatch()
        vertex.price += min(0, *map(vertex.reduced_cost, vertex.costs))

    def _dissolve(self, blossom: Blossom) -> None:
        """Take a topmost blossom apart: its vertices offer less by its surplus.

        So reduced costs within it stay, but the pair that leaves it is tight no longer.
        """
        if blossom.surplus:
            blossom.base.unmatch()
        for vertex in blossom.leaves:
            vertex.price -= blossom.surplus
        blossom.open_up()
        del self.blossoms[blossom.number]

    def _match_greedily(self) -> None:
        """Raise prices of single vertices, and match those whose pair is tight then."""
        for vertex in self.vertices:
            if vertex.costs and vertex.is_single():
                price, _, number = min(
                    (cost - each.price, each.mate is not None, each.number)
                    for each, cost in vertex.costs.items()
                )
                vertex.price = price
                neighbour = self.vertices[number]
                if neighbour.is_single():
                    vertex.match(neighbour)

    def _solve(self) -> None:
        """Match all vertices, or find that there is no perfect matching."""
        self.is_perfect = all(map(self._match, self.vertices))
        """True if there is a perfect matching."""
        self.mates = [
            NOBODY if vertex.mate is None or not self.is_perfect else vertex.mate.number
            for vertex in self.vertices
        ]

    def _match(self, vertex: Vertex) -> bool:
        """Match a vertex if it is not, and return whether that is possible."""
        if vertex.mate is not None:
            return True
        tree = Tree(self.vertices, self.blossoms, self._numbers)
        is_matched = tree.match(vertex)
        self.scans += tree.scans
        return is_matched
