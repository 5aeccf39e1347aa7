"""The proof that a file is sound: a new one, given its facts, comes out the same."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from keizer import resources
from keizer.errors import KeizerError
from keizer.messages import Message, plural, say, term
from keizer.store import refresh, sql
from keizer.store.atomic import StrPath
from keizer.store.connection import (
    ERRORS_OF_DAMAGE,
    code_of,
    connect,
    error_message,
    trial_copy,
)
from keizer.store.definitions import quoted
from keizer.store.log import seals
from keizer.store.soundness import rebuild

_EACH = 12
"""How many differences of one table, and problems of one kind, are named."""

_ADVICE_ON_COMPUTED = say("`keizer migrate` puts it right.")
_ADVICE_ON_FACTS = say("Correct the row in any program, or see `keizer restore`.")
_ADVICE_ON_LOST = say("See `keizer restore`.")
_ADVICE_ON_SEALS = say(
    "See `keizer restore`, or take the log as it is by `keizer migrate --accept`."
)

Progress = Callable[[Message], object]
"""A function that is told what is being looked at; str keeps it to itself."""

Rows = dict[tuple[Any, ...], dict[str, Any]]
"""Rows of a table, as values by column, by their primary key."""


def damage(conn: sqlite3.Connection) -> list[Message]:
    """Return what is wrong with the pages of the file; nothing if they are whole."""
    barred = code_of(conn).reasons_not_to_read
    if barred:
        # To look at the pages would run what bars them.
        return [*barred]
    # SQLite leaves out the free pages if the first thing that it looks at has no page,
    # as a view.
    try:
        with trial_copy(conn) as copy:
            copy.execute("PRAGMA writable_schema = ON")
            copy.execute(
                "DELETE FROM sqlite_master"
                " WHERE rootpage = 0 OR type IN ('view', 'trigger')"
            )
            copy.execute("PRAGMA writable_schema = RESET")
            return _integrity_errors(copy)
    except sqlite3.DatabaseError as error:
        if _has_virtual_tables(conn):
            return [error_message(error)]
        return _integrity_errors(conn) or [error_message(error)]


def _has_virtual_tables(conn: sqlite3.Connection) -> bool:
    """Return whether there are tables whose pages are proved by code of their own."""
    virtual_tables = conn.execute(
        "SELECT 1 FROM sqlite_master"
        " WHERE rootpage = 0 AND type NOT IN ('view', 'trigger')"
    )
    return virtual_tables.fetchone() is not None


def has_damaged_pages(conn: sqlite3.Connection) -> bool:
    """Return whether pages are damaged, and not only an index.

    If only an index is, a rebuild makes it again.
    """
    return any(str(message).startswith("***") for message in damage(conn))


def _integrity_errors(conn: sqlite3.Connection) -> list[Message]:
    """Return what SQLite finds wrong with the pages of the file."""
    # A row that breaks a CHECK is left to the rebuild, which says which row it is.
    conn.execute("PRAGMA ignore_check_constraints = ON")
    errors = list(_integrity_check(conn, "PRAGMA integrity_check"))
    conn.execute("PRAGMA ignore_check_constraints = OFF")
    return errors


def _integrity_check(conn: sqlite3.Connection, pragma: str) -> Iterator[Message]:
    """Yield what an integrity check finds, which says ok if that is nothing."""
    for (text,) in conn.execute(pragma):
        if text != "ok":
            yield term(text)


class Proof(NamedTuple):
    """A verdict on a file: whether it is sound, and what was found, a message each.

    problems: in what the file says. changed: of keizer's code, by another program.
    added: what is not keizer's, and where it stands, which is left alone.
    """

    said: Message
    problems: list[Message]
    changed: list[Message]
    added: list[Message]


def prove(
    conn: sqlite3.Connection, path: StrPath, show_progress: Progress = str
) -> Proof:
    """Look at a club's file as it is, none of whose code was run.

    Pages first, for nothing else can be told without them; then the definitions, for
    whatever proves the rest may be among them.
    show_progress: called with a message about each part.
    """
    show_progress(say("1 of 4: the pages"))
    wrong = damage(conn)
    changed: list[Message] = []
    added: list[Message] = []
    if not wrong:
        show_progress(say("2 of 4: views and triggers"))
        if code_of(conn).is_pure:
            wrong = problems(conn, show_progress)
        else:
            changed = refresh.differences(conn)
            added = refresh.added_definitions(conn)
            if changed:
                # The rest is not proved: what would prove it is not keizer's.
                wrong = refresh.refusals_of_triggers(refresh.foreign_triggers(conn))
            else:
                wrong = refresh.refusals_of_additions(conn) or problems(
                    conn, show_progress
                )
    verdict = _verdict(path, len(wrong) + len(changed))
    return Proof(verdict, wrong, changed, added)


def _verdict(path: StrPath, number: int) -> Message:
    """Say that a file is sound, or the number of its problems."""
    if not number:
        return say("{file} is sound: every ranking in it is proved", file=str(path))
    return plural(
        "{file} has {number:,} problem",
        "{file} has {number:,} problems",
        number,
        file=str(path),
    )


def is_sound(path: StrPath) -> bool:
    """Return whether nothing is wrong with a file, by the views of this keizer.

    Of a file of another layout, only the pages are looked at.
    """
    try:
        with closing(connect(path, "ro")) as conn:
            if code_of(conn).reasons_not_to_read:
                return False
            (layout,) = conn.execute("PRAGMA user_version").fetchone()
            if layout != sql.LAYOUT:
                return not damage(conn)
            with trial_copy(conn) as copy:
                if not code_of(copy).is_current:
                    refresh.refresh(copy)
                _, wrong, changed, _ = prove(copy, path)
                return not (wrong or changed)
    except (sqlite3.Error, KeizerError, *ERRORS_OF_DAMAGE):
        return False


def problems(conn: sqlite3.Connection, show_progress: Progress = str) -> list[Message]:
    """Return what is wrong with what the file says; nothing if it is sound.

    show_progress: gets what is being looked at.
    """
    show_progress(say("3 of 4: every fact is entered anew"))
    messages: list[Message] = []
    with trial_copy(conn) as copy:
        if not code_of(copy).is_pure:
            messages += _first(_unreadable(copy))
        copy.text_factory = rebuild.decode
        messages += _first(_problem(*row) for row in sql.run(copy, "wrong"))
        suspended = {tournament for (tournament,) in sql.run(copy, "suspended")}
        messages += _first(_on_record(copy))
        messages += _first(
            say("{broken} {advice}", broken=broken, advice=_ADVICE_ON_SEALS)
            for broken in seals.broken(copy)
        )
        copy.execute("BEGIN")
        refused, _ = rebuild.rebuild(copy, logged=False)
        messages += _first(_refused(row) for row in refused)
        show_progress(say("4 of 4: what is stored against what follows"))
        for _, table in refresh.own_tables():
            if table not in rebuild.RECORDS:
                messages += _first(
                    _differences(copy, table, suspended, whole=not refused)
                )
    return messages


def _first(messages: Iterable[Message]) -> list[Message]:
    """Return the first of many messages of one kind, and how many more there are."""
    listed = list(messages)
    number = len(listed) - _EACH
    if number <= 0:
        return listed
    return [*listed[:_EACH], say("... and {number} more like these", number=number)]


class _Unset(dict[str, None]):
    """The parameters of a statement that is not run: any name is NULL."""

    def __missing__(self, name: str) -> None:
        return None


def _unreadable(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each view and query that cannot be read.

    A column that somebody added may have the name of another, say.
    """
    of_keizer = (
        refresh.definitions_in(conn).keys() & refresh.definitions_of_keizer().keys()
    )
    statements = {
        name: f"SELECT * FROM {name}" for kind, name in of_keizer if kind == "view"
    }
    for file in sorted(Path(__file__).parents[1].rglob("queries.sql")):
        statements |= resources.queries(str(file))
    for name, statement in statements.items():
        try:
            conn.execute(f"EXPLAIN {statement}", _Unset()).close()
        except sqlite3.Error as error:
            yield say(
                "{what} cannot be read, for what somebody added: {problem}",
                what=name,
                problem=error_message(error),
            )


