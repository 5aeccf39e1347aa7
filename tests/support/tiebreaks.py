"""An independent, slow oracle of the tie-breaks: plain Python, exact fractions.

A `Table` computes every tie-break of every player after one round. `Lists` makes the
lists of a season one after the other, and gives the places to which an order of
tie-breaks leads. Article numbers are those of FIDE's Handbook C.07 in the edition of
1 March 2026, as docs/tiebreaks.md has them; MTR are the Magic Tournament Rules.

It was written from those texts, not from the SQL, and shares nothing with keizer.
The Keizer part (the score and what is made of values) is that of the reference in
conformance/seasons.py, which computes from the facts as well. Each value is made
anew from a player's rounds, in the words of its article, however long that takes.
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
"""Of a tie-break; None: the player has none, and comes last."""

HALF = Fraction(1, 2)
ONE = Fraction(1)

NORMAL_SCORE = {"win": ONE, "forfeit win": ONE, "draw": HALF, "adjourned": HALF}
"""1, ½ and 0, whatever the points of the tournament are; others 0."""


# --- the facts ---------------------------------------------------------------


@dataclass
class Rules(seasons.Rules):
    """The rules of a season and its tie-breaks; a match has any number of games."""

    percentage_floor: Fraction = Fraction(33, 100)
    percentage_byes: bool = True
    match_games: int = 99


def drawn_at_the_end(season: Season, r: int) -> Season:
    """Return the season with all games of round r drawn; open ones stay open."""
    games = []
    for game in season.games:
        if game.round_number == r and game.result is not None:
            games.append(replace(game, result="½-½", counts=None))
        else:
            games.append(game)
    return replace(season, games=games)


@dataclass(frozen=True)
class Round:
    """A round of one player."""

    number: int
    what: str
    """open, otb, forfeit win, forfeit loss, bye or requested."""
    kind: str = ""
    points: Fraction = ZERO
    opponent: int | None = None
    black: bool = False
    counts: tuple[int, int, int] | None = None
    """Games of the match won, lost and drawn."""

    @property
    def vur(self) -> bool:
        """Whether the round is voluntarily unplayed (16.5)."""
        return self.what in ("requested", "forfeit loss")

    @property
    def normal_score(self) -> Fraction:
        return NORMAL_SCORE.get(self.kind, ZERO)


class Part(NamedTuple):
    """A round in a Buchholz: points made, and the score of the opponent or dummy."""

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
    """Return the mean, None if there are no numbers."""
    numbers = list(numbers)
    return total(numbers) / len(numbers) if numbers else None


def rounded(number: Value) -> Value:
    return None if number is None else Fraction(half_up(number))


# --- FIDE's rating tables ----------------------------------------------------

DIFFERENCE = [
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117),
    *(125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240),
    *(251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444),
    *(470, 501, 538, 589, 677, 800),
]
"""The rating above the opponents for 50, 51, ... 100 hundredths scored (B.02 8.1.1)."""
EXPECTED_UP_TO = [
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137),
    *(145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290),
    *(302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
]
"""The last difference in rating with 50, 51, ... hundredths expected (B.02 8.1.2)."""


def performance_difference(hundredths: int) -> int:
    if hundredths < 50:
        return -DIFFERENCE[50 - hundredths]
    return DIFFERENCE[hundredths - 50]


def expected(difference: int) -> Fraction:
    """Return PD: the score expected in a game from a player so many points ahead."""
    if difference < 0:
        return 1 - expected(-difference)
    steps = sum(difference > last for last in EXPECTED_UP_TO)
    return Fraction(50 + steps, 100)


# --- a table -----------------------------------------------------------------


class Table:
    """The tie-breaks of all players after round r."""

    def __init__(self, season: Season, r: int) -> None:
        """Look at each player's rounds, from the first that counts."""
        assert isinstance(season.rules, Rules)
        self.season = season
        self.rules = season.rules
        self.r = r
        self.win = season.scoring["win"].points
        self.draw = season.scoring["draw"].points
        self.loss = season.scoring["loss"].points
        first = season.counts_from(r)
        self.n = r - first + 1
        """The number of rounds; during a tournament, that of the table."""
        self.listed = [
            entry.player for entry in season.entries if entry.first_round <= r + 1
        ]
        self.ratings = {entry.player: entry.rating for entry in season.entries}
        rounds = self._rounds_with_a_row()
        self.rounds = {
            player: [
                rounds.get((number, player), Round(number, "requested"))
                for number in range(first, r + 1)
            ]
            for player in self.listed
        }
        self.known: dict[tuple[str, int], Value] = {}
        self.fore: Table | None = None

    def _rounds_with_a_row(self) -> dict[tuple[int, int], Round]:
        """Return each round, by number and player, of which the facts say something."""
        credited = {}
        for player, lines in seasons.all_credits(self.season).items():
            for credit in lines:
                credited[credit.round_number, player] = credit.kind
        rounds = {}
        for (number, player), kind in self.season.unplayed.items():
            counts_as = credited.get((number, player))
            rounds[number, player] = self.unplayed(number, kind, counts_as)
        for game in self.season.games:
            number = game.round_number
            rounds[number, game.white] = self.played_round(game, black=False)
            rounds[number, game.black] = self.played_round(game, black=True)
        return rounds

    def unplayed(self, number: int, kind: str, credited: str | None) -> Round:
        """Return a round without a game; credited: the kind it counts as, if any."""
        kinds = self.season.scoring
        points = ZERO if credited is None else kinds[credited].points
        is_allocated = kinds[kind].counts_as_bye or points >= self.win
        return Round(number, "bye" if is_allocated else "requested", kind, points)

    def played_round(self, game: Game, *, black: bool) -> Round:
        """Return a game as the round of one of the two."""
        number = game.round_number
        opponent = game.white if black else game.black
        if game.result is None:
            return Round(number, "open", opponent=opponent, black=black)
        kind = SIDES[game.result][black]
        if kind in REAL:
            what = "otb"
        elif kind == "forfeit win":
            what = "forfeit win"
        else:
            what = "forfeit loss"
        counts = game.counts
        if counts is not None and black:
            white_wins, black_wins, drawn = counts
            counts = (black_wins, white_wins, drawn)
        points = self.season.scoring[kind].points
        return Round(number, what, kind, points, opponent, black, counts)

    def value(self, name: str, player: int) -> Value:
        """Return a tie-break such as bh-c1."""
        key = (name, player)
        if key not in self.known:
            tiebreak = NAMES[name]
            self.known[key] = tiebreak(self, player)
        return self.known[key]

    # Terms

    def own(self, player: int) -> Fraction:
        return total(outcome.points for outcome in self.rounds[player])

    def games(self, player: int, *what: str) -> list[tuple[int, Round]]:
        """Return opponents and rounds; a forfeit has an opponent too.

        what: the sorts of round that are wanted; without any, all but open ones.
        """
        games = []
        for outcome in self.rounds[player]:
            is_wanted = outcome.what in what if what else outcome.what != "open"
            if outcome.opponent is not None and is_wanted:
                games.append((outcome.opponent, outcome))
        return games

    def adjusted(self, player: int) -> Fraction:
        """Return a player's score as somebody's opponent (16.3).

        A requested bye counts as a draw if only voluntary rounds follow it.
        """
        rounds = self.rounds[player]
        score = ZERO
        for index, outcome in enumerate(rounds):
            later = rounds[index + 1 :]
            if outcome.what == "open":
                continue
            if outcome.what == "requested" and all(each.vur for each in later):
                score += self.draw
            else:
                score += outcome.points
        return score

    def dummy(self, player: int, outcome: Round) -> Fraction:
        """Return the score of the dummy who is met in an unplayed round (16.4)."""
        if outcome.opponent is not None:
            limit = self.adjusted(outcome.opponent)
        else:
            limit = self.draw * self.n
        return min(self.own(player), limit)

    def parts(self, player: int) -> list[Part]:
        """Return what each round brings to a Buchholz; open games bring nothing."""
        parts = []
        for outcome in self.rounds[player]:
            if outcome.what == "otb" and outcome.opponent is not None:
                score = self.adjusted(outcome.opponent)
                parts.append(Part(outcome.points, score, vur=False))
            elif outcome.what != "open":
                score = self.dummy(player, outcome)
                parts.append(Part(outcome.points, score, outcome.vur))
        return parts

    # Buchholz and its kin

    def buchholz(self, player: int, low: int, high: int) -> Fraction:
        """Sum the opponents' scores but the lowest and highest few (8.1, 14).

        Of the lowest, a voluntarily unplayed round is cut first (16.5).
        """
        parts = self.parts(player)
        for _ in range(min(low, len(parts))):
            of_vurs = [part for part in parts if part.vur]
            lowest = min(of_vurs or parts, key=lambda part: part.score)
            parts.remove(lowest)
        for _ in range(min(high, len(parts))):
            highest = max(parts, key=lambda part: part.score)
            parts.remove(highest)
        return total(part.score for part in parts)

    def fore_buchholz(self, player: int, low: int, high: int) -> Fraction:
        """Return the Buchholz with the games of the last round as draws (8.3)."""
        if self.fore is None:
            as_drawn = drawn_at_the_end(self.season, self.r)
            self.fore = Table(as_drawn, self.r)
        return self.fore.buchholz(player, low, high)

    def sonneborn_berger(self, player: int, cuts: int) -> Fraction:
        """Sum points times the opponent's score, but a few parts (9.1, 14.1).

        A cut takes the part of the lowest score. It takes that of a voluntarily
        unplayed round instead if its product is no smaller (16.5).
        """
        parts = self.parts(player)
        for _ in range(min(cuts, len(parts))):
            cut = min(parts, key=lambda part: (part.score, part.product))
            of_vurs = [part for part in parts if part.vur]
            if of_vurs:
                vur = min(of_vurs, key=lambda part: (part.product, part.score))
                if vur.product >= cut.product:
                    cut = vur
            parts.remove(cut)
        return total(part.product for part in parts)

    def koya(self, player: int) -> Fraction:
        """Sum the points against opponents with half of all points or more (9.2)."""
        half_of_all = self.win * self.n / 2
        points = ZERO
        for other, outcome in self.games(player):
            if self.own(other) >= half_of_all:
                points += outcome.points
        return points

    def progressive(self, player: int, cuts: int) -> Fraction:
        """Sum the scores after each round but the first few (7.5)."""
        scores = []
        score = ZERO
        for outcome in self.rounds[player]:
            score += outcome.points
            scores.append(score)
        return total(scores[cuts:])

    def standard(self, player: int) -> Fraction:
        """Return the points if a win were 1 and a draw ½ (7.7)."""
        score = ZERO
        for outcome in self.rounds[player]:
            if outcome.opponent is not None:
                score += outcome.normal_score
            elif outcome.points >= self.win:
                score += 1
            elif outcome.points >= self.draw > 0:
                score += HALF
        return score

    # Ratings

    def rating(self, player: int) -> Value:
        rating = self.ratings[player]
        return None if rating is None else Fraction(rating)

    def for_rating(self, player: int) -> tuple[list[int], Fraction]:
        """Return the ratings of rated opponents, sorted, and the score against them."""
        ratings = []
        score = ZERO
        for other, outcome in self.games(player, "otb"):
            rating = self.ratings[other]
            if rating is not None:
                ratings.append(rating)
                score += outcome.normal_score
        return sorted(ratings), score

    def average_rating(self, player: int, low: int, high: int) -> Value:
        """Return the mean rating of opponents but the lowest and highest few (10.1)."""
        ratings, _ = self.for_rating(player)
        end = max(low, len(ratings) - high)
        return rounded(mean(ratings[low:end]))

    def performance(self, player: int) -> Value:
        """Return the mean rating and the difference for the score (10.2)."""
        average = self.average_rating(player, 0, 0)
        if average is None:
            return None
        ratings, score = self.for_rating(player)
        hundredths = half_up(100 * score / len(ratings))
        return average + performance_difference(hundredths)

    def perfect_performance(self, player: int) -> Value:
        """Return the lowest rating of which the score was expected (10.3)."""
        ratings, score = self.for_rating(player)
        if not ratings:
            return None
        candidates = range(ratings[0] - 800, ratings[-1] + 801)
        if score == 0:
            return Fraction(candidates[0])

        def expected_score(own_rating: int) -> Fraction:
            return total(expected(own_rating - rating) for rating in ratings)

        index = bisect_left(candidates, score, key=expected_score)
        return Fraction(candidates[index])

    # Magic

    def byes(self, player: int) -> list[Round]:
        """Return the byes that count as a match won."""
        if not self.rules.percentage_byes:
            return []
        kinds = self.season.scoring
        return [
            outcome
            for outcome in self.rounds[player]
            if outcome.opponent is None
            and outcome.kind in kinds
            and kinds[outcome.kind].counts_as_bye
        ]

    def share(self, points: Fraction, games: int) -> Fraction:
        """Return the share of the points that games can bring, at least the floor."""
        least = self.rules.percentage_floor
        if games == 0:
            return least
        return max(points / (self.win * games), least)

    def match_wins(self, player: int) -> Fraction:
        """Return the match-win percentage (MTR appendix C)."""
        played = [outcome for _, outcome in self.games(player)]
        rounds = played + self.byes(player)
        points = total(outcome.points for outcome in rounds)
        return self.share(points, len(rounds))

    def game_wins(self, player: int) -> Fraction:
        """Return the game-win percentage (MTR appendix C); a bye is two games won."""
        games = 2 * len(self.byes(player))
        points = self.win * games
        for _, outcome in self.games(player):
            won, lost, drawn = self.counts_of_match(outcome)
            points += self.win * won + self.loss * lost + self.draw * drawn
            games += won + lost + drawn
        return self.share(points, games)

    def counts_of_match(self, outcome: Round) -> tuple[int, int, int]:
        """Return the games of a match that were won, lost and drawn."""
        if outcome.counts is not None and outcome.kind in REAL:
            return outcome.counts
        score = outcome.normal_score
        return int(score == 1), int(score == 0), int(score == HALF)

    def of_opponents(self, player: int, name: str, *what: str) -> Value:
        """Return the mean of a tie-break over the opponents, one for each meeting.

        what: otb, or any if left out.
        """
        opponents = [other for other, _ in self.games(player, *what)]
        values = [self.value(name, other) for other in opponents]
        return mean(value for value in values if value is not None)

    # Among those still tied

    def direct_encounter(self, tied: list[int]) -> list[list[int]]:
        """Part those who are tied, the first one in front, by their games (6).

        The groups stay tied.
        """
        encounters = {player: self.encounters(player, tied) for player in tied}
        sums = {player: total(points) for player, points in encounters.items()}
        most_encounters = len(tied) - 1
        lacking = {
            player: most_encounters - len(points)
            for player, points in encounters.items()
        }
        order = sorted(tied, key=lambda player: -sums[player])
        if any(lacking.values()):
            groups = self.first_whatever_happens(order, sums, lacking)
        else:
            groups = [list(group) for _, group in groupby(order, key=sums.__getitem__)]
        if len(groups) == 1:
            return groups
        return [part for group in groups for part in self.direct_encounter(group)]

    def encounters(self, player: int, tied: list[int]) -> list[Fraction]:
        """Return the points against each one met, the mean of several games (6.1.2)."""
        points: dict[int, list[Fraction]] = {}
        for other, outcome in self.games(player, "otb"):
            if other in tied:
                points.setdefault(other, []).append(outcome.points)
        return [total(games) / len(games) for games in points.values()]

    def first_whatever_happens(
        self, order: list[int], sums: dict[int, Fraction], lacking: dict[int, int]
    ) -> list[list[int]]:
        """Part off those whom nobody can reach if not all have met (6.3)."""
        groups: list[list[int]] = []
        while order:
            first, *rest = order
            reachable = [sums[other] + self.win * lacking[other] for other in rest]
            if any(most >= sums[first] for most in reachable):
                return [*groups, order]
            groups.append([first])
            order = rest
        return groups


