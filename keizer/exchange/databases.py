"""A SQLite file of another program: what its ordinary tables store, and nothing that computes."""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from keizer.errors import KeizerError
from keizer.formats import limits, parsing
from keizer.messages import Message, say
from keizer.season.names import spelling
from keizer.store import connection
from keizer.texts import visible


class ForeignFile:
    """What the ordinary tables of another program's file store.

    present: by table the columns that are stored, in small letters; none of a view and the like.
    """

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self._conn, self._path, self._left = conn, path, limits.SEASON
        self.denied = ""
        self.present: dict[str, set[str]] = {}
        (self.application,) = conn.execute("PRAGMA application_id").fetchone()
        schema = self.rows("SELECT lower(name), rootpage, sql FROM sqlite_master")
        with parsing.naming(str(path)):
            limits.check(tables=len(schema))
        for name, root, text in schema:
            self.present.setdefault(name, set())
            # SQLite takes a table for what its text says, and so it is told here.
            ours = re.match(r"CREATE TABLE [\"'`\[]?(\w+)", str(text))
            if root and ours and ours[1].lower() == name:
                columns = self.rows(
                    "SELECT lower(name), hidden FROM pragma_table_xinfo(?)", name
                )
                hidden = {column for column, is_hidden in columns if is_hidden}
                self.present[name] = {
                    "rowid",
                    *(column for column, _ in columns),
                } - hidden
        conn.set_authorizer(self._allowed)

    def _allowed(
        self,
        action: int,
        table: str | None,
        column: str | None,
        _: str | None,
        view: str | None,
    ) -> int:
        if view is None and action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION):
            return sqlite3.SQLITE_OK
        stored = self.present.get(str(table).lower())
        if view is None and action == sqlite3.SQLITE_READ and stored:
            if not column or column.lower() in stored:
                return sqlite3.SQLITE_OK
            table = f"{table}.{column}"
        self.denied = view or str(table)
        return sqlite3.SQLITE_DENY

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query on one table brings, if it is no more than a file may have.

        It has no ORDER BY: nothing is put aside before it was counted. A blob is read as a text.
        """
        found: list[tuple[Any, ...]] = []
        with parsing.naming(str(self._path)):
            for row in self._conn.execute(f"{query} LIMIT {limits.ROWS + 1}", values):
                self._left -= limits.letters(row)
                if self._left < 0:
                    raise limits.too_large(limits.SEASON)
                found.append(tuple(map(_text, row)))
            limits.check(rows=len(found))
        return found

    def check_ids(self, table: str, column: str = "id") -> None:
        """Refuse a table with a row whose id is not a whole number, or is another row's, too."""
        known = set[int]()
        for (cell,) in self.rows(f"SELECT {column} FROM {table}"):
            number = self._whole(table, column, cell)
            if number in known:
                raise twice(
                    say("{column} {number}", column=column, number=number), table
                )
            known.add(number)

    def check_whole(self, table: str, *columns: str) -> None:
        """Refuse a table with a cell that is something else than a whole number, or empty."""
        for row in self.rows(f"SELECT {', '.join(columns)} FROM {table}"):
            for column, cell in zip(columns, row, strict=True):
                if cell is not None:
                    self._whole(table, column, cell)

    def _whole(self, table: str, column: str, cell: Any) -> int:
        """A whole number, also one that is stored as a text or with a fraction of 0."""
        number = _as_whole(cell)
        if number is None:
            raise KeizerError(
                "table {table}: {column} “{typed}” is not a whole number.",
                table=table, column=column, typed=spelling.shortened(parsing.shown(cell)),
            )  # fmt: skip
        return number


def check_once(
    keys: Iterable[Any], table: str, called: Callable[[Any], Message] | None = None
) -> None:
    """Refuse a table with a key in two rows. called: makes what a sentence calls it."""
    for key, times in Counter(keys).items():
        if times > 1:
            typed = say("“{typed}”", typed=spelling.shortened(str(key)))
            raise twice(called(key) if called else typed, table)


def twice(what: Message, table: str) -> KeizerError:
    """Make the error for what a table has in two rows: one of them would be lost."""
    return KeizerError(
        "{what} is there twice in table {table}.", what=what, table=table
    )


def _as_whole(cell: Any) -> int | None:
    """A cell as a whole number; None for what SQLite would cut off to make it one."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, str) and re.fullmatch(r"-?[0-9]{1,18}", cell):
        return int(cell)
    return cell if isinstance(cell, int) else None


def _text(cell: Any) -> Any:
    """A cell, as text where it is bytes."""
    return parsing.decoded(cell, "replace") if isinstance(cell, bytes) else cell


@contextmanager
def opened(path: Path) -> Iterator[ForeignFile]:
    """A SQLite file of another program, to read; its errors are KeizerErrors."""
    if path.stat().st_size > limits.SEASON:
        with parsing.naming(str(path)):
            raise limits.too_large(limits.SEASON)
    file = None
    try:
        with closing(connection.connect(path, "ro")) as conn:
            conn.text_factory = _text
            connection.limit_time(conn, None)  # the process has its own limit
            file = ForeignFile(conn, path)
            yield file
    except (
        sqlite3.Error,
        UnicodeDecodeError,
    ) as error:  # what SQLite says may be no text
        if file and file.denied:
            raise KeizerError(
                "{file}: only tables and stored columns are read: “{column}” is none.",
                file=str(path), column=spelling.shortened(file.denied),
            ) from error  # fmt: skip
        raise KeizerError(
            "{file} cannot be read: {problem}.",
            file=str(path),
            problem=_problem(error, path),
        ) from error


def _problem(error: Exception, path: Path) -> str | Message:
    """Why a file cannot be read, a part of a sentence."""
    if isinstance(error, UnicodeDecodeError):
        return say("it is damaged")
    code = getattr(error, "sqlite_errorcode", 0)
    wal = Path(f"{path}-wal")
    if code & 0xFF == sqlite3.SQLITE_IOERR and wal.exists():
        return say(
            "close it in the other program first, as {wal} has more changes than are read",
            wal=str(wal),
        )
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:
        return say(
            "the other program was ended in the middle of a change; open and close it there first"
        )
    return visible(str(error)[:200])
