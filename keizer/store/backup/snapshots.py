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
from keizer.store.connection import code_of_file, connect
from keizer.store.sql import run

KEPT = 40
"""How many snapshots are kept if the file does not say."""

SEPARATE_FOLDERS: set[str] = set()
"""Folders whose files belong to different people, such as the clubs of one server.

A file in such a folder has its snapshots in NAME.backups beside it, even if it names
another folder. No snapshots of other files are shown for it.
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
    """How far the log of a file goes, and which log it is.

    A log only grows. So a file went on from a snapshot if the log of the file still has
    the lines that the position of the snapshot stands for.
    first_checksum: a checksum of the first lines of the log; all copies of a file have
    the same.
    last_line: the id of the last line (log.id); 0 if the log is empty.
    last_checksum: a checksum of the last lines.
    """

    first_checksum: str
    last_line: int
    last_checksum: str


UNKNOWN = Position(first_checksum="0" * 8, last_line=0, last_checksum="0" * 8)
"""The position of a file that cannot be read, or has no log."""


class Snapshot(NamedTuple):
    """A snapshot of a file, described by its path.

    number: the number in its name; a later snapshot in the folder has a higher one.
    made: when it was made, in local time, "2026-03-01 21:05:00".
    why: the reason why it was made, "before import".
    of: how far the log of the file went when the snapshot was made, as a `Position`
    (of its last line, and checksums).
    """

    path: str
    number: int
    made: str
    why: str
    of: Position


def folder_of(path: StrPath, folder: str | None = None) -> str:
    """Return the path of the folder for the snapshots of NAME.db: NAME.backups.

    folder: the folder that NAME.backups is in, for example on a USB stick; None for the
    folder of the file. NAME.backups is one level further down, so that it cannot be
    made if the stick is not plugged in.
    """
    file_folder, name = os.path.split(path)
    stem, _ = os.path.splitext(name)
    # If `folder` is absolute, os.path.join leaves the folder of the file out.
    return os.path.join(file_folder, folder or "", f"{stem}{_SUFFIX}")


def folder_and_number(conn: sqlite3.Connection, path: StrPath) -> tuple[str, int]:
    """Return the folder of a file's snapshots, NAME.backups, and how many are kept.

    Table backup of the file has both settings. If a setting is missing or cannot be
    used, NAME.backups is beside the file, or KEPT snapshots are kept. NAME.backups is
    beside the file, too, if the file is in one of SEPARATE_FOLDERS.
    """
    row = None
    # The file may be damaged, or of a version without the table.
    with suppress(sqlite3.Error):
        row = conn.execute("SELECT folder, kept FROM backup").fetchone()
    # The table may be empty, too.
    folder, keep = row or (None, KEPT)
    # Another program may have written anything. No path may contain a zero byte.
    if not isinstance(folder, str) or "\0" in folder:
        folder = None
    if not isinstance(keep, int) or keep <= 0:
        keep = KEPT
    if os.path.dirname(path) in SEPARATE_FOLDERS:
        # The files there belong to different people. The folder that is recorded in a
        # file may be that of somebody else.
        folder = None
    return folder_of(path, folder), keep


def make_snapshot_folder(folder: str, path: StrPath) -> None:
    """Make the folder for a file's snapshots, unless it exists.

    folder: the folder to make, NAME.backups. path: the file.
    Raises KeizerError if NAME.backups would be outside of the folder of the file, and
    beside no other folder of snapshots. The file may have come from somebody else, who
    wrote that place into it. If the user had chosen the place by `keizer backup
    --folder`, NAME.backups would be there, since that command makes it.
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
    """Provide a connection to any file, to read it.

    If an interrupted program left a journal or WAL beside the file, SQLite applies it
    to the file first, or to a copy that is opened (`sidecar_files.readable_path`).
    Raises KeizerError if the path is not a file, if the journal or WAL does not belong
    to it, or if SQLite would run definitions in the file by itself.
    """
    # To open a pipe would wait until somebody writes into it.
    if not os.path.isfile(path):
        raise KeizerError(
            "{file} is not a regular file; move it elsewhere.", file=str(path)
        )
    with (
        sidecar_files.readable_path(path) as readable_path,
        closing(connect(readable_path, "ro")) as conn,
    ):
        reasons = code_of_file(conn).reasons_not_to_read
        if reasons:
            raise KeizerError(
                "{file} is not keizer's: {said}", file=str(path), said=reasons[0]
            )
        yield conn


# ------------------------------------------------------- which file a snapshot is of


