"""Take back the last command, from the log that the file keeps.

Undoing checks that each row is still as the command left it, puts back
what it was before, and is on the log itself.
"""

import sqlite3

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, say
from keizer.store import tiebreaks
from keizer.store.log import journal, seals
from keizer.store.log.history import Cells, cells, told
from keizer.store.log.journal import number
from keizer.store.sql import run

# What is on record of a pairing: the file drops it with the seats it is about.
_RECORDED = ("reason",)

# Who sits where, and that.
_SEATS = ("round", "unplayed", *_RECORDED)

# Rows that a trigger of the file makes and removes with their tournament.
_FOLLOWING = {"rules", "scoring", "period"}

# What may ask for code that the file does not have now, or ask for it no more.
_ASKING = {"tournament", "rules", "tiebreak"}

_PLACES = ("tournament_id", "round_number", "board", "white", "black", "player_id")

Change = tuple[str, int, Cells | None, Cells | None]


def _insert(conn: sqlite3.Connection, fact: str, row: int, values: Cells) -> None:
    if (
        fact == "round"
    ):  # NULLs are not in a state, and the file would date it by itself
        values = {"last_updated": None, **values}
    slots = ", ".join("?" * (len(values) + 1))
    conn.execute(
        f"INSERT INTO {fact} ({number(fact)}, {', '.join(values)}) VALUES ({slots})",
        (row, *values.values()),
    )


def _put_back(
    conn: sqlite3.Connection,
    fact: str,
    row: int,
    before: Cells | None,
    after: Cells | None,
) -> None:
    """One row as it was before."""
    if before is None:
        conn.execute(f"DELETE FROM {fact} WHERE {number(fact)} = ?", (row,))
    elif after is None:
        _insert(conn, fact, row, before)
    else:
        # What is not in a state is NULL.
        numbers = ("fide_id", "national_id") if fact == "player" else ()
        values = {column: before.get(column) for column in (*before, *after, *numbers)}
        settings = ", ".join(f"{column} = ?" for column in values)
        conn.execute(
            f"UPDATE {fact} SET {settings} WHERE {number(fact)} = ?",
            (*values.values(), row),
        )
        if fact == "round":  # which the file dates by itself where a result is new
            run(conn, "date_result", game=row, when=values.get("last_updated"))


def _moved(fact: str, _row: int, before: Cells | None, after: Cells | None) -> bool:
    """Whether a row says something else than before of who was where, or goes with it."""
    if fact not in _SEATS:
        return False
    if fact in _RECORDED or before is None or after is None:
        return True
    return any(before.get(column) != after.get(column) for column in _PLACES)


def _take_back(conn: sqlite3.Connection, changes: list[Change]) -> None:
    """Every row as it was before, the last change first.

    Who changed seats gets up first and sits down last, or two would be in one
    place for a moment; what is on record of a pairing goes with its seats.
    """
    moved = [change for change in reversed(changes) if _moved(*change)]
    rest = [change for change in reversed(changes) if not _moved(*change)]
    if any(fact == "tournament" and before is None for fact, _, before, _ in changes):
        rest = [change for change in rest if change[0] not in _FOLLOWING]
    for fact, row, _, _ in moved:
        conn.execute(f"DELETE FROM {fact} WHERE {number(fact)} = ?", (row,))
    for fact, row, before, after in rest:
        if fact == "player" and before and after:  # two may have changed numbers
            run(conn, "free_numbers", player=row)
    for change in rest:
        _put_back(conn, *change)
    for fact, row, before, _ in sorted(
        moved, key=lambda change: _SEATS.index(change[0])
    ):
        if before is not None:
            _insert(conn, fact, row, before)


def _where(
    conn: sqlite3.Connection, sentence: str, changes: list[sqlite3.Row]
) -> list[Message]:
    """In which tournaments a command changed something, where the command does not say which."""
    known = dict(conn.execute("SELECT id, description FROM tournament").fetchall())
    states = [
        cells(change["after"]) or cells(change["before"]) or {} for change in changes
    ]
    named = {known.get(state.get("tournament_id")) for state in states}
    listed = sorted(name for name in named if name and name not in sentence)
    return [say("“{name}”", name=name) for name in listed] if len(known) > 1 else []


def last(conn: sqlite3.Connection) -> tuple[int, Fact, str] | None:
    """The command that `undo` would take back; None for none.

    Its number, what it did, and who did it, if that was a member by phone.
    """
    found = run(conn, "undoable").fetchone()
    return found and (int(found["id"]), told(found), str(found["by"]))


def undo(conn: sqlite3.Connection) -> Message:
    """Take back the last command that still stands; what it was.

    Raises KeizerError when there is none, when another program has changed one of its
    rows since, or when the log, which has what they were before, is not as it was sealed.
    """
    for broken in seals.broken(conn):
        raise KeizerError(
            "not undone, as the log of the file was changed: {broken} `keizer check` says more.",
            broken=broken,
        )
    found = last(conn)
    if found is None:
        raise KeizerError("there is nothing to undo.")
    command, sentence, _ = found
    changes: list[Change] = []
    touched = journal.changes(conn, command)
    where = _where(conn, str(sentence), touched)
    for fact, row, before, after in touched:
        now = run(conn, "now", fact=fact, row=row).fetchone()
        if (now and now[0]) != after:
            raise KeizerError(
                "not undone: since “{what}” another program changed what it wrote in table"
                " {table}.",
                what=sentence,
                table=fact,
            )
        if before != after or fact in _RECORDED:
            changes.append((fact, row, cells(before), cells(after)))
    journal.describe(conn, say("undo: {what}", what=sentence))
    conn.execute("UPDATE command SET undoes = ? WHERE made_at IS NULL", (command,))
    if not changes:
        return say("{what}, which had changed nothing.", what=sentence)
    conn.execute("PRAGMA defer_foreign_keys = ON")  # until the rankings are up to it
    switch = "UPDATE tournament SET revaluation = ?"  # prepared once
    conn.execute(switch, ("suspended",))
    try:
        _take_back(conn, changes)
    except sqlite3.IntegrityError as error:
        raise KeizerError(
            "not undone: since “{what}” another program changed rows that it depends on"
            " ({problem}).",
            what=sentence,
            problem=str(error),
        ) from error
    if any(fact in _ASKING for fact, *_ in changes):
        tiebreaks.compute_needed(conn)
    conn.execute(switch, ("on",))
    if where:
        return say("{what}, in {tournaments}.", what=sentence, tournaments=where)
    return say("{what}.", what=sentence)
