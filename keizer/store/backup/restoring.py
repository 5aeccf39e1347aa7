"""Things to do with the snapshots of a file: list them, look into them, go back."""

import shutil
import sqlite3
import time
from contextlib import closing, nullcontext, suppress
from pathlib import Path

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, joined, plural, say, term
from keizer.store import atomic, connection, sql
from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files, snapshots
from keizer.store.backup.snapshots import Position, Snapshot
from keizer.store.log import history
from keizer.store.soundness import proof

_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_UNREADABLE = (KeizerError, OSError, sqlite3.Error)
"""What is raised by looking into a file that cannot be read."""


def choose_folder(
    conn: sqlite3.Connection, path: Path, folder: str | None, keep: int | None
) -> Message:
    """Write where the snapshots of a file go from now on, and how many are kept.

    folder: from that of the file on; - for beside it. None leaves either as it is.
    Returns both as a message. Raises KeizerError if the folder does not exist.
    """
    conn.execute(
        "INSERT INTO backup (id) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM backup)"
    )
    if folder == "-":
        _set_folder(conn, path, None)
    elif folder is not None:
        _set_folder(conn, path, folder)
    if keep is not None:
        conn.execute("UPDATE backup SET kept = ?", (keep,))
    folder, number = conn.execute("SELECT folder, kept FROM backup").fetchone()
    if folder:
        return say(
            "snapshots go to {folder}, {number} are kept", folder=folder, number=number
        )
    return say(
        "snapshots go to a folder beside the file, {number} are kept", number=number
    )


def _set_folder(conn: sqlite3.Connection, path: Path, folder: str | None) -> None:
    """Write where the snapshots of a file go, and make its own folder there.

    folder: None for beside the file. Raises KeizerError if it does not exist.
    """
    if folder:
        chosen = path.parent / folder
        if not chosen.is_dir():
            raise KeizerError(
                "{folder} is no folder: make it first.", folder=str(chosen)
            )
    Path(snapshots.folder_of(path, folder)).mkdir(exist_ok=True)
    conn.execute("UPDATE backup SET folder = ?", (folder,))


def content_of(snapshot: Snapshot) -> Message:
    """Say what is in a snapshot, in a few words."""
    content: Fact
    try:
        with snapshots.open_to_read(snapshot.path) as conn:
            progress = [_progress(*row) for row in sql.run(conn, "reached")]
        content = joined(progress) or ""
    except _UNREADABLE as error:
        reason = error.message if isinstance(error, KeizerError) else str(error)
        content = say("cannot be read: {problem}", problem=reason)
    return say("{why}: {held}", why=term(snapshot.why), held=content)


def _progress(tournament: str, last_round: int | None, results: int) -> Message:
    """Say how far a tournament is."""
    if last_round is None:
        return say("{tournament} before round 1", tournament=tournament)
    return plural(
        "{tournament} round {round}, {number} result",
        "{tournament} round {round}, {number} results",
        results,
        tournament=tournament,
        round=last_round,
    )


def folder_and_position(
    path: Path, folder: str | None = None, opened: sqlite3.Connection | None = None
) -> tuple[str, Position]:
    """Return the folder of a file's snapshots, and how far the file is.

    folder: as for `choose_folder`, if the file cannot say any more. opened: a
    connection to the file. The position is UNKNOWN if the file cannot be read.
    """
    home = snapshots.folder_of(path, folder)
    file_position = snapshots.UNKNOWN
    opening = nullcontext(opened) if opened else snapshots.open_to_read(path)
    with suppress(*_UNREADABLE), opening as conn:
        if not folder:
            home, _ = snapshots.folder_and_number(conn, path)
        file_position = snapshots.position(conn)
    return home, file_position


def list_snapshots(
    path: Path, folder: str | None = None, opened: sqlite3.Connection | None = None
) -> tuple[list[Snapshot], list[Snapshot]]:
    """Return a file's own snapshots, and those of other files around; newest first.

    The file has its own whatever it is called, by its log. If it is gone or damaged,
    its own are those that were made under its name.
    Parameters as for `folder_and_position`.
    """
    home, file_position = folder_and_position(path, folder, opened)
    own = []
    others = []
    for snapshot in snapshots.all_around(home):
        if file_position == snapshots.UNKNOWN:
            is_own = Path(snapshot.path).parent == Path(home)
        else:
            is_own = snapshot.of.first == file_position.first
        if is_own:
            own.append(snapshot)
        else:
            others.append(snapshot)
    return own, others


