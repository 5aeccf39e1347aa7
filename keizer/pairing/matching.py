"""The cheapest way to pair everybody: minimum-weight perfect matching, exactly.

Edmonds' algorithm, one alternating tree at a time, on whole numbers of any
size, so that a cost can be a row of digits as long as the club's list of
wishes. Duals are kept in the form in which an odd set is paid for by every
pair that leaves it; then only the sums along a vertex are needed:

    reduced cost of (u, v) = cost - price[u] - price[v], never negative,
    and 0 for the pairs of the matching,

for all u and v that are not in one blossom. That is also the proof that
nothing cheaper exists, and lets a matching found among few pairs be checked
against all the others (`Matching.proves`). And it lets a solution go on when
there are more pairs (`Matching.add`): few prices are too high for these.

J. Edmonds, Paths, trees, and flowers (1965); the single-tree form is that of
W. Cook and A. Rohe, Computing minimum-weight perfect matchings (1999).
"""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

FREE, OUTER, INNER = 0, 1, -1


class Matching:
    """A cheapest perfect matching of a graph, and the prices that prove it.

    costs: for each vertex its neighbours and what the pair costs (an even whole
    number, for prices may be halves of costs), the same from both sides; the
    lists are kept and added to. prices: what each vertex offers to begin with (0
    unless given), lowered where that is more than a pair costs; good ones save
    work. `mate[v]` is the partner of vertex v. Where there is no perfect matching,
    `found` is false, and nobody has a partner: -1.
    """

    def __init__(self, costs: list[dict[int, int]], prices: Sequence[int] = ()) -> None:
        self.size = len(costs)
        self.costs = costs
        vertices = range(self.size)
        self.mate = [-1] * self.size
        # Nodes are the vertices and, from size on, the blossoms.
        self.top = list(vertices)
        self.base = list(vertices)
        self.parent = [-1] * self.size
        self.leaves = [[v] for v in vertices]
        self.cycle: dict[int, list[int]] = {}
        self.links: dict[int, list[tuple[int, int]]] = {}
        self.surplus: dict[int, int] = {}
        self.label = [FREE] * self.size
        self.entry: dict[int, tuple[int, int]] = {}
        self.scans = 0
        """How many outer vertices had all their pairs looked at: a measure of the work."""
        self.price = [*prices] or [0] * self.size
        for one, row in enumerate(self.costs):
            limits = [cost - self.price[two] for two, cost in row.items()]
            self.price[one] = min([self.price[one], *limits])
        self._start()
        self._solve()

    def _solve(self) -> None:
        vertices = range(self.size)
        self.found = all(
            self.mate[root] >= 0 or self._search(root) for root in vertices
        )
        if not self.found:
            self.mate = [-1] * self.size

    def add(self, costs: Mapping[tuple[int, int], int]) -> None:
        """Go on with more pairs. Whatever still holds stays: prices, pairs and blossoms."""
        too_cheap: dict[int, set[int]] = {}
        for (one, two), cost in costs.items():
            self.costs[one][two] = self.costs[two][one] = cost
            if self._lack(one, two) < 0:
                too_cheap.setdefault(one, set()).add(two)
                too_cheap.setdefault(two, set()).add(one)
        # Few prices fall: first that of the vertex which is in most of these pairs.
        while too_cheap:
            one = max(too_cheap, key=lambda vertex: len(too_cheap[vertex]))
            self._release(one)
            self.price[one] += min(
                0, *(self._lack(one, two) for two in self.costs[one])
            )
            for two in too_cheap.pop(one):
                too_cheap[two].remove(one)
                if not too_cheap[two]:
                    del too_cheap[two]
        self._start()
        self._solve()

    def _lack(self, one: int, two: int) -> int:
        """What a pair costs more than the prices offer, and what its blossoms add."""
        lack = self.costs[one][two] - self.price[one] - self.price[two]
        node = self.parent[one]
        while lack < 0 and node >= 0:
            if two in self.leaves[node]:
                lack += 2 * self.surplus[node]
            node = self.parent[node]
        return lack

    def _release(self, one: int) -> None:
        """Take a vertex out of its pair, and the blossoms around it apart."""
        while self.top[one] != one:
            self._dissolve(self.top[one])
        self._part(one)

    def _part(self, one: int) -> None:
        two = self.mate[one]
        if two >= 0:
            self.mate[one] = self.mate[two] = -1

    def _dissolve(self, blossom: int) -> None:
        """Take a topmost blossom apart: its vertices offer less by its surplus.

        So pairs within it lack what they did, and the pair that leaves it is no longer tight.
        """
        surplus = self.surplus.pop(blossom)
        if surplus:
            self._part(self.base[blossom])
        for vertex in self.leaves[blossom]:
            self.price[vertex] -= surplus
        del self.links[blossom]
        self._open_up(blossom)

    def _open_up(self, blossom: int) -> list[int]:
        """Make the nodes in a blossom topmost ones, and return them."""
        cycle = self.cycle.pop(blossom)
        for node in cycle:
            self.parent[node] = -1
            for vertex in self.leaves[node]:
                self.top[vertex] = node
        return cycle

    def proves(self, costs: Mapping[tuple[int, int], int]) -> bool:
        """Whether nothing is cheaper among these pairs, worked out anew from the prices.

        Of a set of k players, k odd, at most (k - 1) / 2 pairs meet within. So twice any
        perfect matching costs at least the prices less each surplus times k - 1.
        """
        least, fair = sum(self.price), True
        around: list[set[int]] = [set() for _ in self.mate]
        for node, surplus in self.surplus.items():
            inside = self.leaves[node]
            least -= surplus * (len(inside) - 1)
            fair &= surplus >= 0 and len(inside) % 2 == 1
            for vertex in inside:
                around[vertex].add(node)
        for (one, two), cost in costs.items():
            lack = cost - self.price[one] - self.price[two]
            if lack < 0:
                both = around[one] & around[two]
                fair &= lack + 2 * sum(self.surplus[node] for node in both) >= 0
        spent = sum(costs[one, two] for one, two in enumerate(self.mate) if one < two)
        return fair and spent == least

    def _start(self) -> None:
        """Raise the price of each free vertex as far as it goes; take the pairs then tight."""
        for one, row in enumerate(self.costs):
            if self.mate[one] >= 0 or not row or self.top[one] != one:
                continue
            lack, two = min(
                (cost - self.price[two], self.mate[two] >= 0, two)
                for two, cost in row.items()
            )[::2]
            self.price[one] = lack
            if self.mate[two] < 0 and self.top[two] == two:
                self.mate[one], self.mate[two] = two, one

    # ------------------------------------------------------------ one tree

    def _search(self, root: int) -> bool:
        """Grow a tree of tight pairs from an unmatched vertex until it meets another.

        Prices of outer vertices rise with the clock, those of inner ones fall;
        they are kept as if the clock stood at 0. An event (time, one, two) is a
        pair that becomes tight, or, with two = -1, an inner blossom that has to
        be taken apart.
        """
        self.now = 0
        self.limit: int | None = None
        self.heap: list[tuple[int, int, int]] = []
        self.soonest: dict[int, int] = {}
        self.labelled: set[int] = set()
        self._grow(self.top[root], OUTER)
        label, top, price, costs = self.label, self.top, self.price, self.costs
        reached = False
        while self.heap and not reached:
            time, one, two = heappop(self.heap)
            if two < 0:
                if label[one] == INNER and self.surplus[one] == time:
                    self.now = time
                    self._expand(one)
                continue
            other = top[two]
            kind = label[other]
            if kind == INNER or other == top[one]:
                continue
            lack = costs[one][two] - price[one] - price[two]
            if (lack >> 1 if kind else lack) != time:
                continue
            self.now = time
            if kind == OUTER:
                self._shrink(one, two)
            elif self.mate[self.base[other]] < 0:
                reached = True
                self._turn(other, two)
                self._augment(one, two)
            else:
                self.entry[other] = (one, two)
                self._grow(other, INNER)
                self._grow(top[self.mate[self.base[other]]], OUTER)
        for node in list(self.labelled):
            self._label(node, FREE)
        return reached

    def _label(self, node: int, kind: int, *, leaves: bool = True) -> None:
        """Give a topmost node its place in the tree from now on.

        leaves: whether its vertices have to change theirs.
        """
        change = (self.label[node] - kind) * self.now
        self.label[node] = kind
        price = self.price
        if change and leaves:
            for v in self.leaves[node]:
                price[v] += change
        if node >= self.size:
            self.surplus[node] += change
        if kind == FREE:
            self.labelled.discard(node)
        else:
            self.labelled.add(node)

    def _grow(self, node: int, kind: int) -> None:
        """Add a node to the tree, and see what it leads to."""
        self._label(node, kind)
        if kind == INNER:
            if node >= self.size:
                heappush(self.heap, (self.surplus[node], node, -1))
        else:
            for v in self.leaves[node]:
                self._scan(v)

    def _scan(self, one: int) -> None:
        """When does an outer vertex become tight with those around it?"""
        self.scans += 1
        label, top, price, mate, soonest = (
            self.label,
            self.top,
            self.price,
            self.mate,
            self.soonest,
        )
        own, home, limit = price[one], top[one], self.limit
        for two, cost in self.costs[one].items():
            node = top[two]
            kind = label[node]
            if kind == INNER or node == home:
                continue
            time = cost - own - price[two]
            if kind:
                time >>= 1
            elif time >= soonest.get(two, time + 1):
                continue
            if limit is None or time <= limit:
                heappush(self.heap, (time, one, two))
                if not kind:
                    soonest[two] = time
                    if mate[two] < 0 and node == two:
                        limit = time
        self.limit = limit

    def _wait(self, two: int) -> None:
        """When does a vertex that has left the tree first become tight with an outer one?"""
        label, top, price = self.label, self.top, self.price
        first = min(
            (
                (cost - price[one], one)
                for one, cost in self.costs[two].items()
                if label[top[one]] == OUTER
            ),
            default=None,
        )
        self.soonest.pop(two, None)
        if first is not None:
            time = self.soonest[two] = first[0] - price[two]
            heappush(self.heap, (time, first[1], two))

    # ------------------------------------------------------------ blossoms

    def _upward(self, node: int) -> list[tuple[int, tuple[int, int]]]:
        """From an outer node to the root: each node with the pair that leads on."""
        path = []
        while True:
            low = self.base[node]
            high = self.mate[low]
            path.append((node, (low, high)))
            if high < 0:
                return path
            node = self.top[high]
            high, low = self.entry[node]
            path.append((node, (low, high)))
            node = self.top[high]

    def _shrink(self, one: int, two: int) -> None:
        """Two outer nodes became tight: the cycle through them is a new blossom."""
        left, right = self._upward(self.top[one]), self._upward(self.top[two])
        while len(left) > 1 and len(right) > 1 and left[-2][0] == right[-2][0]:
            left.pop()
            right.pop()
        stem = left.pop()[0]
        right.pop()
        down = [(high, low) for _, (low, high) in reversed(left)]
        cycle = [
            stem,
            *(node for node, _ in reversed(left)),
            *(node for node, _ in right),
        ]
        new = len(self.base)
        inner = [
            v for node in cycle if self.label[node] == INNER for v in self.leaves[node]
        ]
        for node in cycle:
            self._enclose(node)
            self.parent[node] = new
        self.cycle[new] = cycle
        self.links[new] = [*down, (one, two), *(link for _, link in right)]
        self.base.append(self.base[stem])
        self.parent.append(-1)
        self.leaves.append([v for node in cycle for v in self.leaves[node]])
        self.label.append(OUTER)
        self.labelled.add(new)
        self.surplus[new] = -self.now  # as if the clock stood at 0
        for v in self.leaves[new]:
            self.top[v] = new
        for v in inner:
            self._scan(v)

    def _enclose(self, node: int) -> None:
        """Make a node of the tree part of an outer blossom: its vertices are outer from now on."""
        kind, self.label[node] = self.label[node], FREE
        self.labelled.discard(node)
        if kind == INNER:
            for v in self.leaves[node]:
                self.price[v] -= 2 * self.now
        if node >= self.size:
            self.surplus[node] += kind * self.now

    def _expand(self, blossom: int) -> None:
        """Take an inner blossom apart whose surplus is spent."""
        self._label(blossom, FREE, leaves=False)
        cycle, links = self._open_up(blossom), self.links.pop(blossom)
        del self.surplus[blossom]
        for node in cycle:
            self._label(node, INNER, leaves=False)
        entry = self.entry.pop(blossom)
        place = cycle.index(self.top[entry[1]])
        # The side on which the tree goes on alternates down to the base.
        if place % 2:
            way, pairs = [*cycle[place:], cycle[0]], links[place:]
            others = cycle[1:place]
        else:
            way = cycle[place::-1]
            pairs = [(high, low) for low, high in reversed(links[:place])]
            others = cycle[place + 1 :]
        for node, reached in zip(way[::2], [entry, *pairs[1::2]], strict=True):
            self.entry[node] = reached
            if node >= self.size:
                heappush(self.heap, (self.surplus[node], node, -1))
        for node in others:
            self._label(node, FREE)
        for node in way[1::2]:
            self._label(node, OUTER)
        for v in (v for node in way[1::2] for v in self.leaves[node]):
            self._scan(v)
        for v in (v for node in others for v in self.leaves[node]):
            self._wait(v)

    # ------------------------------------------------------------ matching

    def _augment(self, one: int, two: int) -> None:
        """Match outer vertex `one` with `two` and swap pairs down to the root."""
        while True:
            node = self.top[one]
            old = self.mate[self.base[node]]
            self._turn(node, one)
            self.mate[one], self.mate[two] = two, one
            if old < 0:
                return
            node = self.top[old]
            one, two = self.entry[node]
            self._turn(node, two)

    def _turn(self, node: int, vertex: int) -> None:
        """Match a blossom within itself so that `vertex` is its base."""
        turns = [(node, vertex)]
        while turns:
            node, vertex = turns.pop()
            if self.base[node] == vertex:
                continue
            child = vertex
            while self.parent[child] != node:
                child = self.parent[child]
            turns.append((child, vertex))
            cycle, links = self.cycle[node], self.links[node]
            place = cycle.index(child)
            for index in (
                range(place + 1, len(cycle), 2) if place % 2 else range(0, place, 2)
            ):
                low, high = links[index]
                turns.append((cycle[index], low))
                turns.append((cycle[(index + 1) % len(cycle)], high))
                self.mate[low], self.mate[high] = high, low
            self.cycle[node] = cycle[place:] + cycle[:place]
            self.links[node] = links[place:] + links[:place]
            self.base[node] = vertex
