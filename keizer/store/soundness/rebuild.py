"""A rebuild: the facts of a file entered again, into new and empty tables.

The triggers and constraints of the new tables refuse each fact that cannot be, whoever
wrote it. So each rule stands in one place, the schema, and a rebuild proves that the
facts keep to it.
`keizer check` rebuilds a copy of the file and compares the two. `keizer migrate`
rebuilds the file itself, in one transaction: to bring it up to the layout of this
keizer, or to put right what another program did to it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, plural, say
from keizer.store import definitions, refresh, sql, tiebreaks
from keizer.store.connection import error_message, prepare_to_write
from keizer.store.definitions import quoted
from keizer.store.log import journal, seals
from keizer.store.log.history import cells

FACTS = (
    "player", "tournament", "scoring", "rules", "x_player_tournament", "period",
    "prohibited_pairing", "schedule", "attendance", "round", "unplayed", "exception",
    "correction", "reason", "backup", "site",
)  # fmt: skip
"""The tables of facts. Each comes after the tables to which it refers."""

RECORDS = ("command", "log")
"""The tables of the log and its commands. They are copied, and not entered again."""

SELF_REFERENCES = {
    "tournament": ("above",),
    "scoring": ("counts_with", "instead"),
    "x_player_tournament": ("rating",),
}
"""By table: columns that are set after all its rows have been entered.

They refer to rows of the same table, maybe to a later one, or a trigger fills them when
the row is entered (rating).
"""

COMPUTED = {
    "tournament": (
        "revaluation",
        "stale_from",
        "last_round",
        "current_round",
        "coming_round",
    ),
    "x_player_tournament": ("score",),
    "unplayed": ("credited_as", "halvings", "capped_by"),
}
"""By table of facts: the columns that keizer computes and nobody enters."""


class Unreadable(str):
    """A text whose bytes are not UTF-8; the wrong bytes are shown as escapes."""

    __slots__ = ()


def decode(raw: bytes) -> str:
    """Decode a text of a file that any program may have written.

    Return an Unreadable if it is not UTF-8. This is for Connection.text_factory.
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return Unreadable(raw.decode("utf-8", "backslashreplace"))


class Refused(NamedTuple):
    """A row that a trigger or constraint refuses.

    row: its key (see `journal.key_column`). why: the error of SQLite, for people.
    """

    table: str
    row: int | str
    why: Message

    @property
    def message(self) -> Message:
        """A sentence that names the row and says why it is refused."""
        return say(
            "row {row} of table {table} is refused: {why}",
            row=self.row,
            table=self.table,
            why=self.why,
        )


def read_columns(
    conn: sqlite3.Connection, table: str, *, computed: bool = False
) -> list[str]:
    """Return the names of the columns of a table.

    computed: include the columns that SQLite generates from others.
    """
    return [row[0] for row in sql.run(conn, "columns", table=table, computed=computed)]


