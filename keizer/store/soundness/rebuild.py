"""The facts of a file, put through the triggers of an empty one.

What a trigger or constraint refuses does not get in, whoever wrote it and however: so a
rule of what cannot be stands in one place, the schema, and this is its proof.
`keizer check` rebuilds a copy and compares; `keizer migrate` rebuilds the file, in one
transaction: to bring it up to the layout of this keizer, or to put right what another
program did to it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
"""The tables of facts, each behind those that it refers to."""

RECORDS = ("command", "log")
"""What the file wrote down as it happened: it is taken over as it is."""

SELF_REFERENCES = {
    "tournament": ("above",),
    "scoring": ("counts_with", "instead"),
    "x_player_tournament": ("rating",),
}
"""Columns that may refer to a later row of their own table, or that an INSERT fills."""

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
"""Columns of facts that nobody writes."""


class Unreadable(str):
    """A text whose bytes are not UTF-8, as far as it can be shown."""

    __slots__ = ()


def decode(raw: bytes) -> str:
    """Decode a text of a file that may hold anything: for Connection.text_factory."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return Unreadable(raw.decode("utf-8", "backslashreplace"))


class Refused(NamedTuple):
    """A row of a fact that the triggers do not take."""

    table: str
    row: int | str
    why: Message

    @property
    def message(self) -> Message:
        """The refusal in words."""
        return say(
            "row {row} of table {table} is refused: {why}",
            row=self.row,
            table=self.table,
            why=self.why,
        )


def read_columns(
    conn: sqlite3.Connection, table: str, *, computed: bool = False
) -> list[str]:
    """Return the columns of a table; computed: with those that are generated."""
    return [row[0] for row in sql.run(conn, "columns", table=table, computed=computed)]


