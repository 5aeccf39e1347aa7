"""Take back the last command: what it changed, row by row.

While a command runs, temporary triggers on the fact tables note the first
state of every row it touches, be it by the command or by a trigger of the
file. Before the commit the net change is kept in table `step`. Undoing checks
that each row is still as the command left it, and puts the old one back.
"""

import json
import sqlite3
from typing import Any

from keizer import tiebreaks
from keizer.errors import KeizerError

KEPT = 100
"""How many steps a file keeps."""

# The facts; and of their columns, those that the file keeps by itself.
_FACTS = (
    "tournament", "player", "rules", "scoring", "period", "x_player_tournament", "personal",
    "correction", "inner_group", "apart", "schedule", "coming", "round", "unplayed",
    "relaxation", "passed_over",
    "rule_change",
)  # fmt: skip
_COMPUTED = {"revaluation", "stale_from", "credited_as", "halvings"}

# Who sits where, and what is on record of it.
_SEATS = ("round", "unplayed", "relaxation", "passed_over")

# Rows that a trigger of the file makes and removes with their tournament.
_FOLLOWING = {"rules", "scoring", "period", "inner_group"}


def _columns(conn: sqlite3.Connection, fact: str) -> list[str]:
    """The columns of a table that people and commands write."""
    found = conn.execute(f"SELECT name FROM pragma_table_xinfo('{fact}') WHERE NOT hidden")
    kept = _COMPUTED | ({"score"} if fact == "x_player_tournament" else set())
    return [row[0] for row in found.fetchall() if row[0] not in kept]


def begin(conn: sqlite3.Connection) -> None:
    """Start noting what this connection changes."""
    conn.execute(
        "CREATE TEMP TABLE touched (number INTEGER PRIMARY KEY, fact TEXT, row INTEGER,"
        " before TEXT, UNIQUE (fact, row))"
    )
    conn.execute("CREATE TEMP TABLE told (sentence TEXT)")
    for fact in _FACTS:
        columns = _columns(conn, fact)
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
    columns = ", ".join(_columns(conn, fact))
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


def _insert(conn: sqlite3.Connection, fact: str, row: int, values: list[Any]) -> None:
    columns = _columns(conn, fact)
    slots = ", ".join("?" * (len(columns) + 1))
    conn.execute(
        f"INSERT INTO {fact} (rowid, {', '.join(columns)}) VALUES ({slots})", (row, *values)
    )


def _put_back(
    conn: sqlite3.Connection,
    fact: str,
    row: int,
    before: list[Any] | None,
    after: list[Any] | None,
) -> None:
    """One row as it was before."""
    if before is None:
        conn.execute(f"DELETE FROM {fact} WHERE rowid = ?", (row,))
    elif after is None:
        _insert(conn, fact, row, before)
    else:
        settings = ", ".join(f"{column} = ?" for column in _columns(conn, fact))
        conn.execute(f"UPDATE {fact} SET {settings} WHERE rowid = ?", (*before, row))


def _moved(
    conn: sqlite3.Connection,
    fact: str,
    _row: int,
    before: list[Any] | None,
    after: list[Any] | None,
) -> bool:
    """Whether a row says something else than before of who was where."""
    if fact not in _SEATS:
        return False
    if before is None or after is None:
        return True
    places = {"round_number", "board", "white", "black", "player_id", "nearer"}
    both = zip(_columns(conn, fact), before, after, strict=True)
    return any(old != new for column, old, new in both if column in places)


def _take_back(conn: sqlite3.Connection, changes: list[list[Any]]) -> None:
    """Every row as it was before, the last change first.

    Who changed seats gets up first and sits down last, or two would be in one
    place for a moment; what is on record of a pairing goes with its seats.
    """
    born = any(fact == "tournament" and before is None for fact, _, before, _ in changes)
    following = {"rule_change", *(_FOLLOWING if born else ())}
    rest: list[list[Any]] = []
    moved: list[list[Any]] = []
    for change in reversed(changes):
        (moved if _moved(conn, *change) else rest).append(change)
    for fact, row, _, _ in moved:
        conn.execute(f"DELETE FROM {fact} WHERE rowid = ?", (row,))
    for change in rest:
        if change[0] not in following:
            _put_back(conn, *change)
    for fact, row, before, _ in sorted(moved, key=lambda change: _SEATS.index(change[0])):
        if before is not None:
            _insert(conn, fact, row, before)


def _last(conn: sqlite3.Connection) -> sqlite3.Row:
    step: sqlite3.Row | None = conn.execute(
        "SELECT id, command, changes FROM step ORDER BY id DESC"
    ).fetchone()
    if step is None:
        raise KeizerError("there is nothing to undo.")
    return step


def last(conn: sqlite3.Connection) -> str:
    """What `undo` would take back, a sentence; KeizerError when there is nothing."""
    return str(_last(conn)["command"])


def undo(conn: sqlite3.Connection) -> str:
    """Take back the last step; its sentence is returned.

    Raises KeizerError when there is none, or when another program has changed
    one of its rows since.
    """
    step = _last(conn)
    changes = json.loads(step["changes"])
    for fact, row, _, after in changes:
        if _now(conn, fact, row) != after:
            raise KeizerError(
                f"not undone: since “{step['command']}” another program changed "
                f"what it wrote in table {fact}."
            )
    conn.execute("PRAGMA defer_foreign_keys = ON")  # until the rankings are up to it
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    (recorded,) = conn.execute("SELECT COALESCE(max(id), 0) FROM rule_change").fetchone()
    tiebreaks.compute_all(conn)
    _take_back(conn, changes)
    # A change taken back was none, and neither is the taking back.
    conn.execute("DELETE FROM rule_change WHERE id > ?", (recorded,))
    for fact, row, _, _ in changes:
        if fact == "rule_change":
            conn.execute("DELETE FROM rule_change WHERE id = ?", (row,))
    tiebreaks.compute_needed(conn)
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    conn.execute("DELETE FROM step WHERE id = ?", (step["id"],))
    return str(step["command"])
