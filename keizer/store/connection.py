"""SQLite on a file of ours: a connection, a copy to try things on, and what it says.

Nothing that a file brings is trusted: every connection has limits, what the file's code is stands
in sqlite_master and is told by its text before any of it is run, and of what somebody added to
that no trigger is run and nothing goes on for ever.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from time import monotonic
from typing import NamedTuple

from keizer import resources
from keizer.messages import Message, say, term
from keizer.store.atomic import StrPath
from keizer.store.fingerprint import DIGEST, TABLES
from keizer.store.releases import RELEASES

BUSY_SECONDS = 5.0
"""How long a command waits for another program to let go of the file."""

READ_SECONDS, WRITE_SECONDS = 10.0, 20.0
"""How long SQLite may work for who reads, and for a change, of a file with code of others."""
_STEPS, _STEPS_OF_OTHERS = 10_000, 500
"""After how many steps of SQLite time is told: those of somebody's code may be slow."""
_LONGEST, _LONGEST_OF_OTHERS = 1 << 20, 1 << 17
"""Bytes of a value; somebody's code may hold each letter of one against each of another."""
_PAUSE, _SLOW = 0.05, 2
"""More seconds between two looks at the clock are Python's; so many times the seconds of all."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM INTO
}

_HEAP = 640 << 20
"""Bytes of SQLite's own: views of views can have it make any number of copies."""

MAGIC = b"SQLite format 3\x00"

MOST_DEFINITIONS = 2000
"""Tables, views and the like of a file, six times as many as keizer has."""

_SAYS = 3
"""So many texts stand in view z_code."""


class Code(NamedTuple):
    """The definitions of a file.

    current: whether the views and triggers of keizer are as this one makes them; released: whether
    they are those of a release of keizer, to the letter, whatever the file says of itself.
    made: whether its tables and indexes are, with no index besides. pure: whether it has these
    definitions and no others.
    added: whether there is other code. hooks: the names of triggers among it; odd: whether
    something was written by hand into sqlite_master.
    """

    current: bool
    released: bool
    made: bool = False
    pure: bool = False
    added: bool = True
    hooks: tuple[str, ...] = ()
    odd: bool = False
    barred: tuple[Message, ...] = ()


class Connection(sqlite3.Connection):
    """A connection that remembers what code it saw, by the number of the schema.

    refreshed: a copy of the file with the code of this keizer, and by which number SQLite tells
    the state that the file was in (PRAGMA data_version).
    """

    seen: tuple[int, Code] | None = None
    refreshed: tuple[int, sqlite3.Connection] | None = None

    def close(self) -> None:
        """Close it, and the copy."""
        if self.refreshed:
            self.refreshed[1].close()
        super().close()


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
        uri,
        uri=True,
        isolation_level=None,
        timeout=BUSY_SECONDS if timeout is None else timeout,
        check_same_thread=not warm,
        cached_statements=512 if warm else 128,
        factory=Connection,
    )
    _bound(conn)
    return conn


def _bound(conn: sqlite3.Connection) -> None:
    """Let a connection do no more than a file of ours needs."""
    conn.execute(
        "PRAGMA trusted_schema = OFF"
    )  # later it would have every statement prepared anew
    conn.execute(f"PRAGMA hard_heap_limit = {_HEAP}")
    for limit, most in _LIMITS.items():
        conn.setlimit(limit, most)
    limit_time(conn, READ_SECONDS)


def limit_time(
    conn: sqlite3.Connection, seconds: float | None, *, often: bool = False
) -> None:
    """Give up what is done from now on after so many seconds; None: never.

    Of SQLite's own work, that is, and after _SLOW times as many of all: what a step takes is not
    counted where it seems to be Python's, and a step may be slow. often: look at the clock after
    fewer steps, and let no value be so large that one step takes long.
    """
    left, last = seconds or 0, monotonic()
    end = last + _SLOW * left

    def is_over() -> bool:
        nonlocal left, last
        now = monotonic()
        left, last = left - min(now - last, _PAUSE), now
        return left < 0 or now > end

    conn.setlimit(
        sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_OF_OTHERS if often else _LONGEST
    )
    steps = _STEPS_OF_OTHERS if often else _STEPS
    conn.set_progress_handler(None if seconds is None else is_over, steps)


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
    barred = _wrong_rows(conn)
    if barred:
        return Code(current=False, released=False, barred=barred)
    # As bytes: to decode a third of a megabyte, and encode it again, takes as long as the rest.
    master = "SELECT name, type, CAST(sql AS BLOB) FROM main.sqlite_master WHERE sql IS NOT NULL"
    found = conn.execute(master).fetchall()
    z_code = next((text for name, _, text in found if name == "z_code"), b"")
    _, names, tables = listed(z_code.decode(errors="replace"))
    due, others = dict.fromkeys([*names.split(), *tables.split()], b""), []
    for name, kind, text in found:
        if not due.get(name, b"-"):
            due[name] = text
        else:
            others.append((name, kind, text.decode(errors="replace")))
    # The text of z_code is among them: a file that names fewer has another digest.
    code_digest = digest(due[name] for name in names.split())
    is_current = code_digest == DIGEST
    made = digest(due[name] for name in tables.split()) == TABLES
    if is_current and made and not others:
        return Code(current=True, released=True, made=True, pure=True, added=False)
    from keizer.store.soundness import barring

    barred = barring.reasons(found)
    if barred or not is_current:
        released = code_digest in RELEASES and not barred
        return Code(current=False, released=released, barred=barred)
    changed = (
        [] if made else [due[name].decode(errors="replace") for name in tables.split()]
    )
    return _with_additions(conn, others, changed)


