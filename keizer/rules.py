"""The rules of a tournament as KEY=VALUE: rows of tables rules and scoring.

Keys are the columns of `rules`; a kind of `scoring` for its factor, and
KIND.fixed and KIND.points for the rest; `name` and `status` of the tournament.
"""

import sqlite3
from typing import NamedTuple

from keizer import names
from keizer.database import sentence
from keizer.errors import KeizerError

_RULES = ("top_value", "step", "floor_value", "rematch_gap", "max_meetings")
_PARTS = ("factor", "fixed", "points")
_TOURNAMENT = {"name": "description", "status": "status"}


class Rule(NamedTuple):
    """One setting: its key and its value as stored."""

    key: str
    value: str | float


class _Place(NamedTuple):
    """Where a key is stored."""

    table: str
    column: str
    where: str
    identity: tuple[int | str, ...]


def _places(conn: sqlite3.Connection, tournament: int) -> dict[str, _Place]:
    places = {
        key: _Place("tournament", column, "id = ?", (tournament,))
        for key, column in _TOURNAMENT.items()
    }
    for column in _RULES:
        places[column] = _Place("rules", column, "tournament_id = ?", (tournament,))
    kinds = conn.execute(
        "SELECT kind FROM scoring WHERE tournament_id = ? ORDER BY rowid", (tournament,)
    )
    for (kind,) in kinds.fetchall():
        for part in _PARTS:
            key = kind.replace(" ", "-") + ("" if part == "factor" else f".{part}")
            where = "tournament_id = ? AND kind = ?"
            places[key] = _Place("scoring", part, where, (tournament, kind))
    return places


def _stored(conn: sqlite3.Connection, key: str, place: _Place) -> Rule:
    found = conn.execute(
        f"SELECT {place.column} FROM {place.table} WHERE {place.where}", place.identity
    )
    return Rule(key, found.fetchone()[0])


def listed(conn: sqlite3.Connection, tournament: int) -> list[Rule]:
    """Every rule of the tournament, as stored."""
    return [_stored(conn, key, place) for key, place in _places(conn, tournament).items()]


def _plain(key: str) -> str:
    """A key without case, and with hyphens and underscores alike."""
    base, dot, part = key.partition(".")
    return names.kind(base) + dot + part.strip().casefold()


def change(conn: sqlite3.Connection, tournament: int, setting: str) -> Rule:
    """Store one KEY=VALUE; the rule as it then stands.

    Raises KeizerError for an unknown key or a value that the file refuses.
    """
    typed, equals, value = setting.partition("=")
    if not equals:
        raise KeizerError(f"“{setting}” is no rule: write KEY=VALUE.")
    places = _places(conn, tournament)
    key = {_plain(known): known for known in places}.get(_plain(typed))
    if key is None:
        raise KeizerError(f"there is no rule “{typed.strip()}”: there are {', '.join(places)}.")
    place = places[key]
    stored = value.strip().replace(",", ".") if place.table != "tournament" else value.strip()
    try:
        conn.execute(
            f"UPDATE {place.table} SET {place.column} = ? WHERE {place.where}",
            (stored, *place.identity),
        )
    except sqlite3.IntegrityError as error:
        raise KeizerError(f"{key}={value.strip()} was refused: {sentence(error)}") from error
    return _stored(conn, key, place)
