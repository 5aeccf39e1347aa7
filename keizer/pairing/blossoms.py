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

    number: vertices have the numbers from 0, blossoms those that follow. base: the only
    vertex in the node that may have a mate outside of the node. leaves: the vertices in
    the node; of a vertex, only the vertex itself.
    """

    __slots__ = ("base", "entry", "label", "leaves", "number", "parent")

    entry: "Link"
    """The pair by which the alternating tree has reached the node: the vertex in the
    tree, and the vertex in this node. It is set while the label is INNER."""

    def __init__(self, number: int, base: "Vertex", leaves: "list[Vertex]") -> None:
        """Make a node that is in no blossom and not in the tree."""
        self.number = number
        self.base = base
        """The only vertex in the node that may have a mate outside of the node."""
        self.leaves = leaves
        self.parent: Blossom | None = None
        """The blossom that has the node in its cycle. None if the node is *topmost*: in
        no blossom."""
        self.label = FREE
        """Where a topmost node is: FREE (not in the tree), OUTER or INNER (at an even
        or an odd distance from the root). Other nodes have a label without a meaning.
        """


class Vertex(Node):
    """A vertex of the graph: a player, or the bye."""

    __slots__ = ("costs", "mate", "price", "top")

    def __init__(self, number: int, price: int) -> None:
        """Make a vertex that has no neighbours yet, and no mate."""
        super().__init__(number, base=self, leaves=[self])
        self.costs: dict[Vertex, int] = {}
        """By neighbour, the cost of the pair."""
        self.mate: Vertex | None = None
        """The neighbour with whom the vertex is matched; None if with nobody."""
        self.price = price
        """What the vertex offers to be paired, which includes the surplus of all
        blossoms around it. While a tree grows, the vertex really offers this number
        + label * clock, with the label of its topmost node (class Tree)."""
        self.top: Node = self
        """The topmost node that the vertex is in: the outermost blossom around it, or
        the vertex itself."""

    def is_single(self) -> bool:
        """Return whether the vertex has no mate and is in no blossom."""
        return self.mate is None and self.top is self

    def match(self, neighbour: "Vertex") -> None:
        """Make two vertices mates.

        Former mates of the two are not told: their `mate` stays as it was. So the
        caller has to unmatch the two first, or to give each former mate a new one.
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

        That is the cost of the pair less the prices of the two, plus twice the surplus
        of each blossom around both.

        If it is 0 or more, the result is any number from 0 to the reduced cost. That
        saves time, and is enough for callers: they only look for negative ones.
        """
        reduced_cost = self.costs[neighbour] - self.price - neighbour.price
        # From the innermost blossom outwards. A surplus is never negative. So once the
        # sum is 0 or more, the blossoms further out cannot make it negative again.
        blossom = self.parent
        while reduced_cost < 0 and blossom is not None:
            if neighbour in blossom.leaves:
                reduced_cost += 2 * blossom.surplus
            blossom = blossom.parent
        return reduced_cost


Link = tuple[Vertex, Vertex]
"""A tight pair that joins two nodes: a vertex in the first, and one in the second."""


class Blossom(Node):
    """A cycle of an odd number of nodes, which acts as one node in a matching.

    The nodes are vertices or other blossoms. A link joins each node to the next: a pair
    of vertices, one in either node, whose reduced cost is 0 (see matching.py).

    cycle: the nodes in their order along the cycle. The first one has the *base*: the
    only vertex that may have a mate outside. links: at index i the link from node i to
    the next node; the last link leads back to the first node.

    The links at index 1, 3, 5 ... are matched: their two vertices are mates. So each
    node but the first is matched with a node beside it.
    """

    __slots__ = ("cycle", "links", "surplus")

    def __init__(self, number: int, cycle: list[Node], links: list[Link]) -> None:
        """Make a blossom, and tell all nodes and vertices in it that they are in it."""
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
        """By how much less than its price each vertex in the blossom offers to another
        one in it. To a vertex outside it offers the whole price, since one vertex of
        the blossom has to find a mate there. A new blossom has no surplus yet; trees
        raise and lower it (tree.py)."""

    def open_up(self) -> None:
        """Take the blossom apart: the nodes of its cycle are in no blossom any more."""
        for node in self.cycle:
            node.parent = None
            for vertex in node.leaves:
                vertex.top = node

    def node_of(self, vertex: Vertex) -> Node:
        """Return the node of the cycle in which a vertex of the blossom lies.

        That is the vertex itself, or a blossom around it.
        """
        node: Node = vertex
        while node.parent is not None and node.parent is not self:
            node = node.parent
        return node

    def rotate(self, base: Vertex) -> list[tuple[Node, Vertex]]:
        """Make another vertex the base: the one that may have a mate outside.

        The node with the new base becomes the first of the cycle. The other nodes are
        matched in pairs along the cycle: the second with the third, and so on. The new
        base is left to the caller, who has to give it a mate outside.

        Example: with a new base in c, the cycle a b c d e becomes c d e a b. Then d is
        matched with e, and a with b.

        Return each node of the cycle with the vertex that must be its base now. If such
        a node is a blossom, the caller has to rotate it too.
        """
        first = self.node_of(base)
        start = self.cycle.index(first)
        self.cycle = self.cycle[start:] + self.cycle[:start]
        self.links = self.links[start:] + self.links[:start]
        self.base = base
        new_bases = [(first, base)]
        # The link at an index leads from the node at this index to the next one. Those
        # at 1, 3 ... become matched.
        for index in range(1, len(self.cycle), 2):
            vertex, next_vertex = self.links[index]
            vertex.match(next_vertex)  # in place of the mates that they have had
            # A vertex with a mate outside of its node has to be the base of this node.
            new_bases.append((self.cycle[index], vertex))
            new_bases.append((self.cycle[index + 1], next_vertex))
        return new_bases

    def even_way_to_base(self, node: Node) -> tuple[list[Node], list[Link]]:
        """Return the nodes and links of the even way from a node to the base.

        The base is in the first node of the cycle. Two ways along the cycle lead there,
        one in either direction. Just one of them has an even number of links, since the
        cycle is odd. Its nodes include both ends.

        Example: the cycle is a b c d e, with the base in a. From c the even way leads
        back, over b to a: 2 links. From b it leads forwards, over c, d and e: 4 links.
        """
        index = self.cycle.index(node)
        if index % 2 == 1:
            # The way back has `index` links: an odd number. So go forwards, over the
            # end of the cycle.
            nodes = [*self.cycle[index:], self.cycle[0]]
            links = self.links[index:]
        else:
            nodes = self.cycle[index::-1]
            links = reversed_links(self.links[:index])
        return nodes, links


def set_base(node: Node, vertex: Vertex) -> None:
    """Make a vertex the base of a node: the one that may have a mate outside.

    All other vertices in the node get mates within the node. If the node is a vertex,
    nothing has to be done: it is its own base.
    """
    # A new base of a blossom may need other bases in the blossoms within it. A list and
    # no recursion, since blossoms can be nested hundreds deep.
    waiting = [(node, vertex)]
    while waiting:
        inner_node, base = waiting.pop()
        if isinstance(inner_node, Blossom) and inner_node.base is not base:
            waiting += inner_node.rotate(base)


def reversed_links(links: list[Link]) -> list[Link]:
    """Return the links of a way for the opposite direction.

    A link is a pair of vertices, its start and its end. The last link becomes the
    first, and each begins where it ended.
    """
    return [(end, start) for start, end in reversed(links)]
