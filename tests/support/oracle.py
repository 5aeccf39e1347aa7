"""An independent, slow oracle: the Keizer rules in plain Python, exact fractions.

Written from the rules (docs/rules.md), not from the SQL, and sharing
nothing with the package. It knows nothing of indexes or triggers; it recomputes
a whole season from its facts. What the file stores is a whole number of units,
so what can fall between two units is rounded to one here too: the values of the
ladders range and score, the amount of a line, the mean of standings that repeat.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, inf
from typing import NamedTuple

ZERO = Fraction(0)

# What White and Black made of a game, by result.
SIDES = {
    "1-0": ("win", "loss"),
    "0-1": ("loss", "win"),
    "½-½": ("draw", "draw"),
    "0-0": ("loss", "loss"),
    "+-": ("forfeit win", "forfeit loss"),
    "-+": ("forfeit loss", "forfeit win"),
    "--": ("double forfeit", "double forfeit"),
    "adj": ("adjourned", "adjourned"),
}
OVER_THE_BOARD = {"1-0", "0-1", "½-½", "0-0", "adj"}
REAL = ("win", "draw", "loss", "adjourned")
"""Kinds of games over the board."""

UNITS = 6_000_000


SMALLEST = Fraction(1, UNITS)


def half_up(number: Fraction) -> Fraction:
    """The nearest whole number of units, the higher of two."""
    return rounded(number, SMALLEST, "up")


def rounded(number: Fraction, unit: Fraction, halves: str) -> Fraction:
    """The nearest multiple of a unit; of two as near the higher, or the even one."""
    below: int = floor(number / unit)
    above_it = number - below * unit
    up = above_it > unit / 2 or (above_it == unit / 2 and (halves == "up" or below % 2 == 1))
    return (below + up) * unit


@dataclass
class Scoring:
    """What a kind brings: factor on a value, a fixed amount, classical points."""

    factor: Fraction = ZERO
    fixed: Fraction = ZERO
    points: Fraction = ZERO
    applies_to: str = "unplayed"
    counts_as_game: bool = False
    counts_as_bye: bool = False
    withdrawn_factor: Fraction = ZERO
    """On the own value, in place of `factor`: the opponent is out."""
    season_cap: int | None = None
    period_cap: int | None = None
    first_rounds: int | None = None
    last_rounds: int | None = None
    counts_with: str | None = None
    after_game: bool = False
    halving: int | str = 0
    """0, 1, or `down`."""
    instead: str | None = None


def usual_scoring() -> dict[str, Scoring]:
    """The factors a tournament starts with."""
    one, half, third = Fraction(1), Fraction(1, 2), Fraction(1, 3)

    def game(factor: Fraction, *, played: bool = True) -> Scoring:
        return Scoring(factor, points=factor, applies_to="game", counts_as_game=played)

    return {
        "own value": Scoring(one, applies_to="entry"),
        "win": game(one),
        "draw": game(half),
        "loss": game(ZERO),
        "forfeit win": game(one, played=False),
        "forfeit loss": game(ZERO, played=False),
        "double forfeit": game(ZERO, played=False),
        "bye": Scoring(2 * third, counts_as_bye=True),
        "excused": Scoring(third),
        "unexcused": Scoring(),
        "club duty": Scoring(2 * third),
        "late start": Scoring(applies_to="entry"),
        "aalsmeer": Scoring(one, applies_to="entry"),
        "adjourned": game(half),
    }


@dataclass
class Entry:
    """A player in a tournament."""

    player: int
    rating: int | None = None
    start_rank: int | None = None
    first_round: int = 1
    last_round: int | None = None
    """Once withdrawn; only Rules.withdrawn = 'out' makes it change a table."""


@dataclass
class Game:
    """One board of one round; result None while it is open."""

    round_number: int
    white: int
    black: int
    result: str | None
    counts: tuple[int, int, int] | None = None
    """Of a match of several games: won by White, won by Black, drawn."""


@dataclass
class Correction:
    """Points of the director, from a round on, perhaps until another."""

    player: int
    round_number: int
    points: Fraction
    last_round: int | None = None


@dataclass
class Period:
    """A part of the season, until the next one begins."""

    first_round: int
    scores: str = "carry"
    start: str = "ranking"


@dataclass
class Rules:
    """The settings of a tournament, under the names of their columns."""

    ladder: str = "top"
    top_value: str | Fraction = "1.5(n-1)"
    bottom_value: str | Fraction = Fraction(1)
    step: Fraction = Fraction(1)
    places_per_step: int = 1
    floor_value: Fraction = Fraction(1)
    value_rounding: Fraction | None = None
    withdrawn: str = "listed"
    start_order: str = "rating"
    seed: int = 1
    newcomers: str = "last"
    recalculation: str = "classic"
    settled_from: str = "before"
    cycle_takes: str = "values"
    longest_cycle: int | None = None
    max_passes: int = 10000
    own_value_at: str = "current"
    bonus: int = 0
    bonus_rounds: int = 0
    line_rounding: Fraction | None = None
    score_rounding: Fraction | None = None
    halves: str = "up"
    min_score: Fraction | None = None
    max_score: Fraction | None = None
    tiebreaks: str = "score,previous"
    last_resort: str = "order"
    """Only view standings goes by it, no table."""
    rounds: int | None = None

    def to_unit(self, number: Fraction, unit: Fraction | None) -> Fraction:
        """Rounded as the rules say; None: not at all."""
        return number if unit is None else rounded(number, unit, self.halves)


@dataclass
class Season:
    """The facts of one tournament."""

    entries: list[Entry] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    unplayed: dict[tuple[int, int], str] = field(default_factory=dict)
    """(round, player) -> kind."""
    scoring: dict[str, Scoring] = field(default_factory=usual_scoring)
    rules: Rules = field(default_factory=Rules)
    exceptions: dict[tuple[int, str], str] = field(default_factory=dict)
    """(player, kind) -> the kind it counts as for them."""
    corrections: list[Correction] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)

    def byes(self) -> set[int]:
        """The rounds with a bye."""
        return {number for (number, _), kind in self.unplayed.items() if kind == "bye"}

    def last_round(self) -> int:
        """The last round with a game or a bye."""
        return max({game.round_number for game in self.games} | self.byes(), default=0)

    def current_round(self) -> int:
        """The last round with a result, or with byes and no game."""
        played = {game.round_number for game in self.games if game.result}
        drawn = {game.round_number for game in self.games}
        return max(played | (self.byes() - drawn), default=0)

    def counts_from(self, number: int) -> int:
        """The first round that counts in the table after a round."""
        resets = [period.first_round for period in self.periods if period.scores == "reset"]
        return max((first for first in resets if first <= number), default=1)

    def period_of(self, number: int) -> int:
        """The first round of the period a round is in; 0 before all periods."""
        firsts = (period.first_round for period in self.periods)
        return max((first for first in firsts if first <= number), default=0)

    def is_out(self, entry: Entry) -> bool:
        return self.rules.withdrawn == "out" and entry.last_round is not None


@dataclass
class Row:
    """A player's row of a table."""

    rank: int
    value: Fraction
    score: Fraction
    points: Fraction
    played: int
    value_before: Fraction | None = None
    """In force in this table; None in the first list of a player."""
    by: Fraction = ZERO
    """The score that the rank is by: without the own value, where that is of the new place."""


