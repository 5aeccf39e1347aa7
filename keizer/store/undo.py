"""Take back the last command, from the log that the file keeps.

A command is a row of table step, and its triggers note in table log how each row
of a fact is after every change. What a row was before is what the log said last
before the command. Undoing checks that each row is still as the command left it,
puts the old one back, and is on the log itself.
"""

import os
import sqlite3
from typing import TYPE_CHECKING

from keizer.errors import KeizerError
from keizer.store import tiebreaks

if TYPE_CHECKING:
    from keizer.store.history import Cells

# What is on record of a pairing: the file drops it with the seats it is about.
_RECORDED = ("relaxation", "passed_over")

# Who sits where, and that.
_SEATS = ("round", "unplayed", *_RECORDED)

# Rows that a trigger of the file makes and removes with their tournament.
_FOLLOWING = {"rules", "scoring", "period", "inner_group"}

_PLACES = ("tournament_id", "round_number", "board", "white", "black", "player_id", "nearer")

_LAST = """
SELECT id, command FROM step AS done
WHERE undoes IS NULL AND made_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM step WHERE undoes = done.id)
ORDER BY id DESC LIMIT 1
"""

# The rows a step touched, in its order, as they were and as it left them.
_CHANGES = """
SELECT fact, row,
  (SELECT state FROM log AS l WHERE l.fact = touched.fact AND l.row = touched.row
    AND l.id < touched.first ORDER BY l.id DESC LIMIT 1) AS before,
  (SELECT state FROM log AS l WHERE l.id = touched.last) AS after
FROM (
  SELECT fact, row, min(id) AS first, max(id) AS last
  FROM log WHERE step_id = ? GROUP BY fact, row
) AS touched
ORDER BY first
"""

Change = tuple[str, int, "Cells | None", "Cells | None"]


def begin(conn: sqlite3.Connection) -> None:
    """Let what this connection changes be one step."""
    # Open is what another program wrote there: a command ends its own.
    conn.execute("UPDATE step SET made_at = CURRENT_TIMESTAMP, undoes = id WHERE made_at IS NULL")
    conn.execute("INSERT INTO step (command, who) VALUES ('a change', ?)", (_account(),))


def _account() -> str | None:
    """The name of the account this runs under, where the system knows one."""
    # As getpass.getuser, which takes a twentieth of the command to import.
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        if os.environ.get(name):
            return os.environ[name]
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return None


def describe(conn: sqlite3.Connection, sentence: str) -> None:
    """Say what the running command does, for `keizer undo` and the log."""
    conn.execute("UPDATE step SET command = ? WHERE made_at IS NULL", (sentence,))


def changes(conn: sqlite3.Connection) -> list[sqlite3.Row]:
    """The rows that the running step touched: fact, row, and their states before and after."""
    (step,) = conn.execute("SELECT id FROM step WHERE made_at IS NULL").fetchone()
    return conn.execute(_CHANGES, (step,)).fetchall()


def record(conn: sqlite3.Connection, *, undoable: bool = True) -> bool:
    """End the step that `begin` began; whether it changed anything."""
    changed = changes(conn)
    if not changed:
        conn.execute("DELETE FROM step WHERE made_at IS NULL")
    elif not undoable or all(change[2] == change[3] for change in changed):
        conn.execute("UPDATE step SET undoes = id WHERE made_at IS NULL")
    conn.execute("UPDATE step SET made_at = CURRENT_TIMESTAMP WHERE made_at IS NULL")
    return bool(changed)


def number(fact: str) -> str:
    """The column that is the number of a row, as in table log."""
    return "tournament_id" if fact == "rules" else "id"


def _insert(conn: sqlite3.Connection, fact: str, row: int, values: "Cells") -> None:
    if fact == "round":  # NULLs are not in a state, and the file would date it by itself
        values = {"last_updated": None, **values}
    slots = ", ".join("?" * (len(values) + 1))
    conn.execute(
        f"INSERT INTO {fact} ({number(fact)}, {', '.join(values)}) VALUES ({slots})",
        (row, *values.values()),
    )


