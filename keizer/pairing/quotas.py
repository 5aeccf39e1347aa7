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
on. A step from upper to lower adds a board between the two classes, and costs what the
board costs. A step from lower to upper removes a planned board, and saves its cost.
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
    """A step of a path: it adds or removes planned boards between two classes."""

    classes: Pair
    """The class in the upper half, and the class in the lower half."""
    adds: bool
    """True if the step adds boards, False if it removes planned ones."""


class Quotas:
    """How many boards to plan between each two classes, so that all cost the least.

    Each player of an upper half meets a player of a lower half. Players of one class
    are treated alike, so a board costs what its two classes cost. Example: players due
    White are one class, those due Black another, and a board of one class costs 1.

    upper, lower: the class of each player, for the upper and for the lower half. Both
    have the same length. cost: by a class of the upper half and one of the lower half,
    the cost of a board of the two.
    """

    def __init__(
        self, upper: Iterable[int], lower: Iterable[int], cost: Mapping[Pair, int]
    ) -> None:
        """Plan the boards, by successive shortest paths.

        Each path begins at a class that still has players without a board in the upper
        half, and ends at one that has such players in the lower half. It adds planned
        boards, and may replace earlier ones on its way.
        """
        self.cost = cost
        self.board_counts = dict.fromkeys(cost, 0)
        """By a class of the upper half and one of the lower half, the number of boards
        that are planned between them."""
        # The players who are not on a planned board yet.
        supply = Counter((UPPER, upper_class) for upper_class in upper)
        demand = Counter((LOWER, lower_class) for lower_class in lower)
        while supply:
            path = self._cheapest_path(supply, demand)
            first = path[0]
            last = path[-1]
            # No more boards than there are players at either end, and than any step of
            # the path can remove.
            removable_counts = [
                self.board_counts[step.classes]
                for step in _steps(path)
                if not step.adds
            ]
            number = min(supply[first], demand[last], *removable_counts)
            self._change_plan(path, number)
            # The difference of two counters drops a class of which nobody remains.
            supply -= Counter({first: number})
            demand -= Counter({last: number})

    def take(self, upper: int, lower: int) -> bool:
        """Let two players of these classes meet, if that makes no plan more expensive.

        The plan has so many boards between each two classes that all boards cost the
        least. If the two can meet in a plan of the same cost, the plan becomes this
        one, their board is taken out of it, and True is returned. If not, the plan
        stays as it is, and False is returned.

        upper, lower: a class of the upper half, and one of the lower half.
        """
        if self.board_counts[upper, lower]:
            self.board_counts[upper, lower] -= 1
            return True
        # No board between the two classes is planned. If two of them meet, each leaves
        # another board. A path from the lower class back to the upper one changes the
        # other boards so that everybody else still has one.
        path = self._cheapest_path([(LOWER, lower)], [(UPPER, upper)])
        if not path:
            return False
        extra_cost = self.cost[upper, lower] + self._cost_of(path)
        if extra_cost:  # never negative, since no plan costs less than this one
            return False
        self._change_plan(path, 1)
        return True

    def _edges(self) -> Iterator[tuple[Node, Node, int]]:
        """Yield each step that a path may have: its start, its end and its cost.

        A step from an upper class to a lower one adds a board, and costs what the board
        costs. A step back removes a planned board, and saves its cost.
        """
        for (upper, lower), cost in self.cost.items():
            yield (UPPER, upper), (LOWER, lower), cost
            if self.board_counts[upper, lower]:
                yield (LOWER, lower), (UPPER, upper), -cost

    def _cheapest_path(
        self, starts: Iterable[Node], ends: Iterable[Node]
    ) -> list[Node]:
        """Return the cheapest path from any start to any end; empty if there is none.

        Steps that remove a board have negative costs. The algorithm of Bellman and Ford
        allows this: all steps are tried again and again, until none makes the way to a
        node cheaper.
        """
        cost_to = dict.fromkeys(starts, 0)
        before: dict[Node, Node] = {}  # by node, the node before it on the best way
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
        # From the cheapest end back to its start, before which there is no node.
        path = [min(reached, key=cost_to.__getitem__)]
        while path[-1] in before:
            path.append(before[path[-1]])
        return path[::-1]

    def _cost_of(self, path: Sequence[Node]) -> int:
        """Return by how much the cost of all boards rises if a path changes them.

        Each step adds one board between two classes, or removes one and saves its cost.
        """
        cost = 0
        for step in _steps(path):
            if step.adds:
                cost += self.cost[step.classes]
            else:
                cost -= self.cost[step.classes]
        return cost

    def _change_plan(self, path: Sequence[Node], number: int) -> None:
        """Change how many boards are planned between the classes on a path.

        A path goes to and fro between the classes of the upper half and those of the
        lower half. Each step from the upper to the lower half adds `number` boards
        between its two classes, and each step back removes as many.
        """
        for step in _steps(path):
            if step.adds:
                self.board_counts[step.classes] += number
            else:
                self.board_counts[step.classes] -= number


def _steps(path: Sequence[Node]) -> Iterator[Step]:
    """Yield the steps of a path, which goes to and fro between the two halves.

    A step from the upper half to the lower one adds boards; a step back removes some.
    """
    for (half, own_class), (_, other_class) in pairwise(path):
        if half == UPPER:
            yield Step(classes=(own_class, other_class), adds=True)
        else:
            yield Step(classes=(other_class, own_class), adds=False)
