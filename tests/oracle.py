"""An independent, slow oracle: the Keizer rules in plain Python, exact fractions.

Written from the rules (README, "The rules"), not from the SQL, and sharing
nothing with the package. It knows nothing of units, indexes or triggers; it
recomputes a whole season from its facts.
"""

from dataclasses import dataclass, field
from fractions import Fraction

Exact = Fraction

# What White and Black made of a game, by result.
SIDES = {
    "1-0": ("win", "loss"),
    "0-1": ("loss", "win"),
    "½-½": ("draw", "draw"),
    "0-0": ("loss", "loss"),
    "+-": ("forfeit win", "forfeit loss"),
    "-+": ("forfeit loss", "forfeit win"),
    "--": ("double forfeit", "double forfeit"),
}
OVER_THE_BOARD = {"1-0", "0-1", "½-½", "0-0"}


@dataclass
class Scoring:
    """What a kind brings: factor on a value, a fixed amount, classical points."""

    factor: Fraction = Exact(0)
    fixed: Fraction = Exact(0)
    points: Fraction = Exact(0)


def usual_scoring() -> dict[str, Scoring]:
    """The factors a tournament starts with."""
    half, third = Exact(1, 2), Exact(1, 3)
    return {
        "own value": Scoring(Exact(1)),
        "win": Scoring(Exact(1), points=Exact(1)),
        "draw": Scoring(half, points=half),
        "loss": Scoring(),
        "forfeit win": Scoring(Exact(1), points=Exact(1)),
        "forfeit loss": Scoring(),
        "double forfeit": Scoring(),
        "bye": Scoring(2 * third),
        "excused": Scoring(third),
        "unexcused": Scoring(),
        "club duty": Scoring(2 * third),
        "late start": Scoring(),
    }


@dataclass
class Entry:
    """A player in a tournament."""

    player: int
    rating: int | None = None
    start_rank: int | None = None
    first_round: int = 1
    last_round: int | None = None
    """Once withdrawn; it changes no table, only who is paired."""


@dataclass
class Game:
    """One board of one round; result None while it is open."""

    round_number: int
    white: int
    black: int
    result: str | None


@dataclass
class Season:
    """The facts of one tournament."""

    entries: list[Entry] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    unplayed: dict[tuple[int, int], str] = field(default_factory=dict)
    """(round, player) -> kind."""
    scoring: dict[str, Scoring] = field(default_factory=usual_scoring)
    top_value: str | Fraction = "1.5(n-1)"
    step: Fraction = Exact(1)
    floor: Fraction = Exact(1)

    def last_round(self) -> int:
        """The last round with a game or a bye."""
        rounds = [game.round_number for game in self.games]
        rounds += [number for (number, _), kind in self.unplayed.items() if kind == "bye"]
        return max(rounds, default=0)


@dataclass
class Row:
    """A player's row of a table."""

    rank: int
    value: Fraction
    score: Fraction
    points: Fraction
    played: int


Table = dict[int, Row]


def _value(season: Season, place: int, count: int) -> Fraction:
    top = season.top_value
    if top == "n":
        top = Exact(count)
    elif top == "1.5(n-1)":
        top = Exact((count - 1) + (count - 1) // 2)
    assert isinstance(top, Fraction)
    return max(season.floor, top - season.step * (place - 1))


def _score(season: Season, entry: Entry, games: list[Game], number: int, before: Table) -> Row:
    """One player's total after a round, everything at the values before it."""
    row = Row(0, Exact(0), Exact(0), Exact(0), 0)
    me = entry.player
    if me not in before:
        return row
    own = before[me].value

    def credit(kind: str, value: Fraction, times: int = 1) -> None:
        scoring = season.scoring[kind]
        row.score += times * (scoring.factor * value + scoring.fixed)
        if times and kind not in ("own value", "late start"):
            row.points += scoring.points

    credit("own value", own)
    credit("late start", own, entry.first_round - 1)
    for game in games:
        if game.round_number > number or game.result is None:
            continue
        as_white, as_black = SIDES[game.result]
        if me == game.white:
            credit(as_white, before[game.black].value)
        else:
            credit(as_black, before[game.white].value)
        row.played += game.result in OVER_THE_BOARD
    for (when, player), kind in season.unplayed.items():
        if player == me and when <= number:
            credit(kind, own)
    return row


def tables(season: Season) -> list[Table]:
    """The table after every round; the first is the start order."""
    infinity = float("inf")
    found: list[Table] = []
    before: Table = {}
    games: dict[int, list[Game]] = {entry.player: [] for entry in season.entries}
    for game in season.games:
        games[game.white].append(game)
        games[game.black].append(game)
    for number in range(season.last_round() + 1):
        listed = [entry for entry in season.entries if entry.first_round <= number + 1]
        table = {
            entry.player: _score(season, entry, games[entry.player], number, before)
            for entry in listed
        }

        def order(entry: Entry, table: Table = table, before: Table = before) -> tuple[object, ...]:
            return (
                -table[entry.player].score,
                before[entry.player].rank if entry.player in before else infinity,
                infinity if entry.start_rank is None else entry.start_rank,
                infinity if entry.rating is None else -entry.rating,
                entry.player,
            )

        for place, entry in enumerate(sorted(listed, key=order), 1):
            table[entry.player].rank = place
            table[entry.player].value = _value(season, place, len(listed))
        found.append(table)
        before = table
    return found
