"""The proof that a file is sound: its facts, entered into a new file, give the same.

Facts are the rows that people entered; keizer computes all other rows from them.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from keizer import resources
from keizer.errors import KeizerError
from keizer.messages import Message, ignore, plural, say, term
from keizer.store import refresh, sql
from keizer.store.atomic import StrPath
from keizer.store.connection import (
    ERRORS_OF_DAMAGE,
    code_of_file,
    connect,
    error_message,
    trial_copy,
)
from keizer.store.definitions import quoted
from keizer.store.log import seals
from keizer.store.soundness import rebuild

_MOST_OF_A_KIND = 12
"""How many differences of one table, or problems of one kind, are named."""

_ADVICE_ON_COMPUTED = say("`keizer migrate` repairs it.")
_ADVICE_ON_FACTS = say("Correct the row in any program, or see `keizer restore`.")
_ADVICE_ON_LOST = say("See `keizer restore`.")
_ADVICE_ON_SEALS = say(
    "See `keizer restore`, or take the log as it is by `keizer migrate --accept`."
)

Progress = Callable[[Message], object]
"""A function that shows to a person who waits which step has begun."""

Rows = dict[tuple[Any, ...], dict[str, Any]]
"""The rows of a table by primary key, each as its values by column.

An example is {(7,): {"id": 7, "name": "Ada"}}.
"""


def damage(conn: sqlite3.Connection) -> list[Message]:
    """Return a message for each fault that SQLite finds in the pages of a file.

    If the file has definitions that SQLite must not run, its pages are not checked, and
    the reasons for that are returned.
    """
    reasons_not_to_read = code_of_file(conn).reasons_not_to_read
    if reasons_not_to_read:
        # An integrity check would run these definitions.
        return [*reasons_not_to_read]
    try:
        with trial_copy(conn) as copy:
            # integrity_check leaves out the free pages if the first definition has no
            # page of its own, such as a view. So these definitions are deleted.
            copy.execute("PRAGMA writable_schema = ON")
            copy.execute(
                "DELETE FROM sqlite_master"
                " WHERE rootpage = 0 OR type IN ('view', 'trigger')"
            )
            copy.execute("PRAGMA writable_schema = RESET")
            return _integrity_errors(copy)
    except sqlite3.DatabaseError as error:
        # The file is so damaged that it could not be copied. So the file itself is
        # checked, unless that would run code.
        if _has_virtual_tables(conn):
            return [error_message(error)]
        return _integrity_errors(conn) or [error_message(error)]


def _has_virtual_tables(conn: sqlite3.Connection) -> bool:
    """Return whether a file has virtual tables, whose content comes from a program.

    An integrity check of the file itself would run that program, a module of SQLite.
    """
    virtual_tables = conn.execute(
        "SELECT 1 FROM sqlite_master"
        " WHERE rootpage = 0 AND type NOT IN ('view', 'trigger')"
    )
    return virtual_tables.fetchone() is not None


def has_damaged_pages(conn: sqlite3.Connection) -> bool:
    """Return whether pages of a file are damaged, and not only an index.

    If only an index is damaged, the file can be rebuilt, which makes the index again.
    """
    # SQLite begins a fault of pages with "*** in database main ***".
    return any(str(message).startswith("***") for message in damage(conn))


def _integrity_errors(conn: sqlite3.Connection) -> list[Message]:
    """Return a message for each fault that SQLite finds in the pages of the file."""
    # A row that breaks a CHECK is left to the rebuild, which names the row.
    conn.execute("PRAGMA ignore_check_constraints = ON")
    errors = list(_integrity_check(conn, "PRAGMA integrity_check"))
    conn.execute("PRAGMA ignore_check_constraints = OFF")
    return errors


def _integrity_check(conn: sqlite3.Connection, pragma: str) -> Iterator[Message]:
    """Yield a message for each fault that an integrity check of SQLite finds.

    pragma: the statement, such as "PRAGMA integrity_check(log)".
    """
    for (text,) in conn.execute(pragma):
        # SQLite returns "ok" if there are no faults.
        if text != "ok":
            yield term(text)


class Proof(NamedTuple):
    """The outcome of a check of a file.

    said: the verdict in one sentence.
    problems: a message for each fault of the pages, of the rows that people entered and
    of those that keizer computed from them.
    changed: a message for each definition of keizer's that another program changed or
    removed.
    added: the name of each definition that is not keizer's, "trigger audit on round".
    These are not counted as problems.
    """

    said: Message
    problems: list[Message]
    changed: list[Message]
    added: list[Message]


def prove(
    conn: sqlite3.Connection, path: StrPath, show_progress: Progress = ignore
) -> Proof:
    """Check whether a file is sound, and return all that is wrong with it.

    There are four steps, and a fault in step 1 or 2 ends the check:

    1. The pages of the file. If they are damaged, nothing in it can be trusted.
    2. Its views and triggers. The next steps rely on them.
    3. The facts, which are the rows that people entered. They are entered again into a
       copy of the file (by `problems`).
    4. What keizer computed from the facts. What the file has stored is compared with
       the copy (by `problems`).

    conn: a connection to the file with the views and triggers that it has, even if
    somebody changed them. path: names the file in the verdict. show_progress: called at
    the start of each step.
    """
    show_progress(say("1 of 4: the pages"))
    page_faults = damage(conn)
    if page_faults:
        return _proof(path, problems=page_faults)
    show_progress(say("2 of 4: views and triggers"))
    if code_of_file(conn).has_only_own_definitions:
        # Every definition is keizer's, so steps 3 and 4 can rely on them.
        return _proof(path, problems=problems(conn, show_progress))
    changed_code = refresh.differences(conn)
    added_code = refresh.added_definitions(conn)
    if changed_code:
        # Steps 3 and 4 cannot be done, as they rely on keizer's views and triggers.
        # Triggers of others are named, as they would prevent a migration.
        triggers = refresh.foreign_triggers(conn)
        refusals = refresh.refusals_of_triggers(triggers)
        return _proof(
            path, problems=refusals, changed_code=changed_code, added_code=added_code
        )
    # If an addition refuses or changes rows, it would do so when the rows are entered
    # again, and the result would prove nothing.
    refusals = refresh.refusals_of_additions(conn)
    if refusals:
        return _proof(path, problems=refusals, added_code=added_code)
    return _proof(path, problems=problems(conn, show_progress), added_code=added_code)


def _proof(
    path: StrPath,
    *,
    problems: list[Message],
    changed_code: Sequence[Message] = (),
    added_code: Sequence[Message] = (),
) -> Proof:
    """Return the proof of a file, with a verdict by the number of its problems.

    changed_code: a message for each changed definition of keizer's; each counts as a
    problem. added_code: the names of definitions of others, which do not count.
    """
    verdict = _verdict(path, len(problems) + len(changed_code))
    return Proof(verdict, problems, [*changed_code], [*added_code])


def _verdict(path: StrPath, number: int) -> Message:
    """Return a message that a file is sound, or the number of its problems."""
    if not number:
        return say("{file} is sound: every ranking in it is proved", file=str(path))
    return plural(
        "{file} has {number:,} problem",
        "{file} has {number:,} problems",
        number,
        file=str(path),
    )


def is_sound(path: StrPath) -> bool:
    """Return whether nothing is wrong with a file; False also if it cannot be read.

    The file is checked in a copy. If its views and triggers are not those of this
    keizer, they are replaced there. If the file has another layout, which these views
    do not fit, only its pages are checked.
    """
    try:
        with closing(connect(path, "ro")) as conn:
            if code_of_file(conn).reasons_not_to_read:
                return False
            (layout,) = conn.execute("PRAGMA user_version").fetchone()
            if layout != sql.LAYOUT:
                return not damage(conn)
            with trial_copy(conn) as copy:
                if not code_of_file(copy).is_current:
                    refresh.refresh(copy)
                proof = prove(copy, path)
                # `problems` are faults of rows. `changed` has the tables, indexes,
                # views and triggers of keizer's that are missing or changed, which is
                # a fault as well.
                return not proof.problems and not proof.changed
    except (sqlite3.Error, KeizerError, *ERRORS_OF_DAMAGE):
        return False


def problems(
    conn: sqlite3.Connection, show_progress: Progress = ignore
) -> list[Message]:
    """Return a message for each fault of the rows of a file.

    Facts, the rows that people entered, are entered again into a copy. Then all rows of
    the copy are compared with those stored in the file. The log is checked as well.
    The definitions of the file have to be keizer's; additions must not refuse any row.
    show_progress: called at the start of steps 3 and 4 of `prove`.
    """
    show_progress(say("3 of 4: every fact is entered again"))
    messages: list[Message] = []
    with trial_copy(conn) as copy:
        if not code_of_file(copy).has_only_own_definitions:
            # Something that somebody added may get in the way of keizer's statements.
            messages += _first_few(_unusable_statements(copy))
        copy.text_factory = rebuild.decode
        messages += _first_few(_problem(*row) for row in sql.run(copy, "wrong"))
        suspended = {tournament for (tournament,) in sql.run(copy, "suspended")}
        messages += _first_few(_faults_of_log(copy))
        messages += _first_few(
            say("{broken} {advice}", broken=broken, advice=_ADVICE_ON_SEALS)
            for broken in seals.changed_rows(copy)
        )
        # The copy is rebuilt last, as its log is empty afterwards.
        copy.execute("BEGIN")
        refused, _ = rebuild.rebuild(copy, keep_log=False)
        messages += _first_few(_refusal(row) for row in refused)
        show_progress(
            say("4 of 4: what is stored is compared with what follows from the facts")
        )
        for _, table in refresh.own_tables():
            if table not in rebuild.LOG_TABLES:
                messages += _first_few(
                    _differences(copy, table, suspended, all_entered=not refused)
                )
    return messages


def _first_few(messages: Iterable[Message]) -> list[Message]:
    """Return the first messages of one kind, then one with the number of the others.

    All are returned if there are _MOST_OF_A_KIND at most.
    """
    all_messages = list(messages)
    number_of_others = len(all_messages) - _MOST_OF_A_KIND
    if number_of_others <= 0:
        return all_messages
    others = say("... and {number} more like these", number=number_of_others)
    return [*all_messages[:_MOST_OF_A_KIND], others]


class _AllNull(dict[str, None]):
    """Parameters for any statement of SQL: the value of each is NULL.

    With these, SQLite can be asked whether a statement is right, whatever parameters it
    has: without a value for each of them, Python does not pass the statement on. The
    dictionary is empty, so Python calls __missing__ for each parameter.
    """

    def __missing__(self, name: str) -> None:
        return None


def _unusable_statements(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each view and query of keizer's that SQLite cannot run.

    A column that somebody added may be the reason: if it has the name of a column of
    another table, a query of both tables is ambiguous. No statement is run for this.
    """
    existing = refresh.definitions_in(conn).keys()
    own = existing & refresh.definitions_of_keizer().keys()
    statements = {name: f"SELECT * FROM {name}" for kind, name in own if kind == "view"}
    for file in sorted(Path(__file__).parents[2].rglob("queries.sql")):
        statements |= resources.queries(str(file))
    for name, statement in statements.items():
        try:
            # EXPLAIN has SQLite prepare the statement, and does not run it.
            conn.execute(f"EXPLAIN {statement}", _AllNull()).close()
        except sqlite3.Error as error:
            yield say(
                "{what} cannot be read because of something that somebody added:"
                " {problem}",
                what=name,
                problem=error_message(error),
            )