LOWEST = {"": 0, "-c1": 1, "-c2": 2}
"""How many of the lowest a cut leaves out (14)."""
LOWEST_AND_HIGHEST = {
    "": (0, 0), "-c1": (1, 0), "-c2": (2, 0), "-m1": (1, 1), "-m2": (2, 2),
}  # fmt: skip
"""How many of the lowest, and of the highest; a median leaves out both (14)."""

COUNTED: dict[str, Callable[[Table, Round], bool]] = {
    "wins": lambda table, r: r.what != "open" and r.points >= table.win,
    "won": lambda _, r: r.kind == "win",
    "bpg": lambda _, r: r.what == "otb" and r.black,
    "bwg": lambda _, r: r.kind == "win" and r.black,
    "rep": lambda _, r: not r.vur,
    "played": lambda _, r: r.kind in REAL,
}
"""The rounds of a player that each of these names counts (7.1 to 7.4, 7.6)."""


def counted(table: Table, player: int, name: str) -> Fraction:
    counts = COUNTED[name]
    return total(counts(table, outcome) for outcome in table.rounds[player])


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
"""Each name, with the function that computes it for one player."""
for _cut, _low in LOWEST.items():
    NAMES["sb" + _cut] = partial(Table.sonneborn_berger, cuts=_low)
    NAMES["ps" + _cut] = partial(Table.progressive, cuts=_low)
