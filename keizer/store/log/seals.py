"""Seals of the log: a hash of each line and of the seal before it.

A command seals what it wrote, and what other programs wrote since the last seal.
Whatever changes a line later, adds one or takes one away shows as a seal that does not
fit: a bit that turned over on a stick, say, in a state that undo would bring back.
Against forgers seals are no help: who can write to the file can compute them as well.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from keizer.messages import Message, say
from keizer.store import sql
from keizer.store.connection import digest

_LAST_SEAL = {"log": "last_seal_of_log", "command": "last_seal_of_command"}
"""The query for the last row with a seal. The tables stand in the order of sealing: the
seal of a command covers the seal of its last line."""

_SEALED = {"log": "sealed_in_log", "command": "sealed_in_command"}
"""The query for the rows that are sealed: each has its id, what its seal covers, and
the seal."""


def add(conn: sqlite3.Connection) -> None:
    """Seal each line and command since the last seal.

    Call it when a command has ended.
    """
    for table in _LAST_SEAL:
        last_sealed, seal = _last_seal(conn, table)
        new_seals = []
        for row in sql.run(conn, _SEALED[table], after=last_sealed):
            seal = _seal(seal, row)
            new_seals.append((seal, row[0]))
        conn.executemany(f"UPDATE {table} SET seal = ? WHERE id = ?", new_seals)


def broken(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each line and command that is not as it was sealed."""
    for table in _LAST_SEAL:
        yield from _broken_in(conn, table)
    yield from left_open(conn)


def _broken_in(conn: sqlite3.Connection, table: str) -> Iterator[Message]:
    """Yield a message for each row whose seal is wrong, up to the last seal."""
    last_sealed, _ = _last_seal(conn, table)
    seal_before = ""
    for row in sql.run(conn, _SEALED[table], after=0):
        number = row[0]
        seal = row[-1]
        if number > last_sealed:
            return
        if seal is None:
            yield _without(table, number)
        elif seal != _seal(seal_before, row):
            yield _changed(table, number)
        if seal:
            seal_before = seal


def left_open(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each row after the last seal that should have one.

    What other programs wrote since then has none: the next command seals it. So this
    has to be asked before a command begins.
    """
    unended = sql.run(conn, "unended").fetchall()
    reopened = sql.run(conn, "reopened").fetchall()
    for number in sorted({row[0] for row in (*unended, *reopened)}):
        yield _changed("command", number)
    for table, number in sql.run(conn, "beyond"):
        yield say(
            "row {row} of table {table} has a number that no command gives.",
            row=number,
            table=table,
        )
    last_line, _ = _last_seal(conn, "log")
    last_command, _ = _last_seal(conn, "command")
    unsealed = sql.run(conn, "unsealed", log=last_line, command=last_command)
    for table, number in unsealed:
        yield _without(table, number)


def _without(table: str, number: int) -> Message:
    return say(
        "row {row} of table {table} has no seal: it was put in later, or its seal was"
        " taken out.",
        row=number,
        table=table,
    )


def _changed(table: str, number: int) -> Message:
    return say(
        "row {row} of table {table} is not as it was sealed: it was changed, or a row"
        " before it is missing.",
        row=number,
        table=table,
    )


def _last_seal(conn: sqlite3.Connection, table: str) -> tuple[int, str]:
    """Return the id and the seal of the last row that has one; else 0 and no text."""
    row = sql.run(conn, _LAST_SEAL[table]).fetchone()
    if row is None:
        return 0, ""
    number, seal = row
    return number, seal


def _seal(seal_before: str, row: tuple[Any, ...]) -> str:
    """Compute the seal of a row, as a query of _SEALED has it, from the one before."""
    # ascii() is the same in every version of Python, as repr() is not.
    covered = ascii((seal_before, *row[:-1]))
    return digest([covered.encode()])
