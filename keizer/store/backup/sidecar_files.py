"""A journal or WAL beside a file: shown to be of it before SQLite touches either.

SQLite takes `club.db-journal` or `club.db-wal` for the unfinished or latest changes of
`club.db`, and writes them into it. Where they are of another file, or of another state
of this one (a copy of yesterday dragged over the file of today), that destroys the file
or puts another in its place without a word (https://sqlite.org/howtocorrupt.html).

So SQLite tries them on a copy. They are of the file if the copy is then whole and as
sound as the file, and the log of one is the beginning of the log of the other; a
journal takes back one transaction at most. Otherwise nothing is touched, and
KeizerError says what to do.
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
from keizer.store.connection import code_of, connect

_JOURNAL = "-journal"
_WAL = "-wal"
SUFFIXES = (_JOURNAL, _WAL, "-shm")
"""What SQLite calls the files beside a file."""

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""How a journal begins, and how one ends that names a super-journal."""
_SUPER_JOURNAL_TAIL = 16
"""Bytes behind that name: its length, a checksum, and the magic."""

_WAL_HEADER = 32
"""Bytes before the frames of a WAL."""
_FRAME_HEADER = 24
"""Bytes before the page of each frame."""

Log = list[tuple[object, ...]]
"""The lines of table log, as bytes and numbers."""


def _warn(note: Message) -> None:
    warnings.warn(str(note), stacklevel=2)


notify: Callable[[Message], None] = _warn
"""What says a message to whoever uses the file; the command has its own."""


def companions_of(path: StrPath) -> list[str]:
    """Return the journal and the WAL of a file that have something in them.

    Raises KeizerError if something else has the name of one.
    """
    real = os.path.realpath(path)
    for suffix in SUFFIXES:
        name = real + suffix
        if not os.path.lexists(name):
            continue
        if os.path.islink(name) or not os.path.isfile(name):
            # SQLite would wait for a pipe.
            raise KeizerError("{file} is no file: move it away.", file=name)
    names = (real + _JOURNAL, real + _WAL)
    return [name for name in names if state_of_file(name)[0]]


def state_of_file(path: str) -> tuple[int, ...]:
    """Return size, times and number of a file: the same until somebody changes it.

    Of a file that is not there it is the size 0 alone.
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
    """Yield the path to read a file from, after `finish_companions`.

    If file or folder cannot be written, it is the path of a copy. Raises KeizerError
    like `finish_companions`.
    """
    real = os.path.realpath(path)
    if os.access(real, os.W_OK) and os.access(os.path.dirname(real), os.W_OK):
        finish_companions(path)
        yield path
        return
    companions = companions_of(path)
    if companions:
        with _tried(path, companions) as (_, together):
            yield together.path
    elif _is_in_wal_mode(real):
        # SQLite would make files beside it.
        with _copied(real) as copy:
            yield copy
    else:
        yield path


def finish_companions(path: StrPath) -> None:
    """Have SQLite take a WAL in, or changes back by a journal, if it is of the file.

    Raises KeizerError if it is not, or if nothing is whole, and touches nothing.
    """
    companions = companions_of(path)
    _refuse_super_journal(path, companions)
    real = os.path.realpath(path)
    has_wal = real + _WAL in companions
    if not companions or (not has_wal and not _is_hot(real)):
        return
    names = [real, *companions]
    stamps = [state_of_file(name) for name in names]
    try:
        with _tried(path, companions) as (alone, together):
            pass
    except (KeizerError, OSError):
        if stamps == [state_of_file(name) for name in names]:
            raise
        # Another program is at work on it, and SQLite waits for that.
        return
    with suppress(sqlite3.Error), closing(connect(real, "rw", timeout=0)) as conn:
        # To read anything has SQLite play a journal back, and the end of the last
        # connection has it take a WAL in.
        conn.execute("PRAGMA schema_version")
    if any(os.path.exists(name) for name in companions):
        # Another program has the file open, and goes on with them.
        return
    if alone.log != together.log:
        _tell_changes(path, takes_in=has_wal)
    if together.unread_wal:
        _keep_wal(path, together.unread_wal)


def refuse_leftovers(path: StrPath) -> None:
    """Raise KeizerError for a journal or a WAL of a file that is gone.

    SQLite would take it for the unfinished changes of a new file of the name.
    """
    for companion in companions_of(path):
        raise KeizerError(
            "{companion} is left from a {file} that is gone: rename {companion} first.",
            companion=companion,
            file=os.path.basename(path),
        )


def _refuse_super_journal(path: StrPath, companions: list[str]) -> None:
    """Raise KeizerError if the journal of a file names a super-journal.

    SQLite deletes that file, which can be any, once it has played the journal back
    (https://sqlite.org/fileformat2.html#the_rollback_journal). It looks for the name at
    the end of the journal alone, and also where the header is not valid.
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
    """Return whether a journal ends like one that names a super-journal."""
    try:
        with open(journal, "rb") as file:
            file.seek(-_SUPER_JOURNAL_TAIL, os.SEEK_END)
            return file.read().endswith(_JOURNAL_MAGIC)
    except OSError:
        # It is shorter, or the command that had it has ended.
        return False


def _is_hot(path: str) -> bool:
    """Return whether SQLite would play the journal of a file back, by asking SQLite.

    It does so for nobody who may only read, and not while the program that writes is
    running.
    """
    try:
        with closing(connect(path, "ro", timeout=0)) as conn:
            conn.execute("PRAGMA schema_version")
    except sqlite3.Error as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK
    return False


class _State(NamedTuple):
    """A copy of a file as SQLite finds it.

    log: its lines, none if it has no log; None if the file is not whole. changes: how
    many transactions have changed it, by its header. unread_wal: all of the WAL, if
    there is more in it than SQLite reads.
    """

    path: str
    log: Log | None
    changes: int
    unread_wal: bytes


@contextmanager
def _tried(path: StrPath, companions: list[str]) -> Iterator[tuple[_State, _State]]:
    """Yield two copies of a file as SQLite finds them: alone, and with its companions.

    Raises KeizerError if these are not of the file, or if nothing is whole.
    """
    _refuse_super_journal(path, companions)
    real = os.path.realpath(path)
    takes_in = real + _WAL in companions
    with _copied(real) as copy, _copied(real, *companions) as full_copy:
        alone = _state(copy)
        together = _state(full_copy)
        belongs = _belongs(alone, together, takes_in=takes_in)
        if not belongs and alone.log is None:
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


def _belongs(alone: _State, together: _State, *, takes_in: bool) -> bool:
    """Return whether a WAL (takes_in) or a journal is of the file.

    Then it leads to a state of the file. That one has to be sound, unless the file
    alone is whole and not sound either.
    """
    from keizer.store.soundness import proof

    if together.log is None or not _follows(alone, together, takes_in=takes_in):
        return False
    if proof.is_sound(together.path):
        return True
    return alone.log is not None and not proof.is_sound(alone.path)


def _follows(alone: _State, together: _State, *, takes_in: bool) -> bool:
    """Return whether the log of one state is the beginning of the log of the other.

    A WAL adds to the log. A journal takes a transaction back, or one that had not
    reached the file; but that of a restore leads from the snapshot, which is in the
    file by then, to what was there.
    """
    if alone.log is None or together.log is None:
        # There is nothing to compare.
        return True
    if takes_in or len(together.log) > len(alone.log):
        return _begins_with(together.log, alone.log)
    undone = alone.changes - together.changes
    if undone not in (0, 1):
        return False
    return _begins_with(alone.log, together.log)


def _begins_with(log: Log, start: Log) -> bool:
    return log[: len(start)] == start


def _tell_changes(path: StrPath, *, takes_in: bool) -> None:
    """Say that a WAL (takes_in) or a journal has changed the log of a file."""
    if takes_in:
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
                "A command that did not end had changed {file}. Its changes were taken"
                " back: enter them again.",
                file=str(path),
            )
        )


