"""The cheapest pairing of those who are to be paired, as a matching problem."""

from collections.abc import Iterator, Mapping, Sequence

from keizer.pairing.digits import BYE_RULES, COLOUR_RULES, Kind, Position
from keizer.pairing.facts import RULES, Breach, Player
from keizer.pairing.matching import Matching

MOST_PLAYERS_COMPLETE = 48
"""In a field of at most this size all pairs are compared from the start."""

NEIGHBOURS = 16
"""In a larger one a player is compared with this many places down the list first."""

FEWEST_LEGAL = 8
"""... and with more, until this many of the pairs break no rule,"""

MAX_PLACES_APART = 128
"""... but at most this many places down."""

PROMISING = 8
"""Of the other pairs that could be better: for each player this many in the first pass,
twice as many in each later one."""


class Problem:
    """The players in the order for pairing, the cost of each pair of places in it, and of a bye."""

    def __init__(self, position: Position, rest: Sequence[Player]) -> None:
        self.position = position
        self.line = [player.id for player in _lined_up(rest, position)]
        self.count = len(self.line)
        self.size = self.count + self.count % 2
        self.kinds = [position.kinds[player] for player in self.line]
        self.all_kinds = list(dict.fromkeys(self.kinds))
        index_of = {kind: index for index, kind in enumerate(self.all_kinds)}
        self.kind_at = [index_of[kind] for kind in self.kinds]
        self.of_kinds: dict[Kind, dict[Kind, int]] = {kind: {} for kind in self.all_kinds}
        self.closest = position.policy.aim == "closest"
        self._give_places()
        index = {player: place for place, player in enumerate(self.line)}
        families: dict[str, list[int]] = {}
        for player in rest:
            for name in player.prohibited:
                families.setdefault(name, []).append(player.id)
        known = [*position.meetings]
        known += [(one, two) for ids in families.values() for one in ids for two in ids]
        places = [(index[one], index[two]) for one, two in known if index.keys() >= {one, two}]
        self.known = {(min(pair), max(pair)) for pair in places}
        """Places of pairs with a history: they have met, or are a prohibited pairing."""

    def _give_places(self) -> None:
        """Each digit stands as far up in a cost as the sum of those below it needs."""
        position, policy = self.position, self.position.policy
        scores = [kind.score for kind in self.kinds] or [0]
        groups = [kind.group for kind in self.kinds] or [0]
        players = position.players.values()
        largest = dict.fromkeys(RULES, 2 * (position.round_number + policy.rematch_gap)) | {
            "fewest_byes": max(player.byes for player in players),
            "group_distance": max(groups) - min(groups),
            "rematch lately": position.round_number,
            "bye place": len(players),
            "score distance": max(scores) - min(scores),
            "rank distance": self.size**2,
            "colour squares": 2
            * max((abs(kind.difference) + 1 for kind in self.kinds), default=0) ** 2,
            "colour again": 2,
        }
        distance = ["rank distance"] if self.closest else []
        colours = [*COLOUR_RULES, "colour squares", "colour again"]
        wishes = ["rematch lately", *BYE_RULES, "bye place"]
        if policy.system == "swiss":
            wishes += ["score distance", *colours, *distance]
        elif distance:
            wishes += [*distance, *colours]
        soft = [name for name in wishes if name not in RULES or position.strength(name) == "soft"]
        # At the bottom, for each place in the line, how far down its partner is.
        self.width = self.size.bit_length()
        bit = self.width * self.count
        self.places: dict[str, int] = {}
        for name in reversed([*position.rules, *soft]):
            self.places[name] = bit
            bit += (largest[name] * self.size).bit_length()
        self.dearest = 1 << bit
        """More than any pairing costs."""
        self.legal = 1 << min(self.places[rule] for rule in position.rules)
        """A pair that costs less breaks no rule."""
        if self.closest:
            shift = self.places["rank distance"] - self.width * self.count
            self.far = [d * d << shift for d in range(self.size)]
        else:
            self.far = [0] * self.size

    def _worth(self, digits: Mapping[str, int]) -> int:
        places = self.places
        return sum(value << places[name] for name, value in digits.items() if name in places)

    def _order(self, one: int, two: int) -> int:
        """How far down the partner of a place is: the last digits."""
        return (two - one) << self.width * (self.count - 1 - one)

    def _least(self, one: int, two: int) -> int:
        """What a pair costs for its places in the line alone; more for farther ones."""
        return (self.far[two - one] << self.width * self.count) + self._order(one, two)

    def _cost(self, one: int, two: int) -> int:
        """What the pair of two places in the line costs, one < two; `count` is the bye."""
        if two == self.count:
            return self._worth(self.position.of_bye(self.line[one])) + self._order(one, two)
        cost = self._least(one, two) + self._together(self.kinds[one], self.kinds[two])
        if (one, two) in self.known:
            ids = self.line[one], self.line[two]
            cost += self._worth(self.position.of_meeting(ids))
        return cost

    def _together(self, one: Kind, two: Kind) -> int:
        """What it costs that two of these kinds meet."""
        row = self.of_kinds[one]
        if two not in row:
            of = self.position.of_seats
            seats = min(self._worth(of(one, two)), self._worth(of(two, one)))
            meeting = seats + self._worth(self.position.of_kinds(one, two))
            row[two] = self.of_kinds[two][one] = meeting
        return row[two]

    # ------------------------------------------------------------ solving

    def solve(self, without: Sequence[int] = ()) -> Iterator[tuple[int, ...]]:
        """The ids of each board, and of the bye; `without` is not to be one of them."""
        barred = tuple(place for place, player in enumerate(self.line) if player in without)
        if len(barred) == 1:
            barred = (*barred, self.count)
        costs: list[dict[int, int]] = [{} for _ in range(self.size)]
        pairs = [pair for one in range(self.count) for pair in self._near(one)]
        most = PROMISING
        while pairs:
            for one, two, cost in pairs:
                dear = self.dearest if (one, two) == barred else 0
                costs[one][two] = costs[two][one] = cost + dear
            matching = Matching(costs)
            pairs = list(self._missed(matching, most))
            most *= 2
        for one, two in enumerate(matching.mate[: self.count] if costs else ()):
            if one < two:
                yield (self.line[one], self.line[two]) if two < self.count else (self.line[one],)

    def _near(self, one: int) -> Iterator[tuple[int, int, int]]:
        """The pairs of a place that are compared in any case, and the bye: with their costs.

        In a large field the neighbours, and farther ones until some are legal.
        """
        legal, large = 0, self.count > MOST_PLAYERS_COMPLETE
        for two in range(one + 1, self.count):
            far = large and two - one > NEIGHBOURS
            if far and (legal >= FEWEST_LEGAL or two - one > MAX_PLACES_APART):
                break
            cost = self._cost(one, two)
            legal += cost < self.legal
            if not far or cost < self.legal:
                yield one, two, cost
        if self.size > self.count:
            yield one, self.count, self._cost(one, self.count)

    def _missed(self, matching: Matching, most: int) -> Iterator[tuple[int, int, int]]:
        """Pairs beyond those that could be part of a cheaper pairing; none: it is the cheapest.

        Of each place the `most` promising. The upper digits of the prices rule
        out nearly all without a look at the rest.
        """
        if self.count <= MOST_PLAYERS_COMPLETE:
            return
        price, costs, top = matching.price, matching.costs, matching.top
        far = self.far if self.closest else range(self.size)
        highest, cut, upper = 0, -1, price
        for one in range(self.count - NEIGHBOURS - 2, -1, -1):
            first = one + NEIGHBOURS + 1
            highest = max(highest, price[first])
            if 2 * self._least(one, first) >= price[one] + highest:
                continue
            if cut != self._bottom(one):
                cut = self._bottom(one)
                upper = [amount >> cut for amount in price]
            # Those in one blossom share what it is paid for.
            within = 2 * matching.surplus.get(top[one], 0) >> cut
            worth = [self._together(self.kinds[one], kind) >> cut for kind in self.all_kinds]
            promising = sorted(
                (reduced, two, cost)
                for two in range(first, self.count)
                if 2 * (far[two - one] + worth[self.kind_at[two]])
                < upper[one] + upper[two] + 2 - (within if top[two] == top[one] else 0)
                and two not in costs[one]
                and (reduced := matching.reduced(one, two, cost := self._cost(one, two))) < 0
            )
            yield from ((one, two, cost) for _, two, cost in promising[:most])

    def _bottom(self, one: int) -> int:
        """Where the digits begin that say how far down the partner is: all, or those of one."""
        return self.width * (self.count if self.closest else self.count - 1 - one)

    # ------------------------------------------------- why not otherwise

    def stuck(self, ids: Sequence[int]) -> int | None:
        """The one of the two who may meet nobody else of those to be paired either."""
        seated, breaches = self.position.seated, self.position.breaches
        for player in ids if len(ids) > 1 else ():
            if all(breaches(seated((player, other))) for other in self.line if other != player):
                return player
        return None

    def otherwise(self, ids: Sequence[int]) -> tuple[Breach, ...]:
        """What the best pairing without this board or bye would give up."""
        if self.count == len(ids):
            return ()
        others = [self.position.seated(board) for board in self.solve(ids)]
        return tuple(
            Breach(rule, board) for board in others for rule in self.position.breaches(board)
        )


def _lined_up(rest: Sequence[Player], position: Position) -> list[Player]:
    """The players in the order in which neighbours are to meet."""
    policy = position.policy
    if position.round_number > 1 or policy.first_round == "adjacent":
        return list(rest)
    if policy.first_round == "random":
        from hashlib import sha256

        drawn = {player.id: sha256(b"%d:%d" % (policy.seed, player.id)).digest() for player in rest}
        return sorted(rest, key=lambda player: drawn[player.id])
    half = len(rest) // 2
    folded = [player for pair in zip(rest[:half], rest[half:], strict=False) for player in pair]
    return folded + list(rest[2 * half :])
