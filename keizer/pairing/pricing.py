"""The candidate pairs to go on with, for one solution after the other.

Nobody reads all pairs. A solution among few has prices, and by these only some of the
other pairs can be in a better one: the open pairs (unread.py). The most promising are
read, and the solution goes on with them, until none is open.

To solve a problem with few pairs and then price the others, until none has a negative
reduced cost, is column generation. W. Cook and A. Rohe, Computing minimum-weight
perfect matchings (1999), do so with the edges of a dense graph.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keizer.pairing.boards import Pair
from keizer.pairing.costs import Costs
from keizer.pairing.matching import Matching
from keizer.pairing.unread import Nests, OpenPair, Search

MOST = 12
"""New opponents of a player read at once, as long as many players have some."""

NEXT = 8
"""Players next in the class of a player who are read beside the last open pairs."""


class Offer(NamedTuple):
    """The price of a player in a solution."""

    to_all: int
    within: int
    """The price less twice the surplus that is shared within the innermost big
    blossom."""


class Pricing:
    """The reading of further pairs, for one solution after the other."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.most = MOST
        self.offers: list[Offer] = []
        """By player, the offer in the last solution; empty before the first."""
        self.unfinished: set[int] = set()
        """Players who have more open pairs than were read."""
        self.steps = 0
        """The number of bounds that were compared: a measure of work."""

    def read(self, matching: Matching) -> list[Pair]:
        """Read the most promising pairs that a solution leaves open, and return them.

        If it returns none, no other pair can be in a better pairing, unless it needs a
        digit that the costs lacked. Then they have it now, and another layout: the
        search has to begin again.
        """
        nests = Nests(matching)
        offers = [*map(Offer, nests.price, nests.within)]
        pairs: list[Pair] = []
        if self.offers:
            fresh = self._players_who_offer_more(offers) | self.unfinished
            pairs, _ = self._promising(nests, fresh)
        if not pairs:
            everybody = {*range(self.costs.count)}
            pairs, waiting = self._promising(nests, everybody)
            if not pairs:
                self.costs.add_digits(waiting)
        self.offers = offers
        if len(pairs) < self.costs.count // 8:
            # Few players have open pairs left. More of each, so that they have an end.
            self.most *= 16
            pairs += [*self._with_next_classmates(pairs)]
        return self.costs.read(dict.fromkeys(pairs))

    def _players_who_offer_more(self, offers: Sequence[Offer]) -> set[int]:
        """Return who offers more than before, to all or within their blossom."""
        raised: set[int] = set()
        for player in range(self.costs.count):
            offer = offers[player]
            former = self.offers[player]
            if offer.to_all > former.to_all or offer.within > former.within:
                raised.add(player)
        return raised

    def _promising(
        self, nests: Nests, fresh: set[int]
    ) -> tuple[list[Pair], list[Pair]]:
        """Return open pairs with a fresh player: those to be read, and those that wait.

        Each opponent has the same number of pairs to be read, of the lowest bounds. A
        pair waits if costs have no digit for it: hardly any is open in the end.
        """
        search = Search(self.costs, nests, fresh, self.most)
        of_opponent: dict[int, list[OpenPair]] = {}
        waiting: list[Pair] = []
        for open_pair in search.open_pairs():
            _, player, opponent = open_pair
            if self.costs.has_digit(player, opponent):
                of_opponent.setdefault(opponent, []).append(open_pair)
            else:
                waiting.append((player, opponent))
        self.unfinished = search.unfinished
        self.steps += search.steps
        promising: list[Pair] = []
        for opponent, open_pairs in of_opponent.items():
            open_pairs.sort()
            for _, player, _ in open_pairs[: self.most]:
                promising.append((player, opponent))
            if len(open_pairs) > self.most:
                self.unfinished.add(opponent)
        return promising, waiting

    def _with_next_classmates(self, pairs: Sequence[Pair]) -> Iterator[Pair]:
        """Yield pairs of each of two with those next in the class of the other.

        A solution would open them in turn. They are within a score group, since such
        pairs need no further digit.
        """
        costs = self.costs
        for player, opponent in pairs:
            if opponent == costs.count or costs.group[player] != costs.group[opponent]:
                continue
            for other in self._next_classmates(player):
                if other < opponent:
                    yield other, opponent
            for other in self._next_classmates(opponent):
                yield player, other

    def _next_classmates(self, player: int) -> Sequence[int]:
        """Return those who come next in the class and score group of a player."""
        classmates = self.costs.classmates(player)
        place = bisect_right(classmates, player)
        return classmates[place : place + NEXT]
