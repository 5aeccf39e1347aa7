"""The SQL of a season file, schema.sql and views/*/*.sql, and that of queries.sql."""

import sqlite3
from functools import cache

from keizer import resources
from keizer.store import fingerprint

APPLICATION_ID = 1264937338
"""`PRAGMA application_id` of a Keizer file: the letters "Keiz"."""

LAYOUT = fingerprint.LAYOUT
"""`PRAGMA user_version`: the layout of tables that this keizer reads and writes."""


def run(conn: sqlite3.Connection, query: str, **values: object) -> sqlite3.Cursor:
    """Run a statement of queries.sql, by its name.

    values: the values of its parameters, such as `:after`.
    """
    statements = resources.queries(__file__)
    return conn.execute(statements[query], values)


def script() -> str:
    """Return the SQL of a new file, as `cat schema.sql views/*/*.sql` prints it."""
    return schema_script() + code_script()


def schema_script() -> str:
    """Return the SQL of the tables, and of the rows that are the same in every file."""
    return _read_files("schema.sql")


def code_script() -> str:
    """Return the SQL of the views and triggers, and of the rows of table tiebreak.

    Each of these rows is inserted after the view that computes the tie-break.
    """
    return _read_files("views/*/*.sql")


@cache
def _read_files(pattern: str) -> str:
    """Read all SQL files that match a pattern, in the order of their paths.

    In an installed wheel they are in the package; in a checkout, in the folder above.
    """
    from pathlib import Path  # no command of the club night reads SQL

    package = Path(__file__).parents[1]
    paths = sorted(package.glob(pattern))
    if not paths:
        paths = sorted(package.parent.glob(pattern))
    return "".join(path.read_text(encoding="utf-8") for path in paths)
