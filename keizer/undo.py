"""Take back the last command: what it changed, row by row.

While a command runs, temporary triggers on the fact tables note the first
state of every row it touches, be it by the command or by a trigger of the
file. Before the commit the net change is kept in table `step`. Undoing checks
that each row is still as the command left it, and puts the old one back.
"""

import json
import sqlite3
from typing import Any

from keizer.errors import KeizerError

KEPT = 100
"""How many steps a file keeps."""

# The facts, and of those the columns that people and commands write.
_FACTS = {
    "tournament": ("id", "description", "status"),
    "player": ("id", "name", "category", "rating"),
    "rules": (
        "tournament_id", "top_value", "step", "floor_value",
        "rematch_gap", "max_meetings",
    ),
    "scoring": ("tournament_id", "kind", "applies_to", "factor", "fixed", "points"),
    "x_player_tournament": (
        "player_id", "tournament_id", "status", "start_rank", "rating",
        "first_round", "last_round",
    ),
    "round": (
        "tournament_id", "round_number", "board", "white", "black", "result",
        "last_updated",
    ),
    "unplayed": ("tournament_id", "round_number", "player_id", "kind"),
}  # fmt: skip

# Rows that a trigger of the file makes and removes with their tournament.
_FOLLOWING = {"rules", "scoring"}


def begin(conn: sqlite3.Connection) -> None:
    """Start noting what this connection changes."""
    conn.execute(
        "CREATE TEMP TABLE touched (number INTEGER PRIMARY KEY, fact TEXT, row INTEGER,"
        " before TEXT, UNIQUE (fact, row))"
    )
    conn.execute("CREATE TEMP TABLE told (sentence TEXT)")
    for fact, columns in _FACTS.items():
        old = "json_array(" + ", ".join(f"OLD.{column}" for column in columns) + ")"
        for event, row, before in (
            ("INSERT", "NEW", "NULL"),
            ("DELETE", "OLD", old),
            ("UPDATE OF " + ", ".join(columns), "OLD", old),
        ):
            conn.execute(
                f"CREATE TEMP TRIGGER touched_{fact}_{event[:6]} AFTER {event} ON main.{fact} "
                f"BEGIN INSERT INTO touched (fact, row, before) "
                f"SELECT '{fact}', {row}.rowid, {before} WHERE NOT EXISTS (SELECT 1 FROM touched "
                f"WHERE fact = '{fact}' AND row = {row}.rowid); END"
            )


def describe(conn: sqlite3.Connection, sentence: str) -> None:
    """Say what the running command does, for `keizer undo` to repeat."""
    conn.execute("DELETE FROM told")
    conn.execute("INSERT INTO told VALUES (?)", (sentence,))


def _now(conn: sqlite3.Connection, fact: str, row: int) -> list[Any] | None:
    columns = ", ".join(_FACTS[fact])
    found = conn.execute(f"SELECT {columns} FROM {fact} WHERE rowid = ?", (row,)).fetchone()
    return None if found is None else list(found)


def record(conn: sqlite3.Connection) -> None:
    """Keep what was noted since `begin` as one step, if anything changed."""
    changes = []
    touched = conn.execute("SELECT fact, row, before FROM touched ORDER BY number").fetchall()
    for fact, row, text in touched:
        before, after = text and json.loads(text), _now(conn, fact, row)
        if before != after:
            changes.append([fact, row, before, after])
    if not changes:
        return
    told = conn.execute("SELECT sentence FROM told").fetchone()
    conn.execute(
        "INSERT INTO step (command, changes) VALUES (?, ?)",
        (told[0] if told else "a change", json.dumps(changes, ensure_ascii=False)),
    )
    conn.execute("DELETE FROM step WHERE id <= (SELECT max(id) FROM step) - ?", (KEPT,))


def undo(conn: sqlite3.Connection) -> str:
    """Take back the last step; its sentence is returned.

    Raises KeizerError when there is none, or when another program has changed
    one of its rows since.
    """
    step = conn.execute("SELECT id, command, changes FROM step ORDER BY id DESC").fetchone()
    if step is None:
        raise KeizerError("there is nothing to undo.")
    changes = json.loads(step["changes"])
    for fact, row, _, after in changes:
        if _now(conn, fact, row) != after:
            raise KeizerError(
                f"not undone: since “{step['command']}” another program changed "
                f"what it wrote in table {fact}."
            )
    born = any(fact == "tournament" and before is None for fact, _, before, _ in changes)
    conn.execute("PRAGMA defer_foreign_keys = ON")  # until the rankings are up to it
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    for fact, row, before, after in reversed(changes):
        if born and fact in _FOLLOWING:
            continue
        columns = _FACTS[fact]
        if before is None:
            conn.execute(f"DELETE FROM {fact} WHERE rowid = ?", (row,))
        elif after is None:
            slots = ", ".join("?" * (len(columns) + 1))
            conn.execute(
                f"INSERT INTO {fact} (rowid, {', '.join(columns)}) VALUES ({slots})",
                (row, *before),
            )
        else:
            settings = ", ".join(f"{column} = ?" for column in columns)
            conn.execute(f"UPDATE {fact} SET {settings} WHERE rowid = ?", (*before, row))
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    conn.execute("DELETE FROM step WHERE id = ?", (step["id"],))
    return str(step["command"])
