"""Snapshots: whole copies of a season file. The oldest are deleted in time.

Snapshots of NAME.db are in NAME.backups beside it, or in the folder that table backup
names. The name of a snapshot says how far the log of the file was. As the log only ever
grows, this shows which file a snapshot is of and which snapshot is older. So a file
finds its snapshots after it was renamed, several files can share a folder, and no clock
is needed. What can be done with snapshots is in `restoring`.
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
"""Folders whose files belong to different people.

A file in such a folder has its snapshots beside it, whatever folder it names, and sees
no snapshots of other files.
"""

_SUFFIX = ".backups"
"""How the name of a folder of snapshots ends."""

_SNAPSHOT_NAME = re.compile(
    r"(?P<number>\d{4,})_(?P<day>\d{4}-\d\d-\d\d)_(?P<clock>\d\d-\d\d-\d\d)"
    r"_(?P<reason>[\w-]+)"
    r"_(?P<first_checksum>[0-9a-f]{8})-(?P<last_line>\d+)"
    r"-(?P<last_checksum>[0-9a-f]{8})\.db"
)

_ABANDONED_SECONDS = 3600
"""The age at which a draft of a snapshot is taken for abandoned."""


class Position(NamedTuple):
    """How far a file is, by its log.

    first_checksum: of the first lines of the log; the same for all copies of a file.
    last_line: the id (log.id) of the last line. last_checksum: of the last lines.
    """

    first_checksum: str
    last_line: int
    last_checksum: str


UNKNOWN = Position(first_checksum="0" * 8, last_line=0, last_checksum="0" * 8)
"""The position of a file that cannot be read, or has no log."""


class Snapshot(NamedTuple):
    """A snapshot of a file, described by its path.

    number: higher for a later snapshot. created: local time, "2026-03-01 21:05:00".
    reason: why it was made, "before import". position: how far the file was.
    """

    path: str
    number: int
    made: str
    why: str
    of: Position


def folder_of(path: StrPath, folder: str | None = None) -> str:
    """Return the path of the folder for a file's snapshots: NAME.backups.

    folder: the folder that NAME.backups is in, for example on a stick; None for beside
    the file. As NAME.backups is one level further down, making it fails if the stick is
    not plugged in.
    """
    beside, name = os.path.split(path)
    stem, _ = os.path.splitext(name)
    # An absolute folder replaces the one of the file.
    return os.path.join(beside, folder or "", f"{stem}{_SUFFIX}")


def folder_and_number(conn: sqlite3.Connection, path: StrPath) -> tuple[str, int]:
    """Return the folder of a file's snapshots, and how many of them are kept.

    Both are as table backup has them. The default takes the place of anything there
    that cannot be used.
    """
    row = None
    # The file may be damaged, or of a version without the table.
    with suppress(sqlite3.Error):
        row = conn.execute("SELECT folder, kept FROM backup").fetchone()
    folder, number = row or (None, KEPT)
    if os.path.dirname(path) in SEPARATE_FOLDERS:
        folder = None
    # Another program may have written anything. No path may contain a zero byte.
    if not isinstance(folder, str) or "\0" in folder:
        folder = None
    if not isinstance(number, int) or number <= 0:
        number = KEPT
    return folder_of(path, folder), number


def make_home(home: str, path: StrPath) -> None:
    """Make the folder for a file's snapshots, unless it exists.

    home: that folder, NAME.backups. path: the file. Raises KeizerError if the folder is
    outside of the file's own folder, in a place without any snapshots: the file may
    come from somebody else, who wrote that place into it. If the user chose the place
    by `keizer backup --folder`, NAME.backups was made there already.
    """
    parent = os.path.dirname(home)
    has_snapshots = any(name.endswith(_SUFFIX) for name in _names(parent))
    if not has_snapshots and not atomic.is_within(home, os.path.dirname(path)):
        raise KeizerError(
            "the file names {folder} for its snapshots, where none are: `keizer backup"
            " {file} --folder {folder}` says that they go there, or --folder - beside"
            " the file.",
            folder=parent,
            file=str(path),
        )
    with suppress(FileExistsError):
        os.mkdir(home)


@contextmanager
def open_to_read(path: StrPath) -> Iterator[sqlite3.Connection]:
    """Open any file to read, once the journal or WAL beside it is dealt with.

    Raises KeizerError if the path is not a file, or if SQLite would run definitions in
    the file by itself.
    """
    # A pipe would wait for somebody to write.
    if not os.path.isfile(path):
        raise KeizerError(
            "{file} is not a regular file; move it elsewhere.", file=str(path)
        )
    with (
        sidecar_files.readable_path(path) as readable_path,
        closing(connect(readable_path, "ro")) as conn,
    ):
        for reason in code_of(conn).reasons_not_to_read:
            raise KeizerError(
                "{file} is not keizer's: {said}", file=str(path), said=reason
            )
        yield conn


# ------------------------------------------------------- which file a snapshot is of


def position(
    conn: sqlite3.Connection, *, before_command: int | None = None
) -> Position:
    """Return how far a file is, by its log; UNKNOWN if it has none.

    before_command: the id of a command that is not committed (command.id). Its lines do
    not count.
    """
    try:
        (last_line,) = run(conn, "last_line", without_command=before_command).fetchone()
        return Position(
            first_checksum=_checksum(conn, "first_lines", 1),
            last_line=last_line,
            last_checksum=_checksum(conn, "last_lines", last_line),
        )
    except sqlite3.Error:  # the file is of a version without a log
        return UNKNOWN


def _checksum(conn: sqlite3.Connection, query: str, line: int) -> str:
    """Return a checksum of the lines of the log that a query selects.

    query: "first_lines" for those of the command that wrote a line, "last_lines" for
    those up to a line. At most 30 are selected. line: the id of the line (log.id).
    """
    lines = [tuple(row) for row in run(conn, query, line=line)]
    return f"{crc32(repr(lines).encode()):08x}"


def all_around(folder: str) -> list[Snapshot]:
    """Return the snapshots in a folder and in the folders beside it, newest first.

    folder: NAME.backups. The folders beside it have the snapshots of other files, or of
    the same file under another name.
    """
    snapshots = []
    for neighbour in _folders_around(folder):
        for name in _names(neighbour):
            snapshot = _parse_name(neighbour, name)
            if snapshot:
                snapshots.append(snapshot)
    snapshots.sort(key=lambda snapshot: snapshot.number, reverse=True)
    return snapshots


def _folders_around(folder: str) -> Iterator[str]:
    """Yield the paths of the folders of snapshots beside a folder, and of itself."""
    parent = os.path.dirname(folder)
    if parent in SEPARATE_FOLDERS:
        yield folder
        return
    for name in _names(parent):
        if name.endswith(_SUFFIX):
            yield os.path.join(parent, name)


def _parse_name(folder: str, name: str) -> Snapshot | None:
    """Parse the name of a file as that of a snapshot; return None if it is not one.

    An example is 0007_2026-03-01_21-05-00_before-import_1a2b3c4d-120-5e6f7a8b.db.
    """
    match = _SNAPSHOT_NAME.fullmatch(name)
    if match is None:
        return None
    clock = match["clock"].replace("-", ":")
    return Snapshot(
        path=os.path.join(folder, name),
        number=int(match["number"]),
        made=f"{match['day']} {clock}",
        why=match["reason"].replace("-", " "),
        of=Position(
            first_checksum=match["first_checksum"],
            last_line=int(match["last_line"]),
            last_checksum=match["last_checksum"],
        ),
    )


def next_path(folder: str, why: str, reached: Position) -> str:
    """Return a path for a new snapshot, in the form that `_parse_name` reads.

    Its number is one more than the highest in the folder and those beside it.
    """
    numbers = [snapshot.number for snapshot in all_around(folder)]
    highest = max(numbers, default=0)
    number = highest + 1
    moment = time.strftime("%Y-%m-%d_%H-%M-%S")
    reason = why.replace(" ", "-")
    position_in_log = "-".join(map(str, reached))
    name = f"{number:04}_{moment}_{reason}_{position_in_log}.db"
    return os.path.join(folder, name)


def _names(folder: str) -> list[str]:
    """Return the names in a folder; an empty list if the folder does not exist."""
    try:
        return os.listdir(folder or ".")
    except (FileNotFoundError, NotADirectoryError):
        return []


# ----------------------------------------------------------------- making them


def make(path: StrPath, why: str, *, rotate: bool = True) -> str:
    """Make a snapshot of a file as it is on disk, and return the snapshot's path.

    why: the reason, in letters, digits and blanks, "before import". rotate: delete the
    oldest snapshots if there are too many. Raises KeizerError if it is not possible.
    """
    with open_to_read(path) as conn:
        # The position is of the state that is copied, even if another program writes.
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
    """Make a snapshot of a file before a command commits, and return its path.

    The changes of the command are not on disk yet, and so not in the snapshot.
    conn: the connection of the command, after `journal.end`. file: the season file,
    open to read. path: the path of that file. why: as for `make`.
    """
    (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
    if journal_mode == "wal":
        # Some of the content may be in the -wal file: SQLite has to make the copy.
        return make(path, why)
    # The bytes are copied: opening the file again, and reading its schema, would take
    # as long as the rest of next-round.
    (command,) = conn.execute("SELECT max(id) FROM command").fetchone()
    return _make(
        conn,
        path,
        why,
        reached=position(conn, before_command=command),
        write=partial(_write_bytes, file),
    )


def _write_backup(conn: sqlite3.Connection, draft: str) -> None:
    """Have SQLite copy the file of a connection to a draft.

    draft: the path of the snapshot until it is finished.
    """
    with closing(connect(draft, "rw")) as target:
        conn.backup(target)
        # In WAL mode SQLite would put another file beside the snapshot.
        target.execute("PRAGMA journal_mode = DELETE")


def _write_bytes(file: BinaryIO, draft: str) -> None:
    """Copy the bytes of a file to a draft."""
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
    """Make a snapshot, then delete the oldest ones, and return the path of the new one.

    conn: opened on the file. path: the file. reached: how far the file is. write: a
    function that writes the snapshot to a path. Raises KeizerError if it is not
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
    """Write a snapshot whole or not at all, and return its path.

    It gets its name when all of it is on disk. like: the path of the file; the snapshot
    gets the same permissions.
    """
    while True:
        snapshot = next_path(folder, why, reached)
        # FileExistsError: another command has used this name meanwhile. The loop tries
        # the next name.
        with atomic.draft(snapshot, like=like) as draft, suppress(FileExistsError):
            write(draft)
            atomic.flush_to_disk(draft)
            atomic.give_name(draft, snapshot)
            atomic.flush_to_disk(folder)
            return snapshot


