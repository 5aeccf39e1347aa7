"""The pairs to go on with: those that the prices of a solution leave open.

Nobody reads all pairs. A solution among few pairs has prices, and by these only some of
the other pairs can be in a better solution: the open pairs (unread.py). The most
promising of them are read, and the solution goes on with them, until none is open.

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
"""How many players behind a player in the same class are read with the last open
pairs."""


class Prices(NamedTuple):
    """The prices of a player in a solution (see BigBlossoms)."""

    price: int
    price_within: int


class OpenPairs(NamedTuple):
    """The open pairs of some players, as pairs of vertices."""

    promising: list[Pair]
    """The pairs to be read next."""
    without_slots: list[Pair]
    """The pairs for which the costs have no slots yet."""


class Pricing:
    """The reading of open pairs, for one solution after the other."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.pairs_at_once = PAIRS_AT_ONCE
        self.prices: list[Prices] = []
        """By player, the prices in the last solution; empty before the first."""
        self.unfinished: set[int] = set()
        """Players who had more open pairs than were read."""
        self.steps = 0
        """The number of bounds that were compared: a measure of work."""

    def read(self, matching: Matching) -> list[Pair]:
        """Read the most promising pairs that a solution leaves open, and return them.

        If it returns none, either no other pair can be in a better solution, or such
        pairs need slots that the costs lacked. In the second case the costs have
        another layout when it returns: then the search has to begin again.
        """
        blossoms = BigBlossoms(matching)
        prices = [*map(Prices, blossoms.price, blossoms.price_within)]
        pairs: list[Pair] = []
        if self.prices:
            # The others have no new open pairs: they do not offer more than before.
            fresh = self._players_with_raised_prices(prices) | self.unfinished
            pairs = self._open_pairs(blossoms, fresh).promising
        if not pairs:
            everybody = {*range(self.costs.player_count)}
            open_pairs = self._open_pairs(blossoms, everybody)
            pairs = open_pairs.promising
            if not pairs:
                self.costs.add_slots(open_pairs.without_slots)
        self.prices = prices
        are_few = len(pairs) < self.costs.player_count // 8
        if are_few:
            # Each further solution would leave only a few pairs open again. So from now
            # on many more are read at once, and pairs that may soon be open as well.
            self.pairs_at_once *= 16
            pairs += [*self._with_next_classmates(pairs)]
        each_pair_once = dict.fromkeys(pairs)
        return self.costs.read(each_pair_once)

    def _players_with_raised_prices(self, prices: Sequence[Prices]) -> set[int]:
        """Return the players who have a higher price than in the last solution.

        That may be the price for all, or the one within their big blossoms.
        """
        raised: set[int] = set()
        for player in range(self.costs.player_count):
            price, price_within = prices[player]
            last_price, last_price_within = self.prices[player]
            if price > last_price or price_within > last_price_within:
                raised.add(player)
        return raised

    def _open_pairs(self, blossoms: BigBlossoms, fresh: set[int]) -> OpenPairs:
        """Return the open pairs that have at least one fresh player.

        Of each opponent the pairs with the lowest bounds are promising, the same number
        for each. Pairs without slots wait until nothing else is open: hardly any of
        them is still open then, and slots make all costs longer.
        """
        search = Search(self.costs, blossoms, fresh, self.pairs_at_once)
        by_opponent: dict[int, list[OpenPair]] = {}
        without_slots: list[Pair] = []
        for open_pair in search.open_pairs():
            _, player, opponent = open_pair
            if self.costs.has_slots((player, opponent)):
                by_opponent.setdefault(opponent, []).append(open_pair)
            else:
                without_slots.append((player, opponent))
        self.unfinished = search.unfinished
        self.steps += search.steps
        promising: list[Pair] = []
        for opponent, open_pairs in by_opponent.items():
            open_pairs.sort()  # by the bound, which comes first
            for _, player, _ in open_pairs[: self.pairs_at_once]:
                promising.append((player, opponent))
            if len(open_pairs) > self.pairs_at_once:
                self.unfinished.add(opponent)
        return OpenPairs(promising, without_slots)

    def _with_next_classmates(self, pairs: Sequence[Pair]) -> Iterator[Pair]:
        """Yield pairs of each of two players with those behind the other in the class.

        Such pairs are likely to be opened next: once a pair is read, the next player of
        the same class is the best opponent left. Only pairs within a score group are
        yielded, since they need no further slots.
        """
        for player, opponent in pairs:
            if not self.costs.is_within_group((player, opponent)):
                continue
            for other in self._next_classmates(player):
                if other < opponent:  # the first of a pair is the lower vertex
                    yield other, opponent
            for other in self._next_classmates(opponent):
                yield player, other

    def _next_classmates(self, player: int) -> Sequence[int]:
        """Return those who come next in the class and score group of a player."""
        classmates = self.costs.classmates(player)
        index = bisect_right(classmates, player)
        return classmates[index : index + NEXT_CLASSMATES]
