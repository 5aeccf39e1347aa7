"""Vertices and blossoms: the graph of a matching, with what is solved of it.

A matching takes the players for the vertices of a graph. An odd set of them, tied
together by an odd cycle of tight pairs, can act as one vertex: a blossom. Vertices and
blossoms are nodes, and the cycle of a blossom may lead through further blossoms. Nodes
that are in no blossom are topmost. matching.py has the terms and the sources.
"""

FREE = 0
"""The label of a node that is not in the tree: its price stays."""

OUTER = 1
"""The label of a node at an even distance from the root: its price rises."""

INNER = -1
"""The label of a node at an odd distance from the root: its price falls."""


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

        If not, return a part of it that is not. The rest, for blossoms further out, can
        only raise it.
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
            nodes = [*self.cycle[place:], self.cycle[0]]
            links = self.links[place:]
        else:
            nodes = self.cycle[place::-1]
            links = reverse_links(self.links[:place])
        return nodes, links


def set_base(node: Node, vertex: Vertex) -> None:
    """Match a node within itself so that a vertex of it is its base."""
    # A list and no recursion, since blossoms can be nested hundreds deep.
    waiting = [(node, vertex)]
    while waiting:
        inner_node, base = waiting.pop()
        if isinstance(inner_node, Blossom) and inner_node.base is not base:
            waiting += inner_node.rotate(base)


def reverse_links(links: list[Link]) -> list[Link]:
    """Return the links of a way that is gone the other way round."""
    return [(high, low) for low, high in reversed(links)]
