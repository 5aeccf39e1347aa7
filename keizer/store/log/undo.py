"""Undo the last command, by the log of the file.

The undo checks that each row is still as the command left it, and puts back the state
from before. It is a command on the log itself.

A seat is somebody's place in a round: a side of a game, or a row of table unplayed,
which says that they do not play.
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
"""Tables whose rows the triggers of the file delete with a game or an unplayed round.

A reason is something on which the pairing of a game or a bye was based.
"""

_SEATS = ("round", "unplayed", *_DELETED_WITH_SEATS)
"""The tables that say who plays whom or does not play, and why.

Undo enters rows again in this order, as a reason is about rows of the other two.
"""

_SEAT_COLUMNS = (
    "tournament_id",
    "round_number",
    "board",
    "white",
    "black",
    "player_id",
)
"""The columns of these tables that say who plays whom where, or does not play."""

_MADE_WITH_TOURNAMENT = {"rules", "scoring", "period"}
"""Tables whose rows a trigger of the file makes and deletes with their tournament."""

_NEEDING_TRIGGERS = {"tournament", "rules", "tiebreak"}
"""Tables whose rows decide which triggers `tiebreaks.update_triggers` creates."""


class Change(NamedTuple):
    """A change of one row that people can enter.

    table: the name of its table.
    key: the key of the row, mostly its id (see `journal.key_column`).
    before, after: its values by column, without NULLs; None if the row did not exist.
    """

    table: str
    key: int
    before: Cells | None
    after: Cells | None


class LastCommand(NamedTuple):
    """The command that `undo` would take back.

    number: its id (command.id).
    what: a sentence on what it did.
    member: who gave the command, if it was a member by phone; else "".
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

    The undo is part of the running command, which is described as an undo. Rows that
    the command changed get their state from before, and rankings are computed again.
    Raises KeizerError if there is no such command, if another program has changed one
    of its rows since, or if somebody changed the log, which has the old states.
    """
    broken_seal = next(seals.changed_rows(conn), None)
    if broken_seal is not None:
        raise KeizerError(
            "not undone, as the log of the file was changed: {broken} `keizer check`"
            " says more.",
            broken=broken_seal,
        )
    command = last_command(conn)
    if command is None:
        raise KeizerError("there is nothing to undo.")
    what = command.what
    logged_changes = journal.changes(conn, command.number)
    # Before the changes are taken back: that may delete a tournament, and its name.
    tournaments = _tournaments_to_name(conn, str(what), logged_changes)
    changes = _changes_to_take_back(conn, what, logged_changes)
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
    conn: sqlite3.Connection, sentence: str, logged_changes: list[sqlite3.Row]
) -> list[Message]:
    """Return the names of a command's tournaments that its sentence does not mention.

    The list is empty if the file has only one tournament.
    sentence: what the command did. logged_changes: what it changed, as
    `journal.changes` returns it.
    """
    names = dict(conn.execute("SELECT id, description FROM tournament").fetchall())
    if len(names) <= 1:
        return []
    unnamed = set()
    for row in logged_changes:
        # A deleted row has no state after the command, but one before it.
        state = cells(row["after"]) or cells(row["before"]) or {}
        name = names.get(state.get("tournament_id"))
        if name and name not in sentence:
            unnamed.add(name)
    return [say("“{name}”", name=name) for name in sorted(unnamed)]


def _changes_to_take_back(
    conn: sqlite3.Connection, what: Fact, logged_changes: list[sqlite3.Row]
) -> list[Change]:
    """Return the changes of a command that an undo has to take back.

    what: a sentence on what the command did. logged_changes: what it changed, as
    `journal.changes` returns it. Raises KeizerError if a row is not as the command left
    it: another program has changed the row since.
    """
    changes = []
    for table, key, before, after in logged_changes:
        current = run(conn, "current_state", fact=table, row=key).fetchone()
        current_state = current[0] if current else None
        if current_state != after:
            raise KeizerError(
                "not undone: since “{what}” another program changed what it wrote in"
                " table {table}.",
                what=what,
                table=table,
            )
        # When the undo deletes a game, a trigger deletes the reasons of the game with
        # it. So the undo has to enter a reason again even if the command left it as it
        # was, as one does that pairs a round again with the same reason.
        is_deleted_by_trigger = table in _DELETED_WITH_SEATS
        if before != after or is_deleted_by_trigger:
            changes.append(
                Change(table=table, key=key, before=cells(before), after=cells(after))
            )
    return changes


def _take_back_suspended(
    conn: sqlite3.Connection, what: Fact, changes: list[Change]
) -> None:
    """Take changes back, and compute all rankings once, after the last change.

    what: a sentence on what the command did, for an error. Raises KeizerError if
    another program has entered rows since that depend on the changes.
    """
    # Now foreign keys are checked only when the transaction ends. Until then a row may
    # refer to one that is not there yet.
    conn.execute("PRAGMA defer_foreign_keys = ON")
    # One statement for both values: with all the triggers that it may set off, it takes
    # SQLite long to prepare, and so this is done once.
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
        tiebreaks.update_triggers(conn)
    # When this is switched on, a trigger of the file computes the rankings.
    conn.execute(set_revaluation, ("on",))


def _take_back(conn: sqlite3.Connection, changes: list[Change]) -> None:
    """Put every row back into its state before a command.

    Rows that say who plays whom, or who does not play, are deleted first and entered
    last. Otherwise somebody might be in a round twice for a moment, which the file
    refuses.
    """
    undoes_new_tournament = any(
        change.table == "tournament" and change.before is None for change in changes
    )
    seats = []
    others = []
    # The last change first, so that each row meets the others as they were then.
    for change in reversed(changes):
        if _is_seat(change):
            seats.append(change)
        elif undoes_new_tournament and change.table in _MADE_WITH_TOURNAMENT:
            # A trigger deletes the row when the tournament is deleted.
            pass
        else:
            others.append(change)
    for change in seats:
        _delete(conn, change.table, change.key)
    for change in others:
        if change.table == "player" and change.before and change.after:
            # Two players may have exchanged their FIDE IDs. The file allows each ID
            # only once, so all are removed before the first is put back.
            run(conn, "free_numbers", player=change.key)
    for change in others:
        _put_back(conn, change)
    seats.sort(key=lambda change: _SEATS.index(change.table))
    for change in seats:
        if change.before is not None:
            _insert(conn, change.table, change.key, change.before)


def _is_seat(change: Change) -> bool:
    """Return whether a change is of who plays whom where, or does not play, or why.

    A change of the result of a game, for example, is not.
    """
    if change.table not in _SEATS:
        return False
    if change.table in _DELETED_WITH_SEATS:
        return True
    if change.before is None or change.after is None:
        # The command made or deleted a game, or a row for somebody who does not play.
        return True
    for column in _SEAT_COLUMNS:
        if change.before.get(column) != change.after.get(column):
            return True
    return False


def _put_back(conn: sqlite3.Connection, change: Change) -> None:
    """Put a row back into its state before a change: delete, enter or update it."""
    if change.before is None:
        _delete(conn, change.table, change.key)
    elif change.after is None:
        _insert(conn, change.table, change.key, change.before)
    else:
        # The states leave NULLs out. So a column that only `after` has was NULL before.
        values: Cells = dict.fromkeys(change.before | change.after)
        values.update(change.before)
        _update(conn, change.table, change.key, values)


def _delete(conn: sqlite3.Connection, table: str, key: int) -> None:
    """Delete the row with this key, if it is still there."""
    conn.execute(f"DELETE FROM {table} WHERE {key_column(table)} = ?", (key,))


def _insert(conn: sqlite3.Connection, table: str, key: int, old_values: Cells) -> None:
    """Enter a row again, with its old key and values.

    old_values: the values by column. A column that is not among them was NULL.
    """
    values: Cells = {key_column(table): key}
    if table == "round":
        # Column last_updated has the present time as its default. The game may have had
        # NULL there, so NULL is inserted explicitly. If it had a time, that is among
        # `old_values`, and replaces this NULL.
        values["last_updated"] = None
    values.update(old_values)
    columns = ", ".join(values)
    placeholders = ", ".join("?" * len(values))
    conn.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({placeholders})",
        list(values.values()),
    )


def _update(conn: sqlite3.Connection, table: str, key: int, values: Cells) -> None:
    """Write values into the columns of the row with this key.

    Of a game, the time of its result is written as well.
    """
    assignments = ", ".join(f"{column} = ?" for column in values)
    conn.execute(
        f"UPDATE {table} SET {assignments} WHERE {key_column(table)} = ?",
        (*values.values(), key),
    )
    if table == "round":
        # If this changed the result, a trigger has just written the present time as the
        # time of the result. So the old time is written again.
        run(conn, "set_result_time", game=key, when=values.get("last_updated"))
