"""An independent, slow oracle of the tie-breaks: plain Python, exact fractions.

Written from what the tie-breaks mean, not from the SQL, and sharing nothing with
the package. A `Table` gives every value after one round; `Lists` makes the lists
one after the other and gives the places that an order of tie-breaks leads to.
What belongs to the Keizer part (score and what is made of values) is that of conformance/.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import groupby, pairwise
from math import floor
from typing import NamedTuple

from conformance import seasons
from conformance.seasons import REAL, SIDES, ZERO, Chain, Entry, Game, Season, lot

Value = Fraction | None
HALF, ONE = Fraction(1, 2), Fraction(1)

NORMAL_SCORE = {"win": ONE, "forfeit win": ONE, "draw": HALF, "adjourned": HALF}
"""1, ½, 0 whatever the points are."""


# --- the facts ---------------------------------------------------------------


@dataclass
class Rules(seasons.Rules):
    """Those of tie-breaks as well; matches have any number of games."""

    percentage_floor: Fraction = Fraction(33, 100)
    percentage_byes: bool = True
    match_games: int = 99


def drawn_at_the_end(season: Season, r: int) -> Season:
    """As if every game of round r had been played and drawn; open ones stay open."""
    games = [
        replace(game, result="½-½", counts=None)
        if game.round_number == r and game.result is not None
        else game
        for game in season.games
    ]
    return replace(season, games=games)


@dataclass(frozen=True)
class Round:
    """A round of one player; what: open, otb, forfeit win, forfeit loss, bye or requested."""

    number: int
    what: str
    kind: str = ""
    points: Fraction = ZERO
    opponent: int | None = None
    black: bool = False
    counts: tuple[int, int, int] | None = None
    """Games of the match won, lost and drawn."""

    @property
    def vur(self) -> bool:
        """Voluntarily unplayed."""
        return self.what in ("requested", "forfeit loss")

    @property
    def normal_score(self) -> Fraction:
        return NORMAL_SCORE.get(self.kind, ZERO)


class Part(NamedTuple):
    """What a round brings to a Buchholz: points made, the opponent's score or the dummy's."""

    points: Fraction
    score: Fraction
    vur: bool

    @property
    def product(self) -> Fraction:
        return self.points * self.score


def half_up(number: Fraction) -> int:
    return floor(number + HALF)


def total(numbers: Iterable[Fraction | int]) -> Fraction:
    return Fraction(sum(numbers))


def mean(numbers: Iterable[Fraction | int]) -> Value:
    """Of none: nothing."""
    found = list(numbers)
    return total(found) / len(found) if found else None


def rounded(number: Value) -> Value:
    return None if number is None else Fraction(half_up(number))


# --- FIDE's rating tables ----------------------------------------------------

DIFFERENCE = [
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117),
    *(125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240),
    *(251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444),
    *(470, 501, 538, 589, 677, 800),
]
"""By how much 50, 51, ... 100 hundredths scored are above the opponents (B.02 8.1.1)."""
EXPECTED_UP_TO = [
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137),
    *(145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290),
    *(302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
]
"""The last difference in rating for which 50, 51, ... hundredths are expected (8.1.2)."""


def performance_difference(hundredths: int) -> int:
    if hundredths < 50:
        return -DIFFERENCE[50 - hundredths]
    return DIFFERENCE[hundredths - 50]


def expected(difference: int) -> Fraction:
    """PD: what who is ahead by so much is expected to score in a game."""
    if difference < 0:
        return 1 - expected(-difference)
    return Fraction(50 + sum(difference > last for last in EXPECTED_UP_TO), 100)


# --- a table -----------------------------------------------------------------


class Table:
    """Everything after round r."""

    def __init__(self, season: Season, r: int) -> None:
        """Look at each player's rounds, from the first that counts."""
        self.season, self.r = season, r
        self.win, self.draw, self.loss = (
            season.scoring[kind].points for kind in ("win", "draw", "loss")
        )
        first = season.counts_from(r)
        self.n = r - first + 1
        self.listed = [
            entry.player for entry in season.entries if entry.first_round <= r + 1
        ]
        self.ratings = {entry.player: entry.rating for entry in season.entries}
        assert isinstance(season.rules, Rules)
        self.rules = season.rules
        credited = {
            (credit.round_number, player): credit.kind
            for player, found in seasons.all_credits(season).items()
            for credit in found
        }
        rounds = {
            key: self.unplayed(key[0], kind, credited.get(key))
            for key, kind in season.unplayed.items()
        }
        for game in season.games:
            rounds[game.round_number, game.white] = self.played_round(game, black=False)
            rounds[game.round_number, game.black] = self.played_round(game, black=True)
        self.rounds = {
            player: [
                rounds.get((number, player), Round(number, "requested"))
                for number in range(first, r + 1)
            ]
            for player in self.listed
        }
        self.known: dict[tuple[str, int], Value] = {}
        self.fore: Table | None = None

    def unplayed(self, number: int, kind: str, credited: str | None) -> Round:
        """credited: the kind that it counts as, None for nothing."""
        kinds = self.season.scoring
        points = ZERO if credited is None else kinds[credited].points
        a_bye = kinds[kind].counts_as_bye or points >= self.win
        return Round(number, "bye" if a_bye else "requested", kind, points)

    def played_round(self, game: Game, *, black: bool) -> Round:
        """A game of one of the two."""
        opponent = game.white if black else game.black
        if game.result is None:
            return Round(game.round_number, "open", opponent=opponent, black=black)
        kind, counts = SIDES[game.result][black], game.counts
        what = "otb" if kind in REAL else "forfeit loss"
        if kind == "forfeit win":
            what = kind
        if counts is not None and black:
            counts = (counts[1], counts[0], counts[2])
        points = self.season.scoring[kind].points
        return Round(game.round_number, what, kind, points, opponent, black, counts)

    def value(self, name: str, player: int) -> Value:
        """Of a tie-break such as bh-c1."""
        if (name, player) not in self.known:
            self.known[name, player] = NAMES[name](self, player)
        return self.known[name, player]

    # Terms

    def own(self, player: int) -> Fraction:
        return total(outcome.points for outcome in self.rounds[player])

    def games(self, player: int, *what: str) -> list[tuple[int, Round]]:
        """Rounds with an opponent that are not open, or only those over the board."""
        return [
            (outcome.opponent, outcome)
            for outcome in self.rounds[player]
            if outcome.opponent is not None
            and (outcome.what in what if what else outcome.what != "open")
        ]

    def adjusted(self, player: int) -> Fraction:
        """A player's score as somebody's opponent."""
        rounds, found = self.rounds[player], ZERO
        for index, outcome in enumerate(rounds):
            if outcome.what == "open":
                continue
            if outcome.what == "requested" and all(
                later.vur for later in rounds[index + 1 :]
            ):
                found += self.draw
            else:
                found += outcome.points
        return found

    def dummy(self, player: int, outcome: Round) -> Fraction:
        """Who takes the place of an opponent in an unplayed round."""
        if outcome.opponent is not None:
            return min(self.own(player), self.adjusted(outcome.opponent))
        return min(self.own(player), self.draw * self.n)

    def parts(self, player: int) -> list[Part]:
        found = []
        for outcome in self.rounds[player]:
            if outcome.what == "otb" and outcome.opponent is not None:
                found.append(
                    Part(outcome.points, self.adjusted(outcome.opponent), vur=False)
                )
            elif outcome.what != "open":
                found.append(
                    Part(outcome.points, self.dummy(player, outcome), outcome.vur)
                )
        return found

    # Buchholz and its kin

    def buchholz(self, player: int, low: int, high: int) -> Fraction:
        parts = self.parts(player)
        for _ in range(min(low, len(parts))):
            of_vurs = [part for part in parts if part.vur]
            parts.remove(min(of_vurs or parts, key=lambda part: part.score))
        for _ in range(min(high, len(parts))):
            parts.remove(max(parts, key=lambda part: part.score))
        return total(part.score for part in parts)

    def fore_buchholz(self, player: int, low: int, high: int) -> Fraction:
        if self.fore is None:
            self.fore = Table(drawn_at_the_end(self.season, self.r), self.r)
        return self.fore.buchholz(player, low, high)

    def sonneborn_berger(self, player: int, cuts: int) -> Fraction:
        parts = self.parts(player)
        for _ in range(min(cuts, len(parts))):
            cut = min(parts, key=lambda part: (part.score, part.product))
            of_vurs = [part for part in parts if part.vur]
            if of_vurs:
                vur = min(of_vurs, key=lambda part: (part.product, part.score))
                cut = vur if vur.product >= cut.product else cut
            parts.remove(cut)
        return total(part.product for part in parts)

    def koya(self, player: int) -> Fraction:
        limit = self.win * self.n / 2
        return total(
            outcome.points
            for other, outcome in self.games(player)
            if self.own(other) >= limit
        )

    def progressive(self, player: int, cuts: int) -> Fraction:
        rounds = self.rounds[player]
        return total(
            total(outcome.points for outcome in rounds[: number + 1])
            for number in range(cuts, len(rounds))
        )

    def standard(self, player: int) -> Fraction:
        found = ZERO
        for outcome in self.rounds[player]:
            if outcome.opponent is not None:
                found += outcome.normal_score
            elif outcome.points >= self.win:
                found += 1
            elif outcome.points >= self.draw > 0:
                found += HALF
        return found

    # Ratings

    def rating(self, player: int) -> Value:
        rating = self.ratings[player]
        return None if rating is None else Fraction(rating)

    def for_rating(self, player: int) -> tuple[list[int], Fraction]:
        """The ratings of those met who have one, lowest first, and the score against them."""
        rated = [
            (rating, outcome.normal_score)
            for other, outcome in self.games(player, "otb")
            if (rating := self.ratings[other]) is not None
        ]
        return sorted(rating for rating, _ in rated), total(score for _, score in rated)

    def average_rating(self, player: int, low: int, high: int) -> Value:
        ratings = self.for_rating(player)[0][low:]
        return rounded(mean(ratings[: max(0, len(ratings) - high)]))

    def performance(self, player: int) -> Value:
        (ratings, score), average = (
            self.for_rating(player),
            self.average_rating(player, 0, 0),
        )
        if average is None:
            return None
        return average + performance_difference(half_up(100 * score / len(ratings)))

    def perfect_performance(self, player: int) -> Value:
        ratings, score = self.for_rating(player)
        if not ratings:
            return None
        candidates = range(ratings[0] - 800, ratings[-1] + 801)
        if score == 0:
            return Fraction(candidates[0])

        def due(mine: int) -> Fraction:
            return total(expected(mine - rating) for rating in ratings)

        return Fraction(candidates[bisect_left(candidates, score, key=due)])

    # Magic

    def byes(self, player: int) -> list[Round]:
        if not self.rules.percentage_byes:
            return []
        bye = {
            kind
            for kind, scoring in self.season.scoring.items()
            if scoring.counts_as_bye
        }
        return [
            outcome
            for outcome in self.rounds[player]
            if outcome.opponent is None and outcome.kind in bye
        ]

    def share(self, points: Fraction, games: int) -> Fraction:
        """Of the points that could be made, and no less than the floor."""
        least = self.rules.percentage_floor
        return max(points / (self.win * games), least) if games else least

    def match_wins(self, player: int) -> Fraction:
        rounds = [outcome for _, outcome in self.games(player)] + self.byes(player)
        return self.share(total(outcome.points for outcome in rounds), len(rounds))

    def game_wins(self, player: int) -> Fraction:
        byes = len(self.byes(player))
        points, games = 2 * self.win * byes, 2 * byes
        for _, outcome in self.games(player):
            score = outcome.normal_score
            won, lost, drawn = int(score == 1), int(score == 0), int(score == HALF)
            if outcome.counts is not None and outcome.kind in REAL:
                won, lost, drawn = outcome.counts
            points += self.win * won + self.loss * lost + self.draw * drawn
            games += won + lost + drawn
        return self.share(points, games)

    def of_opponents(self, player: int, name: str, *what: str) -> Value:
        """The mean over the opponents, one for each meeting; what: otb, or any."""
        found = [self.value(name, other) for other, _ in self.games(player, *what)]
        return mean(value for value in found if value is not None)

    # Among those still tied

    def direct_encounter(self, tied: list[int]) -> list[list[int]]:
        """Those who are tied, the first first, in the groups that stay tied."""
        met: dict[int, list[Fraction]] = {}
        for player in tied:
            games = self.games(player, "otb")
            between = [
                mean(outcome.points for whom, outcome in games if whom == other)
                for other in tied
            ]
            met[player] = [average for average in between if average is not None]
        sums = {player: total(met[player]) for player in tied}
        lacking = {player: len(tied) - 1 - len(met[player]) for player in tied}
        order = sorted(tied, key=lambda player: -sums[player])
        if not any(lacking.values()):
            groups = [list(group) for _, group in groupby(order, key=sums.__getitem__)]
        else:
            groups = []
            while order:
                first, rest = order[0], order[1:]
                if any(
                    sums[other] + self.win * lacking[other] >= sums[first]
                    for other in rest
                ):
                    groups.append(order)
                    break
                groups.append([first])
                order = rest
        if len(groups) == 1:
            return groups
        return [part for group in groups for part in self.direct_encounter(group)]

    def mutual(self, player: int, tied: list[int]) -> Fraction:
        """Points from the games among those tied, forfeits as well."""
        return total(
            outcome.points
            for outcome in self.rounds[player]
            if outcome.opponent in tied
        )


