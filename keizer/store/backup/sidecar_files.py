"""A journal or WAL beside a file, and the proof that it belongs to the file.

SQLite uses `club.db-journal` to undo an unfinished change of `club.db`, and
`club.db-wal` to add the latest changes to it. It does so even if they belong to another
file, or to another state of this file, as when yesterday's copy was dragged over it.
That destroys the file, or replaces its content, without any error
(https://sqlite.org/howtocorrupt.html).

So keizer lets SQLite open a copy with its companions first. They belong to the file if
- the copy is then whole, and as sound as the file,
- the log of one is the beginning of the log of the other, and
- a journal takes back one transaction at most.
Otherwise nothing is touched, and a KeizerError says what to do.
"""

import os
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.store import sql
from keizer.store.atomic import StrPath
from keizer.store.connection import code_of_file, connect

_JOURNAL = "-journal"
_WAL = "-wal"
SUFFIXES = (_JOURNAL, _WAL, "-shm")
"""How the names of the files end that SQLite puts beside a file: its companions."""

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""The first bytes of a journal, and the last bytes if it names a super-journal."""
_SUPER_JOURNAL_TAIL = 16
"""The number of bytes behind that name: its length, a checksum, and the magic bytes."""

_WAL_HEADER = 32
"""The number of bytes before the frames of a WAL."""
_FRAME_HEADER = 24
"""The number of bytes of a frame before its page."""

Log = list[tuple[object, ...]]
"""The lines of table log, with texts as bytes."""


def _warn(note: Message) -> None:
    """Give a note as a warning of Python."""
    warnings.warn(str(note), stacklevel=2)


notify: Callable[[Message], None] = _warn
"""The function that tells the user a note. The command line sets its own."""


def companions_of(path: StrPath) -> list[str]:
    """Return the paths of the journal and the WAL of a file, its companions.

    Those that are missing or empty are left out. Raises KeizerError if a folder, link
    or pipe has the name of a file that SQLite puts beside this one.
    """
    real = os.path.realpath(path)
    for suffix in SUFFIXES:
        name = real + suffix
        if not os.path.lexists(name):
            continue
        if os.path.islink(name) or not os.path.isfile(name):
            # SQLite would wait for a pipe.
            raise KeizerError(
                "{file} is not a regular file; move it elsewhere.", file=name
            )
    companions = []
    for name in (real + _JOURNAL, real + _WAL):
        size, *_ = state_of_file(name)
        if size:
            companions.append(name)
    return companions


def state_of_file(path: str) -> tuple[int, ...]:
    """Return the state of a file: equal states mean that nobody changed the file.

    It has the size, the times of the last change of content and of status, the inode
    and the device. If there is no such file, it is (0,).
    """
    try:
        status = os.stat(path)
    except OSError:
        return (0,)
    return (
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_dev,
    )


@contextmanager
def readable_path(path: StrPath) -> Iterator[StrPath]:
    """Provide a path from which SQLite can read a file with its latest changes.

    These may be in a companion of the file: the journal or WAL beside it. If the file
    and its folder can be written, SQLite applies the companions to the file, and its
    path is provided. Otherwise it may be the path of a copy.
    Raises KeizerError if a companion does not belong to the file, or as
    `finish_companions` does.
    """
    real = os.path.realpath(path)
    if os.access(real, os.W_OK) and os.access(os.path.dirname(real), os.W_OK):
        finish_companions(path)
        yield path
        return
    companions = companions_of(path)
    if companions:
        with _opened_copies(path, companions) as (_, together):
            yield together.path
    elif _is_in_wal_mode(real):
        # To read such a file, SQLite has to make files beside it, and here it cannot.
        with _copied(real) as copy:
            yield copy
    else:
        yield path


def finish_companions(path: StrPath) -> None:
    """Have SQLite apply the journal or WAL of a file, and tell the user about it.

    A WAL adds changes of another program; a journal takes unfinished changes back. What
    SQLite cannot read of a WAL is saved in a file beside it. Nothing is done if there
    is no such companion, or if another program is at work with the file.
    Raises KeizerError, and touches nothing, if the companion does not belong to the
    file, or if the file is damaged with and without it.
    """
    companions = companions_of(path)
    # This comes first: once SQLite opens the file in any way, it may be too late.
    _refuse_super_journal(path, companions)
    real = os.path.realpath(path)
    has_wal = real + _WAL in companions
    if not companions:
        return
    if not has_wal and not _is_hot(real):
        # SQLite would not apply this journal now.
        return
    names = [real, *companions]
    states_before = [state_of_file(name) for name in names]
    try:
        with _opened_copies(path, companions) as (alone, together):
            # Below, only what SQLite read in the copies is used. So they may go now.
            pass
    except (KeizerError, OSError):
        states_after = [state_of_file(name) for name in names]
        if states_before == states_after:
            raise
        # Another program was writing while the copies were made, so they may be wrong.
        # When SQLite opens the file, it will wait for that program.
        return
    with suppress(sqlite3.Error), closing(connect(real, "rw", timeout=0)) as conn:
        # SQLite applies a journal when anything is read, and a WAL when the last
        # connection closes. It deletes either afterwards.
        conn.execute("PRAGMA schema_version")
    if any(os.path.exists(name) for name in companions):
        # Another program has the file open, and goes on using its companions.
        return
    if alone.log != together.log:
        _tell_changes(path, has_wal=has_wal)
    if together.unread_wal:
        _keep_wal(path, together.unread_wal)


def refuse_leftovers_if_any(path: StrPath) -> None:
    """Raise KeizerError if a journal or WAL lies beside the place of a file.

    Call this only if the file itself does not exist. If it was created, SQLite would
    apply the journal or WAL of the lost file to the new one.
    """
    leftovers = companions_of(path)
    if leftovers:
        raise KeizerError(
            "{companion} was left behind by a {file} that is gone; rename"
            " {companion} first.",
            companion=leftovers[0],
            file=os.path.basename(path),
        )


def _refuse_super_journal(path: StrPath, companions: list[str]) -> None:
    """Raise KeizerError if the journal of a file names a super-journal.

    A super-journal is a file for a change of several databases at once. Once SQLite has
    applied the journal, it deletes the file of that name, whatever file it is
    (https://sqlite.org/fileformat2.html#the_rollback_journal). SQLite finds the name at
    the end of the journal, even if the header of the journal is not valid.
    companions: the paths of the journal and the WAL of the file, as far as they exist.
    """
    for companion in companions:
        if companion.endswith(_JOURNAL) and _names_super_journal(companion):
            raise KeizerError(
                "{companion} names another file, which SQLite would delete: move it"
                " away, unless a program of yours was changing several files at once;"
                " then open {file} in that one first.",
                companion=companion,
                file=str(path),
            )


def _names_super_journal(journal: str) -> bool:
    """Return whether a journal names a super-journal, by its last bytes."""
    try:
        with open(journal, "rb") as file:
            file.seek(-_SUPER_JOURNAL_TAIL, os.SEEK_END)
            return file.read().endswith(_JOURNAL_MAGIC)
    except OSError:
        # The journal is too short to name one, or its command has ended and deleted it.
        return False


def _is_hot(path: str) -> bool:
    """Return whether SQLite would apply the journal of a file if it opened the file.

    SQLite calls such a journal "hot". A journal is not hot while the program that
    writes it is still at work.
    """
    try:
        # SQLite refuses to read a file with a hot journal if it may not write to it.
        with closing(connect(path, "ro", timeout=0)) as conn:
            conn.execute("PRAGMA schema_version")
    except sqlite3.Error as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK
    return False


class _OpenedCopy(NamedTuple):
    """A copy of a file, after SQLite has opened it and applied its journal or WAL.

    path: the path of the copy.
    log: the lines of its log; None if the copy is damaged, and an empty list if it is
    not a season file.
    change_counter: the number of transactions that changed it, from its header.
    unread_wal: the whole content of the WAL, if it has a transaction that SQLite cannot
    read. b"" if SQLite can read all of it, or if there is no WAL.
    """

    path: str
    log: Log | None
    change_counter: int
    unread_wal: bytes

    @property
    def is_damaged(self) -> bool:
        """Whether the copy is damaged, so that its log cannot be read."""
        return self.log is None


@contextmanager
def _opened_copies(
    path: StrPath, companions: list[str]
) -> Iterator[tuple[_OpenedCopy, _OpenedCopy]]:
    """Make two copies of a file, let SQLite open them, and provide both.

    The first copy is of the file alone. The second is of the file together with its
    companions, which SQLite applies to that copy. Both are removed afterwards.
    companions: the paths of the journal and the WAL of the file, as far as they exist.
    Raises KeizerError if the companions do not belong to the file, or if both copies
    are damaged.
    """
    _refuse_super_journal(path, companions)
    real = os.path.realpath(path)
    has_wal = real + _WAL in companions
    with _copied(real) as copy, _copied(real, *companions) as full_copy:
        alone = _open_copy(copy)
        together = _open_copy(full_copy)
        belongs = _belongs(alone, together, has_wal=has_wal)
        if not belongs and alone.is_damaged:
            raise KeizerError(
                "{file} is damaged, with {companion} and without: both are left as they"
                " are, and `keizer restore {file}` lists the snapshots.",
                file=str(path),
                companion=[os.path.basename(companion) for companion in companions],
            )
        if not belongs:
            raise KeizerError(
                "{companion} does not belong to {file}: SQLite would damage or replace"
                " the season with it. Close the file in other programs; if that does"
                " not help, rename {companion}. Nothing was changed.",
                companion=companions,
                file=str(path),
            )
        yield alone, together


def _belongs(alone: _OpenedCopy, together: _OpenedCopy, *, has_wal: bool) -> bool:
    """Return whether the companions of a file, its journal or WAL, belong to it.

    They do if the file is whole with them, if its log fits, and if it is as sound with
    them as without.
    alone, together: the copy of the file without companions and the one with them.
    has_wal: there is a WAL among the companions, and not only a journal.
    """
    # Imported late: most files have no companions, and this import takes long.
    from keizer.store.soundness import proof

    if together.is_damaged or not _logs_fit(alone, together, has_wal=has_wal):
        return False
    if proof.is_sound(together.path):
        return True
    # The companions are not at fault if the file alone is whole, but not sound either.
    return not alone.is_damaged and not proof.is_sound(alone.path)


def _logs_fit(alone: _OpenedCopy, together: _OpenedCopy, *, has_wal: bool) -> bool:
    """Return whether the log of one copy is the beginning of the log of the other.

    A log only grows, so this shows that both are states of the same file. True also if
    a copy is damaged, and so has no log to compare.
    alone, together: the copy of a file without its journal and WAL, and the one with
    them. has_wal: the second one has a WAL, and not only a journal.
    """
    if alone.log is None or together.log is None:  # one is damaged
        return True
    # A WAL makes the log longer, and so does the journal of an unfinished restore: it
    # leads from the snapshot, already in the file, back to the file as it was.
    if has_wal or len(together.log) > len(alone.log):
        return _begins_with(together.log, alone.log)
    # Any other journal takes one transaction back, or none if the interrupted command
    # had not written to the file yet.
    transactions_undone = alone.change_counter - together.change_counter
    if transactions_undone not in (0, 1):
        return False
    return _begins_with(alone.log, together.log)


def _begins_with(log: Log, start: Log) -> bool:
    """Return whether a log begins with all lines of another log, `start`."""
    return log[: len(start)] == start


def _tell_changes(path: StrPath, *, has_wal: bool) -> None:
    """Tell the user what SQLite has just done to a file.

    has_wal: it added the changes that were in the WAL. Otherwise it undid the changes
    of an interrupted command, by the journal.
    """
    if has_wal:
        notify(
            say(
                "{file} lacked changes of another program, which were in {file}-wal."
                " They are in {file} now.",
                file=str(path),
            )
        )
    else:
        notify(
            say(
                "A command that was interrupted had changed {file}. Its changes were"
                " undone; enter them again.",
                file=str(path),
            )
        )


def _keep_wal(path: StrPath, content: bytes) -> None:
    """Save a WAL that SQLite could not read to its end, and tell the user.

    It is saved in a new file beside the WAL. content: the bytes of the WAL.
    """
    # Imported late, as this is hardly ever needed and the import takes time.
    from tempfile import NamedTemporaryFile

    wal = os.path.realpath(path) + _WAL
    with NamedTemporaryFile(prefix=f"{wal}.", suffix=".damaged", delete=False) as copy:
        copy.write(content)
    notify(
        say(
            "{companion} had more in it than SQLite can read: what another program"
            " entered last may be missing from {file}. {kept} is a copy of it.",
            companion=wal,
            file=str(path),
            kept=copy.name,
        )
    )


@contextmanager
def _copied(path: str, *companions: str) -> Iterator[str]:
    """Provide a copy of a file, in a folder that is removed afterwards.

    companions: the paths of its journal and WAL, which are copied beside the copy.
    """
    # Imported late, as most files need no copy and the import takes time.
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.db")
        shutil.copyfile(path, copy)
        for companion in companions:
            suffix = companion.removeprefix(path)
            shutil.copyfile(companion, copy + suffix)
        yield copy


def _open_copy(copy: str) -> _OpenedCopy:
    """Have SQLite open a copy and apply its journal or WAL; return what it reads then.

    If SQLite raises any error, the copy is taken for damaged, and its log is None. The
    WAL is kept as `unread_wal` if it has a transaction that SQLite cannot read.
    copy: the path. Raises KeizerError if SQLite would run definitions in the copy by
    itself.
    """
    # An error may come in between. Then what was not read yet has these values.
    log = None
    unread_wal = b""
    with suppress(sqlite3.Error), closing(connect(copy, "rw")) as conn:
        reasons = code_of_file(conn).reasons_not_to_read
        if reasons:
            raise KeizerError(reasons[0])
        # This comes before the connection is closed: SQLite deletes the WAL then.
        unread_wal = _content_if_unread(conn, copy + _WAL)
        if conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]:
            log = _log(conn)
    # https://sqlite.org/fileformat2.html#file_change_counter
    change_counter = _header(copy)[24:28]
    return _OpenedCopy(
        path=copy,
        log=log,
        change_counter=int.from_bytes(change_counter),
        unread_wal=unread_wal,
    )


def _log(conn: sqlite3.Connection) -> Log:
    """Return the lines of the log of a season file; an empty list for any other file.

    The column seal is left out: lines that are equal otherwise may differ in it, as a
    line may get its seal later.
    """
    application = conn.execute("PRAGMA application_id").fetchone()
    if application != (sql.APPLICATION_ID,):
        return []
    # As bytes, since another program may have written a text that is not UTF-8.
    conn.text_factory = bytes
    return sql.run(conn, "log").fetchall()


def _content_if_unread(conn: sqlite3.Connection, wal: str) -> bytes:
    """Return the content of a WAL that has a transaction SQLite cannot read, else b"".

    A WAL is a header and a list of frames, each with a page of the database. SQLite
    reads it up to the first frame whose checksum is wrong. A transaction is lost if its
    last frame comes after that. The last frame of a transaction has the size of the
    database in pages; the other frames have a 0 there. Frames of an earlier use of the
    WAL do not count: they have other random numbers ("salts") than the header
    (https://sqlite.org/fileformat2.html#the_write_ahead_log).
    conn: a connection to the file. wal: the path of the WAL.
    """
    if not os.path.exists(wal):
        return b""
    # The second number is how many frames SQLite can read; -1 without WAL mode.
    _, frames, _ = conn.execute("PRAGMA wal_checkpoint").fetchone()
    (page_size,) = conn.execute("PRAGMA page_size").fetchone()
    with open(wal, "rb") as file:
        content = file.read()
    frame_size = _FRAME_HEADER + page_size
    first_unread = _WAL_HEADER + max(0, frames) * frame_size
    last_frame = len(content) - frame_size
    for start in range(first_unread, last_frame + 1, frame_size):
        frame_header = content[start : start + _FRAME_HEADER]
        ends_transaction = any(frame_header[4:8])
        if not ends_transaction:
            continue
        # One equal salt is enough: the other one may be what was damaged.
        has_first_salt = frame_header[8:12] == content[16:20]
        has_second_salt = frame_header[12:16] == content[20:24]
        if has_first_salt or has_second_salt:
            return content
    return b""


def _is_in_wal_mode(path: str) -> bool:
    """Return whether the header of a file says that changes of it go to a WAL."""
    # The two bytes are the versions for writing and reading; 2 stands for WAL.
    return b"\2" in _header(path)[18:20]


def _header(path: str) -> bytes:
    """Return the first 28 bytes of a file: its header up to the change counter."""
    with open(path, "rb") as file:
        return file.read(28)
