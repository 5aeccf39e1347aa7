"""Connections that stay open from one page of a face to the next."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from weakref import finalize

from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import Code, Connection, connect

_Idle = dict[str, list[Connection]]


class Connections:
    """Connections to a file: to parse its schema anew takes longer than many a page.

    Each is lent to one reader or writer at a time, in any thread. Nothing is locked between two:
    other programs write, rename, replace and remove the file as if it were closed. They serve
    again while the file and what lies beside it are as they were left; what another program
    changed within a tick of the clock, SQLite sees by itself. After an exception none does.
    Whose code a file has is looked at once for each state of it, and so is one that is of another
    keizer made into a copy of today: with a small one a connection stays open.
    """

    def __init__(self) -> None:
        self._idle: _Idle = {"ro": [], "rw": []}
        self._left: tuple[object, ...] = ()
        self._seen: tuple[int, Code] | None = None
        self._turn = Lock()
        finalize(self, _close, self._idle)

    @contextmanager
    def lent(self, path: StrPath, mode: str) -> Iterator[Connection]:
        """A connection as `connect` makes it."""
        found, keep = state(path), False
        with self._turn:
            if found != self._left:
                _close(self._idle)
                self._left, self._seen = found, None
            idle = self._idle[mode]
            seen = None if idle else self._seen
            conn = idle.pop() if idle else connect(path, mode, warm=True)
        try:
            if seen:
                conn.execute(
                    "SELECT 1 FROM sqlite_master LIMIT 1"
                ).fetchall()  # parses its code
                conn.seen = seen if state(path) == found else None
            yield conn
            clean = _is_clean(conn)
            with self._turn:
                keep = clean and found == self._left and _is_worth(conn, idle)
                if keep:
                    idle.append(conn)
                    self._seen = conn.seen
                    if mode == "rw":  # what was written is known to those that are idle
                        self._left = state(path)
        finally:
            if not keep:
                conn.close()

    def rest(self) -> None:
        """Close those that nobody uses: each takes 5 MB."""
        with self._turn:
            _close(self._idle)


def state(path: StrPath) -> tuple[object, ...]:
    """What is the same as long as nobody has changed a file; a process has its own connections."""
    real = os.path.realpath(path)
    ends = ("", *sidecar_files.SUFFIXES[:2])
    return os.getpid(), real, *(sidecar_files.stamp(real + end) for end in ends)


_LARGEST = 4 << 20
"""Bytes of a copy that stays in memory with a connection."""


def _is_worth(conn: Connection, idle: list[Connection]) -> bool:
    """Return whether a connection is to stay open: of a file that is read in a copy, one is."""
    if conn.refreshed is None:
        return True
    _, copy = conn.refreshed
    (pages,) = copy.execute("PRAGMA page_count").fetchone()
    (size,) = copy.execute("PRAGMA page_size").fetchone()
    return not idle and bool(pages * size <= _LARGEST)


def _is_clean(conn: sqlite3.Connection) -> bool:
    """End the transaction; whether nothing is locked then, and the connection is as it was made.

    Windows does not let anybody rename or remove a file that is open, so that none is kept.
    """
    if os.name == "nt":
        return False
    conn.row_factory, conn.text_factory = None, str
    with suppress(sqlite3.Error):
        conn.rollback()
        if conn.execute("PRAGMA journal_mode").fetchone() == (
            "wal",
        ):  # locked while it is open
            return False
        conn.execute(
            "PRAGMA wal_checkpoint"
        ).fetchone()  # refused where a statement is half read
        return (
            len(conn.execute("PRAGMA database_list").fetchall()) == 1
        )  # nothing temporary
    return False


def _close(idle: _Idle) -> None:
    for conns in idle.values():
        while conns:
            conns.pop().close()
