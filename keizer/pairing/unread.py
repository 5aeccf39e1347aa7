"""Which pairs a search goes on with: those that the prices of a solution do not exclude.

Nobody reads all pairs. Of a pair that is not read only its classes, score groups and places are
known, and from these the least that it can cost. Where that is at least what the prices of the two
offer, the pair is in no better pairing, and never read.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from heapq import heappop, heappush

from keizer.pairing.boards import Pair
from keizer.pairing.costs import Costs
from keizer.pairing.matching import Matching

MOST = 12
"""So many new opponents of a player are read at once, as long as many players have some."""

BIG = 48
"""Blossoms of at least so many players are looked at by themselves."""

NEXT = 8
"""So many who come next in the class of a player are read beside the last open pairs."""

NOWHERE = -1
"""The path of who is in no big blossom."""


class Unread:
    """Reads further pairs for one solution after the other, until there is nothing to read."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.most = MOST
        self.offers: list[tuple[int, int]] = []
        """By player: the two prices that they offered in the last solution (see Nests)."""
        self.unfinished: set[int] = set()
        """Players who have more open pairs than were read."""
        self.steps = 0
        """How many bounds were compared."""

    def read(self, matching: Matching) -> list[Pair]:
        """Read the most promising pairs that a solution leaves open, and return them.

        None: no other pair could be in a better pairing; or those that could need digits that
        costs did not have yet, and all begins again with these.
        """
        nests = Nests(matching)
        offers = list(zip(matching.price, nests.within, strict=True))
        players = range(self.costs.count)
        pairs: list[Pair] = []
        if self.offers:
            raised = {player for player in players if self._has_risen(player, offers)}
            pairs, _ = self._promising(nests, raised | self.unfinished)
        if not pairs:
            pairs, waiting = self._promising(nests, {*players})
            if not pairs:
                self.costs.make_room(waiting)
        self.offers = offers
        # Few players have open pairs left: more of each, so that they come to an end.
        if len(pairs) < self.costs.count // 8:
            self.most *= 16
            pairs += self._beside(pairs)
        return self.costs.read(dict.fromkeys(pairs))

    def _beside(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Pairs with those who come next in the class of either: a solution opens them in turn.

        Only within a score group, where no pair needs another digit.
        """
        group = self.costs.group
        found: list[Pair] = []
        for player, opponent in pairs:
            if opponent < self.costs.count and group[player] == group[opponent]:
                found += [
                    (other, opponent)
                    for other in self._next(player)
                    if other < opponent
                ]
                found += [(player, other) for other in self._next(opponent)]
        return found

    def _next(self, player: int) -> Sequence[int]:
        costs = self.costs
        members = costs.members[costs.group[player]][costs.class_of[player]]
        place = bisect_right(members, player)
        return members[place : place + NEXT]

    def _has_risen(self, player: int, offers: Sequence[tuple[int, int]]) -> bool:
        """Tell if a player offers more than before, be it to all or within their blossom."""
        price, within = offers[player]
        old_price, old_within = self.offers[player]
        return price > old_price or within > old_within

    def _promising(
        self, nests: "Nests", fresh: set[int]
    ) -> tuple[list[Pair], list[Pair]]:
        """The open pairs with a fresh player that lack most, the same number for each player.

        And those that wait, since costs have no digits for them: hardly any are open in the end.
        """
        of_opponent: dict[int, list[tuple[int, int]]] = {}
        waiting: list[Pair] = []
        search = Search(self.costs, nests, fresh, self.most)
        for lack, player, opponent in search.open_pairs():
            if self.costs.has_room(player, opponent):
                of_opponent.setdefault(opponent, []).append((lack, player))
            else:
                waiting.append((player, opponent))
        self.unfinished = search.unfinished
        self.steps += search.steps
        pairs = []
        for opponent, found in of_opponent.items():
            found.sort()
            if len(found) > self.most:
                self.unfinished.add(opponent)
            pairs += [(player, opponent) for _, player in found[: self.most]]
        return pairs, waiting


class Nests:
    """The big blossoms of a solution, one within the other.

    Two in the same blossoms lack more, by twice the surplus of these. Blossoms can be nested
    hundreds deep, so they are parted into paths: a blossom, the largest in it, and so on inwards.
    """

    def __init__(self, matching: Matching) -> None:
        self._parent = matching.parent
        self._surplus: dict[int, int] = {}
        """By blossom: its surplus and that of all around it."""
        self._path: dict[int, int] = {}
        """By blossom: the outermost of its path."""
        self._innermost = [NOWHERE] * len(matching.mate)
        """By vertex: the blossom."""
        self._above: dict[int, dict[int, int]] = {}
        leaves = matching.leaves
        big = [node for node in matching.surplus if len(leaves[node]) >= BIG]
        big.sort(
            key=lambda node: len(leaves[node]), reverse=True
        )  # so the outer ones come first
        continued: set[int] = set()
        for node in big:
            outer = self._parent[node]
            self._surplus[node] = matching.surplus[node] + self._surplus.get(outer, 0)
            if outer in self._path and outer not in continued:
                self._path[node] = self._path[outer]
            else:
                self._path[node] = node
            continued.add(outer)
            for vertex in leaves[node]:
                self._innermost[vertex] = node
        self.price = matching.price
        self.within = [
            price - 2 * self._surplus.get(node, 0)
            for price, node in zip(self.price, self._innermost, strict=True)
        ]
        """By vertex: the price that it offers to all within its innermost blossom."""

    def path(self, vertex: int) -> int:
        """Return the path of the innermost big blossom of a vertex."""
        return self._path.get(self._innermost[vertex], NOWHERE)

    def shared(self, vertex: int, path: int) -> tuple[bool, int]:
        """Return what a vertex shares with those whose innermost blossom is on a path.

        That is a surplus. Where the path goes on inwards from a blossom of the vertex, it is the
        most that is shared: with those further out it is the surplus of their own blossom (True).
        """
        node = self._innermost[vertex]
        if NOWHERE in (node, path):
            return False, 0
        above = self._paths_above(node)
        joins = NOWHERE
        while path not in above:
            joins = self._parent[path]
            if joins == NOWHERE:
                return False, 0
            path = self._path[joins]
        most = self._surplus[above[path]]
        if joins == NOWHERE:
            return True, most
        return False, min(most, self._surplus[joins])

    def _paths_above(self, blossom: int) -> dict[int, int]:
        """The paths that a blossom and those around it are on, each with the innermost of them."""
        if blossom not in self._above:
            paths: dict[int, int] = {}
            node = blossom
            while node != NOWHERE:
                path = self._path[node]
                paths[path] = node
                node = self._parent[path]
            self._above[blossom] = paths
        return self._above[blossom]


class Bucket:
    """Players of one class, score group and path of blossoms, in the order for pairing."""

    def __init__(
        self, costs: Costs, nests: Nests, key: tuple[int, int, int, bool]
    ) -> None:
        self.group, self.own_class, self.path, self.is_fresh = key
        self.members: list[int] = []
        self._costs = costs
        self._nests = nests
        self._trees: dict[tuple[bool, int | None], list[int]] = {}
        self._least: dict[int, list[int]] = {}

    def offers(self, halving: int | None, *, within: bool = False) -> list[int]:
        """Return the highest prices as a tree: node 1 has that of all, 2 and 3 those of halves.

        halving: where the digit is that falls with the place of an opponent, which is added.
        within: the prices of those within their blossoms.
        """
        if (within, halving) not in self._trees:
            prices = self._nests.within if within else self._nests.price
            values = [prices[player] for player in self.members]
            if halving is not None:
                lines = self._costs.lines
                values = [
                    price + (lines[player] << halving)
                    for price, player in zip(values, self.members, strict=True)
                ]
            self._trees[within, halving] = _highest(values)
        return self._trees[within, halving]

    def least(self, group: int) -> list[int]:
        """Return what each member lacks at least with players of a score group, but for these."""
        distance = min(group - self.group, 1)
        if distance not in self._least:
            price = self._nests.price
            self._least[distance] = [
                self._costs.apart(player, group) - price[player]
                for player in self.members
            ]
        return self._least[distance]


def _highest(values: Sequence[int]) -> list[int]:
    """A tree in a list: node n has the higher value of nodes 2n and 2n + 1."""
    width = 1
    while width < len(values):
        width *= 2
    low = min(values)
    tree = [low] * width + [*values] + [low] * (width - len(values))
    for node in range(width - 1, 0, -1):
        tree[node] = max(tree[2 * node], tree[2 * node + 1])
    return tree


Bound = tuple[int, list[int]]
"""What a player lacks at least, and a tree of what others offer."""


class Search:
    """Finds the pairs that are not read and lack something by what is known of them.

    Only pairs with one of the fresh players, and for each player at most so many in each bucket.
    """

    def __init__(
        self, costs: Costs, nests: Nests, fresh: Collection[int], most: int
    ) -> None:
        self._costs, self._nests, self._most = costs, nests, most
        self.steps = 0
        """How many bounds were compared."""
        self.unfinished: set[int] = set()
        """Players of whom there may be more."""
        buckets: dict[tuple[int, int, int, bool], Bucket] = {}
        for player in range(costs.count):
            key = (
                costs.group[player],
                costs.class_of[player],
                nests.path(player),
                player in fresh,
            )
            if key not in buckets:
                buckets[key] = Bucket(costs, nests, key)
            buckets[key].members.append(player)
        self._buckets = [*buckets.values()]

    def open_pairs(self) -> Iterator[tuple[int, int, int]]:
        """Yield what each lacks (below 0) and its two players."""
        for bucket in self._buckets:
            for others in self._buckets:
                if bucket.group <= others.group and (
                    bucket.is_fresh or others.is_fresh
                ):
                    yield from self._between(bucket, others)

    def _between(
        self, bucket: Bucket, others: Bucket
    ) -> Iterator[tuple[int, int, int]]:
        """Pairs of a member of one bucket with a later one of the other."""
        classes = bucket.own_class, others.own_class
        worth = self._costs.of_classes(classes, bucket.group, others.group)
        halving = (
            self._costs.halving(bucket.group) if bucket.group == others.group else None
        )
        offers = others.offers(halving)
        least = bucket.least(others.group)
        self.steps += 1
        if worth + min(least) >= offers[1]:
            return
        known = self._costs.known
        lines = self._costs.lines
        size = len(others.members)
        for player, lack in zip(bucket.members, least, strict=True):
            if worth + lack >= offers[1]:
                continue
            first = bisect_right(others.members, player)
            while first < size and (player, others.members[first]) in known:
                first += 1
            if first == size:
                continue
            by_distance = self._by_distance(player, others.group)
            distance = lines[others.members[first]] - lines[player]
            if worth + lack + by_distance(distance) >= offers[1]:
                continue
            is_nested, shared = self._nests.shared(player, others.path)
            bounds = [(worth + lack + 2 * shared, offers)]
            if is_nested:
                bounds.append((worth + lack, others.offers(halving, within=True)))
            yield from self._best_first(player, others, first, bounds, by_distance)

    def _best_first(
        self,
        player: int,
        others: Bucket,
        first: int,
        bounds: Sequence[Bound],
        by_distance: Callable[[int], int],
    ) -> list[tuple[int, int, int]]:
        """Pairs of a player with others from a place on, those that lack most first."""
        costs, members = self._costs, others.members
        pairs: list[tuple[int, int, int]] = []
        # What is lacking, the node of the trees, its first place, and how many it has.
        heap: list[tuple[int, int, int, int]] = []
        nodes = [(1, 0, len(bounds[0][1]) // 2)]
        while True:
            for node, start, width in nodes:
                if start + width <= first or start >= len(members):
                    continue
                self.steps += 1
                nearest = members[max(start, first)]
                lack = min([least - offers[node] for least, offers in bounds])
                lack += by_distance(costs.lines[nearest] - costs.lines[player])
                if lack < 0:
                    heappush(heap, (lack, node, start, width))
            if not heap:
                return pairs
            if len(pairs) == self._most:
                self.unfinished.add(player)
                return pairs
            lack, node, start, width = heappop(heap)
            nodes = []
            if width > 1:
                width //= 2
                nodes = [(2 * node, start, width), (2 * node + 1, start + width, width)]
            elif (player, members[start]) not in costs.known:
                pairs.append((lack, player, members[start]))

    def _by_distance(self, player: int, group: int) -> Callable[[int], int]:
        """What an opponent of a score group costs by the distance in the order."""
        choice = self._costs.choice_place(player, group)
        squared = self._costs.squared

        def cost(distance: int) -> int:
            by_choice = 0 if choice is None else (distance - 1) << choice
            by_square = 0 if squared is None else distance * distance << squared
            return by_choice + by_square

        return cost
