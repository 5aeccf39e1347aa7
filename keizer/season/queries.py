"""Queries of one value a row, and writes of whole rows."""

import sqlite3
from collections.abc import Mapping
from typing import Any

Conn = sqlite3.Connection


def column(conn: Conn, query: str, *values: object) -> list[Any]:
    """The value of a query of one column in every row."""
    return [row[0] for row in conn.execute(query, values)]


def cell(conn: Conn, query: str, *values: object) -> Any:
    """The value of such a query in the first row; None where there is no row."""
    row = conn.execute(query, values).fetchone()
    return row and row[0]


def records(conn: Conn, query: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query, by the names of its columns."""
    return [dict(row) for row in conn.execute(query, values)]


def insert(conn: Conn, table: str, **cells: object) -> int:
    """Add a row; its id."""
    slots = ", ".join("?" * len(cells))
    added = conn.execute(
        f"INSERT INTO {table} ({', '.join(cells)}) VALUES ({slots})", (*cells.values(),)
    )
    return int(added.lastrowid or 0)


def update(conn: Conn, table: str, cells: Mapping[str, object], **where: object) -> int:
    """Write cells by column, of the rows that have these values; how many there are."""
    settings = ", ".join(f"{name} = ?" for name in cells)
    values = (*cells.values(), *where.values())
    return conn.execute(f"UPDATE {table} SET {settings} WHERE {_all(where)}", values).rowcount


def delete(conn: Conn, table: str, **where: object) -> int:
    """Delete the rows that have these values; how many there were."""
    return conn.execute(f"DELETE FROM {table} WHERE {_all(where)}", (*where.values(),)).rowcount


def _all(where: Mapping[str, object]) -> str:
    return " AND ".join(f"{name} = ?" for name in where)
