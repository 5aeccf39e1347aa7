"""Which pairs a search begins with: what would be best if nobody had met, and what is near it."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, pairwise, product

from keizer.pairing.boards import Pair
from keizer.pairing.costs import Costs, Members

NEAR = 2
"""So many places above and below the likeliest opponent are read."""

LAST = 3
"""So many of each class are read with the first of the next group."""


def read_likely(costs: Costs) -> None:
    """Read pairs of vertices among which a good pairing is, a perfect one at any rate."""
    new = costs.read(_likely(costs))
    while new:
        new = costs.read({*_instead_of(costs, new)})


def _instead_of(costs: Costs, pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield, for two who may not meet again, pairs of each with those near the other."""
    for pair in pairs:
        has_bye = pair[1] == costs.count
        if has_bye or not costs.boards.kept_apart(costs.lines_of(pair)):
            continue
        for player, opponent in (pair, pair[::-1]):
            classmates = costs.members[costs.group[opponent]][costs.class_of[opponent]]
            for other in _around(classmates, bisect_left(classmates, opponent)):
                if other != player:
                    yield _ordered(player, other)


def _ordered(player: int, opponent: int) -> Pair:
    """Return the key of a pair: the one who comes first in the order for pairing, first."""
    return min(player, opponent), max(player, opponent)


def _likely(costs: Costs) -> set[Pair]:
    """Return the pairs that would be good if nobody had met, and some so that all have a pair."""
    pairs = {*pairwise(range(costs.size))}
    if costs.count < costs.size:
        pairs.update((player, costs.count) for player in range(costs.count))
    costs.read(_of_each_two_classes(costs))
    groups = sorted(costs.members)
    for group, below in pairwise(groups):
        pairs.update(_leaving(costs.members[group], costs.members[below]))
    if len(groups) > 1:
        pairs.update(_crowded_out(costs, groups))
        pairs.update(_crowded_out(costs, groups[::-1]))
    if costs.boards.halves:
        pairs.update(_by_halves(costs))
    else:
        for members in costs.members.values():
            pairs.update(_by_rank(costs, members))
    return pairs


def _leaving(members: Members, below: Members) -> Iterator[Pair]:
    """Pairs of the last of each class with the first of each class of the next group."""
    for own in members.values():
        for others in below.values():
            for player in own[-LAST:]:
                for opponent in others[:NEAR]:
                    yield player, opponent


def _of_each_two_classes(costs: Costs) -> Iterator[Pair]:
    """Yield a pair of each two classes of a score group: it tells how these fit each other."""
    for members in costs.members.values():
        for own, other in combinations_with_replacement(members, 2):
            player, opponent = members[own][0], members[other][-1]
            if player != opponent:
                yield _ordered(player, opponent)


def _crowded_out(costs: Costs, groups: Sequence[int]) -> Iterator[Pair]:
    """Yield pairs of those who find too few opponents in their score group with the next groups.

    groups: from the top to the bottom, or the other way round: a group may need either.
    """
    way = 1 if groups[0] < groups[-1] else -1
    arriving: Members = {}
    for group in groups:
        members = {own: players[::way] for own, players in costs.members[group].items()}
        for players, opponents in product(arriving.values(), members.values()):
            yield from _side_by_side(players, opponents)
        for own, players in members.items():
            arriving[own] = arriving.get(own, []) + players
        arriving = _too_many(costs, group, arriving)


def _side_by_side(players: Sequence[int], opponents: Sequence[int]) -> Iterator[Pair]:
    """Yield pairs of the k-th of some players with those about the k-th of others."""
    for place, player in enumerate(players):
        for opponent in _around(opponents, place):
            yield _ordered(player, opponent)


def _too_many(costs: Costs, group: int, members: Members) -> Members:
    """Return the last of each class that has more players than opponents in a score group.

    They are too many by how many more there are of all the classes that do not fit it than of
    those that do.
    """
    leaving: Members = {}
    for own, players in members.items():
        unfit = [other for other in members if not _fit(costs, group, (own, other))]
        if own not in unfit:
            continue
        everybody = sum(map(len, members.values()))
        rivals = sum(len(members[other]) for other in unfit)
        too_many = rivals - (everybody - rivals)
        if too_many > 0:
            leaving[own] = players[-too_many:]
    return leaving


def _fit(costs: Costs, group: int, classes: Pair) -> bool:
    """Tell if two classes break no rule that outweighs leaving the score group."""
    leaving = 1 << costs.places["floats", 1]
    return costs.of_classes(classes, group, group) < leaving


def _by_rank(costs: Costs, members: Members) -> Iterator[Pair]:
    """Pairs of those who are near in the order, among the classes that fit each other best.

    A class may not fit itself, as those who are due White. Where its players are many, or stand
    far from all who fit them, the k-th who fits no better than they meets the k-th of those who do,
    from the first or from the last, however far apart the two are.
    """
    for own, players in members.items():
        fitting = _fitting(costs, own, members)
        partners = sorted(player for other in fitting for player in members[other])
        rivals = sorted(
            player
            for other in members
            if other not in fitting
            for player in members[other]
        )
        spare = len(partners) - len(rivals)
        many = len(rivals) > spare
        for player in players:
            place = bisect_left(partners, player)
            near = _around(partners, place, 2 * NEAR)
            far = all(abs(opponent - player) > 2 * NEAR for opponent in near)
            opponents = {*near}
            if own not in fitting and (many or far):
                rank = bisect_left(rivals, player)
                opponents = {
                    *_around(partners, place),
                    *_around(partners, rank),
                    *_around(partners, rank + spare),
                }
            for opponent in opponents - {player}:
                yield _ordered(player, opponent)


