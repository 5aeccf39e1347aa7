"""Who meets whom: an exact minimum-weight perfect matching by Keizer rank.

Plain data in and out; no database. Every pair of present players has a cost
whose digits are the club's wishes, the first that differs deciding:

    1  meetings beyond the season's maximum
    2  rounds that lack to the rematch gap (so what must be repeated is the
       meeting that is longest ago)
    3  hard colour breaches: a third same colour in a row, a difference above 2
    4  byes the player had who would sit out
    5  players ranked below the one who would sit out
    6  the square of the distance in rank
    7  colour wishes that are not granted
    8  a fixed number for each pair of places, so that the answer is one

All pairs stay possible, only dear, so there is always a pairing; what had to
be given up is read off the digits and reported. A pair takes the better of
its two orientations. An odd player out gets the bye, as one more vertex.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_BITS = 120
"""rustworkx is exact below 2**125 and silently wrong above."""


MAX_DIFFERENCE = 2
"""Games with White less games with Black, or the other way round."""


class Game(NamedTuple):
    """A game over the board of an earlier round (players by id)."""

    round_number: int
    white: int
    black: int


@dataclass(frozen=True)
class Policy:
    """What the club asks of a pairing (table rules of a season file)."""

    rematch_gap: int = 5
    """Rounds that lie between two meetings of the same players."""
    max_meetings: int = 3
    """How often two players may meet in the season."""


class Board(NamedTuple):
    """Two players (ids) who meet."""

    white: int
    black: int


@dataclass(frozen=True)
class Relaxation:
    """A rule that could not be kept, and for whom."""

    rule: str
    """`max_meetings`, `rematch_gap` or `colour`."""
    board: Board
    """Who meets all the same."""
    detail: str
    """The rest of a sentence that begins with the two names."""


@dataclass(frozen=True)
class Pairing:
    """A round: the boards from the top, and who sits out."""

    boards: tuple[Board, ...]
    bye: int | None
    relaxations: tuple[Relaxation, ...]


@dataclass
class _Colours:
    """One player's colours so far."""

    difference: int = 0
    """Games with White less games with Black."""
    history: list[int] = field(default_factory=list)
    """+1 for White and -1 for Black, oldest first."""

    def breaches(self, colour: int) -> int:
        streak = self.history[-2:] == [colour, colour]
        return int(streak) + int(abs(self.difference + colour) > MAX_DIFFERENCE)

    def reluctance(self, colour: int) -> int:
        """0 to 3: two for a growing difference, one for the same colour again."""
        again = self.history[-1:] == [colour]
        return 2 * int(self.difference * colour > 0) + int(again)


class _Pair(NamedTuple):
    """What it costs that two places in the list meet, and how they sit."""

    digits: tuple[int, ...]
    white: int
    black: int


_DIGITS = 8