def changes_since(path: Path, snapshot: Snapshot) -> list[history.Entry] | None:
    """Return what was done to a file that a snapshot of it does not have.

    None if that is not known: one of them cannot be read, has no log yet, or is of
    another season.
    """
    try:
        with (
            snapshots.open_to_read(path) as file,
            snapshots.open_to_read(snapshot.path) as copy,
        ):
            file.row_factory = sqlite3.Row
            shared = _last_shared_line(file, copy)
            return history.entries(file, after=shared) if shared else None
    except _UNREADABLE:
        return None


def _last_shared_line(file: sqlite3.Connection, copy: sqlite3.Connection) -> int:
    """Return the last line (log.id) before the logs of two files parted; 0 if none.

    Both logs only ever grew: they are the same up to there.
    """
    shared = 0
    lines = zip(sql.run(file, "log"), sql.run(copy, "log"), strict=False)
    for line, line_of_copy in lines:
        if tuple(line) != line_of_copy:
            break
        shared = line["id"]
    return shared


def restore(path: Path, snapshot: Snapshot) -> Path | None:
    """Put a snapshot in the place of a file.

    Returns where the file as it was is now; None if there was no file. Raises
    KeizerError if the snapshot is not sound or the file is in use, and leaves all as
    it was.
    """
    _check(snapshot.path)
    if not path.exists():
        _replace(path, snapshot.path)
        return None
    saved = _put_aside(path)
    try:
        _overwrite(path, snapshot.path)
    except sqlite3.DatabaseError:
        _replace(path, snapshot.path)
    return saved


def _overwrite(path: Path, snapshot: StrPath) -> None:
    """Have SQLite write a snapshot into a file.

    Raises KeizerError if another program holds the file longer than any command waits,
    and sqlite3.DatabaseError if it is no database.
    """
    deadline = time.monotonic() + connection.BUSY_SECONDS

    def give_up_if_in_use(status: int, _remaining: int, _total: int) -> None:
        if status in _IN_USE and time.monotonic() > deadline:
            raise _busy(path)

    with (
        snapshots.open_to_read(snapshot) as source,
        closing(
            sqlite3.connect(path.absolute(), isolation_level=None, timeout=0)
        ) as target,
    ):
        source.backup(target, progress=give_up_if_in_use)


def _busy(path: Path) -> KeizerError:
    return KeizerError(
        "{file} is in use by another program: close it there.", file=str(path)
    )


def _check(path: StrPath) -> None:
    """Raise KeizerError for what is not a season file, or has damaged pages."""
    try:
        with snapshots.open_to_read(path) as conn:
            (application,) = conn.execute("PRAGMA application_id").fetchone()
            damage = proof.damage(conn)
    except sqlite3.Error as error:
        raise KeizerError(
            "{file} cannot be read: {problem}.", file=str(path), problem=str(error)
        ) from error
    if application != sql.APPLICATION_ID or damage:
        raise KeizerError("{file} is not a sound Keizer file.", file=str(path))


def _put_aside(path: Path) -> Path:
    """Copy the file as it is: to a snapshot or, if it is damaged, byte by byte.

    No older snapshot is deleted for it: the oldest may be what is put back. Raises
    KeizerError if the file is in use.
    """
    try:
        _check(path)
        return Path(snapshots.make(path, "before restore", rotate=False))
    except _UNREADABLE as error:
        code = getattr(error.__cause__ or error, "sqlite_errorcode", 0)
        # The low byte of an extended code is the plain one.
        if code & 0xFF in _IN_USE:
            raise _busy(path) from error
        return _put_damaged_aside(path)


def _put_damaged_aside(path: Path) -> Path:
    """Copy a file that cannot be read, and move what lies beside it along.

    SQLite would take that for changes of the file that takes its place.
    """
    folder, _ = folder_and_position(path)
    snapshots.make_home(folder, path)
    name = snapshots.next_path(folder, "before restore", snapshots.UNKNOWN)
    copy = Path(name).with_suffix(".damaged")
    shutil.copy2(path, copy)
    atomic.flush_to_disk(copy)
    for companion in sidecar_files.companions_of(path):
        suffix = companion.removeprefix(str(path.resolve()))
        shutil.move(companion, f"{copy}{suffix}")
    return copy


def _replace(path: Path, snapshot: StrPath) -> None:
    """Put a copy of a snapshot in the place of a file, or where there was none.

    This is for a file in which SQLite finds no database.
    """
    path = path.resolve()
    if not path.exists():
        sidecar_files.refuse_leftovers(path)
    with atomic.draft(path, like=snapshot) as draft:
        shutil.copyfile(snapshot, draft)
        atomic.flush_to_disk(draft)
        # What is beside the file is empty by now.
        for suffix in sidecar_files.SUFFIXES:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        Path(draft).replace(path)
