"""Snapshots: a file as it was, in whole season files of their own. The oldest go.

They are in NAME.backups beside NAME.db, or in the folder that table backup names. Whose
a snapshot is and how far the file was is told by the log, which only ever grows, and
stands in its name: a file finds its snapshots whatever it is called, several files
share a folder, and no clock has a say in what is older. What can be done with them is
in `restoring`.
"""

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import BinaryIO, NamedTuple
from zlib import crc32

from keizer.errors import KeizerError
from keizer.store import atomic
from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import code_of, connect
from keizer.store.sql import run

KEPT = 40
"""How many snapshots are kept if the file does not say."""

SEPARATE_FOLDERS: set[str] = set()
"""Folders with files of different people.

There each file has its snapshots beside it, whatever it says, and sees no others.
"""

_SUFFIX = ".backups"
"""How the name of a folder of snapshots ends."""

_NAME = re.compile(
    r"(?P<number>\d{4,})_(?P<made>\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d)_(?P<why>[\w-]+)"
    r"_(?P<first>[0-9a-f]{8})-(?P<length>\d+)-(?P<last>[0-9a-f]{8})\.db"
)

_ABANDONED = 3600
"""Seconds after which a snapshot that was never finished is thrown away."""


class Position(NamedTuple):
    """A position in the log of a file: checksums of its begin and end, its length."""

    first: str
    length: int
    last: str


UNKNOWN = Position("0" * 8, 0, "0" * 8)
"""The position of a file that cannot be read, or has no log."""


class Snapshot(NamedTuple):
    """A snapshot of a file, by the parts of its name.

    made: local time. of: how far the file was.
    """

    path: str
    number: int
    made: str
    why: str
    of: Position


def folder_of(path: StrPath, folder: str | None = None) -> str:
    """Return the folder of a file's snapshots, in a named folder or beside the file.

    Each file name has a folder of its own in it. To make that one never makes the named
    folder, whose disk may not be plugged in.
    """
    own_folder, name = os.path.split(path)
    stem, _ = os.path.splitext(name)
    return os.path.join(own_folder, folder or "", f"{stem}{_SUFFIX}")


def folder_and_number(conn: sqlite3.Connection, path: StrPath) -> tuple[str, int]:
    """Return the folder of a file's snapshots, and how many of them are kept.

    If the file says nothing, or nothing that can be used, the default holds.
    """
    row = None
    # The file may be damaged, or of a version without the table.
    with suppress(sqlite3.Error):
        row = conn.execute("SELECT folder, kept FROM backup").fetchone()
    folder, number = row or (None, KEPT)
    if os.path.dirname(path) in SEPARATE_FOLDERS:
        folder = None
    if not isinstance(folder, str) or "\0" in folder:
        folder = None
    if not isinstance(number, int) or number <= 0:
        number = KEPT
    return folder_of(path, folder), number


def make_home(folder: str, path: StrPath) -> None:
    """Make the folder of a file's snapshots, unless it exists.

    Raises KeizerError for one that leads out of the file's own folder to where no
    snapshots are: a file can name any, and its sender may have. There
    `keizer backup --folder` makes the first.
    """
    parent = os.path.dirname(folder)
    has_snapshots = any(name.endswith(_SUFFIX) for name in _names(parent))
    if not has_snapshots and not atomic.is_within(folder, os.path.dirname(path)):
        raise KeizerError(
            "the file names {folder} for its snapshots, where none are: `keizer backup"
            " {file} --folder {folder}` says that they go there, or --folder - beside"
            " the file.",
            folder=parent,
            file=str(path),
        )
    with suppress(FileExistsError):
        os.mkdir(folder)


@contextmanager
def open_to_read(path: StrPath) -> Iterator[sqlite3.Connection]:
    """Open a file to read, whatever it is, rolled back to what was whole.

    Raises KeizerError for what is not a file, or has definitions that would run
    unasked.
    """
    # A pipe would wait for somebody to write.
    if not os.path.isfile(path):
        raise KeizerError("{file} is no file: move it away.", file=str(path))
    with (
        sidecar_files.readable_path(path) as readable_path,
        closing(connect(readable_path, "ro")) as conn,
    ):
        for reason in code_of(conn).reasons_not_to_read:
            raise KeizerError(
                "{file} is not keizer's: {said}", file=str(path), said=reason
            )
        yield conn


