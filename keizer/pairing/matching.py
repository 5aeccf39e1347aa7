"""Minimum-weight perfect matching: the cheapest way to pair everybody, exactly.

The players are the vertices of a graph. Two who may be paired are neighbours in it, and
their pair has a cost: a whole number of any size, so that it can be a row of digits as
long as the club's list of wishes.

Edmonds' algorithm solves the dual problem at the same time. Each vertex gets a number,
its *price*: what it offers to be paired. No two may offer more than their pair costs:

    reduced cost of (u, v) = cost - u.price - v.price >= 0

A pair whose reduced cost is 0 is *tight*, and only tight pairs are matched. This proves
that no matching is cheaper: the cost of the matching is the sum of all prices, and each
other matching costs at least this sum.

Example: a and b cost 4, c and d 6, all other pairs 8. Prices of 2, 2, 3 and 3 make the
first two pairs tight, which cost 10 together. Any other matching costs at least 10.

Prices of vertices are not enough if an odd number of vertices would all be cheap with
one another, since one of them has to look elsewhere. Such a set is a *blossom*. It has
a number too, its *surplus*: what the pair that leaves the set pays in addition. In this
package a price includes the surplus of all blossoms around the vertex. As a pair within
a blossom does not pay the surplus, for u and v in one blossom

    reduced cost of (u, v) = cost - u.price - v.price + 2 * surplus,

with the surplus of all blossoms around both.

The prices also let a matching that is found among few pairs be checked against all
others (`Matching.proves`), and go on with more pairs (`Matching.add`): only a few
prices are too high for these.

One vertex after the other is matched, each by an alternating tree (tree.py). Vertices
and blossoms are in blossoms.py.

J. Edmonds, Paths, trees, and flowers (1965); the single-tree form is that of
W. Cook and A. Rohe, Computing minimum-weight perfect matchings (1999).
"""

from collections.abc import Mapping, Sequence
from itertools import count

from keizer.pairing.blossoms import Blossom, Vertex
from keizer.pairing.tree import Tree

NOBODY = -1
"""The mate of everybody in a graph without a perfect matching."""

CostOfPair = Mapping[tuple[int, int], int]
"""The costs of pairs, by the numbers of their two vertices."""