def _rotate(conn: sqlite3.Connection, folder: str, number: int, *, newest: str) -> None:
    """Delete the oldest snapshots of a file, and drafts that were never finished.

    conn: opened on the file. number: how many snapshots are kept. newest: the path of
    the snapshot that was just made.
    """
    surplus = _surplus_snapshots(conn, folder, number, newest)
    for path in [*surplus, *_abandoned_drafts(folder)]:
        with suppress(OSError):  # somebody else deleted it, or it is a folder
            os.unlink(path)


def _surplus_snapshots(
    conn: sqlite3.Connection, folder: str, number: int, newest: str
) -> list[str]:
    """Return the paths of the oldest snapshots of a file, those beyond a number.

    Only snapshots of earlier states of this file are counted and returned. Others stay:
    they may be of a copy that went its own way, or of a state that a restore replaced.
    """
    first_checksum = position(conn).first_checksum
    earlier = []
    for snapshot in all_around(folder):
        state = snapshot.of
        if snapshot.path == newest or state.first_checksum != first_checksum:
            continue
        # The log of the file went on from this state if it still has its last lines.
        if state.last_checksum == _checksum(conn, "last_lines", state.last_line):
            earlier.append(snapshot)
    # By the log first: a clock may have been ahead once.
    earlier.sort(
        key=lambda snapshot: (snapshot.of.last_line, snapshot.number, snapshot.path)
    )
    # The newest snapshot is kept, too. It is not among the earlier ones.
    surplus = max(0, len(earlier) + 1 - number)
    return [snapshot.path for snapshot in earlier[:surplus]]


def _abandoned_drafts(folder: str) -> Iterator[str]:
    """Yield the paths of drafts in a folder that a killed process left unfinished."""
    for name in os.listdir(folder):
        # `atomic.draft` gives such names.
        if not name.startswith(".") or ".db." not in name or ".new" not in name:
            continue
        path = os.path.join(folder, name)
        age = time.time() - os.stat(path).st_mtime
        if age > _ABANDONED_SECONDS:
            yield path