def position(
    conn: sqlite3.Connection, *, before_command: int | None = None
) -> Position:
    """Return how far the log of a file goes; UNKNOWN if the file has no log.

    before_command: the id (command.id) of a command that is not committed. Its lines
    are not on disk, and do not count. None if there is no such command.
    """
    try:
        (last_line,) = run(conn, "last_line", without_command=before_command).fetchone()
        return Position(
            first_checksum=_checksum(conn, "first_lines", 1),
            last_line=last_line,
            last_checksum=_checksum(conn, "last_lines", last_line),
        )
    except sqlite3.Error:
        # The file is of a version without a log, or its log cannot be read.
        return UNKNOWN


def _checksum(conn: sqlite3.Connection, query: str, line: int) -> str:
    """Return a checksum of some lines of the log.

    line: the id of a line (log.id). query: "first_lines" for the first 30 lines of the
    command that wrote that line; "last_lines" for that line and the 29 before it.
    """
    lines = [tuple(row) for row in run(conn, query, line=line)]
    return f"{crc32(repr(lines).encode()):08x}"


def all_around(folder: str) -> list[Snapshot]:
    """Return the snapshots in a folder and in those beside it, highest number first.

    folder: the folder NAME.backups of a file. The folders of snapshots beside it are of
    other files, or of the same file from when it had another name.
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
    """Yield the path of each folder of snapshots in the parent of a given one.

    The given folder is among them, if it exists. If the parent is one of
    SEPARATE_FOLDERS, only the given folder is yielded.
    """
    parent = os.path.dirname(folder)
    if parent in SEPARATE_FOLDERS:
        # The other folders have the snapshots of other people's files.
        yield folder
        return
    for name in _names(parent):
        if name.endswith(_SUFFIX):
            yield os.path.join(parent, name)


def _parse_name(folder: str, name: str) -> Snapshot | None:
    """Describe a snapshot by its name; return None if it is not the name of one.

    An example is 0007_2026-03-01_21-05-00_before-import_1a2b3c4d-120-5e6f7a8b.db. The
    parts are the number, the local time, the reason, and how far the log went.
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


def next_path(folder: str, why: str, file_position: Position) -> str:
    """Return a path for a new snapshot in a folder, in the form of `_parse_name`.

    Its number is one more than the highest in the folder and the folders beside it.
    why: the reason for it, "before import". file_position: how far the log of the file
    goes.
    """
    numbers = [snapshot.number for snapshot in all_around(folder)]
    highest = max(numbers, default=0)
    number = highest + 1
    moment = time.strftime("%Y-%m-%d_%H-%M-%S")
    reason = why.replace(" ", "-")
    position_in_log = "-".join(map(str, file_position))
    name = f"{number:04}_{moment}_{reason}_{position_in_log}.db"
    return os.path.join(folder, name)


def _names(folder: str) -> list[str]:
    """Return the names in a folder; an empty list if there is no such folder.

    folder: its path; "" for the current folder.
    """
    try:
        return os.listdir(folder or ".")
    except (FileNotFoundError, NotADirectoryError):
        return []


# ----------------------------------------------------------------- making them


def make(path: StrPath, why: str, *, rotate: bool = True) -> str:
    """Make a snapshot of a file as it is on disk, and return the snapshot's path.

    why: the reason, in letters, digits and blanks, "before import".
    rotate: also delete the oldest snapshots of the file if there are too many.
    Raises KeizerError if the snapshot cannot be made.
    """
    with open_to_read(path) as conn:
        # In one transaction, so that the snapshot has the content of which its name has
        # the position, even if another program writes meanwhile.
        conn.execute("BEGIN")
        return _make_and_rotate(
            conn,
            path,
            why,
            file_position=position(conn),
            write=partial(_write_backup, conn),
            rotate=rotate,
        )


