"""Keep a file as it is: snapshots, whole season files of their own, of which the oldest go.

They are in NAME.backups beside NAME.db, or in the folder that table backup names. Whose a
snapshot is and how far the file was is told by the log, which only ever grows, and stands in
its name: a file finds its snapshots whatever it is called, several files share a folder, and
no clock has a say in what is older. What can be done with them is in `restoring`.
"""

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import BinaryIO, NamedTuple
from zlib import crc32

from keizer.errors import KeizerError
from keizer.store import atomic
from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import code, connect
from keizer.store.sql import run

KEPT = 40
"""How many snapshots are kept where the file does not say."""

APART: set[str] = set()
"""Folders of files of different people: each has its snapshots beside it, and sees no others."""

_NAME = re.compile(
    r"(?P<number>\d{4,})_(?P<made>\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d)_(?P<why>[\w-]+)"
    r"_(?P<first>[0-9a-f]{8})-(?P<length>\d+)-(?P<last>[0-9a-f]{8})\.db"
)

_ABANDONED = 3600
"""Seconds after which a snapshot that was never finished is thrown away."""


class Position(NamedTuple):
    """How far a file is, by its log: checksums of how it began and ended, and its length."""

    first: str
    length: int
    last: str


UNKNOWN = Position("0" * 8, 0, "0" * 8)
"""Of a file that cannot be read, or has no log."""


class Snapshot(NamedTuple):
    """A snapshot: what it is called by, when it was made, local time, why, and of what."""

    path: str
    number: int
    made: str
    why: str
    of: Position


def home(path: StrPath, folder: str | None = None) -> str:
    """The folder of a file's snapshots, in one that is named or beside the file.

    Each name has its own; and a disk that is not there is not made.
    """
    beside, name = os.path.split(path)
    return os.path.join(beside, folder or "", f"{os.path.splitext(name)[0]}.backups")


def settings(conn: sqlite3.Connection, path: StrPath) -> tuple[str, int]:
    """Where the snapshots of a file are, and how many are kept, as far as it says."""
    row = None
    with suppress(sqlite3.Error):  # damaged, or of a version without the table
        row = conn.execute("SELECT folder, kept FROM backup").fetchone()
    folder, kept = row or (None, KEPT)
    if not isinstance(folder, str) or "\0" in folder or os.path.dirname(path) in APART:
        folder = None
    if not (isinstance(kept, int) and kept > 0):
        kept = KEPT
    return home(path, folder), kept


def make_home(folder: str, path: StrPath) -> None:
    """Make the folder of a file's snapshots, unless it is there.

    KeizerError for one that leads out of the file's own to where no snapshots are: a file can
    name any, and its sender may have. There `keizer backup --folder` makes the first.
    """
    there, home = os.path.dirname(folder), os.path.dirname(path)
    known = any(name.endswith(".backups") for name in _names(there))
    if not (known or atomic.within(folder, home)):
        raise KeizerError(
            "the file names {folder} for its snapshots, where none are: `keizer backup {file}"
            " --folder {folder}` says that they go there, or --folder - beside the file.",
            folder=there,
            file=str(path),
        )
    with suppress(FileExistsError):
        os.mkdir(folder)


@contextmanager
def look(path: StrPath) -> Iterator[sqlite3.Connection]:
    """A connection to whatever is there, rolled back to what was whole.

    Raises KeizerError for what is no file, or has definitions that would run unasked.
    """
    if not os.path.isfile(path):  # a pipe would wait for somebody to write
        raise KeizerError("{file} is no file: move it away.", file=str(path))
    with sidecar_files.readable(path) as there, closing(connect(there, "ro")) as conn:
        for said in code(conn).barred:
            raise KeizerError(
                "{file} is not keizer's: {said}", file=str(path), said=said
            )
        yield conn


# ------------------------------------------------------------------ whose it is


def position(
    conn: sqlite3.Connection, *, before_command: int | None = None
) -> Position:
    """How far a file is; before_command: without what that command has changed."""
    try:
        (length,) = run(conn, "length", before=before_command).fetchone()
        return Position(_lines(conn, "first", 1), length, _lines(conn, "last", length))
    except sqlite3.Error:  # of a version without a log
        return UNKNOWN


def _lines(conn: sqlite3.Connection, which: str, line: int) -> str:
    """What two seasons that began alike, or went on alike, would have to share: some lines."""
    lines = [tuple(row) for row in run(conn, f"{which}_lines", line=line)]
    return f"{crc32(repr(lines).encode()):08x}"


