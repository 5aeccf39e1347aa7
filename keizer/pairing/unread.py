"""The open pairs: pairs that are not read, and may be in a better pairing.

A pair is *read* if the engine has its row of view possible_boards, and so knows its
cost. In a solution each player has a price, and no pair that is read has a negative
reduced cost (matching.py). A pair that is not read can only be in a better pairing if
its reduced cost is negative:

    reduced cost = cost - price of the player - price of the opponent
                   + 2 * surplus of all blossoms that are around both

The cost of such a pair is not known. But the classes, score groups and places of the
two tell what it costs at least (costs.py, lower bounds). So the reduced cost is at
least this *bound*, in which the opponent is the one who comes later in the order:

    bound = need - offer + distance cost
    need  = class cost + player cost - price of the player
            + 2 * surplus of the big blossoms that are around both
    offer = price of the opponent

Within a score group in which halves meet, a cost is lower by the opponent's line <<
spread_bit (costs.py). There this is part of the offer.

A pair is *open* if its bound is negative. Example: a player needs 40, and four
opponents offer 10, 35, 45 and 20, with distance costs of 0, 1, 2 and 3. Only the pair
with the third opponent is open: 40 - 45 + 2 = -3.

To find the open pairs without a look at every pair, players are put into buckets. Those
of one class and score group whose big blossoms lie alike are in the same bucket. The
offers of a bucket are kept in a tree of highest values, so that a single bound may show
that no pair with any of hundreds of opponents is open.

Players are vertices here, in the order for pairing (costs.py).
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from keizer.pairing.blossoms import Blossom
from keizer.pairing.costs import Costs
from keizer.pairing.matching import Matching

BIG_BLOSSOM = 48
"""The number of players from which on a blossom is big. The surplus of smaller ones is
left out of bounds, which are only lower without it."""


class OpenPair(NamedTuple):
    """A pair that is not read, and has a negative bound."""

    bound: int
    player: int
    opponent: int
    """The one of the two who comes later in the order for pairing."""


class SharedSurplus(NamedTuple):
    """The surplus of the big blossoms around a player and an opponent on a path."""

    is_maximum: bool
    """False: every opponent on the path shares `surplus`. True: an opponent shares
    `surplus`, or the total surplus of their innermost big blossom if that is lower."""
    surplus: int


class BigBlossoms:
    """The big blossoms of a solution, and the surplus that players in them share.

    The *total surplus* of a blossom is its own and that of all blossoms around it. So
    two players share the total surplus of the innermost blossom that is around both.

    Blossoms can be nested hundreds deep, so they are parted into *paths*. A path goes
    from a blossom to the largest one directly in it, and so on inwards. All others
    begin a path of their own. A path is named by its outermost blossom.

    Example: blossom A has B and C directly in it, B is larger than C, and D is in B.
    Then A, B and D are the path named A, and C is a path by itself.
    """

    def __init__(self, matching: Matching) -> None:
        self._total_surplus: dict[Blossom, int] = {}
        self._path: dict[Blossom, Blossom] = {}
        """By blossom, its path."""
        self._innermost: list[Blossom | None] = [None] * len(matching.vertices)
        """By vertex, the innermost big blossom around it."""
        self._innermost_by_path: dict[Blossom, dict[Blossom, Blossom]] = {}
        """What the method _innermost_on_paths has returned, by blossom."""
        big_blossoms = [
            blossom
            for blossom in matching.blossoms.values()
            if len(blossom.leaves) >= BIG_BLOSSOM
        ]
        # A blossom comes after the blossoms around it, which are larger, and after
        # larger ones in the same blossom.
        big_blossoms.sort(key=lambda blossom: len(blossom.leaves), reverse=True)
        continued: set[Blossom] = set()  # blossoms whose path goes on further in
        for blossom in big_blossoms:
            self._total_surplus[blossom] = blossom.surplus
            self._path[blossom] = blossom
            outer = blossom.parent
            if outer is not None:
                self._total_surplus[blossom] += self._total_surplus[outer]
                if outer not in continued:
                    self._path[blossom] = self._path[outer]
                    continued.add(outer)
            for vertex in blossom.leaves:
                self._innermost[vertex.number] = blossom
        self.price = [vertex.price for vertex in matching.vertices]
        """By vertex, its price."""
        self.price_within: list[int] = []
        """By vertex, the price less twice the total surplus of its innermost big
        blossom: what it offers to those who are in this blossom too."""
        for price, innermost in zip(self.price, self._innermost, strict=True):
            surplus = 0 if innermost is None else self._total_surplus[innermost]
            self.price_within.append(price - 2 * surplus)

    def path(self, vertex: int) -> Blossom | None:
        """Return the path of the innermost big blossom around a vertex.

        None if no big blossom is around it.
        """
        innermost = self._innermost[vertex]
        return None if innermost is None else self._path[innermost]

    def shared_surplus(self, vertex: int, path: Blossom | None) -> SharedSurplus:
        """Return the surplus that a vertex shares with all vertices on a path.

        They are the vertices whose innermost big blossom is on the path.
        """
        innermost = self._innermost[vertex]
        if innermost is None or path is None:
            return SharedSurplus(is_maximum=False, surplus=0)
        own_innermost = self._innermost_on_paths(innermost)
        if path in own_innermost:
            # The path leads through blossoms around the vertex, and perhaps on inwards.
            # An opponent further out on it shares less with the vertex, one further in
            # no more than these blossoms.
            own_surplus = self._total_surplus[own_innermost[path]]
            return SharedSurplus(is_maximum=True, surplus=own_surplus)
        # No blossom of the path is around the vertex, so all on it share the same. Go
        # outwards to the first blossom around it that is on a path of the vertex.
        junction = path.parent
        while junction is not None and self._path[junction] not in own_innermost:
            junction = self._path[junction].parent
        if junction is None:
            return SharedSurplus(is_maximum=False, surplus=0)
        own_surplus = self._total_surplus[own_innermost[self._path[junction]]]
        surplus = min(own_surplus, self._total_surplus[junction])
        return SharedSurplus(is_maximum=False, surplus=surplus)

    def _innermost_on_paths(self, blossom: Blossom) -> dict[Blossom, Blossom]:
        """Return the paths on which a blossom and those around it lie.

        For each path it has the innermost of these blossoms that is on it.
        """
        if blossom not in self._innermost_by_path:
            innermost: dict[Blossom, Blossom] = {}
            on_path: Blossom | None = blossom
            while on_path is not None:
                path = self._path[on_path]
                innermost[path] = on_path
                on_path = path.parent  # the first blossom that is on the next path out
            self._innermost_by_path[blossom] = innermost
        return self._innermost_by_path[blossom]


class Kind(NamedTuple):
    """The properties that all players of a bucket have in common."""

    group: int
    """Their score group."""
    own_class: int
    """Their class."""
    path: Blossom | None
    """The path of their innermost big blossoms; None if they are in none."""
    is_fresh: bool
    """True if they are fresh (see Search)."""


class Bucket:
    """The players of one kind, with what they need and offer.

    They are its members, in the order for pairing.
    """

    def __init__(self, costs: Costs, blossoms: BigBlossoms, kind: Kind) -> None:
        self.kind = kind
        self.members: list[int] = []
        self._costs = costs
        self._blossoms = blossoms
        self._offers: dict[tuple[bool, int | None], list[int]] = {}
        """What the method offers has returned, by its arguments."""
        self._needs: dict[bool, list[int]] = {}
        """What the method needs has returned: False for the own score group, True for
        lower ones."""

    def offers(self, spread_bit: int | None, *, within: bool = False) -> list[int]:
        """Return the tree of what the members offer (see `tree_of_highest`).

        spread_bit: the lowest bit of `spread` if the members are opponents in their own
        group and halves meet, else None. within: use the prices that hold within their
        innermost big blossoms.
        """
        key = within, spread_bit
        if key not in self._offers:
            prices = self._blossoms.price_within if within else self._blossoms.price
            offers = [prices[player] for player in self.members]
            if spread_bit is not None:
                # A cost is lower by the opponent's line in `spread`. That counts as if
                # the opponent offered more.
                for index, player in enumerate(self.members):
                    offers[index] += self._costs.lines[player] << spread_bit
            self._offers[key] = tree_of_highest(offers)
        return self._offers[key]

    def needs(self, opponent_group: int) -> list[int]:
        """Return what each member needs from opponents of a score group.

        Class costs and shared surplus, which depend on the opponents, are to be added.
        """
        # All lower groups cost a member the same.
        is_lower = opponent_group > self.kind.group
        if is_lower not in self._needs:
            self._needs[is_lower] = [
                self._costs.player_cost(player, opponent_group)
                - self._blossoms.price[player]
                for player in self.members
            ]
        return self._needs[is_lower]


def tree_of_highest(values: Sequence[int]) -> list[int]:
    """Return a binary tree of values as a list, in which node 1 has the highest value.

    Below node n are nodes 2n and 2n + 1, and it has the higher value of these two. The
    second half of the list has the values themselves: the leaves. They are filled up to
    a power of two with the lowest value. Node 0 means nothing.

    Example: of 4, 7 and 5 the nodes from 1 on are 7, 7, 5 and the leaves 4, 7, 5, 4.
    """
    leaf_count = 1
    while leaf_count < len(values):
        leaf_count *= 2
    lowest = min(values)
    fill = [lowest] * (leaf_count - len(values))
    tree = [lowest] * leaf_count + [*values] + fill
    for node in range(leaf_count - 1, 0, -1):
        tree[node] = max(tree[2 * node], tree[2 * node + 1])
    return tree


class Bounds(NamedTuple):
    """The bounds of pairs of a player with the members of a bucket, without distance.

    For a node of the tree the bound is need - offers[node]. No pair with a member below
    the node has a lower bound.
    """

    need: int
    offers: list[int]
    """A tree."""


Branch = tuple[int, int, int, int]
"""A node of a tree below which there may be open pairs: its bound with the least
distance cost, the node, the index of the first member below it, and the number of
leaves below it. A plain tuple, since a search makes tens of thousands.
"""


class Search:
    """A search for the open pairs that have at least one fresh player.

    fresh: the players who may have got new open pairs since the last search. max_pairs:
    how many open pairs of a player with the members of one bucket are found at most.
    """

    def __init__(
        self,
        costs: Costs,
        blossoms: BigBlossoms,
        fresh: Collection[int],
        max_pairs: int,
    ) -> None:
        self._costs = costs
        self._blossoms = blossoms
        self._max_pairs = max_pairs
        self.steps = 0
        """The number of bounds that were compared."""
        self.unfinished: set[int] = set()
        """Players who may have more open pairs than were found."""
        buckets: dict[Kind, Bucket] = {}
        for player in range(costs.player_count):
            kind = Kind(
                costs.group_of[player],
                costs.class_of[player],
                blossoms.path(player),
                player in fresh,
            )
            if kind not in buckets:
                buckets[kind] = Bucket(costs, blossoms, kind)
            buckets[kind].members.append(player)
        self._buckets = [*buckets.values()]

    def open_pairs(self) -> Iterator[OpenPair]:
        """Yield the open pairs, for each two buckets in turn."""
        for bucket in self._buckets:
            for others in self._buckets:
                # The opponent comes later, and so is in the same group or a lower one.
                is_downwards = bucket.kind.group <= others.kind.group
                is_fresh = bucket.kind.is_fresh or others.kind.is_fresh
                if is_downwards and is_fresh:
                    yield from self._open_pairs_between(bucket, others)

    def _open_pairs_between(self, bucket: Bucket, others: Bucket) -> Iterator[OpenPair]:
        """Yield open pairs of a member of one bucket with a later one of the other."""
        group = bucket.kind.group
        other_group = others.kind.group
        classes = bucket.kind.own_class, others.kind.own_class
        class_cost = self._costs.class_cost(classes, group, other_group)
        spread_bit = self._costs.spread_bit(group) if group == other_group else None
        highest_offer = others.offers(spread_bit)[1]  # node 1 of the tree
        needs = bucket.needs(other_group)
        self.steps += 1
        if class_cost + min(needs) >= highest_offer:
            return  # no pair of the two buckets is open
        # Local names and few calls: the loop runs for each player and other bucket, and
        # hardly any of them has an open pair.
        known = self._costs.known
        members = others.members
        end = len(members)
        for player, own_need in zip(bucket.members, needs, strict=True):
            need = class_cost + own_need
            if need >= highest_offer:
                continue
            # The first opponent who comes later and whose pair is not read.
            first = bisect_right(members, player)
            while first < end and (player, members[first]) in known:
                first += 1
            if first == end:
                continue
            distance_cost = self._distance_cost(player, other_group)
            if need + distance_cost(members[first]) < highest_offer:
                bounds = self._bounds(player, need, others, spread_bit)
                yield from self._lowest_bounds_first(
                    player, members, first, bounds, distance_cost
                )

    def _bounds(
        self, player: int, need: int, others: Bucket, spread_bit: int | None
    ) -> list[Bounds]:
        """Return the bounds of a player with the members of a bucket: one or two.

        Of two bounds the lower one holds. need: what the player needs if no big blossom
        is around both.
        """
        shared = self._blossoms.shared_surplus(player, others.kind.path)
        bounds = [Bounds(need + 2 * shared.surplus, others.offers(spread_bit))]
        if shared.is_maximum:
            # Two share the smaller one of two surpluses: shared.surplus, or that of the
            # opponent, which the price within the opponent's blossom has taken off. So
            # the smaller one of the two bounds is right.
            bounds.append(Bounds(need, others.offers(spread_bit, within=True)))
        return bounds

    def _lowest_bounds_first(
        self,
        player: int,
        members: Sequence[int],
        first: int,
        bounds: Sequence[Bounds],
        distance_cost: Callable[[int], int],
    ) -> list[OpenPair]:
        """Return open pairs of a player with members[first:], lowest bound first.

        This is a best-first search in the trees of the bounds. They are of one shape,
        so a node stands for the same members in each of them. The search begins at node
        1, below which all members are. It goes on below the node with the lowest bound,
        and drops each node whose bound is not negative.

        distance_cost: returns the distance cost of an opponent.
        """
        branches: list[Branch] = []  # a heap, that with the lowest bound in front

        def add_branch(node: int, start: int, leaf_count: int) -> None:
            """Add a branch, unless its bound shows that no pair in it is open."""
            has_members = first < start + leaf_count and start < len(members)
            if not has_members:
                return
            self.steps += 1
            nearest = members[max(start, first)]  # who has the least distance cost
            bound = min([need - offers[node] for need, offers in bounds])
            bound += distance_cost(nearest)
            if bound < 0:
                heappush(branches, (bound, node, start, leaf_count))

        open_pairs: list[OpenPair] = []
        all_leaves = len(bounds[0].offers) // 2
        add_branch(1, 0, all_leaves)
        while branches:
            if len(open_pairs) == self._max_pairs:
                self.unfinished.add(player)
                return open_pairs
            bound, node, start, leaf_count = heappop(branches)
            if leaf_count > 1:
                half = leaf_count // 2
                add_branch(2 * node, start, half)
                add_branch(2 * node + 1, start + half, half)
            elif (player, members[start]) not in self._costs.known:
                open_pairs.append(OpenPair(bound, player, members[start]))
        return open_pairs

    def _distance_cost(self, player: int, group: int) -> Callable[[int], int]:
        """Return a function that returns the distance cost of an opponent.

        That is the part of the cost that follows from the distance of the two lines:
        its square, and the choice, which passes over all places between them. group:
        the score group of the opponents.
        """
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
