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
"""The mate of everybody in a graph without a perfect matching: a number of no vertex.
"""

CostOfPair = Mapping[tuple[int, int], int]
"""The costs of pairs, by the numbers of their two vertices."""


class Matching:
    """A minimum-weight perfect matching of a graph, and the prices that prove it.

    The matching gives each vertex a *mate*, so that all pairs together cost the least.
    Each vertex also has a *price*, what it offers to be paired. The *reduced cost* of a
    pair is its cost less its two prices (and a correction within blossoms). In
    the end none is negative, which proves that no matching is cheaper.

    costs: for each vertex, the costs of its pairs by the number of the neighbour. Each
    pair has the same cost in both rows. All costs are even whole numbers, since prices
    may be halves of them. prices: the prices to begin with, 0 if none are given. If two
    of them exceed the cost of a pair, they are lowered first. Good ones save work.
    """

    def __init__(self, costs: list[dict[int, int]], prices: Sequence[int] = ()) -> None:
        """Make the graph, and match all vertices."""
        first_prices = prices or [0] * len(costs)
        self.vertices = [
            Vertex(number, price) for number, price in enumerate(first_prices)
        ]
        for vertex, row in zip(self.vertices, costs, strict=True):
            for number, cost in row.items():
                vertex.costs[self.vertices[number]] = cost
        self.blossoms: dict[int, Blossom] = {}
        """The blossoms by number, in the order in which they were made. A blossom is an
        odd number of vertices that act as one."""
        self._numbers = count(len(costs))
        """The numbers for further blossoms: those after the numbers of the vertices."""
        self.mates: list[int] = []
        """By vertex, the number of its mate; NOBODY for all if is_perfect is False."""
        self.scans = 0
        """How often all pairs of a vertex were looked at: a measure of work."""
        # Everything that follows needs prices at which no reduced cost is negative.
        self._lower_prices_to_costs()
        self._match_greedily()
        self._match_all()

    def add(self, costs: CostOfPair) -> None:
        """Add pairs to the graph, and go on until the matching is the cheapest again.

        The two vertices of a new pair may offer more than the pair costs. Then one of
        them lowers its price, and loses its mate and the blossoms around it. All other
        vertices begin with the prices, mates and blossoms that they have.

        costs: the costs of the new pairs, by the numbers of their two vertices.
        """
        # By vertex, the neighbours with whom it offers more than the pair costs.
        too_cheap: dict[Vertex, set[Vertex]] = {}
        for (number, other), cost in costs.items():
            vertex = self.vertices[number]
            neighbour = self.vertices[other]
            vertex.costs[neighbour] = cost
            neighbour.costs[vertex] = cost
            if vertex.reduced_cost(neighbour) < 0:
                too_cheap.setdefault(vertex, set()).add(neighbour)
                too_cheap.setdefault(neighbour, set()).add(vertex)
        while too_cheap:
            # First the vertex that is in most of these pairs, so that few prices fall.
            vertex = max(too_cheap, key=lambda each: len(too_cheap[each]))
            self._lower_price(vertex)
            # Now none of its pairs is too cheap, so all are removed from `too_cheap`.
            for neighbour in too_cheap.pop(vertex):
                too_cheap[neighbour].remove(vertex)
                if not too_cheap[neighbour]:
                    del too_cheap[neighbour]
        self._match_greedily()
        self._match_all()

    # ------------------------------------------------------------ the proof

    def proves(self, costs: CostOfPair) -> bool:
        """Return whether no perfect matching of these pairs is cheaper than this one.

        This is computed from the prices of the vertices and the surpluses of the
        blossoms (the duals), and does not rely on the search. They give a lower bound
        for the cost of every matching, if no pair costs less than the duals allow. If
        this matching costs just the lower bound, none can be cheaper.

        costs: the costs of all pairs, also of those that are not in the graph.
        """
        if not self._is_dual_feasible(costs):
            return False
        cost = 0
        for vertex, mate in enumerate(self.mates):
            if vertex < mate:
                cost += costs[vertex, mate]
        return cost == self._lower_bound()

    def _lower_bound(self) -> int:
        """Return what any perfect matching costs at least.

        This holds if the prices and surpluses pass `_is_dual_feasible`. Then each pair
        costs at least its two prices, less twice the surplus of each blossom around
        both. So all pairs together cost at least the sum of all prices, less twice the
        surplus of each blossom for each pair that lies within it.
        """
        bound = sum(vertex.price for vertex in self.vertices)
        for blossom in self.blossoms.values():
            # The number of vertices is odd: of 7, no more than 3 pairs can be made.
            most_pairs_within = len(blossom.leaves) // 2
            bound -= 2 * blossom.surplus * most_pairs_within
        return bound

    def _is_dual_feasible(self, costs: CostOfPair) -> bool:
        """Return whether prices and surpluses give a lower bound for these pairs.

        They do if each blossom has an odd number of vertices, and neither a surplus nor
        a reduced cost is negative. The reduced cost of a pair is its cost, less its two
        prices, plus twice the surplus of each blossom around both.
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
            # Surplus can only raise it, and takes long to find: added only if needed.
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

        Mates and blossoms need *tight* pairs: pairs whose reduced cost is 0. With a
        lower price the pairs of the vertex may not be tight any more. So the vertex
        first loses its mate, and the blossoms around it are taken apart.
        """
        while isinstance(vertex.top, Blossom):  # the outermost one first
            self._dissolve(vertex.top)
        vertex.unmatch()
        lowest = min(map(vertex.reduced_cost, vertex.costs))
        if lowest < 0:
            vertex.price += lowest

    def _dissolve(self, blossom: Blossom) -> None:
        """Take apart a blossom that is in no other blossom, whatever its surplus.

        A price includes the surplus of all blossoms around the vertex. Without this
        blossom, the price of each of its vertices is lower by the surplus. That changes
        the reduced costs of pairs: the cost less the two prices, plus twice the surplus
        of each blossom around both.

            both vertices in the blossom    it stays: both prices fall by the surplus,
                                            and twice the surplus is added no more
            one of them in the blossom      it rises by the surplus: one price falls

        Two mates must have a reduced cost of 0. So mates within the blossom stay mates.
        The base, which alone may have a mate outside, loses this mate, unless the
        surplus is 0 and so nothing changes.
        """
        if blossom.surplus > 0:
            blossom.base.unmatch()
        for vertex in blossom.leaves:
            vertex.price -= blossom.surplus
        blossom.open_up()
        del self.blossoms[blossom.number]

    def _match_greedily(self) -> None:
        """Match vertices with each other where that is possible at once, to save time.

        A vertex is single if it has no mate and is in no blossom. The price of each
        single vertex is raised until the first of its pairs is tight: until the two
        offer what the pair costs. If the neighbour is single too, they are matched. The
        remaining vertices are matched later by alternating trees, which take longer.
        """
        for vertex in self.vertices:
            if not vertex.costs or not vertex.is_single():
                continue
            # With each neighbour, the pair is tight at this price of the vertex. None
            # is below the present price, as no two offer more than their pair costs.
            tight_at = {each: cost - each.price for each, cost in vertex.costs.items()}
            vertex.price = min(tight_at.values())
            tight = [each for each, price in tight_at.items() if price == vertex.price]
            # Neighbours without a mate come first (False sorts before True), then the
            # lowest number. One who is in a blossom is left to the trees.
            neighbour = min(
                tight, key=lambda each: (each.mate is not None, each.number)
            )
            if neighbour.is_single():
                vertex.match(neighbour)

    def _match_all(self) -> None:
        """Match all vertices that have no mate, and set `is_perfect` and `mates`.

        If a vertex cannot be matched, there is no perfect matching: then `is_perfect`
        becomes False, and everybody's mate NOBODY.
        """
        # `all` stops at the first vertex that cannot be matched.
        self.is_perfect = all(map(self._match, self.vertices))
        """True if there is a perfect matching."""
        self.mates = [NOBODY] * len(self.vertices)
        if self.is_perfect:
            for vertex in self.vertices:
                if vertex.mate is not None:  # for mypy: all have one
                    self.mates[vertex.number] = vertex.mate.number

    def _match(self, vertex: Vertex) -> bool:
        """Match a vertex if it has no mate, and return whether it has a mate now.

        Others may get new mates, but nobody loses their mate without a new one.
        """
        if vertex.mate is not None:
            return True
        # A new tree for each vertex: it grows from this vertex, changes the blossoms,
        # and takes the numbers for new ones.
        tree = Tree(self.vertices, self.blossoms, self._numbers)
        is_matched = tree.match(vertex)
        self.scans += tree.scans
        return is_matched
