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
of one class and score group whose big blossoms lie alike are in the same bucket, if
both or neither may have got new open pairs. The offers of a bucket are kept in a tree
of highest values, so that a single bound may show that no pair with any of hundreds of
opponents is open.

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
    """A pair of players that is not priced out: it may be in a better pairing.

    The cost of the pair has not been read from the file. It is only known what the pair
    costs at least.
    """

    bound: int
    """A lower bound of the pair's reduced cost. It is negative."""
    player: int
    """The vertex of the player who comes first in the order for pairing."""
    opponent: int
    """The vertex of the player who comes later."""


class SharedSurplus(NamedTuple):
    """How much surplus a player shares with the opponents on a path of blossoms.

    Two players share the surplus of every big blossom that is around both.
    """

    is_maximum: bool
    """False: the player shares exactly `surplus` with each opponent. True: the player
    shares at most `surplus`, and less with an opponent whose innermost big blossom has
    a lower total surplus: just this total."""
    surplus: int


class BigBlossoms:
    """The big blossoms of a solution, and the surplus that players in them share.

    A blossom is a set of players, which can lie in a larger one. It is big if it has
    BIG_BLOSSOM players or more. Its *surplus* is a number; the price of each of its
    players includes it. The *total surplus* of a blossom is its own plus that of all
    blossoms around it. So two players share the total surplus of the innermost blossom
    that is around both.

    Blossoms can be nested hundreds deep. To find the innermost shared one quickly, they
    are divided into *paths* (heavy paths). A path goes from a blossom to the largest
    one directly in it, and so on inwards. All others begin a path of their own. A path
    is named by its outermost blossom.

    Example: blossom A has B and C directly in it, B is larger than C, and D is in B.
    Then A, B and D are the path named A, and C is a path by itself.
    """

    def __init__(self, matching: Matching) -> None:
        """Find the big blossoms of a solution, and divide them into paths."""
        self._total_surplus: dict[Blossom, int] = {}
        """By blossom, its surplus plus that of all blossoms around it."""
        self._path: dict[Blossom, Blossom] = {}
        """By blossom, its path, which is named by its outermost blossom."""
        self._innermost: list[Blossom | None] = [None] * len(matching.vertices)
        """By vertex, the innermost big blossom around it; None if there is none."""
        self._innermost_by_path: dict[Blossom, dict[Blossom, Blossom]] = {}
        """A cache: by blossom, what the method _innermost_on_paths has returned."""
        big_blossoms = [
            blossom
            for blossom in matching.blossoms.values()
            if len(blossom.leaves) >= BIG_BLOSSOM
        ]
        # The largest blossom first. So the blossoms around a blossom come before it,
        # and the first one that comes directly in a blossom is the largest one in it.
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
            # A blossom further in comes later, and replaces this one.
            for vertex in blossom.leaves:
                self._innermost[vertex.number] = blossom
        self.price = [vertex.price for vertex in matching.vertices]
        """By vertex, its price, which includes the surplus of all blossoms around."""
        self.price_in_blossoms: list[int] = []
        """By vertex, its price for opponents who are in all of its big blossoms. It is
        lower by twice the total surplus, which the reduced cost of such a pair adds."""
        for price, innermost in zip(self.price, self._innermost, strict=True):
            surplus = 0 if innermost is None else self._total_surplus[innermost]
            self.price_in_blossoms.append(price - 2 * surplus)

    def path(self, vertex: int) -> Blossom | None:
        """Return the path of nested blossoms on which a vertex lies.

        That is the path of the innermost big blossom around the vertex. It is named by
        its outermost blossom. None if no big blossom is around the vertex.
        """
        innermost = self._innermost[vertex]
        return None if innermost is None else self._path[innermost]

    def shared_surplus(self, vertex: int, path: Blossom | None) -> SharedSurplus:
        """Return how much surplus a vertex shares with the opponents on a path.

        These opponents are the vertices whose innermost big blossom is on the path. If
        the path is None, they are in no big blossom, and share nothing.

        Example: blossom A has B and C directly in it, and D is in B. One path is A, B,
        D; the other is C. The total surplus of A is 5, of B 7, of C 6 and of D 9. A
        vertex in D shares at most 9 with opponents on the path of A: 5 with those who
        are only in A, 7 with those in B, and 9 with those in D. With all opponents on
        the path of C it shares 5, since only A is around both.
        """
        innermost = self._innermost[vertex]
        if innermost is None or path is None:
            return SharedSurplus(is_maximum=False, surplus=0)
        own_innermost = self._innermost_on_paths(innermost)
        if path in own_innermost:
            # Some blossoms of the path are around the vertex. An opponent further in
            # than these shares all of them with the vertex. An opponent further out
            # shares only those that are around the opponent too.
            own_surplus = self._total_surplus[own_innermost[path]]
            return SharedSurplus(is_maximum=True, surplus=own_surplus)
        # No blossom of the path is around the vertex. So the vertex shares the same
        # with everybody on it: the blossoms that are around the whole path and around
        # the vertex. Go outwards from the path to the first path that has such ones.
        junction = path.parent
        while junction is not None and self._path[junction] not in own_innermost:
            junction = self._path[junction].parent
        if junction is None:
            return SharedSurplus(is_maximum=False, surplus=0)
        # On that path, the blossoms around the opponents go inwards as far as junction,
        # and those around the vertex as far as own_innermost. The outer one of these
        # two is around both. Its total surplus is the lower one.
        own_surplus = self._total_surplus[own_innermost[self._path[junction]]]
        surplus = min(own_surplus, self._total_surplus[junction])
        return SharedSurplus(is_maximum=False, surplus=surplus)

    def _innermost_on_paths(self, blossom: Blossom) -> dict[Blossom, Blossom]:
        """Return the paths on which a blossom and the blossoms around it lie.

        By path (named by its outermost blossom), the innermost of these blossoms that
        is on the path. The result is cached.
        """
        if blossom not in self._innermost_by_path:
            innermost: dict[Blossom, Blossom] = {}
            on_path: Blossom | None = blossom
            while on_path is not None:
                path = self._path[on_path]
                innermost[path] = on_path
                # The outermost blossom of this path lies in a blossom of the next path.
                on_path = path.parent
            self._innermost_by_path[blossom] = innermost
        return self._innermost_by_path[blossom]


