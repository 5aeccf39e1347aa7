"""Season files: create, open, and one transaction a command.

A file is recognised by `PRAGMA application_id` and `user_version`. Nothing is
ever created where a person named a file that is not there.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import BinaryIO

from keizer.errors import KeizerError
from keizer.store import sql, undo
from keizer.store.atomic import StrPath, draft
from keizer.store.fingerprint import FINGERPRINT

BUSY_SECONDS = 5.0
"""How long a command waits for another program to let go of the file."""

MAGIC = b"SQLite format 3\x00"

SPAN = 1_000_000
"""An id in an archive is that in the club's file, and so many times the file's number."""

_WAL = 2
"""Bytes 18 and 19 of a file that has its latest changes in a -wal file beside it."""


def create(path: StrPath, set_up: Callable[[sqlite3.Connection], object]) -> None:
    """Make a new season file, whole or not at all; `set_up` writes its first facts.

    Raises KeizerError where it cannot be written.
    """
    try:
        with draft(path) as made:
            with closing(sqlite3.connect(made, isolation_level=None)) as conn:
                conn.executescript(f"BEGIN; {sql.script()}")
                undo.begin(conn)
                undo.describe(conn, "a new file")
                set_up(conn)
                undo.record(conn, undoable=False)
                conn.execute("COMMIT")
            _name(made, path)
    except FileExistsError as error:
        raise KeizerError(f"{path} is there already: somebody made it just now.") from error
    except (OSError, sqlite3.Error) as error:
        raise KeizerError(f"{path} cannot be created: {error}.") from error


def _name(made: StrPath, path: StrPath) -> None:
    """Give a new file its name, which nothing has."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:  # a disk on which a file has one name only
        if os.path.exists(path):
            raise FileExistsError from None
        os.rename(made, path)


def _look(path: StrPath) -> None:
    """Refuse what is not a file of ours before SQLite touches it."""
    if not os.path.exists(path):
        raise KeizerError(
            f"{path} does not exist: "
            + (_way_back(path) or f"`keizer init {path} --name NAME` makes it.")
        )
    if os.path.isdir(path):
        raise KeizerError(f"{path} is a folder, not a Keizer file.")
    try:
        with open(path, "rb") as file:
            start = file.read(20)
    except OSError as error:
        raise KeizerError(f"{path} cannot be read: {error.strerror}.") from error
    if not start:
        raise KeizerError(
            f"{path} is empty, not a Keizer file: "
            + (_way_back(path) or "remove it and use `keizer init`.")
        )
    if not start.startswith(MAGIC):
        raise KeizerError(
            f"{path} is not a SQLite database, so it is no Keizer file (or a damaged one:"
            f" `keizer restore {path}` lists its snapshots)."
        )
    wal = f"{os.fspath(path)}-wal"
    if _WAL not in start[18:] and os.path.exists(wal) and os.path.getsize(wal):
        # SQLite would take what is in it for changes of this file.
        raise KeizerError(
            f"{wal} lies beside {path} and is not of this file: another program left it there;"
            " move it elsewhere."
        )


def _way_back(path: StrPath) -> str:
    """What there is to do where a file was once."""
    from keizer.store import snapshots

    there = os.path.isdir(snapshots.home(path))
    return f"`keizer restore {path}` lists its snapshots." if there else ""


def _open(path: StrPath, *, write: bool, migrate: bool = False) -> sqlite3.Connection:
    _look(path)
    if write and not (os.stat(path).st_mode & 0o222 and os.access(path, os.W_OK)):
        raise KeizerError(f"{path} is read-only: nothing was changed.")
    if not write:
        recover(path)
    conn = connect(path, "rw" if write else "ro")
    try:
        (application,) = conn.execute("PRAGMA application_id").fetchone()
        (version,) = conn.execute("PRAGMA user_version").fetchone()
        if application not in sql.READABLE:
            from keizer.formats import recognise

            raise KeizerError(f"{path} is {recognise.foreign(conn, path)}")
        if write and application == sql.ARCHIVE_ID:
            raise KeizerError(f"{path} {_READ}")
        if version > sql.LAYOUT:
            raise KeizerError(
                f"{path} has layout {version} and this keizer knows {sql.LAYOUT}:"
                " use a newer keizer."
            )
        if version < sql.LAYOUT and application == sql.ARCHIVE_ID:
            raise KeizerError(f"{path} is an archive that an earlier keizer made: make it anew.")
        if version < sql.LAYOUT and not migrate:
            raise KeizerError(
                f"{path} has layout {version} and this keizer writes {sql.LAYOUT}:"
                f" `keizer migrate {path}` brings it up to date, after a snapshot."
            )
    except BaseException:
        conn.close()
        raise
    conn.row_factory = sqlite3.Row
    return conn


_READ = "is an archive, made to be read: change the club's own file and run `keizer archive` again."


def is_current(conn: sqlite3.Connection) -> bool:
    """Whether the views and triggers of a file say that they are those of this keizer."""
    try:
        mark = conn.execute("SELECT fingerprint FROM _code").fetchone()
    except sqlite3.OperationalError as error:
        if "no such" in str(error):  # view, or column
            return False
        raise
    return bool(mark and mark[0] == FINGERPRINT)


def is_archive(conn: sqlite3.Connection) -> bool:
    """Whether this is no club's file, but an archive of many."""
    (application,) = conn.execute("PRAGMA application_id").fetchone()
    return bool(application == sql.ARCHIVE_ID)


