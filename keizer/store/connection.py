"""SQLite on a file of ours: a connection, a copy to try things on, and what it says.

Nothing that a file brings is trusted: every connection has limits and gives up in the end, what
the file's code is stands in sqlite_master and is told by its text before any of it is run, and
no trigger that somebody added changes what is keizer's.
"""

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from time import monotonic
from typing import Any, NamedTuple

from keizer.store.atomic import StrPath
from keizer.store.fingerprint import DIGEST, FINGERPRINT

try:
    from _blake2 import blake2b  # hashlib takes a twentieth of a command to import
except ImportError:
    from hashlib import blake2b

BUSY_SECONDS = 5.0
"""How long a command waits for another program to let go of the file."""

READ_SECONDS, WRITE_SECONDS = 10.0, 20.0
"""How long SQLite may work for who reads, and for a change of a file with code of others."""
_STEPS, _PAUSE, _SLOW = 10_000, 0.05, 6
"""After how many steps of SQLite time is told, and more seconds since then are Python's."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1 << 20,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM INTO
}

MAGIC = b"SQLite format 3\x00"

_SAYS = 4
"""So many texts stand in view z_code."""


class Code(NamedTuple):
    """The views and triggers of a file.

    current: whether those of keizer are as this one makes them; claimed: whether the file says
    so. triggers: the names of these; rooms: those of its views and tables. added: whether there
    is other code.
    """

    current: bool
    claimed: bool
    triggers: Collection[str] = ()
    rooms: Collection[str] = ()
    added: bool = True


class Connection(sqlite3.Connection):
    """A connection that remembers what code it saw, by the number of the schema."""

    seen: tuple[int, Code] | None = None


def connect(
    path: StrPath, mode: str, *, timeout: float | None = None, warm: bool = False
) -> Connection:
    """A connection to whatever is there, whose name may mean something to SQLite.

    mode: 'ro' or 'rw'. Nothing is created. timeout: seconds to wait for another program,
    BUSY_SECONDS by default. warm: for one thread after the other, with many statements ready.
    """
    named = os.path.abspath(path).replace(os.sep, "/")
    for sign in "%?#":  # of a URI
        named = named.replace(sign, f"%{ord(sign):02x}")
    uri = f"file://{'' if named.startswith('/') else '/'}{named}?mode={mode}"
    conn = sqlite3.connect(
        uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS if timeout is None else timeout,
        check_same_thread=not warm, cached_statements=512 if warm else 128, factory=Connection,
    )  # fmt: skip
    _bound(conn)
    return conn


def _bound(conn: sqlite3.Connection) -> None:
    """Let a connection do no more than a file of ours needs."""
    conn.execute("PRAGMA trusted_schema = OFF")  # later it would have every statement prepared anew
    for limit, most in _LIMITS.items():
        conn.setlimit(limit, most)
    limit_time(conn, READ_SECONDS)


def limit_time(conn: sqlite3.Connection, seconds: float | None) -> None:
    """Give up what is done from now on after so many seconds; None: never."""
    conn.set_progress_handler(None if seconds is None else _Patience(seconds), _STEPS)


class _Patience:
    """Ends what SQLite does after so many seconds of its own work, and _SLOW times as many of all.

    What a step takes is not counted where it seems to be Python's, and a step may be slow.
    """

    def __init__(self, seconds: float) -> None:
        self._left, self._last = seconds, monotonic()
        self._end = self._last + _SLOW * seconds

    def __call__(self) -> bool:
        now = monotonic()
        self._left -= min(now - self._last, _PAUSE)
        self._last = now
        return self._left < 0 or now > self._end


def code(conn: sqlite3.Connection) -> Code:
    """What views and triggers a file has, by their texts; of those of others none is run."""
    (number,) = conn.execute("PRAGMA schema_version").fetchone()
    seen = getattr(conn, "seen", None)
    if seen is None or seen[0] != number:
        seen = number, _code(conn)
        if isinstance(conn, Connection):
            conn.seen = seen
    return seen[1]


def _code(conn: sqlite3.Connection) -> Code:
    # As bytes: to decode a third of a megabyte, and encode it again, takes as long as the rest.
    master = "SELECT name, CAST(sql AS BLOB) FROM main.sqlite_master WHERE sql IS NOT NULL"
    found = conn.execute(master).fetchall()
    said = next((text for name, text in found if name == "z_code"), b"").decode(errors="replace")
    mark, names, tables, _ = listed(said)
    ours, others = dict.fromkeys(names.split(), b""), {}
    for name, text in found:  # by the text: what type stands beside it, nobody has to believe
        if not ours.get(name, b"-"):
            ours[name] = text
        elif not text.startswith((b"CREATE TABLE ", b"CREATE INDEX ", b"CREATE UNIQUE INDEX ")):
            others[name] = text
    if digest(ours.values()) != DIGEST:
        return Code(current=False, claimed=mark == FINGERPRINT)
    if others:
        from keizer.store.definitions import bare

        for name, text in conn.execute("SELECT name, sql FROM on_demand WHERE present"):
            there = others.get(name, b"").decode(errors="replace")
            if bare(there) == bare(text) and name.isidentifier():  # some names are a row's
                ours[name] = others.pop(name)
    triggers = {name for name, text in ours.items() if text.startswith(b"CREATE TRIGGER ")}
    rooms = {*tables.split(), *ours} - triggers
    return Code(current=True, claimed=True, triggers=triggers, rooms=rooms, added=bool(others))


def listed(view: str) -> list[str]:
    """What view z_code says, by its text: the fingerprint; names of code, of tables, of more."""
    return [*view.split("'")[1::2], *[""] * _SAYS][:_SAYS]


def digest(texts: Iterable[bytes]) -> str:
    """What tells texts from all others; of definitions also views/generate.py has it."""
    return blake2b(b"\0".join(texts), digest_size=16).hexdigest()


WRITES = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}


def guard(conn: sqlite3.Connection) -> None:
    """Let no trigger that somebody added change what is keizer's, and no code of others go on.

    Call it before the file is changed, and when its own code is current.
    """
    found = code(conn)

    def allowed(action: int, table: Any, _column: Any, _schema: Any, trigger: Any) -> int:
        theirs = trigger is not None and trigger not in found.triggers
        changes = action in WRITES and table in found.rooms
        return sqlite3.SQLITE_DENY if theirs and changes else sqlite3.SQLITE_OK

    limit_time(conn, WRITE_SECONDS if found.added else None)
    conn.set_authorizer(allowed if found.added else None)


@contextmanager
def trial(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A copy of the file in memory, to try something on; not from within a change of it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None, factory=Connection)) as copy:
        _bound(copy)
        conn.backup(copy)
        copy.row_factory = sqlite3.Row
        guard(copy)
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
    "interrupted": "this took too long and was given up: nothing was changed. Where somebody added"
    " to the file, `keizer check` says what.",
    "not authorized": "a trigger that somebody added to the file changes what is keizer's, and is"
    " not run: nothing was changed, and `keizer check` names it.",
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
