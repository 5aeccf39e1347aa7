"""Things to do with the snapshots of a file: list them, look into them, go back."""

import shutil
import sqlite3
import time
from contextlib import closing, nullcontext
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
"""The codes of SQLite for a file that another program has locked."""

_READING_ERRORS = (KeizerError, OSError, sqlite3.Error)
"""The errors that are raised if a file cannot be read as a season."""


def choose_folder(
    conn: sqlite3.Connection, path: Path, folder: str | None, kept_number: int | None
) -> Message:
    """Write into a file where its snapshots go and how many are kept.

    A folder NAME.backups is made in the chosen folder. Returns a message with both
    settings.
    folder: a path, absolute or from the folder of the file; "-" for beside the file;
    None to leave the folder as it is. kept_number: how many are kept; None to leave
    that as it is. Raises KeizerError if the folder does not exist.
    """
    # The table has one row at most. If it has none, this makes one of the defaults in
    # the schema.
    conn.execute(
        "INSERT INTO backup (id) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM backup)"
    )
    if folder == "-":
        _set_folder(conn, path, None)
    elif folder is not None:
        _set_folder(conn, path, folder)
    if kept_number is not None:
        conn.execute("UPDATE backup SET kept = ?", (kept_number,))
    return _settings(conn)


def _settings(conn: sqlite3.Connection) -> Message:
    """Return a message on where the snapshots of a file go, and how many are kept."""
    folder, keep = conn.execute("SELECT folder, kept FROM backup").fetchone()
    if folder:
        return say(
            "snapshots go to {folder}, {number} are kept", folder=folder, number=keep
        )
    return say(
        "snapshots go to a folder beside the file, {number} are kept", number=keep
    )


def _set_folder(conn: sqlite3.Connection, path: Path, folder: str | None) -> None:
    """Write the folder for snapshots into a file, and make NAME.backups in it.

    By NAME.backups, `snapshots.make_snapshot_folder` sees later that the user wants
    snapshots there.
    folder: a path, absolute or from the folder of the file; None for beside the file.
    Raises KeizerError if the folder does not exist.
    """
    if folder:
        chosen = path.parent / folder
        if not chosen.is_dir():
            raise KeizerError(
                "{folder} is not a folder; create it first.", folder=str(chosen)
            )
    Path(snapshots.folder_of(path, folder)).mkdir(exist_ok=True)
    conn.execute("UPDATE backup SET folder = ?", (folder,))


def content_of(snapshot: Snapshot) -> Message:
    """Return a message: why a snapshot was made, and how far its tournaments are.

    If the snapshot cannot be read, the message says so.
    """
    content: Fact
    try:
        with snapshots.open_to_read(snapshot.path) as conn:
            progress = [_progress(*row) for row in sql.run(conn, "reached")]
        content = joined(progress) or ""
    except _READING_ERRORS as error:
        reason = error.message if isinstance(error, KeizerError) else str(error)
        content = say("cannot be read: {problem}", problem=reason)
    return say("{why}: {held}", why=term(snapshot.why), held=content)


def _progress(tournament: str, last_round: int | None, results: int) -> Message:
    """Return a message on how far a tournament is, "Club round 3, 12 results".

    results: how many results the tournament has.
    last_round: None if no round is paired.
    """
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
    """Return the folder of a file's snapshots, and how far the log of the file goes.

    If the file cannot be read, the position is UNKNOWN, and NAME.backups is taken to be
    in `folder`, or beside the file if that is None.
    folder: the folder that NAME.backups is in; None for the one that is recorded in
    the file (in table backup).
    opened: a connection to the file, if there is one.
    """
    home = snapshots.folder_of(path, folder)
    opening = nullcontext(opened) if opened else snapshots.open_to_read(path)
    try:
        with opening as conn:
            if not folder:
                # The caller named no folder, so the one recorded in the file counts.
                home, _ = snapshots.folder_and_number(conn, path)
            return home, snapshots.position(conn)
    except _READING_ERRORS:
        # If the recorded folder was read before the error, `home` is that folder.
        return home, snapshots.UNKNOWN


def list_snapshots(
    path: Path, folder: str | None = None, opened: sqlite3.Connection | None = None
) -> tuple[list[Snapshot], list[Snapshot]]:
    """Return the snapshots of a file, and those of other files near them.

    Both lists have the newest snapshot first. A snapshot belongs to the file if the
    logs of both have the same first lines, whatever the file is called now. If the file
    cannot be read, the snapshots in NAME.backups are taken for its own.
    folder: the folder that NAME.backups is in; None for the one that is recorded in
    the file (in table backup).
    opened: a connection to the file, if there is one.
    """
    home, file_position = folder_and_position(path, folder, opened)
    own = []
    others = []
    for snapshot in snapshots.all_around(home):  # the newest first
        # Field `of` is how far the log of the file went when the snapshot was made.
        position_then = snapshot.of
        if file_position == snapshots.UNKNOWN:
            is_own = Path(snapshot.path).parent == Path(home)
        else:
            # The first lines of a log stay as they are, and another season has others.
            # So their checksum tells which season a log is of.
            is_own = position_then.first_checksum == file_position.first_checksum
        if is_own:
            own.append(snapshot)
        else:
            others.append(snapshot)
    return own, others


