"""A command on the log: its begin, its description, its end.

A command is a row of table command; made_at is NULL while it runs. Facts are the rows
that people enter, not those computed from them. For every change of a fact, triggers of
the file add a line to table log, with the state of the row afterwards. The state before
is in the previous line about the same row.
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
    """Begin a command: all changes by this connection until `end` are part of it.

    A command that another program left open (made_at is NULL) is closed first. A sealed
    one is not: the triggers of the file refuse to change it.
    """
    # undoes = id: it counts as undone by itself, so that `undo` passes it over.
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

    message: a Message or a text. A Message is written in English and also as JSON, so
    that it can be shown in other languages. A text is written without such JSON. In
    both, invisible characters are replaced by escapes such as \\x1b.
    """
    message_json = None
    if isinstance(message, Message):
        message_json = texts.json(printable(message).data())
    # The running command is the one without an end: made_at is NULL.
    conn.execute(
        "UPDATE command SET description = ?, message = ? WHERE made_at IS NULL",
        (visible(str(message)), message_json),
    )


def set_author(conn: sqlite3.Connection, who: str, reporter: int | None = None) -> None:
    """Write who gave the running command, in place of the account that `begin` wrote.

    who: a name. reporter: the member (player.id), if somebody else has to confirm the
    results that the command enters; else None.
    """
    # The running command is the one without an end: made_at is NULL.
    conn.execute(
        "UPDATE command SET who = ?, player_id = ? WHERE made_at IS NULL",
        (visible(who), reporter),
    )


def changes(conn: sqlite3.Connection, command: int | None = None) -> list[sqlite3.Row]:
    """Return what a command changed: one row for each row that it wrote or deleted.

    Only rows of facts are on the log: those that people enter, not the computed ones.
    They come in the order in which the command first wrote them.
    The columns are fact (the name of the table), row (the key of the row), before and
    after (its states as JSON, NULL if the row did not exist). The states are equal if
    the command changed a row back.
    command: command.id; None for the running command.
    """
    if command is None:
        running = conn.execute("SELECT id FROM command WHERE made_at IS NULL")
        # This raises ValueError unless exactly one command is running.
        (only_row,) = running.fetchall()
        (command,) = only_row
    return sql.run(conn, "touched", command=command).fetchall()


def end(conn: sqlite3.Connection, *, undoable: bool = True) -> str:
    """End the running command, seal the log, and return the command's description.

    The running command is the one whose made_at is NULL. Returns "" if it changed
    nothing. Such a command is deleted, unless it is undoable and `describe` was called:
    then it stays, as `undo` always takes back the command given last.
    undoable: False if `undo` has to pass the command over.
    """
    has_changed = bool(changes(conn))
    (sentence,) = conn.execute(
        "SELECT description FROM command WHERE made_at IS NULL"
    ).fetchone()
    is_described = sentence != _UNNAMED
    if has_changed or (undoable and is_described):
        # `undo` passes over commands that were undone. With undoes = id, this command
        # counts as undone by itself.
        undone = "" if undoable else ", undoes = id"
        conn.execute(
            f"UPDATE command SET made_at = CURRENT_TIMESTAMP{undone}"
            " WHERE made_at IS NULL"
        )
    else:
        conn.execute("DELETE FROM command WHERE made_at IS NULL")
    # Even without a command: other programs may have added lines since the last seal.
    seals.add(conn)
    return str(sentence) if has_changed else ""


def key_column(table: str) -> str:
    """Return the column by which the rows of a table are told apart on the log.

    It is "id" for most tables. Its values are in log.row.
    """
    columns = {"rules": "tournament_id", "tiebreak": "name"}
    return columns.get(table, "id")