class BucketKey(NamedTuple):
    """The properties that all players in a bucket have in common."""

    group: int
    """Their score group: 1 is the top one."""
    own_class: int
    """Their class: the rules on colours and categories treat players of one class
    alike."""
    path: Blossom | None
    """The path of nested blossoms on which they lie (see BigBlossoms). None if they are
    in no big blossom."""
    is_candidate: bool
    """True if they may have got new open pairs since the last search."""


class Bucket:
    """Players who are alike, so that one look may exclude pairs with all of them.

    They have the same key: score group, class, path of blossoms, and whether they are
    candidates. A pair can only be in a better pairing if the opponent *offers* more
    than the player *needs*. The price of a player is the main part of both: a high
    price makes the offer high and the need low.
    """

    def __init__(self, costs: Costs, blossoms: BigBlossoms, key: BucketKey) -> None:
        """Create an empty bucket. The caller adds its members."""
        self.key = key
        self.members: list[int] = []
        """The vertices of the players, in the order for pairing."""
        self._costs = costs
        self._blossoms = blossoms
        self._offers: dict[tuple[bool, int | None], list[int]] = {}
        """A cache: what the method offers has returned, by its arguments."""
        self._needs: dict[bool, list[int]] = {}
        """A cache: what the method needs has returned. False: for opponents of the own
        score group. True: for those of lower groups."""

    def offers(self, spread_bit: int | None, *, within: bool = False) -> list[int]:
        """Return what each member offers as an opponent, as a tree (`tree_of_highest`).

        A member offers their price. If the upper half of their score group meets the
        lower half, an opponent further down makes a pair cheaper, so such a member
        offers more.

        spread_bit: the bit from which on a cost counts this (digit `spread`); None if
        it does not count. within: True for the prices that hold for a player who is in
        all big blossoms around the member (`price_in_blossoms`).
        """
        key = within, spread_bit
        if key not in self._offers:
            prices = (
                self._blossoms.price_in_blossoms if within else self._blossoms.price
            )
            offers = [prices[player] for player in self.members]
            if spread_bit is not None:
                # The digit `spread` is lower by the line of the opponent: their place
                # in the order for pairing. A higher offer has the same effect.
                for index, player in enumerate(self.members):
                    offers[index] += self._costs.lines[player] << spread_bit
            self._offers[key] = tree_of_highest(offers)
        return self._offers[key]

    def needs(self, opponent_group: int) -> list[int]:
        """Return what each member needs from an opponent of a score group.

        That is the part of a pair's cost that is known from the member and the group,
        less the member's price. The caller adds what depends on the opponent: the class
        cost, the shared surplus and the distance cost.
        """
        # All lower groups cost a member the same, so two results are enough.
        is_lower = opponent_group > self.key.group
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
    a power of two with the lowest value. Node 0 is not used.

    Example: of 4, 7 and 5 the nodes from 1 on are 7, 7, 5 and the leaves 4, 7, 5, 4.
    """
    leaf_count = 1
    while leaf_count < len(values):
        leaf_count *= 2
    lowest = min(values)
    fill = [lowest] * (leaf_count - len(values))
    tree = [lowest] * leaf_count + [*values] + fill
    # From the last inner node back to node 1, since a node needs the two below it.
    for node in range(leaf_count - 1, 0, -1):
        tree[node] = max(tree[2 * node], tree[2 * node + 1])
    return tree


class Bounds(NamedTuple):
    """Lower bounds for the pairs of a player with the players of a bucket.

    A bound is the least reduced cost that a pair can have, still without the part that
    follows from the distance of the two. The bound of a node of the tree is
    need - offers[node]. It holds for each pair with a player below the node.
    """

    need: int
    """What the player needs from an opponent."""
    offers: list[int]
    """What the opponents offer, as a tree (see `tree_of_highest`)."""


Branch = tuple[int, int, int, int]
"""A node of a tree below which there may be open pairs: its bound with the least
distance cost, the node, the index of the first member below it, and the number of
leaves below it. A plain tuple, since a search makes tens of thousands.
"""


class Search:
    """A search for open pairs: unread pairs that may be in a better pairing.

    A pair is read if its cost is known. Of an unread pair only a lower bound of its
    reduced cost is known. The pair is open if this bound is negative.

    candidates: the players who may have got new open pairs since the last search. At
    least one player of each pair found is one of them. max_pairs: the most open pairs
    that are found of one player with the players of one bucket.
    """

    def __init__(
        self,
        costs: Costs,
        blossoms: BigBlossoms,
        candidates: Collection[int],
        max_pairs: int,
    ) -> None:
        """Prepare the search: put all players into buckets of players who are alike.

        Most pairs of two buckets can be excluded together.
        """
        self._costs = costs
        self._blossoms = blossoms
        self._max_pairs = max_pairs
        self.steps = 0
        """The number of bounds that were compared: a measure of work."""
        self.unfinished: set[int] = set()
        """Players who may have more open pairs than the `max_pairs` that were found."""
        buckets: dict[BucketKey, Bucket] = {}
        for player in range(costs.player_count):
            key = BucketKey(
                group=costs.group_of[player],
                own_class=costs.class_of[player],
                path=blossoms.path(player),
                is_candidate=player in candidates,
            )
            if key not in buckets:
                buckets[key] = Bucket(costs, blossoms, key)
            buckets[key].members.append(player)
        self._buckets = [*buckets.values()]

    def find_open_pairs(self) -> Iterator[OpenPair]:
        """Find the open pairs in which at least one player is a candidate; yield them.

        A pair is open if its cost is not read yet, and it may be in a better pairing.
        A candidate is a player who may have got new open pairs since the last search.
        Two who are not candidates have no new open pair together, so their pairs are
        left out.

        The methods called for this raise `steps`, and add the players of whom not all
        open pairs are found to `unfinished`.
        """
        for bucket in self._buckets:
            for others in self._buckets:
                # The opponent of a pair is the one who comes later in the order for
                # pairing. This order goes by score groups, so the opponent is in the
                # same group as the player or in a lower one.
                is_downwards = bucket.key.group <= others.key.group
                # The players of a bucket are all candidates, or none of them is.
                has_candidates = bucket.key.is_candidate or others.key.is_candidate
                if is_downwards and has_candidates:
                    yield from self._open_pairs_between(bucket, others)

    def _open_pairs_between(self, bucket: Bucket, others: Bucket) -> Iterator[OpenPair]:
        """Find the open pairs of a player in `bucket` with an opponent in `others`.

        The opponent is always the one who comes later in the order for pairing. A pair
        can only be open if the player needs less than the opponent offers. The need is
        what the pair costs at least, less the player's price. The offer is the
        opponent's price.
        """
        group = bucket.key.group
        other_group = others.key.group
        classes = bucket.key.own_class, others.key.own_class
        class_cost = self._costs.class_cost(classes, group, other_group)
        # The digit `spread` goes by the opponent's line only within a score group.
        spread_bit = self._costs.spread_bit(group) if group == other_group else None
        highest_offer = others.offers(spread_bit)[1]  # node 1 of the tree
        needs = bucket.needs(other_group)
        self.steps += 1
        if class_cost + min(needs) >= highest_offer:
            return  # no pair of the two buckets is open
        # Local names and few calls: the loop runs for each player and other bucket, and
        # hardly any of them has an open pair.
        read_costs = self._costs.known
        opponents = others.members
        end = len(opponents)
        for player, own_need in zip(bucket.members, needs, strict=True):
            need = class_cost + own_need
            if need >= highest_offer:
                continue  # no opponent offers enough
            # The first opponent who comes later and whose pair is not read. Of all such
            # opponents this one is nearest, and has the lowest distance cost.
            first = bisect_right(opponents, player)
            while first < end and (player, opponents[first]) in read_costs:
                first += 1
            if first == end:
                continue  # no pair with a later opponent is unread
            distance_cost = self._distance_cost(player, other_group)
            if need + distance_cost(opponents[first]) < highest_offer:
                yield from self._open_pairs_of(
                    player,
                    opponents,
                    first=first,
                    bounds=self._bounds(player, need, others, spread_bit),
                    distance_cost=distance_cost,
                )

    def _bounds(
        self, player: int, need: int, others: Bucket, spread_bit: int | None
    ) -> list[Bounds]:
        """Return lower bounds for the pairs of a player with the players of a bucket.

        Each big blossom that is around both raises the reduced cost of a pair by twice
        its surplus. If this surplus is not the same with all opponents, two bounds are
        returned. Then the lower one of the two holds for a pair.

        need: what the player needs if no big blossom is around both.
        """
        shared = self._blossoms.shared_surplus(player, others.key.path)
        bounds = [Bounds(need + 2 * shared.surplus, others.offers(spread_bit))]
        if shared.is_maximum:
            # The first bound adds twice shared.surplus. But an opponent further out is
            # in fewer of these blossoms. With this one the player shares less: the
            # total surplus of the opponent's blossoms. The second bound adds twice that
            # total: `within` makes each offer lower by it.
            bounds.append(Bounds(need, others.offers(spread_bit, within=True)))
        return bounds

    def _open_pairs_of(
        self,
        player: int,
        opponents: Sequence[int],
        *,
        first: int,
        bounds: Sequence[Bounds],
        distance_cost: Callable[[int], int],
    ) -> list[OpenPair]:
        """Return open pairs of a player with opponents[first:], lowest bound first.

        At most `max_pairs` are returned. If there may be more, the player is added to
        `unfinished`.

        This is a best-first search in the trees of the bounds. They are of one shape,
        so a node stands for the same opponents in each of them. The search begins at
        node 1, below which all opponents are. It goes on below the node with the lowest
        bound, and drops each node whose bound is not negative.

        distance_cost: a function that returns the distance cost of an opponent.
        """
        branches: list[Branch] = []  # a heap: the branch with the lowest bound in front

        def add_branch(node: int, start: int, leaf_count: int) -> None:
            """Add a node to the heap if a pair below it may be open.

            A pair may be open if the bound of the node is negative. Below the node are
            `leaf_count` leaves, one for each opponent from index `start` on.
            """
            has_opponents = first < start + leaf_count and start < len(opponents)
            if not has_opponents:
                return
            self.steps += 1
            # Opponents are in the order for pairing, and all come after the player. So
            # the first one below the node has the lowest distance cost.
            nearest = opponents[max(start, first)]
            bound = min([need - offers[node] for need, offers in bounds])
            bound += distance_cost(nearest)
            if bound < 0:
                heappush(branches, (bound, node, start, leaf_count))

        open_pairs: list[OpenPair] = []
        # The second half of a tree has the leaves.
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
            elif (player, opponents[start]) not in self._costs.known:
                # A leaf is one opponent, and the cost of the pair is not read yet.
                open_pairs.append(OpenPair(bound, player, opponents[start]))
        return open_pairs

    def _distance_cost(self, player: int, group: int) -> Callable[[int], int]:
        """Return a function that tells what a distance costs a player.

        The function takes an opponent. It returns the part of the pair's cost that
        follows from how far apart the two stand in the order for pairing. A search
        calls it for many opponents of one player. So what is the same for all of them
        is looked up here, once.

        Criterion `spread` follows from the distance too. It is not in the result, as
        it is part of needs and offers.

        group: the score group of the opponents.
        """
        lines = self._costs.lines  # the places in the order for pairing
        own_line = lines[player]
        # A cost is one integer, in which each criterion has its own bits. These are the
        # lowest bits of the choice and of the squared distance; None if it has none.
        choice_bit = self._costs.choice_bit(player, group)
        squared_bit = self._costs.squared_bit

        def distance_cost(opponent: int) -> int:
            """Return what a pair costs because the two stand apart in the order.

            A cost is one integer with a digit for each criterion. Two digits follow
            from the distance: the number of players between the two, whom the player
            passes over, and the square of the distance. For an opponent 3 places
            further down these are 2 and 9. Each is shifted to the bit at which its
            digit begins.
            """
            distance = lines[opponent] - own_line
            cost = 0
            if choice_bit is not None:  # else costs have no bits for this choice yet
                players_passed_over = distance - 1
                cost += players_passed_over << choice_bit
            if squared_bit is not None:  # else the club's rules do not count squares
                squared_distance = distance * distance
                cost += squared_distance << squared_bit
            return cost

        return distance_cost
