"""Connections of SQLite to a season file, a copy to try things on, and error messages.

Nothing that a file brings is trusted. Every connection has limits. The code of a file
is its views and triggers, whose texts SQLite keeps in table sqlite_master. keizer
compares the texts with its own before it runs any of them. It runs no trigger that
somebody added, and limits the time of all other foreign code.
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
"""The number of steps after which SQLite looks at the clock."""
_FOREIGN_STEPS = 500
"""Likewise of foreign code, in which a step may be slow."""
_LONGEST = 1 << 20
"""The most bytes of a value."""
_FOREIGN_LONGEST = 1 << 17
"""Likewise with foreign code, which may compare each letter of two values."""
_PAUSE = 0.05
"""The most seconds between two looks at the clock that count as SQLite's time.

Python, which uses the rows meanwhile, takes the rest.
"""
_SLOW = 2
"""How many times its own seconds SQLite may take together with Python."""

_HEAP = 640 << 20
"""The most bytes of memory of SQLite: views of views can make any number of copies."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM INTO
}

MAGIC = b"SQLite format 3\x00"

MOST_DEFINITIONS = 2000
"""The most tables, views and the like of a file: six times as many as keizer has."""


class Code(NamedTuple):
    """The code of a file, judged by the texts of its definitions.

    is_current: keizer's views and triggers in it are as this keizer makes them.
    is_released: keizer's views and triggers in it are those of some release of keizer,
    to the letter, whatever the file claims.
    has_own_tables: its tables and indexes are as this keizer makes them, and nobody
    added an index.
    is_pure: it has the definitions of this keizer and no others.
    has_additions: somebody added code to it, or changed a table of keizer's.
    added_triggers: the names of the triggers that somebody added.
    is_by_hand: somebody may have written into sqlite_master by hand.
    reasons_not_to_read: the reasons why nothing of the file may be read.
    """

    is_current: bool
    is_released: bool
    has_own_tables: bool = False
    is_pure: bool = False
    has_additions: bool = True
    added_triggers: tuple[str, ...] = ()
    is_by_hand: bool = False
    reasons_not_to_read: tuple[Message, ...] = ()


_Definition = tuple[str, str, str]
"""The name, type and text of a definition, as in sqlite_master."""


class _Definitions(NamedTuple):
    """The definitions of a file, sorted by whose name they have.

    code_texts, table_texts: the texts of the names that view z_code lists as those of
    keizer's code and tables, in its order; an empty text if the file lacks one.
    others: all other definitions.
    """

    code_texts: list[bytes]
    table_texts: list[bytes]
    others: list[_Definition]


class SeenCode(NamedTuple):
    """The code of a file, and the number that SQLite then gave to the schema.

    schema_version: PRAGMA schema_version, which changes with every definition.
    """

    schema_version: int
    code: Code


class Connection(sqlite3.Connection):
    """A connection that remembers the code of its file, and a copy of the file.

    seen_code: the code, once it was read.
    refreshed_copy: a copy with the code of this keizer, if there is one.
    copied_version: the number of the state of the file that was copied (PRAGMA
    data_version, which changes when another connection writes).
    """

    seen_code: SeenCode | None = None
    refreshed_copy: sqlite3.Connection | None = None
    copied_version: int | None = None

    def close(self) -> None:
        """Close the connection and its refreshed copy."""
        if self.refreshed_copy:
            self.refreshed_copy.close()
        super().close()