def _problem(tournament: str | None, problem: str) -> Message:
    """Say what a row of view problems says."""
    if tournament is None:
        return term(problem)
    return say("{tournament}: {problem}", tournament=tournament, problem=term(problem))


def _refused(row: rebuild.Refused) -> Message:
    return say(
        "{refused} Correct or delete it in any program: the file's triggers say what is"
        " right.",
        refused=row.message,
    )


# ------------------------------------------------- a table, as stored and as it follows


class _Table(NamedTuple):
    """A table that is compared, and its columns.

    stored: those that have a place in the file. written: those of them that people
    write, none of a table that is computed or constant. key: the primary key.
    """

    name: str
    stored: list[str]
    written: list[str]
    key: list[str]


def _table(conn: sqlite3.Connection, name: str) -> _Table:
    """Look up the columns of a table."""
    written = []
    if name in rebuild.FACTS:
        computed = rebuild.COMPUTED.get(name, ())
        written = [
            column
            for column in rebuild.read_columns(conn, name)
            if column not in computed
        ]
    return _Table(
        name=name,
        stored=rebuild.stored_columns(conn, name),
        written=written,
        key=[column for (column,) in sql.run(conn, "primary_key", table=name)],
    )


def _differences(
    conn: sqlite3.Connection, name: str, suspended: set[int], *, whole: bool
) -> Iterator[Message]:
    """Yield the differences between a table as it was and as the facts lead to.

    suspended: tournaments (tournament.id) of which what is computed may be behind.
    whole: every fact was taken over; else what is computed, or missing, says nothing.
    """
    table = _table(conn, name)
    tournament_column = "id" if name == "tournament" else "tournament_id"
    old_rows = _rows_only_in(conn, table, "temp.old_", "main.")
    new_rows = _rows_only_in(conn, table, "main.", "temp.old_")
    for key in sorted({*old_rows, *new_rows}, key=str):
        old = old_rows.get(key)
        new = new_rows.get(key)
        row = old or new or {}
        is_current = row.get(tournament_column) not in suspended
        compared = table.stored if whole and is_current else table.written
        named = [
            f"{column} {value}" for column, value in zip(table.key, key, strict=True)
        ]
        if old and new:
            yield from _cell_differences(
                table=table, named=named, compared=compared, old=old, new=new
            )
        elif whole and compared:
            yield _row_difference(name, named, is_missing=old is None)


