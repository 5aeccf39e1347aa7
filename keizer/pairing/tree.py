"""The alternating tree, which matches one more vertex.

The tree grows from an unmatched vertex, the root. The root is an *outer* node. A tight
pair leads from an outer node to an *inner* node, and from there a matched pair leads on
to the next outer node:

    root = outer --tight-- inner ==matched== outer --tight-- inner ==matched== outer

A clock runs. At each tick the prices of outer vertices rise by 1 and those of inner
vertices fall by 1, so that all pairs of the tree stay tight, and further pairs of outer
vertices become tight. A pair that becomes tight does one of three things:

- It leads to a matched node outside of the tree. This node becomes an inner node, and
  its mate's node an outer one.
- It joins two outer nodes. With their ways to the root it closes an odd cycle, which
  shrinks to a blossom. The blossom is an outer node.
- It leads to an unmatched node. Then all pairs on the way to the root are exchanged:
  tight ones become matched, and matched ones are given up. The root and the unmatched
  node have mates now, and the tree is done.

An outer blossom gains surplus with the clock, and an inner one loses it. An inner
blossom whose surplus is spent is expanded: its nodes become topmost nodes again.

A heap of *events* tells what happens next. An event is put on the heap when a vertex
becomes an outer one. When its time comes it may be out of date, and is ignored then.
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
    reversed_links,
    set_base,
)

EXPANSION = -1
"""The last number of an event that is the expansion of a blossom."""

Event = tuple[int, int, int]
"""A time, and the numbers of an outer vertex and a neighbour whose pair becomes tight
then. If the last is EXPANSION, the second is the number of a blossom whose surplus is
spent then."""


class Tree:
    """An alternating tree in a matching.

    vertices: all vertices of the graph. blossoms: all blossoms by number; the tree adds
    those that it makes, and removes those that it expands. numbers: yields the numbers
    for new blossoms.

    A tick would change all prices of the tree. So the attributes `price` and `surplus`
    are left alone, and the real numbers are worked out with the clock:

        real price   = price + label * clock
        real surplus = surplus + label * clock, of a topmost blossom

    The labels OUTER, INNER and FREE are 1, -1 and 0. When a node gets another label,
    both attributes are changed so that the real numbers stay.
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
        """The ticks so far: by how much the price of the root has risen."""
        self.events: list[Event] = []
        """A heap of what is to happen, the earliest in front."""
        self.soonest: dict[Vertex, int] = {}
        """By vertex outside of the tree, the first time when the tree reaches it."""
        self.end: int | None = None
        """The first time that is known at which the tree reaches a single vertex, and
        so is done. None as long as none is known."""
        self.nodes: set[Node] = set()
        """The topmost nodes in the tree."""
        self.scans = 0
        """The number of outer vertices whose pairs were looked at."""

    def match(self, root: Vertex) -> bool:
        """Match an unmatched vertex, and return whether that was possible."""
        self._make_outer(root.top)
        is_matched = self._grow()
        # Without the tree, `price` has to be the real price. A copy is needed, since
        # _set_label removes nodes from self.nodes.
        for node in list(self.nodes):
            self._set_label(node, FREE)
        return is_matched

    def _grow(self) -> bool:
        """Grow the tree until the root is matched, and return whether that happened.

        It does not if no events are left: then there is no perfect matching.
        """
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
        """Return whether an event is still true: that a pair becomes tight at a time.

        A label or a price may have changed since the event was put on the heap.
        """
        label = neighbour.top.label
        if label == INNER or neighbour.top is outer.top:
            return False
        reduced_cost = outer.costs[neighbour] - outer.price - neighbour.price
        if label == OUTER:
            reduced_cost >>= 1  # both prices rise, so it takes half as long
        return reduced_cost == time

    def _follow(self, outer: Vertex, neighbour: Vertex) -> bool:
        """Shrink, match or grow along a tight pair; return whether the root is matched.

        The neighbour is in an outer node, or outside of the tree.
        """
        node = neighbour.top
        if node.label == OUTER:
            self._shrink(outer, neighbour)
            return False
        mate = node.base.mate
        if mate is None:
            self._augment(outer, neighbour)
            return True
        # A matched node outside of the tree: it and its mate's node are added.
        node.entry = (outer, neighbour)
        self._set_label(node, INNER)
        self._await_expansion(node)
        self._make_outer(mate.top)
        return False

    def _augment(self, outer: Vertex, neighbour: Vertex) -> None:
        """Match an unmatched neighbour, and exchange all pairs on the way to the root.

        On the way to the root the nodes are outer and inner in turn:

            neighbour --tight-- outer ==matched== inner --tight-- outer ... root

        Each outer node gives up its mate and is matched over the tight pair on its
        other side. The inner node that has lost its mate is matched in the next turn,
        over the pair by which the tree has reached it (`entry`).
        """
        tight_pair: Link | None = (outer, neighbour)
        while tight_pair is not None:
            outer_vertex, other_vertex = tight_pair
            outer_node = outer_vertex.top
            # Read before a new base is set: the base has the mate that is given up. The
            # root alone has none.
            former_mate = outer_node.base.mate
            # In a blossom, the vertex of the pair has to be free for a mate outside.
            set_base(outer_node, outer_vertex)
            set_base(other_vertex.top, other_vertex)
            outer_vertex.match(other_vertex)
            tight_pair = former_mate.top.entry if former_mate is not None else None

    def _make_outer(self, node: Node) -> None:
        """Make a node an outer one, and scan its vertices."""
        self._set_label(node, OUTER)
        self._scan_all(node.leaves)

    def _set_label(self, node: Node, label: int) -> None:
        """Give a topmost node another label, so that all real numbers stay."""
        change = (node.label - label) * self.clock
        if change:
            for vertex in node.leaves:
                vertex.price += change
        self._set_label_and_surplus(node, label)

    def _set_label_and_surplus(self, node: Node, label: int) -> None:
        """Give a topmost node another label, so that the real surplus stays.

        The caller has to take care of the prices.
        """
        if isinstance(node, Blossom):
            node.surplus += (node.label - label) * self.clock
        node.label = label
        if label == FREE:
            self.nodes.discard(node)
        else:
            self.nodes.add(node)

    # ------------------------------------------------------------ events

    def _await_expansion(self, node: Node) -> None:
        """Add the event that a new inner node, if it is a blossom, spends its surplus.

        The real surplus, `surplus` - clock, is 0 when the clock is at `surplus`.
        """
        if isinstance(node, Blossom):
            heappush(self.events, (node.surplus, node.number, EXPANSION))

    def _scan_all(self, vertices: Sequence[Vertex]) -> None:
        """Scan vertices that have just become outer ones."""
        for vertex in vertices:
            self._scan(vertex)

    def _scan(self, outer: Vertex) -> None:
        """Add the events in which pairs of an outer vertex become tight.

        Left out are pairs within a node, pairs that cannot become tight, and events
        that come later than one that makes them needless.
        """
        self.scans += 1
        # Local names: no loop of the matching runs more often than this one.
        events = self.events
        soonest = self.soonest
        end = self.end
        own_node = outer.top
        own_price = outer.price
        for neighbour, cost in outer.costs.items():
            node = neighbour.top
            label = node.label
            if label == INNER or node is own_node:
                continue  # with an inner vertex the sum of the prices does not change
            time = cost - own_price - neighbour.price
            if label == OUTER:
                time >>= 1  # both prices rise, so it takes half as long
            elif neighbour in soonest and time >= soonest[neighbour]:
                continue  # another outer vertex reaches the neighbour no later
            if end is not None and time > end:
                continue  # the root is matched before
            heappush(events, (time, outer.number, neighbour.number))
            if label == FREE:
                soonest[neighbour] = time
                if neighbour.is_single():
                    end = time
        self.end = end

    def _await_outer(self, vertex: Vertex) -> None:
        """Add the event in which the tree next reaches a vertex that has left it."""
        self.soonest.pop(vertex, None)  # its time was that of an earlier stay outside
        times = [
            (cost - vertex.price - neighbour.price, neighbour.number)
            for neighbour, cost in vertex.costs.items()
            if neighbour.top.label == OUTER
        ]
        if times:
            time, outer = min(times)
            self.soonest[vertex] = time
            heappush(self.events, (time, outer, vertex.number))

    # ------------------------------------------------------------ blossoms

    def _shrink(self, outer: Vertex, neighbour: Vertex) -> None:
        """Make an outer blossom of the cycle that a pair of outer nodes closes."""
        cycle, links = self._cycle_of(outer, neighbour)
        newly_outer: list[Vertex] = []
        for node in cycle:
            if node.label == INNER:
                newly_outer += node.leaves
            self._set_label_and_surplus(node, FREE)
        # From label INNER to OUTER, as _set_label would do. Outer vertices stay outer.
        for vertex in newly_outer:
            vertex.price -= 2 * self.clock
        blossom = Blossom(next(self.numbers), cycle, links)
        self.blossoms[blossom.number] = blossom
        self._set_label_and_surplus(blossom, OUTER)
        self._scan_all(newly_outer)

    def _cycle_of(
        self, outer: Vertex, neighbour: Vertex
    ) -> tuple[list[Node], list[Link]]:
        """Return the nodes and links of the cycle that a pair of outer nodes closes.

        It begins at the stem: the first node that is on both ways to the root. From
        there it goes to the outer vertex, over the pair, and back to the stem.
        """
        way, links = self._way_to_root(outer.top)
        other_way, other_links = self._way_to_root(neighbour.top)
        on_other_way = {*other_way}
        stem = next(node for node in way if node in on_other_way)
        index = way.index(stem)
        other_index = other_way.index(stem)
        cycle = [stem, *reversed(way[:index]), *other_way[:other_index]]
        links_from_stem = reversed_links(links[:index])
        links_to_stem = other_links[:other_index]
        return cycle, [*links_from_stem, (outer, neighbour), *links_to_stem]

    def _way_to_root(self, node: Node) -> tuple[list[Node], list[Link]]:
        """Return the nodes from an outer node to the root, and their links."""
        nodes = [node]
        links: list[Link] = []
        while node.base.mate is not None:  # the root alone has no mate
            mate = node.base.mate
            inner_node = mate.top
            outer, reached = inner_node.entry
            outer_node = outer.top
            links += [(node.base, mate), (reached, outer)]
            nodes += [inner_node, outer_node]
            node = outer_node
        return nodes, links

    def _expand_at(self, time: int, number: int) -> None:
        """Expand a blossom if an event is still true: that its surplus is spent."""
        blossom = self.blossoms.get(number)
        if blossom and blossom.label == INNER and blossom.surplus == time:
            self.clock = time
            self._expand(blossom)

    def _expand(self, blossom: Blossom) -> None:
        """Take an inner blossom apart whose surplus is spent.

        The tree has reached one node of its cycle, and goes on from the base, which is
        in the first node of the cycle. There are two ways between these two nodes. The
        way with an even number of links stays in the tree: its nodes are inner and
        outer in turn, and both ends inner. The other nodes of the cycle leave the tree.
        """
        self._set_label_and_surplus(blossom, FREE)
        del self.blossoms[blossom.number]
        blossom.open_up()
        # The blossom was an inner node, so `price` of its vertices goes with INNER.
        for node in blossom.cycle:
            self._set_label_and_surplus(node, INNER)
        _, reached = blossom.entry
        staying, links = blossom.even_way_to_base(reached.top)
        staying_nodes = {*staying}
        leaving = [node for node in blossom.cycle if node not in staying_nodes]
        inner_nodes = staying[::2]
        outer_nodes = staying[1::2]
        # The links at 0, 2 ... are matched. Those at 1, 3 ... lead from an outer node
        # to the next inner one.
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