# ------------------------------------------------------------------ whose it is


def position(
    conn: sqlite3.Connection, *, before_command: int | None = None
) -> Position:
    """Return how far a file is.

    before_command: command.id; leave out what that command has changed.
    """
    try:
        (length,) = run(conn, "length", before=before_command).fetchone()
        return Position(
            first=_checksum(conn, "first_lines", 1),
            length=length,
            last=_checksum(conn, "last_lines", length),
        )
    except sqlite3.Error:  # of a version without a log
        return UNKNOWN


def _checksum(conn: sqlite3.Connection, query: str, line: int) -> str:
    """Return a checksum of some lines of the log, by log.id.

    Two seasons have the same one only if they began alike, or went on alike.
    """
    lines = [tuple(row) for row in run(conn, query, line=line)]
    return f"{crc32(repr(lines).encode()):08x}"


def all_around(folder: str) -> list[Snapshot]:
    """Return the snapshots of all files in a folder and in those beside it.

    The newest comes first.
    """
    snapshots = []
    for neighbour in _folders_around(folder):
        for name in _names(neighbour):
            snapshot = _by_name(neighbour, name)
            if snapshot:
                snapshots.append(snapshot)
    snapshots.sort(key=lambda snapshot: snapshot.number, reverse=True)
    return snapshots


def _folders_around(folder: str) -> Iterator[str]:
    """Yield a folder of snapshots and the others in the same place."""
    parent = os.path.dirname(folder)
    if parent in SEPARATE_FOLDERS:
        yield folder
        return
    for name in _names(parent):
        if name.endswith(_SUFFIX):
            yield os.path.join(parent, name)


