"""What the tables and views of a file mean, in the file's own words.

A definition keeps its comments in the file: the first is about a row, and the one
above a column is about that column. This is the only place that reads them.
"""

import difflib
import re
import sqlite3
from functools import cache
from typing import Any, NamedTuple

from keizer import resources
from keizer.errors import KeizerError
from keizer.store import sql

_COLUMNS = re.compile(r"  (\w+(?:, \w+)*)(?:,|$| [A-Z])")
_COMMENT = re.compile(r" *-- ?(.*)")


class Described(NamedTuple):
    """A table or view: what a row is, and what each column has ('' where nobody says)."""

    name: str
    kind: str
    about: str
    columns: dict[str, str]

    @property
    def is_private(self) -> bool:
        """Whether it is the file's own: another version may change it."""
        return self.name.startswith("z_")


def described(conn: sqlite3.Connection, only: str | None = None) -> list[Described]:
    """The tables and views of a file, by name, or one of them; those of SQLite itself left out."""
    items = []
    for name, kind, text in sql.run(conn, "described", only=only).fetchall():
        about, above = _comments(text)
        said = (
            resources.table(__file__, "words.toml")["standard"]
            if name in _ours()
            else {}
        ) | above
        there = conn.execute(
            "SELECT name FROM pragma_table_xinfo(?)", (name,)
        ).fetchall()
        columns = {column: said.get(column, "") for (column,) in there}
        items.append(Described(name, kind, about, columns))
    return items


def find(conn: sqlite3.Connection, typed: str) -> Described:
    """The table or view of that name, or KeizerError with those that come near."""
    name = typed.strip().lower().replace("-", "_")
    found = described(conn, name)
    if not found:
        there = [item.name for item in described(conn)]
        near = difflib.get_close_matches(name, there, n=3)
        if near:
            raise KeizerError(
                "there is no table or view {typed}; near it are {near}: leave the name out to see"
                " them all.",
                typed=typed,
                near=near,
            )
        raise KeizerError(
            "there is no table or view {typed}: leave the name out to see them all.",
            typed=typed,
        )
    return found[0]


def datasette(conn: sqlite3.Connection, database: str) -> dict[str, Any]:
    """Metadata for Datasette: descriptions by table and column, private views out of sight.

    database: the name it is served as, that of the file without its suffix.
    """
    tables: dict[str, Any] = {}
    for item in described(conn):
        if item.is_private:
            tables[item.name] = {"allow": False}
            continue
        columns = {column: about for column, about in item.columns.items() if about}
        tables[item.name] = {"description": item.about, "columns": columns}
    # Links show a tournament by its name; of a player Datasette finds it by itself.
    tables["tournament"]["label_column"] = "description"
    return {"databases": {database: {"tables": tables}}}


@cache
def _ours() -> set[str]:
    """The names of the tables and views that are not somebody else's."""
    return set(re.findall(r"^CREATE (?:TABLE|VIEW) (\w+)", sql.script(), re.MULTILINE))


def _comments(text: str) -> tuple[str, dict[str, str]]:
    """The first comment of a definition, and by column the one on the lines above."""
    about, above, said = "", dict[str, str](), ""
    for line in text.split("\n) ", 1)[0].splitlines():
        comment = _COMMENT.match(line)
        if comment:
            said = " ".join([said, *comment[1].split()]).strip()
            continue
        columns = _COLUMNS.match(line)
        if columns and said:
            above |= dict.fromkeys(columns[1].split(", "), said)
        elif not line.strip() and not above:
            about = about or said
        said = ""
    return about, above
