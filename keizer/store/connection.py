"""SQLite on a season file: connections, a copy to try things on, and its messages.

Nothing that a file brings is trusted. Every connection has limits. The code of a file
stands in sqlite_master, and whose it is shows in its text before any of it is run. Of
the code that somebody added, no trigger is run and nothing goes on for ever.
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

READ_SECONDS = 10.0
"""How long SQLite may work for a reader of a file with foreign code."""
WRITE_SECONDS = 20.0
"""How long SQLite may work for a change of a file with foreign code."""

_STEPS = 10_000
"""After how many steps SQLite looks at the clock."""
_FOREIGN_STEPS = 500
"""After how many steps of foreign code, which may be slow ones."""
_LONGEST = 1 << 20
"""Bytes of a value."""
_FOREIGN_LONGEST = 1 << 17
"""Bytes of a value with foreign code, which may compare each letter of two values."""
_PAUSE = 0.05
"""Seconds between two looks at the clock; what is beyond them is Python's time."""
_SLOW = 2
"""So many times its own seconds SQLite may take together with Python."""

_HEAP = 640 << 20
"""Bytes of SQLite's own: views of views can have it make any number of copies."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM INTO
}

MAGIC = b"SQLite format 3\x00"

MOST_DEFINITIONS = 2000
"""Tables, views and the like of a file, six times as many as keizer has."""


class Code(NamedTuple):
    """The code of a file: what its definitions are, by their texts.

    is_current: its views and triggers of keizer are as this keizer makes them.
    is_released: they are those of a release of keizer, to the letter, whatever it
    claims.
    has_own_tables: its tables and indexes are as this keizer makes them, with no
    further index.
    is_pure: it has these definitions and no others.
    has_additions: it has other code.
    added_triggers: the names of the triggers in that code.
    is_odd: something was written by hand into sqlite_master.
    reasons_not_to_read: the reasons not to read anything of it.
    """

    is_current: bool
    is_released: bool
    has_own_tables: bool = False
    is_pure: bool = False
    has_additions: bool = True
    added_triggers: tuple[str, ...] = ()
    is_odd: bool = False
    reasons_not_to_read: tuple[Message, ...] = ()


_Definition = tuple[str, str, str]
"""The name, type and text of a definition."""


class SeenCode(NamedTuple):
    """The code of a file, and the number that SQLite gave the schema at that time."""

    schema_version: int
    code: Code


class Connection(sqlite3.Connection):
    """A connection that remembers the code it saw, and a copy of the file.

    refreshed_copy: a copy with the code of this keizer. copied_version: the number by
    which SQLite knows the state that the file was in then (PRAGMA data_version).
    """

    seen_code: SeenCode | None = None
    refreshed_copy: sqlite3.Connection | None = None
    copied_version: int | None = None

    def close(self) -> None:
        """Close the connection, and the copy."""
        if self.refreshed_copy:
            self.refreshed_copy.close()
        super().close()


def connect(
    path: StrPath, mode: str, *, timeout: float | None = None, warm: bool = False
) -> Connection:
    """Open a connection to a file that exists; nothing is created.

    mode: 'ro' or 'rw'. timeout: seconds to wait for another program, BUSY_SECONDS by
    default. warm: for one thread after the other, with many statements ready.
    """
    conn = sqlite3.connect(
        _uri(path, mode),
        uri=True,
        isolation_level=None,
        timeout=BUSY_SECONDS if timeout is None else timeout,
        check_same_thread=not warm,
        cached_statements=512 if warm else 128,
        factory=Connection,
    )
    _set_limits(conn)
    return conn


def _uri(path: StrPath, mode: str) -> str:
    """Return the URI of a file, in whose name nothing means anything to SQLite."""
    absolute = os.path.abspath(path).replace(os.sep, "/")
    for sign in "%?#":  # the percent sign first: it is in what replaces the others
        escaped = f"%{ord(sign):02x}"
        absolute = absolute.replace(sign, escaped)
    if not absolute.startswith("/"):  # it starts with a drive of Windows
        absolute = f"/{absolute}"
    return f"file://{absolute}?mode={mode}"


def _set_limits(conn: sqlite3.Connection) -> None:
    """Let a connection do no more than a season file needs."""
    # At once: later it would have every statement prepared again.
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.execute(f"PRAGMA hard_heap_limit = {_HEAP}")
    for limit, largest in _LIMITS.items():
        conn.setlimit(limit, largest)
    limit_time(conn, READ_SECONDS)


def limit_time(
    conn: sqlite3.Connection, seconds: float | None, *, foreign_code: bool = False
) -> None:
    """Let SQLite work for some seconds from now on, and give up whatever it does then.

    seconds: of SQLite's own work; None for no limit. More than _PAUSE between two looks
    at the clock is not counted, as it seems to be Python's. But a step may be slow
    itself: after _SLOW times the seconds everything is given up in any case.
    foreign_code: look at the clock after fewer steps, and let no value be so large that
    one step takes long.
    """
    remaining = seconds or 0.0
    last_look = monotonic()
    end = last_look + _SLOW * remaining

    def is_over() -> bool:
        nonlocal remaining, last_look
        moment = monotonic()
        remaining -= min(moment - last_look, _PAUSE)
        last_look = moment
        return remaining < 0 or moment > end

    longest = _FOREIGN_LONGEST if foreign_code else _LONGEST
    steps = _FOREIGN_STEPS if foreign_code else _STEPS
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    conn.set_progress_handler(None if seconds is None else is_over, steps)


def code_of(conn: sqlite3.Connection) -> Code:
    """Return the code of a file, by its texts: none that somebody added is run.

    It is read once for each state of the schema.
    """
    (version,) = conn.execute("PRAGMA schema_version").fetchone()
    seen: SeenCode | None = getattr(conn, "seen_code", None)
    if seen is None or seen.schema_version != version:
        seen = SeenCode(version, _read_code(conn))
        if isinstance(conn, Connection):
            conn.seen_code = seen
    return seen.code


def _read_code(conn: sqlite3.Connection) -> Code:
    """Compare the definitions of a file with those that this keizer makes."""
    barred = _wrong_rows(conn)
    if barred:
        return Code(is_current=False, is_released=False, reasons_not_to_read=barred)
    # As bytes: to decode a third of a megabyte, and encode it again, takes as long as
    # the rest.
    rows = conn.execute(
        "SELECT name, type, CAST(sql AS BLOB) FROM main.sqlite_master"
        " WHERE sql IS NOT NULL"
    ).fetchall()
    z_code = next((text for name, _, text in rows if name == "z_code"), b"")
    z_code_text = z_code.decode(errors="replace")
    code_names, table_names = names_in_z_code(z_code_text)
    own_texts = dict.fromkeys(code_names + table_names, b"")
    others: list[_Definition] = []
    for name, kind, text in rows:
        if own_texts.get(name) == b"":
            own_texts[name] = text
        else:
            others.append((name, kind, text.decode(errors="replace")))
    # The text of z_code is among them: a file that names fewer has another digest.
    code_digest = digest(own_texts[name] for name in code_names)
    table_digest = digest(own_texts[name] for name in table_names)
    is_current = code_digest == DIGEST
    has_own_tables = table_digest == TABLES
    if is_current and has_own_tables and not others:
        return Code(
            is_current=True,
            is_released=True,
            has_own_tables=True,
            is_pure=True,
            has_additions=False,
        )
    from keizer.store.soundness import barring

    barred = barring.reasons_to_bar(rows)
    if barred or not is_current:
        is_released = code_digest in RELEASES and not barred
        return Code(
            is_current=False, is_released=is_released, reasons_not_to_read=barred
        )
    changed_tables: list[str] = []
    if not has_own_tables:
        tables = [own_texts[name] for name in table_names]
        changed_tables = [text.decode(errors="replace") for text in tables]
    return _code_with_additions(conn, others, changed_tables)


def _wrong_rows(conn: sqlite3.Connection) -> tuple[Message, ...]:
    """Return what is wrong with the rows of sqlite_master, before any text is read."""
    number, by_hand = conn.execute(
        "SELECT count(*), total(typeof(type) <> 'text' OR typeof(name) <> 'text'"
        " OR typeof(tbl_name) <> 'text' OR typeof(rootpage) <> 'integer'"
        " OR typeof(sql) NOT IN ('text', 'null')"
        " OR (rootpage <> 0 AND type IN ('view', 'trigger'))) FROM main.sqlite_master"
    ).fetchone()
    if number <= MOST_DEFINITIONS and not by_hand:
        return ()
    from keizer.store.soundness import barring

    if by_hand:
        return (barring.BY_HAND,)
    return (barring.too_many(number, MOST_DEFINITIONS),)


def _code_with_additions(
    conn: sqlite3.Connection, others: list[_Definition], changed_tables: list[str]
) -> Code:
    """Return the code of a file that has keizer's code, and more definitions.

    others: the definitions that are not keizer's. changed_tables: the texts of keizer's
    tables, if they are not all as keizer made them.
    """
    from keizer.store.definitions import is_odd, is_ordinary_table, is_plain

    additions = _additions(conn, others)
    tables = conn.execute("SELECT tbl_name FROM main.sqlite_master").fetchall()
    is_by_hand = (
        not all(is_plain(kind, name, text) for name, kind, text in additions)
        or any(is_odd(text) for text in changed_tables)
        or any(is_odd(table) for (table,) in tables)
    )
    added_indexes = [name for name, kind, _ in additions if kind == "index"]
    added_triggers = [name for name, kind, _ in additions if kind == "trigger"]
    has_added_code = not all(
        is_ordinary_table(kind, text) for _, kind, text in additions
    )
    return Code(
        is_current=True,
        is_released=True,
        has_own_tables=not changed_tables and not added_indexes,
        is_pure=not changed_tables and not additions and not is_by_hand,
        has_additions=bool(changed_tables) or has_added_code,
        added_triggers=tuple(added_triggers),
        is_odd=is_by_hand,
    )


def _additions(
    conn: sqlite3.Connection, others: list[_Definition]
) -> list[_Definition]:
    """Return the definitions without the triggers for which a rule may ask."""
    from keizer.store.definitions import is_plain, strip_comments

    present = conn.execute(
        "SELECT trigger_name, sql FROM on_demand WHERE present"
    ).fetchall()
    # Some of the names are a row's, which may have anything.
    on_demand = {
        name: strip_comments(text) for name, text in present if name.isidentifier()
    }

    def is_on_demand(name: str, kind: str, text: str) -> bool:
        if name not in on_demand or strip_comments(text) != on_demand[name]:
            return False
        return is_plain(kind, name, text)

    return [addition for addition in others if not is_on_demand(*addition)]


def names_in_z_code(view: str) -> tuple[list[str], list[str]]:
    """Return the names of code, and those of tables, in the text of view z_code.

    It has three texts in quotes: a fingerprint and these. Whatever is missing is empty.
    """
    parts = (view + 6 * "'").split("'")
    code_names = parts[3].split()
    table_names = parts[5].split()
    return code_names, table_names


def digest(texts: Iterable[bytes]) -> str:
    """Return a hash of texts; of definitions views/generate.py computes the same."""
    return blake2b(b"\0".join(texts), digest_size=16).hexdigest()


def prepare_to_write(conn: sqlite3.Connection) -> None:
    """Let a command write as fast as it can, and foreign code work for a limited time.

    Call it when the code of the file is keizer's of today.
    """
    _forget_statistics(conn)
    if code_of(conn).has_additions:
        limit_time(conn, WRITE_SECONDS, foreign_code=True)
    else:
        limit_time(conn, None)


def _forget_statistics(conn: sqlite3.Connection) -> None:
    """Undo ANALYZE, which many programs run.

    With its counts views are five times slower.
    """
    statistics = conn.execute(
        "SELECT name, sql FROM main.sqlite_master WHERE name GLOB 'sqlite_stat[134]'"
    ).fetchall()
    if not statistics:
        return
    from keizer.store.definitions import is_plain

    for name, text in statistics:
        if not is_plain("table", name, text):
            continue
        # Refused where a foreign key that somebody added refers to the table.
        with suppress(sqlite3.OperationalError):
            deleted = conn.execute(f"DELETE FROM {name}").rowcount
            if deleted:  # this connection has read the counts
                conn.execute("ANALYZE sqlite_master")


@contextmanager
def trial_copy(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Provide a copy of the file in memory, to try something on.

    Triggers that somebody added are not in it. Not from within a change of the file.
    """
    with closing(copy_of(conn)) as copy:
        copied_code = code_of(copy)
        if copied_code.is_current:
            for name in copied_code.added_triggers:
                _drop_trigger(copy, name)
            prepare_to_write(copy)
        yield copy


