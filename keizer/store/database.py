"""Season files: create, open, and one transaction a command.

A file is recognised by `PRAGMA application_id` and `user_version`. Nothing is
ever created where a person named a file that is not there.
"""

import os
import re
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    closing,
    contextmanager,
    suppress,
)
from errno import EACCES
from typing import TYPE_CHECKING, BinaryIO

from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.store import atomic, connection, sql
from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import (
    ERRORS_OF_DAMAGE,
    MAGIC,
    code_of,
    connect,
    error_message,
    prepare_to_write,
)
from keizer.store.log import journal, seals

if TYPE_CHECKING:
    from pathlib import Path

    from keizer.store.warm import Connections


class ForeignError(KeizerError):
    """The refusal of a SQLite database of another program, perhaps one to import."""

    def __init__(self, path: StrPath) -> None:
        super().__init__(
            "{file} is a SQLite database, but not a Keizer file: `keizer import` takes"
            " over a season of KeizerForClubs, of Sharly Chess or of the original"
            " project.",
            file=str(path),
        )
        self.path = path


show_note: Callable[[Message], object] = str
"""Is called with a note of what a command put right besides; str keeps it to itself."""

last_messages: deque[Message | str] = deque(maxlen=8)
"""Messages of the last commands by which this process changed something.

They are for a face that cannot show a message when its command ends.
"""


