"""Undo the last command, by the log of the file.

The undo checks that each row is still as the command left it, and puts back the state
from before. It is a command on the log itself.
"""

import sqlite3
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, say
from keizer.store import tiebreaks
from keizer.store.log import journal, seals
from keizer.store.log.history import Cells, cells, description
from keizer.store.log.journal import key_column
from keizer.store.sql import run

_DELETED_WITH_SEATS = ("reason",)
"""Tables whose rows the triggers of the file delete with the seats they are about."""

_SEATS = ("round", "unplayed", *_DELETED_WITH_SEATS)
"""The tables that say who sits where, and why; undo enters rows again in this order."""

_SEAT_COLUMNS = (
    "tournament_id",
    "round_number",
    "board",
    "white",
    "black",
    "player_id",
)
"""The columns of these tables that say who sits where."""

_MADE_WITH_TOURNAMENT = {"rules", "scoring", "period"}
"""Tables whose rows a trigger of the file makes and deletes with their tournament."""

_NEEDING_TRIGGERS = {"tournament", "rules", "tiebreak"}
"""Tables whose rows decide which triggers `tiebreaks.compute_needed` puts in."""


class Change(NamedTuple):
    """A change of one row.

    table: the table of facts. row: the key of the row (see `journal.key_column`).
    before, after: the cells of the row; None if the row did not exist.
    """

    table: str
    row: int
    before: Cells | None
    after: Cells | None


class LastCommand(NamedTuple):
    """The command that `undo` would take back.

    number: its id (command.id). what: a sentence on what it did. member: the name of
    the member who did it by phone; "" if nobody did.
    """

    number: int
    what: Fact
    member: str


def last_command(conn: sqlite3.Connection) -> LastCommand | None:
    """Return the command that `undo` would take back; None if there is none."""
    row = run(conn, "undoable").fetchone()
    if row is None:
        return None
    return LastCommand(
        number=int(row["id"]), what=description(row), member=str(row["by"])
    )


def undo(conn: sqlite3.Connection) -> Message:
    """Undo the last command that was not undone yet, and return what it had done.

    Raises KeizerError if there is no such command, if another program has changed one
    of its rows since, or if the log was changed, from which the old states would come.
    """
    for broken in seals.broken(conn):
        raise KeizerError(
            "not undone, as the log of the file was changed: {broken} `keizer check`"
            " says more.",
            broken=broken,
        )
    command = last_command(conn)
    if command is None:
        raise KeizerError("there is nothing to undo.")
    what = command.what
    touched = journal.changes(conn, command.number)
    tournaments = _tournaments_to_name(conn, str(what), touched)
    changes = _changes_to_take_back(conn, what, touched)
    journal.describe(conn, say("undo: {what}", what=what))
    conn.execute(
        "UPDATE command SET undoes = ? WHERE made_at IS NULL", (command.number,)
    )
    if not changes:
        return say("{what}, which had changed nothing.", what=what)
    _take_back_suspended(conn, what, changes)
    if tournaments:
        return say("{what}, in {tournaments}.", what=what, tournaments=tournaments)
    return say("{what}.", what=what)


def _tournaments_to_name(
    conn: sqlite3.Connection, sentence: str, touched: list[sqlite3.Row]
) -> list[Message]:
    """Return the names of a command's tournaments that its sentence does not mention.

    None are returned if the file has only one tournament.
    sentence: what the command did. touched: rows of `journal.changes`.
    """
    names = dict(conn.execute("SELECT id, description FROM tournament").fetchall())
    if len(names) <= 1:
        return []
    unnamed = set()
    for row in touched:
        # A deleted row has no state afterwards.
        state = cells(row["after"]) or cells(row["before"]) or {}
        name = names.get(state.get("tournament_id"))
        if name and name not in sentence:
            unnamed.add(name)
    return [say("“{name}”", name=name) for name in sorted(unnamed)]


def _changes_to_take_back(
    conn: sqlite3.Connection, what: Fact, touched: list[sqlite3.Row]
) -> list[Change]:
    """Return the changes to take back for a command.

    what: a sentence on what the command did. touched: rows of `journal.changes`. Raises
    KeizerError if the present state of a row is not the one that the command left.
    """
    changes = []
    for table, row, before, after in touched:
        current = run(conn, "current_state", fact=table, row=row).fetchone()
        current_state = current[0] if current else None
        if current_state != after:
            raise KeizerError(
                "not undone: since “{what}” another program changed what it wrote in"
                " table {table}.",
                what=what,
                table=table,
            )
        # An unchanged reason has to be entered again, too: it is deleted with its seat
        # when the new seat is taken back. (A pairing that is made again may record the
        # same reason as before.)
        if before != after or table in _DELETED_WITH_SEATS:
            changes.append(
                Change(table=table, row=row, before=cells(before), after=cells(after))
            )
    return changes


