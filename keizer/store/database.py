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
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from keizer.errors import KeizerError
from keizer.messages import Message, ignore, say
from keizer.store import atomic, connection, sql
from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import (
    ERRORS_OF_DAMAGE,
    MAGIC,
    code_of_file,
    connect,
    error_message,
    prepare_to_write,
)
from keizer.store.log import journal, seals

if TYPE_CHECKING:
    from pathlib import Path

    from keizer.store.warm import Connections

Returned = TypeVar("Returned")


class ForeignError(KeizerError):
    """The error that a file is a SQLite database of another program.

    Its message names the programs whose files keizer can import. `path` is the file.
    """

    def __init__(self, path: StrPath) -> None:
        """Make the message about the file at `path`."""
        super().__init__(
            "{file} is a SQLite database, but not a Keizer file: `keizer import` takes"
            " over a season of KeizerForClubs, of Sharly Chess or of the original"
            " project.",
            file=str(path),
        )
        self.path = path


show_note: Callable[[Message], object] = ignore
"""The function that tells the user what `writing` has repaired in a file.

The command line sets its own function. Before, nobody is told.
"""

last_messages: deque[Message | str] = deque(maxlen=8)
"""Messages of the last commands by which this process changed a file.

An example is "it was migrated", where "it" is the file. They are for a user interface
that cannot show a message when its command ends.
"""