def _by_name(folder: str, name: str) -> Snapshot | None:
    """Return the snapshot that a file is by its name; None for any other file."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    day, _, clock = match["made"].partition("_")
    return Snapshot(
        path=os.path.join(folder, name),
        number=int(match["number"]),
        made=f"{day} {clock.replace('-', ':')}",
        why=match["why"].replace("-", " "),
        of=Position(
            first=match["first"], length=int(match["length"]), last=match["last"]
        ),
    )


def next_path(folder: str, why: str, reached: Position) -> str:
    """Return the path of the next snapshot; its number is higher than any around."""
    numbers = [snapshot.number for snapshot in all_around(folder)]
    highest = max(numbers, default=0)
    number = highest + 1
    moment = time.strftime("%Y-%m-%d_%H-%M-%S")
    reason = why.replace(" ", "-")
    position_in_log = "-".join(map(str, reached))
    name = f"{number:04}_{moment}_{reason}_{position_in_log}.db"
    return os.path.join(folder, name)


def _names(folder: str) -> list[str]:
    """Return the names in a folder; none if it does not exist."""
    try:
        return os.listdir(folder or ".")
    except (FileNotFoundError, NotADirectoryError):
        return []


# ----------------------------------------------------------------- making them


def make(path: StrPath, why: str, *, rotate: bool = True) -> str:
    """Make a snapshot of the file as it is now on disk, and return its path.

    why: for people, in letters, digits and blanks. rotate: the oldest go for it.
    Raises KeizerError if it is not possible.
    """
    with open_to_read(path) as conn:
        # Nobody writes from the first look at it on.
        conn.execute("BEGIN")
        return _make(
            conn,
            path,
            why,
            reached=position(conn),
            write=partial(_write_backup, conn),
            rotate=rotate,
        )


def make_during_command(
    conn: sqlite3.Connection, file: BinaryIO, path: StrPath, why: str
) -> str:
    """Make a snapshot while a command has changes in hand, and return its path.

    Nothing of these is on disk yet. conn: that of the command, which has ended; file:
    the season file, to read.
    """
    (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
    if journal_mode == "wal":
        # Not all of it is in the one file.
        return make(path, why)
    # To open it once more and read its schema would take as long as the rest of
    # next-round.
    (command,) = conn.execute("SELECT max(id) FROM command").fetchone()
    return _make(
        conn,
        path,
        why,
        reached=position(conn, before_command=command),
        write=partial(_write_bytes, file),
    )


def _write_backup(conn: sqlite3.Connection, draft: str) -> None:
    """Write the file of a connection to a draft, by SQLite."""
    with closing(connect(draft, "rw")) as target:
        conn.backup(target)
        # A snapshot of a file in WAL mode is to be one file, too.
        target.execute("PRAGMA journal_mode = DELETE")


def _write_bytes(file: BinaryIO, draft: str) -> None:
    """Write a file to a draft, byte by byte."""
    file.seek(0)
    with open(draft, "wb") as target:
        target.write(file.read())


def _make(
    conn: sqlite3.Connection,
    path: StrPath,
    why: str,
    *,
    reached: Position,
    write: Callable[[str], object],
    rotate: bool = True,
) -> str:
    """Have a snapshot written before older ones go, and return its path.

    reached: how far it is. write: writes it to a path. Raises KeizerError if it is not
    possible.
    """
    folder, number = folder_and_number(conn, path)
    try:
        make_home(folder, path)
        snapshot = _write_whole(
            folder=folder, why=why, reached=reached, write=write, like=path
        )
        if rotate:
            _rotate(conn, folder, number, newest=snapshot)
    except (OSError, sqlite3.Error) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        raise KeizerError(
            "no snapshot could be made in {folder}: {problem}.",
            folder=folder,
            problem=str(problem),
        ) from error
    return snapshot


def _write_whole(
    *,
    folder: str,
    why: str,
    reached: Position,
    write: Callable[[str], object],
    like: StrPath,
) -> str:
    """Have a snapshot written whole or not at all, and return its path.

    It is on disk before it has its name. like: the file; whoever can read it can read
    the snapshot.
    """
    while True:
        snapshot = next_path(folder, why, reached)
        # Another command may have taken that name since: then the next one is tried.
        with atomic.draft(snapshot, like=like) as draft, suppress(FileExistsError):
            write(draft)
            atomic.flush_to_disk(draft)
            atomic.give_name(draft, snapshot)
            atomic.flush_to_disk(folder)
            return snapshot


def _rotate(conn: sqlite3.Connection, folder: str, number: int, *, newest: str) -> None:
    """Delete the oldest states of this file, and what was never finished.

    conn: the file. number: how many are kept. newest: the path of the snapshot that was
    just made.
    """
    surplus = _oldest(conn, folder, number, newest)
    for path in [*surplus, *_abandoned(folder)]:
        with suppress(OSError):  # it is gone, or a folder
            os.unlink(path)


def _oldest(
    conn: sqlite3.Connection, folder: str, number: int, newest: str
) -> list[str]:
    """Return the paths of this file's snapshots that are more than the number to keep.

    A snapshot to which the log of the file does not lead back is left out: it may be of
    a copy, or what a restore put aside.
    """
    first = position(conn).first
    states = []
    for snapshot in all_around(folder):
        if snapshot.path == newest or snapshot.of.first != first:
            continue
        if snapshot.of.last == _checksum(conn, "last_lines", snapshot.of.length):
            states.append(snapshot)
    # The log says what is older: a clock may have been ahead once.
    states.sort(
        key=lambda snapshot: (snapshot.of.length, snapshot.number, snapshot.path)
    )
    # The newest is one of those that are kept.
    surplus = max(0, len(states) + 1 - number)
    return [snapshot.path for snapshot in states[:surplus]]


def _abandoned(folder: str) -> Iterator[str]:
    """Yield the drafts of snapshots that nobody finished: their process was killed."""
    for name in os.listdir(folder):
        if not name.startswith(".") or ".db." not in name or ".new" not in name:
            continue
        path = os.path.join(folder, name)
        age = time.time() - os.stat(path).st_mtime
        if age > _ABANDONED:
            yield path
