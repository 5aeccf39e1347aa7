"""Snapshots of a file, and the way back to one.

A snapshot is a whole season file of its own, made by `VACUUM INTO`, in NAME.backups
beside NAME.db or in the folder that table backup names. The oldest go.
"""

import os
import re
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from keizer import database, history, sql
from keizer.drafts import draft, to_disk
from keizer.errors import KeizerError

KEPT = 40
"""How many snapshots are kept where the file does not say."""

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d)-\d{3}_([\w-]+)\.db")
_ABANDONED = 3600
"""Seconds after which a snapshot that was never finished is thrown away."""


class Snapshot(NamedTuple):
    """One of the snapshots of a file: when it was made, local time, and why."""

    path: Path
    made: str
    why: str


def _settings(path: Path) -> tuple[Path, int]:
    """Where the snapshots of a file are, and how many are kept, as far as it can be read."""
    named, kept = None, KEPT
    try:
        with closing(_look(path)) as conn:
            row = conn.execute("SELECT folder, kept FROM backup").fetchone()
            named, kept = row or (None, KEPT)
    except sqlite3.Error:
        pass  # damaged, or of a version without the table
    return home(path, named), kept


def home(path: Path, folder: str | None = None) -> Path:
    """The folder of a file's snapshots, in one that is named or beside the file.

    Each file has its own, for several may name one disk; and a disk that is not there
    is not made.
    """
    return path.parent / (folder or "") / f"{path.stem}.backups"


def _look(path: Path, mode: str = "ro") -> sqlite3.Connection:
    database.recover(path)
    return database.connect(path, mode)


def take(path: Path, why: str) -> Path:
    """Make a snapshot of the file as it is now on disk; where it is.

    why: for people, in letters, digits and blanks.
    Raises KeizerError where it is not possible.
    """
    folder, kept = _settings(path)
    try:
        target = _make(path, folder, why)
        _rotate(folder, kept)
    except (OSError, sqlite3.Error) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise KeizerError(f"no snapshot could be made in {folder}: {said}.") from error
    return target


def _make(path: Path, folder: Path, why: str) -> Path:
    folder.mkdir(exist_ok=True)
    target = _free(folder, why)
    with draft(target) as made:
        _copy(path, made)
        to_disk(made)
        made.rename(target)
        to_disk(folder)
    return target


def _copy(path: Path, made: Path) -> None:
    if os.access(path, os.W_OK):
        with closing(_look(path, "rw")) as conn:
            conn.execute("VACUUM INTO ?", (str(made.absolute()),))  # or file:... is a URI
        return
    # VACUUM INTO cannot read generated columns through a connection that only reads.
    with closing(_look(path)) as conn, closing(sqlite3.connect(made)) as copy:
        conn.backup(copy)


def _free(folder: Path, why: str) -> Path:
    """A name that nothing there has."""
    while True:
        now = time.time()
        made = time.strftime("%Y-%m-%d_%H-%M-%S", time.localtime(now))
        target = folder / f"{made}-{int(now * 1000) % 1000:03}_{why.replace(' ', '-')}.db"
        if not target.exists():
            return target


def _rotate(folder: Path, kept: int) -> None:
    """Let the oldest go, and what was never finished."""
    for old in _there(folder)[kept:]:
        old.path.unlink(missing_ok=True)
    for left in folder.glob(".*.db.*.new*"):
        if time.time() - left.stat().st_mtime > _ABANDONED:
            left.unlink(missing_ok=True)


def _there(folder: Path) -> list[Snapshot]:
    found = sorted(
        ((path, _NAME.fullmatch(path.name)) for path in folder.glob("*.db")), reverse=True
    )
    return [
        Snapshot(path, f"{it[1]} {it[2]}:{it[3]}:{it[4]}", it[5].replace("-", " "))
        for path, it in found
        if it
    ]


def settle(conn: sqlite3.Connection, path: Path, folder: str | None, keep: int | None) -> str:
    """Say where the snapshots of a file go from now on, and how many are kept; a sentence.

    folder: from that of the file on; - for beside it. None leaves either as it is.
    """
    if not conn.execute("SELECT 1 FROM backup").fetchone():
        conn.execute("INSERT INTO backup (id) VALUES (1)")
    if folder is not None:
        named = None if folder == "-" else folder
        if named and not (path.parent / named).is_dir():
            raise KeizerError(f"{path.parent / named} is no folder: make it first.")
        conn.execute("UPDATE backup SET folder = ?", (named,))
    if keep is not None:
        conn.execute("UPDATE backup SET kept = ?", (keep,))
    row = conn.execute("SELECT folder, kept FROM backup").fetchone()
    return f"snapshots go to {row[0] or 'a folder beside the file'}, {row[1]} are kept"


