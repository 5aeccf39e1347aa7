"""Take back the last command, from the log that the file keeps.

Undoing checks that each row is still as the command left it, puts back
what it was before, and is on the log itself.
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

# What is on record of a pairing: the file drops it with the seats it is about.
_RECORDED = ("reason",)

# Who sits where, and what is on record of that. What is taken back is entered again in
# this order.
_SEATS = ("round", "unplayed", *_RECORDED)

# The columns of a seat that say who it is and where.
_PLACES = ("tournament_id", "round_number", "board", "white", "black", "player_id")

# Rows that a trigger of the file makes and removes with their tournament.
_FOLLOWING = {"rules", "scoring", "period"}

# Facts that may need triggers which the file does not have now, or need them no more.
_ASKING = {"tournament", "rules", "tiebreak"}


class Change(NamedTuple):
    """A change of one row: its table, its number, and its cells before and after.

    The cells are None where the row did not exist.
    """

    fact: str
    row: int
    before: Cells | None
    after: Cells | None


class LastCommand(NamedTuple):
    """The command that `undo` would take back.

    member: who did it, if that was a member by phone; else an empty text.
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
    """Take back the last command that still stands, and return what it was.

    Raises KeizerError if there is none, if another program has changed one of its
    rows since, or if the log, which has what they were before, is not as it was sealed.
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
    """Return the tournaments of a command that its own sentence does not name.

    A file with one tournament needs no names.
    """
    names = dict(conn.execute("SELECT id, description FROM tournament").fetchall())
    if len(names) <= 1:
        return []
    unnamed = set()
    for row in touched:
        state = cells(row["after"]) or cells(row["before"]) or {}
        name = names.get(state.get("tournament_id"))
        if name and name not in sentence:
            unnamed.add(name)
    return [say("“{name}”", name=name) for name in sorted(unnamed)]


def _changes_to_take_back(
    conn: sqlite3.Connection, what: Fact, touched: list[sqlite3.Row]
) -> list[Change]:
    """Return the changes of a command, once each row is shown to be as it left it.

    touched: rows of `journal.changes`. Raises KeizerError if a row is not.
    """
    changes = []
    for fact, row, before, after in touched:
        current = run(conn, "now", fact=fact, row=row).fetchone()
        current_state = current[0] if current else None
        if current_state != after:
            raise KeizerError(
                "not undone: since “{what}” another program changed what it wrote in"
                " table {table}.",
                what=what,
                table=fact,
            )
        # A pairing that was made again may record the same as before. That went with
        # its seats all the same.
        if before != after or fact in _RECORDED:
            changes.append(
                Change(fact=fact, row=row, before=cells(before), after=cells(after))
            )
    return changes


def _take_back_suspended(
    conn: sqlite3.Connection, what: Fact, changes: list[Change]
) -> None:
    """Take changes back while no ranking is computed, and compute them all at the end.

    Raises KeizerError if another program has since entered rows that depend on them.
    """
    # Until the rankings are up to it.
    conn.execute("PRAGMA defer_foreign_keys = ON")
    # One text for both uses, so that SQLite prepares it once, with all its triggers.
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
    if any(change.fact in _ASKING for change in changes):
        tiebreaks.compute_needed(conn)
    conn.execute(set_revaluation, ("on",))


def _take_back(conn: sqlite3.Connection, changes: list[Change]) -> None:
    """Put every row back as it was before, the last change first.

    Whoever changed seats gets up first and sits down last: otherwise two people would
    be in one place for a moment. What is on record of a pairing goes with its seats.
    """
    makes_tournament = any(
        change.fact == "tournament" and change.before is None for change in changes
    )
    seats = []
    others = []
    for change in reversed(changes):
        if _is_of_seats(change):
            seats.append(change)
        elif not (makes_tournament and change.fact in _FOLLOWING):
            others.append(change)
    for change in seats:
        _delete(conn, change.fact, change.row)
    for change in others:
        if change.fact == "player" and change.before and change.after:
            # Two players may have exchanged numbers, which no two can have at a time.
            run(conn, "free_numbers", player=change.row)
    for change in others:
        _put_back(conn, change)
    seats.sort(key=lambda change: _SEATS.index(change.fact))
    for change in seats:
        if change.before is not None:
            _insert(conn, change.fact, change.row, change.before)


def _is_of_seats(change: Change) -> bool:
    """Return whether a change is of who sat where, or of what goes with that."""
    if change.fact not in _SEATS:
        return False
    if change.fact in _RECORDED or change.before is None or change.after is None:
        return True
    for column in _PLACES:
        if change.before.get(column) != change.after.get(column):
            return True
    return False


def _put_back(conn: sqlite3.Connection, change: Change) -> None:
    """Delete, enter or write a row, so that it is as it was before a change."""
    if change.before is None:
        _delete(conn, change.fact, change.row)
    elif change.after is None:
        _insert(conn, change.fact, change.row, change.before)
    else:
        # A state leaves NULLs out: what only the state after it has was NULL before.
        values = dict.fromkeys(change.before | change.after)
        values |= change.before
        _update(conn, change.fact, change.row, values)


def _delete(conn: sqlite3.Connection, fact: str, row: int) -> None:
    conn.execute(f"DELETE FROM {fact} WHERE {key_column(fact)} = ?", (row,))


def _insert(conn: sqlite3.Connection, fact: str, row: int, state: Cells) -> None:
    """Enter a row again, with its number and what a state has of it."""
    values: Cells = {key_column(fact): row}
    if fact == "round":
        # NULLs are not in a state, and the file dates a game that brings no date.
        values["last_updated"] = None
    values |= state
    columns = ", ".join(values)
    slots = ", ".join("?" * len(values))
    conn.execute(
        f"INSERT INTO {fact} ({columns}) VALUES ({slots})", list(values.values())
    )


def _update(conn: sqlite3.Connection, fact: str, row: int, values: Cells) -> None:
    """Write these values into a row."""
    key = key_column(fact)
    settings = ", ".join(f"{column} = ?" for column in values)
    conn.execute(
        f"UPDATE {fact} SET {settings} WHERE {key} = ?", (*values.values(), row)
    )
    if fact == "round":
        # The file has just dated the game itself, if its result is new.
        run(conn, "date_result", game=row, when=values.get("last_updated"))
