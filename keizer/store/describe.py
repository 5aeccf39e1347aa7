"""The meaning of the tables and views of a file, in the file's own words.

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
"""A line that begins with columns of a definition."""
_COMMENT = re.compile(r" *-- ?(.*)")
"""A line that is a comment."""
_CREATED = re.compile(r"^CREATE (?:TABLE|VIEW) (\w+)", re.MULTILINE)
"""The first line of a definition in the SQL of keizer."""


class Description(NamedTuple):
    """A table or view: the meaning of a row, and of each column ('' if nobody says)."""

    name: str
    kind: str
    about: str
    columns: dict[str, str]

    @property
    def is_private(self) -> bool:
        """Return whether it is the file's own: another version may change it."""
        return self.name.startswith("z_")


def descriptions(
    conn: sqlite3.Connection, only: str | None = None
) -> list[Description]:
    """Return the tables and views of a file by name, without those of SQLite itself.

    only: the name of the one to return.
    """
    rows = sql.run(conn, "described", only=only).fetchall()
    return [_describe(conn, *row) for row in rows]


def _describe(conn: sqlite3.Connection, name: str, kind: str, text: str) -> Description:
    about, comments = _comments(text)
    if name in _own_names():
        standard = resources.table(__file__, "words.toml")["standard"]
        comments = standard | comments
    rows = conn.execute("SELECT name FROM pragma_table_xinfo(?)", (name,))
    columns = {column: comments.get(column, "") for (column,) in rows}
    return Description(name, kind, about, columns)


def find(conn: sqlite3.Connection, typed: str) -> Description:
    """Return the table or view of a name; raise KeizerError if there is none."""
    typed_name = typed.strip().lower()
    name = typed_name.replace("-", "_")
    matches = descriptions(conn, name)
    if matches:
        return matches[0]
    existing = descriptions(conn)
    names = [item.name for item in existing]
    near = difflib.get_close_matches(name, names, n=3)
    if near:
        raise KeizerError(
            "there is no table or view {typed}; near it are {near}: leave the name out"
            " to see them all.",
            typed=typed,
            near=near,
        )
    raise KeizerError(
        "there is no table or view {typed}: leave the name out to see them all.",
        typed=typed,
    )


def datasette_metadata(conn: sqlite3.Connection, database: str) -> dict[str, Any]:
    """Return metadata for Datasette: descriptions by table and column, of public views.

    database: the name it is served as, that of the file without its suffix.
    """
    tables = {item.name: _metadata(item) for item in descriptions(conn)}
    # Links show a tournament by its name; of a player Datasette finds it by itself.
    tables["tournament"]["label_column"] = "description"
    return {"databases": {database: {"tables": tables}}}


def _metadata(item: Description) -> dict[str, Any]:
    """Return what Datasette shows of a table or view; it hides private ones."""
    if item.is_private:
        return {"allow": False}
    columns = {column: about for column, about in item.columns.items() if about}
    return {"description": item.about, "columns": columns}


@cache
def _own_names() -> set[str]:
    """Return the names of the tables and views that are keizer's."""
    names = _CREATED.findall(sql.script())
    return set(names)


def _comments(text: str) -> tuple[str, dict[str, str]]:
    """Return the first comment of a definition, and the comments of columns by name.

    An empty line follows the first comment. Columns follow each of the others.
    """
    about = ""
    of_columns: dict[str, str] = {}
    words: list[str] = []
    head = text.split("\n) ", 1)[0]
    for line in head.splitlines():
        comment_line = _COMMENT.match(line)
        if comment_line:
            words += comment_line[1].split()
            continue
        comment = " ".join(words)
        words = []
        is_empty = not line.strip()
        columns = _COLUMNS.match(line)
        if columns and comment:
            names = columns[1].split(", ")
            of_columns |= dict.fromkeys(names, comment)
        elif is_empty and not about and not of_columns:
            about = comment
    return about, of_columns