def _keep_wal(path: StrPath, content: bytes) -> None:
    """Keep a WAL that SQLite has not read to its end, and say so."""
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
    """Copy a file, and some companions, to a folder that is removed afterwards."""
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.db")
        shutil.copyfile(path, copy)
        for companion in companions:
            suffix = companion.removeprefix(path)
            shutil.copyfile(companion, copy + suffix)
        yield copy


def _state(copy: str) -> _State:
    """Let SQLite open a copy, and take in or back what it finds beside it.

    Raises KeizerError if the copy has definitions that would run unasked.
    """
    log = None
    unread_wal = b""
    with suppress(sqlite3.Error), closing(connect(copy, "rw")) as conn:
        for reason in code_of(conn).reasons_not_to_read:
            raise KeizerError(reason)
        unread_wal = _partly_read(conn, copy + _WAL)
        if conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]:
            log = _log(conn)
    change_counter = _header(copy)[24:28]
    return _State(
        path=copy,
        log=log,
        changes=int.from_bytes(change_counter),
        unread_wal=unread_wal,
    )


def _log(conn: sqlite3.Connection) -> Log:
    """Return the log of a season without its seals, which come later.

    Of another file it is empty.
    """
    application = conn.execute("PRAGMA application_id").fetchone()
    if application != (sql.APPLICATION_ID,):
        return []
    # A text that is not in UTF-8 can be compared as well.
    conn.text_factory = bytes
    return sql.run(conn, "log").fetchall()


def _partly_read(conn: sqlite3.Connection, wal: str) -> bytes:
    """Return all of a WAL if it has a whole transaction behind what SQLite reads of it.

    SQLite stops where a checksum does not fit. What lies there of an earlier use of the
    WAL has other salts than its header, and what never ended has no frame that says
    how many pages the file then has
    (https://sqlite.org/fileformat2.html#the_write_ahead_log).
    """
    if not os.path.exists(wal):
        return b""
    _, frames, _ = conn.execute("PRAGMA wal_checkpoint").fetchone()
    (page_size,) = conn.execute("PRAGMA page_size").fetchone()
    with open(wal, "rb") as file:
        content = file.read()
    frame_size = _FRAME_HEADER + page_size
    first_unread = _WAL_HEADER + max(0, frames) * frame_size
    last_frame = len(content) - frame_size
    for start in range(first_unread, last_frame + 1, frame_size):
        frame = content[start : start + _FRAME_HEADER]
        ends_transaction = any(frame[4:8])
        if not ends_transaction:
            continue
        # A bit that turned over leaves one of the two salts as it was.
        has_first_salt = frame[8:12] == content[16:20]
        has_second_salt = frame[12:16] == content[20:24]
        if has_first_salt or has_second_salt:
            return content
    return b""


def _is_in_wal_mode(path: str) -> bool:
    """Return whether the latest changes of a file are in a -wal file, by its header."""
    return b"\2" in _header(path)[18:20]


def _header(path: str) -> bytes:
    """Return the start of a file, up to its change counter."""
    with open(path, "rb") as file:
        return file.read(28)