def stored_columns(conn: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of the columns of a table that have values in the file.

    Generated columns are among them if they are declared as STORED.
    """
    return [row[0] for row in sql.run(conn, "stored_columns", table=table)]


def _shared_columns(conn: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of the columns that a new table and the old one both have."""
    old = read_columns(conn, f"old_{table}")
    return [column for column in read_columns(conn, table) if column in old]


def _column_list(names: Iterable[str]) -> str:
    """Return the names of columns as a list for SQL: `"id", "name"`."""
    return ", ".join(map(quoted, names))


# ------------------------------------------------------------------------- a rebuild


class Rebuilt(NamedTuple):
    """The rows and additions that a rebuild could not take over from the old tables.

    refused: rows of facts. lost: a message for each column, index or tie-break that
    somebody had added, and that is gone or changed now.
    """

    refused: list[Refused]
    lost: list[Message]


def rebuild(
    conn: sqlite3.Connection, conversion: str = "", *, keep_log: bool = True
) -> Rebuilt:
    """Make the tables of a file again, and enter its facts into them.

    The old tables are temp.old_NAME afterwards. Call it inside a transaction, with
    foreign keys off.
    conversion: SQL that changes old tables of an earlier layout to the layout of today.
    keep_log: copy the log, and add a line for each row that differs from its last line
    there. False is for a copy of the file: its log is empty afterwards.
    Raises KeizerError if a table of facts is missing, or if the log is kept and
    somebody added triggers.
    """
    before = refresh.definitions_in(conn)
    tables = [name for _, name in refresh.own_tables() if ("table", name) in before]
    _refuse_lost_facts(tables, conversion)
    # What people added has to be looked up while the old tables are still there.
    columns_of = _columns_of_changed_tables(conn, before)
    foreign_triggers = refresh.drop_code(conn)
    if foreign_triggers and keep_log:
        raise KeizerError(*refresh.refusals_of_triggers(foreign_triggers))
    # Only without triggers: one of them could have had the name of an index.
    indexes = _added_indexes(conn, before)
    _set_aside(conn, tables, keep_log=keep_log)
    definitions.run_script(conn, conversion)
    definitions.run_script(conn, sql.schema_script())
    lost = list(_add_columns(conn, columns_of))
    if keep_log:
        # Before keizer's triggers are there: they refuse changes of sealed commands.
        _copy_records(conn)
    refresh.put_code(conn)
    if not keep_log:
        definitions.run_script(conn, _STOP_LOGGING)
    prepare_to_write(conn)
    # Rules are facts, and may name a tie-break that somebody added.
    lost += _enter_tiebreaks(conn)
    journal.begin(conn)
    refused = list(_enter_facts(conn))
    # This makes the triggers that the rules need, before anything is computed.
    tiebreaks.compute_needed(conn)
    refused += _compute_tournaments(conn)
    lost += _put_back_indexes(conn, indexes)
    return Rebuilt(_causes(conn, refused), lost)


_STOP_LOGGING = """
DROP TRIGGER z_log_written;
CREATE TRIGGER z_log_written INSTEAD OF INSERT ON z_logged BEGIN SELECT 1; END;
"""
"""SQL that puts a trigger which does nothing in the place of the one that logs.

Nobody reads the log of a copy, and to look up the last line of each row would take as
long as to enter the row.
"""


def _refuse_lost_facts(tables: list[str], conversion: str) -> None:
    """Raise KeizerError if a table of facts is missing.

    tables: the names of keizer's tables in the file. conversion: as for `rebuild`.
    """
    for table in FACTS:
        # A conversion that names a missing table makes it from others.
        if table not in tables and f"old_{table}" not in conversion:
            raise KeizerError(
                "the table {table} is missing, and all that was in it: `keizer restore`"
                " lists the snapshots there are.",
                table=table,
            )


def _set_aside(conn: sqlite3.Connection, tables: list[str], *, keep_log: bool) -> None:
    """Copy tables to temp.old_NAME, and drop them from the file.

    keep_log: False to drop the log and its commands (RECORDS) without a copy.
    """
    for table in tables:
        is_copied = keep_log or table not in RECORDS
        if is_copied:
            columns = _column_list(stored_columns(conn, table))
            conn.execute(
                f"CREATE TEMP TABLE old_{table} AS SELECT {columns} FROM main.{table}"
            )
        conn.execute(f"DROP TABLE main.{table}")


def _added_indexes(conn: sqlite3.Connection, before: refresh.Objects) -> dict[str, str]:
    """Return the definitions of the indexes that people added to keizer's tables.

    before: the definitions of the file before triggers and views were dropped.
    """
    own = refresh.new_file().definitions
    # The query gives the name of each index, and of its table.
    table_of = dict(sql.run(conn, "on_tables").fetchall())
    indexes = {}
    for (kind, name), definition in before.items():
        if kind != "index" or (kind, name) in own:
            continue
        if ("table", table_of[name]) in own:
            indexes[name] = definition
    return indexes


class _Column(NamedTuple):
    """A column of a table, and its text in the definition of the table.

    is_stored: it has values of its own, and is not generated from others.
    """

    name: str
    definition: str
    is_stored: bool


def _columns_of_changed_tables(
    conn: sqlite3.Connection, before: refresh.Objects
) -> dict[str, list[_Column]]:
    """Return all columns of each of keizer's tables whose definition was changed.

    before: the definitions of the file.
    """
    columns_of = {}
    for item, own in refresh.own_tables().items():
        # A table that is missing counts as unchanged.
        definition = before.get(item, own)
        if definition != own:
            _, table = item
            columns_of[table] = _columns_in(conn, table, definition)
    return columns_of


def _columns_in(conn: sqlite3.Connection, table: str, definition: str) -> list[_Column]:
    """Return the columns of a table, with their texts from its definition."""
    texts = definitions.column_texts(definition)
    stored = read_columns(conn, table)
    return [
        _Column(
            name=name,
            definition=texts.get(name, quoted(name)),
            is_stored=name in stored,
        )
        for name in read_columns(conn, table, computed=True)
    ]


def _add_columns(
    conn: sqlite3.Connection, columns_of: dict[str, list[_Column]]
) -> Iterator[Message]:
    """Add the columns that people had added to the new tables.

    columns_of: all columns of the old tables that were changed, by table. Yields a
    message for each column that could not be added as it was.
    """
    for table, old_columns in columns_of.items():
        new_names = read_columns(conn, table, computed=True)
        old_names = read_columns(conn, f"old_{table}")
        for column in old_columns:
            # The conversion has renamed a column of an earlier layout if it was stored,
            # and the old table has no column of that name now.
            is_renamed = column.is_stored and column.name not in old_names
            if column.name not in new_names and not is_renamed:
                yield from _add_column(conn, table, column)


def _add_column(
    conn: sqlite3.Connection, table: str, column: _Column
) -> Iterator[Message]:
    """Add a column to a new table, with the definition that it had.

    If SQLite refuses the definition, a plain column of that name is added, so that its
    values are kept, and a message is yielded.
    """
    try:
        conn.execute(f"ALTER TABLE main.{table} ADD COLUMN {column.definition}")
    except sqlite3.Error as error:
        yield say(
            "the column {table}.{column} that somebody added is not as it was:"
            " {problem}.",
            table=table,
            column=column.name,
            problem=str(error),
        )
        if column.is_stored:
            conn.execute(f"ALTER TABLE main.{table} ADD COLUMN {quoted(column.name)}")


def _put_back_indexes(
    conn: sqlite3.Connection, indexes: dict[str, str]
) -> Iterator[Message]:
    """Make the indexes again that people had added.

    indexes: their definitions, by name. Yields a message for each that SQLite refuses.
    """
    for name, text in indexes.items():
        try:
            conn.execute(text)
        except sqlite3.Error as error:
            yield say(
                "{name}, which somebody added, is gone: {problem}.",
                name=name,
                problem=str(error),
            )


# -------------------------------------------------- from the old tables to the new ones


def _copy_records(conn: sqlite3.Connection) -> None:
    """Copy the log and its commands from the old tables, whatever they hold."""
    conn.execute("PRAGMA ignore_check_constraints = ON")
    for table in RECORDS:
        columns = _column_list(_shared_columns(conn, table))
        # There are none if the old table was missing.
        if columns:
            conn.execute(
                f"INSERT INTO main.{table} ({columns})"
                f" SELECT {columns} FROM temp.old_{table}"
            )
    # `journal.begin` then closes a command whose end another program took out. With a
    # seal it would stay open, beside the one that begins.
    conn.execute("UPDATE command SET seal = NULL WHERE made_at IS NULL")
    conn.execute("PRAGMA ignore_check_constraints = OFF")


def _enter_tiebreaks(conn: sqlite3.Connection) -> Iterator[Message]:
    """Enter the tie-breaks that people had added; yield a message for each refused."""
    columns = ", ".join(_shared_columns(conn, "tiebreak"))
    if not columns:
        # The old table was missing.
        return
    source = (
        "FROM temp.old_tiebreak AS old"
        " WHERE old.name NOT IN (SELECT name FROM main.tiebreak)"
    )
    refused = _run_for_old_rows(
        conn,
        "tiebreak",
        statement=f"INSERT INTO main.tiebreak ({columns}) SELECT {columns} {source}",
        affected=f"SELECT 1 {source}",
        order=" ORDER BY name",
    )
    for tiebreak in refused:
        yield say(
            "the tie-break {name}, which somebody added, is gone: {why}",
            name=tiebreak.row,
            why=tiebreak.why,
        )


def _enter_facts(conn: sqlite3.Connection) -> Iterator[Refused]:
    """Enter all facts, table by table in the order of FACTS; yield the refused rows."""
    for table in FACTS:
        yield from _enter_rows(conn, table)
        for column in SELF_REFERENCES.get(table, ()):
            yield from _set_reference(conn, table, column)


def _enter_rows(conn: sqlite3.Connection, table: str) -> Iterator[Refused]:
    """Enter the rows of an old table into the new one; yield the refused rows.

    Computed columns and self-references are left out: they are filled later.
    """
    skipped = {*COMPUTED.get(table, ()), *SELF_REFERENCES.get(table, ())}
    shared = _shared_columns(conn, table)
    columns = _column_list(column for column in shared if column not in skipped)
    values = columns
    if table == "tournament":
        # No ranking is computed before rules, scoring and results are entered, too.
        # Then each tournament is computed from its start (0).
        columns += ", revaluation, stale_from"
        values += ", 'suspended', 0"
    # WHERE 1 selects all rows; `_run_row_by_row` adds a condition to it.
    source = f"FROM temp.old_{table} AS old WHERE 1"
    return _run_for_old_rows(
        conn,
        table,
        statement=f"INSERT INTO main.{table} ({columns}) SELECT {values} {source}",
        affected=f"SELECT 1 {source}",
        order=f" ORDER BY {journal.key_column(table)}",
    )


def _set_reference(
    conn: sqlite3.Connection, table: str, column: str
) -> Iterator[Refused]:
    """Set a column that refers to rows of its own table, once all rows are entered.

    Yields the rows whose old value is refused.
    """
    key = journal.key_column(table)
    old = f"temp.old_{table} AS old"
    condition = f"old.{key} = {table}.{key} AND old.{column} IS NOT {table}.{column}"
    change = f"UPDATE main.{table} SET {column} = old.{column}"
    return _run_for_old_rows(
        conn,
        table,
        statement=f"{change} FROM {old} WHERE {condition}",
        affected=f"SELECT 1 FROM main.{table}, {old} WHERE {condition}",
    )


def _run_for_old_rows(
    conn: sqlite3.Connection,
    table: str,
    *,
    statement: str,
    affected: str,
    order: str = "",
) -> Iterator[Refused]:
    """Run a statement for all old rows of a table; yield the rows that SQLite refuses.

    statement: an INSERT or UPDATE from the old table, called "old" in it; its last
    clause is a WHERE. affected: a query of the rows that it would enter or change.
    order: the ORDER BY of an INSERT.
    """
    # If there are no rows, the statement is not even prepared: with all the triggers
    # that it may set off, that takes SQLite long.
    if not conn.execute(f"{affected} LIMIT 1").fetchone():
        return
    conn.execute("SAVEPOINT filled")
    try:
        conn.execute(f"{statement}{order}")
    except sqlite3.Error:
        if not conn.in_transaction:
            raise  # nothing can be tried again: the whole transaction was taken back
        # Row by row shows which rows are refused, and enters the others.
        conn.execute("ROLLBACK TO filled")
        yield from _run_row_by_row(conn, table, statement)
    conn.execute("RELEASE filled")


def _run_row_by_row(
    conn: sqlite3.Connection, table: str, statement: str
) -> Iterator[Refused]:
    """Run a statement for one old row after the other; yield the refused rows."""
    key = journal.key_column(table)
    rows = conn.execute(
        f"SELECT rowid, {key} FROM temp.old_{table} ORDER BY {key}"
    ).fetchall()
    for rowid, row in rows:
        try:
            conn.execute(f"{statement} AND old.rowid = ?", (rowid,))
        except sqlite3.Error as error:
            if not conn.in_transaction:
                raise  # as in `_run_for_old_rows`
            yield Refused(table, row, error_message(error))


def _compute_tournaments(conn: sqlite3.Connection) -> Iterator[Refused]:
    """Compute the rankings of all tournaments; yield the tournaments that are refused.

    A tournament is refused if a trigger or constraint raises an error meanwhile.
    """
    tournaments = conn.execute("SELECT id FROM tournament ORDER BY id").fetchall()
    for (tournament,) in tournaments:
        try:
            # They were entered as suspended. A trigger of the file computes a
            # tournament when this is switched on.
            conn.execute(
                "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
            )
        except sqlite3.Error as error:
            if not conn.in_transaction:
                raise  # as in `_run_for_old_rows`
            yield Refused("tournament", tournament, error_message(error))


def _causes(conn: sqlite3.Connection, refused: list[Refused]) -> list[Refused]:
    """Return the refused rows that are themselves the cause of their refusal.

    Other rows are refused only because a row that they need was refused before: their
    tournament, one of their players, or the entry of a player in the tournament.
    refused: in the order in which the rows were entered.
    """
    tournaments = {row[0] for row in conn.execute("SELECT id FROM tournament")}
    # As in `_needed_rows`. A tournament may be refused only when it is computed: then
    # it is there, and no row lacks it.
    missing: set[tuple[object, object]] = {
        (refusal.table, refusal.row)
        for refusal in refused
        if refusal.table == "player"
        or (refusal.table == "tournament" and refusal.row not in tournaments)
    }
    causes = []
    for refusal in refused:
        key = journal.key_column(refusal.table)
        old_row = conn.execute(
            f"SELECT * FROM temp.old_{refusal.table} WHERE {key} IS ?", (refusal.row,)
        ).fetchone()
        row = dict(old_row) if old_row else {}
        if missing.isdisjoint(_needed_rows(row)):
            causes.append(refusal)
        if refusal.table == "x_player_tournament":
            # Only now, as an entry does not need itself. The rows that need it come
            # later.
            missing.add((row.get("tournament_id"), row.get("player_id")))
    return causes


def _needed_rows(row: dict[str, Any]) -> set[tuple[object, object]]:
    """Return the rows without which a row of a fact is refused.

    Its tournament is written as ("tournament", 1), a player as ("player", 7), and the
    entry of this player in this tournament as (1, 7).
    """
    tournament = row.get("tournament_id")
    needed: set[tuple[object, object]] = {("tournament", tournament)}
    for column in ("player_id", "white", "black", "nearer"):
        player = row.get(column)
        needed |= {("player", player), (tournament, player)}
    return needed


# ----------------------------------------------------------------------- a migration


STEPS: dict[int, str] = {}
"""By layout: the SQL that converts its old tables, temp.old_NAME, to the next layout.

A layout that only adds columns needs none. If a step renames a column or changes its
values, it has to do so in temp.old_log too: rows that differ from the log are refused.
"""


ADDED_IN: dict[int, set[str]] = {}
"""By layout: the columns that the layout before did not have, as "round.date"."""


_REMOVE_SEALS = """
UPDATE temp.old_log SET seal = NULL;
UPDATE temp.old_command SET seal = NULL;
"""


class RefusedError(KeizerError):
    """A refusal to migrate a file.

    reasons: a message for each row, column, table or seal at fault.
    """

    def __init__(self, message: str | Message, reasons: list[Message]) -> None:
        super().__init__(message)
        self.reasons = reasons


def migrate(conn: sqlite3.Connection, *, accept: bool = False) -> list[Message]:
    """Rebuild a file in the layout of this keizer.

    Call it inside a transaction, with foreign keys off.
    accept: take a file whose log is lost, broken or not in agreement with its facts;
    the facts then stand, and what differs is logged as a change.
    Returns a message for what was put right, and for each addition of others that could
    not stay. Raises RefusedError if a row is refused or, without accept, if the log
    does not agree; raises KeizerError if a table of facts is missing.
    """
    conn.text_factory = decode
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    is_current = version == sql.LAYOUT
    # Noted first: the rebuild puts these definitions right.
    put_right = refresh.note_differences(conn) if is_current else []
    conversion = "".join(STEPS.get(layout, "") for layout in range(version, sql.LAYOUT))
    existing = refresh.definitions_in(conn)
    new_facts = {table for table in FACTS if ("table", table) not in existing}
    if not conversion and not accept:
        # A conversion may make these tables from others.
        _refuse_lost_records(existing)
    # Without the column there are no seals.
    is_sealed = all("seal" in read_columns(conn, table) for table in RECORDS)
    broken = list(seals.broken(conn)) if is_sealed else []
    if broken and not accept:
        raise RefusedError(
            "nothing was changed: the log is not as it was sealed. See `keizer"
            " restore`, or take the log as it is with --accept.",
            broken,
        )
    if broken or (is_sealed and conversion):
        # The old seals do not fit the lines any more. When this command ends, it seals
        # all lines again.
        conversion += _REMOVE_SEALS
    refused, lost = rebuild(conn, conversion)
    # In a file of today's layout the log and the seals show what is missing.
    lost_columns = [] if is_current else list(_lost_columns(conn, version))
    if lost_columns and not accept:
        raise RefusedError(
            "nothing was changed: what was in these columns is lost. See `keizer"
            " restore`, or create them again, empty, with --accept.",
            lost_columns,
        )
    if refused:
        raise RefusedError(
            plural(
                "nothing was changed: {number:,} row breaks the rules of the file;"
                " correct or delete it first, in any program.",
                "nothing was changed: {number:,} rows break the rules of the file;"
                " correct or delete them first, in any program.",
                len(refused),
            ),
            [row.message for row in refused],
        )
    journal.describe(
        conn,
        say("migration from layout {first} to {last}", first=version, last=sql.LAYOUT),
    )
    # This logs all rows that differ from their last line on the log, also deleted ones.
    # The command then seems to have changed them, which is refused without accept.
    sql.run(conn, "log_all")
    if not accept:
        _refuse_unlogged(conn, new_facts, is_current=is_current)
    conn.execute(f"PRAGMA user_version = {sql.LAYOUT}")
    if is_current:
        changed_tables = list(_changed_computed_tables(conn))
        put_right += refresh.note_put_right(changed_tables)
    journal.end(conn, undoable=False)
    return put_right + lost


def _refuse_lost_records(existing: refresh.Objects) -> None:
    """Raise RefusedError if the log or the table of commands is missing."""
    lost = [table for table in RECORDS if ("table", table) not in existing]
    if lost:
        raise RefusedError(
            "nothing was changed: what was in these tables is lost. See `keizer"
            " restore`, or create them again, empty, with --accept.",
            [
                say(
                    "the table {table} is missing, and all that was in it.", table=table
                )
                for table in lost
            ],
        )


def _lost_columns(conn: sqlite3.Connection, version: int) -> Iterator[Message]:
    """Yield a message for each column of facts and log that the old tables lacked.

    version: the layout of the old tables. Columns that later layouts added, and columns
    that keizer computes, do not count.
    """
    newer = set[str]()
    for layout, names in ADDED_IN.items():
        if layout > version:
            newer |= names
    for table in (*FACTS, *RECORDS):
        present = {*_shared_columns(conn, table), *COMPUTED.get(table, ())}
        for column in read_columns(conn, table):
            if column not in present and f"{table}.{column}" not in newer:
                yield say(
                    "the column {table}.{column} is missing, and all that was in it.",
                    table=table,
                    column=column,
                )


def _refuse_unlogged(
    conn: sqlite3.Connection, new_facts: set[str], *, is_current: bool
) -> None:
    """Raise RefusedError if rows differ from the log.

    The running command has logged all rows that differ, as its own changes.
    new_facts: tables of facts that the old layout did not have. is_current: the file
    had the layout of today. Otherwise only columns of both layouts are compared.
    """
    unlogged = []
    for fact, row, before, after in journal.changes(conn):
        if before == after or (not is_current and fact in new_facts):
            continue
        if is_current or _differs_in_shared_columns(conn, fact, before, after):
            unlogged.append(
                say(
                    "row {row} of table {table} is not as the log has it",
                    row=row,
                    table=fact,
                )
            )
    if unlogged:
        raise RefusedError(
            plural(
                "nothing was changed: {number:,} row is not as the log has it;"
                " `keizer check` says what it is and was. See `keizer restore`, or"
                " take it as it is with --accept.",
                "nothing was changed: {number:,} rows are not as the log has them;"
                " `keizer check` says what they are and were. See `keizer restore`, or"
                " take them as they are with --accept.",
                len(unlogged),
            ),
            unlogged,
        )


def _differs_in_shared_columns(
    conn: sqlite3.Connection, fact: str, before: str | None, after: str | None
) -> bool:
    """Return whether two states of a row differ in a column that both layouts have.

    fact: the table. before, after: states of the log; None if the row did not exist.
    """
    if before is None or after is None:
        return True
    logged = cells(before) or {}
    current = cells(after) or {}
    for column in _shared_columns(conn, fact):
        if logged.get(column) != current.get(column):
            return True
    return False


def _changed_computed_tables(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield the name of each computed or constant table that the rebuild changed."""
    for _, table in refresh.own_tables():
        if table in FACTS or table in RECORDS:
            continue
        columns = _column_list(_shared_columns(conn, table))
        before = f"SELECT {columns} FROM temp.old_{table}"
        after = f"SELECT {columns} FROM main.{table}"
        difference = conn.execute(
            f"SELECT * FROM ({before} EXCEPT {after})"
            f" UNION ALL SELECT * FROM ({after} EXCEPT {before})"
        )
        if difference.fetchone():
            yield say("table {table}", table=table)
