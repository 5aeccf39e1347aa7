"""The SQL that is the program: schema.sql and views/*/*.sql."""

import sqlite3
from functools import cache

from keizer import beside
from keizer.store import fingerprint

APPLICATION_ID = 1264937338
"""`PRAGMA application_id` of a Keizer file: the letters "Keiz"."""

LAYOUT = fingerprint.LAYOUT
"""`PRAGMA user_version`: the layout of the tables that this version reads and writes."""


def run(conn: sqlite3.Connection, query: str, **values: object) -> sqlite3.Cursor:
    """Run a statement of queries.sql, by its name, with named values."""
    return conn.execute(beside.queries(__file__)[query], values)


def script(*, on_demand: bool = True) -> str:
    """Everything a new file is made of, as `cat schema.sql views/*/*.sql` has it."""
    return schema_script() + code_script(on_demand=on_demand)


def schema_script() -> str:
    """The tables of a file, and the rows that are the same in every one."""
    return "".join(_files("schema.sql").values())


def code_script(*, on_demand: bool = True) -> str:
    """The views and triggers of a file, with or without the views of the tie-breaks.

    Those are in a file where a rule names one: `store.tiebreaks` sees to it.
    """
    rooms = dict(_files("views/*/*.sql"))
    if not on_demand:
        rooms |= {name: text for name, (_, text) in _tiebreaks().items()}
    return "".join(rooms.values())


def tiebreak_views() -> dict[str, str]:
    """CREATE VIEW of each view of tie-breaks by its name, with its comments."""
    return {name.rpartition("/")[2]: view for name, (view, _) in _tiebreaks().items()}


def _tiebreaks() -> dict[str, tuple[str, str]]:
    """By file: the view, and the rows of table tiebreak behind it."""
    return {
        name: (view.rstrip().removesuffix(";"), rows and f"INSERT{rows}")
        for name, text in _files("views/tiebreaks/*.sql").items()
        for view, _, rows in [text.partition("\nINSERT")]
    }


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