def create(path: StrPath, set_up: Callable[[sqlite3.Connection], Returned]) -> Returned:
    """Create a season file, whole or not at all; return what `set_up` returned.

    set_up: the function that enters the first rows, by the connection that it gets. On
    the log of changes they become one command, "a new file", which cannot be undone.
    Raise KeizerError if the file exists or cannot be written.
    """
    try:
        if not os.path.exists(path):
            # A journal may be left of a removed file of this name. SQLite would take it
            # for that of the new file.
            sidecar_files.refuse_leftovers_if_any(path)
        with atomic.draft(path) as draft:
            with closing(sqlite3.connect(draft, isolation_level=None)) as conn:
                # BEGIN is in the script: executescript would commit a transaction that
                # was begun before.
                conn.executescript(f"BEGIN; {sql.script()}")
                journal.begin(conn)
                returned = set_up(conn)
                journal.describe(conn, say("a new file"))
                journal.end(conn, undoable=False)
                conn.execute("COMMIT")
            # If somebody has created the file meanwhile, this raises FileExistsError.
            atomic.give_name(draft, path)
    except FileExistsError as error:
        raise KeizerError(
            "{file} already exists: somebody has just created it.", file=str(path)
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise KeizerError(
            "{file} cannot be created: {problem}.", file=str(path), problem=str(error)
        ) from error
    return returned


def is_season(path: "Path") -> bool:
    """Return whether the header of a file says that it is a season file."""
    try:
        if not path.is_file():  # a pipe would wait for somebody to write
            return False
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    # A database has the application_id in its bytes 68 to 71.
    application_id = int.from_bytes(header[68:], "big")
    return header.startswith(MAGIC) and application_id == sql.APPLICATION_ID


def _refuse_unreadable(path: StrPath) -> None:
    """Raise KeizerError if a path is missing, unreadable, empty or no regular file.

    The file is not opened for this. When a process closes a file, POSIX drops all its
    locks on that file, also those of a transaction in another thread.
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
    """Return a hint how to restore a lost file; None if it has no snapshots.

    A snapshot is a copy of the file that keizer made before a change.
    """
    # Imported late: the import takes time, and files are hardly ever lost or empty.
    from keizer.store.backup import snapshots

    if not os.path.isdir(snapshots.folder_of(path)):
        return None
    return say("`keizer restore {file}` lists its snapshots.", file=path)


@contextmanager
def _open(
    source: StrPath,
    path: StrPath,
    pool: "Connections | None",
    *,
    write: bool,
    migrate: bool = False,
) -> Iterator[connection.Connection]:
    """Provide a connection to a season file; raise KeizerError for any other file.

    Afterwards the connection is closed, or returned to the pool. Its rows are
    sqlite3.Row, and it has the time limit of a reader.
    source: the file to open: `path`, or a copy of it. path: the file that messages
    name. pool: the pool that lends the connection; None to open a new one. write: open
    the file to write. migrate: allow an earlier layout of the tables.
    """
    mode = "rw" if write else "ro"
    opened: AbstractContextManager[connection.Connection]
    # A copy is made for one reader: a connection to it has no later use.
    is_copy = source != path
    if pool is None or is_copy:
        opened = closing(connect(source, mode))
    else:
        opened = pool.lend(path, mode)
    with opened as conn:
        # A connection from the pool may have no limit, and it is not known yet whether
        # the views and triggers in the file are keizer's.
        connection.limit_time(conn, connection.READ_SECONDS)
        _refuse_other_files(conn, path, migrate=migrate)
        conn.row_factory = sqlite3.Row
        yield conn


def _refuse_other_files(
    conn: sqlite3.Connection, path: StrPath, *, migrate: bool
) -> None:
    """Raise KeizerError unless a file is a season file with the layout of this keizer.

    The layout is the form of the tables, by number (PRAGMA user_version).
    path: the file that messages name. migrate: allow an earlier layout.
    """
    try:
        (application_id,) = conn.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError as error:
        with open(path, "rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                raise  # it begins as a database does, so it is a damaged one
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
def _translating_errors(path: StrPath) -> Iterator[None]:
    """Turn errors that a file causes, of SQLite or of Python, into a KeizerError.

    Other errors are faults of keizer, and pass through.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _error_for_people(error, path) from error
    except MemoryError as error:
        raise KeizerError(
            "{file}: stopped, because this takes too much memory.", file=str(path)
        ) from error
    except ERRORS_OF_DAMAGE as error:
        # Imported late: the import takes time, and hardly any file is damaged.
        from keizer.store.soundness import proof

        # A damaged file gives Python values that it does not expect. If the file is
        # sound, the fault is keizer's.
        if proof.is_sound(path):
            raise
        raise _error_of_damage(path) from error


_NO_JOURNAL = re.compile("lock|unable to open|readonly|disk I/O", re.IGNORECASE)
"""Words of SQLite's errors if it cannot create its journal in the file's folder.

The same errors have other causes as well.
"""


def _error_for_people(error: sqlite3.Error, path: StrPath) -> KeizerError:
    """Return the KeizerError that says the same as an error of SQLite about a file.

    It has a hint if the cause may be that the folder of the file is not writable.
    """
    message = error_message(error)
    folder = os.path.dirname(os.path.abspath(path))
    may_lack_journal = _NO_JOURNAL.search(str(error))
    if may_lack_journal and not os.access(folder, os.W_OK):
        hint = say("Its folder {folder} must be writable, but is not.", folder=folder)
        return KeizerError(
            "{file}: {said} {hint}", file=str(path), said=message, hint=hint
        )
    if isinstance(error, sqlite3.IntegrityError):
        # The file refused what was typed: its name would be no help.
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
    path: StrPath, pool: "Connections | None" = None, *, as_is: bool = False
) -> Iterator[sqlite3.Connection]:
    """Provide a connection to read a file: it sees one state and cannot change it.

    The code of a file is its views and triggers. Own code is that of the keizer that is
    running.

    - If the file has own code, the connection is to the file itself.
    - If the file has other code, that code is not run. The connection is to a copy in
      memory, in which own code has replaced the code of the file.
    - With `as_is`, for `keizer check`, code that somebody has changed is not replaced.
      The connection is to the file itself, and the caller must not use its views. (Code
      of an earlier release is replaced here, too: nobody has changed it.)

    pool: the pool of open connections to which this one is returned, so that the next
    web page need not open the file again; None to close it.
    as_is: see above. Also, a file that is not safe to read is provided anyway.
    Raise KeizerError for anything that is not a Keizer file of this layout, and without
    `as_is` for a file that is not safe to read.
    """
    _refuse_unreadable(path)
    with (
        _translating_errors(path),
        sidecar_files.readable_path(path) as source,
        _open(source, path, pool, write=False) as conn,
    ):
        conn.execute("BEGIN")
        file_code = code_of_file(conn)
        if not as_is:
            _refuse_if_unsafe(path, file_code)
        reader: sqlite3.Connection = conn
        # Nobody changed the code of an earlier release: it is only older. So even
        # `keizer check` reads a copy with own code in its place.
        shows_changed_code = as_is and not file_code.is_released
        if not file_code.is_current and not shows_changed_code:
            reader = _refreshed_copy(conn)
        if code_of_file(reader).has_only_own_code:
            connection.limit_time(reader, None)  # a large season may take long
        else:
            connection.limit_time(reader, connection.READ_SECONDS, foreign_code=True)
        yield reader


