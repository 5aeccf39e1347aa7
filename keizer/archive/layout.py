"""What an archive is made of, worked out from what a club's file is made of.

The tables, indexes and views of a file, so that whatever reads a file reads an
archive; without its triggers, for nothing ever changes. What is added, and the views
that are left out, are plain SQL: keizer/archive/views/*.sql.
"""

import sqlite3
from contextlib import closing
from functools import cache
from typing import NamedTuple

from keizer.store import refresh, sql
from keizer.store.connection import SPAN

AT_HOME = ("backup", "site", "log", "command")
"""Tables whose rows stay with the club; they are there, and empty."""

_STANDING = {
    "rule_change": " WHERE id IN (SELECT id FROM main.rule_history)",
    "published": " WHERE rule_change_id IN (SELECT id FROM main.rule_history)",
}
"""Of what the file put on record, that which was not undone: the commands stay at home."""

READ_ONLY = "an archive is only read: change the club''s own file and run keizer archive again"


class Table(NamedTuple):
    """A table whose rows come from the files.

    columns: those that are stored. numbered: of these, the ones that hold an id.
    span: the column whose range is a file's.
    """

    name: str
    columns: tuple[str, ...]
    numbered: frozenset[str]
    span: str

    @property
    def select(self) -> str:
        """SQL that reads all rows, in the order they have in the file."""
        listed, where = ", ".join(self.columns), _STANDING.get(self.name, "")
        return f"SELECT {listed} FROM main.{self.name}{where} ORDER BY {listed}"

    @property
    def astray(self) -> str:
        """SQL that finds a row with an id outside 1 to SPAN - 1."""
        within = " AND ".join(
            f"{column} BETWEEN 1 AND {SPAN - 1}" for column in sorted(self.numbered)
        )
        return f"SELECT 1 FROM main.{self.name} WHERE NOT ({within}) LIMIT 1"

    def insert(self, file: int) -> str:
        """SQL that writes a row of `select` to the archive, with the ids it has there."""
        shift = dict.fromkeys(self.numbered, f"? + {file * SPAN}")
        values = ", ".join(shift.get(column, "?") for column in self.columns)
        return f"INSERT INTO main.{self.name} ({', '.join(self.columns)}) VALUES ({values})"

    def delete(self, file: int) -> str:
        """SQL that deletes all rows of a file."""
        ids = f"{file * SPAN} AND {file * SPAN + SPAN - 1}"
        return f"DELETE FROM main.{self.name} WHERE {self.span} BETWEEN {ids}"


class Layout(NamedTuple):
    """What an archive is made of.

    tables: the rows to take over. made: all of it as a file has it, by type and name.
    empty: the bytes of an archive without files.
    """

    tables: tuple[Table, ...]
    made: refresh.Objects
    empty: bytes


@cache
def layout() -> Layout:
    """What this keizer makes an archive of."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.executescript(sql.script())
        names = [name for kind, name in refresh.objects(conn) if kind == "table"]
        tables = tuple(_table(conn, name) for name in names if not _stays(conn, name))
        for kind, name in refresh.objects(conn):
            if kind == "trigger":
                conn.execute(f"DROP TRIGGER {name}")
        conn.executescript(sql.archive_script())
        for kind, name in refresh.objects(conn):
            if kind == "table":
                _refuse(conn, name)
        conn.execute(f"PRAGMA application_id = {sql.ARCHIVE_ID}")
        conn.execute("VACUUM")
        return Layout(tables, refresh.objects(conn), conn.serialize())


def _stays(conn: sqlite3.Connection, table: str) -> bool:
    """Whether no rows are taken over: those there from the start are the same in every file."""
    return table in AT_HOME or bool(conn.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone())


def _table(conn: sqlite3.Connection, name: str) -> Table:
    stored = conn.execute(
        "SELECT name, pk FROM pragma_table_xinfo(?) WHERE NOT hidden ORDER BY cid", (name,)
    ).fetchall()
    refers = conn.execute(
        f'SELECT "from", "table" IN ({", ".join("?" * len(AT_HOME))})'
        " FROM pragma_foreign_key_list(?) WHERE \"to\" = 'id'",
        (*AT_HOME, name),
    ).fetchall()
    columns = {column for column, _ in stored} - {column for column, at_home in refers if at_home}
    numbered = {"id", *(column for column, _ in refers)} & columns
    (span,) = (column for column, place in stored if place == 1)
    return Table(
        name, tuple(column for column, _ in stored if column in columns), frozenset(numbered), span
    )


def _refuse(conn: sqlite3.Connection, table: str) -> None:
    """Make the triggers that let nobody change a table, in any client."""
    for change in ("INSERT", "UPDATE", "DELETE"):
        conn.execute(
            f"CREATE TRIGGER {table}_is_only_read_on_{change.lower()} BEFORE {change} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{READ_ONLY}'); END"
        )