def there(home: str) -> list[Snapshot]:
    """The snapshots of all files in a folder and in those beside it, the newest first."""
    around = os.path.dirname(home)
    beside = [os.path.basename(home)] if around in APART else _names(around)
    folders = [
        os.path.join(around, name) for name in beside if name.endswith(".backups")
    ]
    found = [_snapshot(folder, name) for folder in folders for name in _names(folder)]
    return sorted(
        filter(None, found), key=lambda snapshot: snapshot.number, reverse=True
    )


def _snapshot(folder: str, name: str) -> Snapshot | None:
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    day, _, clock = match["made"].partition("_")
    return Snapshot(
        os.path.join(folder, name),
        int(match["number"]),
        f"{day} {clock.replace('-', ':')}",
        match["why"].replace("-", " "),
        Position(match["first"], int(match["length"]), match["last"]),
    )


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder or ".")
    except (FileNotFoundError, NotADirectoryError):
        return []


# ----------------------------------------------------------------- making them


def take(path: StrPath, why: str, *, rotate: bool = True) -> str:
    """Make a snapshot of the file as it is now on disk; where it is.

    why: for people, in letters, digits and blanks. rotate: the oldest go for it.
    Raises KeizerError where it is not possible.
    """
    with look(path) as conn:
        conn.execute("BEGIN")  # nobody writes from the first look at it on

        def write(made: str) -> None:
            with closing(connect(made, "rw")) as written:
                conn.backup(written)
                written.execute("PRAGMA journal_mode = DELETE")  # it is to be one file

        return _make(conn, position(conn), path, why, write, rotate=rotate)


def keep(conn: sqlite3.Connection, before: BinaryIO, path: StrPath, why: str) -> str:
    """The same while a command has changes in hand, of which nothing is on disk yet.

    conn: that of the command, which has ended; before: the file, to read.
    """
    if (
        conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    ):  # not all is in the one file
        return take(path, why)
    # To open it once more and read its schema would take as long as the rest of next-round.
    (last,) = conn.execute("SELECT max(id) FROM command").fetchone()
    of = position(conn, before_command=last)

    def write(made: str) -> None:
        before.seek(0)
        with open(made, "wb") as written:
            written.write(before.read())

    return _make(conn, of, path, why, write)


def _make(
    conn: sqlite3.Connection,
    of: Position,
    path: StrPath,
    why: str,
    write: Callable[[str], object],
    *,
    rotate: bool = True,
) -> str:
    """Have a snapshot written, whole or not at all, before older ones go; where it is."""
    folder, kept = settings(conn, path)
    try:
        make_home(folder, path)
        while True:
            target = free(folder, why, of)
            with atomic.draft(target, like=path) as made, suppress(FileExistsError):
                write(made)
                atomic.to_disk(made)
                atomic.name(made, target)
                atomic.to_disk(folder)
                break
        if rotate:
            _rotate(conn, folder, kept, target)
    except (OSError, sqlite3.Error) as error:
        raise KeizerError(
            "no snapshot could be made in {folder}: {problem}.",
            folder=folder,
            problem=str(error.strerror if isinstance(error, OSError) else error),
        ) from error
    return target


def free(folder: str, why: str, of: Position) -> str:
    """The name of the next snapshot."""
    number = 1 + max((snapshot.number for snapshot in there(folder)), default=0)
    made = time.strftime("%Y-%m-%d_%H-%M-%S", time.localtime())
    whose = f"{of.first}-{of.length}-{of.last}"
    return os.path.join(
        folder, f"{number:04}_{made}_{why.replace(' ', '-')}_{whose}.db"
    )


def _rotate(conn: sqlite3.Connection, folder: str, kept: int, made: str) -> None:
    """Let the oldest states of this file go, and what was never finished.

    conn: the file. What its log does not lead back to stays: it may be a copy's, or what a
    restore put aside.
    """
    first = position(conn).first
    states = sorted(
        (snapshot.of.length, snapshot.number, snapshot.path)
        for snapshot in there(folder)
        if snapshot.of.first == first
        and snapshot.of.last == _lines(conn, "last", snapshot.of.length)
        and snapshot.path != made
    )
    old = [path for _, _, path in states[: max(0, len(states) - kept + 1)]]
    for name in os.listdir(folder):
        left = os.path.join(folder, name)
        unfinished = name.startswith(".") and ".db." in name and ".new" in name
        if unfinished and time.time() - os.stat(left).st_mtime > _ABANDONED:
            old.append(left)
    for path in old:
        with suppress(OSError):  # it is gone, or a folder
            os.unlink(path)
