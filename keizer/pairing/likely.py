"""The candidate pairs to begin with: what would be best if nobody had met.

A search needs few pairs if a good pairing is among them. Who would be paired, if only
places, score groups and classes counted, is easily said: neighbours, or the k-th of an
upper half with the k-th of the lower one. A class is whoever the rules on colours and
groups treat alike, such as those who are due White (column white_class). For two who
may not meet again, each is taken with those near the other.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, pairwise, product

from keizer.pairing.boards import Pair, ordered
from keizer.pairing.costs import Costs, Members
from keizer.pairing.quotas import Quotas

Players = Sequence[int]
"""Vertices of players, in the order for pairing."""

Pairs = Iterator[Pair]
"""Pairs of vertices, one after the other."""

NEAR = 2
"""Places above and below the likeliest opponent that are read."""

LAST = 3
"""Players of each class who are read with the first of the next group."""


def read_likely(costs: Costs) -> None:
    """Read pairs of vertices among which there is a good pairing of all."""
    new_pairs = costs.read(_likely(costs))
    while new_pairs:
        new_pairs = costs.read({*_replacements(costs, new_pairs)})


def _replacements(costs: Costs, pairs: Iterable[Pair]) -> Pairs:
    """Yield, for two who may not meet again, each with those near the other."""
    for pair in pairs:
        player, opponent = pair
        has_bye = opponent == costs.count
        if not has_bye and costs.boards.kept_apart(costs.lines_of(pair)):
            yield from _with_near_classmates(costs, player, opponent)
            yield from _with_near_classmates(costs, opponent, player)


def _with_near_classmates(costs: Costs, player: int, opponent: int) -> Pairs:
    """Yield pairs of a player with those near an opponent, of the class of that."""
    classmates = costs.classmates(opponent)
    for other in _around(classmates, bisect_left(classmates, opponent)):
        if other != player:
            yield ordered(player, other)


def _around(players: Players, place: int, near: int = NEAR) -> Players:
    """Return the players at a place, and so many before and behind."""
    first = max(place - near, 0)
    end = max(place + near + 1, 0)
    return players[first:end]


def _likely(costs: Costs) -> set[Pair]:
    """Return the pairs that would be good if nobody had met."""
    costs.read(_examples_of_classes(costs))
    pairs = {*_neighbours(costs), *_between_groups(costs)}
    if costs.boards.halves:
        pairs.update(_by_halves(costs))
    else:
        for members in costs.members.values():
            pairs.update(_by_rank(costs, members))
    return pairs


def _neighbours(costs: Costs) -> Pairs:
    """Yield neighbours, and each player with the bye, so that all can be paired."""
    yield from pairwise(range(costs.size))
    if costs.count < costs.size:
        for player in range(costs.count):
            yield player, costs.count


def _examples_of_classes(costs: Costs) -> Pairs:
    """Yield a pair of each two classes of a score group: it tells if they fit."""
    for members in costs.members.values():
        for own_class, other_class in combinations_with_replacement(members, 2):
            player = members[own_class][0]
            opponent = members[other_class][-1]
            if player != opponent:
                yield ordered(player, opponent)


# ------------------------------------------------------------ between score groups


def _between_groups(costs: Costs) -> Pairs:
    """Yield pairs of those who may well leave their score group."""
    groups = sorted(costs.members)
    for group, next_group in pairwise(groups):
        yield from _at_border(costs.members[group], costs.members[next_group])
    if len(groups) > 1:
        yield from _crowded_out(costs, groups)
        yield from _crowded_out(costs, groups[::-1])


def _at_border(members: Members, next_members: Members) -> Pairs:
    """Yield pairs of the last of each class with the first of the next score group."""
    for players, opponents in product(members.values(), next_members.values()):
        yield from product(players[-LAST:], opponents[:NEAR])


def _crowded_out(costs: Costs, groups: Sequence[int]) -> Pairs:
    """Yield pairs with the next groups, of those with too few opponents in their own.

    groups: from the top to the bottom, or the other way round, since a group may need
    either.
    """
    is_downwards = groups[0] < groups[-1]
    arriving: Members = {}
    for group in groups:
        members = costs.members[group]
        if not is_downwards:
            members = {each: players[::-1] for each, players in members.items()}
        for players, opponents in product(arriving.values(), members.values()):
            yield from _side_by_side(players, opponents)
        for own_class, players in members.items():
            arriving[own_class] = arriving.get(own_class, []) + players
        arriving = _without_opponents(costs, group, arriving)


def _side_by_side(players: Players, opponents: Players) -> Pairs:
    """Yield pairs of the k-th of some players with those about the k-th of others."""
    for place, player in enumerate(players):
        for opponent in _around(opponents, place):
            yield ordered(player, opponent)


def _without_opponents(costs: Costs, group: int, members: Members) -> Members:
    """Return the last of each class that has more players than opponents in a group.

    The rivals of a class are all who do not fit it: they need the same opponents. So
    many leave the group by how much the rivals outnumber those who fit.
    """
    everybody = sum(map(len, members.values()))
    leaving: Members = {}
    for own_class, players in members.items():
        if _fit(costs, group, (own_class, own_class)):
            continue
        rivals = 0
        for other_class, others in members.items():
            if not _fit(costs, group, (own_class, other_class)):
                rivals += len(others)
        opponents = everybody - rivals
        if rivals > opponents:
            leaving[own_class] = players[-(rivals - opponents) :]
    return leaving


def _fit(costs: Costs, group: int, classes: Pair) -> bool:
    """Return whether two classes break no rule, or none that outweighs a float."""
    return costs.class_cost(classes, group, group) < 1 << costs.float_bit


# ------------------------------------------------------------ by rank


def _by_rank(costs: Costs, members: Members) -> Pairs:
    """Yield pairs of those who are near in the order, of classes that fit best.

    A class may not fit itself, as those who are due White. Its rivals are all who do
    not fit it. If they are many, or those who fit stand far away, the k-th of the
    rivals meets the k-th of those who fit, from the first or from the last, however far
    apart the two are.
    """
    for own_class, players in members.items():
        fitting = _best_fitting(costs, own_class, members)
        partners: list[int] = []
        rivals: list[int] = []
        for other_class, others in members.items():
            if other_class in fitting:
                partners += others
            else:
                rivals += others
        partners.sort()
        rivals.sort()
        fits_itself = own_class in fitting
        is_crowded = 2 * len(rivals) > len(partners)
        for player in players:
            opponents = {*_around(partners, bisect_left(partners, player), 2 * NEAR)}
            if not fits_itself and (is_crowded or _are_far(player, opponents)):
                opponents = {*_opponents_by_rank(player, rivals, partners)}
            for opponent in opponents - {player}:
                yield ordered(player, opponent)


def _best_fitting(costs: Costs, own_class: int, members: Members) -> set[int]:
    """Return the classes of a score group that have the best opponents of a class."""
    group = costs.group[members[own_class][0]]
    class_costs: dict[int, int] = {}
    for other_class in members:
        if other_class != own_class or len(members[own_class]) > 1:
            classes = own_class, other_class
            class_costs[other_class] = costs.class_cost(classes, group, group)
    least = min(class_costs.values(), default=0)
    return {each for each, cost in class_costs.items() if cost == least}


def _are_far(player: int, opponents: Iterable[int]) -> bool:
    """Return whether all opponents stand far from a player in the order for pairing."""
    return all(abs(opponent - player) > 2 * NEAR for opponent in opponents)


def _opponents_by_rank(
    player: int, rivals: Players, partners: Players
) -> Iterator[int]:
    """Yield the partners near a player, and those of the same rank as theirs.

    rank: how many rivals come before the player. It counts from the first of the
    partners, and from the last.
    """
    rank = bisect_left(rivals, player)
    spare_partners = len(partners) - len(rivals)
    yield from _around(partners, bisect_left(partners, player))
    yield from _around(partners, rank)
    yield from _around(partners, rank + spare_partners)


# ------------------------------------------------------------ by halves


def _by_halves(costs: Costs) -> Pairs:
    """Yield pairs of an upper half with a lower half, score group by score group.

    If a group is odd, its last player meets the next group.
    """
    from_above: int | None = None
    for group in sorted(costs.members):
        members = costs.members[group]
        remaining = sorted(player for players in members.values() for player in players)
        if from_above is not None:
            firsts = [player for own in members.values() for player in own[:NEAR]]
            for opponent in firsts:
                yield from_above, opponent
            remaining.remove(_cheapest_opponent(costs, from_above, firsts))
        from_above = remaining.pop() if len(remaining) % 2 else None
        half = len(remaining) // 2
        yield from _in_order(costs, remaining[:half], remaining[half:])


def _cheapest_opponent(costs: Costs, player: int, opponents: Players) -> int:
    """Return the opponent whose class costs the least, the first of equal ones."""
    return min(opponents, key=lambda each: (_class_cost(costs, player, each), each))


def _class_cost(costs: Costs, player: int, opponent: int) -> int:
    """Return what two players cost by their classes and score groups."""
    classes = costs.class_of[player], costs.class_of[opponent]
    return costs.class_cost(classes, costs.group[player], costs.group[opponent])


def _in_order(costs: Costs, upper: Players, lower: Players) -> Pairs:
    """Yield pairs around those that come out if all choose in turn, from the first on.

    Each of the upper half takes the first of the lower one who is free, as long as the
    classes of the others still fit as well as can be.
    """
    waiting: Members = {}
    for opponent in lower:
        waiting.setdefault(costs.class_of[opponent], []).append(opponent)
    taken = dict.fromkeys(waiting, 0)
    quotas = _quotas(costs, upper, lower)
    for player in upper:
        for own_class, opponents in waiting.items():
            for opponent in _around(opponents, taken[own_class]):
                yield player, opponent
        free = {
            opponents[taken[own_class]]: own_class
            for own_class, opponents in waiting.items()
            if taken[own_class] < len(opponents)
        }
        for opponent in sorted(free):
            if quotas.take(costs.class_of[player], free[opponent]):
                taken[free[opponent]] += 1
                break


def _quotas(costs: Costs, upper: Players, lower: Players) -> Quotas:
    """Return how many of each two classes of two halves meet."""
    upper_classes = [costs.class_of[player] for player in upper]
    lower_classes = [costs.class_of[player] for player in lower]
    upper_examples = dict(zip(upper_classes, upper, strict=True))
    lower_examples = dict(zip(lower_classes, lower, strict=True))
    cost: dict[Pair, int] = {}
    for own_class, player in upper_examples.items():
        for other_class, opponent in lower_examples.items():
            cost[own_class, other_class] = _class_cost(costs, player, opponent)
    return Quotas(upper_classes, lower_classes, cost)
