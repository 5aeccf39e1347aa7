"""An independent, slow oracle of the tie-breaks: plain Python, exact fractions.

Written from what the tie-breaks mean, not from the SQL, and sharing nothing with
the package. A `Table` gives every value after one round; `Lists` makes the lists
one after the other and gives the places that an order of tie-breaks leads to.
What belongs to the Keizer part (score and what is made of values) is handed in.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import floor

from tests.support.oracle import SIDES, lot

Exact = Fraction
Value = Fraction | None
ZERO, HALF, ONE = Exact(0), Exact(1, 2), Exact(1)

REAL = ("win", "draw", "loss", "adjourned")
"""Kinds of games over the board."""
NORMAL_SCORE = {"win": ONE, "forfeit win": ONE, "draw": HALF, "adjourned": HALF}
"""1, ½, 0 whatever the points are."""


# --- the facts ---------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """One board of one round; counts: games won by White, by Black, drawn."""

    round_number: int
    white: int
    black: int
    result: str | None
    counts: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Absence:
    """An unplayed round; credited is the kind that it counts as, None for nothing."""

    round_number: int
    player: int
    kind: str
    credited: str | None


@dataclass(frozen=True)
class Kind:
    """What a kind of round brings."""

    points: Fraction
    bye: bool = False
    season_cap: int | None = None


@dataclass(frozen=True)
class Player:
    number: int
    rating: int | None = None
    first_round: int = 1
    last_round: int | None = None


@dataclass(frozen=True)
class Rules:
    fide: str = "2026"
    forfeits: str = "unplayed"
    koya: int = 0
    percentage_floor: Fraction = Exact(33, 100)
    percentage_byes: bool = True
    seed: int = 1


@dataclass
class Tournament:
    players: list[Player]
    games: list[Game]
    absences: list[Absence]
    kinds: dict[str, Kind]
    rules: Rules = field(default_factory=Rules)
    resets: tuple[int, ...] = ()
    """First rounds of periods in which scores start anew."""

    def last_round(self) -> int:
        """A round is there once it has a game or a bye."""
        return max(
            [game.round_number for game in self.games]
            + [gone.round_number for gone in self.absences if gone.kind == "bye"],
            default=0,
        )

    def drawn_at_the_end(self, r: int) -> "Tournament":
        """As if every game of round r had been played and drawn; open ones stay open."""
        games = [
            replace(game, result="½-½", counts=None)
            if game.round_number == r and game.result is not None
            else game
            for game in self.games
        ]
        return replace(self, games=games)


@dataclass(frozen=True)
class Round:
    """A round of one player.

    what: open, otb, forfeit win, forfeit loss, bye or requested, as the rules
    have it: where forfeits are played they are otb. kind: what really happened.
    """

    number: int
    what: str
    kind: str | None = None
    points: Fraction = ZERO
    opponent: int | None = None
    black: bool = False
    counts: tuple[int, int, int] | None = None
    """Games of the match won, lost and drawn."""

    @property
    def vur(self) -> bool:
        """Voluntarily unplayed."""
        return self.what in ("requested", "forfeit loss")


@dataclass(frozen=True)
class Part:
    """What a round brings to a Buchholz: points made, the opponent's score or the dummy's."""

    points: Fraction
    score: Fraction
    vur: bool

    @property
    def product(self) -> Fraction:
        return self.points * self.score


def half_up(number: Fraction) -> int:
    return floor(number + HALF)


def mean(numbers: Iterable[Fraction | int]) -> Value:
    """Of none: nothing."""
    found = list(numbers)
    return Exact(sum(found)) / len(found) if found else None


def rounded(number: Value) -> Value:
    return None if number is None else Exact(half_up(number))


# --- FIDE's rating tables ----------------------------------------------------

# Hundredths scored and by how much that is above the opponents (B.02 8.1.1).
DIFFERENCE = dict(
    zip(
        range(50, 101),
        [
            *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117),
            *(125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240),
            *(251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444),
            *(470, 501, 538, 589, 677, 800),
        ],
        strict=True,
    )
)
# The last difference in rating for which 50, 51, ... hundredths are expected (8.1.2).
EXPECTED_UP_TO = [
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137),
    *(145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290),
    *(302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
]


def performance_difference(hundredths: int) -> int:
    if hundredths < 50:
        return -DIFFERENCE[100 - hundredths]
    return DIFFERENCE[hundredths]


def expected(difference: int) -> Fraction:
    """PD: what who is ahead by so much is expected to score in a game."""
    if difference < 0:
        return 1 - expected(-difference)
    return Exact(50 + sum(difference > last for last in EXPECTED_UP_TO), 100)


# --- a table -----------------------------------------------------------------


class Table:
    """Everything after round r."""

    def __init__(self, tournament: Tournament, r: int) -> None:
        """Look at each player's rounds, from the first that counts."""
        self.tournament, self.rules, self.r = tournament, tournament.rules, r
        self.win = tournament.kinds["win"].points
        self.draw = tournament.kinds["draw"].points
        self.loss = tournament.kinds["loss"].points
        self.counts_from = max([1, *(first for first in tournament.resets if first <= r)])
        self.n = r - self.counts_from + 1
        self.listed = [it.number for it in tournament.players if it.first_round <= r + 1]
        self.ratings = {it.number: it.rating for it in tournament.players}
        games = {
            (game.round_number, player): game
            for game in tournament.games
            for player in (game.white, game.black)
        }
        absences = {(gone.round_number, gone.player): gone for gone in tournament.absences}
        self.rounds = {
            player: [
                self.round(number, player, games, absences)
                for number in range(self.counts_from, r + 1)
            ]
            for player in self.listed
        }
        self.known: dict[tuple[str, int], Value] = {}
        self.fore: Table | None = None

    def round(
        self,
        number: int,
        player: int,
        games: dict[tuple[int, int], Game],
        absences: dict[tuple[int, int], Absence],
    ) -> Round:
        kinds = self.tournament.kinds
        game, gone = games.get((number, player)), absences.get((number, player))
        if game is not None:
            black = player == game.black
            opponent = game.white if black else game.black
            if game.result is None:
                return Round(number, "open", opponent=opponent, black=black)
            kind = SIDES[game.result][black]
            if kind in REAL or self.rules.forfeits == "played":
                what = "otb"
            else:
                what = "forfeit win" if kind == "forfeit win" else "forfeit loss"
            counts = game.counts
            if counts is not None and black:
                counts = (counts[1], counts[0], counts[2])
            return Round(number, what, kind, kinds[kind].points, opponent, black, counts)
        if gone is None:
            return Round(number, "requested")
        points = ZERO if gone.credited is None else kinds[gone.credited].points
        a_bye = kinds[gone.kind].bye or points >= self.win
        return Round(number, "bye" if a_bye else "requested", gone.kind, points)

    def value(self, name: str, player: int) -> Value:
        """Of a tie-break such as bh-c1."""
        if (name, player) not in self.known:
            self.known[name, player] = NAMES[name](self, player)
        return self.known[name, player]

    def values(self, name: str, players: Iterable[int]) -> list[Fraction]:
        """Of those who have one."""
        found = [self.value(name, player) for player in players]
        return [value for value in found if value is not None]

    # Terms

    def own(self, player: int) -> Fraction:
        return sum((it.points for it in self.rounds[player]), ZERO)

    def met(self, player: int) -> list[int]:
        """His opponents over the board, one for each meeting."""
        return [
            it.opponent
            for it in self.rounds[player]
            if it.what == "otb" and it.opponent is not None
        ]

    def adjusted(self, player: int) -> Fraction:
        """His score as somebody's opponent."""
        rounds, total = self.rounds[player], ZERO
        for index, it in enumerate(rounds):
            if it.what == "open":
                continue
            if self.rules.fide == "2022":
                total += it.points if it.what == "otb" else self.draw
            elif it.what == "requested" and all(later.vur for later in rounds[index + 1 :]):
                total += self.draw
            else:
                total += it.points
        return total

    def dummy(self, player: int, it: Round) -> Fraction:
        """Who takes the place of an opponent in an unplayed round."""
        own = self.own(player)
        if self.rules.fide == "2022":
            before = sum((x.points for x in self.rounds[player] if x.number < it.number), ZERO)
            return before + (self.win - it.points) + self.draw * (self.r - it.number)
        if self.rules.fide == "2023":
            return own
        if it.opponent is not None:
            return min(own, self.adjusted(it.opponent))
        return min(own, self.draw * self.n)

    def parts(self, player: int) -> list[Part]:
        found = []
        for it in self.rounds[player]:
            if it.what == "otb" and it.opponent is not None:
                found.append(Part(it.points, self.adjusted(it.opponent), vur=False))
            elif it.what != "open":
                found.append(Part(it.points, self.dummy(player, it), vur=it.vur))
        return found

    # Buchholz and its kin

    def buchholz(self, player: int, low: int, high: int) -> Fraction:
        parts = self.parts(player)
        for _ in range(low):
            if parts:
                of_vurs = [part for part in parts if part.vur and self.rules.fide != "2022"]
                parts.remove(min(of_vurs or parts, key=lambda part: part.score))
        for _ in range(high):
            if parts:
                parts.remove(max(parts, key=lambda part: part.score))
        return sum((part.score for part in parts), ZERO)

    def fore_buchholz(self, player: int, low: int, high: int) -> Fraction:
        if self.fore is None:
            self.fore = Table(self.tournament.drawn_at_the_end(self.r), self.r)
        return self.fore.buchholz(player, low, high)

    def sonneborn_berger(self, player: int, cuts: int) -> Fraction:
        parts = self.parts(player)
        for _ in range(cuts):
            if parts:
                cut = min(parts, key=lambda part: (part.score, part.product))
                of_vurs = [part for part in parts if part.vur and self.rules.fide != "2022"]
                if of_vurs:
                    vur = min(of_vurs, key=lambda part: (part.product, part.score))
                    if vur.product >= cut.product:
                        cut = vur
                parts.remove(cut)
        return sum((part.product for part in parts), ZERO)

    def koya(self, player: int) -> Fraction:
        limit = self.win * self.n / 2 + self.rules.koya * self.draw
        return sum(
            (
                it.points
                for it in self.rounds[player]
                if it.what != "open" and it.opponent is not None and self.own(it.opponent) >= limit
            ),
            ZERO,
        )

    def progressive(self, player: int, cuts: int) -> Fraction:
        after, scores = ZERO, []
        for it in self.rounds[player]:
            after += it.points
            scores.append(after)
        return sum(scores[cuts:], ZERO)

    # Counting rounds

    def wins(self, player: int) -> Fraction:
        return Exact(sum(it.points >= self.win for it in self.rounds[player] if it.what != "open"))

    def is_won(self, it: Round) -> bool:
        return it.kind == "win" or (self.rules.forfeits == "played" and it.kind == "forfeit win")

    def won(self, player: int) -> Fraction:
        return Exact(sum(self.is_won(it) for it in self.rounds[player]))

    def black_games(self, player: int) -> Fraction:
        def counts(it: Round) -> bool:
            if it.what != "otb" or not it.black:
                return False
            return self.rules.fide != "2026" or it.kind in (*REAL, "forfeit win")

        return Exact(sum(counts(it) for it in self.rounds[player]))

    def black_wins(self, player: int) -> Fraction:
        return Exact(sum(it.black and self.is_won(it) for it in self.rounds[player]))

    def elected(self, player: int) -> Fraction:
        lost = ("forfeit loss", "double forfeit") if self.rules.fide == "2026" else ()
        return Exact(self.n - sum(it.vur or it.kind in lost for it in self.rounds[player]))

    def standard(self, player: int) -> Fraction:
        total = ZERO
        for it in self.rounds[player]:
            if it.opponent is not None:
                total += NORMAL_SCORE.get(it.kind or "", ZERO)
            elif it.points >= self.win:
                total += 1
            elif it.points >= self.draw > 0:
                total += HALF
        return total

    def played(self, player: int) -> Fraction:
        return Exact(sum(it.kind in REAL for it in self.rounds[player]))

    # Ratings

    def rating(self, player: int) -> Value:
        rating = self.ratings[player]
        return None if rating is None else Exact(rating)

    def for_rating(self, player: int) -> list[tuple[int, int, Fraction]]:
        """Opponent, his rating and the score, 1, ½ or 0, of every game that counts."""
        found = []
        for it in self.rounds[player]:
            if it.what == "otb" and it.opponent is not None and it.kind is not None:
                rating = self.ratings[it.opponent]
                real = it.kind in REAL
                if rating is not None and (real or self.rules.fide != "2026"):
                    found.append((it.opponent, rating, NORMAL_SCORE.get(it.kind, ZERO)))
        return found

    def average_rating(self, player: int, low: int, high: int) -> Value:
        ratings = sorted(rating for _, rating, _ in self.for_rating(player))[low:]
        return rounded(mean(ratings[: max(0, len(ratings) - high)]))

    def performance(self, player: int) -> Value:
        games, average = self.for_rating(player), self.average_rating(player, 0, 0)
        if average is None:
            return None
        score = sum((score for _, _, score in games), ZERO)
        return average + performance_difference(half_up(100 * score / len(games)))

    def perfect_performance(self, player: int) -> Value:
        games = self.for_rating(player)
        if not games:
            return None
        ratings = [rating for _, rating, _ in games]
        score = sum((score for _, _, score in games), ZERO)
        lowest = min(ratings) - 800
        if score == 0:
            return Exact(lowest)
        candidates = range(lowest, max(ratings) + 801)
        reached = bisect_left(
            candidates,
            score,
            key=lambda mine: sum((expected(mine - rating) for rating in ratings), ZERO),
        )
        return Exact(candidates[reached])

    def opponents_performance(self, player: int, name: str) -> Value:
        """Who was met in a game that counts for ratings, rated himself or not."""
        met = [
            it.opponent
            for it in self.rounds[player]
            if it.what == "otb"
            and it.opponent is not None
            and (it.kind in REAL or self.rules.fide != "2026")
        ]
        return rounded(mean(self.values(name, met)))

    # Magic

    def matches(self, player: int) -> list[Round]:
        return [it for it in self.rounds[player] if it.opponent is not None and it.what != "open"]

    def byes(self, player: int) -> list[Round]:
        if not self.rules.percentage_byes:
            return []
        kinds = self.tournament.kinds
        return [
            it
            for it in self.rounds[player]
            if it.opponent is None and it.kind is not None and kinds[it.kind].bye
        ]

    def match_wins(self, player: int) -> Fraction:
        matches, byes = self.matches(player), self.byes(player)
        if not matches + byes:
            return self.rules.percentage_floor
        points = sum((it.points for it in matches + byes), ZERO)
        share = points / (self.win * len(matches + byes))
        return max(share, self.rules.percentage_floor)

    def game_wins(self, player: int) -> Fraction:
        points, games = ZERO, 0
        for it in self.matches(player):
            if it.counts is not None and it.kind in REAL:
                won, lost, drawn = it.counts
            else:
                score = NORMAL_SCORE.get(it.kind or "", ZERO)
                won, lost, drawn = int(score == 1), int(score == 0), int(score == HALF)
            points += self.win * won + self.loss * lost + self.draw * drawn
            games += won + lost + drawn
        for _ in self.byes(player):
            points += 2 * self.win
            games += 2
        if not games:
            return self.rules.percentage_floor
        return max(points / (self.win * games), self.rules.percentage_floor)

    def of_opponents(self, player: int, name: str) -> Value:
        """The mean over the opponents of his matches."""
        opponents = [it.opponent for it in self.matches(player) if it.opponent is not None]
        return mean(self.values(name, opponents))

    # Among those still tied

    def between(self, player: int, other: int) -> list[Fraction]:
        """His points from the games with another over the board."""
        return [
            it.points for it in self.rounds[player] if it.what == "otb" and it.opponent == other
        ]

    def direct_encounter(self, tied: list[int]) -> list[list[int]]:
        """Those who are tied, the first first, in the groups that stay tied."""
        met = {
            player: [
                average
                for other in tied
                if other != player and (average := mean(self.between(player, other))) is not None
            ]
            for player in tied
        }
        sums = {player: sum(met[player], ZERO) for player in tied}
        lacking = {player: len(tied) - 1 - len(met[player]) for player in tied}
        order = sorted(tied, key=lambda player: -sums[player])
        groups: list[list[int]] = []
        if not any(lacking.values()) or self.rules.forfeits == "played":
            for player in order:
                if groups and sums[groups[-1][0]] == sums[player]:
                    groups[-1].append(player)
                else:
                    groups.append([player])
        else:
            while order:
                first, rest = order[0], order[1:]
                if any(sums[it] + self.win * lacking[it] >= sums[first] for it in rest):
                    groups.append(order)
                    break
                groups.append([first])
                order = rest
        if len(groups) == 1:
            return groups
        return [part for group in groups for part in self.direct_encounter(group)]

    def mutual(self, player: int, tied: list[int]) -> Fraction:
        """Points from the games among those tied, forfeits as well."""
        return sum((it.points for it in self.rounds[player] if it.opponent in tied), ZERO)


