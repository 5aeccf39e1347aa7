"""A rebuild: the facts of a file entered again, into new and empty tables.

Facts are the rows that people entered, not those that keizer computes from them.
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
"""The tables of facts: of rows that people entered, not of computed ones.

Each table comes after the other tables to which it refers.
"""

LOG_TABLES = ("command", "log")
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
    """Decode the bytes of a text in a file, and return an Unreadable if not UTF-8.

    Any program may have written the file. Set this function as Connection.text_factory:
    sqlite3 then calls it for each text that it reads.
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return Unreadable(raw.decode("utf-8", "backslashreplace"))


class Refused(NamedTuple):
    """A row that a trigger or constraint of the new tables refuses.

    row: the key of the row, mostly its id (see `journal.key_column`).
    why: the error of SQLite as a sentence for people.
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
    conn: sqlite3.Connection, table: str, *, with_generated: bool = False
) -> list[str]:
    """Return the names of the columns of a table.

    with_generated: include the columns that SQLite computes from others (GENERATED).
    """
    rows = sql.run(conn, "columns", table=table, computed=with_generated)
    return [name for (name,) in rows]


def stored_columns(conn: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of those columns of a table whose values are in the file.

    These are all columns but the generated ones that SQLite computes at each reading. A
    generated column that is declared as STORED has its values in the file.
    """
    return [name for (name,) in sql.run(conn, "stored_columns", table=table)]


