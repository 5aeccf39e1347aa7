"""The rules of a tournament as KEY=VALUE: rows of tables rules and scoring.

Keys are the columns of `rules`; a kind of `scoring` for its factor, and
KIND.COLUMN for its other columns; `name` and `status` of the tournament. What
each means and may be stands beside the column in schema.sql.
"""

import re
import sqlite3
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

from keizer import resources, texts
from keizer.errors import KeizerError
from keizer.messages import term
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.season.queries import Conn, File, Tournament
from keizer.store import tiebreaks
from keizer.store.connection import sentence

Value = str | float | None

_TOURNAMENT = {"name": "description", "status": "status"}
_KINDS_OF = {"counts_with", "instead"}
_WORDS = {"none": None, "": None, "yes": 1, "no": 0}
_SHARES = {"factor", "withdrawn_factor", "percentage_floor"}
_PER_CENT = re.compile(r"(\d{1,6}(?:\.\d{1,6})?) ?%")


class Rule(NamedTuple):
    """One setting: its key and its value as stored; None where there is none."""

    key: str
    value: Value

    def __str__(self) -> str:
        return f"{self.key}={'none' if self.value is None else self.value}"


class Move(NamedTuple):
    """What a change of rules does to one player in the current standings."""

    player_id: int
    name: str
    rank_before: int
    rank: int
    score_before: float
    score: float
    why: dict[str, float]
    """What each kind of line brings more or less, in points."""


class _Place(NamedTuple):
    """Where a key is stored."""

    table: str
    column: str
    where: str
    identity: tuple[int | str, ...]
    usual: Value
    """The column's default."""


def _columns(conn: Conn, table: str, besides: set[str]) -> dict[str, Value]:
    """The columns a person sets, and their defaults."""
    found = File(conn).run("columns", table=table).fetchall()
    usual = {name: default for name, default in found if name not in besides}
    (values,) = conn.execute(f"SELECT {', '.join(usual.values())}")
    return dict(zip(usual, values, strict=True))


def places(tournament: Tournament) -> dict[str, _Place]:
    """Where each rule is stored, by its key."""
    found = {
        key: _Place("tournament", column, "id = ?", (tournament.id,), None)
        for key, column in _TOURNAMENT.items()
    }
    for key, usual in _columns(tournament.conn, "rules", {"tournament_id"}).items():
        found[key] = _Place("rules", key, "tournament_id = ?", (tournament.id,), usual)
    parts = _columns(
        tournament.conn, "scoring", {"id", "tournament_id", "kind", "applies_to"}
    )
    for kind in tournament.scalars("kinds"):
        for part, usual in parts.items():
            key = kind.replace(" ", "-") + ("" if part == "factor" else f".{part}")
            where = "tournament_id = ? AND kind = ?"
            found[key] = _Place("scoring", part, where, (tournament.id, kind), usual)
    return found


def _stored(conn: Conn, key: str, place: _Place) -> Rule:
    stored = f"SELECT {place.column} FROM {place.table} WHERE {place.where}"
    return Rule(key, File(conn).scalar(stored, *place.identity))


def listed(tournament: Tournament, *, every: bool = True) -> list[Rule]:
    """The rules of the tournament, as stored.

    every: also what is not in use, that is, has the default of its column
    (factors are always listed).
    """
    found = []
    for key, place in places(tournament).items():
        rule = _stored(tournament.conn, key, place)
        main = place.column in (
            "factor",
            "ladder",
            "top_value",
            "recalculation",
            "step",
        )
        if every or main or rule.value != place.usual:
            found.append(rule)
    return found


def _plain(key: str) -> str:
    """A key without case, and with hyphens and underscores alike."""
    base, dot, part = key.partition(".")
    return spelling.kind(base) + dot + part.strip().casefold().replace("-", "_")


def _value(place: _Place, typed: str) -> Value:
    """What was typed, as the file stores it."""
    if place.table == "tournament":
        return spelling.tidy(typed)
    if place.column == "tiebreaks":
        return tiebreaks.spelled(typed)
    plain = " ".join(typed.replace(",", ".").casefold().split())
    if plain in _WORDS:
        return _WORDS[plain]
    if place.column in _SHARES:
        per_cent = _PER_CENT.fullmatch(plain)
        shares = resources.table(__file__, "words.toml")["shares"]
        called = next((one for one, words in shares.items() if plain in words), plain)
        plain = f"{Decimal(per_cent[1]) / 100:f}" if per_cent else called
    if place.column == "categories":
        plain = ",".join(map(spelling.tidy, typed.split(",")))
    if place.column in _KINDS_OF:
        return spelling.kind(plain)
    if place.column == "top_value" and not plain.startswith("ratio"):
        return plain.replace(" ", "")
    return plain


