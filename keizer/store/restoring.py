"""What can be done with the snapshots of a file: list them, say what is in them, go back."""

import shutil
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.store import database, history, snapshots, sql
from keizer.store.atomic import draft, to_disk


class Snapshot(NamedTuple):
    """One of the snapshots of a file: when it was made, local time, and why."""

    path: Path
    made: str
    why: str


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
        with closing(snapshots.look(snapshot.path)) as conn:
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


def where(path: Path, folder: str | None = None) -> str:
    """The folder that the snapshots of a file are in.

    folder: as for `settle`, where the file cannot say any more.
    """
    return snapshots.home(path, folder) if folder else snapshots.settings(path)[0]


def listed(path: Path, folder: str | None = None) -> list[Snapshot]:
    """The snapshots of a file, the newest first; folder: as for `where`."""
    kept = where(path, folder)
    return [
        Snapshot(Path(kept, it[0]), f"{it[1]} {it[2]}:{it[3]}:{it[4]}", it[5].replace("-", " "))
        for it in snapshots.there(kept)
    ]


def lost(path: Path, snapshot: Path) -> list[history.Entry] | None:
    """What was done to the file that a snapshot does not have; None where that is not known.

    It is not when one of them cannot be read, has no log yet, or is of another season.
    """
    try:
        with closing(snapshots.look(path)) as now, closing(snapshots.look(snapshot)) as then:
            now.row_factory = sqlite3.Row
            # Both logs only ever grew: they are the same up to where the two parted.
            lines = "SELECT id, step_id, changed_at, fact, row, state FROM log ORDER BY id"
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
            closing(snapshots.look(snapshot)) as source,
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
        with closing(snapshots.look(snapshot)) as conn:
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
    folder, _ = snapshots.settings(path)
    try:
        _check(path)
        return Path(snapshots.make(folder, "before restore", partial(snapshots.copy, path)))
    except (KeizerError, sqlite3.Error) as error:
        if "locked" in str(error):
            raise _busy(path) from error
        Path(folder).mkdir(exist_ok=True)
        copy = Path(snapshots.free(folder, "before restore")).with_suffix(".damaged")
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
        Path(made).replace(path)
