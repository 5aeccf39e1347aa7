"""The adapter of the toolkit keizer: cases in, a line each; its answers out.

The facts go into an empty season file as any SQL client could write them, and the answers come
from the views that everybody reads; a position goes to the pairing engine. Only this file and
build.py need anything from outside this folder.
"""

import json
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any

from keizer.errors import KeizerError
from keizer.pairing import best_pairing
from keizer.pairing.facts import Board, Pairing, Policy
from keizer.season import rules
from keizer.season.queries import Tournament
from keizer.store import sql, tiebreaks

Case = dict[str, Any]

UNITS = 6_000_000
STANDINGS = (
    "SELECT round_number, player_id, rank, value_units, score_units FROM ranking_list"
)
LINES = "SELECT round_number, player_id, kind, points, played_in FROM explanation WHERE points <> 0"
SETTLING = "SELECT round_number, passes, cycle FROM settling"


@cache
def _empty() -> sqlite3.Connection:
    """A season file in memory; every case is taken back after it, so statements are read once."""
    conn = sqlite3.connect(":memory:", isolation_level=None, cached_statements=1000)
    conn.executescript(sql.script())
    tiebreaks.create_all_triggers(conn)
    conn.execute(
        "INSERT INTO tournament (description, revaluation) VALUES ('case', 'suspended')"
    )
    return conn


def _insert(conn: sqlite3.Connection, table: str, **row: object) -> None:
    marks = ", ".join("?" * len(row))
    conn.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", [*row.values()]
    )


def _configure(conn: sqlite3.Connection, settings: dict[str, str]) -> None:
    """New kinds first, since others may name them; the ladder last, since it limits other keys."""
    known = {rule.key for rule in rules.list_rules(Tournament(conn, 1))}
    kinds = dict.fromkeys(key.partition(".")[0] for key in settings if key not in known)
    for kind in kinds:
        if kind not in known:
            rules.add_kind(Tournament(conn, 1), kind.replace("-", " "))
    for key in sorted(settings, key="ladder".__eq__):
        value = settings[key]
        if key.endswith((".counts_with", ".instead")):
            value = value.replace("-", " ")
        # `rules.change` would leave only what this case needs.
        if key in tiebreaks.RULES_WITH_TRIGGERS:
            conn.execute(f"UPDATE rules SET {key} = ?", (value,))
        else:
            rules.change(Tournament(conn, 1), f"{key}={value}")


def _write(conn: sqlite3.Connection, case: Case) -> None:
    _configure(conn, case["rules"])
    for told in case.get("periods", []):
        _insert(conn, "period", tournament_id=1, **told)
    for told in case["players"]:
        player = told["id"]
        _insert(conn, "player", id=player, name=f"Player {player}")
        entry = {key: told[key] for key in told if key != "id"}
        _insert(conn, "x_player_tournament", tournament_id=1, player_id=player, **entry)
    for told in case.get("exceptions", []):
        where = {"tournament_id": 1, "player_id": told["player"]}
        _insert(
            conn, "exception", **where, kind=told["kind"], counts_as=told["counts_as"]
        )
    for told in case.get("corrections", []):
        where = {
            "tournament_id": 1,
            "player_id": told["player"],
            "round_number": told["round"],
        }
        points = float(Fraction(told["points"]))
        _insert(
            conn,
            "correction",
            **where,
            points=points,
            last_round=told.get("last_round"),
        )
    for number, told in enumerate(case["rounds"], 1):
        here = {"tournament_id": 1, "round_number": number}
        for white, black, result in told.get("games", []):
            _insert(conn, "round", **here, white=white, black=black, result=result)
        for player, kind in told.get("unplayed", {}).items():
            _insert(conn, "unplayed", **here, player_id=int(player), kind=kind)
        if not told.get("games") and "bye" not in told.get("unplayed", {}).values():
            _insert(conn, "schedule", **here, published_at="2026-01-01 20:00:00")


def _exact(units: int) -> str:
    return str(Fraction(units, UNITS))


def season(case: Case) -> Case:
    """All standings of a season."""
    conn = _empty()
    conn.execute("BEGIN")
    try:
        _write(conn, case)
        conn.execute("UPDATE tournament SET revaluation = 'on'")
        tables: dict[int, Case] = {
            number: {"round": number, "ranks": {}, "values": {}}
            | ({"scores": {}, "lines": {}} if number else {})
            for number in range(len(case["rounds"]) + 1)
        }
        for number, player, rank, value, score in conn.execute(STANDINGS):
            tables[number]["ranks"][str(player)] = rank
            tables[number]["values"][str(player)] = _exact(value)
            if number:
                tables[number]["scores"][str(player)] = _exact(score)
                tables[number]["lines"][str(player)] = []
        for number, player, kind, points, played_in in conn.execute(LINES):
            line = [kind, _exact(round(points * UNITS)), played_in]
            tables[number]["lines"][str(player)].append(line)
        for number, passes, cycle in conn.execute(SETTLING):
            tables[number]["settled"] = {"passes": passes, "period": cycle}
        return {"tables": [*tables.values()]}
    finally:
        conn.execute("ROLLBACK")


