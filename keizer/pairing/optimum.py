"""The cheapest pairing of those who are to be paired, as a matching problem."""

from collections.abc import Iterator, Mapping, Sequence

from keizer.pairing.digits import BYE_RULES, COLOUR_RULES, Kind, Position
from keizer.pairing.facts import RULES, Breach, Player
from keizer.pairing.matching import Matching

COMPLETE = 48
"""Up to so many players all pairs are looked at from the start."""

NEIGHBOURS = 16
"""Beyond, so many places down the list; then whatever else could be better."""


class Problem:
    """Players in a line, the cost of each pair of places in it, and of a bye."""

    def __init__(self, position: Position, rest: Sequence[Player]) -> None:
        self.position = position
        self.line = [player.id for player in _lined_up(rest, position)]
        self.count = len(self.line)
        self.size = self.count + self.count % 2
        self.kinds = [position.kinds[player] for player in self.line]
        self.of_kinds: dict[Kind, dict[Kind, int]] = {kind: {} for kind in self.kinds}
        self._give_places()
        index = {player: at for at, player in enumerate(self.line)}
        families: dict[str, list[int]] = {}
        for player in rest:
            for name in player.apart:
                families.setdefault(name, []).append(player.id)
        known = [*position.meetings]
        known += [(one, two) for ids in families.values() for one in ids for two in ids]
        places = [(index[one], index[two]) for one, two in known if index.keys() >= {one, two}]
        self.known = {(min(pair), max(pair)) for pair in places}
        """Places of those about whom it matters that they know each other."""

    def _give_places(self) -> None:
        """Each digit stands as far up in a cost as the sum of those below it needs."""
        position, policy = self.position, self.position.policy
        scores = [kind.score for kind in self.kinds] or [0]
        groups = [kind.group for kind in self.kinds] or [0]
        players = position.players.values()
        largest = dict.fromkeys(RULES, 2 * (position.round_number + policy.rematch_gap)) | {
            "fewest_byes": max(player.byes for player in players),
            "group_distance": max(groups) - min(groups),
            "bye place": len(players),
            "score distance": max(scores) - min(scores),
            "rank distance": self.size**2,
            "colour squares": 2
            * max((abs(it.difference) + 1 for it in self.kinds), default=0) ** 2,
            "colour again": 2,
        }
        distance = ["rank distance"] if policy.aim == "closest" else []
        colours = [*COLOUR_RULES, "colour squares", "colour again"]
        wishes = [*BYE_RULES, "bye place"]
        if policy.system == "swiss":
            wishes += ["score distance", *colours, *distance]
        elif distance:
            wishes += [*distance, *colours]
        soft = [it for it in wishes if it not in RULES or position.strength(it) == "soft"]
        # At the bottom, for each place in the line, how far down its partner is.
        self.width = self.size.bit_length()
        at = self.width * self.count
        self.places: dict[str, int] = {}
        for name in reversed([*position.rules, *soft]):
            self.places[name] = at
            at += (largest[name] * self.size).bit_length()
        self.dearest = 1 << at
        far = self.places.get("rank distance")
        self.far = [0 if far is None else d * d << far for d in range(self.size + 1)]

    def _worth(self, digits: Mapping[str, int]) -> int:
        places = self.places
        return sum(value << places[name] for name, value in digits.items() if name in places)

    def _least(self, one: int, two: int) -> int:
        """What a pair costs for its places in the line alone; more for farther ones."""
        return self.far[two - one] + ((two - one) << self.width * (self.count - 1 - one))

    def _cost(self, one: int, two: int) -> int:
        """What the pair of two places in the line costs, one < two; `count` is the bye."""
        least = self._least(one, two)
        if two == self.count:
            return self._worth(self.position.of_bye(self.line[one])) + least - self.far[two - one]
        left, right = self.kinds[one], self.kinds[two]
        row = self.of_kinds[left]
        if right not in row:
            of = self.position.of_seats
            seats = min(self._worth(of(left, right)), self._worth(of(right, left)))
            meeting = seats + self._worth(self.position.of_kinds(left, right))
            row[right] = self.of_kinds[right][left] = meeting
        worth = least + row[right]
        if (one, two) in self.known:
            ids = self.line[one], self.line[two]
            worth += self._worth(self.position.of_meeting(ids))
        return worth

    # ------------------------------------------------------------ solving

    def solve(self, without: Sequence[int] = ()) -> Iterator[tuple[int, ...]]:
        """The ids of each board, and of the bye; `without` is not to be one of them."""
        barred = tuple(at for at, player in enumerate(self.line) if player in without)
        if len(barred) == 1:
            barred = (*barred, self.count)
        costs: list[dict[int, int]] = [{} for _ in range(self.size)]
        reach = self.count if self.count <= COMPLETE else NEIGHBOURS
        pairs = [(one, two) for one in range(self.count) for two in self._near(one, reach)]
        while pairs:
            for one, two in pairs:
                cost = self._cost(one, two) + (self.dearest if (one, two) == barred else 0)
                costs[one][two] = costs[two][one] = cost
            matching = Matching(costs)
            pairs = list(self._missed(matching, reach))
        for one, two in enumerate(matching.mate[: self.count] if costs else ()):
            if one < two:
                yield (self.line[one], self.line[two]) if two < self.count else (self.line[one],)

    def _near(self, one: int, reach: int) -> list[int]:
        """The places that one is compared with in any case, and the bye."""
        bye = [self.count] if self.size > self.count else []
        return [*range(one + 1, min(one + reach + 1, self.count)), *bye]

    def _missed(self, matching: Matching, reach: int) -> Iterator[tuple[int, int]]:
        """The pairs beyond reach that could be part of a cheaper pairing.

        None is left out: the prices prove of all others that they cannot.
        """
        price, least = matching.price, self._least
        highest = 0
        beyond = []
        for one in range(self.count - reach - 2, -1, -1):
            first = one + reach + 1
            highest = max(highest, price[first])
            if 2 * least(one, first) < price[one] + highest:
                beyond += [(one, two) for two in range(first, self.count)]
        for one, two in beyond:
            if (
                2 * least(one, two) < price[one] + price[two]
                and two not in matching.costs[one]
                and matching.reduced(one, two, self._cost(one, two)) < 0
            ):
                yield one, two

    # ------------------------------------------------- why not otherwise

    def stuck(self, ids: Sequence[int]) -> int | None:
        """The one of the two who may meet nobody else of those to be paired either."""
        seated, breaches = self.position.seated, self.position.breaches
        for player in ids if len(ids) > 1 else ():
            if all(breaches(seated((player, it))) for it in self.line if it != player):
                return player
        return None

    def otherwise(self, ids: Sequence[int]) -> tuple[Breach, ...]:
        """What the best pairing without this board or bye would give up."""
        if self.count == len(ids):
            return ()
        other = [self.position.seated(it) for it in self.solve(ids)]
        return tuple(Breach(rule, it) for it in other for rule in self.position.breaches(it))


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
