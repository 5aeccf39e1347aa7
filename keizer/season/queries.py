"""What a query of one column finds."""

import sqlite3
from typing import Any


def column(conn: sqlite3.Connection, query: str, *values: object) -> list[Any]:
    """Its value in every row."""
    return [row[0] for row in conn.execute(query, values)]


def cell(conn: sqlite3.Connection, query: str, *values: object) -> Any:
    """Its value in the first row; None where there is no row."""
    row = conn.execute(query, values).fetchone()
    return row and row[0]
