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

_LAST_SEAL_QUERIES = {"log": "last_seal_of_log", "command": "last_seal_of_command"}
"""By table: the name of the query for the last row with a seal.

The tables are in the order of sealing. The seal of a command covers the seal of its
last line, so lines come first.
"""

_SEALED_ROWS_QUERIES = {"log": "sealed_in_log", "command": "sealed_in_command"}
"""By table: the name of the query for the rows that have or get a seal.

A row of the result begins with the id, ends with the seal (NULL if there is none yet),
and the seal covers all columns before it.
"""


def add(conn: sqlite3.Connection) -> None:
    """Seal all lines and commands after the last seal.

    Call it when a command has ended.
    """
    for table in _LAST_SEAL_QUERIES:
        last_sealed, seal = _last_seal(conn, table)
        new_seals = []
        for row in sql.run(conn, _SEALED_ROWS_QUERIES[table], after=last_sealed):
            # Each seal is computed from the one before it.
            seal = _seal(seal, row)
            number = row[0]
            new_seals.append((seal, number))
        conn.executemany(f"UPDATE {table} SET seal = ? WHERE id = ?", new_seals)


def broken(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each line and command that does not fit its seal."""
    for table in _LAST_SEAL_QUERIES:
        yield from _broken_in(conn, table)
    yield from left_open(conn)


def _broken_in(conn: sqlite3.Connection, table: str) -> Iterator[Message]:
    """Yield a message for each row of a table whose seal is wrong or missing.

    Rows after the last seal are left to `left_open`.
    """
    last_sealed, _ = _last_seal(conn, table)
    seal_before = ""
    for row in sql.run(conn, _SEALED_ROWS_QUERIES[table], after=0):
        number = row[0]
        seal = row[-1]
        if number > last_sealed:
            return
        if seal is None:
            yield _missing_seal(table, number)
        elif seal != _seal(seal_before, row):
            yield _wrong_seal(table, number)
        # The stored seal, even if it is wrong: otherwise all later ones would not fit.
        if seal:
            seal_before = seal


def left_open(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each row that another program left open or unsealed.

    Changes of facts by other programs are not meant: their lines belong to no command,
    and get a seal from the next one. Call this before a command begins, as a running
    command has no seals either.
    """
    # Commands that have not ended, but have a seal, a message, or sealed lines.
    unended = sql.run(conn, "unended").fetchall()
    reopened = sql.run(conn, "reopened").fetchall()
    for number in sorted({row[0] for row in (*unended, *reopened)}):
        yield _wrong_seal("command", number)
    for table, number in sql.run(conn, "beyond"):
        yield say(
            "row {row} of table {table} has a number that no command gives.",
            row=number,
            table=table,
        )
    # Lines and commands after the last seal whose command has ended.
    last_line, _ = _last_seal(conn, "log")
    last_command, _ = _last_seal(conn, "command")
    unsealed = sql.run(conn, "unsealed", log=last_line, command=last_command)
    for table, number in unsealed:
        yield _missing_seal(table, number)


def _missing_seal(table: str, number: int) -> Message:
    """Say that a row has no seal."""
    return say(
        "row {row} of table {table} has no seal: it was put in later, or its seal was"
        " taken out.",
        row=number,
        table=table,
    )


def _wrong_seal(table: str, number: int) -> Message:
    """Say that a row was changed after it was sealed."""
    return say(
        "row {row} of table {table} is not as it was sealed: it was changed, or a row"
        " before it is missing.",
        row=number,
        table=table,
    )


def _last_seal(conn: sqlite3.Connection, table: str) -> tuple[int, str]:
    """Return the id and the seal of the last row with a seal; 0 and "" if none has."""
    row = sql.run(conn, _LAST_SEAL_QUERIES[table]).fetchone()
    if row is None:
        return 0, ""
    number, seal = row
    return number, seal


def _seal(seal_before: str, row: tuple[Any, ...]) -> str:
    """Compute the seal of a row from its values and from the seal before it.

    row: a row of a query of `_SEALED_ROWS_QUERIES`, whose own seal does not count.
    """
    # Unlike repr(), ascii() gives the same text in every version of Python.
    covered = ascii((seal_before, *row[:-1]))
    return digest([covered.encode()])