def _problem(tournament: str | None, problem: str) -> Message:
    """Put a problem that the file itself finds (view problems) into a message.

    tournament: the name of the tournament; None if the problem is of the whole file.
    problem: a sentence.
    """
    if tournament is None:
        return term(problem)
    return say("{tournament}: {problem}", tournament=tournament, problem=term(problem))


def _refusal(row: rebuild.Refused) -> Message:
    """Return a message that the rebuild refused a row, and what to do about it."""
    return say(
        "{refused} Correct or delete it in any program: the file's triggers say what is"
        " right.",
        refused=row.message,
    )


# ------------------------------------------------ a table, as stored and as rebuilt


class _Table(NamedTuple):
    """A table that is compared, and its columns.

    stored_columns: all columns with values in the file; SQLite computes the others
    whenever they are read.
    entered_columns: the columns that people fill, for example result; empty for a table
    that is computed or constant.
    key: the columns of the primary key.
    """

    name: str
    stored_columns: list[str]
    entered_columns: list[str]
    key: list[str]


def _table(conn: sqlite3.Connection, name: str) -> _Table:
    """Return a table with the names of its stored, entered and key columns."""
    entered_columns = []
    if name in rebuild.FACTS:
        computed = rebuild.COMPUTED.get(name, ())
        entered_columns = [
            column
            for column in rebuild.read_columns(conn, name)
            if column not in computed
        ]
    return _Table(
        name=name,
        stored_columns=rebuild.stored_columns(conn, name),
        entered_columns=entered_columns,
        key=[column for (column,) in sql.run(conn, "primary_key", table=name)],
    )


