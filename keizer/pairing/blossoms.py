"""Vertices and blossoms: the nodes of the graph in which a matching is solved.

The vertices are the players. An odd cycle of vertices whose neighbours on the cycle
form tight pairs can act as one vertex: it is a blossom. Its one vertex that is not
matched with another one of the cycle is the *base*. A blossom is said to be *around*
its vertices.

Example: a, b and c are tight with one another, b and c are matched. They are a blossom
with base a. If c gets a mate outside of the blossom, c becomes the base, and a and b
are matched instead.

A cycle may lead through blossoms as well as vertices, so vertices and blossoms are both
called *nodes*, and blossoms can lie in blossoms. A node that is in no blossom is
*topmost*. matching.py explains tight pairs, prices and surplus; tree.py the tree.
"""

FREE = 0
"""The label of a topmost node that is not in the tree. Its prices stay."""

OUTER = 1
"""The label of a topmost node at an even distance from the root. Its prices rise."""

INNER = -1
"""The label of a topmost node at an odd distance from the root. Its prices fall."""


class Node:
    """A vertex, or a blossom with all that is in it.

    number: vertices have the numbers from 0, blossoms those that follow. leaves: the
    vertices in the node; of a vertex, only the vertex itself.
    """

    __slots__ = ("base", "entry", "label", "leaves", "number", "parent")

    entry: "Link"
    """Of an inner node, the tight pair by which the tree has reached the node: the
    outer vertex from which it came, and the vertex in the node."""

    def __init__(self, number: int, base: "Vertex", leaves: "list[Vertex]") -> None:
        self.number = number
        self.base = base
        """The only vertex in the node that may have a mate outside of the node."""
        self.leaves = leaves
        self.parent: Blossom | None = None
        """The blossom that has the node in its cycle; None for a topmost node."""
        self.label = FREE
        """FREE, OUTER or INNER. It only means something for a topmost node."""


class Vertex(Node):
    """A player, or the bye."""

    __slots__ = ("costs", "mate", "price", "top")

    def __init__(self, number: int, price: int) -> None:
        super().__init__(number, self, [self])
        self.costs: dict[Vertex, int] = {}
        """By neighbour, the cost of the pair."""
        self.mate: Vertex | None = None
        """The neighbour with whom the vertex is matched."""
        self.price = price
        """The dual of the vertex, plus the surplus of all blossoms around it."""
        self.top: Node = self
        """The topmost node that the vertex is in: the outermost blossom around it, or
        the vertex itself."""

    def is_single(self) -> bool:
        """Return whether the vertex has no mate and is in no blossom."""
        return self.mate is None and self.top is self

    def match(self, neighbour: "Vertex") -> None:
        """Make two vertices mates.

        Their former mates still name them as mates. The caller has to give each of
        these a new mate, or to unmatch the two first.
        """
        self.mate = neighbour
        neighbour.mate = self

    def unmatch(self) -> None:
        """Separate the vertex and its mate, if there is one."""
        if self.mate is not None:
            self.mate.mate = None
            self.mate = None

    def reduced_cost(self, neighbour: "Vertex") -> int:
        """Return the reduced cost of the pair with a neighbour, if it is negative.

        If it is not, return 0 or more: a lower bound. Blossoms around both are added
        from the innermost on, and no further than needed, as each can only raise it.
        """
        reduced_cost = self.costs[neighbour] - self.price - neighbour.price
        blossom = self.parent
        while reduced_cost < 0 and blossom is not None:
            if neighbour in blossom.leaves:
                reduced_cost += 2 * blossom.surplus
            blossom = blossom.parent
        return reduced_cost


Link = tuple[Vertex, Vertex]
"""A tight pair that joins two nodes: a vertex in the first, and one in the second."""


class Blossom(Node):
    """An odd cycle of nodes, which tight pairs join.

    cycle: the nodes in their order along the cycle, that with the base first. links:
    for each node the link to the next node; the last node has that to the first one.

    Of the links those at index 1, 3, 5 ... are matched. So each node but the first is
    matched with the other node of such a link.
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
        """The dual of the blossom."""

    def open_up(self) -> None:
        """Make the nodes of the cycle topmost nodes."""
        for node in self.cycle:
            node.parent = None
            for vertex in node.leaves:
                vertex.top = node

    def node_of(self, vertex: Vertex) -> Node:
        """Return the node of the cycle that has a vertex of the blossom in it."""
        node: Node = vertex
        while node.parent is not None and node.parent is not self:
            node = node.parent
        return node

    def rotate(self, base: Vertex) -> list[tuple[Node, Vertex]]:
        """Make another vertex the base, and match the other nodes in pairs.

        The node that has the new base becomes the first of the cycle. Return each node
        of the cycle with the vertex that must become the base within this node.
        """
        first = self.node_of(base)
        start = self.cycle.index(first)
        self.cycle = self.cycle[start:] + self.cycle[:start]
        self.links = self.links[start:] + self.links[:start]
        self.base = base
        new_bases = [(first, base)]
        for index in range(1, len(self.cycle), 2):
            vertex, next_vertex = self.links[index]
            vertex.match(next_vertex)
            new_bases.append((self.cycle[index], vertex))
            new_bases.append((self.cycle[index + 1], next_vertex))
        return new_bases

    def even_way_to_base(self, node: Node) -> tuple[list[Node], list[Link]]:
        """Return the way along the cycle to the base that has an even number of links.

        That is the nodes, from the given one to the first of the cycle, and the links
        between them. The cycle is odd, so just one of the two ways round is even.
        """
        index = self.cycle.index(node)
        if index % 2 == 1:
            # Forwards over the end of the cycle.
            nodes = [*self.cycle[index:], self.cycle[0]]
            links = self.links[index:]
        else:
            nodes = self.cycle[index::-1]
            links = reversed_links(self.links[:index])
        return nodes, links


def set_base(node: Node, vertex: Vertex) -> None:
    """Make a vertex of a node its base, and match the others within the node again.

    So the vertex can be matched with one outside of the node. A node that is a vertex
    is its own base already.
    """
    # A list and no recursion, since blossoms can be nested hundreds deep.
    waiting = [(node, vertex)]
    while waiting:
        inner_node, base = waiting.pop()
        if isinstance(inner_node, Blossom) and inner_node.base is not base:
            waiting += inner_node.rotate(base)


def reversed_links(links: list[Link]) -> list[Link]:
    """Return the links of a way in the opposite direction."""
    return [(end, start) for start, end in reversed(links)]
