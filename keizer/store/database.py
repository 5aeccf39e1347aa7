"""Season files: to create one, to read one, and to write one in a single transaction.

A season file is recognised by `PRAGMA application_id`, and its layout by
`PRAGMA user_version`. Only `create` creates a file: to read or write one that does not
exist is refused.
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


def _ignore(note: Message) -> None:
    """Take a note and do nothing with it."""


show_note: Callable[[Message], object] = _ignore
"""The function that shows a note of what `writing` put right; a face replaces it."""

last_messages: deque[Message | str] = deque(maxlen=8)
"""Messages of the last commands by which this process changed something.

They are for a face that cannot show a message when its command ends.
"""


def create(path: StrPath, set_up: Callable[[sqlite3.Connection], object]) -> None:
    """Create a season file, whole or not at all.

    set_up: the function that writes the first facts, as one command on the log.
    Raise KeizerError if the file exists or cannot be written.
    """
    try:
        if not os.path.exists(path):
            # SQLite would take the journal of a removed file for that of the new one.
            sidecar_files.refuse_leftovers(path)
        with atomic.draft(path) as draft:
            with closing(sqlite3.connect(draft, isolation_level=None)) as conn:
                # In the script, as executescript commits what was begun before it.
                conn.executescript(f"BEGIN; {sql.script()}")
                journal.begin(conn)
                set_up(conn)
                journal.describe(conn, say("a new file"))
                journal.end(conn, undoable=False)
                conn.execute("COMMIT")
            atomic.give_name(draft, path)
    except FileExistsError as error:
        raise KeizerError(
            "{file} already exists: somebody has just created it.", file=str(path)
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise KeizerError(
            "{file} cannot be created: {problem}.", file=str(path), problem=str(error)
        ) from error


def is_season(path: "Path") -> bool:
    """Return whether the header of a file says that it is a season file."""
    try:
        if not path.is_file():  # a pipe would wait for somebody to write
            return False
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    # SQLite keeps it in the bytes 68 to 71 of a database.
    application_id = int.from_bytes(header[68:], "big")
    return header.startswith(MAGIC) and application_id == sql.APPLICATION_ID


def _refuse_unreadable(path: StrPath) -> None:
    """Refuse a path that is missing, unreadable or no file, before SQLite opens it.

    The file is not opened for this. When a handle on a file is closed, POSIX drops all
    locks of the process on that file, also those of a transaction in another thread.
    """
    file = str(path)
    if not os.path.exists(path):
        hint = _restore_hint(file) or say(
            "`keizer init {file} --name NAME` creates it.", file=file
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
    """Return a hint how to restore a lost file; None if it has no snapshots."""
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

    source: the file to open, which is `path` or a copy of it. path: the file that
    messages name. warm: the pool that lends the connection, if there is one. write:
    open the file to write. migrate: do not refuse a file of an earlier layout.
    """
    mode = "rw" if write else "ro"
    opened: AbstractContextManager[connection.Connection]
    # A copy is made for one reader: a connection to it has no later use.
    is_copy = source != path
    if warm is None or is_copy:
        opened = closing(connect(source, mode))
    else:
        opened = warm.lend(path, mode)
    with opened as conn:
        # Whose code the file has is not known yet. A lent connection may have no limit.
        connection.limit_time(conn, connection.READ_SECONDS)
        _refuse_other_files(conn, path, migrate=migrate)
        conn.row_factory = sqlite3.Row
        yield conn


