"""A journal or WAL beside a file: shown to be of it before SQLite touches either.

SQLite takes `club.db-journal` or `club.db-wal` for the unfinished or latest changes of
`club.db`, and writes them into it. Where they are of another file, or of another state of
this one (a copy of yesterday dragged over the file of today), that destroys the file or puts
another in its place without a word (https://sqlite.org/howtocorrupt.html).

So SQLite tries them on a copy. They are of the file if the copy is then whole and as sound as
the file, and the log of one is the beginning of the log of the other; a journal takes back
one transaction at most. Otherwise nothing is touched, and KeizerError says what to do.
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
from keizer.store.connection import code, connect

SUFFIXES = ("-journal", "-wal", "-shm")
"""What SQLite calls the files beside a file."""

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""How the header of a journal begins, and what follows the name of a super-journal, at its end."""
_SUPER_JOURNAL_TAIL = 16
"""Bytes behind that name: its length, a checksum, and that."""
_WAL_HEADER, _FRAME_HEADER = 32, 24
"""Bytes before the frames of a WAL, and before the page of each."""


def _warn(note: Message) -> None:
    warnings.warn(str(note), stacklevel=2)


tell: Callable[[Message], None] = _warn
"""What says a message to whoever uses the file; the command has its own."""


def beside(path: StrPath) -> list[str]:
    """Return the journal and the WAL of a file that have something in them."""
    real = os.path.realpath(path)
    for name in (real + suffix for suffix in SUFFIXES):
        if os.path.lexists(name) and (os.path.islink(name) or not os.path.isfile(name)):
            # SQLite would wait for a pipe
            raise KeizerError("{file} is no file: move it away.", file=name)
    return [real + suffix for suffix in SUFFIXES[:2] if stamp(real + suffix)[0]]


def stamp(path: str) -> tuple[int, ...]:
    """Return size, times and number of a file: the same as long as nobody has changed it."""
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
def readable(path: StrPath) -> Iterator[StrPath]:
    """Yield the path to read a file from, once `finish` has dealt with what lies beside it.

    If file or folder cannot be written, it is the path of a copy. Raises KeizerError like `finish`.
    """
    real = os.path.realpath(path)
    if os.access(real, os.W_OK) and os.access(os.path.dirname(real), os.W_OK):
        finish(path)
        yield path
        return
    companions = beside(path)
    if companions:
        with _tried(path, companions) as (_, after):
            yield after.path
    elif _is_in_wal_mode(real):  # SQLite would make files beside it
        with _copied(real) as copy:
            yield copy
    else:
        yield path


def finish(path: StrPath) -> None:
    """Have SQLite take in or back what lies beside a file, if that is of the file.

    Raises KeizerError where it is not, or where nothing is whole, and touches nothing.
    """
    companions = beside(path)
    _refuse_super_journal(path, companions)
    real = os.path.realpath(path)
    wal = f"{real}-wal"
    if not companions or (wal not in companions and not _is_hot(real)):
        return
    stamps = [stamp(name) for name in (real, *companions)]
    try:
        with _tried(path, companions) as (before, after):
            pass
    except (KeizerError, OSError):
        if stamps == [stamp(name) for name in (real, *companions)]:
            raise
        return  # another program is at work on it, and SQLite waits for that
    with suppress(sqlite3.Error), closing(connect(real, "rw", timeout=0)) as conn:
        conn.execute("PRAGMA schema_version")
    if any(os.path.exists(name) for name in companions):
        return  # another program has the file open
    if before.log != after.log:
        _tell_changes(path, takes_in=wal in companions)
    if after.wal:
        _keep_wal(path, after.wal)


def refuse_leftovers(path: StrPath) -> None:
    """Raise KeizerError if a file is not there and its journal or WAL is.

    SQLite would take that for the unfinished changes of a new file of the name.
    """
    for companion in beside(path):
        raise KeizerError(
            "{companion} is left from a {file} that is gone: rename {companion} first.",
            companion=companion,
            file=os.path.basename(path),
        )


def _refuse_super_journal(path: StrPath, companions: list[str]) -> None:
    """Raise KeizerError if the journal among the files beside a file names a super-journal.

    SQLite deletes that file, which can be any, once it has played the journal back
    (https://sqlite.org/fileformat2.html#the_rollback_journal). It looks for the name at the end
    of the journal alone, and also where the header is not valid.
    """
    for companion in companions:
        if companion.endswith("-journal") and _names_super_journal(companion):
            raise KeizerError(
                "{companion} names another file, which SQLite would delete: move it away, unless"
                " a program of yours was changing several files at once; then open {file} in that"
                " one first.",
                companion=companion,
                file=str(path),
            )


def _names_super_journal(journal: str) -> bool:
    """Return whether a journal ends as one does that names a super-journal."""
    try:
        with open(journal, "rb") as file:
            file.seek(-_SUPER_JOURNAL_TAIL, os.SEEK_END)
            return file.read().endswith(_JOURNAL_MAGIC)
    except OSError:  # it is shorter, or the command that had it has ended
        return False


def _is_hot(path: str) -> bool:
    """Return whether SQLite would play the journal of a file back, by asking SQLite.

    It does so for nobody who may only read, and not while the program that writes is running.
    """
    try:
        with closing(connect(path, "ro", timeout=0)) as conn:
            conn.execute("PRAGMA schema_version")
    except sqlite3.Error as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK
    return False


class _State(NamedTuple):
    """A copy of a file as SQLite finds it.

    log: its lines, none where it has no log; None where the file is not whole. changes: how many
    transactions have changed it, by its header. wal: all of the WAL, if there is more in it than
    SQLite reads.
    """

    path: str
    log: list[tuple[object, ...]] | None
    changes: int
    wal: bytes