def _differences(
    conn: sqlite3.Connection, name: str, suspended: set[int], *, all_entered: bool
) -> Iterator[Message]:
    """Yield a message for each difference between a table as stored and as rebuilt.

    conn: a copy of the file after a rebuild: table NAME has the rows computed or
    entered again, and temp.old_NAME those stored before.
    suspended: the tournaments (tournament.id) whose rankings are not up to date, as
    somebody suspended their computation. all_entered: the rebuild refused no row.
    """
    table = _table(conn, name)
    tournament_column = "id" if name == "tournament" else "tournament_id"
    # Only rows that differ, so that few are compared column by column.
    old_rows = _rows_of_first(conn, table, f"temp.old_{name}", f"main.{name}")
    new_rows = _rows_of_first(conn, table, f"main.{name}", f"temp.old_{name}")
    for key in sorted({*old_rows, *new_rows}, key=str):
        old = old_rows.get(key)
        new = new_rows.get(key)
        row = old or new or {}
        compared = table.stored_columns
        if not all_entered or row.get(tournament_column) in suspended:
            # Computed columns may differ without a fault: a refused row is missing from
            # the computation, or the stored values were not up to date.
            compared = table.entered_columns
        key_in_words = [
            f"{column} {value}" for column, value in zip(table.key, key, strict=True)
        ]
        if old and new:
            yield from _cell_differences(
                table=table,
                key_in_words=key_in_words,
                compared=compared,
                old=old,
                new=new,
            )
        elif all_entered and compared:
            # If a row was refused, others may be missing because they refer to it. If
            # no column is compared, the table is computed and not up to date.
            yield _row_difference(name, key_in_words, is_missing=old is None)


