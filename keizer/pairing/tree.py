"""The alternating tree, by which one more vertex is matched.

It grows from an unmatched vertex, the root. A tight pair leads from an outer node to an
inner one, and a pair of the matching on to the next outer node. As the clock runs, the
prices of outer vertices rise and those of inner ones fall, so that further pairs become
tight. A pair that is tight does one of three things:

- it leads to a matched node: the tree grows by that and the node of its mate;
- it joins two outer nodes: the odd cycle that it closes shrinks to a blossom, which is
  an outer node from then on;
- it leads to an unmatched node: all pairs on the way to the root are exchanged, so that
  one more is matched.

The surplus of an inner blossom falls too. It is expanded when that is spent.

A heap of events tells what happens next. Events are noted when a vertex becomes an
outer one, and may be out of date when their time comes.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from keizer.pairing.blossoms import (
    FREE,
    INNER,
    OUTER,
    Blossom,
    Link,
    Node,
    Vertex,
    reverse_links,
    set_base,
)

EXPANSION = -1
"""The second number of an event in which the first is a blossom to be expanded."""


class Tree:
    """An alternating tree in a matching.

    vertices: all of the graph. blossoms: by number, those there are; the tree adds its
    own and removes those that it expands. numbers: for further blossoms.

    The prices of vertices, and the surplus of topmost blossoms, are kept as if the
    clock stood at 0. They are changed when a node gets another label.
    """

    def __init__(
        self,
        vertices: Sequence[Vertex],
        blossoms: dict[int, Blossom],
        numbers: Iterator[int],
    ) -> None:
        self.vertices = vertices
        self.blossoms = blossoms
        self.numbers = numbers
        self.clock = 0
        """By how much the prices of outer vertices have risen."""
        self.events: list[tuple[int, int, int]] = []
        """A heap: when a pair becomes tight, the outer vertex, and its neighbour."""
        self.soonest: dict[Vertex, int] = {}
        """By vertex that is not in the tree, the time of its first event."""
        self.limit: int | None = None
        """The first time that is known at which the tree reaches a single vertex."""
        self.nodes: set[Node] = set()
        """The topmost nodes in it."""
        self.scans = 0
        """The number of outer vertices whose pairs were looked at."""

    def match(self, root: Vertex) -> bool:
        """Match an unmatched vertex, and return whether that is possible."""
        self._make_outer(root.top)
        is_matched = self._grow()
        for node in list(self.nodes):
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
            self.nodes.discard(node)
        else:
            self.nodes.add(node)

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
            self._set_own_label(node, FREE)
        # As if they had been outer ones since the clock stood at 0.
        for vertex in newly_outer:
            vertex.price -= 2 * self.clock
        blossom = Blossom(next(self.numbers), cycle, links)
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
