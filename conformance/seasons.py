"""The reference of seasons: specification.md in plain Python, slow, on exact fractions.

It knows nothing of the SQL, of indexes or triggers, and computes a whole season from its facts.
The numbers are those of the rules.
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
"""In a point: N1."""
GRAIN = Fraction(1, UNITS)


def rounded(number: Fraction, unit: Fraction = GRAIN, halves: str = "up") -> Fraction:
    """N1 to N3: the nearest whole multiple of a unit."""
    multiple = number / unit
    if multiple.denominator == 1:
        return number
    if halves == "even":
        return round(multiple) * unit
    return floor(multiple + Fraction(1, 2)) * unit


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
    """0, 1 or 'down'."""
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
    """One board of one round; result None while it is open, or void."""

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
    max_passes: int = 10000
    settled_from: str = "before"
    cycle_takes: str = "values"
    own_value_at: str = "current"
    bonus: int = 0
    bonus_rounds: int = 0
    line_rounding: Fraction | None = None
    score_rounding: Fraction | None = None
    halves: str = "up"
    tiebreaks: str = "score,previous"
    last_resort: str = "order"
    """Only view standings goes by it, no table."""
    rounds: int | None = None


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
    rounds: int = 0
    """F2: how many there are, if more than games and byes tell."""

    def byes(self) -> set[int]:
        """The rounds with a bye."""
        return {number for (number, _), kind in self.unplayed.items() if kind == "bye"}

    def last_round(self) -> int:
        """The last one that is there: with a game or a bye, or because a case has it."""
        return max(
            {game.round_number for game in self.games} | self.byes() | {self.rounds}
        )

    def current_round(self) -> int:
        """F2."""
        played = {game.round_number for game in self.games if game.result}
        drawn = {game.round_number for game in self.games}
        held = range(1, self.rounds + 1)
        return max(played | ((self.byes() | {*held}) - drawn), default=0)

    def counts_from(self, number: int) -> int:
        """The first round that counts in the table after a round."""
        resets = [
            period.first_round for period in self.periods if period.scores == "reset"
        ]
        return max((first for first in resets if first <= number), default=1)

    def period_of(self, number: int) -> int:
        """The first round of the period a round is in; 0 before all periods."""
        firsts = (period.first_round for period in self.periods)
        return max((first for first in firsts if first <= number), default=0)

    def is_out(self, entry: Entry) -> bool:
        """L1."""
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
    lines: "list[Line]" = field(default_factory=list)
    ranked_by: Fraction = ZERO
    """The score without what C2 adds."""


class Line(NamedTuple):
    """What a score is made of; the round is None for what is not of one."""

    kind: str
    points: Fraction
    round_number: int | None = None


Table = dict[int, Row]
Values = dict[int, Fraction]


class Settling(NamedTuple):
    """How a table was found: cycle 1 is a fixed point, 0 is given up."""

    passes: int
    cycle: int


# --- values ------------------------------------------------------------------


def top_value(rule: str | Fraction, count: int) -> Fraction:
    """A number, `ratio Q`, `[K]n` or `[K](n-1)`."""
    if isinstance(rule, Fraction):
        return rule
    if rule.startswith("ratio "):
        ratio = Fraction(rule.removeprefix("ratio "))
        # A half: to the even one.
        return Fraction(round((count - 1) * ratio / (ratio - 1)))
    parts = re.fullmatch(r"([\d.]*)(n|\(n-1\))", rule)
    if parts is None:
        raise ValueError(f"{rule!r} is no top value")
    size = count if parts[2] == "n" else count - 1
    return Fraction(floor(Fraction(parts[1] or 1) * size))


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
            return rounded(bottom + (top - bottom) * above / (high - low))
        if count == 1:
            return top
        return rounded(top - (top - bottom) * (place - 1) / (count - 1))

    unit = rules.value_rounding or GRAIN
    return {
        player: rounded(
            max(rules.floor_value, value(place, player)), unit, rules.halves
        )
        for place, player in enumerate(order, 1)
    }


# --- orders ------------------------------------------------------------------


def lot(player: int, seed: int) -> int:
    """S1: the lowest is first."""
    x = (player % 1_000_000 * 48271 + seed * 16807) % 65519
    return x**3 % 65519


def by_rating(entry: Entry) -> float:
    """The highest first, those without one last."""
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
    entered: str
    kind: str
    """The kind that is credited."""
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
    entered: str | None = None,
) -> Credit:
    """Of a game with an opponent who is out, the holder is the player."""
    brings = season.scoring[kind]
    factor = brings.factor if opponent in (None, holder) else brings.withdrawn_factor
    what = (factor, holder, brings.fixed, brings.points, brings.counts_as_game)
    return Credit(number, entered or kind, kind, *what, opponent, halvings)


def group(season: Season, kind: str) -> str:
    """Kinds of one group count together."""
    return season.scoring[kind].counts_with or kind


def is_credited(
    season: Season,
    number: int,
    kind: str,
    before: list[tuple[int, str]],
    first_game: float,
) -> bool:
    """K1 to K5; `before`: the player's unplayed rounds until here, this one too."""
    scoring, planned = season.scoring[kind], season.rules.rounds
    same = [
        when for when, other in before if group(season, other) == group(season, kind)
    ]
    here = [when for when in same if season.period_of(when) == season.period_of(number)]
    last = (
        inf
        if planned is None or scoring.last_rounds is None
        else planned - scoring.last_rounds
    )
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
    entered = [
        (when, kind)
        for (when, other), kind in sorted(season.unplayed.items())
        if other == player
    ]
    rows = [
        (when, season.exceptions.get((player, kind), kind)) for when, kind in entered
    ]
    first_game = min((game.round_number for game in games if game.played), default=inf)
    as_itself: Counter[str] = Counter()
    for index, (when, kind) in enumerate(rows):
        scoring, name, together = (
            season.scoring[kind],
            entered[index][1],
            group(season, kind),
        )
        if is_credited(season, when, kind, rows[: index + 1], first_game):
            halvings = as_itself[together] if scoring.halving else 0
            found.append(
                credit(season, when, kind, player, halvings=halvings, entered=name)
            )
            as_itself[together] += 1
        elif scoring.instead is not None:
            found.append(credit(season, when, scoring.instead, player, entered=name))
    return found


