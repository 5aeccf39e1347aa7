"""Connections that stay open from one page of a face to the next."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import finalize

from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import Connection, SeenCode, connect

_Idle = dict[str, list[Connection]]
"""The connections that nobody uses at the moment, by mode: "ro" or "rw"."""


class Connections:
    """A pool of connections to a file, which stay open from one use to the next.

    SQLite parses the whole schema for each new connection, which takes longer than
    many a page.

    A connection is lent to one reader or writer at a time, in any thread. An idle
    connection locks nothing: other programs write, rename, replace and remove the file
    as if it were closed. It is lent again if the file, its journal and its WAL are as
    they were. If another program changed the file within the same tick of the clock,
    SQLite notices it. After an exception a connection is closed.

    The code of the file is read once for each state of the file. If it is the code of
    another keizer, a copy with the code of today is also made once for each state. One
    connection with such a copy stays open, if the copy is small.
    """

    def __init__(self) -> None:
        self._idle: _Idle = {"ro": [], "rw": []}
        self._file_state: tuple[object, ...] = ()
        self._seen_code: SeenCode | None = None
        self._lock = Lock()
        # The idle connections are closed when nobody refers to the pool any more.
        finalize(self, _close_all, self._idle)

    @contextmanager
    def lend(self, path: StrPath, mode: str) -> Iterator[Connection]:
        """Lend an idle connection to a file, or a new one, and take it back later.

        mode: "ro" or "rw".
        """
        file_state = state_of_file(path)
        with self._lock:
            self._close_outdated(file_state)
            idle = self._idle[mode]
            is_new = not idle
            conn = connect(path, mode, warm=True) if is_new else idle.pop()
            seen_code = self._seen_code
        is_kept = False
        try:
            if is_new and seen_code is not None:
                _reuse_seen_code(conn, path, file_state, seen_code)
            yield conn
            is_kept = self._take_back(conn, path, mode, file_state)
        finally:
            if not is_kept:
                conn.close()

    def close_idle(self) -> None:
        """Close the idle connections: each takes 5 MB."""
        with self._lock:
            _close_all(self._idle)

    def _close_outdated(self, file_state: tuple[object, ...]) -> None:
        """Close the idle connections if the file has changed since they were used.

        file_state: the state of the file now. The code seen before is forgotten, too.
        """
        if file_state != self._file_state:
            _close_all(self._idle)
            self._file_state = file_state
            self._seen_code = None

    def _take_back(
        self, conn: Connection, path: StrPath, mode: str, file_state: tuple[object, ...]
    ) -> bool:
        """Put a connection among the idle ones; return False if it must be closed.

        file_state: the state of the file when the connection was lent.
        """
        is_clean = _reset(conn)
        with self._lock:
            idle = self._idle[mode]
            # Meanwhile the file was lent to others in a later state.
            is_outdated = file_state != self._file_state
            if not is_clean or is_outdated or not _is_worth_keeping(conn, idle):
                return False
            if mode == "rw":
                # The change that this connection made is no reason to close the others:
                # SQLite tells them of it.
                self._file_state = state_of_file(path)
            self._seen_code = conn.seen_code
            idle.append(conn)
            return True


def _reuse_seen_code(
    conn: Connection, path: StrPath, file_state: tuple[object, ...], seen_code: SeenCode
) -> None:
    """Give a new connection the code that was seen before, if it is still valid.

    seen_code: the code of the file in the state `file_state`.
    """
    # The first SELECT has SQLite open the file and parse its schema. Somebody may have
    # changed the file just before that, so its state is compared after it.
    conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    if state_of_file(path) == file_state:
        conn.seen_code = seen_code


_STATE_SUFFIXES = ("", *sidecar_files.SUFFIXES[:2])
"""The suffixes of the season file itself, of its journal and of its WAL."""


def state_of_file(path: StrPath) -> tuple[object, ...]:
    """Return a value that stays the same as long as nobody changes a file.

    Another process gets another value, as it may not use the connections of this one.
    """
    process = os.getpid()
    real_path = os.path.realpath(path)
    stamps = [
        sidecar_files.state_of_file(real_path + suffix) for suffix in _STATE_SUFFIXES
    ]
    return process, real_path, *stamps


_LARGEST_COPY = 4 << 20
"""The most bytes of a refreshed copy that stays in memory with an idle connection."""


def _is_worth_keeping(conn: Connection, idle: list[Connection]) -> bool:
    """Return whether a connection is worth its memory while it is idle.

    One without a refreshed copy always is. One with a copy is, if the copy is small and
    nothing else is in `idle`, the idle connections of the same mode.
    """
    copy = conn.refreshed_copy
    if copy is None:
        return True
    (pages,) = copy.execute("PRAGMA page_count").fetchone()
    (page_size,) = copy.execute("PRAGMA page_size").fetchone()
    is_small = bool(pages * page_size <= _LARGEST_COPY)
    return is_small and not idle


def _reset(conn: sqlite3.Connection) -> bool:
    """End the transaction of a connection, and reset what its user may have set.

    Return whether it is as new and locks nothing. If not, it has to be closed.
    """
    if os.name == "nt":  # where nobody can rename or remove a file that is open
        return False
    conn.row_factory = None
    conn.text_factory = str
    try:
        conn.rollback()
        (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
        if journal_mode == "wal":  # the file is locked while a connection is open
            return False
        # Without a WAL this does nothing. But SQLite refuses it, by an error, while a
        # statement is half read and thus locks the file.
        conn.execute("PRAGMA wal_checkpoint").fetchone()
        databases = conn.execute("PRAGMA database_list").fetchall()
    except sqlite3.Error:
        return False
    # A second database has temporary tables, or was attached.
    return len(databases) == 1


def _close_all(idle: _Idle) -> None:
    for connections in idle.values():
        while connections:
            connections.pop().close()
