"""An independent, slow oracle: the Keizer rules in plain Python, exact fractions.

Written from the rules (README, "The rules"), not from the SQL, and sharing
nothing with the package. It knows nothing of indexes or triggers; it recomputes
a whole season from its facts. What the file stores is a whole number of units,
so what can fall between two units is rounded to one here too: the values of the
ladders range and score, the amount of a line, the mean of a cycle.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, inf

Exact = Fraction
ZERO = Exact(0)

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

UNITS = 6_000_000


def half_up(number: Fraction, parts: int = UNITS) -> Fraction:
    """The nearest whole number of parts of a point, the higher of two."""
    if parts % number.denominator == 0:
        return number
    return Exact(floor(number * parts + Exact(1, 2)), parts)


def to_decimals(number: Fraction, decimals: int | None) -> Fraction:
    return number if decimals is None else half_up(number, 10**decimals)


@dataclass
class Scoring:
    """What a kind brings: factor on a value, a fixed amount, classical points."""

    factor: Fraction = ZERO
    fixed: Fraction = ZERO
    points: Fraction = ZERO
    applies_to: str = "unplayed"
    counts_as_game: bool = False
    withdrawn_factor: Fraction = ZERO
    """On the own value, in place of `factor`: the opponent is out."""
    season_cap: int | None = None
    period_cap: int | None = None
    first_rounds: int | None = None
    last_rounds: int | None = None
    counts_with: str | None = None
    after_game: bool = False
    halving: bool = False
    instead: str | None = None


def usual_scoring() -> dict[str, Scoring]:
    """The factors a tournament starts with."""
    one, half, third = Exact(1), Exact(1, 2), Exact(1, 3)

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
        "bye": Scoring(2 * third),
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
    bottom_value: str | Fraction = Exact(1)
    step: Fraction = Exact(1)
    places_per_step: int = 1
    floor_value: Fraction = Exact(1)
    value_decimals: int | None = None
    withdrawn: str = "listed"
    start_order: str = "rating"
    seed: int = 1
    newcomers: str = "last"
    recalculation: str = "classic"
    max_passes: int = 10000
    own_value_at: str = "current"
    bonus: int = 0
    bonus_rounds: int = 0
    line_decimals: int | None = None
    score_decimals: int | None = None
    min_score: Fraction | None = None
    max_score: Fraction | None = None
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
    personal: dict[tuple[int, str], str] = field(default_factory=dict)
    """(player, kind) -> the kind it counts as for him."""
    corrections: list[Correction] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)

    def last_round(self) -> int:
        """The last round with a game or a bye."""
        rounds = [game.round_number for game in self.games]
        rounds += [number for (number, _), kind in self.unplayed.items() if kind == "bye"]
        return max(rounds, default=0)

    def current_round(self) -> int:
        """The last round with a result, or with byes and no game."""
        drawn = {game.round_number for game in self.games}
        byes = {number for (number, _), kind in self.unplayed.items() if kind == "bye"}
        played = {game.round_number for game in self.games if game.result}
        return max(played | (byes - drawn), default=0)

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


Table = dict[int, Row]
Values = dict[int, Fraction]


@dataclass
class Settling:
    """How a table was found: cycle 1 is a fixed point, 0 is given up."""

    passes: int
    cycle: int


# --- values ------------------------------------------------------------------


def top_value(rule: str | Fraction, count: int) -> Fraction:
    """A number, `ratio Q`, `[K]n[+M]` or `[K](n-1)[+M]`."""
    if isinstance(rule, Fraction):
        return rule
    if rule.startswith("ratio "):
        ratio = Exact(rule.removeprefix("ratio "))
        return Exact(round((count - 1) * ratio / (ratio - 1)))  # a half: to the even one
    parts = re.fullmatch(r"([\d.]*)(n|\(n-1\))(?:\+([\d.]+))?", rule)
    assert parts, rule
    size = count if parts[2] == "n" else count - 1
    return Exact(floor(Exact(parts[1] or 1) * size + Exact(parts[3] or 0)))


def bottom_value(rule: str | Fraction, count: int) -> Fraction:
    return rule if isinstance(rule, Fraction) else Exact(count // 2)


def ladder(rules: Rules, order: list[int], scores: Values) -> Values:
    """The values of a list; `scores` are of those who were in the list before."""
    count = len(order)
    top, bottom = top_value(rules.top_value, count), bottom_value(rules.bottom_value, count)
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
        player: to_decimals(max(rules.floor_value, value(place, player)), rules.value_decimals)
        for place, player in enumerate(order, 1)
    }


# --- orders ------------------------------------------------------------------


def lot(player: int, seed: int) -> int:
    return ((player * 48271 + seed * 16807) % 65521 * 40014 + seed) % 65519


def by_rating(entry: Entry) -> float:
    return inf if entry.rating is None else -entry.rating


def start_key(season: Season, entry: Entry) -> tuple[float, ...]:
    """The start order: the set places, then as the rules say."""
    rules = season.rules
    chosen = {
        "rating": by_rating(entry),
        "entry": season.entries.index(entry),
        "lot": lot(entry.player, rules.seed),
    }[rules.start_order]
    return (inf if entry.start_rank is None else entry.start_rank, chosen, entry.player)


# --- what a round brought ----------------------------------------------------


@dataclass
class Credit:
    """What one round brought a player: an amount on somebody's value."""

    round_number: int
    kind: str
    factor: Fraction
    holder: int
    """Whose value it is on: the opponent's or his own."""
    fixed: Fraction
    points: Fraction
    played: bool
    opponent: int | None = None
    halvings: int = 0


