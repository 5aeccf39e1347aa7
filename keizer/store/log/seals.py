"""Seals of the log: a hash of each line and of the seal before it.

At its end, a command seals the lines that it wrote, and those that other programs wrote
since the last seal. A line that is changed, added or removed later has a seal that does
not fit. So undo never brings back a state that was damaged on a stick, for example.
Seals do not protect against forgers: whoever can write to the file can compute them.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from keizer.messages import Message, say
from keizer.store import sql
from keizer.store.connection import digest

_SEALED_TABLES = ("log", "command")
"""The tables whose rows have seals, in the order of sealing.

The seal of a command is also computed from the seal of its last line, so lines come
first.
"""

_LAST_SEAL_QUERIES = {"log": "last_seal_of_log", "command": "last_seal_of_command"}
"""By table: the name of the query for the last row with a seal."""

_SEALED_ROWS_QUERIES = {"log": "sealed_in_log", "command": "sealed_in_command"}
"""By table: the name of the query for the rows that have or get a seal.

A row of the result begins with the id and ends with the seal, which is NULL if the row
has none yet. The seal is computed from all columns before it.
"""


def add(conn: sqlite3.Connection) -> None:
    """Write seals into all lines and commands of the log after the last one sealed.

    A seal is a hash of a row and of the seal before it. Call this when a command has
    ended.
    """
    for table in _SEALED_TABLES:
        last_sealed, seal = _last_seal(conn, table)
        new_seals = []
        for row in sql.run(conn, _SEALED_ROWS_QUERIES[table], after=last_sealed):
            # Each seal is computed from the one before it.
            seal = _seal(seal, row)
            row_id = row[0]
            new_seals.append((seal, row_id))
        conn.executemany(f"UPDATE {table} SET seal = ? WHERE id = ?", new_seals)


def changed_rows(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each line and command that another program changed.

    A seal is a hash of a row and of the seal before it. A wrong seal shows that another
    program changed or removed a row. A missing one shows that it added the row or
    removed the seal. It may also have removed the end of a command (`left_open`).
    """
    for table in _SEALED_TABLES:
        yield from _changed_up_to_last_seal(conn, table)
    yield from left_open(conn)


def _changed_up_to_last_seal(conn: sqlite3.Connection, table: str) -> Iterator[Message]:
    """Yield a message for each row of a table whose seal is wrong or missing.

    A seal is a hash of a row and of the seal before it. Rows after the last one with a
    seal are not looked at; `left_open` does that.
    """
    last_sealed, _ = _last_seal(conn, table)
    seal_before = ""
    for row in sql.run(conn, _SEALED_ROWS_QUERIES[table], after=0):
        row_id = row[0]
        seal = row[-1]
        if row_id > last_sealed:
            return
        if seal is None:
            yield _missing_seal(table, row_id)
        elif seal != _seal(seal_before, row):
            yield _wrong_seal(table, row_id)
        # The stored seal, even if it is wrong. With the right one, all later rows would
        # seem to be wrong, as their seals were computed from the stored ones.
        if seal:
            seal_before = seal


def left_open(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each row of the log whose end or seal is missing.

    Only another program can leave such a row: keizer ends a command and seals it in
    one transaction. The rows are commands that have not ended, though something shows
    that they had; the last row, if its number is too high; and rows after the last seal
    whose command has ended.
    If another program changes rows that people enter, the new lines belong to no
    command, and are not meant: the next command seals them.
    Call this before a command begins, as a running command has no seal either.
    """
    # Commands without an end that have a seal or a message, and commands with sealed
    # lines that have no end or no seal, or are gone.
    unended = sql.run(conn, "unended").fetchall()
    reopened = sql.run(conn, "reopened").fetchall()
    for command in sorted({row[0] for row in (*unended, *reopened)}):
        yield _wrong_seal("command", command)
    for table, row_id in sql.run(conn, "beyond"):
        yield say(
            "row {row} of table {table} has a number that no command gives.",
            row=row_id,
            table=table,
        )
    last_line, _ = _last_seal(conn, "log")
    last_command, _ = _last_seal(conn, "command")
    unsealed = sql.run(conn, "unsealed", log=last_line, command=last_command)
    for table, row_id in unsealed:
        yield _missing_seal(table, row_id)


def _missing_seal(table: str, row_id: int) -> Message:
    """Return a message that a row has no seal."""
    return say(
        "row {row} of table {table} has no seal: it was put in later, or its seal was"
        " taken out.",
        row=row_id,
        table=table,
    )


def _wrong_seal(table: str, row_id: int) -> Message:
    """Return a message that a row was changed after it was sealed."""
    return say(
        "row {row} of table {table} is not as it was sealed: it was changed, or a row"
        " before it is missing.",
        row=row_id,
        table=table,
    )


def _last_seal(conn: sqlite3.Connection, table: str) -> tuple[int, str]:
    """Return the id and the seal of the last row with a seal; 0 and "" if none has."""
    row = sql.run(conn, _LAST_SEAL_QUERIES[table]).fetchone()
    if row is None:
        return 0, ""
    row_id, seal = row
    return row_id, seal


def _seal(seal_before: str, row: tuple[Any, ...]) -> str:
    """Compute the seal of a row from its values and from the seal before it.

    seal_before: "" for the first row. row: the values, and last the stored seal of the
    row, which does not count.
    """
    # Unlike repr(), ascii() gives the same text in every version of Python.
    covered = ascii((seal_before, *row[:-1]))
    return digest([covered.encode()])