_LOWEST = {"": 0, "-c1": 1, "-c2": 2}
"""How many of the lowest are left out."""
_BOTH = {"": (0, 0), "-c1": (1, 0), "-c2": (2, 0), "-m1": (1, 1), "-m2": (2, 2)}
"""How many of the lowest, and of the highest."""

COUNTED: dict[str, Callable[[Table, Round], bool]] = {
    "wins": lambda table, r: r.what != "open" and r.points >= table.win,
    "won": lambda _, r: r.kind == "win",
    "bpg": lambda _, r: r.what == "otb" and r.black,
    "bwg": lambda _, r: r.kind == "win" and r.black,
    "rep": lambda _, r: not r.vur,
    "played": lambda _, r: r.kind in REAL,
}
"""Which of a player's rounds each of these names counts."""


def counted(table: Table, player: int, name: str) -> Fraction:
    return total(COUNTED[name](table, outcome) for outcome in table.rounds[player])


NAMES: dict[str, Callable[[Table, int], Value]] = {
    **{name: partial(counted, name=name) for name in COUNTED},
    "points": Table.own,
    "std": Table.standard,
    "ks": Table.koya,
    "rating": Table.rating,
    "tpr": Table.performance,
    "ptp": Table.perfect_performance,
    "apro": lambda table, player: rounded(table.of_opponents(player, "tpr", "otb")),
    "appo": lambda table, player: rounded(table.of_opponents(player, "ptp", "otb")),
    "aob": lambda table, player: table.of_opponents(player, "bh", "otb"),
    "aob-f": lambda table, player: table.of_opponents(player, "fb", "otb"),
    "mw": Table.match_wins,
    "gw": Table.game_wins,
    "omw": partial(Table.of_opponents, name="mw"),
    "ogw": partial(Table.of_opponents, name="gw"),
    "oomw": partial(Table.of_opponents, name="omw"),
    "oogw": partial(Table.of_opponents, name="ogw"),
    "lot": lambda table, player: Fraction(lot(player, table.rules.seed)),
}
"""Each name, with what it is for one player."""
for _cut, _low in _LOWEST.items():
    NAMES["sb" + _cut] = partial(Table.sonneborn_berger, cuts=_low)
    NAMES["ps" + _cut] = partial(Table.progressive, cuts=_low)