Table = dict[int, Row]
Values = dict[int, Fraction]


class Settling(NamedTuple):
    """How a table was found: cycle 1 is a fixed point, 0 is given up."""

    passes: int
    cycle: int
    another: int | None = None
    """Whether a look from elsewhere found other standings that agree with their values."""


# --- values ------------------------------------------------------------------


def top_value(rule: str | Fraction, count: int) -> Fraction:
    """A number, `ratio Q`, `[K]n[+M]` or `[K](n-1)[+M]`."""
    if isinstance(rule, Fraction):
        return rule
    if rule.startswith("ratio "):
        ratio = Fraction(rule.removeprefix("ratio "))
        return Fraction(round((count - 1) * ratio / (ratio - 1)))  # a half: to the even one
    parts = re.fullmatch(r"([\d.]*)(n|\(n-1\))(?:\+([\d.]+))?", rule)
    assert parts, rule
    size = count if parts[2] == "n" else count - 1
    return Fraction(floor(Fraction(parts[1] or 1) * size + Fraction(parts[3] or 0)))


def ladder(rules: Rules, order: list[int], scores: Values) -> Values:
    """The values of a list; `scores` are of those who were in the list before."""
    count = len(order)
    top, bottom = top_value(rules.top_value, count), rules.bottom_value
    bottom = bottom if isinstance(bottom, Fraction) else Fraction(count // 2)
    low, high = min(scores.values(), default=ZERO), max(scores.values(), default=ZERO)

    def value(place: int, player: int) -> Fraction:
        if rules.ladder == "top":
            return top - rules.step * ((place - 1) // rules.places_per_step)
        if rules.ladder == "bottom":
            return bottom + rules.step * ((count - place) // rules.places_per_step)
        if rules.ladder == "score" and low < high:
            above = scores.get(player, low) - low
            return half_up(bottom + (top - bottom) * above / (high - low))
        if count == 1:
            return top
        return half_up(top - (top - bottom) * (place - 1) / (count - 1))

    return {
        player: rules.to_unit(max(rules.floor_value, value(place, player)), rules.value_rounding)
        for place, player in enumerate(order, 1)
    }


# --- orders ------------------------------------------------------------------


def lot(player: int, seed: int) -> int:
    return ((player * 48271 + seed * 16807) % 65521 * 40014 + seed) % 65519


def by_rating(entry: Entry) -> float:
    return inf if entry.rating is None else -entry.rating


def start_key(season: Season, entry: Entry) -> tuple[float, ...]:
    """The start order: the set places, then as the rules say."""
    chosen = {
        "rating": by_rating(entry),
        "entry": season.entries.index(entry),
        "lot": lot(entry.player, season.rules.seed),
    }[season.rules.start_order]
    return (inf if entry.start_rank is None else entry.start_rank, chosen, entry.player)


# --- what a round brought ----------------------------------------------------


class Credit(NamedTuple):
    """What one round brought a player: an amount on somebody's value."""

    round_number: int
    kind: str
    factor: Fraction
    holder: int
    """Whose value it is on: the opponent's or the player's own."""
    fixed: Fraction
    points: Fraction
    played: bool
    opponent: int | None
    halvings: int


def credit(
    season: Season,
    number: int,
    kind: str,
    holder: int,
    opponent: int | None = None,
    halvings: int = 0,
) -> Credit:
    """Of a game with an opponent who is out, the holder is the player."""
    brings = season.scoring[kind]
    factor = brings.factor if opponent in (None, holder) else brings.withdrawn_factor
    what = (factor, holder, brings.fixed, brings.points, brings.counts_as_game)
    return Credit(number, kind, *what, opponent, halvings)


def is_credited(
    season: Season, number: int, kind: str, before: list[tuple[int, str]], first_game: float
) -> bool:
    """Whether an unplayed round counts; `before`: the player's until here, this one too."""
    scoring, planned = season.scoring[kind], season.rules.rounds

    def group(kind: str) -> str:
        return season.scoring[kind].counts_with or kind

    same = [when for when, other in before if group(other) == group(kind)]
    here = [when for when in same if season.period_of(when) == season.period_of(number)]
    last = inf if planned is None or scoring.last_rounds is None else planned - scoring.last_rounds
    return (
        (scoring.season_cap is None or len(same) <= scoring.season_cap)
        and (scoring.period_cap is None or len(here) <= scoring.period_cap)
        and (scoring.first_rounds is None or number <= scoring.first_rounds)
        and number <= last
        and (not scoring.after_game or first_game < number)
    )


def unplayed_credits(season: Season, player: int, games: list[Credit]) -> list[Credit]:
    """One player's rounds without a game, counted in the order of the rounds."""
    found: list[Credit] = []
    rows = [
        (when, season.exceptions.get((player, kind), kind))
        for (when, other), kind in sorted(season.unplayed.items())
        if other == player
    ]
    first_game = min((game.round_number for game in games if game.played), default=inf)
    as_itself: Counter[str] = Counter()
    """Credited so far, by the kind that they are counted with."""
    for index, (when, kind) in enumerate(rows, 1):
        scoring = season.scoring[kind]
        if is_credited(season, when, kind, rows[:index], first_game):
            together = scoring.counts_with or kind
            halvings = as_itself[together] if scoring.halving else 0
            found.append(credit(season, when, kind, player, halvings=halvings))
            as_itself[together] += 1
        elif scoring.instead is not None:
            found.append(credit(season, when, scoring.instead, player))
    return found


def all_credits(season: Season) -> dict[int, list[Credit]]:
    """Of everybody who is not out: the games that have a result, and the unplayed rounds."""
    found: dict[int, list[Credit]] = {
        entry.player: [] for entry in season.entries if not season.is_out(entry)
    }
    for game in season.games:
        for me, other, black in ((game.white, game.black, 0), (game.black, game.white, 1)):
            if game.result is not None and me in found:
                kind, holder = SIDES[game.result][black], other if other in found else me
                found[me].append(credit(season, game.round_number, kind, holder, other))
    for player, games in found.items():
        found[player] = games + unplayed_credits(season, player, games)
    return found


def amount(
    season: Season, scoring: Scoring | Credit, value: Fraction, times: int = 1, halvings: int = 0
) -> Fraction:
    """The points of a line."""
    rules = season.rules

    def to_line(number: Fraction) -> Fraction:
        unit = rules.line_rounding
        return half_up(number) if unit is None else rounded(number, unit, rules.halves)

    whole: Fraction = (scoring.factor * value + scoring.fixed) * times
    if halvings and isinstance(scoring, Credit) and season.scoring[scoring.kind].halving == "down":
        unit = rules.line_rounding or SMALLEST
        units: int = floor(to_line(whole) / 2**halvings / unit)
        return units * unit
    return to_line(whole / 2**halvings)


# --- the tables --------------------------------------------------------------


class Chain:
    """A season, table by table: each needs those before it."""

    def __init__(self, season: Season) -> None:
        """Make the start order and all tables."""
        self.season, self.rules = season, season.rules
        self.credits = all_credits(season)
        self.start_keys = {entry.player: start_key(season, entry) for entry in season.entries}
        self.tables: list[Table] = []
        self.settling: dict[int, Settling] = {}
        self.first: dict[int, Row] = {}
        """A player's row in their first list."""
        self.in_force: list[Values] = []
        """By round, the values that table was made with."""
        for number in range(season.last_round() + 1):
            self.add(number)

    def add(self, number: int) -> None:
        """The table after a round, which all before it are there for."""
        ranks, values = self.list_in_force(number)
        mode = self.rules.recalculation
        latest = mode == "latest" and number >= self.season.current_round()
        if number and (mode in ("settled", "complete") or latest):
            table, values, self.settling[number] = self.settled(number, ranks, values)
        else:
            table = self.table(number, ranks, values)
        self.first = table | self.first
        self.tables.append(table)
        self.in_force.append(values)

    def listed(self, number: int) -> list[Entry]:
        """Who has a place in a list."""
        return [
            entry
            for entry in self.season.entries
            if entry.first_round <= number + 1 and not self.season.is_out(entry)
        ]

    def list_in_force(self, number: int) -> tuple[dict[int, int], Values]:
        """Ranks and values before a round."""
        if number == 0:
            return {}, {}
        before, entries = self.tables[-1], self.listed(number - 1)
        ranks = {entry.player: before[entry.player].rank for entry in entries}
        values = {player: before[player].value for player in ranks}
        if number > 1 and Period(number, "reset", "rating") in self.season.periods:
            worth = {rank: values[player] for player, rank in ranks.items()}
            entries.sort(key=lambda entry: (by_rating(entry), entry.player))
            ranks = {entry.player: place for place, entry in enumerate(entries, 1)}
            if self.rules.recalculation != "fixed":
                values = {player: worth[place] for player, place in ranks.items()}
        return ranks, values

    def from_start(self, ranks: dict[int, int], values: Values) -> Values:
        """The values of the places before, handed out in the start order."""
        worth = {rank: values[player] for player, rank in ranks.items()}
        order = sorted(ranks, key=lambda player: self.start_keys[player])
        place = {player: number for number, player in enumerate(order, 1)}
        return {player: worth[place[player]] for player in ranks}

    def settled(
        self, number: int, ranks: dict[int, int], before: Values
    ) -> tuple[Table, Values, Settling]:
        """The table that stands, the values it was made with, and how it was found."""
        rules, start = self.rules, self.from_start(ranks, before)
        first, other = (before, start) if rules.settled_from == "before" else (start, before)
        # The values of pass 1, 2, ..., and the tables made with them.
        passed: list[Values] = []
        tables: list[Table] = []
        pass_of: dict[tuple[Fraction, ...], int] = {}
        new = first
        while len(passed) < rules.max_passes:
            passed.append(new)
            pass_of[tuple(new.values())] = len(passed)
            tables.append(self.table(number, ranks, new))
            new = {player: tables[-1][player].value for player in new}
            again = pass_of.get(tuple(new.values()))
            if again is not None:
                cycle = len(passed) + 1 - again
                if rules.longest_cycle is None or cycle <= max(1, rules.longest_cycle):
                    break
                # The passes go round until the last, which is one of those made.
                entered = len(passed) - cycle
                last = entered + (rules.max_passes - 1 - entered) % cycle
                return tables[last], passed[last], Settling(rules.max_passes, 0)
        else:
            return tables[-1], passed[-1], Settling(rules.max_passes, 0)
        found = Settling(len(passed), cycle)
        if cycle == 1:
            if number == self.season.last_round():
                found = found._replace(another=self.another(number, ranks, new, tables[-1], other))
            return tables[-1], new, found
        if rules.cycle_takes == "last":
            return tables[-1], passed[-1], found

        def mean(figures: list[Fraction], unit: Fraction, halves: str) -> Fraction:
            return rounded(sum(figures, ZERO) / cycle, unit, halves)

        if rules.cycle_takes == "values":
            means = {
                player: mean([values[player] for values in passed[-cycle:]], SMALLEST, "up")
                for player in new
            }
            return self.table(number, ranks, means), means, found
        unit = rules.score_rounding or rules.line_rounding or SMALLEST
        scores = {
            player: mean([table[player].by for table in tables[-cycle:]], unit, rules.halves)
            for player in new
        }
        return self.table(number, ranks, passed[-1], scores), passed[-1], found

    def another(
        self, number: int, ranks: dict[int, int], found: Values, table: Table, other: Values
    ) -> int:
        """1 when the values of another order, or this one turned round, lead elsewhere."""
        order = sorted(found, key=lambda player: table[player].rank)
        turned = {
            player: found[opposite] for player, opposite in zip(order, reversed(order), strict=True)
        }
        ends = (self.end(number, ranks, values) for values in (other, turned))
        return int(any(end not in (None, found) for end in ends))

    def end(
        self, number: int, ranks: dict[int, int], values: Values, most: int = 50
    ) -> Values | None:
        """The values to which these converge in some passes; None: to none."""
        for _ in range(most):
            table = self.table(number, ranks, values)
            new = {player: table[player].value for player in values}
            if new == values:
                return values
            values = new
        return None

    def table(
        self,
        number: int,
        ranks: dict[int, int],
        values: Values,
        scores: Values | None = None,
    ) -> Table:
        """The table after a round, at these values in force; scores: in place of its own."""
        entries = self.listed(number)
        rows = {
            entry.player: self.row(number, entry, values)
            if entry.player in ranks
            else Row(0, ZERO, ZERO, ZERO, 0)
            for entry in entries
        }
        for player, score in (scores or {}).items():
            rows[player].score = score
        order = Ordering(self, number, rows, ranks).players()
        new = ladder(self.rules, order, {player: rows[player].score for player in ranks})
        fixed = self.first if self.rules.recalculation == "fixed" else {}
        for place, player in enumerate(order, 1):
            row = rows[player]
            row.rank, row.by = place, row.score
            row.value = fixed[player].value if player in fixed else new[player]
            if self.rules.own_value_at == "new" and player in ranks:
                row.score += amount(self.season, self.season.scoring["own value"], row.value)
        return rows

    def counted(self, number: int, player: int) -> list[Credit]:
        first = self.season.counts_from(number)
        return [credit for credit in self.credits[player] if first <= credit.round_number <= number]

    def row(self, number: int, entry: Entry, values: Values) -> Row:
        """One player's total after a round."""
        season, rules, me = self.season, self.rules, entry.player
        own, first = values[me], season.counts_from(number)
        counted = self.counted(number, me)
        lines = [
            amount(season, season.scoring["aalsmeer"], own, self.helpings(number - first + 1)),
            amount(season, season.scoring["late start"], own, max(0, entry.first_round - first)),
        ]
        if rules.own_value_at != "new":  # which is added once there are places
            start = own if rules.own_value_at == "current" else self.first[me].value
            lines.append(amount(season, season.scoring["own value"], start))
        for credit in counted:
            value = self.values_for(credit.round_number, number, values)[credit.holder]
            lines.append(amount(season, credit, value, halvings=credit.halvings))
        for correction in season.corrections:
            last = number if correction.last_round is None else correction.last_round
            in_time = correction.round_number <= number <= last
            if correction.player == me and in_time and max(correction.round_number, 1) >= first:
                lines.append(correction.points)
        score = sum(lines, ZERO)
        if rules.min_score is not None:
            score = max(score, rules.min_score)
        if rules.max_score is not None:
            score = min(score, rules.max_score)
        score = rules.to_unit(score, rules.score_rounding)
        points = sum((credit.points for credit in counted), ZERO)
        return Row(0, ZERO, score, points, sum(credit.played for credit in counted), own)

    def helpings(self, number: int) -> int:
        """Of the bonus, in the round of this number since the scores began."""
        rules = self.rules
        if number <= rules.bonus_rounds:
            return rules.bonus
        return max(0, rules.bonus - (number - rules.bonus_rounds))

    def values_for(self, played: int, number: int, now: Values) -> Values:
        """The values an earlier round is taken at in a table."""
        mode = self.rules.recalculation
        in_list = {"frozen": played, "lagged": max(played, number - 1)}.get(mode, number)
        return now if in_list == number else self.in_force[in_list]


@dataclass
class Ordering:
    """Who comes first in the table after a round, by its rows and the ranks before it."""

    chain: Chain
    number: int
    rows: Table
    ranks: dict[int, int]

    def players(self) -> list[int]:
        """First to last."""
        chain, ranks = self.chain, self.ranks
        entries = chain.listed(self.number)
        entries.sort(key=lambda entry: chain.start_keys[entry.player])
        if self.number == 0:
            return [entry.player for entry in entries]
        entries.sort(key=lambda entry: ranks.get(entry.player, inf))
        tied = [[entry for entry in entries if entry.player in ranks]]
        for name in chain.rules.tiebreaks.split(","):
            tied = [part for group in tied for part in self.parted(name, group)]
        old = [entry for group in tied for entry in group]
        new = [entry for entry in entries if entry.player not in ranks]
        return [entry.player for entry in self.with_newcomers(old, new)]

    def with_newcomers(self, listed: list[Entry], new: list[Entry]) -> list[Entry]:
        """The listed in their order, and the new ones, who are in the start order, among them."""
        seats = [entry for entry in new if entry.start_rank is not None]
        rated = [entry for entry in new if entry not in seats and entry.rating is not None]
        if self.chain.rules.newcomers == "last":
            rated = []
        order: list[Entry] = []
        places = {entry.player: self.behind(entry, listed) for entry in rated}
        for place in range(len(listed) + 1):
            order += listed[place - 1 : place] if place else []
            order += [entry for entry in rated if places[entry.player] == place]
        order += [entry for entry in new if entry not in seats and entry not in rated]
        last = 0
        for entry in sorted(seats, key=lambda entry: entry.start_rank or 0):
            last = min(max(entry.start_rank or 0, last + 1), len(order) + 1)
            order.insert(last - 1, entry)
        return order

    def behind(self, entry: Entry, listed: list[Entry]) -> int:
        """The place of the last of those listed who are rated as high, or higher; else 0."""
        mine = by_rating(entry)
        return max(
            (at for at, rival in enumerate(listed, 1) if by_rating(rival) <= mine), default=0
        )

    def parted(self, name: str, group: list[Entry]) -> list[list[Entry]]:
        """Those who are still tied, parted by one tie-break, the best first."""
        among = {entry.player for entry in group}
        keys = {entry.player: self.tie(name, entry, among) for entry in group}
        return [
            [entry for entry in group if keys[entry.player] == key]
            for key in sorted(set(keys.values()))
        ]

    def tie(self, name: str, entry: Entry, among: set[int]) -> float | Fraction:
        """What decides among those who are tied; the lowest comes first."""
        chain, rows, me = self.chain, self.rows, entry.player
        counted = chain.counted(self.number, me)
        games = [(game.opponent, game) for game in counted if game.opponent is not None]
        met = [(rows[other], game) for other, game in games if other in rows]
        if name == "wins":
            win = chain.season.scoring["win"].points
            return -sum(credit.points >= win > 0 for credit in counted)
        if name == "mutual":
            return -sum((game.points for other, game in games if other in among), ZERO)
        if name == "value-sb":
            return -sum((game.points * (other.value_before or 0) for other, game in met), ZERO)
        if name == "opponents":
            return -sum((other.score for other, game in met if game.kind in REAL), ZERO)
        simple: dict[str, float | Fraction] = {
            "score": -rows[me].score,
            "previous": self.ranks[me],
            "rating": by_rating(entry),
            "start": chain.first[me].rank,
            "played": -rows[me].played,
            "lot": lot(me, chain.rules.seed),
        }
        return simple[name]


chain = Chain
"""All tables of a season, and how they were found."""