def change(tournament: Tournament, setting: str) -> Rule:
    """Store one KEY=VALUE; the rule as it then stands."""
    typed, equals, value = setting.partition("=")
    if not equals:
        raise KeizerError("“{typed}” is no rule: write KEY=VALUE.", typed=setting)
    known = places(tournament)
    key = typed
    if typed not in known:
        plain = _plain(typed).removesuffix(".factor")
        key = {_plain(one): one for one in known}.get(plain, "")
    if not key:
        shown = [one for one in known if "." not in one]
        parts = sorted({one.partition(".")[2] for one in known if "." in one})
        raise KeizerError(
            "there is no rule “{typed}”: there are {rules}; and of a kind {parts}.",
            typed=typed.strip(),
            rules=shown,
            parts=[f"KIND.{part}" for part in parts],
        )
    if key == "status":
        raise KeizerError("`keizer finish DB` closes a season, and opens it again.")
    place = known[key]
    stored = _value(place, value.strip())
    try:
        with tiebreaks.asked_for(tournament.conn, tournament.id, key):
            tournament.conn.execute(
                f"UPDATE {place.table} SET {place.column} = ? WHERE {place.where}",
                (stored, *place.identity),
            )
    except sqlite3.IntegrityError as error:
        why = sentence(error)
        if key == "tiebreaks" and (not stored or "table tiebreak" in str(error)):
            why = tiebreaks.wrong(tournament.conn, str(stored))
        raise KeizerError(
            "{key}={value} was refused: {why}",
            key=key,
            value=spelling.shortened(value.strip()),
            why=why,
        ) from error
    return _stored(tournament.conn, key, place)


def add_kind(tournament: Tournament, name: str) -> str:
    """A further kind of unplayed round, worth nothing yet; its name as stored."""
    kind = spelling.kind(name)
    if kind in tournament.scalars("kinds"):
        raise KeizerError(
            "the tournament already has a kind “{kind}”.", kind=term(kind)
        )
    if kind in {_plain(key) for key in places(tournament) if "." not in key}:
        raise KeizerError(
            "“{typed}” is what a rule is called: choose another name.", typed=kind
        )
    if not kind or not all(
        letter.isalpha() or letter in "0123456789 " for letter in kind
    ):
        raise KeizerError(
            "“{typed}” is no name for a kind: use letters, digits and spaces.",
            typed=name,
        )
    tournament.insert("scoring", tournament_id=tournament.id, kind=kind)
    return kind


def history(tournament: Tournament) -> list[dict[str, Any]]:
    """Rules changed after the first round: round_number, rule, before, after, changed_at."""
    return tournament.records("rule_history")


# -------------------------------------------------------- in the club's words


Values = dict[str, Any]
"""The rules by key, as stored."""


def questions() -> dict[str, dict[str, Any]]:
    """What a club asks, and what it may answer: questions.toml, for templates/said.html."""
    return resources.table(__file__, "questions.toml")


class Asked:
    """The rules of a tournament, what is asked about them, and what they were."""

    def __init__(self, tournament: Tournament) -> None:
        self.here: Values = dict(listed(tournament))
        self.kinds = roster.unplayed_kinds(tournament)
        self.titles = dict(
            tournament.conn.execute("SELECT name, title FROM tiebreak").fetchall()
        )
        self.changes: list[tuple[int, Values, Values]] = []
        """The rules before and after what was changed once a round was paired; the last first."""
        after = self.here
        for row in reversed(history(tournament)):
            before = {**after, row["rule"]: _number(row["before"])}
            self.changes.append((row["round_number"], before, after))
            after = before

    def holds(self, settings: str) -> bool:
        """Whether the rules are so: KEY=VALUE, one a line."""
        pairs = (line.split("=") for line in settings.split("\n"))
        return all(str(self.here.get(key)) == value for key, value in pairs)

    def of(self, values: Values) -> list[dict[str, Any]]:
        """The questions that make sense with these rules, one for each kind of unplayed round."""
        system = values["system"]
        return [
            _about(one, name, kind)
            for name, one in questions().items()
            if name != "rooms" and one.get("system", system) == system
            for kind in (self.kinds if name == "unplayed" else [""])
        ]


def _about(one: dict[str, Any], name: str, kind: str) -> dict[str, Any]:
    key = kind.replace(" ", "-")
    fields = [
        {
            part: text.replace("KIND", key) if part in ("name", "setting") else text
            for part, text in field.items()
        }
        for field in one["fields"]
    ]
    return {
        "says": name,
        **one,
        "name": f"{name}-{key}",
        "kind": key,
        "called": kind,
        "fields": fields,
        "title": one.get("titles", {}).get(kind, one["title"]),
        "tells": {part.replace("KIND", key) for part in one["tells"]},
    }


def _number(text: str | None) -> Any:
    """A value that the history has as text, as the file has it."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


# ------------------------------------------------------ what a change would do


Standings = dict[int, tuple[str, int, float, dict[str, float]]]


def standings(tournament: Tournament) -> Standings:
    """The current standings by player.id: name, rank, score, Keizer points by kind of line."""
    lines: dict[int, dict[str, float]] = {}
    for player, kind, points in tournament.run(
        "lines", round=tournament.now.current_round
    ):
        lines.setdefault(player, {})[kind] = points
    return {
        player: (name, rank, score, lines.get(player, {}))
        for player, name, rank, score in tournament.run("current_standings")
    }


def moves(before: Standings, after: Standings) -> Iterable[Move]:
    """The players in both standings whose rank or score differs, by the rank after."""
    both = before.keys() & after.keys()
    for player in sorted(both, key=lambda player: after[player][1]):
        name, rank, score, lines = after[player]
        _, old_rank, old_score, old_lines = before[player]
        if (rank, score) == (old_rank, old_score):
            continue
        differences = [
            (kind, lines.get(kind, 0) - old_lines.get(kind, 0))
            for kind in {*lines, *old_lines}
        ]
        differences.sort(key=lambda item: (-abs(item[1]), item[0]))
        why = {
            kind: points
            for kind, points in differences
            if texts.shown(abs(points)) != "0"
        }
        yield Move(player, name, old_rank, rank, old_score, score, why)