for _cut, (_low, _high) in _BOTH.items():
    NAMES["bh" + _cut] = partial(Table.buchholz, low=_low, high=_high)
    NAMES["fb" + _cut] = partial(Table.fore_buchholz, low=_low, high=_high)
    NAMES["aro" + _cut] = partial(Table.average_rating, low=_low, high=_high)

OF_LISTS = ("previous", "start")
"""Ranks in the list before and in the first list."""
AMONG_TIED = ("de", "mutual")
GIVEN = ("score", "value-sb", "opponents")
"""The Keizer part."""


# --- lists -------------------------------------------------------------------


class Order(seasons.Ordering):
    """By any tie-breaks of the file, each in either direction."""

    chain: "Lists"

    def names(self) -> list[str]:
        """'score' in front where it has to be."""
        names = self.chain.rules.tiebreaks.split(",")
        first = {name.partition(":")[0] for name in names}
        return names if {"score", "points"} & first else ["score", *names]

    def players(self) -> list[int]:
        """First to last; the places of those who were in the list before are noted."""
        found = super().players()
        places, place = self.chain.places.setdefault(self.number, {}), 1
        for group in self.tied:
            places |= {entry.player: place for entry in group}
            place += len(group)
        return found

    def parted(self, name: str, group: list[Entry]) -> list[list[Entry]]:
        """Those who are tied, by one more tie-break; who has no value comes last."""
        name, _, direction = name.partition(":")
        tied = {entry.player: entry for entry in group}
        table = self.chain.after(self.number)
        if name == "de":
            return [
                [tied[player] for player in part]
                for part in table.direct_encounter([*tied])
            ]
        values = {
            player: self.value(name, entry, {*tied}) for player, entry in tied.items()
        }
        present = {value for value in values.values() if value is not None}
        lower_first = name in (*OF_LISTS, "lot")
        higher_first = direction == "desc" if direction else not lower_first
        groups = [
            [entry for player, entry in tied.items() if values[player] == value]
            for value in [*sorted(present, reverse=higher_first), None]
        ]
        return [group for group in groups if group]

    def value(self, name: str, entry: Entry, tied: set[int]) -> Value:
        if name in NAMES:
            return self.chain.after(self.number).value(name, entry.player)
        found = Fraction(self.tie(name, entry, tied))
        return found if name in OF_LISTS else -found


class Lists(Chain):
    """The lists of a season, each made after the one before."""

    ordering = Order

    def __init__(self, season: Season) -> None:
        """Make them all."""
        self.places: dict[int, dict[int, int]] = {}
        """By round, of those who were in the list before."""
        self.after = cache(partial(Table, season))
        super().__init__(season)

    def value(self, number: int, name: str, player: int) -> Value:
        """Ranks of a newcomer, whose first list this is, are not known while it is made."""
        if name not in OF_LISTS:
            return self.after(number).value(name, player)
        before = self.tables[number - 1]
        if player not in before:
            return None
        rank = (before if name == "previous" else self.first)[player].rank
        return Fraction(rank)


def agree(left: list[Fraction], right: list[Fraction]) -> bool:
    """Whether two lists of numbers order the same: equal where equal, less where less."""
    pairs = sorted(zip(left, right, strict=True))
    return all(
        (a < b and x < y) or (a == b and x == y) for (a, x), (b, y) in pairwise(pairs)
    )
