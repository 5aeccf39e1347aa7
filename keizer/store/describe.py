"""The meaning of the tables and views of a file, in the file's own words.

A file keeps the text of each definition with its comments. The first comment says what
a row is. A comment above a column, or above several, says what these mean. This is the
only module that reads the comments.
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
"""A line of a definition that begins with one or more names of columns."""
_COMMENT = re.compile(r" *-- ?(.*)")
"""A line of a definition that is a comment, and its text."""
_CREATED = re.compile(r"^CREATE (?:TABLE|VIEW) (\w+)", re.MULTILINE)
"""The first line of a table or view in keizer's SQL, and its name."""


class Description(NamedTuple):
    """A table or view, and what its comments say about it.

    about: the meaning of a row. columns: the meaning of each column by its name; "" if
    there is no comment.
    """

    name: str
    kind: str
    about: str
    columns: dict[str, str]

    @property
    def is_private(self) -> bool:
        """Return whether only keizer is to use it: another version may change it."""
        return self.name.startswith("z_")


def descriptions(
    conn: sqlite3.Connection, only: str | None = None
) -> list[Description]:
    """Return descriptions of the tables and views of a file, ordered by name.

    only: the name of a single one to return. Tables of SQLite itself are left out.
    """
    rows = sql.run(conn, "described", only=only).fetchall()
    return [_describe(conn, *row) for row in rows]


def _describe(conn: sqlite3.Connection, name: str, kind: str, text: str) -> Description:
    """Return the description of a table or view. text: the SQL of its definition."""
    about, comments = _comments(text)
    if name in _own_names():
        # Columns such as player_id mean the same in every table of keizer's. A comment
        # in the definition replaces the standard one.
        standard_comments = resources.table(__file__, "words.toml")["standard"]
        comments = standard_comments | comments
    rows = conn.execute("SELECT name FROM pragma_table_xinfo(?)", (name,))
    columns = {column: comments.get(column, "") for (column,) in rows}
    return Description(name, kind, about, columns)


def find(conn: sqlite3.Connection, typed: str) -> Description:
    """Return the description of a table or view by its name, as somebody typed it.

    Raise KeizerError, with similar names, if there is none.
    """
    typed_name = typed.strip().lower()
    name = typed_name.replace("-", "_")
    matches = descriptions(conn, name)
    if matches:
        return matches[0]
    names = [item.name for item in descriptions(conn)]
    near = difflib.get_close_matches(name, names, n=3)
    if near:
        raise KeizerError(
            "there is no table or view {typed}; did you mean {near}? Leave the name"
            " out to see them all.",
            typed=typed,
            near=near,
        )
    raise KeizerError(
        "there is no table or view {typed}. Leave the name out to see them all.",
        typed=typed,
    )


def datasette_metadata(conn: sqlite3.Connection, database: str) -> dict[str, Any]:
    """Return metadata for Datasette: descriptions of tables, views and their columns.

    database: the name by which Datasette serves the file, which is the name of the file
    without its suffix.
    """
    tables = {item.name: _metadata(item) for item in descriptions(conn)}
    # The column that links to a tournament show. For other tables Datasette takes
    # column `name` by itself.
    tables["tournament"]["label_column"] = "description"
    return {"databases": {database: {"tables": tables}}}


def _metadata(item: Description) -> dict[str, Any]:
    """Return the metadata of a table or view for Datasette."""
    if item.is_private:
        return {"allow": False}  # Datasette does not show it
    columns = {column: about for column, about in item.columns.items() if about}
    return {"description": item.about, "columns": columns}


@cache
def _own_names() -> set[str]:
    """Return the names of keizer's own tables and views."""
    names = _CREATED.findall(sql.script())
    return set(names)


def _comments(text: str) -> tuple[str, dict[str, str]]:
    """Return the comment about a row, and the comments about columns by name.

    text: the SQL of a definition. An empty line follows the comment about a row, and a
    line with columns follows each of the others.
    """
    about = ""
    about_columns: dict[str, str] = {}
    words: list[str] = []  # of the comment that is read at the moment
    # The columns end with this line; behind it is the query of a view.
    columns_part, _, _ = text.partition("\n) ")
    for line in columns_part.splitlines():
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
            about_columns |= dict.fromkeys(names, comment)
        elif is_empty and not about and not about_columns:
            about = comment
    return about, about_columns