Family = Callable[[Table, int], Value]


def _names() -> dict[str, Family]:
    """Each name, with what it is for one player."""
    names: dict[str, Family] = {
        "points": Table.own,
        "wins": Table.wins,
        "won": Table.won,
        "bpg": Table.black_games,
        "bwg": Table.black_wins,
        "rep": Table.elected,
        "std": Table.standard,
        "ks": Table.koya,
        "played": Table.played,
        "tpr": Table.performance,
        "ptp": Table.perfect_performance,
        "apro": lambda table, player: table.opponents_performance(player, "tpr"),
        "appo": lambda table, player: table.opponents_performance(player, "ptp"),
        "aob": lambda table, player: mean(table.values("bh", table.met(player))),
        "aob-f": lambda table, player: mean(table.values("fb", table.met(player))),
        "mw": Table.match_wins,
        "gw": Table.game_wins,
        "omw": lambda table, player: table.of_opponents(player, "mw"),
        "ogw": lambda table, player: table.of_opponents(player, "gw"),
        "oomw": lambda table, player: table.of_opponents(player, "omw"),
        "oogw": lambda table, player: table.of_opponents(player, "ogw"),
        "lot": lambda table, player: Exact(lot(player, table.rules.seed)),
    }

    def family(name: str, of: Callable[[Table, int, int, int], Value], *, medians: bool) -> None:
        def cut(low: int, high: int) -> Family:
            return lambda table, player: of(table, player, low, high)

        cuts = {"": (0, 0), "-c1": (1, 0), "-c2": (2, 0)}
        if medians:
            cuts |= {"-m1": (1, 1), "-m2": (2, 2)}
        for suffix, (low, high) in cuts.items():
            names[name + suffix] = cut(low, high)

    family("bh", Table.buchholz, medians=True)
    family("fb", Table.fore_buchholz, medians=True)
    family("aro", Table.average_rating, medians=True)
    family("sb", lambda table, it, low, _: table.sonneborn_berger(it, low), medians=False)
    family("ps", lambda table, it, low, _: table.progressive(it, low), medians=False)
    names["rating"] = Table.rating
    return names