def _rows_of_first(
    conn: sqlite3.Connection, table: _Table, first: str, second: str
) -> Rows:
    """Return the rows of the first table that have no equal row in the second.

    table: the columns to compare. first, second: the names of the two tables in SQL,
    such as "temp.old_round" and "main.round".
    """
    columns = ", ".join(map(quoted, table.stored_columns))
    difference = conn.execute(
        f"SELECT {columns} FROM {first} EXCEPT SELECT {columns} FROM {second}"
    )
    rows: Rows = {}
    for values in difference:
        row = dict(zip(table.stored_columns, values, strict=True))
        key = tuple(row[column] for column in table.key)
        rows[key] = row
    return rows


def _cell_differences(
    table: _Table,
    key_in_words: list[str],
    compared: list[str],
    old: dict[str, Any],
    new: dict[str, Any],
) -> Iterator[Message]:
    """Yield a message for each compared column in which two rows differ.

    key_in_words: the key that both have, ["id 7"]. compared: the names of columns. old:
    the row as it was stored. new: the row as it was entered or computed again.
    """
    for column in compared:
        if old[column] != new[column]:
            yield say(
                "table {table}, {row}: {column} is {stored}, and the facts give {due}."
                " {advice}",
                table=table.name,
                row=key_in_words,
                column=column,
                stored=repr(old[column]),
                due=repr(new[column]),
                advice=_advice(is_entered=column in table.entered_columns),
            )