def about(snapshot: Snapshot) -> str:
    """What is in a snapshot, in a few words."""
    try:
        with closing(_look(snapshot.path)) as conn:
            found = conn.execute(
                "SELECT t.description || ' ' || COALESCE((SELECT 'round ' || max(round_number)"
                " || ', ' || count(result) || CASE count(result) WHEN 1 THEN ' result'"
                " ELSE ' results' END FROM round WHERE tournament_id = t.id"
                " HAVING count(*)), 'before round 1') FROM tournament AS t ORDER BY t.id"
            )
            held = "; ".join(row[0] for row in found)
    except sqlite3.Error as error:
        held = f"cannot be read: {error}"
    return f"{snapshot.why}: {held}"


def where(path: Path, folder: str | None = None) -> Path:
    """The folder that the snapshots of a file are in.

    folder: as for `settle`, where the file cannot say any more.
    """
    return home(path, folder) if folder else _settings(path)[0]


def snapshots(path: Path, folder: str | None = None) -> list[Snapshot]:
    """The snapshots of a file, the newest first; folder: as for `where`."""
    return _there(where(path, folder))


def lost(path: Path, snapshot: Path) -> list[history.Entry] | None:
    """What was done to the file that a snapshot does not have; None where that is not known.

    It is not when one of them cannot be read, has no log yet, or is of another season.
    """
    try:
        with closing(_look(path)) as now, closing(_look(snapshot)) as then:
            now.row_factory = sqlite3.Row
            # Both logs only ever grew: they are the same up to where the two parted.
            lines = "SELECT id, step, changed_at, fact, row, state FROM log ORDER BY id"
            parted = 0
            for mine, theirs in zip(now.execute(lines), then.execute(lines), strict=False):
                if tuple(mine) != theirs:
                    break
                parted = mine["id"]
            return history.entries(now, after=parted) if parted else None
    except sqlite3.Error:
        return None


def restore(path: Path, snapshot: Path) -> Path | None:
    """Put a snapshot in the place of a file; where the file as it was is now, if there was one.

    Raises KeizerError where the snapshot is not sound or the file is in use, and leaves
    all as it was.
    """
    _check(snapshot)
    if not path.exists():
        _replace(path, snapshot)
        return None
    saved = _set_aside(path)
    until = time.monotonic() + database.BUSY_SECONDS

    def impatient(status: int, _remaining: int, _total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > until:
            raise _busy(path)

    try:
        with (
            closing(_look(snapshot)) as source,
            closing(sqlite3.connect(path.absolute(), isolation_level=None, timeout=0)) as target,
        ):
            source.backup(target, progress=impatient)
    except sqlite3.DatabaseError:
        _replace(path, snapshot)
    return saved


def _busy(path: Path) -> KeizerError:
    return KeizerError(f"{path} is in use by another program: close it there.")


def _check(snapshot: Path) -> None:
    try:
        with closing(_look(snapshot)) as conn:
            (ours,) = conn.execute("PRAGMA application_id").fetchone()
            (sound,) = conn.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as error:
        raise KeizerError(f"{snapshot} cannot be read: {error}.") from error
    if ours != sql.APPLICATION_ID or sound != "ok":
        raise KeizerError(f"{snapshot} is not a sound Keizer file.")


def _set_aside(path: Path) -> Path:
    """A copy of the file as it is: a snapshot, or its bytes where it is damaged.

    None goes for it: the oldest may be the one that is to be put back.
    """
    folder, _ = _settings(path)
    try:
        _check(path)
        return _make(path, folder, "before restore")
    except (KeizerError, sqlite3.Error) as error:
        if "locked" in str(error):
            raise _busy(path) from error
        folder.mkdir(exist_ok=True)
        copy = _free(folder, "before restore").with_suffix(".damaged")
        shutil.copy2(path, copy)
        to_disk(copy)
        return copy


def _replace(path: Path, snapshot: Path) -> None:
    """Where SQLite finds no database, or there is no file: another one of the name."""
    path = path.resolve()
    with draft(path) as made:
        shutil.copyfile(snapshot, made)
        to_disk(made)
        for suffix in ("-journal", "-wal", "-shm"):  # they belong to the damaged one
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        made.replace(path)