def _drop_trigger(conn: sqlite3.Connection, name: str) -> None:
    from keizer.store.definitions import quoted

    conn.execute(f"DROP TRIGGER {quoted(name)}")


def copy_of(conn: sqlite3.Connection) -> Connection:
    """Return a copy of the file in memory, for one thread after the other."""
    copy = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False, factory=Connection
    )
    _set_limits(copy)
    conn.backup(copy)
    (version,) = copy.execute("PRAGMA schema_version").fetchone()
    copy.seen_code = SeenCode(version, code_of(conn))
    copy.row_factory = sqlite3.Row
    return copy


ERRORS_OF_DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What Python raises for a row that is missing, or a value that cannot be."""


def error_message(error: sqlite3.Error) -> Message:
    """Return what SQLite, a constraint or a trigger of the file said, as a sentence."""
    text = str(error)
    known_errors = resources.table(__file__, "words.toml")["errors"]
    for known in known_errors:
        if any(part in text for part in known["has"]):
            return term(known["said"])
    constraint, _, subject = text.partition(" constraint failed: ")
    if constraint == "NOT NULL":
        return say("{column} is missing.", column=subject)
    problem = subject if constraint == "CHECK" else text
    problem = problem.rstrip(".")
    return say("{what}.", what=term(problem))