def _refuse_other_files(
    conn: sqlite3.Connection, path: StrPath, *, migrate: bool
) -> None:
    """Refuse a file that is not a season file, or has another layout than this keizer.

    path: the file that messages name. migrate: do not refuse an earlier layout.
    """
    try:
        (application_id,) = conn.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError as error:
        with open(path, "rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                raise  # it begins as a database, and is damaged
        raise KeizerError(
            "{file} is not a SQLite database, so it is not a Keizer file (or a"
            " damaged one: `keizer restore {file}` lists its snapshots).",
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
    """Turn errors that the file causes, of SQLite or of Python, into a KeizerError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _error_for_people(error, path) from error
    except MemoryError as error:
        raise KeizerError(
            "{file}: stopped, because this takes too much memory.", file=str(path)
        ) from error
    except ERRORS_OF_DAMAGE as error:
        from keizer.store.soundness import proof

        if proof.is_sound(path):
            raise  # the file did not cause it: the fault is keizer's
        raise _error_of_damage(path) from error


_NO_JOURNAL = re.compile("lock|unable to open|readonly|disk I/O", re.IGNORECASE)
"""What SQLite says, among others, if it cannot create a journal beside the file."""


def _error_for_people(error: sqlite3.Error, path: StrPath) -> KeizerError:
    """Return an error of SQLite about a file as one for people."""
    message = error_message(error)
    folder = os.path.dirname(os.path.abspath(path))
    may_lack_journal = _NO_JOURNAL.search(str(error))
    if may_lack_journal and not os.access(folder, os.W_OK):
        hint = say("Its folder {folder} must be writable, but is not.", folder=folder)
        return KeizerError(
            "{file}: {said} {hint}", file=str(path), said=message, hint=hint
        )
    if isinstance(error, sqlite3.IntegrityError):  # it is about what was typed
        return KeizerError(message)
    return KeizerError("{file}: {said}", file=str(path), said=message)


def _error_of_damage(path: StrPath) -> KeizerError:
    """Return the error that a file is damaged, with a hint what to do."""
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

    If the code of the file is of another keizer, or another program changed it, it is
    not run. The connection is then to a copy of the file with the code of this keizer.
    warm: the pool in which the connection stays open afterwards, for a face.
    as_is: for `keizer check`. Code that may have been changed by another program is not
    replaced, and the caller must not run it. That is any code but that of a release of
    keizer. Nor is a file refused for definitions that SQLite would run by itself.
    Raise KeizerError for anything that is not a Keizer file of this layout.
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
        shows_changed_code = as_is and not file_code.is_released
        if not file_code.is_current and not shows_changed_code:
            reader = _refreshed_copy(conn)
            file_code = code_of(reader)
        has_own_code_only = file_code.is_current and not file_code.has_additions
        if has_own_code_only:
            connection.limit_time(reader, None)  # a large season may take long
        else:
            connection.limit_time(reader, connection.READ_SECONDS, foreign_code=True)
        yield reader


def _refreshed_copy(conn: connection.Connection) -> sqlite3.Connection:
    """Return a copy of the file, to read, with the views and triggers of this keizer.

    The connection keeps the copy, and closes it when it is closed. If nobody has
    changed the file meanwhile, the copy made before is returned.
    """
    (version,) = conn.execute("PRAGMA data_version").fetchone()
    existing = conn.refreshed_copy
    if existing and conn.copied_version == version:
        # The last reader may have set these.
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
    """Provide a connection in a transaction, which the caller has to commit.

    warm: the pool that lends the connection. migrate: also to a file of an earlier
    layout, and without foreign keys, so that its tables can be replaced.
    """
    _refuse_unreadable(path)
    # os.access lets root write whatever the permissions say, so these are looked at.
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
    """Have SQLite write a WAL into the file itself, which people copy alone."""
    (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
    if journal_mode == "wal":
        # SQLite refuses it while another program has the file open.
        with suppress(sqlite3.OperationalError):
            conn.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def writing(
    path: StrPath,
    warm: "Connections | None" = None,
    *,
    before_commit: Callable[[sqlite3.Connection, BinaryIO], object] | None = None,
) -> Iterator[sqlite3.Connection]:
    """Provide a connection in one transaction: committed whole, or not at all.

    The transaction is one command on the log, which `undo` can take back. Its message
    on the log is what the caller last gave to `journal.describe`.
    warm: as for `reading`. before_commit: a function to call before a change is
    committed, with the connection, and with the file on disk as it still is.
    Raise KeizerError as `reading` does, and if the file is locked, read-only or refuses
    the change.
    """
    # `files` is left after the connection, whose locks end when a file is closed.
    with _translated(path), ExitStack() as files, _to_write(path, warm) as conn:
        notes = _put_code_right(path, conn)
        prepare_to_write(conn)
        _refuse_additions(path, conn)
        _refuse_first(path, seals.left_open(conn))
        journal.begin(conn)
        yield conn
        message = journal.end(conn)
        if message and before_commit:
            # Not closed here: POSIX would drop the locks of the transaction.
            file_as_it_was = files.enter_context(open(path, "rb"))
            before_commit(conn, file_as_it_was)
        conn.execute("COMMIT")
        if message:
            last_messages.append(message)
        for note in notes:
            show_note(note)


def _put_code_right(path: StrPath, conn: sqlite3.Connection) -> list[Message]:
    """Give a file the code of this keizer; return notes of what was put right."""
    if code_of(conn).is_current:
        return []
    from keizer.store import refresh

    notes = refresh.note_differences(conn)
    refusals = refresh.refresh(conn)
    _refuse_first(path, refusals)
    return notes


def _refuse_additions(path: StrPath, conn: sqlite3.Connection) -> None:
    """Refuse a file with additions that can refuse or change what is entered."""
    file_code = code_of(conn)
    is_changed = file_code.may_be_by_hand or not file_code.has_own_tables
    # Most files need no closer look, and module refresh takes time to import.
    if is_changed or file_code.added_triggers:
        from keizer.store import refresh

        _refuse_first(path, refresh.refusals_of_additions(conn))


def _refuse_barred(path: StrPath, file_code: connection.Code) -> None:
    """Refuse to read a file with definitions that SQLite would run by itself."""
    if file_code.reasons_not_to_read:
        raise KeizerError(
            "{file}: {said} Until that is changed, keizer reads nothing of it:"
            " `keizer check` says more, and `keizer restore` lists the snapshots.",
            file=str(path),
            said=file_code.reasons_not_to_read[0],
        )


def _refuse_first(path: StrPath, problems: Iterable[Message]) -> None:
    """Refuse to write a file because of the first of some problems, if there is one."""
    problem = next(iter(problems), None)
    if problem is not None:
        raise KeizerError(
            "{file}: {said} Until that is changed, nothing can be entered: `keizer"
            " check` says more.",
            file=str(path),
            said=problem,
        )


@contextmanager
def migrating(path: StrPath) -> Iterator[sqlite3.Connection]:
    """Provide a connection in one transaction, also to a file of an earlier layout.

    A snapshot of the file is made first. Without it, or if its pages are damaged,
    nothing happens.
    """
    from keizer.store.backup import snapshots
    from keizer.store.soundness import proof

    with _translated(path), _to_write(path, migrate=True) as conn:
        snapshots.make(path, "before migrate")
        with snapshots.open_to_read(path) as before:
            if proof.has_damaged_pages(before):
                raise _error_of_damage(path)
        yield conn
        conn.execute("COMMIT")
        last_messages.append(say("it was migrated"))
