"""A journal or WAL beside a file: shown to be of it before SQLite touches either.

SQLite takes `club.db-journal` or `club.db-wal` for the unfinished or latest changes of
`club.db`, and writes them into it. Where they are of another file, or of another state of
this one (a copy of yesterday dragged over the file of today), that destroys the file or puts
another in its place without a word (https://sqlite.org/howtocorrupt.html).

So SQLite tries both on a copy. They are of the file if the copy is then whole and as sound as
the file, and the log of one is the beginning of the log of the other; a journal takes back
one command at most. Otherwise the companion gets another name, a message says so, and the file
stays as it is.
"""

import os
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Literal

from keizer.errors import KeizerError
from keizer.messages import Message, plural, say
from keizer.store.atomic import StrPath
from keizer.store.connection import code, connect

SUFFIXES = ("-journal", "-wal", "-shm")
"""What SQLite calls the files beside a file."""

_LOCKS = 0x40000000, 512
"""Where SQLite locks a file that it reads or writes: the first byte, and how many."""

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""How the header of a journal begins, and what follows the name of a super-journal, at its end."""
_WAL_HEADER, _FRAME_HEADER = 32, 24
"""Bytes before the frames of a WAL, and before the page of each."""
_SUPER_JOURNAL_TAIL = 16
"""Bytes behind that name: its length, a checksum, and that."""


def _warn(note: Message) -> None:
    warnings.warn(str(note), stacklevel=2)


tell: Callable[[Message], None] = _warn
"""What says a message to whoever uses the file; the command has its own."""


def beside(path: StrPath) -> list[str]:
    """The journal and the WAL of a file that have something in them."""
    real = os.path.realpath(path)
    for there in (real + end for end in SUFFIXES):
        if os.path.lexists(there) and (os.path.islink(there) or not os.path.isfile(there)):
            # SQLite would wait for a pipe
            raise KeizerError("{file} is no file: move it away.", file=there)
    return [real + end for end in SUFFIXES[:2] if stamp(real + end)[0]]


def stamp(path: str) -> tuple[int, ...]:
    """Size, times and number of a file: the same as long as nobody has changed it."""
    try:
        found = os.stat(path)
    except OSError:
        return (0,)
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev


@contextmanager
def readable(path: StrPath) -> Iterator[StrPath]:
    """The path to read a file from, once `settle` has dealt with what lies beside it.

    Where file or folder cannot be written: that of a copy. Raises KeizerError like `settle`.
    """
    real = os.path.realpath(path)
    if os.access(real, os.W_OK) and os.access(os.path.dirname(real), os.W_OK):
        settle(path)
        yield path
        return
    companions = beside(path)
    if not companions and not _in_wal_mode(real):
        yield path
        return
    _refuse_super_journal(path, companions)
    taken = [companion for companion in companions if _news(path, companion) is not None]
    with _copied(real, *taken) as copy:
        _finish(copy, real)
        yield copy


def settle(path: StrPath) -> None:
    """Finish or set aside a journal or WAL beside a file, before the file is written.

    One of this file is finished, unless another program has the file open; one of another
    file is renamed. Raises KeizerError where neither is possible, or nothing is whole.
    """
    real = os.path.realpath(path)
    companions = beside(path)
    _refuse_super_journal(path, companions)
    for companion in companions:
        if companion.endswith("-journal") and _is_being_written(real):
            continue  # SQLite leaves it alone until that program has let go
        before = stamp(real), stamp(companion)
        try:
            news = _news(path, companion)
        except (KeizerError, OSError):
            if os.path.exists(companion) and before == (stamp(real), stamp(companion)):
                raise
            continue  # somebody is at work on it, or has ended
        with _alone(real) as alone:
            if before != (stamp(real), stamp(companion)):
                continue  # somebody is at work on it
            if news is None and not alone:
                raise KeizerError(
                    "{companion} does not belong to {file}, and another program has the file open:"
                    " close it there.",
                    companion=companion,
                    file=str(path),
                )
            if news is None:
                _set_aside(companion, str(path))
            elif news and alone:
                _keep_without(real, companion, news)
        if news is not None and alone:
            _finish(real)


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
    """Return whether a journal has the name of a super-journal where SQLite looks for it."""
    try:
        with open(journal, "rb") as file:
            file.seek(-_SUPER_JOURNAL_TAIL, os.SEEK_END)
            return file.read().endswith(_JOURNAL_MAGIC)
    except OSError:  # it is shorter, or the command that had it has ended
        return False


def set_aside(path: StrPath) -> None:
    """Rename a journal or WAL of a file that does not exist, so that SQLite ignores it."""
    for companion in beside(path):
        _set_aside(companion, say("{file}, which is not there", file=str(path)))


def _set_aside(companion: str, file: str | Message) -> None:
    aside = _aside(companion)
    try:
        os.rename(companion, aside)
    except OSError as error:
        raise KeizerError(
            "{companion} does not belong to {file}: move it elsewhere ({problem}).",
            companion=companion, file=file, problem=error.strerror,
        ) from error  # fmt: skip
    tell(
        say(
            "{companion} does not belong to {file}. It is called {aside} now, and nothing of it"
            " was used.",
            companion=companion, file=file, aside=aside,
        )
    )  # fmt: skip


def _keep_without(path: str, companion: str, news: int) -> None:
    """Keep the file as it is, and say what the companion makes of it: it may be a copy."""
    import shutil

    aside = _aside(path)
    shutil.copy2(path, aside)
    facts = {"companion": companion, "file": path, "aside": aside}
    if companion.endswith("-wal"):
        note = plural(
            "{companion} had {number:,} change that {file} lacked. They are in {file} now;"
            " {aside} is the file without them.",
            "{companion} had {number:,} changes that {file} lacked. They are in {file} now;"
            " {aside} is the file without them.",
            news,
            **facts,
        )
    else:
        note = plural(
            "A command that did not end left {number:,} change in {file}. They were taken back;"
            " {aside} is the file with them.",
            "A command that did not end left {number:,} changes in {file}. They were taken back;"
            " {aside} is the file with them.",
            news,
            **facts,
        )
    tell(note)


def _has_unread_changes(wal: str, frames: int, page_size: int) -> bool:
    """Return whether a WAL has a transaction that ended, behind the frames that SQLite takes in.

    They end where a checksum does not fit. What was never ended is behind them after a crash, and
    has no frame that says how many pages the file then has; what lies there of an earlier use
    of the WAL has other salts (https://sqlite.org/fileformat2.html#the_write_ahead_log).
    """
    size = _FRAME_HEADER + page_size
    if frames < 0 or not os.path.exists(wal):  # another program is at work on it
        return False
    with open(wal, "rb") as file:
        header = file.read(_WAL_HEADER)
        is_whole = _is_wal_header(header)
        for number in range(frames, (os.path.getsize(wal) - _WAL_HEADER) // size):
            file.seek(_WAL_HEADER + number * size)
            frame = file.read(_FRAME_HEADER)
            ends_transaction = any(frame[4:8])
            # A bit that turned over leaves one of the two salts as it was.
            is_of_now = frame[8:12] == header[16:20] or frame[12:16] == header[20:24]
            if ends_transaction and (is_of_now or not is_whole):
                return True
    return False


def _is_wal_header(header: bytes) -> bool:
    """Return whether the checksum of the header of a WAL fits."""
    if len(header) < _WAL_HEADER:
        return False
    order: Literal["big", "little"] = "big" if header[3] & 1 else "little"
    words = [int.from_bytes(header[place : place + 4], order) for place in range(0, 24, 4)]
    first = second = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) % 2**32
        second = (second + odd + first) % 2**32
    return header[24:] == first.to_bytes(4, "big") + second.to_bytes(4, "big")


def _keep_unread(wal: str, *, is_deleted: bool) -> None:
    """Say that SQLite passes over changes in a WAL, and keep a copy if it is about to go."""
    import shutil

    aside = wal
    if is_deleted:
        aside = _aside(wal)
        shutil.copy2(wal, aside)
    tell(
        say(
            "{companion} is damaged: changes that another program had ended are in it and cannot"
            " be read. {aside} has them.",
            companion=wal,
            aside=aside,
        )
    )


def _aside(path: str) -> str:
    """A name beside a file that nothing has."""
    number = 1
    while os.path.exists(f"{path}.aside-{number}"):
        number += 1
    return f"{path}.aside-{number}"


def _finish(path: str, original: str | None = None) -> None:
    """Have SQLite take in or back what it found, and nothing lie there any more.

    original: the file of which this is a copy, if it is one.
    """
    with suppress(sqlite3.Error), closing(connect(path, "rw", timeout=0)) as conn:
        conn.execute("SELECT 1 FROM sqlite_master")
        if conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
            # It is taken in as the last connection closes, and what is left of it is deleted.
            _, frames, _ = conn.execute("PRAGMA wal_checkpoint").fetchone()
            (page_size,) = conn.execute("PRAGMA page_size").fetchone()
            if _has_unread_changes(f"{path}-wal", frames, page_size):
                _keep_unread(f"{original or path}-wal", is_deleted=original is None)
            return
        # One that never began stays: only who changes to this mode takes it away.
        conn.execute("PRAGMA journal_mode = TRUNCATE")
        conn.execute("PRAGMA journal_mode = DELETE")


def _is_being_written(path: str) -> bool:
    """Whether another program has changes of a file in hand; False if unknown.

    Asked as SQLite does: who took that lock, be it for a moment, would have others take what a
    crash left for a file that is being written.
    """
    if sys.platform not in ("linux", "darwin"):
        return False
    import fcntl
    import struct

    # The second byte is locked by a program that has changes in hand, saved or not.
    kind, there = (fcntl.F_WRLCK, os.SEEK_SET), (_LOCKS[0] + 1, 1)
    layout, at, asked = "hhqqi4x", 0, (*kind, *there, 0)  # struct flock, as <fcntl.h> has it
    if sys.platform == "darwin":
        layout, at, asked = "qqihh", 3, (*there, 0, *kind)
    with open(path, "rb", buffering=0) as file:
        answer = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack(layout, *asked))
    return bool(struct.unpack(layout, answer)[at] != fcntl.F_UNLCK)


@contextmanager
def _alone(path: str) -> Iterator[bool]:
    """Whether nobody else has the file open; as long as this lasts, nobody opens it."""
    with ExitStack() as held:
        try:
            import fcntl
        except ImportError:  # Windows has no file renamed that is open
            yield True
            return
        try:
            file = held.enter_context(open(path, "r+b", buffering=0))
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKS[1], _LOCKS[0])
        except OSError:
            yield False
        else:
            yield True


@contextmanager
def _copied(path: str, *sidecar_files: str) -> Iterator[str]:
    """A copy of a file, with some of what lies beside it."""
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.db")
        shutil.copyfile(path, copy)
        for companion in sidecar_files:
            shutil.copyfile(companion, copy + companion.removeprefix(path))
        yield copy


def _news(path: StrPath, companion: str) -> int | None:
    """By how many lines of the log a file differs from itself with a journal or WAL taken in.

    None: that is not of the file. Raises KeizerError where neither is whole.
    """
    from keizer.store import proof

    real = os.path.realpath(path)
    wal = companion.endswith("-wal")
    with _copied(real) as without, _copied(real, companion) as together:
        has, gets = _log(without), _log(together)
        # A journal takes a transaction back, or one that had not reached the file.
        follows = _in_wal_mode(real) if wal else _changes(real) - _changes(together) in (0, 1)
        if has is None:
            if gets is not None and follows and proof.is_sound(together):
                return 0
            raise KeizerError(
                "{file} is damaged, with {companion} and without: both are left as they are, and"
                " `keizer restore {file}` lists the snapshots.",
                file=str(path),
                companion=os.path.basename(companion),
            )
        if gets is None or not follows:
            return None
        shorter, longer = (has, gets) if wal else (gets, has)
        news = longer[len(shorter) :]
        one_command = wal or len({line[1] for line in news}) <= 1
        as_sound = proof.is_sound(together) or not proof.is_sound(without)
        ours = longer[: len(shorter)] == shorter and one_command and as_sound
        return len(news) if ours else None


def _in_wal_mode(path: str) -> bool:
    """Whether the latest changes of a file are in a -wal file, by its header."""
    return b"\2" in _header(path)[18:20]


def _changes(path: str) -> int:
    """How many transactions have changed a file, by its header."""
    return int.from_bytes(_header(path)[24:28])


def _header(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(28)


def _log(path: str) -> list[tuple[object, ...]] | None:
    """The log of a file, empty where it has none; None where the file is not whole."""
    try:
        with closing(connect(path, "rw")) as conn:
            for said in code(conn).barred:
                raise KeizerError(said)
            if conn.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                return None
            if not conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'log'").fetchone():
                return []
            conn.text_factory = bytes
            return conn.execute("SELECT id, command_id, * FROM log ORDER BY id").fetchall()
    except sqlite3.Error:
        return None
