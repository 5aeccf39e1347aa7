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
    """A table or view, and what the comments in its definition say about it.

    name: its name.
    kind: "table" or "view".
    about: the meaning of a row.
    columns: the meaning of each column by its name; "" if there is no comment.
    """

    name: str
    kind: str
    about: str
    columns: dict[str, str]

    @property
    def is_private(self) -> bool:
        """Return whether only keizer itself should use the table or view.

        Another version of keizer may change or drop it without notice.
        """
        return self.name.startswith("z_")


def descriptions(
    conn: sqlite3.Connection, only: str | None = None
) -> list[Description]:
    """Return descriptions of the tables and views of a file, ordered by name.

    Tables that SQLite makes by itself are left out.
    only: the name of a single table or view to describe; None for all. The result is
    empty if there is none of that name.
    """
    rows = sql.run(conn, "described", only=only).fetchall()
    return [_describe(conn, *row) for row in rows]


def _describe(conn: sqlite3.Connection, name: str, kind: str, text: str) -> Description:
    """Return the description of a table or view.

    text: the CREATE statement that the file keeps of it, with its comments.
    """
    about, comments = _comments(text)
    if name in _own_names():
        # Columns such as player_id mean the same in all of keizer's tables, and have a
        # standard comment in words.toml. A comment in the definition replaces it.
        standard_comments = resources.table(__file__, "words.toml")["standard"]
        comments = standard_comments | comments
    rows = conn.execute("SELECT name FROM pragma_table_xinfo(?)", (name,))
    columns = {column: comments.get(column, "") for (column,) in rows}
    return Description(name, kind, about, columns)


def find(conn: sqlite3.Connection, typed: str) -> Description:
    """Return the description of the table or view whose name somebody typed.

    Capitals do not matter, and a hyphen may stand for an underscore. Raise KeizerError
    if there is no such table or view; its message has similar names, if there are any.
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

    Datasette is a program that shows a database as web pages.
    database: the name by which Datasette serves the file, which is the name of the file
    without its suffix.
    """
    tables = {item.name: _metadata(item) for item in descriptions(conn)}
    # Datasette shows this column in a link to a tournament, in place of its id. For
    # other tables it takes column `name` by itself.
    tables["tournament"]["label_column"] = "description"
    return {"databases": {database: {"tables": tables}}}


def _metadata(item: Description) -> dict[str, Any]:
    """Return the metadata of a table or view for Datasette.

    Private tables and views are hidden, and columns without a comment are left out.
    """
    if item.is_private:
        return {"allow": False}  # nobody is allowed to see it in Datasette
    columns = {column: about for column, about in item.columns.items() if about}
    return {"description": item.about, "columns": columns}


@cache
def _own_names() -> set[str]:
    """Return the names of keizer's own tables and views."""
    names = _CREATED.findall(sql.script())
    return set(names)


def _comments(text: str) -> tuple[str, dict[str, str]]:
    """Return the comment about a row, and the comments about columns by name.

    text: the CREATE statement of a table or view. The comment about a row is the first
    one, and an empty line follows it. Each other comment stands above the line with the
    columns that it is about.
    """
    about = ""
    about_columns: dict[str, str] = {}
    words: list[str] = []  # of the comment whose lines are read at the moment
    # The columns end with the line that begins with ")". Behind it is the query of a
    # view, whose comments are about something else.
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
            names = columns[1].split(", ")  # several columns may share a comment
            about_columns |= dict.fromkeys(names, comment)
        elif is_empty and not about and not about_columns:
            about = comment
    return about, about_columns
