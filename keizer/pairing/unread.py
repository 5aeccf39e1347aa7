"""The open pairs: candidates that the prices of a solution do not exclude.

Of a pair that is not read only the classes, score groups and places of the two are
known, and from these the least that it can cost. Less what the two offer, that is a
lower bound of its reduced cost. A pair is open if that is negative. All others are in
no better pairing.

To find the open pairs without a look at every pair, players are put into buckets: those
of one class and score group whose big blossoms lie alike. A bucket has a tree of the
highest prices in it, so that a single bound may exclude many pairs at once.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from keizer.pairing.blossoms import Blossom
from keizer.pairing.costs import Costs
from keizer.pairing.matching import Matching

BIG_BLOSSOM = 48
"""The players of a blossom from which on it is looked at by itself."""


class OpenPair(NamedTuple):
    """A pair that is not read, and may be in a better pairing."""

    bound: int
    """A lower bound of its reduced cost, below 0."""
    player: int
    opponent: int
    """The one of the two who comes later in the order for pairing."""


class Shared(NamedTuple):
    """The surplus that a player shares with some others."""

    is_most: bool
    """True if others share less: the surplus around their own innermost blossom."""
    surplus: int


class Nests:
    """The big blossoms of a solution, one within the other.

    Two in the same blossoms have a higher reduced cost, by twice the surplus of these.
    Blossoms can be nested hundreds deep, so they are parted into paths: a blossom, the
    largest one in it, and so on inwards. A path is named by its outermost blossom.
    """

    def __init__(self, matching: Matching) -> None:
        self._surplus: dict[Blossom, int] = {}
        """By blossom, its surplus and that of all around it."""
        self._path: dict[Blossom, Blossom] = {}
        """By blossom, its path."""
        self._innermost: list[Blossom | None] = [None] * len(matching.vertices)
        """By vertex, the innermost big blossom."""
        self._above: dict[Blossom, dict[Blossom, Blossom]] = {}
        big = [
            each
            for each in matching.blossoms.values()
            if len(each.leaves) >= BIG_BLOSSOM
        ]
        # The larger ones come first, and so the outer ones.
        big.sort(key=lambda blossom: len(blossom.leaves), reverse=True)
        continued: set[Blossom] = set()
        for blossom in big:
            self._surplus[blossom] = blossom.surplus
            self._path[blossom] = blossom
            outer = blossom.parent
            if outer is not None:
                self._surplus[blossom] += self._surplus[outer]
                if outer not in continued:
                    self._path[blossom] = self._path[outer]
                    continued.add(outer)
            for vertex in blossom.leaves:
                self._innermost[vertex.number] = blossom
        self.price = [vertex.price for vertex in matching.vertices]
        self.within: list[int] = []
        """By vertex, the price that it offers within its innermost blossom."""
        for price, innermost in zip(self.price, self._innermost, strict=True):
            surplus = 0 if innermost is None else self._surplus[innermost]
            self.within.append(price - 2 * surplus)

    def path(self, vertex: int) -> Blossom | None:
        """Return the path of the innermost big blossom of a vertex, if it is in any."""
        innermost = self._innermost[vertex]
        return None if innermost is None else self._path[innermost]

    def shared(self, vertex: int, path: Blossom | None) -> Shared:
        """Return the surplus that a vertex shares with those on a path.

        They are those whose innermost blossom is on it. If the path leads inwards from
        a blossom of the vertex, it is the most that they share.
        """
        innermost = self._innermost[vertex]
        if innermost is None or path is None:
            return Shared(is_most=False, surplus=0)
        above = self._paths_above(innermost)
        junction: Blossom | None = None
        while path not in above:
            junction = path.parent
            if junction is None:
                return Shared(is_most=False, surplus=0)
            path = self._path[junction]
        surplus = self._surplus[above[path]]
        if junction is None:
            return Shared(is_most=True, surplus=surplus)
        return Shared(is_most=False, surplus=min(surplus, self._surplus[junction]))

    def _paths_above(self, blossom: Blossom) -> dict[Blossom, Blossom]:
        """Return the paths of a blossom and of those around it, by path.

        For each path that is the innermost of these blossoms on it.
        """
        if blossom not in self._above:
            above: dict[Blossom, Blossom] = {}
            node: Blossom | None = blossom
            while node is not None:
                path = self._path[node]
                above[path] = node
                node = path.parent
            self._above[blossom] = above
        return self._above[blossom]


class Kind(NamedTuple):
    """The common properties of the players of a bucket."""

    group: int
    """Their score group."""
    own_class: int
    path: Blossom | None
    """The path of their innermost big blossoms."""
    is_fresh: bool
    """True if all their pairs are looked at, and not only those with fresh players."""


class Bucket:
    """The players of a kind, in the order for pairing."""

    def __init__(self, costs: Costs, nests: Nests, kind: Kind) -> None:
        self.kind = kind
        self.members: list[int] = []
        self._costs = costs
        self._nests = nests
        self._trees: dict[tuple[bool, int | None], list[int]] = {}
        self._least: dict[int, list[int]] = {}

    def offers(self, spread_bit: int | None, *, within: bool = False) -> list[int]:
        """Return the highest prices of the members as a tree (see `tree_of_highest`).

        spread_bit: the digit that falls with the place of an opponent, so that a later
        member offers more; None: there is none. within: take the prices that members
        offer within their blossoms.
        """
        key = within, spread_bit
        if key not in self._trees:
            prices = self._nests.within if within else self._nests.price
            values = [prices[player] for player in self.members]
            if spread_bit is not None:
                for place, player in enumerate(self.members):
                    values[place] += self._costs.lines[player] << spread_bit
            self._trees[key] = tree_of_highest(values)
        return self._trees[key]

    def least(self, group: int) -> list[int]:
        """Return the least that members have to be offered by players of a score group.

        It is what the score groups cost less what the members offer themselves.
        """
        # All groups further down cost a member the same.
        distance = min(group - self.kind.group, 1)
        if distance not in self._least:
            price = self._nests.price
            self._least[distance] = [
                self._costs.group_cost(player, group) - price[player]
                for player in self.members
            ]
        return self._least[distance]


def tree_of_highest(values: Sequence[int]) -> list[int]:
    """Return a tree in a list: node n has the higher value of nodes 2n and 2n + 1.

    Node 1 has the highest of all. The second half of the list has the values, and the
    lowest one for each that is lacking to a power of two.
    """
    width = 1
    while width < len(values):
        width *= 2
    lacking = width - len(values)
    lowest = min(values)
    tree = [lowest] * width + [*values] + [lowest] * lacking
    for node in range(width - 1, 0, -1):
        tree[node] = max(tree[2 * node], tree[2 * node + 1])
    return tree


Branch = tuple[int, int, int, int]
"""A node of a tree below which there may be an open pair: the lowest bound that such a
pair can have, the node, the place of its first member, and the number of places.

