"""A command on the log: begun, named, ended.

A command is a row of table command, the one without a made_at while it runs. The
triggers of the file note in table log how each row of a fact is after every change.
What a row was before is what the log said last before.
"""

import getpass
import sqlite3
from contextlib import suppress

from keizer import texts
from keizer.messages import Message, printable
from keizer.store import sql
from keizer.store.log import seals
from keizer.texts import visible

_UNNAMED = "a change"


def begin(conn: sqlite3.Connection) -> None:
    """Begin a command: what this connection changes until `end` is part of it."""
    # A command ends its own row: one that is open was written by another program. It is
    # closed as undone, so that nothing takes it back.
    conn.execute(
        "UPDATE command SET made_at = CURRENT_TIMESTAMP, undoes = id"
        " WHERE made_at IS NULL AND seal IS NULL"
    )
    conn.execute(
        "INSERT INTO command (description, who) VALUES (?, ?)", (_UNNAMED, _account())
    )


def _account() -> str | None:
    """Return the name of the account this runs under, if the system knows one."""
    with suppress(ImportError, KeyError, OSError):
        return visible(getpass.getuser())
    return None


def describe(conn: sqlite3.Connection, message: Message | str) -> None:
    """Write what the running command does, for `keizer undo` and the log.

    It is kept in English and, if it is a message, also as data for other languages.
    """
    data = None
    if isinstance(message, Message):
        data = texts.json(printable(message).data())
    conn.execute(
        "UPDATE command SET description = ?, message = ? WHERE made_at IS NULL",
        (visible(str(message)), data),
    )


def set_author(conn: sqlite3.Connection, who: str, reporter: int | None = None) -> None:
    """Write who does what the running command does, if that is not the account.

    reporter: player.id of a member whose results are to be confirmed.
    """
    conn.execute(
        "UPDATE command SET who = ?, player_id = ? WHERE made_at IS NULL",
        (visible(who), reporter),
    )


def changes(conn: sqlite3.Connection, command: int | None = None) -> list[sqlite3.Row]:
    """Return the rows that a command touched, in its order.

    They have the columns fact and row, and the states before and after.
    command: command.id; the running one by default.
    """
    if command is None:
        running = conn.execute("SELECT id FROM command WHERE made_at IS NULL")
        ((command,),) = running
    touched = sql.run(conn, "touched", command=command)
    return touched.fetchall()


def end(conn: sqlite3.Connection, *, undoable: bool = True) -> str:
    """End the command that `begin` began, and seal it.

    Returns its sentence, or an empty one if it changed nothing. A command that changed
    nothing and yet has a sentence stays on the log: what is undone is always the last
    command.
    """
    has_changed = bool(changes(conn))
    (sentence,) = conn.execute(
        "SELECT description FROM command WHERE made_at IS NULL"
    ).fetchone()
    if not has_changed and (sentence == _UNNAMED or not undoable):
        conn.execute("DELETE FROM command WHERE made_at IS NULL")
    # A command that undoes itself is never the last that stands.
    undone = "" if undoable else ", undoes = id"
    conn.execute(
        f"UPDATE command SET made_at = CURRENT_TIMESTAMP{undone} WHERE made_at IS NULL"
    )
    seals.add(conn)
    return str(sentence) if has_changed else ""


def key_column(table: str) -> str:
    """Return the column that tells rows of a table apart; log.row has its values."""
    columns = {"rules": "tournament_id", "tiebreak": "name"}
    return columns.get(table, "id")
