"""The pairs to begin with: those of a good pairing if nobody had met before.

A search reads few pairs if the first ones hold a good pairing. That is easily said if
only places, score groups and classes count: neighbours meet, or the k-th player of an
upper half meets the k-th of the lower one. Then, for each two of these pairs who may
not meet again, each player is taken with those near the other.

Two classes *fit* if the rules on colours and categories let their players meet. A class
of players who must have White, for example, fits one of players who must have Black,
but not itself. Of the classes that fit, those fit best that cost the least.

Players are vertices here (costs.py).
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

REACH = 2
"""How many places above and below the likeliest opponent are read too."""

BORDER_LAST = 3
"""How many players at the end of each class of a score group may well leave it."""

BORDER_FIRST = 2
"""How many players at the top of each class of the next group they are read with."""


def read_likely(costs: Costs) -> None:
    """Read the pairs to begin with: they hold a good pairing of all vertices."""
    new_pairs = costs.read(_likely(costs))
    # Two of the new pairs may have met as well. Then these need replacements too.
    while new_pairs:
        new_pairs = costs.read({*_replacements(costs, new_pairs)})


def _replacements(costs: Costs, pairs: Iterable[Pair]) -> Pairs:
    """Yield other pairs for each two who may not meet again.

    Each of the two is taken with the players near the other, of the other's class.
    """
    for pair in pairs:
        if costs.is_bye(pair):
            continue
        if costs.boards.breaks_meeting_rule(costs.lines_of(pair)):
            player, opponent = pair
            yield from _with_near_classmates(costs, player, opponent)
            yield from _with_near_classmates(costs, opponent, player)


def _with_near_classmates(costs: Costs, player: int, opponent: int) -> Pairs:
    """Yield pairs of a player with those near an opponent in the opponent's class."""
    classmates = costs.classmates(opponent)
    for other in _around(classmates, bisect_left(classmates, opponent)):
        if other != player:
            yield ordered(player, other)


def _around(players: Players, index: int, reach: int = REACH) -> Players:
    """Return the players at an index, and up to `reach` on each side of it.

    The index may lie before the first player or behind the last. Then only those are
    returned whom it reaches, if any.
    """
    first = max(index - reach, 0)
    end = max(index + reach + 1, 0)  # below 0, a slice would count from the last player
    return players[first:end]


def _likely(costs: Costs) -> set[Pair]:
    """Return the pairs that would be good if nobody had met."""
    # What follows asks for costs of classes, which are known from these examples.
    costs.read(_examples_of_classes(costs))
    pairs = {*_neighbours(costs), *_between_groups(costs)}
    if costs.boards.by_halves:
        pairs.update(_by_halves(costs))
    else:
        for members in costs.members.values():
            pairs.update(_by_rank(costs, members))
    return pairs


def _neighbours(costs: Costs) -> Pairs:
    """Yield neighbours in the order for pairing, and each player with the bye.

    With these alone everybody can be paired.
    """
    yield from pairwise(range(costs.size))
    has_bye = costs.player_count < costs.size
    if has_bye:
        for player in range(costs.player_count):
            yield player, costs.player_count


def _examples_of_classes(costs: Costs) -> Pairs:
    """Yield a pair of each two classes of a score group: its row tells if they fit."""
    for members in costs.members.values():
        for own_class, other_class in combinations_with_replacement(members, 2):
            player = members[own_class][0]
            opponent = members[other_class][-1]
            if player != opponent:  # else the class has only one player
                yield ordered(player, opponent)


# ------------------------------------------------------------ between score groups


def _between_groups(costs: Costs) -> Pairs:
    """Yield pairs of players who may well leave their score group."""
    groups = sorted(costs.members)
    for group, next_group in pairwise(groups):
        yield from _at_border(costs.members[group], costs.members[next_group])
    if len(groups) > 1:
        # A group may need players of the groups above it, or of those below.
        yield from _crowded_out(costs, groups)
        yield from _crowded_out(costs, groups[::-1])