def game_credits(season: Season) -> dict[int, list[Credit]]:
    """Of every player that is not out: his games that have a result."""
    found: dict[int, list[Credit]] = {entry.player: [] for entry in season.entries}
    out = {entry.player for entry in season.entries if season.is_out(entry)}
    for game in season.games:
        if game.result is None:
            continue
        white, black = SIDES[game.result]
        for me, other, kind in (
            (game.white, game.black, white),
            (game.black, game.white, black),
        ):
            scoring = season.scoring[kind]
            gone = other in out
            credit = Credit(
                game.round_number,
                kind,
                scoring.withdrawn_factor if gone else scoring.factor,
                me if gone else other,
                scoring.fixed,
                scoring.points,
                scoring.counts_as_game,
                other,
            )
            if me not in out:
                found[me].append(credit)
    return found


def is_credited(
    season: Season, number: int, kind: str, before: list[tuple[int, str]], first_game: float
) -> bool:
    """Whether an unplayed round counts; `before`: all his until here, this one too."""
    scoring = season.scoring[kind]

    def group(kind: str) -> str:
        return season.scoring[kind].counts_with or kind

    same = [when for when, other in before if group(other) == group(kind)]
    here = [when for when in same if season.period_of(when) == season.period_of(number)]
    planned = season.rules.rounds
    return (
        (scoring.season_cap is None or len(same) <= scoring.season_cap)
        and (scoring.period_cap is None or len(here) <= scoring.period_cap)
        and (scoring.first_rounds is None or number <= scoring.first_rounds)
        and (
            scoring.last_rounds is None
            or planned is None
            or number <= planned - scoring.last_rounds
        )
        and (not scoring.after_game or first_game < number)
    )


def unplayed_credits(season: Season, player: int, games: list[Credit]) -> list[Credit]:
    """One player's rounds without a game, counted in the order of the rounds."""
    found: list[Credit] = []
    rows = sorted(
        (when, kind) for (when, other), kind in season.unplayed.items() if other == player
    )
    rows = [(when, season.personal.get((player, kind), kind)) for when, kind in rows]
    first_game = min((game.round_number for game in games if game.played), default=inf)
    as_itself: dict[str, int] = {}
    for index, (when, kind) in enumerate(rows, 1):
        halvings = 0
        credited: str | None = kind
        if is_credited(season, when, kind, rows[:index], first_game):
            if season.scoring[kind].halving:
                halvings = as_itself.get(kind, 0)
            as_itself[kind] = as_itself.get(kind, 0) + 1
        else:
            credited = season.scoring[kind].instead
        if credited is not None:
            scoring = season.scoring[credited]
            found.append(
                Credit(
                    when,
                    credited,
                    scoring.factor,
                    player,
                    scoring.fixed,
                    scoring.points,
                    scoring.counts_as_game,
                    halvings=halvings,
                )
            )
    return found


def all_credits(season: Season) -> dict[int, list[Credit]]:
    found = game_credits(season)
    for entry in season.entries:
        if not season.is_out(entry):
            found[entry.player] += unplayed_credits(season, entry.player, found[entry.player])
    return found


def amount(
    season: Season, scoring: Scoring | Credit, value: Fraction, times: int = 1, halvings: int = 0
) -> Fraction:
    """The points of a line."""
    exact = (scoring.factor * value + scoring.fixed) * times / 2**halvings
    decimals = season.rules.line_decimals
    return half_up(exact) if decimals is None else to_decimals(exact, decimals)


# --- the tables --------------------------------------------------------------


