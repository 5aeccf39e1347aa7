"""Keep a file as it is: snapshots, whole season files of their own, of which the oldest go.

They are in NAME.backups beside NAME.db or in the folder that table backup names. What
can be done with them is in `backup`.
"""

import os
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from typing import BinaryIO

from keizer.errors import KeizerError
from keizer.store import database
from keizer.store.atomic import StrPath, draft, to_disk

KEPT = 40
"""How many snapshots are kept where the file does not say."""

_NAME = r"(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d)-\d{3}_([\w-]+)\.db"
"""What a snapshot is called: when it was made, local time, and why."""

_ABANDONED = 3600
"""Seconds after which a snapshot that was never finished is thrown away."""

_AT_ONCE = 1 << 20


def home(path: StrPath, folder: str | None = None) -> str:
    """The folder of a file's snapshots, in one that is named or beside the file.

    Each file has its own, for several may name one disk; and a disk that is not there
    is not made.
    """
    beside, name = os.path.split(path)
    return os.path.join(beside, folder or "", f"{os.path.splitext(name)[0]}.backups")


def settings(path: StrPath) -> tuple[str, int]:
    """Where the snapshots of a file are, and how many are kept, as far as it can be read."""
    try:
        with closing(look(path)) as conn:
            return _settled(conn, path)
    except sqlite3.Error:  # damaged, or of a version without the table
        return home(path), KEPT


def _settled(conn: sqlite3.Connection, path: StrPath) -> tuple[str, int]:
    row = conn.execute("SELECT folder, kept FROM backup").fetchone()
    named, kept = row or (None, KEPT)
    return home(path, named), kept


def look(path: StrPath, mode: str = "ro") -> sqlite3.Connection:
    """A connection to whatever is there, rolled back to what was whole."""
    database.recover(path)
    return database.connect(path, mode)


def take(path: StrPath, why: str) -> str:
    """Make a snapshot of the file as it is now on disk; where it is.

    why: for people, in letters, digits and blanks.
    Raises KeizerError where it is not possible.
    """
    return _kept(*settings(path), why, partial(copy, path))


def keep(conn: sqlite3.Connection, before: BinaryIO, path: StrPath, why: str) -> str:
    """The same while a command has changes in hand, of which nothing is on disk yet.

    conn: that of the command; before: the file, to read.
    """
    if conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal":  # not all is in the one file
        return take(path, why)
    # To open it once more and read its schema would take as long as the rest of next-round.
    return _kept(*_settled(conn, path), why, partial(_read, before))


def _kept(folder: str, kept: int, why: str, write: Callable[[str], object]) -> str:
    try:
        target = make(folder, why, write)
        _rotate(folder, kept)
    except (OSError, sqlite3.Error) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise KeizerError(f"no snapshot could be made in {folder}: {said}.") from error
    return target


def make(folder: str, why: str, write: Callable[[str], object]) -> str:
    """Have a snapshot written, whole or not at all; where it is."""
    with suppress(FileExistsError):
        os.mkdir(folder)
    target = free(folder, why)
    with draft(target) as made:
        write(made)
        to_disk(made)
        os.rename(made, target)
        to_disk(folder)
    return target


def _read(before: BinaryIO, made: str) -> None:
    before.seek(0)
    with open(made, "wb") as written:
        while part := before.read(_AT_ONCE):
            written.write(part)


def copy(path: StrPath, made: str) -> None:
    """Write a snapshot of a file that nobody has changes of in hand."""
    if os.access(path, os.W_OK):
        with closing(look(path, "rw")) as conn:
            conn.execute("VACUUM INTO ?", (os.path.abspath(made),))  # or file:... is a URI
        return
    # VACUUM INTO cannot read generated columns through a connection that only reads.
    with closing(look(path)) as conn, closing(sqlite3.connect(made)) as written:
        conn.backup(written)


def free(folder: str, why: str) -> str:
    """A name that nothing there has."""
    while True:
        now = time.time()
        made = time.strftime("%Y-%m-%d_%H-%M-%S", time.localtime(now))
        name = f"{made}-{int(now * 1000) % 1000:03}_{why.replace(' ', '-')}.db"
        target = os.path.join(folder, name)
        if not os.path.exists(target):
            return target


def there(folder: str) -> list[re.Match[str]]:
    """The names of the snapshots in a folder, the newest first: day, hour, minute, second, why."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = (re.fullmatch(_NAME, name) for name in names)
    return sorted(filter(None, found), key=lambda it: it[0], reverse=True)


def _rotate(folder: str, kept: int) -> None:
    """Let the oldest go, and what was never finished."""
    for old in there(folder)[kept:]:
        _remove(os.path.join(folder, old[0]))
    for name in os.listdir(folder):
        left = os.path.join(folder, name)
        unfinished = name.startswith(".") and ".db." in name and ".new" in name
        if unfinished and time.time() - os.stat(left).st_mtime > _ABANDONED:
            _remove(left)


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)
