"""The pairs to go on with: those that the prices of a solution leave open.

A round has too many pairs to query the costs of all. A solution is found among few of
them, and gives each player a price. By the prices only some of the other pairs can be
in a better solution: these are *open* (unread.py). The most promising of them are
*read*: their rows are queried and their costs computed. Then the solution goes on with
them, until no pair is open.

To solve a problem with few pairs, and then price the others until none has a negative
reduced cost, is called column generation. W. Cook and A. Rohe, Computing minimum-weight
perfect matchings (1999), do so with the edges of a dense graph.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keizer.pairing.boards import Pair
from keizer.pairing.costs import Costs
from keizer.pairing.matching import Matching
from keizer.pairing.unread import BigBlossoms, OpenPair, Search

PAIRS_AT_ONCE = 12
"""How many open pairs of a player are read at once, as long as many players have
some."""

NEXT_CLASSMATES = 8
"""How many players who come next in a player's class are taken along when only few
pairs are left open."""


class Prices(NamedTuple):
    """What a player offers in a solution: the share that they would bear in a cost.

    A pair can only improve the solution if the two offer more than the pair costs
    (matching.py).
    """

    price: int
    """What the player offers to anybody outside of their big blossoms."""
    price_in_blossoms: int
    """What the player offers within the innermost big blossom around them: less than
    `price`, or the same if there is no such blossom. A blossom is an odd number of
    players who would all meet within their set, so that one of them has to leave it.
    Only large ones count as big (BIG_BLOSSOM in unread.py)."""


class OpenPairs(NamedTuple):
    """The result of a search: pairs that may be in a better solution.

    The pairs are two vertices each. Their costs are not known yet.
    """

    promising: list[Pair]
    """The pairs whose costs are to be queried next."""
    without_slots: list[Pair]
    """The pairs that must wait, since their costs need bits that costs do not have yet
    (Costs.has_slots)."""


class Pricing:
    """The search for pairs that could improve a solution, whose costs are not known.

    A solution is found among few pairs, whose costs have been queried. It gives each
    player a price: what they offer to be paired. Any other pair can only improve it if
    the two offer more than the pair costs at least: then the pair is *open*. The
    matching asks for open pairs (`read_open_pairs`), goes on with them, and asks again
    until there are none.
    """

    def __init__(self, costs: Costs) -> None:
        """Prepare the search for open pairs, before there is any solution.

        An *open* pair is one whose cost has not been queried, and which may improve the
        solution. The attributes keep what one search leaves for the next.

        costs: the costs that have been queried. Those of further pairs are added.
        """
        self.costs = costs
        self.pairs_at_once = PAIRS_AT_ONCE
        """How many open pairs of one player a search returns at most. It grows when
        searches find only few pairs."""
        self.prices: list[Prices] = []
        """By player, the prices in the last solution, to see whose have risen since.
        Empty before the first solution."""
        self.unfinished: set[int] = set()
        """Players who may have more open pairs than the last search has returned. The
        next search begins with them."""
        self.steps = 0
        """How often the search has computed what pairs cost at least: a measure of
        work, which tests compare."""

    def read_open_pairs(self, matching: Matching) -> list[Pair]:
        """Query the costs of pairs that may improve a solution, and return these pairs.

        Only the most promising ones are taken, so it is called again with the solution
        that they lead to.

        If it returns none, there are two cases. Either the solution is the best. Or the
        costs lacked bits for the pairs that are left. Then these are added, the costs
        have another `layout`, and the whole search has to begin again.
        """
        open_pairs = self._find_open_pairs(matching)
        pairs = open_pairs.promising
        if not pairs:
            # Pairs for which costs lack bits have been put off until now.
            self.costs.add_slots(open_pairs.without_slots)
            return []
        are_few = len(pairs) < self.costs.player_count // 8
        if are_few:
            # Less than a pair for eight players. Each further solution would leave only
            # a few pairs open again. To need fewer solutions, take more from now on: 16
            # times as many of each player at once, and pairs that may be open next.
            self.pairs_at_once *= 16
            pairs += [*self._with_next_classmates(pairs)]
        each_pair_once = dict.fromkeys(pairs)
        return self.costs.read(each_pair_once)

    def _find_open_pairs(self, matching: Matching) -> OpenPairs:
        """Find pairs that may improve a solution, if there are any.

        To save work, the search begins with the players who may have got new open
        pairs since the last solution. If it finds nothing promising, it is done again
        with everybody, and the result of that is returned.

        `prices` is replaced by those of this solution. `unfinished` and `steps` change
        with each search.
        """
        blossoms = BigBlossoms(matching)
        last_prices = self.prices
        self.prices = [*map(Prices, blossoms.price, blossoms.price_in_blossoms)]
        if last_prices:  # else there was no solution before
            # Players who offer more than before, and those of whom some pairs were not
            # taken.
            players = self._players_with_raised_prices(last_prices) | self.unfinished
            open_pairs = self._search(blossoms, players)
            if open_pairs.promising:
                return open_pairs
        everybody = {*range(self.costs.player_count)}
        return self._search(blossoms, everybody)

    def _players_with_raised_prices(self, last_prices: Sequence[Prices]) -> set[int]:
        """Return the players who offer more than in the last solution.

        That is a higher price for everybody, or a higher one within their blossoms.
        """
        raised: set[int] = set()
        for player in range(self.costs.player_count):
            price, price_in_blossoms = self.prices[player]
            last_price, last_price_in_blossoms = last_prices[player]
            if price > last_price or price_in_blossoms > last_price_in_blossoms:
                raised.add(player)
        return raised

    def _search(self, blossoms: BigBlossoms, players: set[int]) -> OpenPairs:
        """Search for the open pairs of some players with anybody.

        An open pair may be in a better solution than the present one. Its *bound* is
        the least that it can cost, less what the two offer. Of each opponent, the pairs
        with the lowest bounds are returned as `promising`, at most `pairs_at_once`.

        A cost is one integer, in which each criterion has its own bits: a *slot*. If
        there is no slot yet for a criterion that a pair needs, the pair must wait: it
        is returned in `without_slots`.

        `unfinished` is replaced by the players who may have more open pairs, and
        `steps` is raised by the work done.
        """
        search = Search(self.costs, blossoms, players, self.pairs_at_once)
        by_opponent: dict[int, list[OpenPair]] = {}
        without_slots: list[Pair] = []
        for open_pair in search.find_open_pairs():
            pair = open_pair.player, open_pair.opponent
            if self.costs.has_slots(pair):
                by_opponent.setdefault(open_pair.opponent, []).append(open_pair)
            else:
                # A further slot would make the integers of all pairs longer, and so
                # slower. With later prices, hardly any such pair is still open.
                without_slots.append(pair)
        # Players of whom the search has left out some pairs. Those of whom pairs are
        # left out below are added.
        self.unfinished = search.unfinished
        self.steps += search.steps
        promising: list[Pair] = []
        for opponent, open_pairs in by_opponent.items():
            open_pairs.sort()  # by the bound, which comes first
            best_ones = open_pairs[: self.pairs_at_once]
            promising += [(each.player, opponent) for each in best_ones]
            if len(open_pairs) > self.pairs_at_once:
                self.unfinished.add(opponent)
        return OpenPairs(promising, without_slots)

    def _with_next_classmates(self, pairs: Sequence[Pair]) -> Iterator[Pair]:
        """Yield, for each pair, pairs with the players who are likely to replace them.

        Each of the two is replaced by the next players of the same class, for whom the
        rules on colours and categories are the same. If the cost of the pair turns out
        too high, one of these is likely to be the best opponent left.
        """
        for player, opponent in pairs:
            # Pairs of two score groups are left out, since costs may lack bits for
            # them.
            if not self.costs.is_within_group((player, opponent)):
                continue
            for other in self._next_classmates(player):
                if other < opponent:  # the first of a pair is the lower vertex
                    yield other, opponent
            for other in self._next_classmates(opponent):
                yield player, other

    def _next_classmates(self, player: int) -> Sequence[int]:
        """Return the next few players with the class and the score group of a player.

        They come behind the player in the order for pairing. Players are numbered in
        this order, so those behind have higher numbers. A class is a number for players
        whom the rules on colours and categories treat alike.

        Example: of player 5, whose classmates are 2, 5, 6 and 9, they are 6 and 9.
        """
        classmates = self.costs.classmates(player)  # sorted, the player among them
        first_behind = bisect_right(classmates, player)
        return classmates[first_behind : first_behind + NEXT_CLASSMATES]