def make_during_command(
    conn: sqlite3.Connection, file: BinaryIO, path: StrPath, why: str
) -> str:
    """Make a snapshot of a file before a command commits, and return its path.

    The changes of the command are not on disk yet, and so not in the snapshot. The
    oldest snapshots of the file are deleted if there are too many.
    conn: the connection of the command. The command has changed something, and has its
    last row in table command already (`journal.end`). file: the season file, open to
    read. path: the path of that file. why: the reason, "before import".
    """
    (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
    if journal_mode == "wal":
        # Some of the content may be in the -wal file: SQLite has to make the copy.
        return make(path, why)
    # The connection sees the lines that the command has written to the log. The
    # snapshot is without them, so they must not count for its position in the log.
    (command,) = conn.execute("SELECT max(id) FROM command").fetchone()
    return _make_and_rotate(
        conn,
        path,
        why,
        file_position=position(conn, before_command=command),
        # The bytes are copied. In `make` SQLite opens the file again and reads its
        # schema, which would take as long as all else that command next-round does.
        write=partial(_write_bytes, file),
    )


def _write_backup(conn: sqlite3.Connection, draft: str) -> None:
    """Have SQLite copy the file of a connection to a draft.

    draft: the path of an empty file, which becomes the snapshot when it is finished.
    """
    with closing(connect(draft, "rw")) as target:
        conn.backup(target)
        # In WAL mode SQLite would put another file beside the snapshot.
        target.execute("PRAGMA journal_mode = DELETE")


def _write_bytes(file: BinaryIO, draft: str) -> None:
    """Copy the bytes of an open file to a draft.

    draft: the path of an empty file, which becomes the snapshot when it is finished.
    """
    file.seek(0)
    with open(draft, "wb") as target:
        target.write(file.read())


def _make_and_rotate(
    conn: sqlite3.Connection,
    path: StrPath,
    why: str,
    *,
    file_position: Position,
    write: Callable[[str], object],
    rotate: bool = True,
) -> str:
    """Make a snapshot in the folder recorded in a file, and return its path.

    conn: a connection to the file. path: the file. why: the reason, "before import".
    file_position: how far the log of the file goes. write: the function that copies the
    file to a path.
    rotate: also delete the oldest snapshots of the file beyond the number to keep. A
    command that is about to restore a snapshot does not, as it may be the oldest one.
    Raises KeizerError if the snapshot cannot be made.
    """
    folder, keep = folder_and_number(conn, path)
    try:
        make_snapshot_folder(folder, path)  # for the first snapshot of the file
        snapshot = _write_whole(
            folder=folder,
            why=why,
            file_position=file_position,
            write=write,
            original=path,
        )
        if rotate:
            _rotate(conn, folder, keep, newest=snapshot)
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
    file_position: Position,
    write: Callable[[str], object],
    original: StrPath,
) -> str:
    """Write a snapshot whole or not at all, and return its path.

    It gets its name when all of it is on disk.
    folder: where it goes. why, file_position: the reason and the position for its name.
    write: the function that copies the file to a path. original: the path of the file,
    whose permissions the snapshot gets.
    """
    while True:
        snapshot = next_path(folder, why, file_position)
        # Another command may use this name meanwhile: then `give_name` raises
        # FileExistsError, and the loop tries the next name.
        with atomic.draft(snapshot, like=original) as draft, suppress(FileExistsError):
            write(draft)
            atomic.flush_to_disk(draft)
            atomic.give_name(draft, snapshot)
            atomic.flush_to_disk(folder)
            return snapshot


def _rotate(conn: sqlite3.Connection, folder: str, keep: int, *, newest: str) -> None:
    """Delete the oldest snapshots of a file, and drafts that were never finished.

    conn: a connection to the file. folder: the folder of its snapshots, NAME.backups.
    keep: how many snapshots are kept. newest: the path of the one just made.
    """
    surplus = _surplus_snapshots(conn, folder, keep, newest)
    for path in [*surplus, *_abandoned_drafts(folder)]:
        with suppress(OSError):  # somebody else deleted it, or it is a folder
            os.unlink(path)


def _surplus_snapshots(
    conn: sqlite3.Connection, folder: str, keep: int, newest: str
) -> list[str]:
    """Return the paths of the oldest snapshots of a file: all but the `keep` latest.

    Only snapshots of earlier states of this file are counted and returned. Others stay:
    they may be of a copy that went its own way, or of a state that a restore replaced.
    keep: how many snapshots are kept. newest: the path of the snapshot just made, which
    is counted, too.
    """
    first_checksum = position(conn).first_checksum
    earlier = []
    for snapshot in all_around(folder):
        old_position = snapshot.of  # how far the log went when it was made
        if snapshot.path == newest or old_position.first_checksum != first_checksum:
            continue
        # If the log of the file still has the last lines of the snapshot, the file went
        # on from that state.
        last_line = old_position.last_line
        if old_position.last_checksum == _checksum(conn, "last_lines", last_line):
            earlier.append(snapshot)
    # A longer log is of a later state. The number decides between equal states only.
    # `snapshot.of` is how far the log went when it was made.
    earlier.sort(
        key=lambda snapshot: (snapshot.of.last_line, snapshot.number, snapshot.path)
    )
    # One more for the newest snapshot, which is not in the list.
    surplus = max(0, len(earlier) + 1 - keep)
    return [snapshot.path for snapshot in earlier[:surplus]]


def _abandoned_drafts(folder: str) -> Iterator[str]:
    """Yield the paths of drafts in a folder that a killed process left unfinished.

    A draft counts as abandoned if nobody wrote to it for an hour.
    """
    for name in os.listdir(folder):
        # `atomic.draft` gives names such as ".NAME.db.123456.new".
        if not name.startswith(".") or ".db." not in name or ".new" not in name:
            continue
        path = os.path.join(folder, name)
        age = time.time() - os.stat(path).st_mtime
        if age > _ABANDONED_SECONDS:
            yield path
