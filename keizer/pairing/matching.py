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

The algorithm matches one vertex after the other. From an unmatched vertex, the root, it
grows an alternating tree: a tight pair leads from an outer node to an inner one, and a
pair of the matching on to the next outer node. While prices of outer vertices rise, and
those of inner ones fall, further pairs become tight. A tight pair does one of three
things:

- it leads to a matched node, so that the tree grows by two nodes;
- it joins two outer nodes. Then an odd cycle is closed, and becomes a blossom, which is
  a node from then on;
- it leads to an unmatched node. Then all pairs on the way to the root are exchanged, so
  that one pair more is matched.

J. Edmonds, Paths, trees, and flowers (1965); the single-tree form is that of
W. Cook and A. Rohe, Computing minimum-weight perfect matchings (1999).
"""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

FREE = 0
"""The label of a node that is not in the tree: its price stays."""

OUTER = 1
"""The label of a node at an even distance from the root: its price rises."""

INNER = -1
"""The label of a node at an odd distance from the root: its price falls."""

NOBODY = -1
"""The partner of everybody in a graph without a perfect matching."""

EXPANSION = -1
"""The second number of an event in which the first is a blossom to be expanded."""

Pairs = Mapping[tuple[int, int], int]
"""What pairs cost, by the numbers of their two vertices."""


class Node:
    """A vertex, or a blossom with all that is in it."""

    __slots__ = ("base", "entry", "label", "leaves", "number", "parent")

    entry: "Link"
    """The pair by which the tree has reached an inner node, the outer vertex first."""

    def __init__(self, number: int, base: "Vertex", leaves: "list[Vertex]") -> None:
        self.number = number
        """Vertices have the first numbers, then blossoms as they are made."""
        self.base = base
        """The vertex in it whose mate, if it has one, is not in it."""
        self.leaves = leaves
        """The vertices in it."""
        self.parent: Blossom | None = None
        """The blossom in whose cycle it is; None for a topmost node."""
        self.label = FREE
        """The place of a topmost node in the tree."""


class Vertex(Node):
    """One who is to be paired."""

    __slots__ = ("costs", "mate", "price", "top")

    def __init__(self, number: int, price: int) -> None:
        super().__init__(number, self, [self])
        self.costs: dict[Vertex, int] = {}
        """Its neighbours, and what a pair with each of them costs."""
        self.mate: Vertex | None = None
        """The neighbour that it is matched with."""
        self.price = price
        """Its dual, with the surplus of all blossoms around it."""
        self.top: Node = self
        """The topmost node that it is in."""

    def is_single(self) -> bool:
        """Return whether it is unmatched, and in no blossom."""
        return self.mate is None and self.top is self

    def match(self, neighbour: "Vertex") -> None:
        """Match it with a neighbour; others may still have these two for mates."""
        self.mate = neighbour
        neighbour.mate = self

    def unmatch(self) -> None:
        """Take it and its mate, if it has one, out of the matching."""
        if self.mate is not None:
            self.mate.mate = None
            self.mate = None

    def reduced_cost(self, neighbour: "Vertex") -> int:
        """Return the reduced cost with a neighbour if it is negative.

        If it is not, return a part that shows this: before all blossoms around the two
        are looked at, it is known.
        """
        reduced_cost = self.costs[neighbour] - self.price - neighbour.price
        blossom = self.parent
        while reduced_cost < 0 and blossom is not None:
            if neighbour in blossom.leaves:
                reduced_cost += 2 * blossom.surplus
            blossom = blossom.parent
        return reduced_cost


Link = tuple[Vertex, Vertex]
"""A pair that joins two nodes: a vertex of the first, and one of the second."""


class Blossom(Node):
    """An odd cycle of nodes that tight pairs join.

    cycle: the nodes, that with the base first. links: for each of them the pair that
    joins it with the next one, or the last with the first.
    """

    __slots__ = ("cycle", "links", "surplus")

    def __init__(self, number: int, cycle: list[Node], links: list[Link]) -> None:
        leaves: list[Vertex] = []
        for node in cycle:
            node.parent = self
            leaves += node.leaves
        for vertex in leaves:
            vertex.top = self
        super().__init__(number, cycle[0].base, leaves)
        self.cycle = cycle
        self.links = links
        self.surplus = 0
        """Its dual."""

    def open_up(self) -> None:
        """Make the nodes of the cycle topmost ones."""
        for node in self.cycle:
            node.parent = None
            for vertex in node.leaves:
                vertex.top = node

    def node_of(self, vertex: Vertex) -> Node:
        """Return the node of the cycle that a vertex is in."""
        node: Node = vertex
        while node.parent is not None and node.parent is not self:
            node = node.parent
        return node

    def rotate(self, base: Vertex) -> list[tuple[Node, Vertex]]:
        """Let the cycle begin at the node of a new base, and match the others in pairs.

        Return each node of the cycle with the vertex that has to be its own base then.
        """
        first = self.node_of(base)
        place = self.cycle.index(first)
        self.cycle = self.cycle[place:] + self.cycle[:place]
        self.links = self.links[place:] + self.links[:place]
        self.base = base
        own_bases = [(first, base)]
        for index in range(1, len(self.cycle), 2):
            low, high = self.links[index]
            low.match(high)
            own_bases.append((self.cycle[index], low))
            own_bases.append((self.cycle[index + 1], high))
        return own_bases

    def even_way_to_base(self, node: Node) -> tuple[list[Node], list[Link]]:
        """Return the nodes from one of the cycle to the base, and their links.

        Of the two ways along the cycle that is the one with an even number of links.
        """
        place = self.cycle.index(node)
        if place % 2:
            return [*self.cycle[place:], self.cycle[0]], self.links[place:]
        return self.cycle[place::-1], reverse_links(self.links[:place])


def set_base(node: Node, vertex: Vertex) -> None:
    """Match a node within itself so that a vertex of it is its base."""
    # A list and no recursion, since blossoms can be nested hundreds deep.
    waiting = [(node, vertex)]
    while waiting:
        inner_node, base = waiting.pop()
        if isinstance(inner_node, Blossom) and inner_node.base is not base:
            waiting += inner_node.rotate(base)


def reverse_links(links: Sequence[Link]) -> list[Link]:
    """Return the links of a way that is gone the other way round."""
    return [(high, low) for low, high in reversed(links)]


class Matching:
    """A minimum-weight perfect matching of a graph, and the prices that prove it.

    costs: for each vertex its neighbours by number, and what the pair costs: an even
    whole number, for prices may be halves of costs, and the same from both sides.
    prices: what each vertex offers to begin with, 0 unless given. They are lowered
    where they exceed what a pair costs; good ones save work.
    """

    def __init__(self, costs: list[dict[int, int]], prices: Sequence[int] = ()) -> None:
        self.vertices: list[Vertex] = []
        for number in range(len(costs)):
            self.vertices.append(Vertex(number, prices[number] if prices else 0))
        for vertex, row in zip(self.vertices, costs, strict=True):
            for number, cost in row.items():
                vertex.costs[self.vertices[number]] = cost
        self.blossoms: dict[int, Blossom] = {}
        """The blossoms by number, in the order in which they were made."""
        self.last_number = len(costs) - 1
        """The highest number that a node has had."""
        self.mate: list[int] = []
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
        for vertex, mate in enumerate(self.mate):
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
                for blossom in around[number] & around[other]:
                    reduced_cost += 2 * blossom.surplus
                if reduced_cost < 0:
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
        self.found = all(
            vertex.mate is not None or self._search(vertex) for vertex in self.vertices
        )
        """Whether there is a perfect matching."""
        self.mate = [
            NOBODY if vertex.mate is None or not self.found else vertex.mate.number
            for vertex in self.vertices
        ]

    # ------------------------------------------------------------ one tree

    def _search(self, root: Vertex) -> bool:
        """Match an unmatched vertex by an alternating tree; return whether it can be.

        The prices of outer vertices rise with the clock, and those of inner ones fall,
        as does the surplus of topmost blossoms. Both are kept as if the clock stood at
        0, and are changed when a node gets another label.
        """
        self.clock = 0
        self.events: list[tuple[int, int, int]] = []
        """A heap: when a pair becomes tight, the outer vertex, and its neighbour."""
        self.soonest: dict[Vertex, int] = {}
        """By vertex that is not in the tree, the time of its first event."""
        self.limit: int | None = None
        """The first time that is known at which the tree reaches a single vertex."""
        self.tree: set[Node] = set()
        """The topmost nodes with a label."""
        self._make_outer(root.top)
        is_matched = self._grow()
        for node in list(self.tree):
            self._set_label(node, FREE)
        return is_matched

    def _grow(self) -> bool:
        """Grow the tree until its root is matched, and return whether it is."""
        while self.events:
            time, number, other = heappop(self.events)
            if other == EXPANSION:
                self._expand_at(time, number)
                continue
            outer = self.vertices[number]
            neighbour = self.vertices[other]
            if self._is_tight_at(time, outer, neighbour):
                self.clock = time
                if self._follow(outer, neighbour):
                    return True
        return False

    def _is_tight_at(self, time: int, outer: Vertex, neighbour: Vertex) -> bool:
        """Return whether a pair becomes tight at a time, as an event says.

        It does not if a label or a price has changed since the event was noted.
        """
        label = neighbour.top.label
        if label == INNER or neighbour.top is outer.top:
            return False
        reduced_cost = outer.costs[neighbour] - outer.price - neighbour.price
        if label == OUTER:
            reduced_cost >>= 1  # the prices of both rise
        return reduced_cost == time

    def _follow(self, outer: Vertex, neighbour: Vertex) -> bool:
        """Follow a tight pair out of the tree; return whether that matches the root."""
        node = neighbour.top
        if node.label == OUTER:
            self._shrink(outer, neighbour)
            return False
        mate = node.base.mate
        if mate is None:
            set_base(node, neighbour)
            self._augment(outer, neighbour)
            return True
        node.entry = (outer, neighbour)
        self._set_label(node, INNER)
        self._await_expansion(node)
        self._make_outer(mate.top)
        return False

    def _augment(self, outer: Vertex, neighbour: Vertex) -> None:
        """Match an outer vertex with a neighbour, and exchange pairs down to the root.

        Each outer node on the way is matched with the inner one that it led to.
        """
        while True:
            node = outer.top
            former_mate = node.base.mate
            set_base(node, outer)
            outer.match(neighbour)
            if former_mate is None:
                return
            inner_node = former_mate.top
            outer, neighbour = inner_node.entry
            set_base(inner_node, neighbour)

    def _make_outer(self, node: Node) -> None:
        """Add an outer node to the tree."""
        self._set_label(node, OUTER)
        self._scan_all(node.leaves)

    def _set_label(self, node: Node, label: int) -> None:
        """Give a topmost node, with all vertices in it, its place in the tree."""
        change = (node.label - label) * self.clock
        if change:
            for vertex in node.leaves:
                vertex.price += change
        self._set_own_label(node, label)

    def _set_own_label(self, node: Node, label: int) -> None:
        """Give a topmost node its place in the tree; the prices stay as they are."""
        if isinstance(node, Blossom):
            node.surplus += (node.label - label) * self.clock
        node.label = label
        if label == FREE:
            self.tree.discard(node)
        else:
            self.tree.add(node)

    # ------------------------------------------------------------ events

    def _await_expansion(self, node: Node) -> None:
        """Note when an inner node, if it is a blossom, has spent its surplus."""
        if isinstance(node, Blossom):
            heappush(self.events, (node.surplus, node.number, EXPANSION))

    def _scan_all(self, vertices: Sequence[Vertex]) -> None:
        """Scan vertices that have become outer ones."""
        for vertex in vertices:
            self._scan(vertex)

    def _scan(self, outer: Vertex) -> None:
        """Note when the pairs of an outer vertex become tight, as far as it matters."""
        self.scans += 1
        # Local names: no loop of the matching runs more often than this one.
        events = self.events
        soonest = self.soonest
        limit = self.limit
        own_node = outer.top
        own_price = outer.price
        for neighbour, cost in outer.costs.items():
            node = neighbour.top
            label = node.label
            if label == INNER or node is own_node:
                continue
            time = cost - own_price - neighbour.price
            if label == OUTER:
                time >>= 1  # the prices of both rise
            elif neighbour in soonest and time >= soonest[neighbour]:
                continue  # another outer vertex reaches it no later
            if limit is not None and time > limit:
                continue  # the root is matched before
            heappush(events, (time, outer.number, neighbour.number))
            if label == FREE:
                soonest[neighbour] = time
                if neighbour.is_single():
                    limit = time
        self.limit = limit

    def _await_outer(self, vertex: Vertex) -> None:
        """Note when the tree next reaches a vertex that has left it."""
        self.soonest.pop(vertex, None)
        offers = [
            (cost - neighbour.price, neighbour.number)
            for neighbour, cost in vertex.costs.items()
            if neighbour.top.label == OUTER
        ]
        if offers:
            offer, outer = min(offers)
            time = offer - vertex.price
            self.soonest[vertex] = time
            heappush(self.events, (time, outer, vertex.number))

    # ------------------------------------------------------------ blossoms

    def _shrink(self, outer: Vertex, neighbour: Vertex) -> None:
        """Make a blossom of the odd cycle that a tight pair in the tree closes."""
        cycle, links = self._cycle_of(outer, neighbour)
        newly_outer: list[Vertex] = []
        for node in cycle:
            if node.label == INNER:
                newly_outer += node.leaves
                for vertex in node.leaves:
                    vertex.price -= 2 * self.clock
            self._set_own_label(node, FREE)
        self.last_number += 1
        blossom = Blossom(self.last_number, cycle, links)
        self.blossoms[blossom.number] = blossom
        self._set_own_label(blossom, OUTER)
        self._scan_all(newly_outer)

    def _cycle_of(
        self, outer: Vertex, neighbour: Vertex
    ) -> tuple[list[Node], list[Link]]:
        """Return the nodes and links of the cycle that a pair in the tree closes.

        It begins at its stem, the first node on the way of both to the root.
        """
        way, links = self._way_to_root(outer.top)
        other_way, other_links = self._way_to_root(neighbour.top)
        on_other_way = {*other_way}
        stem = next(node for node in way if node in on_other_way)
        place = way.index(stem)
        other_place = other_way.index(stem)
        cycle = [stem, *reversed(way[:place]), *other_way[:other_place]]
        links_from_stem = reverse_links(links[:place])
        links_to_stem = other_links[:other_place]
        return cycle, [*links_from_stem, (outer, neighbour), *links_to_stem]

    def _way_to_root(self, node: Node) -> tuple[list[Node], list[Link]]:
        """Return the nodes from an outer one to the root, and their links."""
        nodes = [node]
        links: list[Link] = []
        while node.base.mate is not None:
            mate = node.base.mate
            outer, reached = mate.top.entry
            links += [(node.base, mate), (reached, outer)]
            node = outer.top
            nodes += [mate.top, node]
        return nodes, links

    def _expand_at(self, time: int, number: int) -> None:
        """Expand a blossom if its surplus is spent at a time, as an event says."""
        blossom = self.blossoms.get(number)
        if blossom and blossom.label == INNER and blossom.surplus == time:
            self.clock = time
            self._expand(blossom)

    def _expand(self, blossom: Blossom) -> None:
        """Take an inner blossom apart whose surplus is spent.

        The tree enters it at one node and leaves it at the base, the first node of the
        cycle. Of the two ways between these, that with an even number of links stays in
        the tree, its nodes inner and outer in turn. The other nodes leave the tree.
        """
        self._set_own_label(blossom, FREE)
        del self.blossoms[blossom.number]
        blossom.open_up()
        for node in blossom.cycle:
            self._set_own_label(node, INNER)
        _, reached = blossom.entry
        staying, links = blossom.even_way_to_base(reached.top)
        staying_nodes = {*staying}
        leaving = [node for node in blossom.cycle if node not in staying_nodes]
        inner_nodes = staying[::2]
        outer_nodes = staying[1::2]
        entries = [blossom.entry, *links[1::2]]
        for node, entry in zip(inner_nodes, entries, strict=True):
            node.entry = entry
            self._await_expansion(node)
        # No vertex is scanned before all labels are set, since a scan goes by them.
        for node in leaving:
            self._set_label(node, FREE)
        for node in outer_nodes:
            self._set_label(node, OUTER)
        for node in outer_nodes:
            self._scan_all(node.leaves)
        for node in leaving:
            for vertex in node.leaves:
                self._await_outer(vertex)
