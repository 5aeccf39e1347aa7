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
    """Run one of the statements in keizer/store/queries.sql, by its name.

    values: the values of its parameters by name: `after=7` for `:after`.
    """
    statements = resources.queries(__file__)
    return conn.execute(statements[query], values)


def script() -> str:
    """Return the SQL that makes a new file.

    It is the text that `cat schema.sql views/*/*.sql` prints in a checkout. The tables
    come first, as the views and triggers refer to them.
    """
    return schema_script() + code_script()


def schema_script() -> str:
    """Return the SQL that makes the tables, and the rows that every file has."""
    return _read_files("schema.sql")


def code_script() -> str:
    """Return the SQL that makes the views and triggers, and the rows of table tiebreak.

    Each row of the table names a tie-break and its view, and is inserted after the view
    was created.
    """
    return _read_files("views/*/*.sql")


@cache
def _read_files(pattern: str) -> str:
    """Return the text of all SQL files that match a pattern, in the order of paths.

    pattern: as for Path.glob, relative to the folder of package keizer in an installed
    wheel. In a checkout, the files are in the folder above.
    """
    # Imported late: the commands of a club night read no SQL files, and start faster
    # without pathlib.
    from pathlib import Path

    package = Path(__file__).parents[1]
    paths = sorted(package.glob(pattern))
    if not paths:
        paths = sorted(package.parent.glob(pattern))
    return "".join(path.read_text(encoding="utf-8") for path in paths)