class Chain:
    """A season, table by table: each needs those before it."""

    def __init__(self, season: Season) -> None:
        """Start before the start order."""
        self.season = season
        self.rules = season.rules
        self.credits = all_credits(season)
        self.start_keys = {entry.player: start_key(season, entry) for entry in season.entries}
        self.tables: list[Table] = []
        self.settling: dict[int, Settling] = {}
        self.first: dict[int, Row] = {}
        """A player's row in his first list."""
        self.in_force: list[Values] = []
        """By round, the values that table was made with."""

    def add(self) -> None:
        """The next table."""
        number = len(self.tables)
        ranks, values = self.list_in_force(number)
        mode = self.rules.recalculation
        if number and (
            mode in ("settled", "complete")
            or (mode == "latest" and number >= self.season.current_round())
        ):
            values = self.settled(number, ranks, values)
        table = self.table(number, ranks, values)
        for player, row in table.items():
            self.first.setdefault(player, row)
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
        before = self.tables[-1]
        entries = self.listed(number - 1)
        if number > 1 and any(
            (period.first_round, period.scores, period.start) == (number, "reset", "rating")
            for period in self.season.periods
        ):
            entries.sort(key=lambda entry: (by_rating(entry), entry.player))
            order = [entry.player for entry in entries]
            worth = {before[player].rank: before[player].value for player in order}
            ranks = {player: place for place, player in enumerate(order, 1)}
            if self.rules.recalculation == "fixed":
                return ranks, {player: before[player].value for player in order}
            return ranks, {player: worth[place] for player, place in ranks.items()}
        players = [entry.player for entry in entries]
        return (
            {player: before[player].rank for player in players},
            {player: before[player].value for player in players},
        )

    def values(self, order: list[int], scores: Values) -> Values:
        """The values of a list in this order."""
        values = ladder(self.rules, order, scores)
        if self.rules.recalculation == "fixed":
            values |= {player: self.first[player].value for player in order if player in self.first}
        return values

    def settled(self, number: int, ranks: dict[int, int], values: Values) -> Values:
        """Repeat the table until it gives the values it was made with."""
        seen: dict[tuple[Fraction, ...], int] = {}
        passed: list[Values] = []
        while True:
            seen[tuple(values.values())] = len(passed)
            passed.append(values)
            table = self.table(number, ranks, values)
            new = {player: table[player].value for player in values}
            again = seen.get(tuple(new.values()))
            if again is not None:
                cycle = passed[again:]
                found = tables_to_find(again, len(cycle))
                if found > self.rules.max_passes:
                    self.settling[number] = Settling(self.rules.max_passes, 0)
                    return passed[again + (self.rules.max_passes - 1 - again) % len(cycle)]
                self.settling[number] = Settling(found, len(cycle))
                return {
                    player: half_up(sum((x[player] for x in cycle), ZERO) / len(cycle))
                    for player in values
                }
            if len(passed) >= self.rules.max_passes:
                self.settling[number] = Settling(len(passed), 0)
                return values
            values = new

    def table(self, number: int, ranks: dict[int, int], values: Values) -> Table:
        """The table after a round, at these values in force."""
        entries = self.listed(number)
        rows = {
            entry.player: self.row(number, entry, values)
            if entry.player in ranks
            else Row(0, ZERO, ZERO, ZERO, 0)
            for entry in entries
        }
        order = self.order(number, entries, rows, ranks)
        scores = {player: rows[player].score for player in ranks}
        new = self.values(order, scores)
        for place, player in enumerate(order, 1):
            rows[player].rank, rows[player].value = place, new[player]
        return rows

    def counted(self, number: int, player: int) -> list[Credit]:
        first = self.season.counts_from(number)
        return [credit for credit in self.credits[player] if first <= credit.round_number <= number]

    def row(self, number: int, entry: Entry, values: Values) -> Row:
        """One player's total after a round."""
        season, rules, me = self.season, self.rules, entry.player
        own, first = values[me], season.counts_from(number)
        counted = self.counted(number, me)
        score = amount(
            season,
            season.scoring["own value"],
            own if rules.own_value_at == "current" else self.first[me].value,
        )
        score += amount(season, season.scoring["aalsmeer"], own, self.helpings(number - first + 1))
        late = max(0, entry.first_round - first)
        score += amount(season, season.scoring["late start"], own, late)
        for credit in counted:
            value = self.values_for(credit.round_number, number, values)[credit.holder]
            score += amount(season, credit, value, halvings=credit.halvings)
        score += sum(
            correction.points
            for correction in season.corrections
            if correction.player == me
            and correction.round_number <= number
            and (correction.last_round is None or number <= correction.last_round)
            and max(correction.round_number, 1) >= first
        )
        if rules.min_score is not None:
            score = max(score, rules.min_score)
        if rules.max_score is not None:
            score = min(score, rules.max_score)
        return Row(
            0,
            ZERO,
            to_decimals(score, rules.score_decimals),
            sum((credit.points for credit in counted), ZERO),
            sum(credit.played for credit in counted),
            own,
        )

    def helpings(self, number: int) -> int:
        """Of the bonus, in the round of this number since the scores began."""
        rules = self.rules
        if number <= rules.bonus_rounds:
            return rules.bonus
        return max(0, rules.bonus - (number - rules.bonus_rounds))

    def values_for(self, played: int, number: int, now: Values) -> Values:
        """The values an earlier round is taken at in a table."""
        mode = self.rules.recalculation
        at = {"frozen": played, "lagged": max(played, number - 1)}.get(mode, number)
        return now if at == number else self.in_force[at]

    def order(
        self, number: int, entries: list[Entry], rows: Table, ranks: dict[int, int]
    ) -> list[int]:
        """The players of a list, first to last."""
        if number == 0:
            start = sorted(entries, key=lambda entry: self.start_keys[entry.player])
            return [entry.player for entry in start]
        tied = [[entry for entry in entries if entry.player in ranks]]
        for name in self.rules.tiebreaks.split(","):
            tied = [
                part for group in tied for part in self.parted(name, number, group, rows, ranks)
            ]
        newcomers = [entry for entry in entries if entry.player not in ranks]
        ordered = [
            entry
            for group in [*tied, newcomers]
            for entry in sorted(
                group,
                key=lambda it: (ranks.get(it.player, inf), *self.start_keys[it.player]),
            )
        ]
        places: list[tuple[float, int, int]] = []
        for position, entry in enumerate(ordered, 1):
            place = None if entry.player in ranks else self.place(entry, entries, ranks)
            wanted = position if place is None else place - 0.5
            places.append((wanted, position, entry.player))
        return [player for _, _, player in sorted(places)]

    def parted(
        self, name: str, number: int, group: list[Entry], rows: Table, ranks: dict[int, int]
    ) -> list[list[Entry]]:
        """Those who are still tied, parted by one tie-break, the best first."""
        among = {entry.player for entry in group}
        keys = {entry.player: self.tie(name, number, entry, rows, ranks, among) for entry in group}
        return [
            [entry for entry in group if keys[entry.player] == key]
            for key in sorted(set(keys.values()))
        ]

    def place(self, entry: Entry, entries: list[Entry], ranks: dict[int, int]) -> int | None:
        """Where a newcomer is put; None: behind everybody."""
        if entry.start_rank is not None:
            return entry.start_rank
        if self.rules.newcomers == "last" or entry.rating is None:
            return None
        return 1 + sum(
            other.rating is not None and other.rating >= entry.rating
            for other in entries
            if other.player in ranks
        )

    def tie(
        self,
        name: str,
        number: int,
        entry: Entry,
        rows: Table,
        ranks: dict[int, int],
        among: set[int],
    ) -> float | Fraction:
        """What decides among those who are tied; the lowest comes first."""
        me = entry.player
        if name in ("wins", "mutual", "value-sb", "opponents"):
            return -self.tie_by_games(name, number, me, rows, among)
        return {
            "score": -rows[me].score,
            "previous": ranks.get(me, inf),
            "rating": by_rating(entry),
            "start": self.first[me].rank if me in self.first else inf,
            "played": -rows[me].played,
            "lot": lot(me, self.rules.seed),
        }[name]

    def tie_by_games(
        self, name: str, number: int, me: int, rows: Table, among: set[int]
    ) -> Fraction:
        """Likewise, from his games; the highest comes first."""
        counted = self.counted(number, me)
        if name == "wins":
            win = self.season.scoring["win"].points
            return Exact(sum(it.kind is not None and it.points >= win > 0 for it in counted))
        against = [
            (credit.points, rows[credit.opponent])
            for credit in counted
            if credit.opponent is not None and credit.opponent in rows
        ]
        if name == "opponents":
            board = [it for it in counted if it.kind in ("win", "draw", "loss", "adjourned")]
            met = (rows.get(it.opponent) for it in board if it.opponent is not None)
            return sum((other.score for other in met if other), ZERO)
        if name == "mutual":
            return sum(
                (it.points for it in counted if it.opponent is not None and it.opponent in among),
                ZERO,
            )
        return sum((points * (other.value_before or 0) for points, other in against), ZERO)


def tables_to_find(tail: int, length: int) -> int:
    """How many tables a file makes to find a cycle that begins after `tail`.

    It compares each with the one before, and with one it remembers: the values
    given by table 0, 1, 3, 7, ... in turn.
    """
    if length == 1:
        return tail + 1
    window = 1
    while window - 1 < tail or window < length:
        window *= 2
    return window - 1 + length


def chain(season: Season) -> Chain:
    """All tables of a season, and how they were found."""
    made = Chain(season)
    for _ in range(season.last_round() + 1):
        made.add()
    return made


def tables(season: Season) -> list[Table]:
    """The table after every round; the first is the start order."""
    return chain(season).tables


def settling(season: Season) -> dict[int, Settling]:
    """Of every round whose table was repeated: how often, and the cycle."""
    return chain(season).settling