def all_credits(season: Season) -> dict[int, list[Credit]]:
    """Of everybody who is not out: the games that have a result, and the unplayed rounds."""
    found: dict[int, list[Credit]] = {
        entry.player: [] for entry in season.entries if not season.is_out(entry)
    }
    for game in season.games:
        for me, other, black in (
            (game.white, game.black, 0),
            (game.black, game.white, 1),
        ):
            if game.result in SIDES and me in found:
                kind, holder = (
                    SIDES[game.result][black],
                    other if other in found else me,
                )
                found[me].append(credit(season, game.round_number, kind, holder, other))
    for player, games in found.items():
        found[player] = games + unplayed_credits(season, player, games)
    return found


def amount(
    season: Season,
    scoring: Scoring | Credit,
    value: Fraction,
    times: int = 1,
    halvings: int = 0,
) -> Fraction:
    """The points of a line."""
    exact: Fraction = (scoring.factor * value + scoring.fixed) * times
    unit = season.rules.line_rounding
    how = (unit or GRAIN, season.rules.halves if unit else "up")
    share = Fraction(1, 2**halvings)
    if (
        halvings
        and isinstance(scoring, Credit)
        and season.scoring[scoring.kind].halving == "down"
    ):
        return floor(rounded(exact, *how) * share / how[0]) * how[0]
    return rounded(exact * share, *how)


# --- the tables --------------------------------------------------------------


