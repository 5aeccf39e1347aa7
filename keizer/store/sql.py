"""The SQL that is the program: schema.sql and views/*/*.sql."""

import sqlite3
from functools import cache

from keizer import resources
from keizer.store import fingerprint

APPLICATION_ID = 1264937338
"""`PRAGMA application_id` of a Keizer file: the letters "Keiz"."""

LAYOUT = fingerprint.LAYOUT
"""`PRAGMA user_version`: the layout of the tables that this version reads and writes."""


def run(conn: sqlite3.Connection, query: str, **values: object) -> sqlite3.Cursor:
    """Run a statement of queries.sql, by its name, with named values."""
    return conn.execute(resources.queries(__file__)[query], values)


def script() -> str:
    """Everything a new file is made of, as `cat schema.sql views/*/*.sql` has it."""
    return schema_script() + code_script()


def schema_script() -> str:
    """The tables of a file, and the rows that are the same in every one."""
    return "".join(_files("schema.sql").values())


def code_script() -> str:
    """The views and triggers of a file, with the rows of table tiebreak behind their views."""
    return "".join(_files("views/*/*.sql").values())


@cache
def _files(pattern: str) -> dict[str, str]:
    """Files in the package (wheel), or one folder up from it (checkout), in order: room/name."""
    from pathlib import Path  # no command of the club night reads SQL

    package = Path(__file__).parents[1]
    found = sorted(package.glob(pattern)) or sorted(package.parent.glob(pattern))
    return {
        f"{source.parent.name}/{source.stem}": source.read_text(encoding="utf-8")
        for source in found
    }
