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
"""The connections that nobody uses, by mode: ro or rw."""


class Connections:
    """Connections to a file: to parse its schema again takes longer than many a page.

    Each is lent to one reader or writer at a time, in any thread. Between two of them
    nothing is locked: other programs write, rename, replace and remove the file as if
    it were closed. They serve again while the file and what lies beside it are as they
    were left. What another program changed within a tick of the clock, SQLite sees by
    itself. After an exception a connection is closed.

    The code of a file is looked at once for each state of the file. So is a file of
    another keizer made into a copy with the code of today. A connection with a small
    copy stays open.
    """

    def __init__(self) -> None:
        self._idle: _Idle = {"ro": [], "rw": []}
        self._file_state: tuple[object, ...] = ()
        self._seen_code: SeenCode | None = None
        self._turn = Lock()
        finalize(self, _close, self._idle)

    @contextmanager
    def lend(self, path: StrPath, mode: str) -> Iterator[Connection]:
        """Provide a connection as `connect` makes it."""
        file_state = state_of_file(path)
        with self._turn:
            self._close_outdated(file_state)
            idle = self._idle[mode]
            is_new = not idle
            conn = connect(path, mode, warm=True) if is_new else idle.pop()
            seen_code = self._seen_code
        is_kept = False
        try:
            if is_new and seen_code:
                # SQLite parses the definitions of the file that is there now.
                conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
                if state_of_file(path) == file_state:
                    conn.seen_code = seen_code
            yield conn
            is_kept = self._take_back(conn, path, mode, file_state)
        finally:
            if not is_kept:
                conn.close()

    def close_idle(self) -> None:
        """Close those that nobody uses: each takes 5 MB."""
        with self._turn:
            _close(self._idle)

    def _close_outdated(self, file_state: tuple[object, ...]) -> None:
        """Forget what is of another state of the file than this one."""
        if file_state != self._file_state:
            _close(self._idle)
            self._file_state = file_state
            self._seen_code = None

    def _take_back(
        self, conn: Connection, path: StrPath, mode: str, file_state: tuple[object, ...]
    ) -> bool:
        """Let a connection serve again, if it can; return whether it will.

        file_state: that of the file when the connection was lent.
        """
        is_clean = _reset(conn)
        with self._turn:
            idle = self._idle[mode]
            is_outdated = file_state != self._file_state
            if not is_clean or is_outdated or not _is_worth_keeping(conn, idle):
                return False
            if mode == "rw":  # what was written is known to those that are idle
                self._file_state = state_of_file(path)
            self._seen_code = conn.seen_code
            idle.append(conn)
            return True


_STATE_SUFFIXES = ("", *sidecar_files.SUFFIXES[:2])
"""Of the files that make the state of a season: itself, its journal and its WAL."""


def state_of_file(path: StrPath) -> tuple[object, ...]:
    """Return a value that is the same as long as nobody has changed a file.

    It is another one in another process, which has its own connections.
    """
    process = os.getpid()
    real_path = os.path.realpath(path)
    stamps = [
        sidecar_files.state_of_file(real_path + suffix) for suffix in _STATE_SUFFIXES
    ]
    return process, real_path, *stamps


_LARGEST_COPY = 4 << 20
"""Bytes of a copy that stays in memory with a connection."""


def _is_worth_keeping(conn: Connection, idle: list[Connection]) -> bool:
    """Return whether a connection is to stay open.

    Of a file that is read in a copy only one does, with a small copy.
    """
    copy = conn.refreshed_copy
    if copy is None:
        return True
    (pages,) = copy.execute("PRAGMA page_count").fetchone()
    (page_size,) = copy.execute("PRAGMA page_size").fetchone()
    is_small = bool(pages * page_size <= _LARGEST_COPY)
    return is_small and not idle


def _reset(conn: sqlite3.Connection) -> bool:
    """End the transaction, and make the connection as it was at first.

    Return whether it is so, and nothing is locked. On Windows it never is: nobody could
    rename or remove a file that is open.
    """
    if os.name == "nt":
        return False
    conn.row_factory = None
    conn.text_factory = str
    try:
        conn.rollback()
        (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
        if journal_mode == "wal":  # locked while it is open
            return False
        # Refused where a statement is half read.
        conn.execute("PRAGMA wal_checkpoint").fetchone()
        databases = conn.execute("PRAGMA database_list").fetchall()
    except sqlite3.Error:
        return False
    has_temporary = len(databases) > 1
    return not has_temporary


def _close(idle: _Idle) -> None:
    for conns in idle.values():
        while conns:
            conns.pop().close()
