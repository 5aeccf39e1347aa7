"""The values that a query of one column gives."""

import sqlite3
from typing import Any


def column(conn: sqlite3.Connection, query: str, *values: object) -> list[Any]:
    """The value of a query of one column in every row."""
    return [row[0] for row in conn.execute(query, values)]


def cell(conn: sqlite3.Connection, query: str, *values: object) -> Any:
    """The value of such a query in the first row; None where there is no row."""
    row = conn.execute(query, values).fetchone()
    return row and row[0]
