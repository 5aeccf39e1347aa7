"""Bring a file up to the layout of this keizer, or put right what another program did to it.

The file is rebuilt in one transaction: its facts go through the triggers of this
version, as an INSERT in any program would. What these refuse is named, row by row, and
nothing is changed. Tables, columns, views and triggers that people added stay.
"""

import sqlite3

from keizer.errors import KeizerError
from keizer.messages import Message, plural, say
from keizer.store import journal, rebuild, refresh, sql
from keizer.store.history import cells

OLDEST = 5
"""The first layout that is read: those before it were of drafts, before there was a release."""

STEPS: dict[int, str] = {}
"""By layout: SQL that brings its tables, set aside as temp.old_NAME, to the next one.

A column that is only added needs none. What is renamed, or has another value, is so in
temp.old_log too: a row that is not as the log has it is refused.
"""


class RefusedError(KeizerError):
    """A file that is not brought up to date; rows: why, a message each."""

    def __init__(self, said: str | Message, rows: list[Message]) -> None:
        super().__init__(said)
        self.rows = rows


def migrate(conn: sqlite3.Connection, *, accept: bool = False) -> list[Message]:
    """Make the file one of this version; what people added and could not stay, a message each.

    accept: take rows that are not as the log has them as they are; they are then on it.
    Call it inside a transaction, with foreign keys off.
    Raises KeizerError where a row is refused, or is not as the log has it, or a table of
    facts is gone.
    """
    conn.text_factory = rebuild.text
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    if version < OLDEST:
        raise KeizerError(
            "layout {number} is of a draft of keizer: export the season as TRF with the keizer"
            " that made the file, import that into a new one, and set the rules anew.",
            number=version,
        )
    prepare = "".join(STEPS.get(layout, "") for layout in range(version, sql.LAYOUT))
    there = refresh.objects(conn)
    fresh = [table for table in rebuild.FACTS if ("table", table) not in there]
    gone = [table for table in rebuild.RECORDS if ("table", table) not in there and not prepare]
    if gone and not accept:
        raise RefusedError(
            "nothing was changed: what was in these tables is lost. See `keizer restore`, or make"
            " them anew, and empty, with --accept.",
            [
                say("the table {table} is missing, and all that was in it.", table=table)
                for table in gone
            ],
        )
    refused, lost = rebuild.rebuild(conn, prepare)
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
        conn, say("migration from layout {first} to {last}", first=version, last=sql.LAYOUT)
    )
    sql.run(conn, "log_all")
    changed = [
        (fact, row)
        for fact, row, before, after in journal.changes(conn)
        if before != after
        and (version == sql.LAYOUT or (fact not in fresh and _differ(conn, fact, before, after)))
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
                say("row {row} of table {table} is not as the log has it", row=row, table=fact)
                for fact, row in changed
            ],
        )
    conn.execute(f"PRAGMA user_version = {sql.LAYOUT}")
    journal.record(conn, undoable=False)
    return lost


def _differ(conn: sqlite3.Connection, fact: str, before: str | None, after: str | None) -> bool:
    """Whether two states of a row differ in what both layouts have: the log of then has no more."""
    if before is None or after is None:
        return True
    logged, made = cells(before) or {}, cells(after) or {}
    return any(logged.get(column) != made.get(column) for column in rebuild.shared(conn, fact))
