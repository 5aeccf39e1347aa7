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

from keizer.pairing.boards import Pair

UPPER = "upper"
LOWER = "lower"

Node = tuple[str, int]
"""A class in one of the halves. Example: ("upper", 3) is class 3 in the upper half."""


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
        """Plan all boards, so that they cost the least."""
        self.cost = cost
        self.board_counts = dict.fromkeys(cost, 0)
        """By a class of the upper half and one of the lower half, the number of boards
        that are planned between them."""
        self._plan_boards(
            Counter((UPPER, upper_class) for upper_class in upper),
            Counter((LOWER, lower_class) for lower_class in lower),
        )

    def _plan_boards(self, upper: Counter[Node], lower: Counter[Node]) -> None:
        """Plan a board for every player, so that all boards together cost the least.

        This is the algorithm of successive shortest paths. Each turn of the loop plans
        boards for players of one class in the upper half and one in the lower half.
        These two are the ends of the cheapest path. If they do not meet each other, the
        path changes earlier boards on its way. Example: classes a and b are in the
        upper half, c and d in the lower one, and a board a-c is planned. A path from b
        to c to a to d adds b-c, removes a-c and adds a-d.

        upper, lower: how many players of each class have no board yet. The counters are
        empty afterwards.
        """
        while upper:
            path = self._cheapest_path(upper, lower)
            first = path[0]
            last = path[-1]
            # The path is followed as often as possible. Each time it uses up a player
            # of the class at either end, and each step back removes a planned board.
            limits = [upper[first], lower[last]]
            limits += [self.board_counts[classes] for classes in _removed(path)]
            number = min(limits)
            self._change_plan(path, number)
            # The difference of two counters drops a class of which nobody remains.
            upper -= Counter({first: number})
            lower -= Counter({last: number})

    def try_to_take(self, upper: int, lower: int) -> bool:
        """Let two players of these classes meet, if all boards then cost no more.

        The plan has so many boards between each two classes that all boards cost the
        least. If the two can meet in a plan of the same cost, the plan becomes this
        one, their board is taken out of it, and True is returned. So later calls are
        about the boards that remain. If the two cannot, the plan stays as it is, and
        False is returned.

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
        node cheaper. That comes to an end: no way from a class back to itself saves
        anything, or there would be a cheaper plan.
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

        Each step of the path adds one board, or removes one and saves its cost.
        """
        added_cost = sum(self.cost[classes] for classes in _added(path))
        saved_cost = sum(self.cost[classes] for classes in _removed(path))
        return added_cost - saved_cost

    def _change_plan(self, path: Sequence[Node], number: int) -> None:
        """Change how many boards are planned between the classes on a path.

        A path goes to and fro between the classes of the upper half and those of the
        lower half. Each step from the upper to the lower half adds `number` boards
        between its two classes, and each step back removes as many.
        """
        for classes in _added(path):
            self.board_counts[classes] += number
        for classes in _removed(path):
            self.board_counts[classes] -= number


def _added(path: Sequence[Node]) -> Iterator[Pair]:
    """Yield the classes between which a path adds boards, that of the upper half first.

    These are its steps from a class of the upper half to one of the lower half.
    Example: the path from b to c to a to d, with a and b in the upper half, adds boards
    b-c and a-d.
    """
    for (half, own_class), (_, next_class) in pairwise(path):
        if half == UPPER:
            yield own_class, next_class


def _removed(path: Sequence[Node]) -> Iterator[Pair]:
    """Yield the classes between which a path removes boards, the upper one first.

    These are its steps back, from a class of the lower half to one of the upper half.
    Example: the path from b to c to a to d, with a and b in the upper half, removes
    board a-c.
    """
    for (half, own_class), (_, next_class) in pairwise(path):
        if half == LOWER:
            yield next_class, own_class
