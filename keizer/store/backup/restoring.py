"""What can be done with the snapshots of a file: list them, say what is in them, go back."""

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


def choose_folder(
    conn: sqlite3.Connection, path: Path, folder: str | None, keep: int | None
) -> Message:
    """Say where the snapshots of a file go from now on, and how many are kept; a message.

    folder: from that of the file on; - for beside it. None leaves either as it is.
    """
    conn.execute(
        "INSERT INTO backup (id) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM backup)"
    )
    if folder is not None:
        named = None if folder == "-" else folder
        if named and not (path.parent / named).is_dir():
            raise KeizerError(
                "{folder} is no folder: make it first.", folder=str(path.parent / named)
            )
        Path(snapshots.home(path, named)).mkdir(exist_ok=True)
        conn.execute("UPDATE backup SET folder = ?", (named,))
    if keep is not None:
        conn.execute("UPDATE backup SET kept = ?", (keep,))
    named, kept = conn.execute("SELECT folder, kept FROM backup").fetchone()
    if named:
        return say(
            "snapshots go to {folder}, {number} are kept", folder=named, number=kept
        )
    return say(
        "snapshots go to a folder beside the file, {number} are kept", number=kept
    )


def about(snapshot: Snapshot) -> Message:
    """What is in a snapshot, in a few words."""
    try:
        with snapshots.look(snapshot.path) as conn:
            held: Fact = (
                joined([_reached(*row) for row in sql.run(conn, "reached")]) or ""
            )
    except (KeizerError, OSError, sqlite3.Error) as error:
        held = say("cannot be read: {problem}", problem=_reason(error))
    return say("{why}: {held}", why=term(snapshot.why), held=held)


def _reason(error: Exception) -> Fact:
    """What an exception says, for the middle of a sentence."""
    return error.said if isinstance(error, KeizerError) else str(error)


def _reached(tournament: str, last: int | None, results: int) -> Message:
    """How far a tournament is."""
    if last is None:
        return say("{tournament} before round 1", tournament=tournament)
    return plural(
        "{tournament} round {round}, {number} result",
        "{tournament} round {round}, {number} results",
        results,
        tournament=tournament,
        round=last,
    )


def position(
    path: Path, folder: str | None = None, opened: sqlite3.Connection | None = None
) -> tuple[str, Position]:
    """The folder of a file's snapshots, and how far the file is, as far as it can say.

    folder: as for `choose_folder`, where it cannot say any more.
    """
    home, of = snapshots.home(path, folder), snapshots.UNKNOWN
    look = nullcontext(opened) if opened else snapshots.look(path)
    with suppress(KeizerError, OSError, sqlite3.Error), look as conn:
        home = home if folder else snapshots.settings(conn, path)[0]
        of = snapshots.position(conn)
    return home, of


def listed(
    path: Path, folder: str | None = None, opened: sqlite3.Connection | None = None
) -> tuple[list[Snapshot], list[Snapshot]]:
    """The snapshots of a file, whatever it was called, and those of other files beside them.

    The newest first; folder: as for `position`; opened: a connection to the file. A file that is
    gone or damaged has those that were made under its name.
    """
    home, of = position(path, folder, opened)
    found = snapshots.there(home)
    if of == snapshots.UNKNOWN:
        own = [
            snapshot for snapshot in found if Path(snapshot.path).parent == Path(home)
        ]
    else:
        own = [snapshot for snapshot in found if snapshot.of.first == of.first]
    return own, [snapshot for snapshot in found if snapshot not in own]


def lost(path: Path, snapshot: Snapshot) -> list[history.Entry] | None:
    """What was done to the file that a snapshot does not have; None where that is not known.

    It is not when one of them cannot be read, has no log yet, or is of another season.
    """
    try:
        with snapshots.look(path) as now, snapshots.look(snapshot.path) as then:
            now.row_factory = sqlite3.Row
            # Both logs only ever grew: they are the same up to where the two parted.
            parted = 0
            for mine, theirs in zip(
                sql.run(now, "log"), sql.run(then, "log"), strict=False
            ):
                if tuple(mine) != theirs:
                    break
                parted = mine["id"]
            return history.entries(now, after=parted) if parted else None
    except (KeizerError, OSError, sqlite3.Error):
        return None


def restore(path: Path, snapshot: Snapshot) -> Path | None:
    """Put a snapshot in the place of a file; where the file as it was is now, if there was one.

    Raises KeizerError where the snapshot is not sound or the file is in use, and leaves
    all as it was.
    """
    _check(snapshot.path)
    if not path.exists():
        _replace(path, snapshot.path)
        return None
    saved = _keep(path)
    until = time.monotonic() + connection.BUSY_SECONDS

    def impatient(status: int, _remaining: int, _total: int) -> None:
        if status in _IN_USE and time.monotonic() > until:
            raise _busy(path)

    try:
        with (
            snapshots.look(snapshot.path) as source,
            closing(
                sqlite3.connect(path.absolute(), isolation_level=None, timeout=0)
            ) as target,
        ):
            source.backup(target, progress=impatient)
    except sqlite3.DatabaseError:
        _replace(path, snapshot.path)
    return saved


def _busy(path: Path) -> KeizerError:
    return KeizerError(
        "{file} is in use by another program: close it there.", file=str(path)
    )


def _check(path: StrPath) -> None:
    try:
        with snapshots.look(path) as conn:
            (ours,) = conn.execute("PRAGMA application_id").fetchone()
            damaged = proof.damage(conn)
    except sqlite3.Error as error:
        raise KeizerError(
            "{file} cannot be read: {problem}.", file=str(path), problem=str(error)
        ) from error
    if ours != sql.APPLICATION_ID or damaged:
        raise KeizerError("{file} is not a sound Keizer file.", file=str(path))


def _keep(path: Path) -> Path:
    """A copy of the file as it is: a snapshot; or its bytes where it is damaged.

    What lies beside a damaged file is moved along, for SQLite would take it for changes of
    the one that takes its place. Nothing goes for it: the oldest may be what is put back.
    """
    try:
        _check(path)
        return Path(snapshots.take(path, "before restore", rotate=False))
    except (KeizerError, OSError, sqlite3.Error) as error:
        if getattr(error.__cause__ or error, "sqlite_errorcode", 0) & 0xFF in _IN_USE:
            raise _busy(path) from error
        folder, _ = position(path)
        snapshots.make_home(folder, path)
        kept = Path(
            snapshots.free(folder, "before restore", snapshots.UNKNOWN)
        ).with_suffix(".damaged")
        shutil.copy2(path, kept)
        atomic.to_disk(kept)
        for companion in sidecar_files.beside(path):
            shutil.move(
                companion, f"{kept}{companion.removeprefix(str(path.resolve()))}"
            )
        return kept


def _replace(path: Path, snapshot: StrPath) -> None:
    """Where SQLite finds no database, or there is no file: another one of the name."""
    path = path.resolve()
    if not path.exists():
        sidecar_files.refuse_leftovers(path)
    with atomic.draft(path, like=snapshot) as made:
        shutil.copyfile(snapshot, made)
        atomic.to_disk(made)
        for suffix in sidecar_files.SUFFIXES:  # empty by now
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        Path(made).replace(path)