def _take_back_suspended(
    conn: sqlite3.Connection, what: Fact, changes: list[Change]
) -> None:
    """Take changes back while all rankings are suspended, then compute them once.

    what: a sentence on the command, for an error. Raises KeizerError if another program
    has entered rows since that depend on the changes.
    """
    # Foreign keys are checked only after the rankings are computed.
    conn.execute("PRAGMA defer_foreign_keys = ON")
    # One text for both values: SQLite prepares it once, with all the triggers that it
    # sets off.
    set_revaluation = "UPDATE tournament SET revaluation = ?"
    conn.execute(set_revaluation, ("suspended",))
    try:
        _take_back(conn, changes)
    except sqlite3.IntegrityError as error:
        raise KeizerError(
            "not undone: since “{what}” another program changed rows that it depends on"
            " ({problem}).",
            what=what,
            problem=str(error),
        ) from error
    if any(change.table in _NEEDING_TRIGGERS for change in changes):
        tiebreaks.compute_needed(conn)
    # A trigger of the file now computes the rankings.
    conn.execute(set_revaluation, ("on",))


def _take_back(conn: sqlite3.Connection, changes: list[Change]) -> None:
    """Put every row back into its state before a command.

    All changed seats are deleted first and entered last: otherwise two people might be
    in one place for a moment, which the file refuses.
    """
    undoes_new_tournament = any(
        change.table == "tournament" and change.before is None for change in changes
    )
    seats = []
    others = []
    for change in reversed(changes):
        if _is_seat(change):
            seats.append(change)
        elif undoes_new_tournament and change.table in _MADE_WITH_TOURNAMENT:
            pass  # the file deletes the row together with the tournament
        else:
            others.append(change)
    for change in seats:
        _delete(conn, change.table, change.row)
    for change in others:
        if change.table == "player" and change.before and change.after:
            # Two players may have exchanged their FIDE IDs. The file allows each ID
            # only once, so all are removed before the first is put back.
            run(conn, "free_numbers", player=change.row)
    for change in others:
        _put_back(conn, change)
    seats.sort(key=lambda change: _SEATS.index(change.table))
    for change in seats:
        if change.before is not None:
            _insert(conn, change.table, change.row, change.before)


def _is_seat(change: Change) -> bool:
    """Return whether a change is of who sat where, or of a reason for that.

    A change of a result, for example, is not.
    """
    if change.table not in _SEATS:
        return False
    if change.table in _DELETED_WITH_SEATS:
        return True
    if change.before is None or change.after is None:
        return True  # a new or a deleted seat
    for column in _SEAT_COLUMNS:
        if change.before.get(column) != change.after.get(column):
            return True
    return False


def _put_back(conn: sqlite3.Connection, change: Change) -> None:
    """Put a row back into its state before a change: delete, enter or update it."""
    if change.before is None:
        _delete(conn, change.table, change.row)
    elif change.after is None:
        _insert(conn, change.table, change.row, change.before)
    else:
        # Cells leave NULLs out: a column that only `after` has was NULL before.
        values = dict.fromkeys(change.before | change.after)
        values |= change.before
        _update(conn, change.table, change.row, values)


def _delete(conn: sqlite3.Connection, table: str, row: int) -> None:
    """Delete a row, if it is still there."""
    conn.execute(f"DELETE FROM {table} WHERE {key_column(table)} = ?", (row,))


def _insert(conn: sqlite3.Connection, table: str, row: int, state: Cells) -> None:
    """Enter a row again, with its old key and cells."""
    values: Cells = {key_column(table): row}
    if table == "round":
        # Without a value the file would enter the present time. If the game had a time,
        # the state has it.
        values["last_updated"] = None
    values |= state
    columns = ", ".join(values)
    slots = ", ".join("?" * len(values))
    conn.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({slots})", list(values.values())
    )


def _update(conn: sqlite3.Connection, table: str, row: int, values: Cells) -> None:
    """Write values into the columns of a row."""
    key = key_column(table)
    settings = ", ".join(f"{column} = ?" for column in values)
    conn.execute(
        f"UPDATE {table} SET {settings} WHERE {key} = ?", (*values.values(), row)
    )
    if table == "round":
        # If the result changed, a trigger has just entered the present time.
        run(conn, "set_result_time", game=row, when=values.get("last_updated"))
