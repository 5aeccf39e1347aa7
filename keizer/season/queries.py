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
    """'on' if standings are computed at each change; else 'suspended' or 'running'."""
    stale_from: int | None
    """While it is not on, the first round whose standings are older than the facts."""
    last_round: int
    """The last paired round; 0 before the first."""
    coming_round: int
    """The round that people sign off from: the draft, else the one after the last."""
    current_round: int
    """The round whose standings are shown by default: the last one with a result.

    0 before the first result.
    """
    last_round_with_boards: int
    """The last round that has boards; 0 before the first."""

    @property
    def draft(self) -> int | None:
        """The number of the draft: a last round that is neither published nor begun.

        None if there is no draft.
        """
        has_draft = self.coming_round == self.last_round
        return self.last_round if has_draft else None

    @property
    def is_finished(self) -> bool:
        """Return whether the season is finished, so that nothing may be changed."""
        return self.status == "finished"

    @property
    def stale_from_round(self) -> int | None:
        """The first round whose standings may be older than the facts; 0 for all.

        None if no standings are.
        """
        if self.revaluation == "on":
            return None
        return self.stale_from or 0


class File:
    """An open season file: runs queries and writes rows.

    It writes inside the caller's transaction.
    """

    def __init__(self, conn: Conn) -> None:
        self.conn = conn

    def run(self, query: str, *values: object, **named: object) -> sqlite3.Cursor:
        """Run a statement, and return its cursor.

        query: the name of a statement in queries.sql, which takes the values `named`;
        or a statement in SQL, which takes `values` for its ? marks.
        """
        is_name = query.isidentifier()
        if is_name:
            statement = resources.queries(__file__)[query]
            return self.conn.execute(statement, named)
        return self.conn.execute(query, values)

    def scalar(self, query: str, *values: object, **named: object) -> Any:
        """Return the first cell of the first row; None if there is no row."""
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
        """Add a row, and return its id."""
        columns = ", ".join(cells)
        marks = ", ".join("?" for _ in cells)
        query = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        cursor = self.run(query, *cells.values())
        return int(cursor.lastrowid or 0)

    def update(self, table: str, cells: Cells, **where: object) -> int:
        """Write cells into the rows with the values `where`; return how many rows."""
        assignments = ", ".join(_with_marks(cells))
        condition = " AND ".join(_with_marks(where))
        query = f"UPDATE {table} SET {assignments} WHERE {condition}"
        cursor = self.run(query, *cells.values(), *where.values())
        return cursor.rowcount

    def update_or_insert(self, table: str, cells: Cells, **where: object) -> None:
        """Write cells into the row with the values `where`; add the row if missing."""
        rows_updated = self.update(table, cells, **where)
        if rows_updated == 0:
            self.insert(table, **where, **cells)

    def delete(self, table: str, **where: object) -> int:
        """Delete the rows with the values `where`; return how many there were."""
        condition = " AND ".join(_with_marks(where))
        query = f"DELETE FROM {table} WHERE {condition}"
        cursor = self.run(query, *where.values())
        return cursor.rowcount


def _with_marks(columns: Iterable[str]) -> list[str]:
    """Return the text `column = ?` for each column."""
    return [f"{column} = ?" for column in columns]


class Tournament(File):
    """A tournament of an open file, in which it runs queries.

    id_: tournament.id. state: its state, if the caller has just read it.
    """

    def __init__(self, conn: Conn, id_: int, state: SeasonState | None = None) -> None:
        super().__init__(conn)
        self.id = id_
        self._state = state
        self._changes_when_read = conn.total_changes

    def run(self, query: str, *values: object, **named: object) -> sqlite3.Cursor:
        """Run a statement as `File.run` does; if named, with the id as :tournament."""
        return super().run(query, *values, tournament=self.id, **named)

    @property
    def now(self) -> SeasonState:
        """The present state; it is read again only if something was written since."""
        is_stale = self._changes_when_read != self.conn.total_changes
        if self._state is None or is_stale:
            row = self.run("state").fetchone()
            self._state = SeasonState(*row)
            self._changes_when_read = self.conn.total_changes
        return self._state

    def forget_state(self) -> None:
        """Read the state again next time: call this after a rollback."""
        # SQLite does not count a rollback as a change.
        self._state = None

    def describe(self, message: str | Message, /, **facts: Fact) -> Message:
        """Write on the log what the command does; return the message that was written.

        message: a message, or the template of one, which is then given its facts.
        """
        description = say(message, **facts)
        journal.describe(self.conn, description)
        return description

    def open_boards(self, round_number: int) -> list[int]:
        """Return the boards of a round that still lack a result."""
        return self.scalars("open_boards_of_round", round=round_number)

    def seats(self, round_number: int) -> dict[int, tuple[int, int]]:
        """Return the ids of White and Black in a round, by board."""
        rows = self.run("seats", round=round_number)
        return {board: (white, black) for board, white, black in rows}