class Matching:
    """A minimum-weight perfect matching of a graph, and the prices that prove it.

    costs: for each vertex, the costs of its pairs by the number of the neighbour. Each
    pair has the same cost in both rows. All costs are even whole numbers, since prices
    may be halves of them. prices: the prices to begin with, 0 if none are given. Where
    two of them exceed the cost of a pair they are lowered first. Good ones save work.
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
        """The numbers for further blossoms: those behind the vertices."""
        self.mates: list[int] = []
        """By vertex, the number of its mate; NOBODY for all if is_perfect is False."""
        self.scans = 0
        """The number of outer vertices whose pairs were looked at: a measure of
        work."""
        self._lower_prices_to_costs()
        self._match_greedily()
        self._match_all()

    def add(self, costs: CostOfPair) -> None:
        """Add pairs to the graph, and go on until the matching is the cheapest again.

        Prices, mates and blossoms stay, but those of vertices that offer too much for a
        new pair.
        """
        too_cheap: dict[Vertex, set[Vertex]] = {}  # neighbours whose pair is too cheap
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
        self._match_all()

    # ------------------------------------------------------------ the proof

    def proves(self, costs: CostOfPair) -> bool:
        """Return whether no perfect matching of these pairs is cheaper than this one.

        This is computed from the prices and surpluses alone. By weak duality no other
        matching is cheaper if no reduced cost is negative and this matching costs just
        the lower bound that they give.
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

        As no reduced cost is negative, a pair costs at least its two prices, less twice
        the surplus of each blossom that it lies in. A blossom of k vertices, k odd, has
        room for (k - 1) / 2 pairs. So k - 1 times its surplus is taken off at most.
        """
        bound = sum(vertex.price for vertex in self.vertices)
        for blossom in self.blossoms.values():
            bound -= blossom.surplus * (len(blossom.leaves) - 1)
        return bound

    def _is_dual_feasible(self, costs: CostOfPair) -> bool:
        """Return whether prices and surpluses give a lower bound for these pairs.

        They do if each blossom is odd, and no surplus or reduced cost is negative.
        """
        blossoms_around: list[set[Blossom]] = [set() for _ in self.vertices]
        for blossom in self.blossoms.values():
            if blossom.surplus < 0 or len(blossom.leaves) % 2 == 0:
                return False
            for vertex in blossom.leaves:
                blossoms_around[vertex.number].add(blossom)
        prices = [vertex.price for vertex in self.vertices]
        for (number, other), cost in costs.items():
            reduced_cost = cost - prices[number] - prices[other]
            if reduced_cost < 0:
                shared = blossoms_around[number] & blossoms_around[other]
                surplus = sum(blossom.surplus for blossom in shared)
                if reduced_cost + 2 * surplus < 0:
                    return False
        return True

    # ------------------------------------------------------------ before a tree

    def _lower_prices_to_costs(self) -> None:
        """Lower prices until no two vertices offer more than their pair costs."""
        for vertex in self.vertices:
            for neighbour, cost in vertex.costs.items():
                limit = cost - neighbour.price
                vertex.price = min(vertex.price, limit)

    def _lower_price(self, vertex: Vertex) -> None:
        """Lower the price of a vertex until none of its reduced costs is negative.

        Its pairs may not be tight after that. So the vertex loses its mate, and the
        blossoms around it are taken apart, whose cycles need tight pairs.
        """
        while isinstance(vertex.top, Blossom):
            self._dissolve(vertex.top)
        vertex.unmatch()
        vertex.price += min(0, *map(vertex.reduced_cost, vertex.costs))

    def _dissolve(self, blossom: Blossom) -> None:
        """Take a topmost blossom apart, whatever its surplus.

        Prices include the surplus, so those of its vertices fall by it. Reduced costs
        within the blossom stay as they are, since twice the surplus is no longer added.
        """
        if blossom.surplus:
            blossom.base.unmatch()  # its pair leaves the blossom, and is tight no more
        for vertex in blossom.leaves:
            vertex.price -= blossom.surplus
        blossom.open_up()
        del self.blossoms[blossom.number]

    def _match_greedily(self) -> None:
        """Match single vertices as far as that takes no tree.

        The price of each is raised until its first pair is tight. If the neighbour is
        single too, the two are matched.
        """
        for vertex in self.vertices:
            if vertex.costs and vertex.is_single():
                # The price at which the first pair becomes tight. It is no lower than
                # the present one, since no reduced cost is negative. If several pairs
                # become tight there, a neighbour without a mate is taken (False sorts
                # before True), and then the lowest number.
                price, _, number = min(
                    (cost - each.price, each.mate is not None, each.number)
                    for each, cost in vertex.costs.items()
                )
                vertex.price = price
                neighbour = self.vertices[number]
                if neighbour.is_single():
                    vertex.match(neighbour)

    def _match_all(self) -> None:
        """Match all vertices that have no mate, or find that this is not possible."""
        # It ends with the first vertex that cannot be matched.
        self.is_perfect = all(map(self._match, self.vertices))
        """True if there is a perfect matching."""
        self.mates = [NOBODY] * len(self.vertices)
        if self.is_perfect:
            for vertex in self.vertices:
                if vertex.mate is not None:  # for mypy: all have one
                    self.mates[vertex.number] = vertex.mate.number

    def _match(self, vertex: Vertex) -> bool:
        """Match a vertex if it has no mate, and return whether it has one then."""
        if vertex.mate is not None:
            return True
        tree = Tree(self.vertices, self.blossoms, self._numbers)
        is_matched = tree.match(vertex)
        self.scans += tree.scans
        return is_matched
