"""A tournament of an open season file: its state, queries of it, and writes."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from keizer import resources
from keizer.messages import Fact, Message, say
from keizer.store.log import journal

Conn = sqlite3.Connection

# Values to write into a row, by column.
Cells = Mapping[str, object]

# A row of a query, by column.
Record = dict[str, Any]

UNITS = 6_000_000
"""The units in a point. Columns called ..._units hold whole numbers of them."""


class SeasonState(NamedTuple):
    """The state of a tournament, that is of a season; see table tournament."""

    name: str
    status: str
    """'running' or 'finished'."""
    revaluation: str
    """Revaluation computes the standings again after a change of the file.

    'on': at each change. 'suspended': only when it is switched on again. 'running': it
    is computing them just now, or was broken off while it did.
    """
    stale_from: int | None
    """The first round whose standings are out of date, if revaluation is not 'on'."""
    last_round: int
    """The last paired round; 0 before the first."""
    coming_round: int
    """The round that people sign off from: the draft, else last_round + 1."""
    current_round: int
    """The round whose standings are shown by default: the last one with a result.

    0 before the first result.
    """
    last_round_with_boards: int
    """The last round that has boards; 0 before the first."""

    @property
    def draft(self) -> int | None:
        """The number of the draft; None if there is no draft.

        The draft is the last paired round as long as it is neither published nor begun.
        """
        # A published round is no longer the coming round: that is the one after it.
        has_draft = self.coming_round == self.last_round
        return self.last_round if has_draft else None

    @property
    def is_finished(self) -> bool:
        """Return whether the season is finished, so that nothing may be changed."""
        return self.status == "finished"

    @property
    def stale_from_round(self) -> int | None:
        """The first round whose standings may be out of date; None if all are right.

        Round 0 is the start order: from there on, all may be out of date.
        """
        if self.revaluation == "on":
            return None
        return self.stale_from or 0


class File:
    """An open season file: runs queries and writes rows.

    It begins and commits no transaction: that is for the caller.
    """

    def __init__(self, conn: Conn) -> None:
        """Work on the file of this connection."""
        self.conn = conn

    def run(self, query: str, *values: object, **named: object) -> sqlite3.Cursor:
        """Run a statement, and return its cursor.

        query: the name of a statement in queries.sql, or a statement in SQL.
        named: the values for :name in a statement of queries.sql.
        values: the values for the ? marks of a statement in SQL.
        """
        # Only a name is a single word; a statement has spaces.
        is_name = query.isidentifier()
        if is_name:
            statement = resources.queries(__file__)[query]
            return self.conn.execute(statement, named)
        return self.conn.execute(query, values)

    def scalar(self, query: str, *values: object, **named: object) -> Any:
        """Return the first cell of the first row, or None if there is no row.

        The parameters are those of `run`, as in the next two methods.
        """
        row = self.run(query, *values, **named).fetchone()
        if row is None:
            return None
        return row[0]

    def scalars(self, query: str, *values: object, **named: object) -> list[Any]:
        """Return the first cell of every row."""
        rows = self.run(query, *values, **named)
        return [row[0] for row in rows]

    def records(self, query: str, *values: object, **named: object) -> list[Record]:
        """Return the rows as dictionaries by column."""
        rows = self.run(query, *values, **named)
        return [dict(row) for row in rows]

    def insert(self, table: str, **cells: object) -> int:
        """Insert a row into a table or view; return its id, or 0 if it has none.

        cells: the values by column.
        """
        columns = ", ".join(cells)
        marks = ", ".join("?" for _ in cells)
        query = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        cursor = self.run(query, *cells.values())
        return int(cursor.lastrowid or 0)

    def update(self, table: str, cells: Cells, **where: object) -> int:
        """Change rows of a table; return how many were changed.

        cells: the new values by column. where: only rows with all these values, by
        column, are changed.
        """
        assignments = ", ".join(_with_marks(cells))
        condition = " AND ".join(_with_marks(where))
        query = f"UPDATE {table} SET {assignments} WHERE {condition}"
        cursor = self.run(query, *cells.values(), *where.values())
        return cursor.rowcount

    def update_or_insert(self, table: str, cells: Cells, **where: object) -> None:
        """Change the rows with the values `where`; insert such a row if there is none.

        cells: the new values by column; an inserted row has them and those of `where`.
        """
        rows_updated = self.update(table, cells, **where)
        if rows_updated == 0:
            self.insert(table, **where, **cells)

    def delete(self, table: str, **where: object) -> int:
        """Delete the rows with all the values `where`, by column; return how many."""
        condition = " AND ".join(_with_marks(where))
        query = f"DELETE FROM {table} WHERE {condition}"
        cursor = self.run(query, *where.values())
        return cursor.rowcount


def _with_marks(columns: Iterable[str]) -> list[str]:
    """Return the SQL text `column = ?` for each column; a value is to replace the ?."""
    return [f"{column} = ?" for column in columns]


class Tournament(File):
    """A tournament of an open file: runs queries about it, and knows its state."""

    def __init__(self, conn: Conn, id_: int, state: SeasonState | None = None) -> None:
        """Work on one tournament of a file.

        id_: tournament.id. state: its state, if the caller has just read it; by default
        it is read when it is first needed.
        """
        super().__init__(conn)
        self.id = id_
        self._state = state
        self._changes_when_read = conn.total_changes

    def run(self, query: str, *values: object, **named: object) -> sqlite3.Cursor:
        """Run a statement as `File.run` does.

        A statement of queries.sql can also use :tournament, which is tournament.id.
        """
        return super().run(query, *values, tournament=self.id, **named)

    @property
    def now(self) -> SeasonState:
        """The present state of the tournament.

        It is read from the file at first, and again only after this connection has
        written something.
        """
        is_stale = self._changes_when_read != self.conn.total_changes
        if self._state is None or is_stale:
            row = self.run("state").fetchone()
            self._state = SeasonState(*row)
            self._changes_when_read = self.conn.total_changes
        return self._state

    def forget_state(self) -> None:
        """Make `now` read the state again; call this after a rollback."""
        # `now` goes by SQLite's count of changes, which a rollback leaves as it is.
        self._state = None

    def describe(self, message: str | Message, /, **facts: Fact) -> Message:
        """Note on the log what the present command does; return the message noted.

        message: the message, or its template, whose {names} stand for the `facts`.
        """
        description = say(message, **facts)
        journal.describe(self.conn, description)
        return description

    def open_boards(self, round_number: int) -> list[int]:
        """Return the numbers of the boards of a round that still have no result."""
        return self.scalars("open_boards_of_round", round=round_number)

    def seats(self, round_number: int) -> dict[int, tuple[int, int]]:
        """Return player.id of White and Black at each board of a round, by its number.

        Example: {1: (7, 12), 2: (3, 25)}.
        """
        rows = self.run("seats", round=round_number)
        return {board: (white, black) for board, white, black in rows}