def _refreshed_copy(conn: connection.Connection) -> sqlite3.Connection:
    """Return a read-only copy of the file with the views and triggers of this keizer.

    The copy is in memory. The connection keeps it, and closes it when it is closed
    itself. As long as nobody changes the file, the same copy is returned again.
    """
    # This number changes when another connection has written to the file.
    (version,) = conn.execute("PRAGMA data_version").fetchone()
    existing = conn.refreshed_copy
    if existing and conn.copied_version == version:
        # The last reader may have set other ones.
        existing.row_factory = sqlite3.Row
        existing.text_factory = str
        return existing
    # Imported late: module refresh takes time to import, and few files need a copy.
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
    path: StrPath, pool: "Connections | None" = None, *, migrate: bool = False
) -> Iterator[sqlite3.Connection]:
    """Provide a connection in a transaction, which the caller has to commit.

    First, a change that another program left unfinished is finished or undone, and the
    file leaves WAL mode if it can. Raise KeizerError if the file cannot be written or
    is not safe to read.
    pool: the pool that lends the connection; None to open a new one. migrate: allow an
    earlier layout of the tables, and switch foreign keys off, so that tables can be
    replaced.
    """
    _refuse_unreadable(path)
    # Root may write to any file. But somebody protected this one, so the permissions
    # are looked at, too.
    is_write_protected = not os.stat(path).st_mode & 0o222
    if is_write_protected or not os.access(path, os.W_OK):
        raise KeizerError("{file} is read-only: nothing was changed.", file=str(path))
    sidecar_files.finish_companions(path)
    # A writer opens the file itself; only a reader may get a copy of it as the source.
    with _open(source=path, path=path, pool=pool, write=True, migrate=migrate) as conn:
        # If a transaction changes much, SQLite would write part of it to the file
        # before the commit. That is switched off: a snapshot that is made during the
        # transaction copies the file, and has to be of the file as it was before.
        conn.execute("PRAGMA cache_spill = OFF")
        _leave_wal_mode(conn)
        conn.execute(f"PRAGMA foreign_keys = {not migrate}")
        # IMMEDIATE locks the file against other writers at once. Otherwise the lock
        # could be refused at the first change, after the command has read something.
        conn.execute("BEGIN IMMEDIATE")
        _refuse_if_unsafe(path, code_of_file(conn))
        yield conn