class _History:
    """What earlier games mean for who can meet now."""

    def __init__(self, games: Iterable[Game], round_number: int, policy: Policy) -> None:
        self.round_number, self.policy = round_number, policy
        self.colours: dict[int, _Colours] = {}
        self.meetings: dict[frozenset[int], list[Game]] = {}
        for game in sorted(games):
            self.meetings.setdefault(frozenset(game[1:]), []).append(game)
            for player, colour in ((game.white, 1), (game.black, -1)):
                seat = self.colours.setdefault(player, _Colours())
                seat.difference += colour
                seat.history.append(colour)

    def between(self, met: list[Game]) -> int:
        """Rounds between the last meeting and now."""
        return self.round_number - 1 - met[-1].round_number

    def pair(self, upper: int, lower: int, above: int, below: int) -> _Pair:
        """The pair of players `upper` and `lower` at places `above` < `below`."""
        met = self.meetings.get(frozenset((upper, lower)), [])
        excess = max(0, len(met) + 1 - self.policy.max_meetings) if met else 0
        recent = max(0, self.policy.rematch_gap - self.between(met)) if met else 0
        one, two = self.colours.get(upper, _Colours()), self.colours.get(lower, _Colours())
        # In this order where all else is equal: the lower-ranked takes White.
        seats = []
        for white_on_top, sign in ((0, -1), (1, 1)):
            hard = one.breaches(sign) + two.breaches(-sign)
            wishes = one.reluctance(sign) + two.reluctance(-sign)
            again = int(bool(met) and (met[-1].white == upper) == bool(white_on_top))
            seats.append((hard, wishes, again, white_on_top))
        hard, wishes, _, white_on_top = min(seats)
        white, black = (upper, lower) if white_on_top else (lower, upper)
        distance = (below - above) ** 2
        digits = (excess, recent, hard, 0, 0, distance, wishes, _mixed(above, below))
        return _Pair(digits, white, black)

    def relaxations(self, board: Board, digits: tuple[int, ...]) -> list[Relaxation]:
        """The rules that this board does not keep."""
        met, policy = self.meetings.get(frozenset(board), []), self.policy
        given_up = {}
        if digits[0]:
            given_up["max_meetings"] = (
                f"meet once more after {len(met)} times, where {policy.max_meetings} are allowed"
            )
        if digits[1]:
            given_up["rematch_gap"] = (
                f"met in round {met[-1].round_number}: {self.between(met)} rounds between"
                f" instead of {policy.rematch_gap}"
            )
        if digits[2]:
            given_up["colour"] = "have a colour for the third time in a row, or three too often"
        return [Relaxation(rule, board, detail) for rule, detail in given_up.items()]


def _mixed(above: int, below: int) -> int:
    """A fixed, well-spread number for a pair of places (0 to 65535)."""
    return ((above * 0x9E3779B1) ^ (below * 0x85EBCA77)) >> 7 & 0xFFFF


def pair(
    players: Sequence[int],
    games: Iterable[Game] = (),
    *,
    round_number: int,
    byes: Mapping[int, int] | None = None,
    policy: Policy | None = None,
) -> Pairing:
    """The best pairing of the present players.

    players: ids of who is present, best rank first; games: those over the
    board in earlier rounds; byes: how many each player had (0 if not named).
    Raises ValueError when a player is named twice or nobody at all.
    """
    if len(set(players)) != len(players) or not players:
        raise ValueError("players must be at least one, each named once")
    if len(players) == 1:
        return Pairing((), players[0], ())
    history = _History(games, round_number, policy or Policy())
    count = len(players)
    pairs: dict[tuple[int, int], _Pair] = {}
    for below, lower in enumerate(players):
        for above in range(below):
            pairs[above, below] = history.pair(players[above], lower, above, below)
    if count % 2:
        for place, player in enumerate(players):
            had = (byes or {}).get(player, 0)
            digits = (0, 0, 0, had, count - 1 - place, 0, 0, 0)
            pairs[place, count] = _Pair(digits, player, player)
    matched = _matching({edge: it.digits for edge, it in pairs.items()}, count + count % 2)
    boards: list[Board] = []
    relaxations: list[Relaxation] = []
    bye = None
    for edge in sorted(matched):
        it = pairs[edge]
        if edge[1] == count:
            bye = it.white
            continue
        board = Board(it.white, it.black)
        boards.append(board)
        relaxations += history.relaxations(board, it.digits)
    return Pairing(tuple(boards), bye, tuple(relaxations))


def _matching(
    costs: Mapping[tuple[int, int], tuple[int, ...]], vertices: int
) -> list[tuple[int, int]]:
    """The perfect matching whose summed digits are least, compared in order."""
    import rustworkx

    weights = [1] * _DIGITS
    for digit in range(_DIGITS - 2, -1, -1):
        most = max(cost[digit + 1] for cost in costs.values())
        weights[digit] = weights[digit + 1] * (most * (vertices // 2) + 1)
    total = {
        edge: sum(weight * digit for weight, digit in zip(weights, cost, strict=True))
        for edge, cost in costs.items()
    }
    if (max(total.values()) * vertices).bit_length() > MAX_BITS:
        raise OverflowError("the wishes of this pairing do not fit the matching engine")
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from([(above, below, -cost) for (above, below), cost in sorted(total.items())])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(edge), max(edge)) for edge in matched]