def connect(
    path: StrPath, mode: str, *, timeout: float | None = None, warm: bool = False
) -> Connection:
    """Open a connection to an existing file; never create one.

    mode: "ro" to read or "rw" to write. timeout: seconds to wait while another program
    locks the file, BUSY_SECONDS by default. warm: the connection will stay open for
    several threads, one after the other, and keep many statements prepared.
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
    """Return the URI of a file, with escapes for signs that mean something in a URI."""
    absolute = os.path.abspath(path).replace(os.sep, "/")
    for sign in "%?#":  # the percent sign first: it is in the escapes of the others
        escaped = f"%{ord(sign):02x}"
        absolute = absolute.replace(sign, escaped)
    if not absolute.startswith("/"):  # it starts with a drive of Windows
        absolute = f"/{absolute}"
    return f"file://{absolute}?mode={mode}"


def _set_limits(conn: sqlite3.Connection) -> None:
    """Let a connection do no more than a season file needs."""
    # This comes first: SQLite has to prepare all earlier statements again after it.
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.execute(f"PRAGMA hard_heap_limit = {_HEAP}")
    for limit, largest in _LIMITS.items():
        conn.setlimit(limit, largest)
    limit_time(conn, READ_SECONDS)


def limit_time(
    conn: sqlite3.Connection, seconds: float | None, *, foreign_code: bool = False
) -> None:
    """Let SQLite work for some seconds from now on, and interrupt it after them.

    seconds: the seconds of SQLite's own work; None for no limit. Between two looks at
    the clock at most _PAUSE is counted: the rest seems to be time of Python. But it may
    also be a slow step of SQLite, so _SLOW times the seconds by the clock are the end
    in any case.
    foreign_code: look at the clock after fewer steps, and allow no value so large that
    one step with it takes long.
    """
    remaining = seconds or 0.0
    last_look = monotonic()
    end = last_look + _SLOW * remaining

    def is_over() -> bool:
        """Return True to have SQLite interrupt the statement."""
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
    """Return the code of a file, judged by its texts; no code of others is run.

    The texts are read once for each state of the schema.
    """
    (version,) = conn.execute("PRAGMA schema_version").fetchone()
    seen: SeenCode | None = getattr(conn, "seen_code", None)
    if seen is None or seen.schema_version != version:
        seen = SeenCode(version, _read_code(conn))
        if isinstance(conn, Connection):  # others cannot remember anything
            conn.seen_code = seen
    return seen.code


def _read_code(conn: sqlite3.Connection) -> Code:
    """Compare the definitions of a file with those that this keizer makes."""
    reasons = _reasons_to_bar_rows(conn)
    if reasons:
        return Code(is_current=False, is_released=False, reasons_not_to_read=reasons)
    # As bytes: to decode a third of a megabyte, and encode it again for the digest,
    # takes as long as the rest.
    rows = conn.execute(
        "SELECT name, type, CAST(sql AS BLOB) FROM main.sqlite_master"
        " WHERE sql IS NOT NULL"
    ).fetchall()
    code_texts, table_texts, others = _sort_definitions(rows)
    # A file cannot cheat by listing fewer names in z_code: its text is hashed as well.
    code_digest = digest(code_texts)
    is_current = code_digest == DIGEST
    has_own_tables = digest(table_texts) == TABLES
    if is_current and has_own_tables and not others:
        return Code(
            is_current=True,
            is_released=True,
            has_own_tables=True,
            is_pure=True,
            has_additions=False,
        )
    from keizer.store.soundness import barring

    reasons = barring.reasons_to_bar(rows)
    if reasons:
        return Code(is_current=False, is_released=False, reasons_not_to_read=reasons)
    if not is_current:
        return Code(is_current=False, is_released=code_digest in RELEASES)
    changed_tables: list[str] = []
    if not has_own_tables:
        changed_tables = [text.decode(errors="replace") for text in table_texts]
    return _code_with_additions(conn, others, changed_tables)


def _sort_definitions(rows: list[tuple[str, str, bytes]]) -> _Definitions:
    """Sort the rows of sqlite_master by whether view z_code lists their names."""
    z_code = next((text for name, _, text in rows if name == "z_code"), b"")
    z_code_text = z_code.decode(errors="replace")
    code_names, table_names = names_in_z_code(z_code_text)
    own_texts = dict.fromkeys(code_names + table_names, b"")
    others: list[_Definition] = []
    for name, kind, text in rows:
        # A second definition of the same name is not keizer's.
        is_first_of_own_name = own_texts.get(name) == b""
        if is_first_of_own_name:
            own_texts[name] = text
        else:
            others.append((name, kind, text.decode(errors="replace")))
    code_texts = [own_texts[name] for name in code_names]
    table_texts = [own_texts[name] for name in table_names]
    return _Definitions(code_texts, table_texts, others)


def _reasons_to_bar_rows(conn: sqlite3.Connection) -> tuple[Message, ...]:
    """Return why the rows of sqlite_master may not be read, if they may not.

    There are too many, or some have values that SQLite never writes there.
    """
    # Views and triggers have no pages of their own: their rootpage is 0.
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
    """Return the code of a file that has the current code and other definitions.

    others: the definitions that are not keizer's, or are triggers on demand.
    changed_tables: the texts of all tables of keizer's; empty if they are all as keizer
    made them.
    """
    additions = _without_triggers_on_demand(conn, others)
    added_indexes = [name for name, kind, _ in additions if kind == "index"]
    added_triggers = [name for name, kind, _ in additions if kind == "trigger"]
    is_by_hand = _is_by_hand(conn, additions, changed_tables)
    return Code(
        is_current=True,
        is_released=True,
        # An added index, too, can refuse rows of a table of keizer's.
        has_own_tables=not changed_tables and not added_indexes,
        is_pure=not changed_tables and not additions and not is_by_hand,
        has_additions=bool(changed_tables) or _have_code(additions),
        added_triggers=tuple(added_triggers),
        is_by_hand=is_by_hand,
    )


def _is_by_hand(
    conn: sqlite3.Connection, additions: list[_Definition], changed_tables: list[str]
) -> bool:
    """Return whether somebody may have written into sqlite_master by hand."""
    from keizer.store.definitions import is_odd, may_be_by_hand

    if any(may_be_by_hand(kind, name, text) for name, kind, text in additions):
        return True
    rows = conn.execute("SELECT tbl_name FROM main.sqlite_master").fetchall()
    tables = [table for (table,) in rows]
    return any(is_odd(text) for text in changed_tables + tables)


def _have_code(additions: list[_Definition]) -> bool:
    """Return whether a definition can run code, as all but ordinary tables can."""
    from keizer.store.definitions import is_ordinary_table

    return not all(is_ordinary_table(kind, text) for _, kind, text in additions)


def _without_triggers_on_demand(
    conn: sqlite3.Connection, others: list[_Definition]
) -> list[_Definition]:
    """Return the definitions that are not one of keizer's triggers on demand.

    A file has these triggers while a rule needs them. View on_demand has their texts.
    """
    from keizer.store.definitions import may_be_by_hand, strip_comments

    present = conn.execute(
        "SELECT trigger_name, sql FROM on_demand WHERE present"
    ).fetchall()
    # A name is made of tiebreak.view, in which people may have written anything.
    expected_texts = {
        name: strip_comments(text) for name, text in present if name.isidentifier()
    }

    def is_on_demand(name: str, kind: str, text: str) -> bool:
        if name not in expected_texts or may_be_by_hand(kind, name, text):
            return False
        return strip_comments(text) == expected_texts[name]

    return [definition for definition in others if not is_on_demand(*definition)]


def names_in_z_code(view: str) -> tuple[list[str], list[str]]:
    """Return the names of code and the names of tables that view z_code lists.

    view: its text. Three texts in it are in quotes: a fingerprint, the names of code
    and the names of tables. If some are missing, their lists are empty.
    """
    with_all_quotes = view + 6 * "'"  # so that there are parts in any case
    parts = with_all_quotes.split("'")
    code_names = parts[3].split()
    table_names = parts[5].split()
    return code_names, table_names


def digest(texts: Iterable[bytes]) -> str:
    """Return the hash of some texts; views/generate.py computes the same hash."""
    return blake2b(b"\0".join(texts), digest_size=16).hexdigest()


def prepare_to_write(conn: sqlite3.Connection) -> None:
    """Lift the limit of time for keizer's own code, and delete old statistics.

    A file with additions keeps a limit. Call this when keizer's views and triggers in
    the file are those of this keizer.
    """
    _forget_statistics(conn)
    if code_of(conn).has_additions:
        limit_time(conn, WRITE_SECONDS, foreign_code=True)
    else:
        limit_time(conn, None)


def _forget_statistics(conn: sqlite3.Connection) -> None:
    """Delete the statistics of ANALYZE, which many programs run.

    With these statistics SQLite runs keizer's views five times more slowly.
    """
    statistics = conn.execute(
        "SELECT name, sql FROM main.sqlite_master WHERE name GLOB 'sqlite_stat[134]'"
    ).fetchall()
    if not statistics:
        return
    from keizer.store.definitions import may_be_by_hand

    for name, text in statistics:
        if may_be_by_hand("table", name, text):
            continue
        # SQLite refuses it if an added foreign key refers to the table.
        with suppress(sqlite3.OperationalError):
            deleted = conn.execute(f"DELETE FROM {name}").rowcount
            if deleted:
                # This connection has read the statistics: now it reads the empty table.
                conn.execute("ANALYZE sqlite_master")


@contextmanager
def trial_copy(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Provide a copy of the file in memory, to try something on.

    The copy has no triggers that somebody added. Do not call this while the connection
    has changes that are not committed.
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
    """Return a copy of the file in memory, which several threads use by turns."""
    copy = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False, factory=Connection
    )
    _set_limits(copy)
    conn.backup(copy)
    (version,) = copy.execute("PRAGMA schema_version").fetchone()
    # The copy has the definitions of the file, so they need not be read again.
    copy.seen_code = SeenCode(version, code_of(conn))
    copy.row_factory = sqlite3.Row
    return copy


ERRORS_OF_DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of Python if a file lacks a row, or has a value that it cannot have."""


def error_message(error: sqlite3.Error) -> Message:
    """Return the error of SQLite, of a constraint or of a trigger as a sentence."""
    text = str(error)
    known_errors = resources.table(__file__, "words.toml")["errors"]
    for known in known_errors:
        if any(part in text for part in known["has"]):
            return term(known["said"])
    # Such as "NOT NULL constraint failed: player.name". The constraints and triggers of
    # keizer have sentences for names and messages: "CHECK constraint failed: ...".
    constraint, _, subject = text.partition(" constraint failed: ")
    if constraint == "NOT NULL":
        return say("{column} is missing.", column=subject)
    problem = subject if constraint == "CHECK" else text
    problem = problem.rstrip(".")
    return say("{what}.", what=term(problem))
