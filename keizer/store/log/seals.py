"""Seals of the log: a hash of each line and of the seal before it.

A command seals what it wrote, and what other programs wrote since the last seal. Whatever
changes later, adds or takes away a line shows as a seal that does not fit: a bit that turned
over on a stick, say, in a state that undo would bring back. Against forgers seals are no
help: who can write to the file can compute them as well.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from keizer.messages import Message, say
from keizer.store import sql
from keizer.store.connection import digest

_QUERIES = {
    "log": ("last_seal_of_log", "sealed_in_log"),
    "command": ("last_seal_of_command", "sealed_in_command"),
}
"""By table; in this order, as the seal of a command covers the seal of its last line."""


def add(conn: sqlite3.Connection) -> None:
    """Seal each line and command since the last seal. Call it when a command has ended."""
    for table in _QUERIES:
        last_sealed, seal = _last(conn, table)
        new = []
        for row in _rows(conn, table, after=last_sealed):
            seal = _seal(seal, row)
            new.append((seal, row[0]))
        conn.executemany(f"UPDATE {table} SET seal = ? WHERE id = ?", new)


def broken(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each line and command that is not as it was sealed."""
    for table in _QUERIES:
        last_sealed, _ = _last(conn, table)
        seal_before = ""
        for row in _rows(conn, table, after=0):
            number, seal = row[0], row[-1]
            if number > last_sealed:
                break
            if seal is None:
                yield _without(table, number)
            elif seal != _seal(seal_before, row):
                yield _changed(table, number)
            seal_before = seal or seal_before
    yield from left_open(conn)


def left_open(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each line and command after the last seal that should have one.

    What other programs wrote since then has none: the next command seals it. So must no
    command begin before this was asked.
    """
    unended, reopened = (sql.run(conn, query) for query in ("unended", "reopened"))
    for number in sorted({row[0] for row in (*unended, *reopened)}):
        yield _changed("command", number)
    for table, number in sql.run(conn, "beyond"):
        yield say(
            "row {row} of table {table} has a number that no command gives.",
            row=number,
            table=table,
        )
    after = {table: _last(conn, table)[0] for table in _QUERIES}
    for table, number in sql.run(conn, "unsealed", **after):
        yield _without(table, number)


def _without(table: str, number: int) -> Message:
    return say(
        "row {row} of table {table} has no seal: it was put in later, or its seal was taken out.",
        row=number,
        table=table,
    )


def _changed(table: str, number: int) -> Message:
    return say(
        "row {row} of table {table} is not as it was sealed: it was changed, or a row before it"
        " is missing.",
        row=number,
        table=table,
    )


def _last(conn: sqlite3.Connection, table: str) -> tuple[int, str]:
    """Return the id and the seal of the last row that has one; 0 and an empty seal if none has."""
    last_seal, _ = _QUERIES[table]
    row = sql.run(conn, last_seal).fetchone()
    return (row[0], row[1]) if row else (0, "")


def _rows(conn: sqlite3.Connection, table: str, *, after: int) -> sqlite3.Cursor:
    """Select the rows of a table after an id: the id, what a seal covers, and the seal."""
    _, sealed = _QUERIES[table]
    return sql.run(conn, sealed, after=after)


def _seal(before: str, row: tuple[Any, ...]) -> str:
    """Return the seal of a row of `_rows`, by the seal before it."""
    covered = ascii(
        (before, *row[:-1])
    )  # the same in every version of Python, as repr is not
    return digest([covered.encode()])
