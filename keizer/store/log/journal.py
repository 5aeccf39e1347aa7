"""A command on the log: its begin, its description, its end.

A command is a row of table command; made_at is NULL while it runs. The triggers of the
file add a line to table log for every change of a fact, with the state of the row
afterwards. The state before is in the previous line of the same row.
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
"""The description of a command until `describe` gives it another one."""


def begin(conn: sqlite3.Connection) -> None:
    """Begin a command: all changes by this connection until `end` are part of it."""
    # A row that is still open comes from another program, as every command closes its
    # own. It is closed as if it had undone itself, so that `undo` passes it over.
    conn.execute(
        "UPDATE command SET made_at = CURRENT_TIMESTAMP, undoes = id"
        " WHERE made_at IS NULL AND seal IS NULL"
    )
    conn.execute(
        "INSERT INTO command (description, who) VALUES (?, ?)", (_UNNAMED, _account())
    )


def _account() -> str | None:
    """Return the name of the user's account; None if the system knows no name."""
    with suppress(ImportError, KeyError, OSError):
        return visible(getpass.getuser())
    return None


def describe(conn: sqlite3.Connection, message: Message | str) -> None:
    """Write a description of the running command, for the log and `keizer undo`.

    A text is written as it is. A message is written in English and, for other
    languages, also as JSON.
    """
    data = None
    if isinstance(message, Message):
        data = texts.json(printable(message).data())
    conn.execute(
        "UPDATE command SET description = ?, message = ? WHERE made_at IS NULL",
        (visible(str(message)), data),
    )


def set_author(conn: sqlite3.Connection, who: str, reporter: int | None = None) -> None:
    """Write who gave the running command, in the place of the account.

    who: a name. reporter: the member (player.id), if somebody else has to confirm the
    results that the command enters.
    """
    conn.execute(
        "UPDATE command SET who = ?, player_id = ? WHERE made_at IS NULL",
        (visible(who), reporter),
    )


def changes(conn: sqlite3.Connection, command: int | None = None) -> list[sqlite3.Row]:
    """Return a row for each row of a fact that a command touched, in its order.

    The columns are fact (the table), row (its key), before and after (its states as
    JSON, NULL if the row did not exist). command: command.id; None for the running one.
    """
    if command is None:
        running = conn.execute("SELECT id FROM command WHERE made_at IS NULL")
        # Exactly one command is running, or this raises ValueError.
        ((command,),) = running
    touched = sql.run(conn, "touched", command=command)
    return touched.fetchall()


def end(conn: sqlite3.Connection, *, undoable: bool = True) -> str:
    """End the running command, seal it, and return its description.

    undoable: False if `undo` has to pass the command over. Returns "" if the command
    changed nothing. Such a command is deleted, unless it is undoable and `describe` was
    called: then it stays, as `undo` always takes back the command given last.
    """
    has_changed = bool(changes(conn))
    (sentence,) = conn.execute(
        "SELECT description FROM command WHERE made_at IS NULL"
    ).fetchone()
    if not has_changed and (sentence == _UNNAMED or not undoable):
        conn.execute("DELETE FROM command WHERE made_at IS NULL")
    # For `undo`, a command that undoes itself is undone already.
    undone = "" if undoable else ", undoes = id"
    conn.execute(
        f"UPDATE command SET made_at = CURRENT_TIMESTAMP{undone} WHERE made_at IS NULL"
    )
    seals.add(conn)
    return str(sentence) if has_changed else ""


def key_column(table: str) -> str:
    """Return the column of a table whose values are in log.row: the key of its rows."""
    columns = {"rules": "tournament_id", "tiebreak": "name"}
    return columns.get(table, "id")