class Chain:
    """A season, table by table: each needs those before it."""

    ordering: "type[Ordering]"

    def __init__(self, season: Season) -> None:
        """Make the start order and all tables."""
        self.season, self.rules = season, season.rules
        self.credits = all_credits(season)
        self.start_keys = {
            entry.player: start_key(season, entry) for entry in season.entries
        }
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
        if number and (mode == "settled" or latest):
            values, table, self.settling[number] = self.settled(number, ranks, values)
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

    def start_of(self, number: int, values: Values) -> Values:
        """I1: the values that an iteration starts with."""
        if self.rules.settled_from == "before":
            return values
        order = sorted(values, key=lambda player: self.start_keys[player])
        before = self.tables[number - 1]
        places = sorted(
            (before[player].rank, before[player].value) for player in values
        )
        worth = {
            player: value for player, (_, value) in zip(order, places, strict=True)
        }
        return {player: worth[player] for player in values}

    def settled(
        self, number: int, ranks: dict[int, int], values: Values
    ) -> tuple[Values, Table, Settling]:
        """I: the standings that iteration comes to, and the values that they are made with."""
        rules = self.rules
        start = self.start_of(number, values)
        passed, tables, cycle = self.passes(number, ranks, start, rules.max_passes)
        values, table = passed[-1], tables[-1]
        if cycle > 1 and rules.cycle_takes == "values":
            values = {
                player: rounded(
                    sum((each[player] for each in passed[-cycle:]), ZERO) / cycle
                )
                for player in values
            }
            table = self.table(number, ranks, values)
        elif cycle > 1:
            table = self.mean_table(number, ranks, values, tables[-cycle:])
        return values, table, Settling(len(passed), cycle)

    def passes(
        self, number: int, ranks: dict[int, int], start: Values, most: int
    ) -> tuple[list[Values], list[Table], int]:
        """I2, I3, I5: the values of each pass, what was made with them, and the period."""
        passed, tables = [start], []
        pass_of: dict[tuple[Fraction, ...], int] = {}
        longest = 2 if self.rules.cycle_takes == "scores" else inf
        while True:
            pass_of[tuple(passed[-1].values())] = len(passed)
            tables.append(self.table(number, ranks, passed[-1]))
            new = {player: tables[-1][player].value for player in start}
            again = pass_of.get(tuple(new.values()))
            if again is not None and len(passed) + 1 - again <= longest:
                return passed, tables, len(passed) + 1 - again
            if len(passed) >= most:
                return passed, tables, 0
            passed.append(new)

    def mean_table(
        self, number: int, ranks: dict[int, int], values: Values, cycle: list[Table]
    ) -> Table:
        """I4: the last table of a cycle, with the mean of the scores in all of them."""
        rules = self.rules
        unit = rules.score_rounding or rules.line_rounding
        how = (unit or GRAIN, rules.halves if unit else "up")
        means = {
            player: rounded(
                sum((each[player].ranked_by for each in cycle), ZERO) / len(cycle), *how
            )
            for player in values
        }
        return self.table(number, ranks, values, means)

    def table(
        self,
        number: int,
        ranks: dict[int, int],
        values: Values,
        scores: Values | None = None,
    ) -> Table:
        """The table after a round, at these values in force; scores: in place of the sums."""
        entries = self.listed(number)
        rows = {
            entry.player: self.row(number, entry, values)
            if entry.player in ranks
            else Row(0, ZERO, ZERO, ZERO, 0)
            for entry in entries
        }
        for player, score in (scores or {}).items():
            rows[player].lines.append(Line("limit", score - rows[player].score))
            rows[player].score = rows[player].ranked_by = score
        order = self.ordering(self, number, rows, ranks).players()
        new = ladder(
            self.rules, order, {player: rows[player].score for player in ranks}
        )
        fixed = self.first if self.rules.recalculation == "fixed" else {}
        for place, player in enumerate(order, 1):
            rows[player].rank = place
            rows[player].value = fixed[player].value if player in fixed else new[player]
            if self.rules.own_value_at == "new" and player in ranks:
                kind = self.season.scoring["own value"]
                line = Line("own value", amount(self.season, kind, rows[player].value))
                rows[player].lines.append(line)
                rows[player].score += line.points
        return rows

    def counted(self, number: int, player: int) -> list[Credit]:
        """What a player's rounds brought, those before a reset left out."""
        first = self.season.counts_from(number)
        return [
            credit
            for credit in self.credits[player]
            if first <= credit.round_number <= number
        ]

    def row(self, number: int, entry: Entry, values: Values) -> Row:
        """One player's total after a round."""
        season, rules, me = self.season, self.rules, entry.player
        own, first = values[me], season.counts_from(number)
        counted = self.counted(number, me)
        lines: list[Line] = []

        def line(kind: str, value: Fraction, times: int = 1) -> None:
            lines.append(Line(kind, amount(season, season.scoring[kind], value, times)))

        if rules.own_value_at != "new":
            line(
                "own value",
                own if rules.own_value_at == "current" else self.first[me].value,
            )
        line("aalsmeer", own, self.helpings(number - first + 1))
        line("late start", own, max(0, entry.first_round - first))
        for credit in counted:
            value = self.values_for(credit.round_number, number, values)[credit.holder]
            points = amount(season, credit, value, halvings=credit.halvings)
            lines.append(Line(credit.entered, points, credit.round_number))
        for correction in season.corrections:
            last = number if correction.last_round is None else correction.last_round
            in_time = correction.round_number <= number <= last
            if (
                correction.player == me
                and in_time
                and max(correction.round_number, 1) >= first
            ):
                lines.append(Line("correction", correction.points))
        total = score = sum((each.points for each in lines), ZERO)
        if rules.score_rounding is not None:
            score = rounded(score, rules.score_rounding, rules.halves)
        lines.append(Line("limit", score - total))
        points = sum((credit.points for credit in counted), ZERO)
        played = sum(credit.played for credit in counted)
        return Row(0, ZERO, score, points, played, own, lines, score)

    def helpings(self, number: int) -> int:
        """Of the bonus, in the round of this number since the scores began."""
        rules = self.rules
        if number <= rules.bonus_rounds:
            return rules.bonus
        return max(0, rules.bonus - (number - rules.bonus_rounds))

    def values_for(self, played: int, number: int, now: Values) -> Values:
        """The values an earlier round is taken at in a table."""
        mode = self.rules.recalculation
        in_list = {"frozen": played, "lagged": max(played, number - 1)}.get(
            mode, number
        )
        return now if in_list == number else self.in_force[in_list]


