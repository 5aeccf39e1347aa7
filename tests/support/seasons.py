"""Random seasons: the facts for an oracle, and the same facts in a file.

The facts are drawn by conformance/generate.py, and the oracle of what follows from them
is conformance/seasons.py, which computes values, scores and ranks by
conformance/specification.md. This module computes neither. It writes the facts with
plain INSERTs and UPDATEs, as any SQL client could, so that nothing of keizer but the
file's own SQL is behind the figures that a test then compares.
"""

import random
import sqlite3
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from conformance import generate, reference
from conformance.seasons import Rules, Scoring, Season, usual_scoring
from keizer.store import tiebreaks

ONE_PASS = ["classic", "frozen", "lagged", "fixed"]
"""The recalculations that do not iterate, which would take a large season long."""

Columns = Mapping[str, object]
Fact = tuple[str, dict[str, Any]]
"""A table and the columns of a row in it."""


def random_season(
    rng: random.Random,
    *,
    players: range,
    first_id: int = 1,
    most_rounds: int = 33,
    options: bool = False,
) -> Season:
    """Return a season as clubs have them: absences, late entries, withdrawals, byes.

    options: with any of the settings that a file knows, in any combination;
    about half of these seasons are small, as iterated ones have to be.
    """
    if options and rng.random() < 0.5:
        players = players[:21]
        most_rounds = min(14, most_rounds)
    count = rng.choice(players)
    rounds = rng.randint(1, most_rounds)
    ids = range(first_id, first_id + count)
    case = generate.season(rng, {}, ids, rounds, plain=not options)
    season = reference.season(case)
    season.rounds = 0  # the facts say how many
    if count > 24 or rounds > 14:
        season.rules.recalculation = rng.choice(ONE_PASS)
    return season


# ------------------------------------------------------------------ rows of a file


def _typed(value: object) -> object:
    """Return a value as a club would type it: a decimal if exact, else a fraction."""
    if not isinstance(value, Fraction):
        return value
    has_three_decimals = 1000 % value.denominator == 0
    return float(value) if has_three_decimals else str(value)


def insert(conn: sqlite3.Connection, table: str, **row: object) -> int:
    """Insert a row as any SQL client could; return its id."""
    columns = ", ".join(row)
    marks = ", ".join("?" * len(row))
    cursor = conn.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({marks})",
        [_typed(value) for value in row.values()],
    )
    return cursor.lastrowid or 0


def update(conn: sqlite3.Connection, table: str, where: Columns, row: Columns) -> None:
    """Set all columns, changed or not: a statement is long to prepare for SQLite."""
    changes = ", ".join(f"{name} = ?" for name in row)
    condition = " AND ".join(f"{name} = ?" for name in where)
    conn.execute(
        f"UPDATE {table} SET {changes} WHERE {condition}",
        [_typed(value) for value in (*row.values(), *where.values())],
    )


def _but(name: str, fact: object) -> dict[str, Any]:
    """Return the columns of a fact but for one."""
    return {column: value for column, value in vars(fact).items() if column != name}


def _insert_unless_too_soon(conn: sqlite3.Connection, table: str, row: Columns) -> bool:
    """Insert a row, unless the file refuses it since a round before is missing."""
    try:
        insert(conn, table, **row)
    except sqlite3.IntegrityError as error:
        if "rounds follow one another" not in str(error):
            raise
        return False
    return True


# ------------------------------------------------------------------ a whole season


def write(
    conn: sqlite3.Connection,
    season: Season,
    *,
    bulk: bool = True,
    rng: random.Random | None = None,
    names: Mapping[int, str] = MappingProxyType({}),
) -> int:
    """Write the facts as any SQL client could; return the id of the tournament.

    Args:
        conn: A season file.
        season: The facts.
        bulk: Suspend the revaluation meanwhile.
        rng: Shuffle games and absences, as far as rounds may come in any order.
        names: Of players who are not just called by their number.
    """
    tournament = insert(conn, "tournament", description="season")

    def switch(revaluation: str) -> None:
        update(conn, "tournament", {"id": tournament}, {"revaluation": revaluation})

    if bulk:
        switch("suspended")
    _write_rules(conn, tournament, season)
    _write_entries(conn, tournament, season, names)
    facts = _facts(tournament, season)
    if rng:
        rng.shuffle(facts)
        if not bulk:
            last_round = max(1, season.last_round())
            facts.sort(key=lambda fact: _turn(fact, rng, last_round))
    for table, row in facts:
        if not _insert_unless_too_soon(conn, table, row):
            switch("suspended")
            insert(conn, table, **row)
            switch("on")
    if bulk:
        switch("on")
    return tournament


def _write_rules(conn: sqlite3.Connection, tournament: int, season: Season) -> None:
    key = {"tournament_id": tournament}
    rules = vars(season.rules)
    if any(
        rules[name] != getattr(Rules, name) for name in tiebreaks.RULES_WITH_TRIGGERS
    ):
        tiebreaks.create_all_triggers(conn)
    if season.rules != Rules():
        update(conn, "rules", key, rules)
    usual = usual_scoring()
    # new kinds first, since others may name them
    for kind, scoring in season.scoring.items():
        if kind not in usual:
            insert(conn, "scoring", **key, kind=kind, applies_to=scoring.applies_to)
    for kind, scoring in season.scoring.items():
        if scoring != usual.get(kind, Scoring()):
            update(conn, "scoring", key | {"kind": kind}, _but("applies_to", scoring))
    for period in season.periods:
        insert(conn, "period", **key, **vars(period))


def _write_entries(
    conn: sqlite3.Connection, tournament: int, season: Season, names: Mapping[int, str]
) -> None:
    """Write the players, their entries, exceptions and corrections."""
    key = {"tournament_id": tournament}
    for entry in season.entries:
        player = entry.player
        conn.execute(
            "INSERT INTO player (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (player, names.get(player, f"Player {player}")),
        )
        columns = _but("player", entry)
        insert(conn, "x_player_tournament", player_id=player, **key, **columns)
    for (player, kind), counts_as in season.exceptions.items():
        insert(
            conn, "exception", **key, player_id=player, kind=kind, counts_as=counts_as
        )
    for correction in season.corrections:
        columns = _but("player", correction)
        insert(conn, "correction", player_id=correction.player, **key, **columns)


def _facts(tournament: int, season: Season) -> list[Fact]:
    """Return the rows of all games and of all rounds without one."""
    key = {"tournament_id": tournament}
    facts: list[Fact] = []
    for game in season.games:
        white_wins, black_wins, drawn = game.counts or (None, None, None)
        match = {"white_wins": white_wins, "black_wins": black_wins, "drawn": drawn}
        facts.append(("round", key | _but("counts", game) | match))
    for (number, player), kind in season.unplayed.items():
        row = {"round_number": number, "player_id": player, "kind": kind}
        facts.append(("unplayed", key | row))
    return facts


def _turn(fact: Fact, rng: random.Random, last_round: int) -> int:
    """Return after which round a fact comes.

    A game or a bye comes after those of the rounds before, an absence whenever.
    """
    _, row = fact
    is_absence = row.get("kind", "bye") != "bye"
    if is_absence:
        return rng.randint(1, last_round)
    return int(row["round_number"])