def _leave_wal_mode(conn: sqlite3.Connection) -> None:
    """Switch a file from WAL mode to a journal, unless another program has it open.

    In WAL mode the latest changes are in a second file. People copy only the first.
    """
    (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
    if journal_mode == "wal":
        # SQLite refuses it while another program has the file open.
        with suppress(sqlite3.OperationalError):
            conn.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def writing(
    path: StrPath,
    pool: "Connections | None" = None,
    *,
    before_commit: Callable[[sqlite3.Connection, BinaryIO], object] | None = None,
) -> Iterator[sqlite3.Connection]:
    """Provide a connection to change a file in one transaction, and commit it.

    If the caller raises an exception, nothing is changed. The transaction becomes one
    command on the log of changes, and `keizer undo` can take it back. Its message there
    is the one that the caller last gave to `journal.describe`. If anything changed, the
    message is added to `last_messages`, too, for a user interface to show.
    If the views and triggers in the file are not those of this keizer, the transaction
    replaces them first, and `show_note` then tells the user about repairs.
    pool: as for `reading`. before_commit: a function that is called before a change is
    committed. It gets the connection, and the file opened to read, which on disk is
    still as it was. It is not called if the caller changed nothing.
    Raise KeizerError as `reading` does, and if the file is locked or read-only, refuses
    the change, or has additions of others that would falsify it.
    """
    # When any file handle on the database is closed, POSIX drops the locks of the
    # connection. So `files`, which closes them, is left after the connection.
    with _translating_errors(path), ExitStack() as files, _to_write(path, pool) as conn:
        notes = _put_code_right(path, conn)
        prepare_to_write(conn)
        _refuse_additions(path, conn)
        # keizer gives each row of the log a seal, which is a hash. Rows without a seal
        # are not keizer's, or somebody has changed them.
        _refuse_if_any(path, seals.left_open(conn))
        journal.begin(conn)
        yield conn
        message = journal.end(conn)  # "" if the command changed nothing
        if message and before_commit:
            file_as_it_was = files.enter_context(open(path, "rb"))
            before_commit(conn, file_as_it_was)
        conn.execute("COMMIT")
        if message:
            last_messages.append(message)
        for note in notes:
            show_note(note)


def _put_code_right(path: StrPath, conn: sqlite3.Connection) -> list[Message]:
    """Give a file the views and triggers of this keizer, unless it has them.

    Return notes of what was repaired; an empty list if nothing was. Raise KeizerError
    if the file has triggers that somebody added, or a table whose name keizer needs.
    """
    if code_of_file(conn).is_current:
        return []
    # Imported late: module refresh takes time to import, and few files need it.
    from keizer.store import refresh

    notes = refresh.note_differences(conn)
    refusals = refresh.refresh(conn)
    _refuse_if_any(path, refusals)
    return notes


def _refuse_additions(path: StrPath, conn: sqlite3.Connection) -> None:
    """Raise KeizerError if additions in a file can refuse or change what is entered.

    Additions are what somebody else put into the file: triggers, indexes or columns.
    """
    file_code = code_of_file(conn)
    is_changed = file_code.may_be_by_hand or not file_code.has_own_tables
    # Most files need no closer look, and module refresh takes time to import.
    if is_changed or file_code.added_triggers:
        from keizer.store import refresh

        _refuse_if_any(path, refresh.refusals_of_additions(conn))


def _refuse_if_unsafe(path: StrPath, file_code: connection.Code) -> None:
    """Raise KeizerError if a file is not safe to read.

    It is not if SQLite would run foreign code as soon as it reads a table.
    """
    if file_code.reasons_not_to_read:
        raise KeizerError(
            "{file}: {said} Until that is changed, keizer reads nothing of it:"
            " `keizer check` says more, and `keizer restore` lists the snapshots.",
            file=str(path),
            said=file_code.reasons_not_to_read[0],
        )


def _refuse_if_any(path: StrPath, problems: Iterable[Message]) -> None:
    """Raise KeizerError if there are problems for which a file must not be written.

    The error names the first of them only.
    """
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
    """Provide a connection to change a file of any earlier layout, and commit it.

    All changes are one transaction. First a snapshot of the file is made. After the
    commit, a message on the migration is added to `last_messages`, for a user interface
    to show. Raise KeizerError, before the caller can change anything, if the snapshot
    cannot be made or if pages of the file are damaged.
    """
    # Imported late: these modules take time to import, and hardly any command migrates.
    from keizer.store.backup import snapshots
    from keizer.store.soundness import proof

    with _translating_errors(path), _to_write(path, migrate=True) as conn:
        # The transaction has begun, so no other program can write. It has changed
        # nothing yet, so the snapshot and the check are of the file as it was.
        snapshots.make(path, "before migrate")
        with snapshots.open_to_read(path) as unchanged_file:
            if proof.has_damaged_pages(unchanged_file):
                raise _error_of_damage(path)
        yield conn
        conn.execute("COMMIT")
        last_messages.append(say("it was migrated"))
