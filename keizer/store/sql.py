"""The SQL that is the program: schema.sql and views/*/*.sql."""

import sqlite3
from functools import cache

from keizer import resources
from keizer.store import fingerprint

APPLICATION_ID = 1264937338
"""`PRAGMA application_id` of a Keizer file: the letters "Keiz"."""

LAYOUT = fingerprint.LAYOUT
"""`PRAGMA user_version`: the layout of tables that this version reads and writes."""


def run(conn: sqlite3.Connection, query: str, **values: object) -> sqlite3.Cursor:
    """Run a statement of queries.sql, by its name, with named values."""
    queries = resources.queries(__file__)
    return conn.execute(queries[query], values)


def script() -> str:
    """Return the SQL of a new file, as `cat schema.sql views/*/*.sql` has it."""
    return schema_script() + code_script()


def schema_script() -> str:
    """Return the SQL of the tables, and of the rows that are the same in every file."""
    return _read_files("schema.sql")


def code_script() -> str:
    """Return the SQL of the views and triggers.

    The rows of table tiebreak are in it, each behind its view.
    """
    return _read_files("views/*/*.sql")


@cache
def _read_files(pattern: str) -> str:
    """Read the SQL files of a pattern, in the order of their paths.

    They are in the package of a wheel, and one folder up from it in a checkout.
    """
    from pathlib import Path  # no command of the club night reads SQL

    package = Path(__file__).parents[1]
    paths = sorted(package.glob(pattern))
    if not paths:
        paths = sorted(package.parent.glob(pattern))
    return "".join(path.read_text(encoding="utf-8") for path in paths)