def _at_border(members: Members, next_members: Members) -> Pairs:
    """Yield pairs of the last of each class with the first of each in the next group.

    members, next_members: the players of two score groups, the higher group first.
    """
    for players, opponents in product(members.values(), next_members.values()):
        yield from product(players[-BORDER_LAST:], opponents[:BORDER_FIRST])


def _crowded_out(costs: Costs, groups: Sequence[int]) -> Pairs:
    """Yield pairs with other groups, of players who have no opponent in their own.

    groups: all score groups, from the top down, or from the bottom up. Who finds no
    opponent in a group moves on to the next of this order, and perhaps further.
    """
    is_downwards = groups[0] < groups[-1]
    moving: Members = {}
    for group in groups:
        members = costs.members[group]
        if not is_downwards:
            # Those who leave upwards are the first of a class, so these go to the end.
            members = {each: players[::-1] for each, players in members.items()}
        for players, opponents in product(moving.values(), members.values()):
            yield from _side_by_side(players, opponents)
        for own_class, players in members.items():
            moving[own_class] = moving.get(own_class, []) + players
        moving = _without_opponents(costs, group, moving)


def _side_by_side(players: Players, opponents: Players) -> Pairs:
    """Yield pairs of the k-th of some players with those around the k-th of others."""
    for index, player in enumerate(players):
        for opponent in _around(opponents, index):
            yield ordered(player, opponent)


def _without_opponents(costs: Costs, group: int, members: Members) -> Members:
    """Return the players for whom a score group has no opponents of a class that fits.

    Example: of 10 players in a group 7 must have White. They do not fit one another,
    and only 3 players fit them, so 4 of the 7 remain: the last ones of their class.

    members: the players of the group and those who have moved into it.
    """
    player_count = sum(map(len, members.values()))
    remaining: Members = {}
    for own_class, players in members.items():
        if _fit(costs, group, (own_class, own_class)):
            continue
        rivals = 0  # players who need the same opponents, the class itself included
        for other_class, others in members.items():
            if not _fit(costs, group, (own_class, other_class)):
                rivals += len(others)
        opponents = player_count - rivals
        excess = rivals - opponents
        if excess > 0:
            remaining[own_class] = players[-excess:]
    return remaining


def _fit(costs: Costs, group: int, classes: Pair) -> bool:
    """Return whether two classes of a score group fit.

    They do if they break no rule that weighs more than a player who leaves a group.
    """
    return costs.class_cost(classes, group, group) < 1 << costs.float_bit


# ------------------------------------------------------------ by rank


def _by_rank(costs: Costs, members: Members) -> Pairs:
    """Yield pairs of a score group in which those who are near in the order meet.

    Each player is taken with the nearest of the classes that fit best. These may not be
    enough if the own class does not fit itself. If the rivals, who do not fit the
    player, are many, or those who fit stand far away, then the k-th of the rivals meets
    the k-th of those who fit, however far apart the two are.
    """
    for own_class, players in members.items():
        fitting_classes = _best_fitting(costs, own_class, members)
        partners: list[int] = []
        rivals: list[int] = []
        for other_class, others in members.items():
            if other_class in fitting_classes:
                partners += others
            else:
                rivals += others
        partners.sort()
        rivals.sort()
        fits_itself = own_class in fitting_classes
        is_crowded = 2 * len(rivals) > len(partners)
        for player in players:
            own_index = bisect_left(partners, player)
            opponents = {*_around(partners, own_index, 2 * REACH)}
            if not fits_itself and (is_crowded or _are_far(player, opponents)):
                opponents = {*_opponents_by_rank(player, rivals, partners)}
            for opponent in opponents - {player}:
                yield ordered(player, opponent)


def _best_fitting(costs: Costs, own_class: int, members: Members) -> set[int]:
    """Return the classes of a score group that cost a class the least."""
    group = costs.group_of[members[own_class][0]]
    class_costs: dict[int, int] = {}
    for other_class in members:
        is_alone = other_class == own_class and len(members[own_class]) == 1
        if not is_alone:
            classes = own_class, other_class
            class_costs[other_class] = costs.class_cost(classes, group, group)
    least = min(class_costs.values(), default=0)
    return {each for each, cost in class_costs.items() if cost == least}


