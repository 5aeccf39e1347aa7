"""The facts of a file, put through the triggers of an empty one.

What a trigger or constraint refuses does not get in, whoever wrote it and however: so a
rule of what cannot be stands in one place, the schema, and this is its proof. `keizer
check` rebuilds a copy and compares; `keizer migrate` rebuilds the file, in one transaction: to
bring it up to the layout of this keizer, or to put right what another program did to it.
"""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, plural, say
from keizer.store import definitions, refresh, sql, tiebreaks
from keizer.store.connection import prepare_to_write, sentence
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
    """A text whose bytes are no UTF-8, as far as it can be shown."""

    __slots__ = ()


def text(raw: bytes) -> str:
    """A text of a file that may hold anything: sqlite3.Connection.text_factory."""
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
    def said(self) -> Message:
        """It as a message."""
        return say(
            "row {row} of table {table} is refused: {why}",
            row=self.row,
            table=self.table,
            why=self.why,
        )


def columns(
    conn: sqlite3.Connection, table: str, *, computed: bool = False
) -> list[str]:
    """The columns of a table; generated ones only where they are asked for."""
    return [row[0] for row in sql.run(conn, "columns", table=table, computed=computed)]


def stored_columns(conn: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns that have a place in the file: also those generated and stored."""
    return [row[0] for row in sql.run(conn, "stored_columns", table=table)]


def rebuild(
    conn: sqlite3.Connection, prepare: str = "", *, logged: bool = True
) -> tuple[list[Refused], list[Message]]:
    """Make the file anew from its facts; afterwards the old tables are temp.old_NAME.

    What could not be taken over: rows; and what people had added, a message each.
    prepare: SQL for the old tables, where they are of an earlier layout. logged: take the log over,
    and have on it which rows are not as it says; else it is empty then.
    Call it inside a transaction, with foreign keys off.
    Raises KeizerError where a table of facts is gone, and, of a file that is not a copy, where
    somebody added triggers.
    """
    made, before = refresh.lasting()[0], refresh.objects(conn)
    tables = [name for kind, name in made if kind == "table" and (kind, name) in before]
    written = {
        table: list(_as_written(conn, table, before["table", table]))
        for table in tables
        if before["table", table] != made["table", table]
    }
    gone = next(
        (
            table
            for table in FACTS
            if table not in tables and f"old_{table}" not in prepare
        ),
        None,
    )
    if gone:
        raise KeizerError(
            "the table {table} is missing, and all that was in it: `keizer restore` lists the"
            " snapshots there are.",
            table=gone,
        )
    foreign = refresh.drop(conn)
    if foreign and logged:
        raise KeizerError(*refresh.run_along(foreign))
    on = dict(sql.run(conn, "on_tables").fetchall())
    indexes = [
        (name, text)
        for (kind, name), text in before.items()
        if kind == "index" and (kind, name) not in made and on[name] in tables
    ]
    for table in tables:
        if logged or table not in RECORDS:
            listed = ", ".join(map(quoted, stored_columns(conn, table)))
            conn.execute(
                f"CREATE TEMP TABLE old_{table} AS SELECT {listed} FROM main.{table}"
            )
        conn.execute(f"DROP TABLE main.{table}")
    definitions.run(conn, prepare)
    lost = _make(conn, written)
    if logged:
        _copy_records(conn)
    refresh.put_code(conn)
    if not logged:
        definitions.run(conn, _WITHOUT_LOG)
    prepare_to_write(conn)
    lost += _own_tiebreaks(conn)
    journal.begin(conn)
    refused = _fill(conn)
    tiebreaks.compute_needed(conn)
    for (tournament,) in conn.execute(
        "SELECT id FROM tournament ORDER BY id"
    ).fetchall():
        try:
            conn.execute(
                "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
            )
        except sqlite3.Error as error:
            _go_on(conn)
            refused.append(Refused("tournament", tournament, sentence(error)))
    return _causes(conn, refused), lost + _put_back(conn, indexes)


def _put_back(
    conn: sqlite3.Connection, indexes: list[tuple[str, str]]
) -> list[Message]:
    """Put back the indexes that people added, by name and text; what could not stay."""
    lost = []
    for name, text in indexes:
        try:
            conn.execute(text)
        except sqlite3.Error as error:
            problem = str(error)
            lost.append(
                say(
                    "{name}, which somebody added, is gone: {problem}.",
                    name=name,
                    problem=problem,
                )
            )
    return lost


_WITHOUT_LOG = """
DROP TRIGGER z_log_written;
CREATE TRIGGER z_log_written INSTEAD OF INSERT ON z_logged BEGIN SELECT 1; END;
"""
"""To look up what the log has of each row takes as long as to enter it."""


def _as_written(
    conn: sqlite3.Connection, table: str, text: str
) -> Iterator[tuple[str, str, bool]]:
    """The columns of a table by its definition: name, text, and whether it is stored."""
    parts, stored = definitions.columns(text), columns(conn, table)
    for name in columns(conn, table, computed=True):
        yield name, parts.get(name, quoted(name)), name in stored


def _make(
    conn: sqlite3.Connection, written: dict[str, list[tuple[str, str, bool]]]
) -> list[Message]:
    """Make the tables and constants, with the columns that people added; what could not stay."""
    lost = []
    definitions.run(conn, sql.schema_script())
    for table, wanted in written.items():
        known, kept = columns(conn, table, computed=True), columns(conn, f"old_{table}")
        for name, definition, stored in wanted:
            # What was stored and is no more had another name in an earlier layout.
            if name in known or (stored and name not in kept):
                continue
            try:
                conn.execute(f"ALTER TABLE main.{table} ADD COLUMN {definition}")
            except sqlite3.Error as error:
                lost.append(
                    say(
                        "the column {table}.{column} that somebody added is not as it was:"
                        " {problem}.",
                        table=table,
                        column=name,
                        problem=str(error),
                    )
                )
                if stored:
                    conn.execute(f"ALTER TABLE main.{table} ADD COLUMN {quoted(name)}")
    return lost


def shared(conn: sqlite3.Connection, table: str) -> list[str]:
    """The columns that a table has, and had when it was set aside."""
    old = columns(conn, f"old_{table}")
    return [column for column in columns(conn, table) if column in old]


def _copy_records(conn: sqlite3.Connection) -> None:
    conn.execute("PRAGMA ignore_check_constraints = ON")
    for table in RECORDS:
        listed = ", ".join(map(quoted, shared(conn, table)))
        if listed:
            insert = f"INSERT INTO main.{table} ({listed})"
            conn.execute(f"{insert} SELECT {listed} FROM temp.old_{table}")
    # Else a command whose end somebody took out would be the one that runs.
    conn.execute("UPDATE command SET seal = NULL WHERE made_at IS NULL")
    conn.execute("PRAGMA ignore_check_constraints = OFF")


def _own_tiebreaks(conn: sqlite3.Connection) -> list[Message]:
    """The tie-breaks that people added; what could not stay, a message each."""
    listed = ", ".join(shared(conn, "tiebreak"))
    if not listed:
        return []
    old = "temp.old_tiebreak AS old"
    insert = f"INSERT INTO main.tiebreak ({listed}) SELECT {listed} FROM {old}"
    own = "old.name NOT IN (SELECT name FROM main.tiebreak)"
    lost = _row_by_row(
        conn, "tiebreak", insert, own, source=old, order=" ORDER BY name"
    )
    return [
        say(
            "the tie-break {name}, which somebody added, is gone: {why}",
            name=tiebreak.row,
            why=tiebreak.why,
        )
        for tiebreak in lost
    ]


def _fill(conn: sqlite3.Connection) -> list[Refused]:
    """The facts, table by table; the rows that are refused."""
    refused: list[Refused] = []
    for table in FACTS:
        later, key = SELF_REFERENCES.get(table, ()), journal.key_column(table)
        skipped = {*COMPUTED.get(table, ()), *later}
        mine = [column for column in shared(conn, table) if column not in skipped]
        listed = values = ", ".join(map(quoted, mine))
        if table == "tournament":  # its rules and kinds of scoring follow
            listed, values = (
                f"{listed}, revaluation, stale_from",
                f"{values}, 'suspended', 0",
            )
        old = f"temp.old_{table} AS old"
        insert = f"INSERT INTO main.{table} ({listed}) SELECT {values} FROM {old}"
        refused += _row_by_row(
            conn, table, insert, "1", source=old, order=f" ORDER BY {key}"
        )
        for column in later:
            put = f"UPDATE main.{table} SET {column} = old.{column} FROM {old}"
            same = f"old.{key} = {table}.{key} AND old.{column} IS NOT {table}.{column}"
            refused += _row_by_row(
                conn, table, put, same, source=f"main.{table}, {old}"
            )
    return refused


def _row_by_row(
    conn: sqlite3.Connection,
    table: str,
    statement: str,
    where: str,
    *,
    source: str,
    order: str = "",
) -> Iterator[Refused]:
    """Run a statement for all rows at once; where some are refused, for one after the other.

    source: what it reads, the table set aside being `old`; order: of an INSERT.
    """
    # Preparing a statement takes SQLite long, where many triggers follow from it.
    if not conn.execute(f"SELECT 1 FROM {source} WHERE {where} LIMIT 1").fetchone():
        return
    conn.execute("SAVEPOINT filled")
    try:
        conn.execute(f"{statement} WHERE {where}{order}")
    except sqlite3.Error:
        _go_on(conn)
        conn.execute("ROLLBACK TO filled")
        key = journal.key_column(table)
        rows = conn.execute(
            f"SELECT rowid, {key} FROM temp.old_{table} ORDER BY {key}"
        ).fetchall()
        for rowid, row in rows:
            try:
                conn.execute(f"{statement} WHERE {where} AND old.rowid = ?", (rowid,))
            except sqlite3.Error as error:
                _go_on(conn)
                yield Refused(table, row, sentence(error))
    conn.execute("RELEASE filled")


def _go_on(conn: sqlite3.Connection) -> None:
    """Let the error that is being handled end all where it took the transaction back."""
    if not conn.in_transaction:
        raise  # noqa: PLE0704


def _causes(conn: sqlite3.Connection, refused: list[Refused]) -> list[Refused]:
    """Those that are not refused for another's sake: a game without its player, say."""
    there = {row[0] for row in conn.execute("SELECT id FROM tournament")}
    gone: set[tuple[object, object]] = {
        (wrong.table, wrong.row)
        for wrong in refused
        if wrong.table == "player"
        or (wrong.table == "tournament" and wrong.row not in there)
    }
    found = []
    for wrong in refused:
        row = conn.execute(
            f"SELECT * FROM temp.old_{wrong.table} WHERE {journal.key_column(wrong.table)} IS ?",
            (wrong.row,),
        ).fetchone()
        values = dict(row) if row else {}
        tournament = values.get("tournament_id")
        people = [
            values.get(column) for column in ("player_id", "white", "black", "nearer")
        ]
        needed: set[tuple[object, object]] = {("tournament", tournament)}
        needed |= {(of, player) for player in people for of in ("player", tournament)}
        if not needed & gone:
            found.append(wrong)
        if wrong.table == "x_player_tournament":
            gone.add((tournament, people[0]))
    return found


STEPS: dict[int, str] = {}
"""By layout: SQL that brings its tables, set aside as temp.old_NAME, to the next one.

A column that is only added needs none. What is renamed, or has another value, is so in
temp.old_log too: a row that is not as the log has it is refused.
"""


ADDED_IN: dict[int, set[str]] = {}
"""By layout: the columns that it has, as in `round.date`, and that before it had not."""


_WITHOUT_SEALS = """
UPDATE temp.old_log SET seal = NULL;
UPDATE temp.old_command SET seal = NULL;
"""


class RefusedError(KeizerError):
    """A file that is not brought up to date; rows: why, a message each."""

    def __init__(self, said: str | Message, rows: list[Message]) -> None:
        super().__init__(said)
        self.rows = rows


def migrate(conn: sqlite3.Connection, *, accept: bool = False) -> list[Message]:
    """Make the file one of this version; what was put right, and what of others could not stay.

    accept: take rows that are not as the log has them as they are; they are then on it.
    Call it inside a transaction, with foreign keys off.
    Raises KeizerError where a row is refused, or is not as the log has it, or a table of
    facts is gone.
    """
    conn.text_factory = text
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    put_right = refresh.noted_differences(conn) if version == sql.LAYOUT else []
    prepare = "".join(STEPS.get(layout, "") for layout in range(version, sql.LAYOUT))
    there = refresh.objects(conn)
    fresh = [table for table in FACTS if ("table", table) not in there]
    gone = [table for table in RECORDS if ("table", table) not in there and not prepare]
    if gone and not accept:
        raise RefusedError(
            "nothing was changed: what was in these tables is lost. See `keizer restore`, or make"
            " them anew, and empty, with --accept.",
            [
                say(
                    "the table {table} is missing, and all that was in it.", table=table
                )
                for table in gone
            ],
        )
    sealed = all("seal" in columns(conn, table) for table in RECORDS)
    broken = list(seals.broken(conn)) if sealed else []
    if broken and not accept:
        raise RefusedError(
            "nothing was changed: the log is not as it was sealed. See `keizer restore`, or take"
            " the log as it is with --accept.",
            broken,
        )
    if broken or (sealed and prepare):
        prepare += _WITHOUT_SEALS  # the command that is recorded below seals all of it
    refused, lost = rebuild(conn, prepare)
    emptied = list(_emptied(conn, version))
    if emptied and not accept:
        raise RefusedError(
            "nothing was changed: what was in these columns is lost. See `keizer restore`, or make"
            " them anew, and empty, with --accept.",
            emptied,
        )
    if refused:
        raise RefusedError(
            plural(
                "nothing was changed: {number:,} row is not what the file may hold; correct or"
                " delete that first, in any program.",
                "nothing was changed: {number:,} rows are not what the file may hold; correct or"
                " delete that first, in any program.",
                len(refused),
            ),
            [row.said for row in refused],
        )
    journal.describe(
        conn,
        say("migration from layout {first} to {last}", first=version, last=sql.LAYOUT),
    )
    sql.run(conn, "log_all")
    changed = [
        (fact, row)
        for fact, row, before, after in journal.changes(conn)
        if before != after
        and (
            version == sql.LAYOUT
            or (fact not in fresh and _differ(conn, fact, before, after))
        )
    ]
    if changed and not accept:
        raise RefusedError(
            plural(
                "nothing was changed: {number:,} row is not as the log has them; `keizer check`"
                " says what they are and were. See `keizer restore`, or take them as they are with"
                " --accept.",
                "nothing was changed: {number:,} rows are not as the log has them; `keizer check`"
                " says what they are and were. See `keizer restore`, or take them as they are with"
                " --accept.",
                len(changed),
            ),
            [
                say(
                    "row {row} of table {table} is not as the log has it",
                    row=row,
                    table=fact,
                )
                for fact, row in changed
            ],
        )
    conn.execute(f"PRAGMA user_version = {sql.LAYOUT}")
    if version == sql.LAYOUT:
        put_right += _put_right(conn)
    journal.record(conn, undoable=False)
    return put_right + lost


def _emptied(conn: sqlite3.Connection, version: int) -> Iterator[Message]:
    """Yield a message for each column that a file of a layout lacks, although the layout has it.

    Of a file of today the log and the seals say what is missing.
    """
    if version == sql.LAYOUT:
        return
    newer = {
        name for layout, names in ADDED_IN.items() if layout > version for name in names
    }
    for table in (*FACTS, *RECORDS):
        kept = {*shared(conn, table), *COMPUTED.get(table, ())}
        for column in columns(conn, table):
            if column not in kept and f"{table}.{column}" not in newer:
                yield say(
                    "the column {table}.{column} is missing, and all that was in it.",
                    table=table,
                    column=column,
                )


def _put_right(conn: sqlite3.Connection) -> list[Message]:
    """Note the computed and the constant tables that were not as they are now, made anew."""
    wrong = list[Message]()
    for _, table in refresh.tables():
        if table not in (*FACTS, *RECORDS):
            listed = ", ".join(map(quoted, shared(conn, table)))
            before = f"SELECT {listed} FROM temp.old_{table}"
            now = f"SELECT {listed} FROM main.{table}"
            only = (f"{before} EXCEPT {now}", f"{now} EXCEPT {before}")
            if any(conn.execute(rows).fetchone() for rows in only):
                wrong.append(say("table {table}", table=table))
    return refresh.note_put_right(wrong)


def _differ(
    conn: sqlite3.Connection, fact: str, before: str | None, after: str | None
) -> bool:
    """Whether two states of a row differ in what both layouts have: the log of then has no more."""
    if before is None or after is None:
        return True
    logged, made = cells(before) or {}, cells(after) or {}
    return any(logged.get(column) != made.get(column) for column in shared(conn, fact))
