"""Printed standings, and a copy of their season in memory, in which rules are tried.

Its own views say what they bring.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from keizer import texts
from keizer.messages import Message, say, shortened_list
from keizer.season import presets, rules
from keizer.season.people import roster
from keizer.season.queries import UNITS, Conn, Tournament
from keizer.store import tiebreaks

_DECIMALS = 3
"""Of a printed score: further ones are of binary fractions."""

HIGHEST = 1_000_000
"""No score is as high."""
Scores = Mapping[tuple[int, int], float]
"""By round and player."""


class PrintedScore(NamedTuple):
    """What a list has of a player: the score after a round."""

    round: int
    player: int
    score: float


def tolerance(scores: Iterable[float]) -> float:
    """How far a score may be from a printed one: half a unit of the last digit."""
    shown = (f"{score:.{_DECIMALS}f}".rstrip("0").partition(".")[2] for score in scores)
    return 0.5 * 0.1 ** max(map(len, shown), default=0) + 1e-6


def ours(conn: Conn, tournament: int, *rounds: int) -> Scores:
    """Our scores after these rounds."""
    listed = (
        "SELECT round_number, player_id, COALESCE(score_units, 0) FROM ranking_list"
        f" WHERE tournament_id = ? AND round_number IN ({', '.join('?' * len(rounds))})"
    )
    found = conn.execute(listed, (tournament, *rounds))
    return {(number, player): score / UNITS for number, player, score in found}


def differing(
    cells: Sequence[PrintedScore], here: Scores, within: float
) -> list[PrintedScore]:
    """The cells whose score is not ours."""
    return [
        cell for cell in cells if abs(here.get(cell[:2], -1e9) - cell.score) > within
    ]


def agreement(
    tournament: Tournament,
    cells: Sequence[PrintedScore],
    wrong: Sequence[PrintedScore],
    here: Scores,
) -> Message:
    """How many scores are as printed, and which are not."""
    right = {"right": len(cells) - len(wrong), "all": len(cells)}
    if not wrong:
        return say("{right:,} of {all:,} scores are as printed.", **right)
    called = roster.players(tournament)
    differ = [
        say("{name} in round {round}: {score}, printed {printed}", name=called[cell.player],
            round=cell.round, printed=texts.shown(cell.score),
            score=texts.shown(here[cell[:2]]) if cell[:2] in here else "–")
        for cell in wrong
    ]  # fmt: skip
    return say(
        "{right:,} of {all:,} scores are as printed; these differ: {cells}.", **right,
        cells=shortened_list(differ, 10),
    )  # fmt: skip


Rules = dict[str, rules.Value]
Absence = tuple[int, int]
"""A round without a game: its number and the player."""

_FACTS = {
    "round": "tournament_id, round_number, board, white, black, result, white_wins, black_wins,"
    " drawn",
    "unplayed": "tournament_id, round_number, player_id, kind",
}


def share(stored: rules.Value) -> float:
    """A factor, or an amount, as a number: 2/3, .5, 40."""
    return float(Fraction(str(stored or 0)))


class Guess(NamedTuple):
    """What is tried: rules by key; the start order and kinds of absence where they are others."""

    rules: Rules
    start: tuple[int, ...] = ()
    kinds: dict[Absence, str] = {}  # noqa: RUF012 - it is never written to


PLAIN_ORDER = "score,previous"


class Line(NamedTuple):
    """A line of a score, as in view explanation."""

    player: int
    played_in: int | None
    kind: str
    times: int
    factor: float
    value: float
    fixed: float
    points: float
    opponent: int | None
    fact: str | None

    @property
    def is_absence(self) -> bool:
        """Whether it is of a round without a game that was no bye."""
        return self.fact == "unplayed" and self.kind != "bye"


List = dict[int, float]
"""The values that a list gives, by player, from the top."""


class Result(NamedTuple):
    """The scores that a guess brings; which of the printed ones differ, and by how much in all."""

    rows: Scores
    wrong: list[PrintedScore]
    right: int
    away: float

    @property
    def rating(self) -> tuple[int, float]:
        """The greater, the better."""
        return self.right, -self.away


class Trial:
    """Tries guesses on a season of which `cells` were printed."""

    def __init__(self, tournament: Tournament, cells: list[PrintedScore]) -> None:
        self.conn = conn = sqlite3.connect(
            ":memory:", isolation_level=None, cached_statements=1000
        )
        tournament.conn.backup(conn)
        self.of, self.cells = Tournament(conn, tournament.id), cells
        self.within, self.tried = tolerance(cell.score for cell in cells), 0
        self.rounds = sorted({cell.round for cell in cells})
        self.of.update("tournament", {"revaluation": "suspended"}, id=self.of.id)
        self.of.update("rules", {"tiebreaks": PLAIN_ORDER}, tournament_id=self.of.id)
        tiebreaks.create_all_triggers(conn)  # that of lists which settle is tried
        slow = "type = 'trigger' AND (name LIKE '%logged%' OR name LIKE 'tiebreak%')"
        for name in self.of.scalars(f"SELECT name FROM sqlite_master WHERE {slow}"):
            conn.execute(f"DROP TRIGGER {name}")
        for name in presets.load_presets():
            presets.add_kinds(self.of, presets.find_preset(name))
        found = (
            "SELECT round_number, player_id, kind FROM unplayed WHERE tournament_id = ?"
        )
        self.kinds: dict[Absence, str] = {
            (number, player): kind
            for number, player, kind in conn.execute(found, (self.of.id,))
        }
        for table, columns in _FACTS.items():
            conn.execute(
                f"CREATE TEMP TABLE all_{table} AS SELECT {columns} FROM {table}"
                f" WHERE tournament_id = {self.of.id}"
            )
            self.of.delete(table, tournament_id=self.of.id)
        kinds = "applies_to = 'unplayed' AND kind <> 'bye' AND tournament_id = ?"
        self.absences = self.of.scalars(
            f"SELECT kind FROM scoring WHERE {kinds}", self.of.id
        )
        self.places = rules.places(self.of)
        self.now = {
            key: value for key, value in rules.list_rules(self.of) if key in self.places
        }

    def read(self, guess: Guess, until: int) -> Result:
        """What a guess brings up to a round; nothing right if no file can have these rules."""
        self.conn.execute("BEGIN")
        try:
            self._write(guess, until)
            asked = [number for number in self.rounds if number <= until]
            rows = ours(self.conn, self.of.id, *asked)
        except sqlite3.IntegrityError:
            return Result({}, self.cells, 0, 1e9)
        finally:
            self.conn.execute("ROLLBACK")
        cells = [cell for cell in self.cells if cell.round <= until]
        wrong = differing(cells, rows, self.within)
        away = sum(
            min(abs(rows.get(cell[:2], 1e9) - cell.score), 10.0) for cell in wrong
        )
        return Result(rows, wrong, len(cells) - len(wrong), away)

    def lines(
        self, guess: Guess, until: int, *rounds: int
    ) -> list[tuple[list[Line], List]]:
        """The lines of the scores after these rounds, and the list then; after 0 the start list."""
        told = (
            "SELECT player_id, played_in, kind, times, factor, value, fixed, points, opponent_id,"
            " fact FROM explanation WHERE tournament_id = ? AND round_number = ?"
        )
        listed = (
            "SELECT player_id, value_units FROM ranking_list"
            " WHERE tournament_id = ? AND round_number = ? ORDER BY rank"
        )
        self.conn.execute("BEGIN")
        try:
            self._write(guess, until)
            found = []
            for number in rounds:
                lines = [
                    Line(*row)._replace(
                        factor=share(row[4]), value=row[5] or 0, fixed=row[6] or 0
                    )
                    for row in self.conn.execute(told, (self.of.id, number))
                ]
                values = self.conn.execute(listed, (self.of.id, number))
                found.append(
                    (lines, {player: value / UNITS for player, value in values})
                )
            return found
        finally:
            self.conn.execute("ROLLBACK")

    def _write(self, guess: Guess, until: int) -> None:
        """Make the season that of a guess. Raises sqlite3.IntegrityError where none can be so."""
        self.tried += 1
        wanted = defaultdict[tuple[str, str, tuple[int | str, ...]], Rules](dict)
        for key, value in guess.rules.items():
            if key in self.now and self.now[key] != value:
                place = self.places[key]
                wanted[place.table, place.where, place.identity][place.column] = value
        for (table, where, identity), cells in wanted.items():
            columns = ", ".join(f"{column} = ?" for column in cells)
            change = f"UPDATE {table} SET {columns} WHERE {where}"
            self.conn.execute(change, (*cells.values(), *identity))
        here = {"tournament_id": self.of.id}
        for rank, player in enumerate(guess.start, 1):
            self.of.update(
                "x_player_tournament", {"start_rank": rank}, player_id=player, **here
            )
        for table, columns in _FACTS.items():
            self.conn.execute(
                f"INSERT INTO {table} ({columns}) SELECT {columns} FROM all_{table}"
                " WHERE round_number <= ?",
                (until,),
            )
        for (number, player), kind in guess.kinds.items():
            self.of.update(
                "unplayed",
                {"kind": kind},
                round_number=number,
                player_id=player,
                **here,
            )
        self.of.update("tournament", {"revaluation": "on"}, id=self.of.id)