def changes_since(path: Path, snapshot: Snapshot) -> list[history.Entry] | None:
    """Return the entries of a file's log that a snapshot lacks.

    None if they are unknown: the file or the snapshot cannot be read, one of them has
    an empty log, or they are of different seasons.
    """
    try:
        with (
            snapshots.open_to_read(path) as file,
            snapshots.open_to_read(snapshot.path) as copy,
        ):
            file.row_factory = sqlite3.Row
            shared = _last_shared_line(file, copy)
            if not shared:
                return None
            return history.entries(file, after=shared)
    except _READING_ERRORS:
        return None


def _last_shared_line(file: sqlite3.Connection, copy: sqlite3.Connection) -> int:
    """Return the id (log.id) of the last line that two logs have in common; 0 if none.

    As logs only grow, two logs of one season are equal up to the line at which one file
    was copied. The rows of `file` are sqlite3.Row, those of `copy` tuples.
    """
    shared = 0
    # Not strict: one log may be longer than the other.
    lines = zip(sql.run(file, "log"), sql.run(copy, "log"), strict=False)
    for line, line_of_copy in lines:
        if tuple(line) != line_of_copy:
            break
        shared = line["id"]
    return shared


def restore(path: Path, snapshot: Snapshot) -> Path | None:
    """Replace the content of a file by that of a snapshot, and first copy the file.

    SQLite writes the content into the file that is there. Only if there is none, or if
    SQLite does not take it for a database, another file gets its name.

    Returns the path of the copy; None if there was no file. Raises KeizerError if the
    snapshot is damaged or the file is in use; the file is then unchanged.
    """
    _refuse_damaged(snapshot.path)
    if not path.exists():
        _replace(path, snapshot.path)
        return None
    saved = _put_aside(path)
    try:
        _overwrite(path, snapshot.path)
    except sqlite3.DatabaseError:
        # The file is not a database, so SQLite refuses to write into it. (If another
        # program locks the file, KeizerError is raised instead, and nothing replaced.)
        _replace(path, snapshot.path)
    return saved


def _overwrite(path: Path, snapshot: StrPath) -> None:
    """Have SQLite write a snapshot over the content of a file.

    Raises KeizerError if another program locks the file for longer than commands wait,
    and sqlite3.DatabaseError if the file is not a database.
    """
    # Connection.backup tries a locked file again without end. Each time it calls the
    # function `progress`, which can only stop it by an error.
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
    """Return the error for a file that another program has locked."""
    return KeizerError(
        "{file} is in use by another program: close it there.", file=str(path)
    )


def _refuse_damaged(path: StrPath) -> None:
    """Raise KeizerError if a file is not a season file, or has damaged pages."""
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
    """Copy a file before it is replaced, and return the path of the copy.

    The copy of a sound file is a snapshot. A damaged file is copied byte for byte, and
    its journal or WAL is moved beside the copy. Raises KeizerError if the file is in
    use.
    """
    try:
        _refuse_damaged(path)
        # No snapshot is deleted for this one: the oldest may be about to be restored.
        return Path(snapshots.make(path, "before restore", rotate=False))
    except _READING_ERRORS as error:
        if _means_in_use(error):
            raise _busy(path) from error
        # Whatever else prevents a snapshot, the bytes of the file can be copied.
        return _put_damaged_aside(path)


def _means_in_use(error: Exception) -> bool:
    """Return whether an error means that another program has locked a file.

    error: an error of SQLite, or a KeizerError that one of SQLite may have caused.
    """
    error_of_sqlite = error.__cause__ or error
    code = getattr(error_of_sqlite, "sqlite_errorcode", None)
    if code is None:  # the error does not come from SQLite
        return False
    # The lowest byte is the kind of error; the higher bytes have details of it.
    return code & 0xFF in _IN_USE


def _put_damaged_aside(path: Path) -> Path:
    """Copy the bytes of a damaged file, and move its journal or WAL to the copy.

    SQLite would otherwise apply the journal or WAL to the file that is restored.
    Returns the path of the copy.
    """
    folder, _ = folder_and_position(path)
    snapshots.make_snapshot_folder(folder, path)
    name = snapshots.next_path(folder, "before restore", snapshots.UNKNOWN)
    copy = Path(name).with_suffix(".damaged")
    shutil.copy2(path, copy)
    atomic.flush_to_disk(copy)
    for companion in sidecar_files.companions_of(path):
        suffix = companion.removeprefix(str(path.resolve()))
        shutil.move(companion, f"{copy}{suffix}")
    return copy


def _replace(path: Path, snapshot: StrPath) -> None:
    """Replace a file by a copy of a snapshot, or make the file if there is none.

    This is for a file that SQLite does not take for a database: it would not write the
    snapshot into that.
    """
    # If the path is a link, the link stays, and the file that it leads to is replaced.
    path = path.resolve()
    if not path.exists():
        # SQLite would apply a journal or WAL of the lost file to the new one.
        sidecar_files.refuse_leftovers_if_any(path)
    with atomic.draft(path, like=snapshot) as draft:
        shutil.copyfile(snapshot, draft)
        atomic.flush_to_disk(draft)
        # A journal or WAL here is empty: any other was moved away or refused before.
        # SQLite must not find the old files beside the new one.
        for suffix in sidecar_files.SUFFIXES:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        Path(draft).replace(path)
