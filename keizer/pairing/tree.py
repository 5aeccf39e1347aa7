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
    """An alternating tree, which gives one more vertex of the graph a mate.

    The tree begins with this vertex, the root. Its nodes are *outer* (at an even
    distance from the root) or *inner* (at an odd one). A clock runs: at each tick the
    prices of outer vertices rise by 1, and those of inner vertices fall by 1. A pair
    becomes *tight* when its two vertices offer what it costs. The tree grows along
    tight pairs until it reaches a vertex without a mate.

    vertices: all vertices of the graph. blossoms: all blossoms by number; the tree adds
    those that it makes, and removes those that it expands. numbers: yields the numbers
    for new blossoms.

    A tick would have to change the prices of all vertices in the tree. To save this,
    the attributes `price` and `surplus` are left alone, and the real numbers are worked
    out with the clock:

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
        """Make an empty tree, whose clock stands at 0."""
        self.vertices = vertices
        self.blossoms = blossoms
        self.numbers = numbers
        self.clock = 0
        """The ticks so far: by how much the price of the root has risen."""
        self.events: list[Event] = []
        """A heap of what is to happen, the earliest in front."""
        self.soonest: dict[Vertex, int] = {}
        """By vertex outside of the tree, the earliest time of an event in which the
        tree reaches it."""
        self.end: int | None = None
        """The earliest time of an event in which the tree reaches a single vertex: one
        without a mate and a blossom. Then the tree is done, so later events are
        needless. None as long as there is no such event."""
        self.nodes: set[Node] = set()
        """The topmost nodes in the tree: those that are in no blossom."""
        self.scans = 0
        """The number of outer vertices whose pairs were looked at: a measure of work.
        """

    def match(self, root: Vertex) -> bool:
        """Give a vertex without a mate a mate, and return whether that was possible.

        Other vertices may get new mates, and prices and blossoms change too.
        """
        self._make_outer(root.top)
        is_matched = self._grow()
        # From now on, `price` has to be the real price. A copy is needed, since
        # _set_label removes nodes from self.nodes.
        for node in list(self.nodes):
            self._set_label(node, FREE)
        return is_matched

    def _grow(self) -> bool:
        """Grow the tree until the root is matched, and return whether that happened.

        The tree grows by events. There are two kinds: a blossom has spent its surplus
        and is taken apart (EXPANSION), or a pair becomes tight: its two vertices offer
        what it costs. The root cannot be matched if no events are left. Then there is
        no perfect matching.
        """
        while self.events:
            event = heappop(self.events)
            if event[-1] == EXPANSION:
                time, blossom_number, _ = event
                self._expand_at(time, blossom_number)
                continue
            time, outer_number, neighbour_number = event
            outer = self.vertices[outer_number]
            neighbour = self.vertices[neighbour_number]
            # Events stay on the heap when they are out of date, and are ignored here.
            if self._is_tight_at(time, outer, neighbour):
                self.clock = time
                is_root_matched = self._follow(outer, neighbour)
                if is_root_matched:
                    return True
        return False

    def _is_tight_at(self, time: int, outer: Vertex, neighbour: Vertex) -> bool:
        """Return whether a pair really becomes tight at the time of an event.

        With a neighbour outside of the tree, it does at this time of the clock:

            time = cost - price of outer - price of neighbour

        Then the two offer what the pair costs, since an outer vertex offers `price` +
        clock, and a vertex outside of the tree just its `price`.

        The event may be out of date: a label or a price may have changed since it was
        put on the heap.

        outer: a vertex in an outer node of the tree, whose price rises with the clock.
        """
        label = neighbour.top.label
        # With an inner vertex, one price rises and the other falls, so the pair does
        # not become tight. A pair within one node is no way to grow the tree.
        if label == INNER or neighbour.top is outer.top:
            return False
        tight_time = outer.costs[neighbour] - outer.price - neighbour.price
        if label == OUTER:
            tight_time >>= 1  # both prices rise, so it takes half as long
        return tight_time == time

    def _follow(self, outer: Vertex, neighbour: Vertex) -> bool:
        """Change the tree by a tight pair; return True if the root has a mate then.

        The pair leads from an outer node to a neighbour in another outer node or
        outside of the tree. Three things can happen: the tree shrinks a cycle to a
        blossom, or it reaches a node without a mate and is done, or it grows.
        """
        node = neighbour.top
        if node.label == OUTER:
            self._shrink(outer, neighbour)
            return False
        mate = node.base.mate  # of a node, only the base has a mate outside
        if mate is None:
            self._augment(outer, neighbour)
            return True
        # A matched node outside of the tree: it becomes an inner node, and the node of
        # its mate an outer one.
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
        other side. The inner node that has lost its mate is matched in the next turn of
        the loop, over its `entry`: the tight pair by which the tree has reached it.

        A node is a vertex or a blossom, and `top` is the node in which a vertex lies.
        The `base` of a node is its only vertex with a mate outside of the node.
        """
        tight_pair: Link | None = (outer, neighbour)
        while tight_pair is not None:
            outer_vertex, other_vertex = tight_pair
            outer_node = outer_vertex.top
            # This comes before `set_base`, since the old base has the mate that is
            # given up. The root alone has none: then all are matched.
            former_mate = outer_node.base.mate
            # The two vertices are in different nodes. So each has to be the base of its
            # node, before they can be mates.
            set_base(outer_node, outer_vertex)
            set_base(other_vertex.top, other_vertex)
            outer_vertex.match(other_vertex)
            if former_mate is None:
                tight_pair = None
            else:
                inner_node = former_mate.top
                tight_pair = inner_node.entry

    def _make_outer(self, node: Node) -> None:
        """Make a node an outer one, whose vertices offer more with each tick.

        The events in which pairs of these vertices become tight are added.
        """
        self._set_label(node, OUTER)
        self._scan_all(node.leaves)

    def _set_label(self, node: Node, label: int) -> None:
        """Give a topmost node another label, and keep its real prices and surplus.

        The label says whether the real prices rise with the clock (OUTER, 1), fall
        (INNER, -1) or stay (FREE, 0): a real price is price + label * clock. It is the
        same before and after, so the attribute `price` changes:

            new price + new label * clock = old price + old label * clock

        The surplus of a blossom changes likewise. A node that gets the label FREE is
        removed from `nodes`, those in the tree. With another label it is added.
        """
        change = (node.label - label) * self.clock
        if change:
            for vertex in node.leaves:
                vertex.price += change
        self._set_label_and_surplus(node, label)

    def _set_label_and_surplus(self, node: Node, label: int) -> None:
        """Give a topmost node another label, and keep its real surplus.

        The real surplus of a blossom is surplus + label * clock. It is the same before
        and after, so the attribute `surplus` changes:

            new surplus + new label * clock = old surplus + old label * clock

        The prices of the vertices are not changed: the caller has to do that. A node
        that gets the label FREE is removed from `nodes`, those in the tree. With
        another label it is added.
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
        """Add the event that expands a new inner node, if it is a blossom.

        An inner blossom loses surplus with the clock, and is taken apart when none is
        left. The real surplus, `surplus` - clock, is 0 when the clock is at `surplus`.
        """
        if isinstance(node, Blossom):
            heappush(self.events, (node.surplus, node.number, EXPANSION))

    def _scan_all(self, vertices: Sequence[Vertex]) -> None:
        """Add the events in which pairs of new outer vertices become tight."""
        for vertex in vertices:
            self._scan(vertex)

    def _scan(self, outer: Vertex) -> None:
        """Add the events in which pairs of an outer vertex become tight.

        With a neighbour outside of the tree, that happens at this time of the clock:

            time = cost - price of outer - price of neighbour

        Then the two offer what the pair costs, since an outer vertex offers `price` +
        clock, and a vertex outside of the tree just its `price`. With another outer
        vertex, both of them offer `price` + clock, so that it takes half the time.

        Left out are pairs within a node, pairs that cannot become tight, and events
        that others make needless, since these come first.
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
                continue  # the root is matched before that
            heappush(events, (time, outer.number, neighbour.number))
            if label == FREE:
                soonest[neighbour] = time
                if neighbour.is_single():
                    end = time  # a single neighbour is a mate for the root
        self.end = end

    def _await_return(self, vertex: Vertex) -> None:
        """Add the event in which the tree reaches a vertex that has just left it.

        The tree reaches it over a pair with an outer vertex, at this time of the clock:

            time = cost - price of the outer vertex - price of the vertex

        Then the two offer what the pair costs, since an outer vertex offers `price` +
        clock, and a vertex outside of the tree just its `price`. Of all such pairs the
        earliest one counts. No event is added if the vertex has no outer neighbour.
        """
        # A time from before the vertex was in the tree does not hold any more.
        self.soonest.pop(vertex, None)
        # The price of the vertex is the same in all times. It is taken off the earliest
        # one only, which saves work.
        times_without_own_price = [
            (cost - neighbour.price, neighbour.number)
            for neighbour, cost in vertex.costs.items()
            if neighbour.top.label == OUTER
        ]
        if times_without_own_price:
            earliest, outer_number = min(times_without_own_price)
            time = earliest - vertex.price
            self.soonest[vertex] = time
            heappush(self.events, (time, outer_number, vertex.number))

    # ------------------------------------------------------------ blossoms

    def _shrink(self, outer: Vertex, neighbour: Vertex) -> None:
        """Make an outer blossom of the cycle that a pair of outer nodes closes.

        The pair joins two ways to the root, and so makes a cycle. All vertices in it
        become outer vertices.
        """
        cycle, links = self._cycle_of(outer, neighbour)
        newly_outer: list[Vertex] = []
        for node in cycle:
            if node.label == INNER:
                newly_outer += node.leaves
            # The blossom made below takes the place of its nodes in the tree.
            self._set_label_and_surplus(node, FREE)
        # The real price is price + label * clock, and stays when the label goes from
        # INNER (-1) to OUTER (1). The vertices of outer nodes have that label already.
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

        From each of the two nodes a way leads to the root. The first node that is on
        both ways is the stem. The cycle begins there. It goes to the outer vertex, over
        the pair to its neighbour, and back to the stem.

        Example: from the two nodes, the ways are e d c b a and g f c b a. Then c is the
        stem, and the cycle is c d e g f.
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
        """Return the nodes from an outer node to the root, and the links between them.

        A link is a pair of vertices, one in either node. Each turn of the loop goes two
        links further, by a matched pair and by a tight pair:

            node (base) ==matched== (mate) inner node (reached) --tight-- (outer) next

        The `base` of a node is its only vertex with a mate outside of the node, and the
        `top` of a vertex is the node in which it lies.
        """
        nodes = [node]
        links: list[Link] = []
        while node.base.mate is not None:  # the root alone has no mate
            base = node.base
            mate = node.base.mate
            inner_node = mate.top
            # The tree has grown the other way, so the entry of the inner node is the
            # tight pair from the outer vertex to the vertex that was reached.
            outer, reached = inner_node.entry
            next_node = outer.top
            nodes += [inner_node, next_node]
            links += [(base, mate), (reached, outer)]
            node = next_node
        return nodes, links

    def _expand_at(self, time: int, number: int) -> None:
        """Take a blossom apart if its surplus is really spent at the time of an event.

        The event may be out of date: the blossom may have got another label or surplus,
        or may not exist any more. Then nothing is done.
        """
        blossom = self.blossoms.get(number)
        if blossom and blossom.label == INNER and blossom.surplus == time:
            self.clock = time
            self._expand(blossom)

    def _expand(self, blossom: Blossom) -> None:
        """Take an inner blossom apart whose surplus is spent.

        A blossom is a cycle of nodes, which are in no blossom after that. The tree has
        come into one node of the cycle, and goes on from the base, which is in the
        first node. Two ways along the cycle lead from the one to the other. The way
        with an even number of links stays in the tree: its nodes are inner and outer in
        turn, and both ends are inner. The other nodes of the cycle leave the tree.

        Example: the cycle is a b c d e, with the base in a, and the tree has come into
        c. Then c, b and a stay: c is inner, b outer and a inner. Nodes d and e leave;
        they are matched with each other.
        """
        self._set_label_and_surplus(blossom, FREE)
        del self.blossoms[blossom.number]
        blossom.open_up()
        # The blossom was an inner node, so `price` of all its vertices is still that of
        # inner ones. Below, _set_label changes it for the nodes that are not inner.
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
        # First all labels, and then the events, since these depend on the labels.
        for node in leaving:
            self._set_label(node, FREE)
        for node in outer_nodes:
            self._set_label(node, OUTER)
        for node in outer_nodes:
            self._scan_all(node.leaves)
        for node in leaving:
            for vertex in node.leaves:
                self._await_return(vertex)