def _rows_only_in(
    conn: sqlite3.Connection, table: _Table, place: str, other: str
) -> Rows:
    """Return the rows that a table has in one place and not, like this, in another.

    place, other: what stands before its name: main. or, as set aside, temp.old_.
    """
    columns = ", ".join(map(quoted, table.stored))
    difference = conn.execute(
        f"SELECT {columns} FROM {place}{table.name}"
        f" EXCEPT SELECT {columns} FROM {other}{table.name}"
    )
    rows: Rows = {}
    for values in difference:
        row = dict(zip(table.stored, values, strict=True))
        rows[tuple(row[column] for column in table.key)] = row
    return rows


def _cell_differences(
    table: _Table,
    named: list[str],
    compared: list[str],
    old: dict[str, Any],
    new: dict[str, Any],
) -> Iterator[Message]:
    """Yield a message for each column in which a row is not as the facts give it.

    named: the row, by its key.
    """
    for column in compared:
        if old[column] != new[column]:
            yield say(
                "table {table}, {row}: {column} is {stored}, and the facts give {due}."
                " {advice}",
                table=table.name,
                row=named,
                column=column,
                stored=repr(old[column]),
                due=repr(new[column]),
                advice=_advice(is_written=column in table.written),
            )


def _advice(*, is_written: bool) -> Message:
    """Return what to do about something that people write, or that is computed."""
    return _ADVICE_ON_FACTS if is_written else _ADVICE_ON_COMPUTED


def _row_difference(table: str, named: list[str], *, is_missing: bool) -> Message:
    """Say that a row is missing, or is there although the facts give no such row.

    named: the row, by its key.
    """
    advice = _advice(is_written=table in rebuild.FACTS)
    if is_missing:
        return say(
            "table {table}, {row}: the row is missing. {advice}",
            table=table,
            row=named,
            advice=advice,
        )
    return say(
        "table {table}, {row}: the facts give no such row. {advice}",
        table=table,
        row=named,
        advice=advice,
    )


# ------------------------------------------------------- what is taken over as it is


def _on_record(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield what cannot be in the tables that the file writes as things happen."""
    for table in rebuild.RECORDS:
        if not _is_readable(conn, table):
            yield from _unreadable_cells(conn, table)
        for problem in _integrity_check(conn, f"PRAGMA integrity_check({table})"):
            yield say(
                "table {table}: {problem}. {advice}",
                table=table,
                problem=problem,
                advice=_ADVICE_ON_LOST,
            )
        for _, row, other, _ in conn.execute(f"PRAGMA foreign_key_check({table})"):
            yield say(
                "table {table}: {row} is of a row of table {other} that is not there."
                " {advice}",
                table=table,
                row=say("a row") if row is None else say("row {number}", number=row),
                other=other,
                advice=_ADVICE_ON_LOST,
            )


def _is_readable(conn: sqlite3.Connection, table: str) -> bool:
    """Return whether each cell is a number or a text in UTF-8.

    SQLite looks, not Python: a long log is read much faster so.
    """
    are_bytes = [
        f"typeof({quoted(name)}) = 'blob'" for name in rebuild.read_columns(conn, table)
    ]
    has_bytes = " OR ".join(are_bytes)
    factory = conn.text_factory
    conn.text_factory = str
    try:
        rows = conn.execute(f"SELECT *, {has_bytes} FROM {table}")
        return not any(row[-1] for row in rows)
    except sqlite3.OperationalError:  # a text is not in UTF-8
        return False
    finally:
        conn.text_factory = factory


def _unreadable_cells(conn: sqlite3.Connection, table: str) -> Iterator[Message]:
    """Yield a message for each cell with bytes, or with a text that is not in UTF-8."""
    for number, row in enumerate(conn.execute(f"SELECT * FROM {table}"), 1):
        for column, value in zip(row.keys(), row, strict=True):
            if isinstance(value, rebuild.Unreadable | bytes):
                yield say(
                    "table {table}, row {row}: {column} is not readable. {advice}",
                    table=table,
                    row=number,
                    column=column,
                    advice=_ADVICE_ON_LOST,
                )


# ---------------------------------------------------------------- copies of the file

_COPY = re.compile(r"conflict|conflit|konflikt|\(\d+\)", re.IGNORECASE)
"""How programs that sync folders call the copy of whoever came second."""


def conflicting_copies(path: StrPath) -> list[Path]:
    """Return what looks like the file of somebody who changed it at the same time."""
    file = Path(path).absolute()
    others = []
    for other in file.parent.glob(f"*{file.suffix}"):
        if other.name == file.name or not other.stem.startswith(file.stem):
            continue
        if _COPY.search(other.stem):
            others.append(other)
    return sorted(others)