def _put_back(
    conn: sqlite3.Connection, fact: str, row: int, before: "Cells | None", after: "Cells | None"
) -> None:
    """One row as it was before."""
    if before is None:
        conn.execute(f"DELETE FROM {fact} WHERE {number(fact)} = ?", (row,))
    elif after is None:
        _insert(conn, fact, row, before)
    else:
        # What is not in a state is NULL.
        numbers = ("fide_id", "national_id") if fact == "player" else ()
        was = {column: before.get(column) for column in (*before, *after, *numbers)}
        settings = ", ".join(f"{column} = ?" for column in was)
        conn.execute(f"UPDATE {fact} SET {settings} WHERE {number(fact)} = ?", (*was.values(), row))
        if fact == "round":  # which the file dates by itself where a result is new
            dated = "UPDATE round SET last_updated = ? WHERE id = ?"
            conn.execute(dated, (was.get("last_updated"), row))


def _moved(fact: str, _row: int, before: "Cells | None", after: "Cells | None") -> bool:
    """Whether a row says something else than before of who was where, or goes with it."""
    if fact not in _SEATS:
        return False
    if fact in _RECORDED or before is None or after is None:
        return True
    return any(before.get(column) != after.get(column) for column in _PLACES)


def _take_back(conn: sqlite3.Connection, changes: list[Change]) -> None:
    """Every row as it was before, the last change first.

    Who changed seats gets up first and sits down last, or two would be in one
    place for a moment; what is on record of a pairing goes with its seats.
    """
    born = any(fact == "tournament" and before is None for fact, _, before, _ in changes)
    following = _FOLLOWING if born else set()
    rest: list[Change] = []
    moved: list[Change] = []
    for change in reversed(changes):
        (moved if _moved(*change) else rest).append(change)
    for fact, row, _, _ in moved:
        conn.execute(f"DELETE FROM {fact} WHERE {number(fact)} = ?", (row,))
    for fact, row, before, after in rest:
        if fact == "player" and before and after:  # two may have changed numbers
            free = "UPDATE player SET fide_id = NULL, national_id = NULL WHERE id = ?"
            conn.execute(free, (row,))
    for change in rest:
        if change[0] not in following:
            _put_back(conn, *change)
    for fact, row, before, _ in sorted(moved, key=lambda change: _SEATS.index(change[0])):
        if before is not None:
            _insert(conn, fact, row, before)


def _last(conn: sqlite3.Connection) -> sqlite3.Row:
    step: sqlite3.Row | None = conn.execute(_LAST).fetchone()
    if step is None:
        raise KeizerError("there is nothing to undo.")
    return step


def last(conn: sqlite3.Connection) -> str:
    """What `undo` would take back, a sentence; KeizerError when there is nothing."""
    return str(_last(conn)["command"])


def undo(conn: sqlite3.Connection) -> str:
    """Take back the last step that still stands; its sentence is returned.

    Raises KeizerError when there is none, or when another program has changed
    one of its rows since.
    """
    from keizer.store.history import cells

    step = _last(conn)
    changes: list[Change] = []
    for fact, row, before, after in conn.execute(_CHANGES, (step["id"],)).fetchall():
        now = conn.execute(
            "SELECT state FROM _logged WHERE fact = ? AND row = ?", (fact, row)
        ).fetchone()
        if (now and now[0]) != after:
            raise KeizerError(
                f"not undone: since “{step['command']}” another program changed "
                f"what it wrote in table {fact}."
            )
        if before != after or fact in _RECORDED:
            changes.append((fact, row, cells(before), cells(after)))
    conn.execute(
        "UPDATE step SET command = ?, undoes = ? WHERE made_at IS NULL",
        (f"undo: {step['command']}", step["id"]),
    )
    conn.execute("PRAGMA defer_foreign_keys = ON")  # until the rankings are up to it
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    tiebreaks.compute_all(conn)
    try:
        _take_back(conn, changes)
    except sqlite3.IntegrityError as error:
        raise KeizerError(
            f"not undone: since “{step['command']}” another program changed what it rests on"
            f" ({error})."
        ) from error
    tiebreaks.compute_needed(conn)
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    return str(step["command"])
