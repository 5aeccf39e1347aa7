"""Quotas for two halves: how many boards there are between each two classes.

An upper half meets a lower half of the same size. Each player belongs to a class, and
what a board costs depends only on the two classes. Example: the upper half has 3
players due White (w) and 1 due Black (b), the lower half 2 of each, and two who are due
the same colour cost 1. The cheapest quotas are 2 boards w-b, 1 board w-w and 1 board
b-w, which cost 1 together.

This is a transportation problem: the upper classes are the supply, the lower ones the
demand, and the cost of two classes is the length of the way between them. It is solved
by successive shortest paths, as in R. Ahuja, T. Magnanti and J. Orlin, Network Flows
(1993), chapter 9. There are few classes, so that the paths are short.

A path goes from an upper class to a lower one, from that to another upper one, and so
on. A step from upper to lower adds a board between the two classes, and costs what it
does. A step from lower to upper takes back a board that there is, and saves its cost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from keizer.pairing.boards import Pair

UPPER = False
LOWER = True

Node = tuple[bool, int]
"""A class of a half: UPPER or LOWER, and the class."""


class Step(NamedTuple):
    """A step of a path, with its effect on the boards between two classes."""

    classes: Pair
    """The upper class, and the lower class."""
    adds: bool
    """True if it adds boards, False if it takes back boards that there are."""


class Quotas:
    """The numbers of boards between classes, so that all boards cost the least.

    upper, lower: the class of each player of the two halves. cost: by an upper and a
    lower class, what a board of them costs.
    """

    def __init__(
        self, upper: Iterable[int], lower: Iterable[int], cost: Mapping[Pair, int]
    ) -> None:
        self.cost = cost
        self.boards = dict.fromkeys(cost, 0)
        """By an upper and a lower class, the number of boards between them."""
        supply = Counter((UPPER, upper_class) for upper_class in upper)
        demand = Counter((LOWER, lower_class) for lower_class in lower)
        while supply:
            path = self._cheapest_path(supply, demand)
            first = path[0]
            last = path[-1]
            # So many players as both ends have, and as many boards as can be taken
            # back on the way.
            boards_taken_back = [
                self.boards[step.classes] for step in _steps(path) if not step.adds
            ]
            number = min(supply[first], demand[last], *boards_taken_back)
            self._change_boards(path, number)
            # The difference of two counters drops a class of which nobody remains.
            supply -= Counter({first: number})
            demand -= Counter({last: number})

    def take(self, upper: int, lower: int) -> bool:
        """Take two players of these classes as a board, if the others lose nothing.

        That is so if all boards together still cost the least. The two are no longer
        part of the halves then. Return whether they were taken.
        """
        if not self.boards[upper, lower]:
            # The quotas have no board of the two. A board must be added for them, and
            # others change on a path back from the lower class to the upper one.
            path = self._cheapest_path([(LOWER, lower)], [(UPPER, upper)])
            if not path or self._cost_of(path) + self.cost[upper, lower] != 0:
                return False
            self._change_boards(path, 1)
            self.boards[upper, lower] += 1
        self.boards[upper, lower] -= 1
        return True

    def _edges(self) -> Iterator[tuple[Node, Node, int]]:
        """Yield the steps that a path may have: from which node, to which, the cost."""
        for (upper, lower), cost in self.cost.items():
            yield (UPPER, upper), (LOWER, lower), cost
            if self.boards[upper, lower]:
                yield (LOWER, lower), (UPPER, upper), -cost

    def _cheapest_path(
        self, starts: Iterable[Node], ends: Iterable[Node]
    ) -> list[Node]:
        """Return the cheapest path from any start to any end; empty if there is none.

        The algorithm is that of Bellman and Ford, which allows negative costs: all
        edges are tried again and again, until none makes a path cheaper.
        """
        cost_to = dict.fromkeys(starts, 0)
        before: dict[Node, Node] = {}
        is_cheaper = True
        while is_cheaper:
            is_cheaper = False
            for node, following, edge_cost in self._edges():
                if node not in cost_to:
                    continue
                cost = cost_to[node] + edge_cost
                if following not in cost_to or cost < cost_to[following]:
                    cost_to[following] = cost
                    before[following] = node
                    is_cheaper = True
        reached = [node for node in ends if node in cost_to]
        if not reached:
            return []
        path = [min(reached, key=cost_to.__getitem__)]
        while path[-1] in before:
            path.append(before[path[-1]])
        return path[::-1]

    def _cost_of(self, path: Sequence[Node]) -> int:
        """Return what the boards cost more in all if they change along a path."""
        cost = 0
        for step in _steps(path):
            cost += self.cost[step.classes] if step.adds else -self.cost[step.classes]
        return cost

    def _change_boards(self, path: Sequence[Node], number: int) -> None:
        """Add or take back a number of boards in each step of a path."""
        for step in _steps(path):
            self.boards[step.classes] += number if step.adds else -number


def _steps(path: Sequence[Node]) -> Iterator[Step]:
    """Yield the steps of a path."""
    for (half, own_class), (_, other_class) in pairwise(path):
        if half == UPPER:
            yield Step((own_class, other_class), adds=True)
        else:
            yield Step((other_class, own_class), adds=False)