def _fitting(costs: Costs, own: int, members: Members) -> set[int]:
    """The classes of a score group whose players are the best opponents of a class."""
    group = costs.group[members[own][0]]
    worth = {
        other: costs.of_classes((own, other), group, group)
        for other in members
        if other != own or len(members[own]) > 1
    }
    least = min(worth.values(), default=0)
    return {other for other, cost in worth.items() if cost == least}


def _by_halves(costs: Costs) -> Iterator[Pair]:
    """Pairs of an upper half with a lower half, group by group."""
    groups = costs.members
    from_above: list[int] = []
    for group in sorted(groups):
        rest = sorted(player for own in groups[group].values() for player in own)
        for player in from_above:
            firsts = [first for own in groups[group].values() for first in own[:NEAR]]
            for opponent in firsts:
                yield player, opponent
            rest.remove(
                min(firsts, key=lambda first: (_worth(costs, player, first), first))
            )
        from_above = [rest.pop()] if len(rest) % 2 else []
        half = len(rest) // 2
        yield from _in_order(costs, rest[:half], rest[half:])


def _worth(costs: Costs, player: int, opponent: int) -> int:
    """What two cost by their classes."""
    classes = costs.class_of[player], costs.class_of[opponent]
    return costs.of_classes(classes, costs.group[player], costs.group[opponent])


def _in_order(
    costs: Costs, upper: Sequence[int], lower: Sequence[int]
) -> Iterator[Pair]:
    """Pairs around those that come out if one player after the other takes the best opponent.

    That is the first who is free, as long as the classes of the others still fit as well as can be.
    """
    waiting: Members = {}
    for opponent in lower:
        waiting.setdefault(costs.class_of[opponent], []).append(opponent)
    taken = dict.fromkeys(waiting, 0)
    plan = Quotas(costs, upper, lower)
    for player in upper:
        for own, opponents in waiting.items():
            for opponent in _around(opponents, taken[own]):
                yield player, opponent
        free = [own for own in waiting if taken[own] < len(waiting[own])]
        free.sort(key=lambda own: waiting[own][taken[own]])
        for own in free:
            if plan.take(costs.class_of[player], own):
                taken[own] += 1
                break


def _around(players: Sequence[int], place: int, near: int = NEAR) -> Sequence[int]:
    """The players about a place."""
    return players[max(place - near, 0) : max(place + near + 1, 0)]


Node = tuple[bool, int]
"""A class: of the upper half (False) or of the lower (True)."""


class Quotas:
    """How many of each class meet how many of each other class, as cheaply as can be.

    A transportation problem, solved by shortest augmenting paths.
    """

    def __init__(
        self, costs: Costs, upper: Sequence[int], lower: Sequence[int]
    ) -> None:
        supply = Counter((False, costs.class_of[player]) for player in upper)
        demand = Counter((True, costs.class_of[player]) for player in lower)
        example = {costs.class_of[player]: player for player in (*upper, *lower)}
        self.cost: dict[Pair, int] = {}
        for _, own in supply:
            for _, other in demand:
                self.cost[own, other] = _worth(costs, example[own], example[other])
        self.number = dict.fromkeys(self.cost, 0)
        """How many of an upper class meet one of a lower class."""
        while supply:
            path = self._cheapest(supply, demand)
            first, last = path[0], path[-1]
            most = min(supply[first], demand[last], *self._back(path))
            self._send(path, most)
            supply -= Counter({first: most})
            demand -= Counter({last: most})

    def take(self, upper: int, lower: int) -> bool:
        """Let two of these classes meet and leave, unless the others would then cost more."""
        if not self.number[upper, lower]:
            # The others who would have met these two meet each other, by some detour.
            path = self._cheapest([(True, lower)], [(False, upper)])
            if not path or self._length(path) + self.cost[upper, lower]:
                return False
            self._send(path, 1)
            self.number[upper, lower] += 1
        self.number[upper, lower] -= 1
        return True

    def _steps(self) -> Iterator[tuple[Node, Node, int]]:
        """From which class one can go on to which, at what cost: one more meets, or one fewer."""
        for (upper, lower), cost in self.cost.items():
            yield (False, upper), (True, lower), cost
            if self.number[upper, lower]:
                yield (True, lower), (False, upper), -cost

    def _cheapest(self, starts: Iterable[Node], ends: Iterable[Node]) -> list[Node]:
        """The cheapest path from one of some nodes to one of others; empty: there is none."""
        length = dict.fromkeys(starts, 0)
        before: dict[Node, Node] = {}
        shorter = True
        while shorter:
            shorter = False
            for node, following, cost in self._steps():
                if node not in length:
                    continue
                if following not in length or length[node] + cost < length[following]:
                    length[following] = length[node] + cost
                    before[following] = node
                    shorter = True
        reached = [node for node in ends if node in length]
        if not reached:
            return []
        path = [min(reached, key=length.__getitem__)]
        while path[-1] in before:
            path.append(before[path[-1]])
        return path[::-1]

    def _length(self, path: Sequence[Node]) -> int:
        cost = 0
        for (is_lower, one), (_, other) in pairwise(path):
            cost += -self.cost[other, one] if is_lower else self.cost[one, other]
        return cost

    def _back(self, path: Sequence[Node]) -> list[int]:
        """How many meet that a path takes apart, step by step."""
        return [
            self.number[other, one]
            for (is_lower, one), (_, other) in pairwise(path)
            if is_lower
        ]

    def _send(self, path: Sequence[Node], number: int) -> None:
        for (is_lower, one), (_, other) in pairwise(path):
            if is_lower:
                self.number[other, one] -= number
            else:
                self.number[one, other] += number
