"""Quotas for two halves: the number of boards for each two classes of players.

This is a transportation problem: the upper classes are the supply, the lower ones the
demand, and what two classes cost is the way between them. It is solved by successive
shortest paths, as in R. Ahuja, T. Magnanti and J. Orlin, Network Flows (1993), chapter
9. There are few classes, so that the paths are short.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from keizer.pairing.boards import Pair

UPPER = False
LOWER = True

Node = tuple[bool, int]
"""A class: that of the upper half, or that of the lower one."""


class Quotas:
    """The numbers of boards between classes, so that all together cost the least.

    upper, lower: the classes of the players of the halves. cost: by an upper and a
    lower class, what two players of them cost.
    """

    def __init__(
        self, upper: Iterable[int], lower: Iterable[int], cost: Mapping[Pair, int]
    ) -> None:
        self.cost = cost
        self.number = dict.fromkeys(cost, 0)
        """By an upper and a lower class, how many of them meet."""
        supply = Counter((UPPER, own_class) for own_class in upper)
        demand = Counter((LOWER, own_class) for own_class in lower)
        while supply:
            path = self._cheapest_path(supply, demand)
            first = path[0]
            last = path[-1]
            number = min(supply[first], demand[last], *self._numbers_undone(path))
            self._send(path, number)
            supply -= Counter({first: number})
            demand -= Counter({last: number})

    def take(self, upper: int, lower: int) -> bool:
        """Let two players of these classes meet and leave, if all then cost no more.

        Return whether they do.
        """
        if not self.number[upper, lower]:
            # Those whom the two would have met meet each other, by some detour.
            detour = self._cheapest_path([(LOWER, lower)], [(UPPER, upper)])
            if not detour or self._length(detour) + self.cost[upper, lower] != 0:
                return False
            self._send(detour, 1)
            self.number[upper, lower] += 1
        self.number[upper, lower] -= 1
        return True

    def _steps(self) -> Iterator[tuple[Node, Node, int]]:
        """Yield the steps of paths: from one class to another, and what it costs.

        With a step down two more players meet, with a step up two fewer.
        """
        for (upper, lower), cost in self.cost.items():
            yield (UPPER, upper), (LOWER, lower), cost
            if self.number[upper, lower]:
                yield (LOWER, lower), (UPPER, upper), -cost

    def _cheapest_path(
        self, starts: Iterable[Node], ends: Iterable[Node]
    ) -> list[Node]:
        """Return the cheapest path from any of some nodes to any of others.

        It is empty if there is none. The search is that of Bellman and Ford, since
        steps up cost less than nothing.
        """
        length = dict.fromkeys(starts, 0)
        before: dict[Node, Node] = {}
        is_shorter = True
        while is_shorter:
            is_shorter = False
            for node, following, cost in self._steps():
                if node not in length:
                    continue
                detour = length[node] + cost
                if following not in length or detour < length[following]:
                    length[following] = detour
                    before[following] = node
                    is_shorter = True
        reached = [node for node in ends if node in length]
        if not reached:
            return []
        path = [min(reached, key=length.__getitem__)]
        while path[-1] in before:
            path.append(before[path[-1]])
        return path[::-1]

    def _length(self, path: Sequence[Node]) -> int:
        """Return what a path costs."""
        cost = 0
        for (half, own_class), (_, other_class) in pairwise(path):
            if half == UPPER:
                cost += self.cost[own_class, other_class]
            else:
                cost -= self.cost[other_class, own_class]
        return cost

    def _numbers_undone(self, path: Sequence[Node]) -> Iterator[int]:
        """Yield how many can be undone in each step up of a path."""
        for (half, own_class), (_, other_class) in pairwise(path):
            if half == LOWER:
                yield self.number[other_class, own_class]

    def _send(self, path: Sequence[Node], number: int) -> None:
        """Let so many more meet by the steps down of a path, and fewer by those up."""
        for (half, own_class), (_, other_class) in pairwise(path):
            if half == UPPER:
                self.number[own_class, other_class] += number
            else:
                self.number[other_class, own_class] -= number