NAMES = _names()
OF_LISTS = ("previous", "start")
"""Ranks in the list before and in the first list."""
AMONG_TIED = ("de", "mutual")
GIVEN = ("score", "value-sb", "opponents")
"""The Keizer part."""
LOWER_FIRST = {*OF_LISTS, "lot"}


# --- lists -------------------------------------------------------------------

Figures = dict[str, dict[int, Value]]


def parse(order: str) -> list[tuple[str, bool]]:
    """Names and whether the higher is first, 'score' in front where it has to be."""
    found = []
    for each in order.split(","):
        name, direction = re.fullmatch(r"([a-z0-9-]+)(?::(asc|desc))?", each.strip()).groups()  # type: ignore[union-attr]
        higher_first = direction == "desc" if direction else name not in LOWER_FIRST
        found.append((name, higher_first))
    if not any(name in ("score", "points") for name, _ in found):
        found.insert(0, ("score", True))
    return found


class Lists:
    """The lists of a tournament, each made after the one before."""

    def __init__(
        self, tournament: Tournament, order: str, given: dict[int, Figures] | None = None
    ) -> None:
        """Make them all; given: by table, the figures of the Keizer part."""
        self.tournament, self.order, self.given = tournament, parse(order), given or {}
        self.places: dict[int, dict[int, int]] = {}
        by_rating = sorted(
            tournament.players, key=lambda it: (it.rating is None, -(it.rating or 0), it.number)
        )
        self.start_order = [player.number for player in by_rating]
        first = [player.number for player in by_rating if player.first_round == 1]
        self.ranks = {0: {player: rank for rank, player in enumerate(first, 1)}}
        self.first_rank = dict(self.ranks[0])
        self.tables = {r: Table(tournament, r) for r in range(1, tournament.last_round() + 1)}
        for r, table in self.tables.items():
            self.add(r, table)

    def add(self, r: int, table: Table) -> None:
        """The list after round r."""
        before = self.ranks[r - 1]
        groups = [
            [player for player in table.listed if player in before],
            [player for player in table.listed if player not in before],
        ]
        for name, higher_first in self.order:
            groups = [
                part
                for group in groups
                for part in self.split(table, group, name, higher_first=higher_first)
            ]
        self.places[r], self.ranks[r] = {}, {}
        ahead = 0
        for group in groups:
            group.sort(key=lambda it: (before.get(it, 0), self.start_order.index(it)))
            for rank, player in enumerate(group, ahead + 1):
                self.places[r][player] = ahead + 1
                self.ranks[r][player] = rank
            ahead += len(group)
        for player, rank in self.ranks[r].items():
            self.first_rank.setdefault(player, rank)

    def value(self, r: int, name: str, player: int) -> Value:
        """Ranks of a newcomer, whose first list this is, are not known while it is made."""
        rank: int | None
        if name in GIVEN:
            return self.given[r][name][player]
        if name not in OF_LISTS:
            return self.tables[r].value(name, player)
        if name == "previous" or player not in self.ranks[r - 1]:
            rank = self.ranks[r - 1].get(player)
        else:
            rank = self.first_rank[player]
        return None if rank is None else Exact(rank)

    def split(
        self, table: Table, tied: list[int], name: str, *, higher_first: bool
    ) -> list[list[int]]:
        """Those who are tied, by one more tie-break; who has no value comes last."""
        if name == "de":
            return table.direct_encounter(tied)
        if name == "mutual":
            values: dict[int, Value] = {it: table.mutual(it, tied) for it in tied}
        else:
            values = {player: self.value(table.r, name, player) for player in tied}
        present = {value for value in values.values() if value is not None}
        groups = [
            [player for player in tied if values[player] == value]
            for value in sorted(present, reverse=higher_first)
        ]
        groups.append([player for player in tied if values[player] is None])
        return [group for group in groups if group]


def agree(left: list[Fraction], right: list[Fraction]) -> bool:
    """Whether two lists of numbers order the same: equal where equal, less where less."""
    pairs = sorted(zip(left, right, strict=True))
    return all((a < b and x < y) or (a == b and x == y) for (a, x), (b, y) in pairwise(pairs))