OUTRIGHT = """
CREATE TABLE presence (tournament_id, round_number, player_id, name, pairing_rank, byes, absence,
  bye_last_round, starts, group_number, score_units);
CREATE TABLE z_meeting (tournament_id, round_number, white, black);
CREATE TABLE z_float (tournament_id, round_number, player_id, way);
CREATE INDEX with_white ON z_meeting (tournament_id, white);
CREATE INDEX with_black ON z_meeting (tournament_id, black);
INSERT INTO tournament (description) VALUES ('position');
INSERT INTO rules (tournament_id) VALUES (1);
"""
"""What views make of facts, a position says outright: who comes, and who has met."""
AS_IN_A_FILE = (
    "tournament", "rules", "period", "prohibited_pairing", "z_colour", "z_present",
    "z_met", "possible_boards", "proposal",
)  # fmt: skip


@cache
def _ground() -> sqlite3.Connection:
    """The views of pairing and the tables below them, without triggers."""
    names = ", ".join("?" * len(AS_IN_A_FILE))
    found = _empty().execute(
        f"SELECT sql FROM sqlite_master WHERE name IN ({names})", AS_IN_A_FILE
    )
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.executescript(";".join(text for (text,) in found) + ";" + OUTRIGHT)
    return conn


@contextmanager
def laid_out(
    told: Case, settings: Mapping[str, object]
) -> Iterator[sqlite3.Connection]:
    """A position as tournament 1 of a database, which is taken back afterwards.

    told: as a case has it, a player with `score` and `floats` in a Swiss. settings: columns of
    rules.
    """
    conn, number = _ground(), told["round"]
    conn.execute("BEGIN")
    try:
        conn.execute("UPDATE tournament SET coming_round = ?", (number,))
        for column, value in settings.items():
            conn.execute(f"UPDATE rules SET {column} = ?", (value,))
        start = told.get("period_start", 1)
        _insert(conn, "period", tournament_id=1, first_round=start)
        for rank, player in enumerate(told["players"], 1):
            _insert(
                conn, "presence", tournament_id=1, round_number=number, player_id=player["id"],
                name=str(player["id"]), pairing_rank=rank, byes=player.get("byes", 0),
                bye_last_round=player.get("bye_last_round", False),
                starts=player.get("first", False), group_number=player.get("group", 0),
                score_units=player.get("score", 0),
            )  # fmt: skip
            for back, way in enumerate(player.get("floats", ()), 1):
                here = {"tournament_id": 1, "player_id": player["id"]}
                _insert(conn, "z_float", **here, round_number=number - back, way=way)
            for name in player.get("prohibited", ()):
                here = {"tournament_id": 1, "player_id": player["id"]}
                _insert(conn, "prohibited_pairing", **here, name=name)
        conn.executemany(
            "INSERT INTO z_meeting VALUES (1, ?, ?, ?)", told.get("games", [])
        )
        yield conn
    finally:
        conn.execute("ROLLBACK")


def paired(told: Case, policy: Policy) -> Pairing:
    """The best pairing of a position."""
    with laid_out(told, policy._asdict()) as conn:
        places = [player["id"] for player in told["players"]]
        fixed = [Board(*board) for board in told.get("settled", [])]
        return best_pairing(conn, 1, policy, places, fixed=fixed, bye=told.get("bye"))


def position(case: Case) -> Case:
    """The boards and the bye of the best pairing of a case."""
    usual = Policy()._asdict()
    chosen: dict[str, Any] = {}
    for key, text in case["rules"].items():
        if text == "none":
            chosen[key] = None
        elif isinstance(usual[key], bool):
            chosen[key] = text == "1"
        else:
            chosen[key] = int(text) if text.isdigit() else text
    found = paired(case["position"], Policy(**chosen))
    return {"boards": [list(board) for board in found.boards], "bye": found.bye}


def main() -> None:
    """Answer every line of standard input."""
    for line in sys.stdin:
        case = json.loads(line)
        try:
            found = position(case) if "position" in case else season(case)
        except (KeizerError, sqlite3.Error) as error:
            found = {"error": str(error)}
        print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main()