def stored_columns(conn: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns with a place in the file, with those generated and stored."""
    return [row[0] for row in sql.run(conn, "stored_columns", table=table)]


def shared(conn: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns that a table has, and had when it was set aside."""
    old = read_columns(conn, f"old_{table}")
    return [column for column in read_columns(conn, table) if column in old]


def _listed(names: Iterable[str]) -> str:
    """Return column names as SQL has them in a list."""
    return ", ".join(map(quoted, names))


# ------------------------------------------------------------------------- a rebuild


def rebuild(
    conn: sqlite3.Connection, prepare: str = "", *, logged: bool = True
) -> tuple[list[Refused], list[Message]]:
    """Make the file again from its facts; its old tables are temp.old_NAME then.

    prepare: SQL for the old tables, if they are of an earlier layout. logged: take the
    log over, and have on it which rows are not as it says; else it is empty then.
    Returns what could not be taken over: rows; and what people had added, a message
    each. Call it inside a transaction, with foreign keys off.
    Raises KeizerError if a table of facts is gone or, of a file that is not a copy, if
    somebody added triggers.
    """
    before = refresh.definitions_in(conn)
    tables = [name for _, name in refresh.own_tables() if ("table", name) in before]
    _refuse_lost_facts(tables, prepare)
    # What people added is looked up while it is still there.
    columns_of = _columns_of_changed_tables(conn, before)
    foreign_triggers = refresh.drop_code(conn)
    if foreign_triggers and logged:
        raise KeizerError(*refresh.refusals_of_triggers(foreign_triggers))
    # Only now: a trigger could have had the name of an index.
    indexes = _added_indexes(conn, before)
    _set_aside(conn, tables, logged=logged)
    definitions.run_script(conn, prepare)
    definitions.run_script(conn, sql.schema_script())
    lost = list(_add_columns(conn, columns_of))
    if logged:
        _copy_records(conn)
    refresh.put_code(conn)
    if not logged:
        # Nobody reads the log of a copy.
        definitions.run_script(conn, _WITHOUT_LOG)
    prepare_to_write(conn)
    lost += _enter_tiebreaks(conn)
    journal.begin(conn)
    refused = list(_enter_facts(conn))
    tiebreaks.compute_needed(conn)
    refused += _revalue(conn)
    lost += _put_back(conn, indexes)
    return _causes(conn, refused), lost


_WITHOUT_LOG = """
DROP TRIGGER z_log_written;
CREATE TRIGGER z_log_written INSTEAD OF INSERT ON z_logged BEGIN SELECT 1; END;
"""
"""To look up what the log has of each row takes as long as to enter it."""


def _refuse_lost_facts(tables: list[str], prepare: str) -> None:
    """Raise KeizerError if a table of facts is missing, and not made by `prepare`."""
    for table in FACTS:
        if table not in tables and f"old_{table}" not in prepare:
            raise KeizerError(
                "the table {table} is missing, and all that was in it: `keizer restore`"
                " lists the snapshots there are.",
                table=table,
            )


def _set_aside(conn: sqlite3.Connection, tables: list[str], *, logged: bool) -> None:
    """Copy tables to temp.old_NAME, and drop them; logged: copy the log too."""
    for table in tables:
        if logged or table not in RECORDS:
            listed = _listed(stored_columns(conn, table))
            conn.execute(
                f"CREATE TEMP TABLE old_{table} AS SELECT {listed} FROM main.{table}"
            )
        conn.execute(f"DROP TABLE main.{table}")


def _added_indexes(conn: sqlite3.Connection, before: refresh.Objects) -> dict[str, str]:
    """Return the indexes that people added to tables of keizer's, by name."""
    own, _ = refresh.new_file()
    table_of = dict(sql.run(conn, "on_tables").fetchall())
    indexes = {}
    for (kind, name), definition in before.items():
        if kind != "index" or (kind, name) in own:
            continue
        if ("table", table_of[name]) in own:
            indexes[name] = definition
    return indexes


class _Column(NamedTuple):
    """A column, and how its table defines it; is_stored: it is not computed."""

    name: str
    definition: str
    is_stored: bool


def _columns_of_changed_tables(
    conn: sqlite3.Connection, before: refresh.Objects
) -> dict[str, list[_Column]]:
    """Return the columns of each table that is not as keizer makes it."""
    columns_of = {}
    for item, own in refresh.own_tables().items():
        definition = before.get(item, own)
        if definition != own:
            _, table = item
            columns_of[table] = _as_written(conn, table, definition)
    return columns_of


def _as_written(conn: sqlite3.Connection, table: str, definition: str) -> list[_Column]:
    """Return the columns of a table by its definition."""
    parts = definitions.column_texts(definition)
    stored = read_columns(conn, table)
    return [
        _Column(
            name=name,
            definition=parts.get(name, quoted(name)),
            is_stored=name in stored,
        )
        for name in read_columns(conn, table, computed=True)
    ]


def _add_columns(
    conn: sqlite3.Connection, columns_of: dict[str, list[_Column]]
) -> Iterator[Message]:
    """Add the columns that people had added, by table; yield what could not stay."""
    for table, wanted in columns_of.items():
        known = read_columns(conn, table, computed=True)
        old = read_columns(conn, f"old_{table}")
        for column in wanted:
            # What was stored and is no more had another name in an earlier layout.
            is_renamed = column.is_stored and column.name not in old
            if column.name not in known and not is_renamed:
                yield from _add_column(conn, table, column)


def _add_column(
    conn: sqlite3.Connection, table: str, column: _Column
) -> Iterator[Message]:
    """Add a column as it was; if that fails, one of its name alone, for its values.

    Yields a message if it fails.
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


def _put_back(conn: sqlite3.Connection, indexes: dict[str, str]) -> Iterator[Message]:
    """Put back the indexes that people added, by name; yield what could not stay."""
    for name, text in indexes.items():
        try:
            conn.execute(text)
        except sqlite3.Error as error:
            yield say(
                "{name}, which somebody added, is gone: {problem}.",
                name=name,
                problem=str(error),
            )


# -------------------------------------------------------------- what is taken over


def _copy_records(conn: sqlite3.Connection) -> None:
    """Copy the log and its commands, as they are, from the tables set aside."""
    conn.execute("PRAGMA ignore_check_constraints = ON")
    for table in RECORDS:
        listed = _listed(shared(conn, table))
        if listed:
            conn.execute(
                f"INSERT INTO main.{table} ({listed})"
                f" SELECT {listed} FROM temp.old_{table}"
            )
    # Else a command whose end somebody took out would be the one that runs.
    conn.execute("UPDATE command SET seal = NULL WHERE made_at IS NULL")
    conn.execute("PRAGMA ignore_check_constraints = OFF")


def _enter_tiebreaks(conn: sqlite3.Connection) -> Iterator[Message]:
    """Enter the tie-breaks that people added; yield what could not stay."""
    listed = ", ".join(shared(conn, "tiebreak"))
    if not listed:
        return
    old = "temp.old_tiebreak AS old"
    refused = _row_by_row(
        conn,
        "tiebreak",
        f"INSERT INTO main.tiebreak ({listed}) SELECT {listed} FROM {old}",
        where="old.name NOT IN (SELECT name FROM main.tiebreak)",
        source=old,
        order=" ORDER BY name",
    )
    for tiebreak in refused:
        yield say(
            "the tie-break {name}, which somebody added, is gone: {why}",
            name=tiebreak.row,
            why=tiebreak.why,
        )


def _enter_facts(conn: sqlite3.Connection) -> Iterator[Refused]:
    """Enter the facts, table by table; yield the rows that are refused."""
    for table in FACTS:
        yield from _enter_rows(conn, table)
        for column in SELF_REFERENCES.get(table, ()):
            yield from _set_reference(conn, table, column)


def _enter_rows(conn: sqlite3.Connection, table: str) -> Iterator[Refused]:
    """Enter the rows of a table, without what is computed or refers to itself."""
    skipped = {*COMPUTED.get(table, ()), *SELF_REFERENCES.get(table, ())}
    listed = _listed(column for column in shared(conn, table) if column not in skipped)
    values = listed
    if table == "tournament":
        # Nothing is computed yet: its rules and kinds of scoring follow.
        listed += ", revaluation, stale_from"
        values += ", 'suspended', 0"
    old = f"temp.old_{table} AS old"
    return _row_by_row(
        conn,
        table,
        f"INSERT INTO main.{table} ({listed}) SELECT {values} FROM {old}",
        where="1",
        source=old,
        order=f" ORDER BY {journal.key_column(table)}",
    )


def _set_reference(
    conn: sqlite3.Connection, table: str, column: str
) -> Iterator[Refused]:
    """Set a column that refers to rows of its own table, now that all are there."""
    key = journal.key_column(table)
    old = f"temp.old_{table} AS old"
    return _row_by_row(
        conn,
        table,
        f"UPDATE main.{table} SET {column} = old.{column} FROM {old}",
        where=f"old.{key} = {table}.{key} AND old.{column} IS NOT {table}.{column}",
        source=f"main.{table}, {old}",
    )


def _row_by_row(
    conn: sqlite3.Connection,
    table: str,
    statement: str,
    *,
    where: str,
    source: str,
    order: str = "",
) -> Iterator[Refused]:
    """Run a statement for all rows at once; if some are refused, for each on its own.

    source: what it reads, the table set aside being `old`. order: of an INSERT.
    Yields the rows that are refused.
    """
    # Preparing a statement takes SQLite long, where many triggers follow from it.
    if not conn.execute(f"SELECT 1 FROM {source} WHERE {where} LIMIT 1").fetchone():
        return
    conn.execute("SAVEPOINT filled")
    try:
        conn.execute(f"{statement} WHERE {where}{order}")
    except sqlite3.Error:
        if not conn.in_transaction:
            raise  # nothing can be tried again: the whole transaction was taken back
        conn.execute("ROLLBACK TO filled")
        yield from _each_row(conn, table, f"{statement} WHERE {where}")
    conn.execute("RELEASE filled")


def _each_row(
    conn: sqlite3.Connection, table: str, statement: str
) -> Iterator[Refused]:
    """Run a statement for one row after the other; yield those that are refused."""
    key = journal.key_column(table)
    rows = conn.execute(
        f"SELECT rowid, {key} FROM temp.old_{table} ORDER BY {key}"
    ).fetchall()
    for rowid, row in rows:
        try:
            conn.execute(f"{statement} AND old.rowid = ?", (rowid,))
        except sqlite3.Error as error:
            if not conn.in_transaction:
                raise
            yield Refused(table, row, error_message(error))


def _revalue(conn: sqlite3.Connection) -> Iterator[Refused]:
    """Compute each tournament, as all are entered suspended; yield those refused."""
    tournaments = conn.execute("SELECT id FROM tournament ORDER BY id").fetchall()
    for (tournament,) in tournaments:
        try:
            conn.execute(
                "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
            )
        except sqlite3.Error as error:
            if not conn.in_transaction:
                raise
            yield Refused("tournament", tournament, error_message(error))


def _causes(conn: sqlite3.Connection, refused: list[Refused]) -> list[Refused]:
    """Return the rows that are refused for themselves, not for another's sake.

    A row needs its tournament, its players, and their entries in the tournament: a
    game without its player is not a cause.
    """
    tournaments = {row[0] for row in conn.execute("SELECT id FROM tournament")}
    # An entry is known by tournament and player, any other row by table and number.
    lost: set[tuple[object, object]] = {
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
        tournament = row.get("tournament_id")
        needed: set[tuple[object, object]] = {("tournament", tournament)}
        for column in ("player_id", "white", "black", "nearer"):
            player = row.get(column)
            needed |= {("player", player), (tournament, player)}
        if needed.isdisjoint(lost):
            causes.append(refusal)
        if refusal.table == "x_player_tournament":
            lost.add((tournament, row.get("player_id")))
    return causes


# ----------------------------------------------------------------------- a migration


STEPS: dict[int, str] = {}
"""By layout: SQL that brings its tables, set aside as temp.old_NAME, to the next one.

A column that is only added needs none. What is renamed, or has another value, is so in
temp.old_log too: a row that is not as the log has it is refused.
"""


ADDED_IN: dict[int, set[str]] = {}
"""By layout: the columns, as in `round.date`, that the layout before did not have."""


_WITHOUT_SEALS = """
UPDATE temp.old_log SET seal = NULL;
UPDATE temp.old_command SET seal = NULL;
"""


class RefusedError(KeizerError):
    """A file that is not brought up to date; reasons: why, a message each."""

    def __init__(self, message: str | Message, rows: list[Message]) -> None:
        super().__init__(message)
        self.reasons = rows


def migrate(conn: sqlite3.Connection, *, accept: bool = False) -> list[Message]:
    """Make the file one of this version.

    accept: take rows that are not as the log has them as they are; they are then on it.
    Returns what was put right, and what of others could not stay. Call it inside a
    transaction, with foreign keys off.
    Raises KeizerError if a row is refused, or is not as the log has it, or a table of
    facts is gone.
    """
    conn.text_factory = decode
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    is_current = version == sql.LAYOUT
    put_right = refresh.note_differences(conn) if is_current else []
    prepare = "".join(STEPS.get(layout, "") for layout in range(version, sql.LAYOUT))
    existing = refresh.definitions_in(conn)
    new_facts = {table for table in FACTS if ("table", table) not in existing}
    if not prepare and not accept:
        _refuse_lost_records(existing)
    is_sealed = all("seal" in read_columns(conn, table) for table in RECORDS)
    broken = list(seals.broken(conn)) if is_sealed else []
    if broken and not accept:
        raise RefusedError(
            "nothing was changed: the log is not as it was sealed. See `keizer"
            " restore`, or take the log as it is with --accept.",
            broken,
        )
    if broken or (is_sealed and prepare):
        # The command that is recorded below seals all of it.
        prepare += _WITHOUT_SEALS
    refused, lost = rebuild(conn, prepare)
    # Of a file of today the log and the seals say what is missing.
    lost_columns = [] if is_current else list(_lost_columns(conn, version))
    if lost_columns and not accept:
        raise RefusedError(
            "nothing was changed: what was in these columns is lost. See `keizer"
            " restore`, or make them anew, and empty, with --accept.",
            lost_columns,
        )
    if refused:
        raise RefusedError(
            plural(
                "nothing was changed: {number:,} row is not what the file may hold;"
                " correct or delete that first, in any program.",
                "nothing was changed: {number:,} rows are not what the file may hold;"
                " correct or delete that first, in any program.",
                len(refused),
            ),
            [row.message for row in refused],
        )
    journal.describe(
        conn,
        say("migration from layout {first} to {last}", first=version, last=sql.LAYOUT),
    )
    # Rows that are not as the log has them are written there now.
    sql.run(conn, "log_all")
    if not accept:
        _refuse_unlogged(conn, new_facts, is_current=is_current)
    conn.execute(f"PRAGMA user_version = {sql.LAYOUT}")
    if is_current:
        put_right += refresh.note_put_right(list(_computed_otherwise(conn)))
    journal.end(conn, undoable=False)
    return put_right + lost


def _refuse_lost_records(existing: refresh.Objects) -> None:
    """Raise RefusedError if the log or the table of commands is missing."""
    lost = [table for table in RECORDS if ("table", table) not in existing]
    if lost:
        raise RefusedError(
            "nothing was changed: what was in these tables is lost. See `keizer"
            " restore`, or make them anew, and empty, with --accept.",
            [
                say(
                    "the table {table} is missing, and all that was in it.", table=table
                )
                for table in lost
            ],
        )


def _lost_columns(conn: sqlite3.Connection, version: int) -> Iterator[Message]:
    """Yield a message for each column that a file should have by its layout."""
    newer = set[str]()
    for layout, names in ADDED_IN.items():
        if layout > version:
            newer |= names
    for table in (*FACTS, *RECORDS):
        present = {*shared(conn, table), *COMPUTED.get(table, ())}
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
    """Raise RefusedError if rows are not as the log has them.

    new_facts: tables that the file did not have. is_current: its layout is that of
    today; else only columns that both layouts have are compared.
    """
    unlogged = []
    for fact, row, before, after in journal.changes(conn):
        if before == after or (not is_current and fact in new_facts):
            continue
        if is_current or _differs(conn, fact, before, after):
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
                "nothing was changed: {number:,} row is not as the log has them;"
                " `keizer check` says what they are and were. See `keizer restore`, or"
                " take them as they are with --accept.",
                "nothing was changed: {number:,} rows are not as the log has them;"
                " `keizer check` says what they are and were. See `keizer restore`, or"
                " take them as they are with --accept.",
                len(unlogged),
            ),
            unlogged,
        )


def _differs(
    conn: sqlite3.Connection, fact: str, before: str | None, after: str | None
) -> bool:
    """Return whether two states of a row differ in what both layouts have.

    The log of an earlier layout has no more than that.
    """
    if before is None or after is None:
        return True
    logged = cells(before) or {}
    current = cells(after) or {}
    for column in shared(conn, fact):
        if logged.get(column) != current.get(column):
            return True
    return False


def _computed_otherwise(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield the computed and the constant tables that are not as they were."""
    for _, table in refresh.own_tables():
        if table in FACTS or table in RECORDS:
            continue
        listed = _listed(shared(conn, table))
        before = f"SELECT {listed} FROM temp.old_{table}"
        after = f"SELECT {listed} FROM main.{table}"
        difference = conn.execute(
            f"SELECT * FROM ({before} EXCEPT {after})"
            f" UNION ALL SELECT * FROM ({after} EXCEPT {before})"
        )
        if difference.fetchone():
            yield say("table {table}", table=table)