def create(path: StrPath, set_up: Callable[[sqlite3.Connection], object]) -> None:
    """Make a new season file, whole or not at all; `set_up` writes its first facts.

    Raise KeizerError if it cannot be written.
    """
    try:
        if not os.path.exists(path):
            sidecar_files.refuse_leftovers(path)
        with atomic.draft(path) as draft:
            with closing(sqlite3.connect(draft, isolation_level=None)) as conn:
                conn.executescript(f"BEGIN; {sql.script()}")
                journal.begin(conn)
                set_up(conn)
                journal.describe(conn, say("a new file"))
                journal.end(conn, undoable=False)
                conn.execute("COMMIT")
            atomic.give_name(draft, path)
    except FileExistsError as error:
        raise KeizerError(
            "{file} is there already: somebody made it just now.", file=str(path)
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise KeizerError(
            "{file} cannot be created: {problem}.", file=str(path), problem=str(error)
        ) from error


def is_season(path: "Path") -> bool:
    """Return whether a file says in its header that it is a season file."""
    try:
        if not path.is_file():  # a pipe would wait for somebody to write
            return False
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    application_id = int.from_bytes(header[68:], "big")
    return header.startswith(MAGIC) and application_id == sql.APPLICATION_ID


def _refuse_unreadable(path: StrPath) -> None:
    """Refuse what cannot be a season file before SQLite touches it.

    It is not opened for that: POSIX takes all locks of a process off a file as soon as
    any handle on it is closed, also those of a transaction in another thread.
    """
    file = str(path)
    if not os.path.exists(path):
        hint = _restore_hint(file) or say(
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
        hint = _restore_hint(file) or say("remove it and use `keizer init`.")
        raise KeizerError(
            "{file} is empty, not a Keizer file: {hint}", file=file, hint=hint
        )


def _restore_hint(path: str) -> Message | None:
    """Return what to type if a file is gone but has snapshots."""
    from keizer.store.backup import snapshots

    if not os.path.isdir(snapshots.folder_of(path)):
        return None
    return say("`keizer restore {file}` lists its snapshots.", file=path)


@contextmanager
def _open(
    source: StrPath,
    path: StrPath,
    warm: "Connections | None",
    *,
    write: bool,
    migrate: bool = False,
) -> Iterator[connection.Connection]:
    """Provide a connection to a season file, and refuse any other file.

    source: the file to open, which is path or a copy of it. path: the file that
    messages name. migrate: take a file of an earlier layout.
    """
    mode = "rw" if write else "ro"
    opened: AbstractContextManager[connection.Connection]
    if warm and source == path:
        opened = warm.lend(path, mode)
    else:
        opened = closing(connect(source, mode))
    with opened as conn:
        connection.limit_time(conn, connection.READ_SECONDS)
        _refuse_other_files(conn, path, migrate=migrate)
        conn.row_factory = sqlite3.Row
        yield conn


def _refuse_other_files(
    conn: sqlite3.Connection, path: StrPath, *, migrate: bool
) -> None:
    """Refuse a file that is not a season file, or not one of this layout.

    migrate: do not refuse an earlier layout.
    """
    try:
        (application_id,) = conn.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError as error:
        with open(path, "rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                raise  # it begins as a database, and is damaged
        raise KeizerError(
            "{file} is not a SQLite database, so it is no Keizer file (or a damaged"
            " one: `keizer restore {file}` lists its snapshots).",
            file=str(path),
        ) from error
    (layout,) = conn.execute("PRAGMA user_version").fetchone()
    if application_id != sql.APPLICATION_ID:
        raise ForeignError(path)
    if layout > sql.LAYOUT:
        raise KeizerError(
            "{file} has layout {number} and this keizer knows {known}: use a newer"
            " keizer.",
            file=str(path),
            number=layout,
            known=sql.LAYOUT,
        )
    if layout < sql.LAYOUT and not migrate:
        raise KeizerError(
            "{file} has layout {number} and this keizer writes {known}:"
            " `keizer migrate {file}` brings it up to date, after a snapshot.",
            file=str(path),
            number=layout,
            known=sql.LAYOUT,
        )


@contextmanager
def _translated(path: StrPath) -> Iterator[None]:
    """Raise errors of SQLite, and of Python that the file caused, as a KeizerError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error
    except MemoryError as error:
        raise KeizerError(
            "{file}: this takes too much memory and was given up.", file=str(path)
        ) from error
    except ERRORS_OF_DAMAGE as error:
        from keizer.store.soundness import proof

        if proof.is_sound(path):
            raise  # the fault is keizer's
        raise _damaged(path) from error


_LACKS_ROOM = re.compile("lock|unable to open|readonly|disk I/O", re.IGNORECASE)
"""What SQLite says where it can make no file beside the season."""


def _explained(error: sqlite3.Error, path: StrPath) -> KeizerError:
    """Return an error of SQLite about a file as one for people."""
    message = error_message(error)
    folder = os.path.dirname(os.path.abspath(path))
    lacks_room = _LACKS_ROOM.search(str(error))
    if lacks_room and not os.access(folder, os.W_OK):
        hint = say("Its folder {folder} must be writable, and is not.", folder=folder)
        return KeizerError(
            "{file}: {said} {hint}", file=str(path), said=message, hint=hint
        )
    if isinstance(error, sqlite3.IntegrityError):  # it is about what was typed
        return KeizerError(message)
    return KeizerError("{file}: {said}", file=str(path), said=message)


def _damaged(path: StrPath) -> KeizerError:
    return KeizerError(
        "{file} is damaged: `keizer check {file}` says where, and"
        " `keizer restore {file}` lists its snapshots.",
        file=str(path),
    )


@contextmanager
def reading(
    path: StrPath, warm: "Connections | None" = None, *, as_is: bool = False
) -> Iterator[sqlite3.Connection]:
    """Provide a connection that sees one state of the file and cannot change it.

    Code that another keizer made, or another program changed, is not run: the
    connection is to a copy with the code of today.
    warm: where the connection stays open afterwards, for a face.
    as_is: show what another program changed, and do not run it. Any code that is not of
    a release of keizer may be such a change.
    Raise KeizerError for anything that is not a Keizer file of this version.
    """
    _refuse_unreadable(path)
    with (
        _translated(path),
        sidecar_files.readable_path(path) as source,
        _open(source, path, warm, write=False) as conn,
    ):
        conn.execute("BEGIN")
        file_code = code_of(conn)
        if not as_is:
            _refuse_barred(path, file_code)
        reader: sqlite3.Connection = conn
        if not file_code.is_current and (file_code.is_released or not as_is):
            reader = _refreshed_copy(conn)
            file_code = code_of(reader)
        if file_code.is_current and not file_code.has_additions:
            connection.limit_time(reader, None)  # a large season may take long
        else:
            connection.limit_time(reader, connection.READ_SECONDS, foreign_code=True)
        yield reader


def _refreshed_copy(conn: connection.Connection) -> sqlite3.Connection:
    """Return a copy of the file with the views and triggers of this keizer, to read.

    It is closed with the connection. Until then it serves again while nobody changes
    the file.
    """
    (version,) = conn.execute("PRAGMA data_version").fetchone()
    existing = conn.refreshed_copy
    if existing and conn.copied_version == version:
        existing.row_factory = sqlite3.Row
        existing.text_factory = str
        return existing
    from keizer.store import refresh

    if existing:
        existing.close()
    copy = connection.copy_of(conn)
    conn.refreshed_copy = copy
    conn.copied_version = version
    copy.execute("BEGIN")
    refresh.refresh(copy, to_read=True)
    copy.execute("COMMIT")
    copy.execute("PRAGMA query_only = ON")
    return copy


@contextmanager
def _to_write(
    path: StrPath, warm: "Connections | None" = None, *, migrate: bool = False
) -> Iterator[sqlite3.Connection]:
    """Provide a connection in a transaction, rolled back unless it is committed."""
    _refuse_unreadable(path)
    # os.access lets root write whatever the mode says.
    is_write_protected = not os.stat(path).st_mode & 0o222
    if is_write_protected or not os.access(path, os.W_OK):
        raise KeizerError("{file} is read-only: nothing was changed.", file=str(path))
    sidecar_files.finish_companions(path)
    with _open(path, path, warm, write=True, migrate=migrate) as conn:
        # Until the commit nothing is on disk: a snapshot finds the file as it was.
        conn.execute("PRAGMA cache_spill = OFF")
        _leave_wal_mode(conn)
        conn.execute(f"PRAGMA foreign_keys = {not migrate}")
        conn.execute("BEGIN IMMEDIATE")
        _refuse_barred(path, code_of(conn))
        yield conn


def _leave_wal_mode(conn: sqlite3.Connection) -> None:
    """Have all there is of a file in it, as it travels alone."""
    (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
    if journal_mode == "wal":
        # While others have it open it stays so.
        with suppress(sqlite3.OperationalError):
            conn.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def writing(
    path: StrPath,
    warm: "Connections | None" = None,
    *,
    before_commit: Callable[[sqlite3.Connection, BinaryIO], object] | None = None,
) -> Iterator[sqlite3.Connection]:
    """Provide a connection in one transaction: committed whole, or nothing happens.

    It is one command on the log, which `undo` can take back. The message of the command
    is what the caller last gave to `journal.describe`.
    warm: as for `reading`. before_commit: called when something changed and is about
    to be committed, with the connection, and the file on disk as it was.
    Raise KeizerError like `reading`, and if the file is locked, read-only or refuses
    the change.
    """
    with _translated(path), ExitStack() as files, _to_write(path, warm) as conn:
        notes = _put_code_right(path, conn)
        prepare_to_write(conn)
        _refuse_additions(path, conn)
        _refuse(path, seals.left_open(conn))
        journal.begin(conn)
        yield conn
        message = journal.end(conn)
        if message and before_commit:
            # Closed after the connection: POSIX lets go of all locks on a file with it.
            file_as_it_was = files.enter_context(open(path, "rb"))
            before_commit(conn, file_as_it_was)
        conn.execute("COMMIT")
        if message:
            last_messages.append(message)
        for note in notes:
            show_note(note)


def _put_code_right(path: StrPath, conn: sqlite3.Connection) -> list[Message]:
    """Give a file the code of this keizer, and return notes of what was not right."""
    if code_of(conn).is_current:
        return []
    from keizer.store import refresh

    notes = refresh.note_differences(conn)
    refusals = refresh.refresh(conn)
    _refuse(path, refusals)
    return notes


def _refuse_additions(path: StrPath, conn: sqlite3.Connection) -> None:
    """Refuse a file with additions that can refuse or change what is entered."""
    file_code = code_of(conn)
    is_changed = file_code.is_by_hand or not file_code.has_own_tables
    if is_changed or file_code.added_triggers:
        from keizer.store import refresh

        _refuse(path, refresh.refusals_of_additions(conn))


def _refuse_barred(path: StrPath, file_code: connection.Code) -> None:
    """Refuse to read a file with definitions that would run unasked."""
    if file_code.reasons_not_to_read:
        raise KeizerError(
            "{file}: {said} Nothing of it is read while that is so: `keizer check` says"
            " more, and `keizer restore` lists the snapshots.",
            file=str(path),
            said=file_code.reasons_not_to_read[0],
        )


def _refuse(path: StrPath, problems: Iterable[Message]) -> None:
    """Refuse to enter anything into a file with problems; the error has the first."""
    problem = next(iter(problems), None)
    if problem is not None:
        raise KeizerError(
            "{file}: {said} Nothing is entered while that is so: `keizer check` says"
            " more.",
            file=str(path),
            said=problem,
        )


@contextmanager
def migrating(path: StrPath) -> Iterator[sqlite3.Connection]:
    """Provide a connection in one transaction, also to a file of an earlier layout.

    A snapshot is made first, or nothing happens.
    """
    from keizer.store.backup import snapshots
    from keizer.store.soundness import proof

    with _translated(path), _to_write(path, migrate=True) as conn:
        snapshots.make(path, "before migrate")
        with snapshots.open_to_read(path) as before:
            if proof.has_damaged_pages(before):
                raise _damaged(path)
        yield conn
        conn.execute("COMMIT")
        last_messages.append(say("it was migrated"))
