"""Connections to a file that stay open from one web page to the next."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import finalize

from keizer.store.atomic import StrPath
from keizer.store.backup import sidecar_files
from keizer.store.connection import CheckedCode, Connection, connect

_Idle = dict[str, list[Connection]]
"""The connections that nobody uses at the moment, by mode: "ro" or "rw"."""


class Connections:
    """A pool of connections to a file, which stay open from one use to the next.

    SQLite parses the whole schema for each new connection, which takes longer than it
    takes to make many a page.

    `lend` gives a connection to one reader or writer at a time, in any thread. Between
    two uses the connection is idle, and locks nothing: other programs write, rename,
    replace and remove the file as if it were closed. An idle connection is used again
    if the file, its journal and its WAL have not changed; otherwise it is closed. The
    clock of the system may be too coarse to show a change that another program makes
    just then: SQLite itself notices such a change. After an exception a connection is
    closed.

    Whether the views and triggers in the file are keizer's is found out once for each
    state of the file. If they are not those of this keizer, a copy of the file in which
    they are replaced is also made once for each state. One connection with such a copy
    stays open, if the copy is small.
    """

    def __init__(self) -> None:
        """Create an empty pool.

        _file_state: the state of the file to which the idle connections belong.
        _checked_code: the result of checking, in that state of the file, whether its
        views and triggers are keizer's; None if nobody has checked them yet.
        """
        self._idle: _Idle = {"ro": [], "rw": []}
        self._file_state: tuple[object, ...] = ()
        self._checked_code: CheckedCode | None = None
        self._lock = Lock()
        # This closes the idle connections when nobody refers to the pool any more.
        finalize(self, _close_all, self._idle)

    @contextmanager
    def lend(self, path: StrPath, mode: str) -> Iterator[Connection]:
        """Provide a connection to a file: an idle one if there is one, or a new one.

        Afterwards it is kept for the next use, or closed if it cannot be used again.
        Every user of a file checks whether its views and triggers are keizer's, which
        takes long. A connection keeps the result. A new one gets the result of an
        earlier connection, if the file has not changed since.
        mode: "ro" to read or "rw" to write.
        """
        file_state = state_of_file(path)
        with self._lock:
            self._start_anew_if_changed(file_state)
            idle = self._idle[mode]
            is_new = not idle
            conn = connect(path, mode, stays_open=True) if is_new else idle.pop()
            checked_code = self._checked_code
        is_kept = False
        try:
            # An idle connection has its result already, from its last use.
            if is_new and checked_code is not None:
                _pass_on_checked_code(conn, path, file_state, checked_code)
            yield conn
            # After an exception of the user this line is not reached, so that the
            # connection is closed: nobody knows what state it is in.
            is_kept = self._keep_idle(conn, path, mode, file_state)
        finally:
            if not is_kept:
                conn.close()

    def close_idle(self) -> None:
        """Close the idle connections, to free memory: each takes 5 MB."""
        with self._lock:
            _close_all(self._idle)

    def _start_anew_if_changed(self, file_state: tuple[object, ...]) -> None:
        """Empty the pool if the file has changed since its connections were used.

        The idle connections are closed, and the result of checking the views and
        triggers is forgotten. The caller holds the lock.
        file_state: the state of the file now.
        """
        if file_state != self._file_state:
            _close_all(self._idle)
            self._file_state = file_state
            self._checked_code = None

    def _keep_idle(
        self, conn: Connection, path: StrPath, mode: str, file_state: tuple[object, ...]
    ) -> bool:
        """Keep a connection for its next use, after its user has ended.

        Return False if it is not kept: the caller must then close it.
        file_state: the state of the file when the connection was lent.
        """
        is_clean = _reset(conn)
        with self._lock:
            idle = self._idle[mode]
            # If the file has changed while this connection was in use, and another user
            # has got a connection since, the idle connections are for a later state.
            is_outdated = file_state != self._file_state
            if not is_clean or is_outdated or not _is_worth_keeping(conn, idle):
                return False
            if mode == "rw":
                # This connection may have changed the file. The others can stay open
                # all the same, as SQLite shows them the change.
                self._file_state = state_of_file(path)
            # `lend` gives this to new connections, so that they need not check the
            # views and triggers of the file again.
            self._checked_code = conn.checked_code
            idle.append(conn)
            return True


def _pass_on_checked_code(
    conn: Connection,
    path: StrPath,
    file_state: tuple[object, ...],
    checked_code: CheckedCode,
) -> None:
    """Give a new connection the result of an earlier check of its file's code.

    The code of a file is its views and triggers, and the check finds out whether they
    are keizer's. With the result, the connection need not check them again, which takes
    long. It gets nothing if the file has changed since: then it has to check them.
    checked_code: the result. file_state: the state that the file had at the check.
    """
    # The first SELECT has SQLite open the file and parse its schema. Somebody may have
    # changed the file just before that. So the state is compared afterwards.
    conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    if state_of_file(path) == file_state:
        conn.checked_code = checked_code


_STATE_SUFFIXES = ("", *sidecar_files.SUFFIXES[:2])
"""The suffixes of the season file itself, of its journal and of its WAL."""


def state_of_file(path: StrPath) -> tuple[object, ...]:
    """Return a value that stays the same as long as nobody changes a file.

    A change of its journal or WAL changes the value, too. Another process gets another
    value: after a fork it must not use the connections of its parent.
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

    Some connections have a copy of the file in memory, with the views and triggers of
    this keizer. Such a connection is worth it only if the copy is small and there is no
    other idle connection. A connection without a copy always is.
    idle: the other idle connections of the same mode.
    """
    copy = conn.refreshed_copy
    if copy is None:
        return True
    (pages,) = copy.execute("PRAGMA page_count").fetchone()
    (page_size,) = copy.execute("PRAGMA page_size").fetchone()
    is_small = bool(pages * page_size <= _LARGEST_COPY)
    return is_small and not idle


def _reset(conn: sqlite3.Connection) -> bool:
    """Make a connection ready for its next user, and return whether that succeeded.

    Its transaction is rolled back, and what its last user may have set is reset.
    Return False if the connection must not stay open, because it cannot be reset, or
    because it would lock the file while nobody uses it. The caller then closes it,
    which also rolls back its transaction.
    """
    # On Windows an open file cannot be renamed or removed, even if nothing locks it. So
    # no connection stays open there.
    if os.name == "nt":
        return False
    conn.row_factory = None
    conn.text_factory = str
    try:
        conn.rollback()
        (journal_mode,) = conn.execute("PRAGMA journal_mode").fetchone()
        if journal_mode == "wal":  # in this mode an open connection locks the file
            return False
        # The last user may not have fetched all rows of a SELECT, and that would lock
        # the file. If so, SQLite raises an error at a checkpoint. Apart from that, a
        # checkpoint has no effect here, as the file has no WAL.
        conn.execute("PRAGMA wal_checkpoint").fetchone()
        databases = conn.execute("PRAGMA database_list").fetchall()
    except sqlite3.Error:
        return False
    # The first is the file itself. A second one holds temporary tables, or is a file
    # that the user attached: the next user must not see either.
    return len(databases) == 1


def _close_all(idle: _Idle) -> None:
    """Close all idle connections, and remove them from the pool."""
    for connections in idle.values():
        while connections:
            connections.pop().close()