def _are_far(player: int, opponents: Iterable[int]) -> bool:
    """Return whether all opponents stand far from a player in the order for pairing."""
    return all(abs(opponent - player) > 2 * REACH for opponent in opponents)


def _opponents_by_rank(
    player: int, rivals: Players, partners: Players
) -> Iterator[int]:
    """Yield the partners near a player, and those of the player's rank.

    The rank of the player among the rivals is looked up among the partners: counted
    from the first ones, and from the last ones. With 10 rivals and 8 partners, the
    fourth rival from the top meets the fourth partner; the fourth from the end meets
    the fourth partner from the end.
    """
    rank = bisect_left(rivals, player)
    more_partners = len(partners) - len(rivals)  # negative if the rivals are more
    yield from _around(partners, bisect_left(partners, player))
    yield from _around(partners, rank)
    yield from _around(partners, rank + more_partners)


# ------------------------------------------------------------ by halves


def _by_halves(costs: Costs) -> Pairs:
    """Yield pairs of an upper half with a lower half, score group by score group.

    If the number of players in a group is odd, its last player meets the next group.
    """
    from_above: int | None = None
    for group in sorted(costs.members):
        members = costs.members[group]
        remaining = sorted(player for players in members.values() for player in players)
        if from_above is not None:
            firsts = [
                player for players in members.values() for player in players[:REACH]
            ]
            for opponent in firsts:
                yield from_above, opponent
            remaining.remove(_cheapest_opponent(costs, from_above, firsts))
        is_odd = len(remaining) % 2 == 1
        from_above = remaining.pop() if is_odd else None
        half = len(remaining) // 2
        yield from _halves_in_order(costs, remaining[:half], remaining[half:])


def _cheapest_opponent(costs: Costs, player: int, opponents: Players) -> int:
    """Return the opponent whose class costs the least, the first of equal ones."""
    return min(opponents, key=lambda each: (_class_cost(costs, player, each), each))


def _class_cost(costs: Costs, player: int, opponent: int) -> int:
    """Return what two players cost by their classes and score groups."""
    classes = costs.class_of[player], costs.class_of[opponent]
    return costs.class_cost(classes, costs.group_of[player], costs.group_of[opponent])


def _halves_in_order(costs: Costs, upper: Players, lower: Players) -> Pairs:
    """Yield pairs of two halves, as if all of the upper half chose in turn.

    Each player of the upper half takes the first of the lower half who is still free,
    unless the classes of those who remain would then fit less well. The pairs are those
    that come out so, and some around each of them.
    """
    lower_by_class: Members = {}
    for opponent in lower:
        lower_by_class.setdefault(costs.class_of[opponent], []).append(opponent)
    # The free players of a class are always its last ones.
    taken_count = dict.fromkeys(lower_by_class, 0)
    quotas = _quotas(costs, upper, lower)
    for player in upper:
        first_free: list[int] = []
        for lower_class, opponents in lower_by_class.items():
            index = taken_count[lower_class]
            for opponent in _around(opponents, index):
                yield player, opponent
            if index < len(opponents):
                first_free.append(opponents[index])
        for opponent in sorted(first_free):
            lower_class = costs.class_of[opponent]
            if quotas.take(costs.class_of[player], lower_class):
                taken_count[lower_class] += 1
                break


def _quotas(costs: Costs, upper: Players, lower: Players) -> Quotas:
    """Return the quotas of two halves: how many players of each two classes meet."""
    upper_classes = [costs.class_of[player] for player in upper]
    lower_classes = [costs.class_of[player] for player in lower]
    # A player of each class stands for all of it: only classes and groups count here.
    upper_examples = dict(zip(upper_classes, upper, strict=True))
    lower_examples = dict(zip(lower_classes, lower, strict=True))
    cost: dict[Pair, int] = {}
    for upper_class, player in upper_examples.items():
        for lower_class, opponent in lower_examples.items():
            cost[upper_class, lower_class] = _class_cost(costs, player, opponent)
    return Quotas(upper_classes, lower_classes, cost)