def _shared_columns(conn: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of the columns that both the new and the old table have.

    The list is empty if there is no old table, temp.old_NAME.
    """
    old = read_columns(conn, f"old_{table}")
    return [column for column in read_columns(conn, table) if column in old]


def _column_list(names: Iterable[str]) -> str:
    """Return the names of columns as a list for SQL: `"id", "name"`."""
    return ", ".join(map(quoted, names))


# ------------------------------------------------------------------------- a rebuild


class Rebuilt(NamedTuple):
    """What a rebuild could not take over from the old tables.

    refused: the rows that people had entered and that the new tables refuse, without
    those that are refused only because of another one.
    lost: a message for each column, index or tie-break that somebody had added, and
    that is gone or changed now.
    """

    refused: list[Refused]
    lost: list[Message]


def rebuild(
    conn: sqlite3.Connection, conversion: str = "", *, keep_log: bool = True
) -> Rebuilt:
    """Replace all tables of a file by new ones, and enter the facts into them again.

    Facts are the rows that people entered; keizer computes all others from them.
    Call this inside a transaction, with foreign keys off. The old tables are
    temp.old_NAME afterwards, and a command has begun on the log that is still open.
    conversion: SQL that changes old tables of an earlier layout to the layout of today;
    "" if there is nothing to change.
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
    # They are lost when the old tables are dropped, and created again after that.
    indexes = refresh.added_indexes(conn, before)
    _set_aside(conn, tables, keep_log=keep_log)
    definitions.run_script(conn, conversion)
    definitions.run_script(conn, sql.schema_script())
    lost = list(_add_columns(conn, columns_of))
    if keep_log:
        # Before keizer's triggers exist, as they refuse changes of sealed commands.
        _copy_log(conn)
    refresh.put_code(conn)
    if not keep_log:
        definitions.run_script(conn, _STOP_LOGGING)
    # Keizer's own code is in the file now. It gets as much time as it needs, unless
    # there is code of others beside it.
    prepare_to_write(conn)
    # Before the facts: the rules are among them, and may name an added tie-break.
    lost += _enter_tiebreaks(conn)
    # The triggers log the rows that are entered now as changes by this command.
    journal.begin(conn)
    refused = list(_enter_facts(conn))
    # This makes the triggers that the rules need, before anything is computed.
    tiebreaks.update_triggers(conn)
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
    """Raise KeizerError if a table is missing in which people had entered rows.

    tables: the names of keizer's tables in the file. conversion: SQL that changes old
    tables of an earlier layout to the layout of today.
    """
    for table in FACTS:
        # If the conversion names the old table, it makes that table from others.
        if table not in tables and f"old_{table}" not in conversion:
            raise KeizerError(
                "the table {table} is missing, and all that was in it: `keizer restore`"
                " lists the snapshots there are.",
                table=table,
            )


def _set_aside(conn: sqlite3.Connection, tables: list[str], *, keep_log: bool) -> None:
    """Copy each table to temp.old_NAME, and drop it from the file.

    keep_log: False to drop the tables of the log (LOG_TABLES) without making a copy.
    """
    for table in tables:
        is_copied = keep_log or table not in LOG_TABLES
        if is_copied:
            columns = _column_list(stored_columns(conn, table))
            conn.execute(
                f"CREATE TEMP TABLE old_{table} AS SELECT {columns} FROM main.{table}"
            )
        conn.execute(f"DROP TABLE main.{table}")


class _Column(NamedTuple):
    """A column of an old table.

    definition: its text in the CREATE TABLE, such as "shirt TEXT DEFAULT 'M'".
    is_stored: it has values of its own, and is not generated from other columns.
    """

    name: str
    definition: str
    is_stored: bool


def _columns_of_changed_tables(
    conn: sqlite3.Connection, before: refresh.Definitions
) -> dict[str, list[_Column]]:
    """Return the columns of those tables of keizer's that somebody changed, by table.

    All columns of such a table are returned, also those that are keizer's.
    before: the definitions in the file.
    """
    columns_of = {}
    for item, own in refresh.own_tables().items():
        # A missing table counts as unchanged: nobody can have added columns to it.
        definition = before.get(item, own)
        if definition != own:
            _, table = item
            columns_of[table] = _columns_in(conn, table, definition)
    return columns_of


def _columns_in(conn: sqlite3.Connection, table: str, definition: str) -> list[_Column]:
    """Return the columns of a table, with their texts from its CREATE TABLE.

    definition: the CREATE TABLE. If the text of a column is not found in it, the text
    is just the quoted name.
    """
    texts = definitions.column_texts(definition)
    stored = read_columns(conn, table)
    return [
        _Column(
            name=name,
            definition=texts.get(name, quoted(name)),
            is_stored=name in stored,
        )
        for name in read_columns(conn, table, with_generated=True)
    ]


def _add_columns(
    conn: sqlite3.Connection, columns_of: dict[str, list[_Column]]
) -> Iterator[Message]:
    """Give the new tables the columns that people had added to the old ones.

    Yields a message for each column that could not be added with its old definition.
    columns_of: all columns of the old tables that somebody had changed, by table, as
    they were before the conversion to the layout of today.
    """
    for table, old_columns in columns_of.items():
        new_names = read_columns(conn, table, with_generated=True)
        old_names = read_columns(conn, f"old_{table}")
        for column in old_columns:
            # A column with values that the old table lacks now was renamed by the
            # conversion. So it was keizer's own column of an earlier layout.
            is_renamed = column.is_stored and column.name not in old_names
            if column.name not in new_names and not is_renamed:
                yield from _add_column(conn, table, column)


def _add_column(
    conn: sqlite3.Connection, table: str, column: _Column
) -> Iterator[Message]:
    """Add a column to a new table, with the definition that it had in the old one.

    If SQLite refuses the definition, a message is yielded. If the column had values of
    its own, a column without a type then takes them, under the same name.
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
    """Create the indexes again that people had added.

    Yields a message for each index that SQLite refuses.
    indexes: the SQL that creates each index, by its name.
    """
    for name, create_index in indexes.items():
        try:
            conn.execute(create_index)
        except sqlite3.Error as error:
            yield say(
                "{name}, which somebody added, is gone: {problem}.",
                name=name,
                problem=str(error),
            )


# -------------------------------------------------- from the old tables to the new ones


def _copy_log(conn: sqlite3.Connection) -> None:
    """Copy the log and its commands from the old tables, and open commands unsealed.

    An open command is one that has not ended (made_at is NULL). Rows are also copied if
    they break a CHECK constraint.
    """
    conn.execute("PRAGMA ignore_check_constraints = ON")
    for table in LOG_TABLES:
        columns = _column_list(_shared_columns(conn, table))
        # If the old table was missing, there are no columns in common.
        if columns:
            conn.execute(
                f"INSERT INTO main.{table} ({columns})"
                f" SELECT {columns} FROM temp.old_{table}"
            )
    # A sealed command can only be open if another program deleted its made_at. Only one
    # command may be open at a time, and `journal.begin` closes open commands only if
    # they have no seal. So the seal is removed here.
    conn.execute("UPDATE command SET seal = NULL WHERE made_at IS NULL")
    conn.execute("PRAGMA ignore_check_constraints = OFF")


def _enter_tiebreaks(conn: sqlite3.Connection) -> Iterator[Message]:
    """Enter the tie-breaks that people had added; yield a message for each refused.

    A tie-break is a row of table tiebreak; the new table has those of keizer already.
    """
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
    """Enter all rows that people had entered; yield the rows that are refused.

    They are entered table by table, in the order of FACTS.
    """
    for table in FACTS:
        yield from _enter_rows(conn, table)
        for column in SELF_REFERENCES.get(table, ()):
            yield from _set_reference(conn, table, column)


def _enter_rows(conn: sqlite3.Connection, table: str) -> Iterator[Refused]:
    """Enter the rows of an old table into the new one; yield the rows it refuses.

    Left out are the columns that keizer computes, and those that refer to rows of the
    same table. They are filled later.
    """
    skipped = {*COMPUTED.get(table, ()), *SELF_REFERENCES.get(table, ())}
    shared = _shared_columns(conn, table)
    columns = _column_list(column for column in shared if column not in skipped)
    values = columns
    if table == "tournament":
        # Suspended: no ranking is computed until rules, scoring and results are
        # entered, too. 0: then the rankings of all rounds are computed, from the start.
        columns += ", revaluation, stale_from"
        values += ", 'suspended', 0"
    # WHERE 1 selects all rows. `_run_row_by_row` appends an AND to it.
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
    """Set a column of all rows of a new table to its values in the old table.

    Yields the rows whose old value is refused. The column refers to rows of the same
    table, so call this once all rows are entered.
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

    If SQLite refuses one row, the statement is run again for each row alone, so that
    the others are entered.
    statement: an INSERT or UPDATE from the old table, which it calls "old". It has to
    end with a WHERE: " AND old.rowid = ?" is appended to run it for one row.
    order: the ORDER BY to append to an INSERT when it runs for all rows.
    affected: a query that returns rows if the statement would enter or change any.
    """
    # SQLite takes long to prepare the statement, with all triggers that it may set off.
    # So it is not prepared if there is nothing to do.
    if not conn.execute(f"{affected} LIMIT 1").fetchone():
        return
    conn.execute("SAVEPOINT before_statement")
    try:
        conn.execute(f"{statement}{order}")
    except sqlite3.Error:
        if not conn.in_transaction:
            # The whole transaction was rolled back: there is nothing to go on with.
            raise
        conn.execute("ROLLBACK TO before_statement")
        yield from _run_row_by_row(conn, table, statement)
    conn.execute("RELEASE before_statement")


def _run_row_by_row(
    conn: sqlite3.Connection, table: str, statement: str
) -> Iterator[Refused]:
    """Run a statement for one old row after the other; yield the refused rows.

    statement: an INSERT or UPDATE from the old table, which it calls "old". It has to
    end with a WHERE: " AND old.rowid = ?" is appended.
    """
    key = journal.key_column(table)
    rows = conn.execute(
        f"SELECT rowid, {key} FROM temp.old_{table} ORDER BY {key}"
    ).fetchall()
    for rowid, row in rows:
        try:
            conn.execute(f"{statement} AND old.rowid = ?", (rowid,))
        except sqlite3.Error as error:
            if not conn.in_transaction:
                # The whole transaction was rolled back: there is nothing to go on with.
                raise
            yield Refused(table, row, error_message(error))


def _compute_tournaments(conn: sqlite3.Connection) -> Iterator[Refused]:
    """Have the file compute the rankings of all tournaments; yield the refused ones.

    A tournament is refused if a trigger or constraint raises an error meanwhile.
    """
    tournaments = conn.execute("SELECT id FROM tournament ORDER BY id").fetchall()
    for (tournament,) in tournaments:
        try:
            # The rebuild entered each tournament with revaluation = 'suspended'. When
            # it is switched on, a trigger computes all rankings of the tournament.
            conn.execute(
                "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
            )
        except sqlite3.Error as error:
            if not conn.in_transaction:
                # The whole transaction was rolled back: there is nothing to go on with.
                raise
            yield Refused("tournament", tournament, error_message(error))


_NeededRow = tuple[object, ...]
"""A row that others need: its kind and its numbers.

Tournament 1 is ("tournament", 1), player 7 is ("player", 7), and the entry of this
player in this tournament, a row of x_player_tournament, is ("entry", 1, 7).
"""


def _causes(conn: sqlite3.Connection, refused: list[Refused]) -> list[Refused]:
    """Return the refused rows without those that are refused because of another one.

    A row is refused because of another one if it needs a row that was refused before:
    its tournament, one of its players, or the entry of such a player in the tournament.
    refused: in the order in which the rows were entered.
    """
    rows = conn.execute("SELECT id FROM tournament")
    entered_tournaments = {tournament for (tournament,) in rows}
    causes = []
    missing: set[_NeededRow] = set()
    for refusal in refused:
        key = journal.key_column(refusal.table)
        old_row = conn.execute(
            f"SELECT * FROM temp.old_{refusal.table} WHERE {key} IS ?", (refusal.row,)
        ).fetchone()
        row = dict(old_row) if old_row else {}
        if missing.isdisjoint(_needed_rows(row)):
            causes.append(refusal)
        # A refused row is missing only for the rows after it, as no row needs itself.
        if refusal.table == "player":
            missing.add(("player", refusal.row))
        elif refusal.table == "tournament" and refusal.row not in entered_tournaments:
            # A tournament that is refused later, when its rankings are computed, is in
            # the file, and no other row was refused because of it.
            missing.add(("tournament", refusal.row))
        elif refusal.table == "x_player_tournament":
            missing.add(("entry", row.get("tournament_id"), row.get("player_id")))
    return causes


def _needed_rows(row: dict[str, Any]) -> set[_NeededRow]:
    """Return the rows without which the tables refuse a row that people entered.

    They are its tournament ("tournament", 1), each of its players ("player", 7), and
    the entry of each such player in the tournament ("entry", 1, 7). For a column that
    the row lacks, the number in the result is None.
    """
    tournament = row.get("tournament_id")
    needed: set[_NeededRow] = {("tournament", tournament)}
    for column in ("player_id", "white", "black", "nearer"):
        player = row.get(column)
        needed.add(("player", player))
        needed.add(("entry", tournament, player))
    return needed


# ----------------------------------------------------------------------- a migration


STEPS: dict[int, str] = {}
"""By layout: the SQL that converts its old tables, temp.old_NAME, to the next layout.

A step to a layout that only adds columns needs no SQL. If a step renames a column or
changes its values, it has to do so in temp.old_log too: rows that differ from the log
are refused.
"""


ADDED_IN: dict[int, set[str]] = {}
"""By layout: the columns that the layout before did not have, as "round.date"."""


_REMOVE_SEALS = """
UPDATE temp.old_log SET seal = NULL;
UPDATE temp.old_command SET seal = NULL;
"""


class RefusedError(KeizerError):
    """A refusal to migrate a file.

    message: a sentence that says what was refused and what to do.
    reasons: a message for each row, column, table or seal at fault.
    """

    def __init__(self, message: str | Message, reasons: list[Message]) -> None:
        super().__init__(message)
        self.reasons = reasons


def migrate(conn: sqlite3.Connection, *, accept: bool = False) -> list[Message]:
    """Rebuild a file in the layout of this keizer, and log it as a command.

    Facts, the rows that people entered, are taken over; all others are computed again.
    Call this inside a transaction, with foreign keys off.
    accept: also take a file whose log was changed or is lost, which lacks a column, or
    whose facts differ from the log. The facts then stay as they are, and rows that
    differ from the log are logged as changes.
    Returns a message for what was put right, and for each addition of others that could
    not stay. Raises RefusedError if a row is refused, or if the file is one that only
    accept takes. Raises KeizerError if a table of facts is missing.
    """
    conn.text_factory = decode
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    has_current_layout = version == sql.LAYOUT
    # Noted before the rebuild, which replaces the changed definitions by keizer's.
    put_right: list[Message] = []
    if has_current_layout:
        put_right = refresh.note_differences(conn, with_tables=True)
    # The SQL of all steps from the layout of the file to the layout of today.
    conversion = "".join(STEPS.get(layout, "") for layout in range(version, sql.LAYOUT))
    existing = refresh.definitions_in(conn)
    # A later layout added these tables, and the conversion makes them. If it does not,
    # `rebuild` refuses the file.
    new_tables = {table for table in FACTS if ("table", table) not in existing}
    if not conversion and not accept:
        # Not checked with a conversion, as that may make these tables from others.
        _refuse_lost_log(existing)
    # An early layout has no column for seals, so they cannot be checked.
    is_sealed = all("seal" in read_columns(conn, table) for table in LOG_TABLES)
    broken = list(seals.changed_rows(conn)) if is_sealed else []
    if broken and not accept:
        raise RefusedError(
            "nothing was changed: the log is not as it was sealed. See `keizer"
            " restore`, or take the log as it is with --accept.",
            broken,
        )
    if broken or (is_sealed and conversion):
        # The old seals do not fit the lines, or will not fit the converted ones. When
        # this command ends, `journal.end` seals all lines again.
        conversion += _REMOVE_SEALS
    refused, lost = rebuild(conn, conversion)
    # In a file of today's layout `_refuse_unlogged` and the seals show what is lost.
    lost_columns: list[Message] = []
    if not has_current_layout:
        lost_columns = list(_lost_columns(conn, version))
    if lost_columns and not accept:
        raise RefusedError(
            "nothing was changed: what was in these columns is lost. See `keizer"
            " restore`, or create them again, empty, with --accept.",
            lost_columns,
        )
    _refuse_wrong_rows(refused)
    journal.describe(
        conn,
        say("migration from layout {first} to {last}", first=version, last=sql.LAYOUT),
    )
    # This logs all rows that differ from their last line on the log, also deleted ones,
    # as changes by this command. `_refuse_unlogged` looks at them.
    sql.run(conn, "log_all")
    if not accept:
        _refuse_unlogged(conn, new_tables, has_current_layout=has_current_layout)
    conn.execute(f"PRAGMA user_version = {sql.LAYOUT}")
    if has_current_layout:
        changed_tables = list(_changed_computed_tables(conn))
        put_right += refresh.repair_note(changed_tables)
    journal.end(conn, undoable=False)
    return put_right + lost


def _refuse_lost_log(existing: refresh.Definitions) -> None:
    """Raise RefusedError if the log or the table of commands is missing.

    existing: the definitions in the file.
    """
    lost = [table for table in LOG_TABLES if ("table", table) not in existing]
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


def _refuse_wrong_rows(refused: list[Refused]) -> None:
    """Raise RefusedError if there are rows that the new tables refuse."""
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


def _lost_columns(conn: sqlite3.Connection, version: int) -> Iterator[Message]:
    """Yield a message for each column that the old tables should have had and lacked.

    These are the tables of the log and those in which people enter rows. Columns that
    later layouts added, and columns that keizer computes, are not expected.
    version: the layout of the old tables.
    """
    newer = set[str]()
    for layout, names in ADDED_IN.items():
        if layout > version:
            newer |= names
    for table in (*FACTS, *LOG_TABLES):
        present = {*_shared_columns(conn, table), *COMPUTED.get(table, ())}
        for column in read_columns(conn, table):
            if column not in present and f"{table}.{column}" not in newer:
                yield say(
                    "the column {table}.{column} is missing, and all that was in it.",
                    table=table,
                    column=column,
                )


def _refuse_unlogged(
    conn: sqlite3.Connection, new_tables: set[str], *, has_current_layout: bool
) -> None:
    """Raise RefusedError if rows that people entered are not as the log has them.

    `migrate` has entered all rows again, and the triggers have logged those that differ
    from the log, as changes by the running command. So the state of a row before this
    command is the one that the log had for it, and the state after it is the one that
    is in the file.
    new_tables: the tables that the file did not have, as a later layout added them.
    has_current_layout: the file had the layout of today. If it had an earlier one, only
    columns of both layouts are compared: the conversion has filled the others.
    """
    unlogged = []
    for table, row, logged, present in journal.changes(conn):
        # A row may be entered in two steps, with a difference only in between.
        if logged == present:
            continue
        # The conversion has made all rows of these tables: the log cannot have them.
        if table in new_tables:
            continue
        if has_current_layout or _differs_in_shared_columns(
            conn, table, logged, present
        ):
            unlogged.append(
                say(
                    "row {row} of table {table} is not as the log has it",
                    row=row,
                    table=table,
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
    conn: sqlite3.Connection, table: str, logged: str | None, present: str | None
) -> bool:
    """Return whether two states of a row differ in a column that both layouts have.

    logged: the row as the log had it before the migration. present: the row as it is
    now. Both are JSON; None stands for a row that does not exist.
    """
    logged_cells = cells(logged)
    present_cells = cells(present)
    if logged_cells is None or present_cells is None:  # somebody added or deleted it
        return True
    for column in _shared_columns(conn, table):
        if logged_cells.get(column) != present_cells.get(column):
            return True
    return False


def _changed_computed_tables(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield the name, "table ...", of each table whose rows the rebuild changed.

    Only tables of computed or constant rows are looked at: people do not enter these.
    """
    for _, table in refresh.own_tables():
        if table in FACTS or table in LOG_TABLES:
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
