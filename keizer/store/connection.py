"""SQLite on a file of ours: a connection, a copy to try things on, and what it says."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from keizer.store.atomic import StrPath
from keizer.store.fingerprint import FINGERPRINT

BUSY_SECONDS = 5.0
"""How long a command waits for another program to let go of the file."""

MAGIC = b"SQLite format 3\x00"


def connect(
    path: StrPath, mode: str, *, timeout: float | None = None, warm: bool = False
) -> sqlite3.Connection:
    """A connection to whatever is there, whose name may mean something to SQLite.

    mode: 'ro' or 'rw'. Nothing is created. timeout: seconds to wait for another program,
    BUSY_SECONDS by default. warm: for one thread after the other, with many statements ready.
    """
    named = os.path.abspath(path).replace(os.sep, "/")
    for sign in "%?#":  # of a URI
        named = named.replace(sign, f"%{ord(sign):02x}")
    uri = f"file://{'' if named.startswith('/') else '/'}{named}?mode={mode}"
    return sqlite3.connect(
        uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS if timeout is None else timeout,
        check_same_thread=not warm, cached_statements=512 if warm else 128,
    )  # fmt: skip


def is_current(conn: sqlite3.Connection) -> bool:
    """Whether the views and triggers of a file say that they are those of this keizer."""
    try:
        mark = conn.execute("SELECT fingerprint FROM z_code").fetchone()
    except sqlite3.OperationalError as error:
        if "no such" in str(error):  # view, or column
            return False
        raise
    return bool(mark and mark[0] == FINGERPRINT)


@contextmanager
def trial(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A copy of the file in memory, to try something on; not from within a change of it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        conn.backup(copy)
        copy.row_factory = sqlite3.Row
        yield copy


STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What Python says of a row that is not there, or a value that cannot be."""


_SAID = {
    "locked": "the file is locked: another program has unsaved changes in it"
    " (save or close them there, then try again).",
    "readonly database": "the file is read-only: nothing was changed.",
    "disk is full": "the disk is full: nothing was changed; make room and do it again.",
    "disk I/O error": "the disk fails (disk I/O error): nothing was changed; copy the file to"
    " another one.",
    "malformed": "the file is damaged: `keizer restore` lists its snapshots.",
    "Could not decode": "the file is damaged: `keizer restore` lists its snapshots.",
    "not a database": "the file is damaged: `keizer restore` lists its snapshots.",
}
"""By what SQLite says of a file, what it means."""


def sentence(error: sqlite3.Error) -> str:
    """What SQLite, a constraint or a trigger of the file said, as a sentence."""
    text = str(error)
    known = next((said for part, said in _SAID.items() if part in text), None)
    if known:
        return known
    failed, _, what = text.partition(" constraint failed: ")
    if failed == "NOT NULL":
        return f"{what} is missing."
    if failed == "CHECK":
        text = what
    return text.rstrip(".") + "."
