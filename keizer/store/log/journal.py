"""A command on the log: begun, named, ended.

A command is a row of table command; the triggers of the file note in table log how each row
of a fact is after every change. What a row was before is what the log said last before.
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
    """Let what this connection changes be one command."""
    # Open is what another program wrote there: a command ends its own.
    conn.execute(
        "UPDATE command SET made_at = CURRENT_TIMESTAMP, undoes = id"
        " WHERE made_at IS NULL AND seal IS NULL"
    )
    conn.execute(
        "INSERT INTO command (description, who) VALUES (?, ?)", (_UNNAMED, _account())
    )


def _account() -> str | None:
    """The name of the account this runs under, where the system knows one."""
    with suppress(ImportError, KeyError, OSError):
        return visible(getpass.getuser())
    return None


def describe(conn: sqlite3.Connection, said: Message | str) -> None:
    """Say what the running command does, for `keizer undo` and the log: in English, and as data."""
    data = texts.json(printable(said).data()) if isinstance(said, Message) else None
    conn.execute(
        "UPDATE command SET description = ?, message = ? WHERE made_at IS NULL",
        (visible(str(said)), data),
    )


def by(conn: sqlite3.Connection, who: str, reporter: int | None = None) -> None:
    """Say who does what the running command does, where that is not the account.

    reporter: player.id of a member whose results are to be confirmed.
    """
    conn.execute(
        "UPDATE command SET who = ?, player_id = ? WHERE made_at IS NULL",
        (visible(who), reporter),
    )


def changes(conn: sqlite3.Connection, command: int | None = None) -> list[sqlite3.Row]:
    """The rows that a command touched, in its order: fact, row, and their states before and after.

    command: the running one by default.
    """
    if command is None:
        ((command,),) = conn.execute("SELECT id FROM command WHERE made_at IS NULL")
    return sql.run(conn, "touched", command=command).fetchall()


def record(conn: sqlite3.Connection, *, undoable: bool = True) -> str:
    """End the command that `begin` began; its sentence, an empty one if it changed nothing.

    One that changed nothing, and yet has a sentence, counts too: what is undone is always
    the last command.
    """
    changed = changes(conn)
    (sentence,) = conn.execute(
        "SELECT description FROM command WHERE made_at IS NULL"
    ).fetchone()
    if not changed and (sentence == _UNNAMED or not undoable):
        conn.execute("DELETE FROM command WHERE made_at IS NULL")
    kept = "" if undoable else ", undoes = id"
    conn.execute(
        f"UPDATE command SET made_at = CURRENT_TIMESTAMP{kept} WHERE made_at IS NULL"
    )
    seals.add(conn)
    return str(sentence) if changed else ""


def number(table: str) -> str:
    """The column that is the number of a row, of a fact as in table log."""
    return {"rules": "tournament_id", "tiebreak": "name"}.get(table, "id")