def connect(path: StrPath, mode: str, *, timeout: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection to whatever is there, whose name may mean something to SQLite.

    mode: 'ro' or 'rw'. Nothing is created. timeout: seconds to wait for another program.
    """
    named = os.path.abspath(path).replace(os.sep, "/")
    for sign in "%?#":  # of a URI
        named = named.replace(sign, f"%{ord(sign):02x}")
    uri = f"file://{'' if named.startswith('/') else '/'}{named}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=timeout)


def recover(path: StrPath) -> None:
    """Have SQLite roll back what a command did that was killed: only who may write can."""
    if os.path.exists(f"{os.fspath(path)}-journal"):
        with suppress(sqlite3.Error), closing(connect(path, "rw")) as conn:
            conn.execute("SELECT 1 FROM sqlite_master")


_SAID = {
    "locked": "the file is locked: another program has unsaved changes in it"
    " (save or close them there, then try again).",
    "readonly database": "the file is read-only: nothing was changed.",
    "disk is full": "the disk is full: nothing was changed; make room and do it again.",
    "disk I/O error": "the disk fails (disk I/O error): nothing was changed; copy the file to"
    " another one.",
    "malformed": "the file is damaged: `keizer restore` lists its snapshots.",
    "not a database": "the file is damaged: `keizer restore` lists its snapshots.",
}
"""By what SQLite says of a file, what it means."""


def sentence(error: sqlite3.Error) -> str:
    """What SQLite, a constraint or a trigger of the file said, as a sentence."""
    text = str(error)
    known = next((said for part, said in _SAID.items() if part in text), None)
    if known:
        return known
    constraint = text.removeprefix("CHECK constraint failed: ")
    if constraint != text:
        named = constraint if " " in constraint else constraint.replace("_", " ")
        return named + "."
    missing = text.removeprefix("NOT NULL constraint failed: ")
    if missing != text:
        return f"{missing} is missing."
    return text.rstrip(".") + "."


@contextmanager
def _translated(path: StrPath) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        from keizer.store import folders

        raise KeizerError(f"{path}: {sentence(error)}{folders.hint(path, error)}") from error
    except STUMBLES as error:
        if _sound(path):
            raise  # it is ours
        raise KeizerError(
            f"{path} is damaged: `keizer check {path}` says where, and `keizer restore {path}`"
            " lists its snapshots."
        ) from error


STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What Python says of a row that is not there, or a value that cannot be."""


def _sound(path: StrPath) -> bool:
    from keizer.store import proof

    try:
        with closing(connect(path, "ro")) as conn:
            if is_current(conn):
                return not any(proof.proof(conn))
            with _refreshed(conn) as copy:
                return not any(proof.proof(copy))
    except (sqlite3.Error, KeizerError, *STUMBLES):
        return False


@contextmanager
def reading(path: StrPath) -> Iterator[sqlite3.Connection]:
    """A connection that sees one state of the file and cannot change it.

    Raises KeizerError for anything that is no Keizer file of this version.
    """
    with _translated(path):
        conn = _open(path, write=False)
        try:
            conn.execute("BEGIN")
            if is_current(conn):
                yield conn
            else:
                with _refreshed(conn) as copy:
                    yield copy
        finally:
            conn.close()


@contextmanager
def _refreshed(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A copy in memory with the views of this keizer; an archive is as it was made."""
    if is_archive(conn):
        yield conn
        return
    from keizer.store import refresh

    with trial(conn) as copy:
        copy.execute("BEGIN")
        refresh.refresh(copy)
        copy.execute("COMMIT")
        yield copy


Keep = Callable[[sqlite3.Connection, BinaryIO], object]
"""Takes the connection of a command that has changed something, and the file as it was."""


@contextmanager
def writing(path: StrPath, *, keep: Keep | None = None) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction: committed whole, or nothing happens.

    It is one step on the log, which `undo` can take back; what is said of it is
    what the caller last gave to `undo.describe`.
    keep: called when something changed and is about to be committed; what is on disk
    is still as it was.
    Raises KeizerError like `reading`, and where the file is locked, read-only
    or refuses the change.
    """
    with _translated(path), ExitStack() as files:
        conn = _open(path, write=True)
        try:
            _alone(conn)
            conn.execute("PRAGMA foreign_keys = ON")
            conn.execute("BEGIN IMMEDIATE")
            if not is_current(conn):
                from keizer.store import refresh

                refresh.refresh(conn)
            undo.begin(conn)
            yield conn
            if undo.record(conn) and keep:
                # Closed after the connection: POSIX lets go of all locks on a file with it.
                keep(conn, files.enter_context(open(path, "rb")))
            conn.execute("COMMIT")
        finally:
            conn.close()  # rolls back what was not committed


def _alone(conn: sqlite3.Connection) -> None:
    """Have the file hold all there is of it, as it travels alone, and what is new not too early."""
    # Until the commit nothing is on disk, so that a snapshot finds the file as it was.
    conn.execute("PRAGMA cache_spill = OFF")
    if conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        with suppress(sqlite3.OperationalError):  # while others have it open it stays as it is
            conn.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def migrating(path: StrPath) -> Iterator[sqlite3.Connection]:
    """A connection to a file of this version or an older one, likewise in one transaction.

    A snapshot is made first, or nothing happens.
    """
    from keizer.store import snapshots

    with _translated(path):
        conn = _open(path, write=True, migrate=True)
        try:
            _alone(conn)
            conn.execute("BEGIN IMMEDIATE")
            snapshots.take(path, "before migrate")
            yield conn
            conn.execute("COMMIT")
        finally:
            conn.close()


@contextmanager
def trial(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A copy of the file in memory, to try something on; not from within a change of it.

    Raises KeizerError for an archive, which has nothing that could follow.
    """
    if is_archive(conn):
        raise KeizerError(f"the file {_READ}")
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        conn.backup(copy)
        copy.row_factory = sqlite3.Row
        yield copy