@contextmanager
def _tried(path: StrPath, companions: list[str]) -> Iterator[tuple[_State, _State]]:
    """Copy a file as it is alone, and as SQLite makes it of what lies beside it.

    Raises KeizerError if that is not of the file, or if nothing is whole.
    """
    _refuse_super_journal(path, companions)
    real = os.path.realpath(path)
    with _copied(real) as alone, _copied(real, *companions) as together:
        before, after = _state(alone), _state(together)
        belongs = _belongs(before, after, takes_in=f"{real}-wal" in companions)
        if not belongs and before.log is None:
            raise KeizerError(
                "{file} is damaged, with {companion} and without: both are left as they are, and"
                " `keizer restore {file}` lists the snapshots.",
                file=str(path),
                companion=[os.path.basename(companion) for companion in companions],
            )
        if not belongs:
            raise KeizerError(
                "{companion} does not belong to {file}: SQLite would damage or replace the season"
                " with it. Close the file in other programs; if that does not help, rename"
                " {companion}. Nothing was changed.",
                companion=companions,
                file=str(path),
            )
        yield before, after


def _belongs(before: _State, after: _State, *, takes_in: bool) -> bool:
    """Return whether a WAL (takes_in) or a journal is of the file: it leads to a state of it.

    That state has to be sound, unless the file alone is whole and not sound either.
    """
    from keizer.store.soundness import proof

    if after.log is None or not _follows(before, after, takes_in=takes_in):
        return False
    if proof.is_sound(after.path):
        return True
    return before.log is not None and not proof.is_sound(before.path)


def _follows(before: _State, after: _State, *, takes_in: bool) -> bool:
    """Return whether the log of one state is the beginning of the log of the other.

    A WAL adds to the log. A journal takes a transaction back, or one that had not reached the file;
    but that of a restore leads from the snapshot, which is in the file by then, to what was there.
    """
    if before.log is None or after.log is None:
        return True  # there is nothing to compare
    adds = after.log[: len(before.log)] == before.log
    if takes_in or len(after.log) > len(before.log):
        return adds
    takes_back = before.log[: len(after.log)] == after.log
    return takes_back and before.changes - after.changes in (0, 1)


def _tell_changes(path: StrPath, *, takes_in: bool) -> None:
    """Say that the log of a file is another now, by a WAL (takes_in) or by a journal."""
    if takes_in:
        note = say(
            "{file} lacked changes of another program, which were in {file}-wal. They are in"
            " {file} now.",
            file=str(path),
        )
    else:
        note = say(
            "A command that did not end had changed {file}. Its changes were taken back: enter"
            " them again.",
            file=str(path),
        )
    tell(note)


def _keep_wal(path: StrPath, content: bytes) -> None:
    """Keep a WAL that SQLite has not read to its end, and say so."""
    from tempfile import NamedTemporaryFile

    wal = f"{os.path.realpath(path)}-wal"
    with NamedTemporaryFile(prefix=f"{wal}.", suffix=".damaged", delete=False) as kept:
        kept.write(content)
    tell(
        say(
            "{companion} had more in it than SQLite can read: what another program entered last"
            " may be missing from {file}. {kept} is a copy of it.",
            companion=wal,
            file=str(path),
            kept=kept.name,
        )
    )


@contextmanager
def _copied(path: str, *companions: str) -> Iterator[str]:
    """Copy a file, with some of what lies beside it, to a folder that is removed afterwards."""
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.db")
        shutil.copyfile(path, copy)
        for companion in companions:
            shutil.copyfile(companion, copy + companion.removeprefix(path))
        yield copy


def _state(copy: str) -> _State:
    """Let SQLite open a copy, and take in or back what it finds beside it."""
    log, wal = None, b""
    with suppress(sqlite3.Error), closing(connect(copy, "rw")) as conn:
        for said in code(conn).barred:
            raise KeizerError(said)
        wal = _partly_read(conn, f"{copy}-wal")
        if conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]:
            log = _log(conn)
    return _State(copy, log, int.from_bytes(_header(copy)[24:28]), wal)


def _log(conn: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Return the log of a season without its seals, which come later; nothing of another file."""
    if conn.execute("PRAGMA application_id").fetchone() != (sql.APPLICATION_ID,):
        return []
    conn.text_factory = bytes
    return sql.run(conn, "log").fetchall()


def _partly_read(conn: sqlite3.Connection, wal: str) -> bytes:
    """Return all of a WAL if a transaction that ended is behind what SQLite reads of it.

    It stops where a checksum does not fit. What lies there of an earlier use of the WAL has other
    salts than its header, and what never ended has no frame that says how many pages the file then
    has (https://sqlite.org/fileformat2.html#the_write_ahead_log).
    """
    if not os.path.exists(wal):
        return b""
    _, frames, _ = conn.execute("PRAGMA wal_checkpoint").fetchone()
    (page_size,) = conn.execute("PRAGMA page_size").fetchone()
    with open(wal, "rb") as file:
        content = file.read()
    size = _FRAME_HEADER + page_size
    first_unread = _WAL_HEADER + max(0, frames) * size
    for place in range(first_unread, len(content) - size + 1, size):
        frame = content[place : place + _FRAME_HEADER]
        ends_transaction = any(frame[4:8])
        # A bit that turned over leaves one of the two salts as it was.
        is_of_now = frame[8:12] == content[16:20] or frame[12:16] == content[20:24]
        if ends_transaction and is_of_now:
            return content
    return b""


def _is_in_wal_mode(path: str) -> bool:
    """Return whether the latest changes of a file are in a -wal file, by its header."""
    return b"\2" in _header(path)[18:20]


def _header(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(28)