for _cut, (_low, _high) in LOWEST_AND_HIGHEST.items():
    NAMES["bh" + _cut] = partial(Table.buchholz, low=_low, high=_high)
    NAMES["fb" + _cut] = partial(Table.fore_buchholz, low=_low, high=_high)
    NAMES["aro" + _cut] = partial(Table.average_rating, low=_low, high=_high)

OF_LISTS = ("previous", "start")
"""Ranks in the list before and in the first list."""
AMONG_TIED = ("de", "mutual")
GIVEN = ("score", "value-sb", "opponents")
"""The Keizer part, which conformance/ computes."""


# --- lists -------------------------------------------------------------------


class Order(seasons.Ordering):
    """An ordering by any tie-breaks of a file, each in either direction."""

    chain: "Lists"

    def names(self) -> list[str]:
        """Return the tie-breaks, 'score' in front unless the order has it or points."""
        names = self.chain.rules.tiebreaks.split(",")
        without_direction = {name.partition(":")[0] for name in names}
        if {"score", "points"} & without_direction:
            return names
        return ["score", *names]

    def players(self) -> list[int]:
        """Return the players from the first to the last.

        Notes the places of those who were in the list before.
        """
        players = super().players()
        places = self.chain.places.setdefault(self.number, {})
        place = 1
        for group in self.tied:
            for entry in group:
                places[entry.player] = place
            place += len(group)
        return players

    def parted(self, name: str, group: list[Entry]) -> list[list[Entry]]:
        """Part those who are tied by one more tie-break; no value comes last."""
        name, _, direction = name.partition(":")
        tied = {entry.player: entry for entry in group}
        if name == "de":
            parts = self.chain.after(self.number).direct_encounter([*tied])
            return [[tied[player] for player in part] for part in parts]
        values = {
            player: self.value(name, entry, {*tied}) for player, entry in tied.items()
        }
        known = {value for value in values.values() if value is not None}
        higher_first = name not in (*OF_LISTS, "lot")
        if direction:
            higher_first = direction == "desc"
        groups = []
        for value in [*sorted(known, reverse=higher_first), None]:
            equal = [tied[player] for player in tied if values[player] == value]
            if equal:
                groups.append(equal)
        return groups

    def value(self, name: str, entry: Entry, tied: set[int]) -> Value:
        """Return a tie-break; those of conformance/ have the lowest first."""
        if name in NAMES:
            return self.chain.after(self.number).value(name, entry.player)
        lowest_first = Fraction(self.tie(name, entry, tied))
        return lowest_first if name in OF_LISTS else -lowest_first


class Lists(Chain):
    """The lists of a season, each made after the one before."""

    ordering = Order

    def __init__(self, season: Season) -> None:
        """Make all lists."""
        self.places: dict[int, dict[int, int]] = {}
        """By round, of those who were in the list before."""
        self.after = cache(partial(Table, season))
        super().__init__(season)

    def value(self, number: int, name: str, player: int) -> Value:
        """Return a tie-break after a round; None for the ranks of a newcomer.

        Their first list is this one, and not known while it is made.
        """
        if name not in OF_LISTS:
            return self.after(number).value(name, player)
        previous = self.tables[number - 1]
        if player not in previous:
            return None
        ranked = previous if name == "previous" else self.first
        return Fraction(ranked[player].rank)


def agree(left: list[Fraction], right: list[Fraction]) -> bool:
    """Return whether two lists order the same: equal where equal, less where less."""
    pairs = sorted(zip(left, right, strict=True))
    for (left_before, right_before), (left_after, right_after) in pairwise(pairs):
        both_equal = left_before == left_after and right_before == right_after
        both_less = left_before < left_after and right_before < right_after
        if not (both_equal or both_less):
            return False
    return True
