"""A tournament of an open season file: where its season is, queries of it, and writes."""

import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

from keizer import resources
from keizer.messages import Fact, Message, say
from keizer.store.log import journal

Conn = sqlite3.Connection

UNITS = 6_000_000
"""In a point: what the file has as ..._units are whole numbers."""


class Now(NamedTuple):
    """Where a season is, as table tournament has it."""

    name: str
    status: str
    revaluation: str
    stale_from: int | None
    last_round: int
    """The last paired round, 0 before the first."""
    coming_round: int
    """The round people sign off from: the draft there is, else the one after the last."""
    current_round: int
    """The round whose standings are shown by default: the last with a result; 0 before it."""
    with_boards: int
    """The last round that has boards; 0 before the first."""

    @property
    def draft(self) -> int | None:
        """The last round, while it is paired but neither published nor begun; else None."""
        return self.last_round if self.coming_round == self.last_round else None

    @property
    def is_finished(self) -> bool:
        """Whether the season is closed: its facts and rules stay as they are."""
        return self.status == "finished"

    @property
    def behind(self) -> int | None:
        """The first round whose standings may be behind the facts; None when all are right."""
        return None if self.revaluation == "on" else self.stale_from or 0


class File:
    """Queries of an open file; what takes one writes inside the caller's transaction."""

    def __init__(self, conn: Conn) -> None:
        self.conn = conn

    def run(self, query: str, *values: object, **named: object) -> sqlite3.Cursor:
        """Run SQL with values, or a statement of queries.sql, by its name, with named values.

        A tournament gives its id as :tournament.
        """
        if query.isidentifier():
            return self.conn.execute(resources.queries(__file__)[query], named)
        return self.conn.execute(query, values)

    def scalar(self, query: str, *values: object, **named: object) -> Any:
        """The value of a query in the first row; None where there is no row."""
        row = self.run(query, *values, **named).fetchone()
        return row and row[0]

    def scalars(self, query: str, *values: object, **named: object) -> list[Any]:
        """The value of a query of one column in every row."""
        return [row[0] for row in self.run(query, *values, **named)]

    def records(
        self, query: str, *values: object, **named: object
    ) -> list[dict[str, Any]]:
        """The rows of a query, by the names of its columns."""
        return [dict(row) for row in self.run(query, *values, **named)]

    def insert(self, table: str, **cells: object) -> int:
        """Add a row; its id."""
        query = f"INSERT INTO {table} ({', '.join(cells)}) VALUES ({', '.join('?' * len(cells))})"
        return int(self.conn.execute(query, (*cells.values(),)).lastrowid or 0)

    def update(self, table: str, cells: Mapping[str, object], **where: object) -> int:
        """Write cells by column, of the rows that have these values; how many there are."""
        settings = ", ".join(f"{name} = ?" for name in cells)
        query = f"UPDATE {table} SET {settings} WHERE {_all(where)}"
        return self.conn.execute(query, (*cells.values(), *where.values())).rowcount

    def put(self, table: str, cells: Mapping[str, object], **where: object) -> None:
        """Write cells by column, of the row that has these values; where there is none, add it."""
        if not self.update(table, cells, **where):
            self.insert(table, **where, **cells)

    def delete(self, table: str, **where: object) -> int:
        """Delete the rows that have these values; how many there were."""
        query = f"DELETE FROM {table} WHERE {_all(where)}"
        return self.conn.execute(query, (*where.values(),)).rowcount


def _all(where: Mapping[str, object]) -> str:
    return " AND ".join(f"{name} = ?" for name in where)


class Tournament(File):
    """A tournament of an open file."""

    def __init__(self, conn: Conn, id_: int, now: Now | None = None) -> None:
        """now: where its season is, where that was just read."""
        super().__init__(conn)
        self.id, self._now, self._changes = id_, now, conn.total_changes

    def run(self, query: str, *values: object, **named: object) -> sqlite3.Cursor:  # noqa: D102
        return super().run(query, *values, tournament=self.id, **named)

    @property
    def now(self) -> Now:
        """Where the season is: read once, until something is written."""
        if self._now is None or self._changes != self.conn.total_changes:
            self._now = Now(*self.run("now").fetchone())
            self._changes = self.conn.total_changes
        return self._now

    def forget(self) -> None:
        """Read where the season is anew, after what was written is rolled back."""
        self._now = None

    def describe(self, said: str | Message, /, **facts: Fact) -> Message:
        """Say on the log what is done: a message, or a literal text for these facts; which."""
        told = say(said, **facts)
        journal.describe(self.conn, told)
        return told

    def open_boards(self, round_number: int) -> list[int]:
        """The boards of a round that still lack a result."""
        return self.scalars("open_boards_of", round=round_number)

    def seats(self, round_number: int) -> dict[int, tuple[int, int]]:
        """White and Black (ids) of a round, by board."""
        found = self.run("seats", round=round_number)
        return {board: (white, black) for board, white, black in found}