A plain tuple, since a search makes tens of thousands.
"""


class Bound(NamedTuple):
    """A lower bound of reduced costs: what a player needs, and what opponents offer."""

    least: int
    offers: list[int]
    """A tree."""


class Search:
    """The search for open pairs with a fresh player.

    most: so many are found for each player in each bucket. `unfinished` says who may
    have more.
    """

    def __init__(
        self, costs: Costs, nests: Nests, fresh: Collection[int], most: int
    ) -> None:
        self._costs = costs
        self._nests = nests
        self._most = most
        self.steps = 0
        """The number of bounds that were compared."""
        self.unfinished: set[int] = set()
        buckets: dict[Kind, Bucket] = {}
        for player in range(costs.count):
            kind = Kind(
                costs.group[player],
                costs.class_of[player],
                nests.path(player),
                player in fresh,
            )
            if kind not in buckets:
                buckets[kind] = Bucket(costs, nests, kind)
            buckets[kind].members.append(player)
        self._buckets = [*buckets.values()]

    def open_pairs(self) -> Iterator[OpenPair]:
        """Yield the open pairs, bucket by bucket."""
        for bucket in self._buckets:
            for others in self._buckets:
                is_downwards = bucket.kind.group <= others.kind.group
                is_fresh = bucket.kind.is_fresh or others.kind.is_fresh
                if is_downwards and is_fresh:
                    yield from self._between(bucket, others)

    def _between(self, bucket: Bucket, others: Bucket) -> Iterator[OpenPair]:
        """Yield open pairs of a member of one bucket with a later one of the other."""
        group = bucket.kind.group
        other_group = others.kind.group
        classes = bucket.kind.own_class, others.kind.own_class
        class_cost = self._costs.class_cost(classes, group, other_group)
        spread_bit = self._costs.spread_bit(group) if group == other_group else None
        highest_offer = others.offers(spread_bit)[1]
        least = bucket.least(other_group)
        self.steps += 1
        if class_cost + min(least) >= highest_offer:
            return
        # Local names and few calls: the loop runs for each player and other bucket, and
        # hardly any of them has an open pair.
        known = self._costs.known
        members = others.members
        end = len(members)
        for player, own_least in zip(bucket.members, least, strict=True):
            player_least = class_cost + own_least
            if player_least >= highest_offer:
                continue
            first = bisect_right(members, player)
            while first < end and (player, members[first]) in known:
                first += 1
            if first == end:
                continue
            distance_cost = self._distance_cost(player, other_group)
            if player_least + distance_cost(members[first]) < highest_offer:
                bounds = self._bounds(player, player_least, others, spread_bit)
                yield from self._best_first(
                    player, members, first, bounds, distance_cost
                )

    def _bounds(
        self, player: int, least: int, others: Bucket, spread_bit: int | None
    ) -> list[Bound]:
        """Return the bounds of pairs of a player with the members of a bucket.

        least: what the player needs from them if no blossom is around both.
        """
        shared = self._nests.shared(player, others.kind.path)
        bounds = [Bound(least + 2 * shared.surplus, others.offers(spread_bit))]
        if shared.is_most:
            bounds.append(Bound(least, others.offers(spread_bit, within=True)))
        return bounds

    def _best_first(
        self,
        player: int,
        members: Sequence[int],
        first: int,
        bounds: Sequence[Bound],
        distance_cost: Callable[[int], int],
    ) -> list[OpenPair]:
        """Return open pairs of a player with members from a place on, the best first.

        That is a best-first search in the trees of the bounds. Two share the smaller of
        two surpluses, so the lower of two bounds holds.
        """
        branches: list[Branch] = []
        """A heap."""
        end = len(members)

        def consider(node: int, start: int, width: int) -> None:
            """Keep a branch if there may be an open pair in it."""
            if start + width <= first or start >= end:
                return
            self.steps += 1
            nearest = members[max(start, first)]
            bound = min([least - offers[node] for least, offers in bounds])
            bound += distance_cost(nearest)
            if bound < 0:
                heappush(branches, (bound, node, start, width))

        pairs: list[OpenPair] = []
        consider(1, 0, len(bounds[0].offers) // 2)
        while branches:
            if len(pairs) == self._most:
                self.unfinished.add(player)
                return pairs
            bound, node, start, width = heappop(branches)
            if width > 1:
                half = width // 2
                consider(2 * node, start, half)
                consider(2 * node + 1, start + half, half)
            elif (player, members[start]) not in self._costs.known:
                pairs.append(OpenPair(bound, player, members[start]))
        return pairs

    def _distance_cost(self, player: int, group: int) -> Callable[[int], int]:
        """Return a function: what an opponent of a group costs by the distance."""
        lines = self._costs.lines
        own_line = lines[player]
        choice_bit = self._costs.choice_bit(player, group)
        squared_bit = self._costs.squared_bit

        def cost(opponent: int) -> int:
            distance = lines[opponent] - own_line
            total = 0
            if choice_bit is not None:
                total += (distance - 1) << choice_bit
            if squared_bit is not None:
                total += distance * distance << squared_bit
            return total

        return cost
