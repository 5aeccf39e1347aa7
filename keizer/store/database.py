"""Season files: create, open, and one transaction a command.

A file is recognised by `PRAGMA application_id` and `user_version`. Nothing is
ever created where a person named a file that is not there.
"""

import os
import re
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from errno import EACCES
from typing import TYPE_CHECKING, BinaryIO

from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.store import atomic, connection, sql
from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import (
    MAGIC,
    STUMBLES,
    code,
    connect,
    prepare_to_write,
    sentence,
)
from keizer.store.log import journal, seals

if TYPE_CHECKING:
    from pathlib import Path

    from keizer.store.warm import Connections


class ForeignError(KeizerError):
    """A SQLite database that is no Keizer file: another program's, perhaps one to import."""

    def __init__(self, path: StrPath) -> None:
        super().__init__(
            "{file} is a SQLite database, but not a Keizer file: `keizer import` takes over a"
            " season of KeizerForClubs, of Sharly Chess or of the original project.",
            file=str(path),
        )
        self.path = path


tell: Callable[[Message], object] = str
"""Is told what a command put right besides; str keeps it to itself."""

committed: deque[Message | str] = deque(maxlen=8)
"""What this process has changed, a message a command, the last ones: for who cannot show it."""


def create(path: StrPath, set_up: Callable[[sqlite3.Connection], object]) -> None:
    """Make a new season file, whole or not at all; `set_up` writes its first facts.

    Raises KeizerError where it cannot be written.
    """
    try:
        if not os.path.exists(path):
            sidecar_files.refuse_leftovers(path)
        with atomic.draft(path) as made:
            with closing(sqlite3.connect(made, isolation_level=None)) as conn:
                conn.executescript(f"BEGIN; {sql.script()}")
                journal.begin(conn)
                set_up(conn)
                journal.describe(conn, say("a new file"))
                journal.record(conn, undoable=False)
                conn.execute("COMMIT")
            atomic.name(made, path)
    except FileExistsError as error:
        raise KeizerError(
            "{file} is there already: somebody made it just now.", file=str(path)
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise KeizerError(
            "{file} cannot be created: {problem}.", file=str(path), problem=str(error)
        ) from error


def is_season(path: "Path") -> bool:
    """Return whether a file says of itself that it is a season file, by the header it has."""
    try:
        if not path.is_file():  # a pipe would wait for somebody to write
            return False
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    application = int.from_bytes(header[68:], "big")
    return header.startswith(MAGIC) and application == sql.APPLICATION_ID


def _look(path: StrPath) -> None:
    """Refuse what cannot be a file of ours before SQLite touches it.

    It is not opened for that: POSIX takes all locks of a process off a file as soon as any
    handle on it is closed, also those of a transaction in another thread.
    """
    file = str(path)
    if not os.path.exists(path):
        hint = _way_back(file) or say(
            "`keizer init {file} --name NAME` makes it.", file=file
        )
        raise KeizerError("{file} does not exist: {hint}", file=file, hint=hint)
    if os.path.isdir(path):
        raise KeizerError("{file} is a folder, not a Keizer file.", file=file)
    if not os.path.isfile(path):
        raise KeizerError("{file} is a pipe or a device, not a Keizer file.", file=file)
    if not os.access(path, os.R_OK):
        raise KeizerError(
            "{file} cannot be read: {problem}.", file=file, problem=os.strerror(EACCES)
        )
    if not os.path.getsize(path):
        hint = _way_back(file) or say("remove it and use `keizer init`.")
        raise KeizerError(
            "{file} is empty, not a Keizer file: {hint}", file=file, hint=hint
        )


def _way_back(path: str) -> Message | None:
    """What to type where a file is gone but has snapshots."""
    from keizer.store.backup import snapshots

    there = os.path.isdir(snapshots.home(path))
    return (
        say("`keizer restore {file}` lists its snapshots.", file=path)
        if there
        else None
    )


@contextmanager
def _open(
    there: StrPath,
    path: StrPath,
    warm: "Connections | None",
    *,
    write: bool,
    migrate: bool = False,
) -> Iterator[connection.Connection]:
    """A connection to what is there, called by its path; refused where it is not ours to use."""
    mode = "rw" if write else "ro"
    with (
        warm.lent(path, mode)
        if warm and there == path
        else closing(connect(there, mode)) as conn
    ):
        try:
            (application,) = conn.execute("PRAGMA application_id").fetchone()
        except sqlite3.DatabaseError as error:
            with open(path, "rb") as file:
                if file.read(len(MAGIC)) == MAGIC:
                    raise  # it begins as one, and is damaged
            raise KeizerError(
                "{file} is not a SQLite database, so it is no Keizer file (or a damaged one:"
                " `keizer restore {file}` lists its snapshots).",
                file=str(path),
            ) from error
        connection.limit_time(conn, connection.READ_SECONDS)
        (version,) = conn.execute("PRAGMA user_version").fetchone()
        if application != sql.APPLICATION_ID:
            raise ForeignError(path)
        if version > sql.LAYOUT:
            raise KeizerError(
                "{file} has layout {number} and this keizer knows {known}: use a newer keizer.",
                file=str(path),
                number=version,
                known=sql.LAYOUT,
            )
        if version < sql.LAYOUT and not migrate:
            raise KeizerError(
                "{file} has layout {number} and this keizer writes {known}:"
                " `keizer migrate {file}` brings it up to date, after a snapshot.",
                file=str(path),
                number=version,
                known=sql.LAYOUT,
            )
        conn.row_factory = sqlite3.Row
        yield conn


_LACKS_ROOM = re.compile("lock|unable to open|readonly|disk I/O", re.IGNORECASE)
"""What SQLite says where it can make no file beside the season."""


@contextmanager
def _translated(path: StrPath) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        said, folder = sentence(error), os.path.dirname(os.path.abspath(path))
        if _LACKS_ROOM.search(str(error)) and not os.access(folder, os.W_OK):
            hint = say(
                "Its folder {folder} must be writable, and is not.", folder=folder
            )
            raise KeizerError(
                "{file}: {said} {hint}", file=str(path), said=said, hint=hint
            ) from error
        if isinstance(error, sqlite3.IntegrityError):  # it is about what was typed
            raise KeizerError(said) from error
        raise KeizerError("{file}: {said}", file=str(path), said=said) from error
    except MemoryError as error:
        raise KeizerError(
            "{file}: this takes too much memory and was given up.", file=str(path)
        ) from error
    except STUMBLES as error:
        from keizer.store.soundness import proof

        if proof.is_sound(path):
            raise  # it is ours
        raise _damaged(path) from error


def _damaged(path: StrPath) -> KeizerError:
    return KeizerError(
        "{file} is damaged: `keizer check {file}` says where, and `keizer restore {file}`"
        " lists its snapshots.",
        file=str(path),
    )


@contextmanager
def reading(
    path: StrPath, warm: "Connections | None" = None, *, as_is: bool = False
) -> Iterator[sqlite3.Connection]:
    """A connection that sees one state of the file and cannot change it.

    Code that another keizer made, or another program changed, is not run: it reads a copy.
    warm: where it stays open afterwards, for a face. as_is: what another program changed is to
    be seen, and not run; whatever is not of a release of keizer may be such a change.
    Raises KeizerError for anything that is no Keizer file of this version.
    """
    _look(path)
    with (
        _translated(path),
        sidecar_files.readable(path) as there,
        _open(there, path, warm, write=False) as conn,
    ):
        conn.execute("BEGIN")
        found = code(conn)
        if not as_is:
            _refuse_barred(path, found)
        read: sqlite3.Connection = conn
        if not found.current and (found.released or not as_is):
            read = _refreshed(conn)
            found = code(read)
        if found.current and not found.added:
            connection.limit_time(read, None)  # a large season may take long
        else:
            connection.limit_time(read, connection.READ_SECONDS, often=True)
        yield read


def _refreshed(conn: connection.Connection) -> sqlite3.Connection:
    """Return a copy of the file with the views and triggers of this keizer, to read.

    It is closed with the connection. Until then it serves again while nobody changes the file.
    """
    (state,) = conn.execute("PRAGMA data_version").fetchone()
    if conn.refreshed and conn.refreshed[0] == state:
        copy = conn.refreshed[1]
        copy.row_factory, copy.text_factory = sqlite3.Row, str
        return copy
    from keizer.store import refresh

    if conn.refreshed:
        conn.refreshed[1].close()
    copy = connection.copy_of(conn)
    conn.refreshed = state, copy
    copy.execute("BEGIN")
    refresh.refresh(copy, to_read=True)
    copy.execute("COMMIT")
    copy.execute("PRAGMA query_only = ON")
    return copy


@contextmanager
def _to_write(
    path: StrPath, warm: "Connections | None" = None, *, migrate: bool = False
) -> Iterator[sqlite3.Connection]:
    """A connection in a transaction, rolled back unless it is committed."""
    _look(path)
    if not (os.stat(path).st_mode & 0o222 and os.access(path, os.W_OK)):
        raise KeizerError("{file} is read-only: nothing was changed.", file=str(path))
    sidecar_files.finish(path)
    with _open(path, path, warm, write=True, migrate=migrate) as conn:
        # Until the commit nothing is on disk, so that a snapshot finds the file as it was.
        conn.execute("PRAGMA cache_spill = OFF")
        # All there is of the file is to be in it, as it travels alone.
        if conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
            with suppress(
                sqlite3.OperationalError
            ):  # while others have it open it stays so
                conn.execute("PRAGMA journal_mode = DELETE")
        conn.execute(f"PRAGMA foreign_keys = {not migrate}")
        conn.execute("BEGIN IMMEDIATE")
        _refuse_barred(path, code(conn))
        yield conn


@contextmanager
def writing(
    path: StrPath,
    warm: "Connections | None" = None,
    *,
    keep: Callable[[sqlite3.Connection, BinaryIO], object] | None = None,
) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction: committed whole, or nothing happens.

    It is one command on the log, which `undo` can take back; what is said of it is
    what the caller last gave to `commands.describe`.
    warm: as for `reading`. keep: called when something changed and is about to be committed,
    with the connection, and the file on disk as it was.
    Raises KeizerError like `reading`, and where the file is locked, read-only
    or refuses the change.
    """
    with _translated(path), ExitStack() as files, _to_write(path, warm) as conn:
        put_right = list[Message]()
        if not code(conn).current:
            from keizer.store import refresh

            put_right = refresh.noted_differences(conn)
            _refuse(path, refresh.refresh(conn))
        prepare_to_write(conn)
        found = code(conn)
        if found.hooks or found.odd or not found.made:
            from keizer.store import refresh

            _refuse(path, refresh.ruling(conn))
        _refuse(path, seals.left_open(conn))
        journal.begin(conn)
        yield conn
        done = journal.record(conn)
        if done and keep:
            # Closed after the connection: POSIX lets go of all locks on a file with it.
            keep(conn, files.enter_context(open(path, "rb")))
        conn.execute("COMMIT")
        if done:
            committed.append(done)
        for said in put_right:
            tell(said)


def _refuse_barred(path: StrPath, found: connection.Code) -> None:
    """Read nothing of a file with definitions that would run unasked; KeizerError says which."""
    for said in found.barred:
        raise KeizerError(
            "{file}: {said} Nothing of it is read while that is so: `keizer check` says more, and"
            " `keizer restore` lists the snapshots.",
            file=str(path),
            said=said,
        )


def _refuse(path: StrPath, wrong: Iterable[Message]) -> None:
    """Enter nothing into a file with which something is wrong; KeizerError says what."""
    for said in wrong:
        raise KeizerError(
            "{file}: {said} Nothing is entered while that is so: `keizer check` says more.",
            file=str(path),
            said=said,
        )


@contextmanager
def migrating(path: StrPath) -> Iterator[sqlite3.Connection]:
    """A connection to a file of this version or an older one, likewise in one transaction.

    A snapshot is made first, or nothing happens.
    """
    from keizer.store.backup import snapshots
    from keizer.store.soundness import proof

    with _translated(path), _to_write(path, migrate=True) as conn:
        snapshots.take(path, "before migrate")
        with snapshots.look(path) as before:
            if proof.pages_are_wrong(before):
                raise _damaged(path)
        yield conn
        conn.execute("COMMIT")
        committed.append(say("it was migrated"))
