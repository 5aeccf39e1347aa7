"""The pairs to begin with: those of a good pairing if nobody had met before.

A search reads few pairs if the first ones hold a good pairing. That is easily said if
only places, score groups and classes count: neighbours meet, or the k-th player of an
upper half meets the k-th of the lower one. Then, for each two of these pairs who may
not meet again, each player is taken with those near the other.

A *class* is a number for players whom the rules on colours and categories treat alike.
Players of a class who must have White, for example, may meet those of a class who must
have Black, but not one another.

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
"""How many players above and below the likeliest opponent are paired with a player
too."""

NEAR = 2 * REACH
"""How many partners above and below a player are paired with the player where
neighbours are to meet. It is more than REACH, since no opponent is the likeliest there:
it may be anybody a little above or below."""

BORDER_LAST = 3
"""How many players at the end of each class of a score group may well leave it."""

BORDER_FIRST = 2
"""How many players at the top of each class of the next group these are paired
with."""


def read_likely(costs: Costs) -> None:
    """Add the costs of likely pairs to `costs.known`: enough for a good pairing.

    The search for the best pairing begins with these, and adds further ones as needed.
    """
    new_pairs = costs.read(_likely(costs))
    # A replacement may be a pair that has met as well. Then it needs replacements too.
    while new_pairs:
        new_pairs = costs.read({*_replacements(costs, new_pairs)})


def _replacements(costs: Costs, pairs: Iterable[Pair]) -> Pairs:
    """Yield, for each pair that breaks a rule on meetings, pairs to take its place.

    Each of the two is paired with the players near the other who are of the other's
    class: for these the rules on colours and categories are the same.
    """
    for pair in pairs:
        if costs.is_bye(pair):
            continue
        if costs.boards.breaks_meeting_rule(costs.lines_of(pair)):
            player, opponent = pair
            yield from _with_near_classmates(costs, player, opponent)
            yield from _with_near_classmates(costs, opponent, player)


def _with_near_classmates(costs: Costs, player: int, opponent: int) -> Pairs:
    """Yield pairs of a player with an opponent and those who stand near the opponent.

    Only players of the opponent's score group and class are taken. A class is a number
    for players whom the rules on colours and categories treat alike.
    """
    classmates = costs.classmates(opponent)
    for other in _around(classmates, bisect_left(classmates, opponent)):
        if other != player:
            yield ordered(player, other)


def _around(players: Players, index: int, reach: int = REACH) -> Players:
    """Return the players at an index, and up to `reach` on each side of it.

    The index may lie before the first player or behind the last. Then those are
    returned who are no more than `reach` away from it, if any.
    """
    first = max(index - reach, 0)
    end = max(index + reach + 1, 0)  # below 0, a slice would count from the last player
    return players[first:end]


def _likely(costs: Costs) -> set[Pair]:
    """Return the pairs that would be good if nobody had met.

    Some other pairs are added to `costs.known` on the way: one of each two classes.
    """
    # The functions below ask what two classes cost together, and the rows of these
    # pairs tell that.
    costs.read(_examples_of_classes(costs))
    pairs = {*_neighbours(costs), *_between_groups(costs)}
    if costs.boards.by_halves:
        pairs.update(_by_halves(costs))
    else:
        for members in costs.members.values():
            pairs.update(_near_in_order(costs, members))
    return pairs


def _neighbours(costs: Costs) -> Pairs:
    """Yield neighbours in the order for pairing, and each player with the bye.

    With these pairs alone everybody can be paired: the first player with the second,
    the third with the fourth, and so on, and the last of an odd number with the bye. So
    the search always has a solution to begin with.

    Players are numbered from 0 in the order for pairing. The bye, if there is one, has
    the number behind the last player.
    """
    players = range(costs.player_count)
    yield from pairwise(players)
    has_bye = costs.size > costs.player_count
    if has_bye:
        bye = costs.player_count
        for player in players:
            yield player, bye


def _examples_of_classes(costs: Costs) -> Pairs:
    """Yield a pair of each two classes of a score group, also of a class with itself.

    A class is a number for players whom the rules on colours and categories treat
    alike. So one pair stands for all: its row in view possible_boards tells whether
    these rules let any players of the two classes meet.
    """
    for members in costs.members.values():
        for own_class, other_class in combinations_with_replacement(members, 2):
            # The first of the one and the last of the other. So they are two different
            # players even if both classes are the same one.
            player = members[own_class][0]
            opponent = members[other_class][-1]
            if player != opponent:  # else the class has only one player
                yield ordered(player, opponent)


# ------------------------------------------------------------ between score groups


def _between_groups(costs: Costs) -> Pairs:
    """Yield pairs of two score groups, for players who may well leave their own."""
    groups = sorted(costs.members)
    for group, next_group in pairwise(groups):
        yield from _at_border(costs.members[group], costs.members[next_group])
    if len(groups) > 1:
        # Players without an opponent in their group may find one below, or above. So
        # they move on from the top down, and then from the bottom up.
        yield from _crowded_out(costs, groups)
        yield from _crowded_out(costs, groups[::-1])


def _at_border(members: Members, next_members: Members) -> Pairs:
    """Yield pairs of the last players of a score group with the first of the next.

    They are the last ones of each class, with the first ones of each class. A class is
    a number for players whom the rules on colours and categories treat alike.

    members, next_members: by class, the players of the higher and the lower group.
    """
    for players, opponents in product(members.values(), next_members.values()):
        yield from product(players[-BORDER_LAST:], opponents[:BORDER_FIRST])


def _crowded_out(costs: Costs, groups: Sequence[int]) -> Pairs:
    """Yield pairs with other groups, of players who have no opponent in their own.

    Players without an opponent move on to the next group, and are paired with its
    players. Those who find no opponent there either move on again.

    Example: 7 players of group 1 must have White, and 3 must have Black. So 4 of the 7
    find no opponent, and move on to group 2. There 5 must have White and 5 Black.
    Together with the newcomers, 9 players look for one of 5 opponents, and again 4 move
    on, to group 3.

    Who moves on are the last ones in the list of a class. A class is a number for
    players whom the rules on colours and categories treat alike. In the example, the 4
    who move on from group 2 are the last of its own 5: newcomers come first in the
    list, so that they move no further than they must.

    groups: all score groups, from the top down, or from the bottom up. The players move
    in this order.
    """
    is_downwards = groups[0] < groups[-1]
    newcomers: Members = {}  # by class, the players who have moved on to this group
    for group in groups:
        members = costs.members[group]
        if not is_downwards:
            # The first of the group stand nearest to the group above. They are to move
            # up before the others, so they have to be last in the lists.
            members = {each: players[::-1] for each, players in members.items()}
        for players, opponents in product(newcomers.values(), members.values()):
            yield from _side_by_side(players, opponents)
        newcomers_and_members = {
            each: newcomers.get(each, []) + members.get(each, [])
            for each in {**newcomers, **members}
        }
        newcomers = _without_opponents(costs, group, newcomers_and_members)


def _side_by_side(players: Players, opponents: Players) -> Pairs:
    """Yield pairs of each player with the opponent of the same index in another list.

    The player is also paired with the opponents next to that one (up to REACH away).
    """
    for index, player in enumerate(players):
        for opponent in _around(opponents, index):
            yield ordered(player, opponent)


def _without_opponents(costs: Costs, group: int, members: Members) -> Members:
    """Return the players who may find no opponent in a score group, by class.

    A class is a number for players whom the rules on colours and categories treat
    alike. So whether two players should rather meet than leave the group goes by their
    classes.

    Example: of 10 players in a group 7 must have White, and so may not meet one
    another. Only 3 of them find one of the 3 others. So 4 remain: the last ones in the
    list of their class.

    If the 7 are of two classes, say 5 and 2, it is still 4 of them who remain. But it
    is not known of which class, so 4 of the one and both of the other are returned.
    These are rather too many, as they are only used to guess likely pairs.

    members: by class, the players of the group and those who have moved into it.
    """
    player_count = sum(map(len, members.values()))
    remaining: Members = {}
    for own_class, players in members.items():
        if _should_rather_meet(costs, group, (own_class, own_class)):
            continue  # each of its players has the others of the class as opponents
        # The players whom those of the class should not meet, such as the 7 above. The
        # players of the class itself are among them.
        rival_count = 0
        for other_class, others in members.items():
            if not _should_rather_meet(costs, group, (own_class, other_class)):
                rival_count += len(others)
        # The rivals all look for the same opponents, who are the rest of the group.
        opponent_count = player_count - rival_count
        remaining_count = rival_count - opponent_count
        if remaining_count > 0:
            remaining[own_class] = players[-remaining_count:]
    return remaining


def _should_rather_meet(costs: Costs, group: int, classes: Pair) -> bool:
    """Return whether players of two classes should rather meet than leave their group.

    They should if that costs less. A class is a number for players whom the rules on
    colours and categories treat alike, so the answer is the same for all players of the
    two classes.

    group: the score group in which both players are.
    """
    cost_of_meeting = costs.class_cost(classes, group, group)
    return cost_of_meeting < costs.cost_of_leaving(group)


# ------------------------------------------------------------ by rank


def _near_in_order(costs: Costs, members: Members) -> Pairs:
    """Yield pairs of a score group in which those who are near in the order meet.

    A class is a number for players whom the rules on colours and categories treat
    alike. The *partners* of a player are those of the classes that these rules allow
    best. Each player is paired with the nearest partners.

    That is not enough if colours keep neighbours apart. Example: players 1 to 20 must
    have White, and players 21 to 40 Black. The nearest partners of all of the first 20
    are the same few: those from 21 on. So these players are paired by rank instead:
    player 3, the third who must have White, with player 23, the third who must have
    Black, and with those around player 23.

    members: by class, the players of the score group.
    """
    for own_class, players in members.items():
        partner_classes = _cheapest_classes(costs, own_class, members)
        partners = _in_order(members, partner_classes)
        # All others of the group are taken to look for the same partners.
        rivals = _in_order(members, members.keys() - partner_classes)
        # Players who may meet one another have some of their own class near them. These
        # are taken to be enough, whoever else looks for the same partners.
        may_meet_one_another = own_class in partner_classes
        # With at most one rival for every two partners, the nearest ones are taken to
        # be enough for all. It is only a guess: the search adds what is missing.
        are_rivals_many = 2 * len(rivals) > len(partners)
        for player in players:
            opponents = _nearest(partners, player)
            are_contested = are_rivals_many or _are_far(player, opponents)
            if are_contested and not may_meet_one_another:
                opponents = {*_opponents_by_rank(player, rivals, partners)}
            # The player is one of them if the own class is one of `partner_classes`.
            for opponent in opponents - {player}:
                yield ordered(player, opponent)


def _in_order(members: Members, classes: Iterable[int]) -> list[int]:
    """Return all players of some classes, in the order for pairing.

    members: by class, the players of a score group. They are numbered in this order.
    """
    return sorted(player for each in classes for player in members[each])


def _nearest(players: Players, player: int) -> set[int]:
    """Return those who stand next to a player: up to NEAR above, and as many below.

    The player may be one of `players`. Then the player is returned too.
    """
    # The index that the player has in the list, or would have.
    index = bisect_left(players, player)
    return {*_around(players, index, NEAR)}


def _cheapest_classes(costs: Costs, own_class: int, members: Members) -> set[int]:
    """Return the classes whose players cost those of a class the least as opponents.

    A class is a number for players whom the rules on colours and categories treat
    alike. So what two players cost by these rules goes by their classes alone. If
    several classes have the lowest cost, all of them are returned. The own class may be
    among them. The result is empty if no class has an opponent for its players.

    members: by class, the players of one score group.
    """
    group = costs.group_of[members[own_class][0]]
    class_costs: dict[int, int] = {}
    for other_class in members:
        # A class of a single player has no opponent for this player.
        is_alone = other_class == own_class and len(members[own_class]) == 1
        if not is_alone:
            classes = own_class, other_class
            class_costs[other_class] = costs.class_cost(classes, group, group)
    least = min(class_costs.values(), default=0)
    return {each for each, cost in class_costs.items() if cost == least}


def _are_far(player: int, opponents: Iterable[int]) -> bool:
    """Return whether all opponents stand far from a player in the order for pairing.

    Far is more than NEAR places away. Players are numbered in the order, so that a
    difference is a distance. True also if there are no opponents.
    """
    return all(abs(opponent - player) > NEAR for opponent in opponents)


def _opponents_by_rank(
    player: int, rivals: Players, partners: Players
) -> Iterator[int]:
    """Yield the likely opponents of a player, if many look for the same opponents.

    *Partners* are the players of the classes that suit this player best. *Rivals* are
    all others of the score group, who are taken to look for the same partners; the
    player is one of them. Three partners are likely, and so are those next to each:

    - the one who stands nearest to the player in the order for pairing,
    - the one of the same rank: for the fourth of the rivals, the fourth partner,
    - the one of the same rank from the end: for the fourth rival from the end, the
      fourth partner from the end.

    A partner may be yielded several times. rivals, partners: sorted, since players are
    numbered in the order for pairing.
    """
    yield from _around(partners, bisect_left(partners, player))
    rank = bisect_left(rivals, player)  # 3 for the fourth
    yield from _around(partners, rank)
    rank_from_end = len(rivals) - rank  # 4 for the fourth from the end
    # With fewer partners than that the index is negative. Then _around returns only the
    # first partners, or nobody.
    yield from _around(partners, len(partners) - rank_from_end)


# ------------------------------------------------------------ by halves


def _by_halves(costs: Costs) -> Pairs:
    """Yield pairs of an upper half with a lower half, score group by score group.

    If the number of players in a group is odd, its last player meets one of the next
    group. This opponent is taken out of that group before it is cut into halves. In the
    lowest group, the last player of an odd number is left for the bye.
    """
    from_above: int | None = None  # the last player of the group above, if it was odd
    for group in sorted(costs.members):
        members = costs.members[group]
        remaining = sorted(player for players in members.values() for player in players)
        if from_above is not None:
            # The first players of each class: whichever class suits best, the opponent
            # is likely to be one of them.
            firsts = [
                player for players in members.values() for player in players[:REACH]
            ]
            for opponent in firsts:
                yield from_above, opponent
            remaining.remove(_cheapest_opponent(costs, from_above, firsts))
        is_odd = len(remaining) % 2 == 1
        from_above = remaining.pop() if is_odd else None
        half = len(remaining) // 2
        yield from _between_halves(costs, remaining[:half], remaining[half:])


def _cheapest_opponent(costs: Costs, player: int, opponents: Players) -> int:
    """Return the opponent who suits a player best by class and score group.

    A class is a number for players whom the rules on colours and categories treat
    alike. Of equal opponents the first in the order for pairing is returned.
    """
    return min(
        opponents, key=lambda each: (_cost_by_classes(costs, player, each), each)
    )


def _cost_by_classes(costs: Costs, player: int, opponent: int) -> int:
    """Return what a pair costs by the classes and the score groups of its two players.

    A class is a number for players whom the rules on colours and categories treat
    alike. This part of a cost is known without a query for the pair. It is the same for
    all pairs of two classes and two score groups, so `costs` computes it once for them.

    player: the one of the two who comes first in the order for pairing.
    """
    classes = costs.class_of[player], costs.class_of[opponent]
    return costs.class_cost(classes, costs.group_of[player], costs.group_of[opponent])


def _between_halves(costs: Costs, upper: Players, lower: Players) -> Pairs:
    """Yield likely pairs of an upper half with a lower half, for the search to try.

    The players of the upper half choose an opponent in turn, so that those who come
    later are paired with players who are still free. Each player is paired with the
    first free player of every class in the lower half, and with those around that one.
    A class is a number for players whom the rules on colours and categories treat
    alike.

    Example: in the lower half, players 11 to 15 must have White, and 16 to 20 Black.
    The first of the upper half, player 1, is paired with 11 and 16 and those around
    each. If player 1 chooses 16, player 2 is paired with 11 and 17 and those around.

    What is chosen is not yielded by itself: it is one of the pairs already.
    """
    lower_by_class: Members = {}
    for opponent in lower:
        lower_by_class.setdefault(costs.class_of[opponent], []).append(opponent)
    # Of each class the first players are chosen first. So this number is also the index
    # of the first one who is free.
    chosen_count = dict.fromkeys(lower_by_class, 0)
    quotas = _quotas(costs, upper, lower)
    for player in upper:
        first_free: list[int] = []  # of each class of the lower half
        for lower_class, opponents in lower_by_class.items():
            index = chosen_count[lower_class]
            for opponent in _around(opponents, index):
                yield player, opponent
            if index < len(opponents):
                first_free.append(opponents[index])
        # Now the player chooses one of these: the lowest number first, as players are
        # numbered in the order for pairing. One is refused by the quotas if the boards
        # of the two halves would cost more with this choice.
        for opponent in sorted(first_free):
            lower_class = costs.class_of[opponent]
            is_chosen = quotas.try_to_take(costs.class_of[player], lower_class)
            if is_chosen:
                chosen_count[lower_class] += 1
                break  # a player needs only one opponent


def _quotas(costs: Costs, upper: Players, lower: Players) -> Quotas:
    """Return the quotas of two halves: how many boards of each two classes are best.

    A class is a number for players whom the rules on colours and categories treat
    alike. The upper half of a score group meets the lower half, so that each board has
    a class of the one and a class of the other.
    """
    upper_classes = [costs.class_of[player] for player in upper]
    lower_classes = [costs.class_of[player] for player in lower]
    # A player of each class stands for all of it: only classes and groups count here.
    upper_examples = dict(zip(upper_classes, upper, strict=True))
    lower_examples = dict(zip(lower_classes, lower, strict=True))
    cost: dict[Pair, int] = {}
    for upper_class, player in upper_examples.items():
        for lower_class, opponent in lower_examples.items():
            cost[upper_class, lower_class] = _cost_by_classes(costs, player, opponent)
    return Quotas(upper_classes, lower_classes, cost)