def _wrong_rows(conn: sqlite3.Connection) -> tuple[Message, ...]:
    """Return what is wrong with the rows of sqlite_master, before any text in them is looked at."""
    number, by_hand = conn.execute(
        "SELECT count(*), total(typeof(type) <> 'text' OR typeof(name) <> 'text'"
        " OR typeof(tbl_name) <> 'text' OR typeof(rootpage) <> 'integer'"
        " OR typeof(sql) NOT IN ('text', 'null')"
        " OR (rootpage <> 0 AND type IN ('view', 'trigger'))) FROM main.sqlite_master"
    ).fetchone()
    if number <= MOST_DEFINITIONS and not by_hand:
        return ()
    from keizer.store.soundness import barring

    return (
        barring.BY_HAND if by_hand else barring.of_number(number, MOST_DEFINITIONS),
    )


def _with_additions(
    conn: sqlite3.Connection, others: list[tuple[str, str, str]], changed: list[str]
) -> Code:
    """Return the definitions of a file whose code is keizer's, but which has more.

    others: name, kind and text of whatever is not keizer's; changed: its tables, if they are not
    as keizer made them.
    """
    from keizer.store.definitions import bare, is_odd, is_plain, is_ordinary_table

    present = "SELECT trigger_name, sql FROM on_demand WHERE present"
    asked = dict(conn.execute(present).fetchall())
    # Some of the names are a row's, which may have anything.
    asked = {name: bare(text) for name, text in asked.items() if name.isidentifier()}

    def is_asked(name: str, kind: str, text: str) -> bool:
        return (
            name in asked and bare(text) == asked[name] and is_plain(kind, name, text)
        )

    others = [item for item in others if not is_asked(*item)]
    names_of_tables = conn.execute("SELECT tbl_name FROM main.sqlite_master").fetchall()
    odd = (
        not all(is_plain(kind, name, text) for name, kind, text in others)
        or any(map(is_odd, changed))
        or any(is_odd(name) for (name,) in names_of_tables)
    )
    kinds = {kind for _, kind, _ in others}
    return Code(
        current=True,
        released=True,
        made=not changed and "index" not in kinds,
        pure=not changed and not others and not odd,
        added=bool(changed)
        or any(not is_ordinary_table(kind, text) for _, kind, text in others),
        hooks=tuple(name for name, kind, _ in others if kind == "trigger"),
        odd=odd,
    )


def listed(view: str) -> list[str]:
    """Parse view z_code: the fingerprint, the names of code, and those of tables."""
    return [*view.split("'")[1::2], *[""] * _SAYS][:_SAYS]


def digest(texts: Iterable[bytes]) -> str:
    """What tells texts from all others; of definitions also views/generate.py has it."""
    return blake2b(b"\0".join(texts), digest_size=16).hexdigest()


def prepare_to_write(conn: sqlite3.Connection) -> None:
    """Forget what ANALYZE counted, and let what somebody added work for WRITE_SECONDS at most.

    Call it when the code of the file is keizer's of today.
    """
    _forget_statistics(conn)
    has_more = code(conn).added
    limit_time(conn, WRITE_SECONDS if has_more else None, often=has_more)


def _forget_statistics(conn: sqlite3.Connection) -> None:
    """Undo ANALYZE, which many programs run: with its counts views are five times slower."""
    tables = (
        "SELECT name, sql FROM main.sqlite_master WHERE name GLOB 'sqlite_stat[134]'"
    )
    found = conn.execute(tables).fetchall()
    if not found:
        return
    from keizer.store.definitions import is_plain

    for name, text in found:
        if is_plain("table", name, text):
            with suppress(
                sqlite3.OperationalError
            ):  # somebody's foreign key refers to it
                if conn.execute(f"DELETE FROM {name}").rowcount:
                    conn.execute(
                        "ANALYZE sqlite_master"
                    )  # this connection has read them


@contextmanager
def trial(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A copy of the file in memory, to try something on; not from within a change of it.

    Triggers that somebody added are not in it.
    """
    with closing(copy_of(conn)) as copy:
        if code(copy).current:
            for name in code(copy).hooks:
                from keizer.store.definitions import quoted

                copy.execute(f"DROP TRIGGER {quoted(name)}")
            prepare_to_write(copy)
        yield copy


def copy_of(conn: sqlite3.Connection) -> sqlite3.Connection:
    """Return a copy of the file in memory, for one thread after the other."""
    copy = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False, factory=Connection
    )
    _bound(copy)
    conn.backup(copy)
    (number,) = copy.execute("PRAGMA schema_version").fetchone()
    copy.seen = number, code(conn)
    copy.row_factory = sqlite3.Row
    return copy


STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What Python says of a row that is not there, or a value that cannot be."""


def sentence(error: sqlite3.Error) -> Message:
    """What SQLite, a constraint or a trigger of the file said, as a sentence."""
    text = str(error)
    for known in resources.table(__file__, "words.toml")["errors"]:
        if any(part in text for part in known["has"]):
            return term(known["said"])
    failed, _, what = text.partition(" constraint failed: ")
    if failed == "NOT NULL":
        return say("{column} is missing.", column=what)
    return say("{what}.", what=term((what if failed == "CHECK" else text).rstrip(".")))