@dataclass
class Ordering:
    """Who comes first in the table after a round, by its rows and the ranks before it."""

    chain: Chain
    number: int
    rows: Table
    ranks: dict[int, int]
    tied: list[list[Entry]] = field(default_factory=list)
    """Of those who were in the list before, who are equal in all tie-breaks."""

    def players(self) -> list[int]:
        """First to last."""
        chain, ranks = self.chain, self.ranks
        entries = chain.listed(self.number)
        entries.sort(key=lambda entry: chain.start_keys[entry.player])
        if self.number == 0:
            return [entry.player for entry in entries]
        entries.sort(key=lambda entry: ranks.get(entry.player, inf))
        self.tied = [[entry for entry in entries if entry.player in ranks]]
        for name in self.names():
            self.tied = [
                part for group in self.tied for part in self.parted(name, group)
            ]
        old = [entry for group in self.tied for entry in group]
        new = [entry for entry in entries if entry.player not in ranks]
        return self.seated(old, new)

    def names(self) -> list[str]:
        """T1: of the tie-breaks."""
        names = self.chain.rules.tiebreaks.split(",")
        return names if {"score", "points"} & {*names} else ["score", *names]

    def seated(self, old: list[Entry], new: list[Entry]) -> list[int]:
        """L3 and L4: newcomers, in the start order, among the others, who are in theirs."""
        at: dict[float, list[int]] = {}
        for entry in new:
            if entry.start_rank is None:
                at.setdefault(self.spot(entry, old), []).append(entry.player)
        others = [*at.get(0, [])]
        for place, rival in enumerate(old, 1):
            others += [rival.player, *at.get(place, [])]
        others += at.get(inf, [])
        seats: dict[int, int] = {}
        place = 0
        for entry in new:
            if entry.start_rank is not None:
                end = len(others) + len(seats) + 1
                place = min(max(entry.start_rank, place + 1), end)
                seats[place] = entry.player
        rest = iter(others)
        return [
            seats[place] if place in seats else next(rest)
            for place in range(1, len(others) + len(seats) + 1)
        ]

    def spot(self, entry: Entry, old: list[Entry]) -> float:
        """Behind which of the others a newcomer stands."""
        mine = entry.rating
        if self.chain.rules.newcomers == "last" or mine is None:
            return inf
        stronger = [
            place
            for place, rival in enumerate(old, 1)
            if rival.rating is not None and rival.rating >= mine
        ]
        return max(stronger, default=0)

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
            return -sum(
                (game.points * (other.value_before or 0) for other, game in met), ZERO
            )
        if name == "opponents":
            return -sum((other.score for other, game in met if game.kind in REAL), ZERO)
        simple: dict[str, float | Fraction] = {
            "score": -rows[me].score,
            "points": -rows[me].points,
            "previous": self.ranks[me],
            "rating": by_rating(entry),
            "start": chain.first[me].rank,
            "played": -rows[me].played,
            "lot": lot(me, chain.rules.seed),
        }
        return simple[name]


Chain.ordering = Ordering
chain = Chain
"""All tables of a season, and how they were found."""
