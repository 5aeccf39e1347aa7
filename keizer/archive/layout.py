"""What an archive is made of, worked out from what a club's file is made of.

The tables, indexes and views of a file, so that whatever reads a file reads an
archive; without its triggers, for nothing ever changes; and keizer/archive/views/*.sql.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import NamedTuple

from keizer.store import definitions, refresh, sql
from keizer.store.connection import SPAN
from keizer.store.definitions import quoted

AT_HOME = ("backup", "log", "step")
"""Tables whose rows stay with the club; they are there, and empty."""

_OF_A_FILE = {"problems", "revalue", "tiebreak_trigger"}
"""Views for people about how one file works: its log, its triggers."""

_LOT = ("me.player_id * 48271", f"me.player_id % {SPAN} * 48271")
"""In view tiebreak_entry: a lot is drawn by the id that a player has in the club's file."""

_STANDING = {
    "rule_change": " WHERE id IN (SELECT id FROM main.rule_history)",
    "published": " WHERE rule_change_id IN (SELECT id FROM main.rule_history)",
}
"""Of what the file put on record, that which was not undone: the commands stay at home."""

READ_ONLY = "an archive is only read: change the club''s own file and run keizer archive again"


class Table(NamedTuple):
    """A table whose rows come from the files.

    columns: those that are stored.
    numbered: of these, the ones that hold an id. span: the column whose range is a file's.
    """

    name: str
    columns: tuple[str, ...]
    numbered: frozenset[str]
    span: str

    @property
    def select(self) -> str:
        """All rows, in the order they have in the file."""
        where = _STANDING.get(self.name, "")
        return f"SELECT {self._listed()} FROM main.{self.name}{where} ORDER BY {self._order()}"

    @property
    def bounds(self) -> str:
        """The least and the greatest id; NULL where there are no rows."""
        ends = (f"min({it}), max({it})" for it in map(quoted, sorted(self.numbered)))
        return f"SELECT {', '.join(ends)} FROM main.{self.name}"

    def insert(self, file: int) -> str:
        """A row of `select`, as it is in the archive."""
        shift = dict.fromkeys(self.numbered, f"? + {file * SPAN}")
        values = ", ".join(shift.get(it, "?") for it in self.columns)
        return f"INSERT INTO main.{self.name} ({self._listed()}) VALUES ({values})"

    def delete(self, file: int) -> str:
        """All rows of a file."""
        first = file * SPAN
        return (
            f"DELETE FROM main.{self.name} WHERE {self.span} BETWEEN {first} AND {first + SPAN - 1}"
        )

    def _listed(self) -> str:
        return ", ".join(map(quoted, self.columns))

    def _order(self) -> str:
        return ", ".join(map(quoted, self.columns))


class Layout(NamedTuple):
    """What an archive is made of.

    tables: the rows to take over. holding: statements that make tables and indexes.
    views: those that make views. refusing: the triggers that refuse every change.
    made: all of it as a file has it, by type and name.
    """

    tables: tuple[Table, ...]
    holding: tuple[str, ...]
    views: tuple[str, ...]
    refusing: tuple[str, ...]
    made: refresh.Objects


@cache
def layout() -> Layout:
    """What this keizer makes an archive of."""
    ours, added = _told(sql.script()), _told(sql.archive_script())
    views = _views(added) | _needed(_views(ours))
    holding = (*_holding(ours), *_holding(added))
    left = {*AT_HOME, *(words.split()[2] for words, _ in added)}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        for statement in holding:
            conn.execute(statement)
        names = [name for kind, name in refresh.objects(conn) if kind == "table"]
        refusing = tuple(it for name in names for it in _refusing(name))
        for statement in (*views.values(), *refusing):
            conn.execute(statement)
        tables = tuple(_tables(conn, names, left))
        return Layout(tables, holding, (*views.values(),), refusing, refresh.objects(conn))


_Told = list[tuple[str, str]]
"""Statements, each without comments and as it is written."""


def _told(script: str) -> _Told:
    return [(definitions.bare(it), it) for it in definitions.statements(script)]


def _holding(told: _Told) -> Iterator[str]:
    """What makes tables, indexes and the rows that are the same in every file."""
    for words, statement in told:
        if words.startswith(("CREATE TABLE", "CREATE INDEX", "INSERT")):
            yield statement


def _views(told: _Told) -> dict[str, str]:
    """The views by name."""
    return {
        words.split()[2]: statement for words, statement in told if words.startswith("CREATE VIEW")
    }


def _needed(views: dict[str, str]) -> dict[str, str]:
    """Those for people, and whatever these read."""
    found: dict[str, str] = {}
    wanted = {it for it in views if not it.startswith("_")} - _OF_A_FILE
    while wanted:
        found |= {it: views[it] for it in sorted(wanted)}
        read = {word for it in wanted for word in definitions.names(views[it])}
        wanted = (read & views.keys()) - found.keys()
    found["tiebreak_entry"] = found["tiebreak_entry"].replace(*_LOT)
    return found


def _refusing(table: str) -> Iterator[str]:
    """The triggers that let nobody change a table, in any client."""
    for change in ("INSERT", "UPDATE", "DELETE"):
        yield (
            f"CREATE TRIGGER {table}_is_only_read_on_{change.lower()} BEFORE {change} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{READ_ONLY}'); END"
        )


def _tables(conn: sqlite3.Connection, names: list[str], left: set[str]) -> Iterator[Table]:
    """The tables that a file fills; those with rows from the start are the same in every one.

    left: the ones that no file fills.
    """
    columns = {name: _columns(conn, name) for name in names}
    for name in names:
        (filled,) = conn.execute(f"SELECT EXISTS (SELECT 1 FROM {name})").fetchone()
        if name not in left and not filled:
            yield _table(conn, name, columns)


_Columns = dict[str, tuple[str, int]]
"""The stored columns of a table: their type and their place in its primary key, from 1."""


def _columns(conn: sqlite3.Connection, table: str) -> _Columns:
    found = conn.execute(
        "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE NOT hidden ORDER BY cid", (table,)
    )
    return {name: (kind, key) for name, kind, key in found}


def _number(columns: _Columns) -> str | None:
    """The column that is the number of a row, if there is one."""
    key = [(name, kind) for name, (kind, place) in columns.items() if place]
    return key[0][0] if len(key) == 1 and key[0][1] == "INTEGER" else None


def _table(conn: sqlite3.Connection, name: str, columns: dict[str, _Columns]) -> Table:
    mine, number = dict(columns[name]), _number(columns[name])
    numbered = {number} if number else set[str]()
    for refers, column, to in conn.execute(
        'SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)', (name,)
    ).fetchall():
        if refers in AT_HOME:
            del mine[column]
        elif _number(columns[refers]) == to:
            numbered.add(column)
    if number:
        return Table(name, tuple(mine), frozenset(numbered), number)
    (first,) = (it for it, (_, place) in mine.items() if place == 1)
    return Table(name, tuple(mine), frozenset(numbered), first)