def _advice(*, is_entered: bool) -> Message:
    """Return a message on what to do about a value or row that differs.

    is_entered: people entered it, so that somebody has to correct it. Otherwise keizer
    computed it, and can compute it again.
    """
    return _ADVICE_ON_FACTS if is_entered else _ADVICE_ON_COMPUTED


def _row_difference(
    table: str, key_in_words: list[str], *, is_missing: bool
) -> Message:
    """Return a message that a row is missing, or is there and should not be.

    It ends with what to do about it. That depends on whether people enter the rows of
    the table, or keizer computes them. key_in_words: the key of the row, ["id 7"].
    """
    advice = _advice(is_entered=table in rebuild.FACTS)
    if is_missing:
        return say(
            "table {table}, {row}: the row is missing. {advice}",
            table=table,
            row=key_in_words,
            advice=advice,
        )
    return say(
        "table {table}, {row}: the facts give no such row. {advice}",
        table=table,
        row=key_in_words,
        advice=advice,
    )


# ------------------------------------------------------------ the log and its commands


def _faults_of_log(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each fault in the tables of the log and its commands.

    Their rows are not entered again into new tables, which would check the constraints.
    So the constraints are checked here.
    """
    for table in rebuild.LOG_TABLES:
        # The check of the whole table is quick, that of each cell is slow.
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
                "table {table}: {row} refers to a row of table {other} that is"
                " missing. {advice}",
                table=table,
                row=say("a row") if row is None else say("row {number}", number=row),
                other=other,
                advice=_ADVICE_ON_LOST,
            )


def _is_readable(conn: sqlite3.Connection, table: str) -> bool:
    """Return whether each cell of a table is a number, NULL, or a text in UTF-8.

    SQLite looks at the cells, as Python would take much longer for a long log.
    """
    conditions = [
        f"typeof({quoted(name)}) = 'blob'" for name in rebuild.read_columns(conn, table)
    ]
    has_bytes = " OR ".join(conditions)
    factory = conn.text_factory
    # With str, sqlite3 raises OperationalError for a text that is not in UTF-8.
    conn.text_factory = str
    try:
        # All columns are selected, so that Python decodes the texts in them.
        rows = conn.execute(f"SELECT *, {has_bytes} FROM {table}")
        return not any(row[-1] for row in rows)  # the last column is has_bytes
    except sqlite3.OperationalError:
        return False
    finally:
        conn.text_factory = factory


def _unreadable_cells(conn: sqlite3.Connection, table: str) -> Iterator[Message]:
    """Yield a message for each cell with bytes, or with a text that is not in UTF-8.

    conn: a connection whose text_factory is `rebuild.decode`.
    """
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
"""The mark in the name of a copy that a sync program makes of one of two versions.

Examples are "club (conflicted copy).db" and "club (1).db".
"""


def conflicting_copies(path: StrPath) -> list[Path]:
    """Return the files beside a file that look like its copies by a sync program.

    A sync program makes such a copy if two people change a file at the same time.
    """
    file = Path(path).absolute()
    others = []
    for other in file.parent.glob(f"*{file.suffix}"):
        if other.name == file.name or not other.stem.startswith(file.stem):
            continue
        if _COPY.search(other.stem):
            others.append(other)
    return sorted(others)
