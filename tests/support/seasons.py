"""Random seasons: facts for the oracle, and the same facts in a file."""

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


def random_season(
    rng: random.Random,
    *,
    players: range,
    first_id: int = 1,
    most_rounds: int = 33,
    options: bool = False,
) -> Season:
    """A season as clubs have them: absences, late entries, withdrawals, byes.

    options: with any of the settings that a file knows, in any combination;
    about half of these seasons are small, as iterated ones have to be.
    """
    if options and rng.random() < 0.5:
        players, most_rounds = players[:21], min(14, most_rounds)
    count, rounds = rng.choice(players), rng.randint(1, most_rounds)
    ids = range(first_id, first_id + count)
    made = reference.season(generate.season(rng, {}, ids, rounds, plain=not options))
    made.rounds = 0  # those that the facts tell
    if count > 24 or rounds > 14:
        made.rules.recalculation = rng.choice(ONE_PASS)
    return made


Columns = Mapping[str, object]


def _typed(value: object) -> object:
    """As a club would type it: a decimal where that is exact, else a fraction."""
    if isinstance(value, Fraction):
        return float(value) if 1000 % value.denominator == 0 else str(value)
    return value


def insert(conn: sqlite3.Connection, table: str, **row: object) -> int:
    """Write a row as any SQL client could; its id."""
    marks = ", ".join("?" * len(row))
    added = conn.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})",
        [_typed(value) for value in row.values()],
    )
    return added.lastrowid or 0


def update(conn: sqlite3.Connection, table: str, where: Columns, row: Columns) -> None:
    """All columns whichever it is: one statement, which SQLite takes long to prepare."""
    conn.execute(
        f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in row)}"
        f" WHERE {' AND '.join(f'{name} = ?' for name in where)}",
        [_typed(value) for value in (*row.values(), *where.values())],
    )


def _write_scoring(
    conn: sqlite3.Connection, here: Columns, kinds: dict[str, Scoring]
) -> None:
    """New kinds first: others may name them."""
    usual = usual_scoring()
    for kind, scoring in kinds.items():
        if kind not in usual:
            insert(conn, "scoring", **here, kind=kind, applies_to=scoring.applies_to)
    for kind, scoring in kinds.items():
        if scoring != usual.get(kind, Scoring()):
            update(conn, "scoring", {**here, "kind": kind}, _but("applies_to", scoring))


Fact = tuple[str, dict[str, Any]]


def _facts(season: Season) -> list[Fact]:
    """Table and columns of every game and every round without one."""
    found: list[Fact] = []
    for game in season.games:
        wins = zip(
            ("white_wins", "black_wins", "drawn"),
            game.counts or (None,) * 3,
            strict=True,
        )
        found.append(("round", _but("counts", game) | dict(wins)))
    for (number, player), kind in season.unplayed.items():
        found.append(
            ("unplayed", {"round_number": number, "player_id": player, "kind": kind})
        )
    return found


def _but(name: str, fact: object) -> dict[str, Any]:
    """Its columns but for one."""
    return {column: value for column, value in vars(fact).items() if column != name}


def _turn(fact: Fact, rng: random.Random, last: int) -> int:
    """When a fact comes: a game or a bye after those of the rounds before; an absence, whenever."""
    row = fact[1]
    number: int = row["round_number"]
    return number if row.get("kind", "bye") == "bye" else rng.randint(1, last)


def _comes(conn: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> bool:
    """Insert a row, unless its round comes too soon; whether it did."""
    try:
        insert(conn, table, **row)
    except sqlite3.IntegrityError as error:
        if "rounds follow one another" not in str(error):
            raise
        return False
    return True


def write(
    conn: sqlite3.Connection,
    season: Season,
    *,
    bulk: bool = True,
    rng: random.Random | None = None,
    names: Mapping[int, str] = MappingProxyType({}),
) -> int:
    """Write the facts as any SQL client could; the id of the tournament.

    bulk: with the revaluation suspended meanwhile; rng: in a random order, as far as rounds
    then may come in one; names: of players who are not just called by their number.
    """
    tournament = insert(conn, "tournament", description="season")
    here = {"tournament_id": tournament}

    def switch(revaluation: str) -> None:
        update(conn, "tournament", {"id": tournament}, {"revaluation": revaluation})

    if bulk:
        switch("suspended")
    if any(
        getattr(season.rules, rule) != getattr(Rules, rule) for rule in tiebreaks.ASKING
    ):
        tiebreaks.compute_all(conn)
    if season.rules != Rules():
        update(conn, "rules", here, vars(season.rules))
    _write_scoring(conn, here, season.scoring)
    for period in season.periods:
        insert(conn, "period", **here, **vars(period))
    for entry in season.entries:
        conn.execute(
            "INSERT INTO player (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (entry.player, names.get(entry.player, f"Player {entry.player}")),
        )
        columns = _but("player", entry)
        insert(conn, "x_player_tournament", player_id=entry.player, **here, **columns)
    for (player, kind), counts_as in season.exceptions.items():
        insert(
            conn, "exception", **here, player_id=player, kind=kind, counts_as=counts_as
        )
    for made in season.corrections:
        insert(
            conn, "correction", player_id=made.player, **here, **_but("player", made)
        )
    facts = _facts(season)
    if rng:
        rng.shuffle(facts)
        if not bulk:
            facts.sort(key=lambda fact: _turn(fact, rng, max(1, season.last_round())))
    for table, row in facts:
        if not _comes(conn, table, here | row):  # a round was skipped
            switch("suspended")
            insert(conn, table, **here, **row)
            switch("on")
    if bulk:
        switch("on")
    return tournament
