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
"""The number of SQLite's steps between two looks at the clock."""
_FOREIGN_STEPS = 500
"""The same number for foreign code, in which a single step may be slow."""
_LONGEST = 1 << 20
"""The most bytes that a value may have."""
_FOREIGN_LONGEST = 1 << 17
"""The same limit for foreign code, which may compare each letter of two values."""
_LONGEST_TURN = 0.05
"""The most seconds between two looks at the clock that count as SQLite's time.

If more time has passed, Python was using the rows meanwhile.
"""
_TOTAL_FACTOR = 2
"""SQLite and Python together may take this many times the seconds of SQLite alone."""

_HEAP = 640 << 20
"""The most bytes of memory of SQLite: views of views can make any number of copies."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM INTO attaches the new file
}
"""The limits of every connection, by SQLite's number for the limit."""

MAGIC = b"SQLite format 3\x00"

MOST_DEFINITIONS = 2000
"""The most tables, views and the like of a file: six times as many as keizer has."""


class Code(NamedTuple):
    """What the views, triggers and tables of a file are: keizer's own, or foreign.

    Only their texts are compared with keizer's to find this out; none of them is run.
    "This keizer" is the version that is running. Other versions have other views.

    is_current: keizer's views and triggers in the file are those of this keizer.
    is_released: keizer's views and triggers in the file are, to the letter, those of
    this keizer or of an earlier release.

    Each of the next three is stricter than the one before, and includes it. All are
    False if is_current is False, whatever the tables and indexes are.

    has_own_tables: keizer's tables and indexes are as this keizer makes them, and
    nobody added an index.
    has_only_own_code: and nobody added anything else that can run code. Only ordinary
    tables may have been added.
    has_only_own_definitions: and nobody added any table either, or wrote a row of
    sqlite_master by hand (see may_be_by_hand).

    added_triggers: the names of the triggers that somebody added; empty if is_current
    is False.
    may_be_by_hand: somebody may have written rows into sqlite_master themselves, as
    PRAGMA writable_schema allows. SQLite has not checked such rows. False also if
    is_current is False.
    reasons_not_to_read: why reading the file is not safe; empty if it is safe. If there
    are reasons, is_current and is_released are False without a comparison.
    """

    is_current: bool
    is_released: bool
    has_own_tables: bool = False
    has_only_own_code: bool = False
    has_only_own_definitions: bool = False
    added_triggers: tuple[str, ...] = ()
    may_be_by_hand: bool = False
    reasons_not_to_read: tuple[Message, ...] = ()


_Definition = tuple[str, str, str]
"""The name, type and text of a definition, as in sqlite_master."""


class _SortedDefinitions(NamedTuple):
    """The definitions of a file: those with names of keizer's, and all others.

    View z_code, which keizer puts into each file, lists the names of keizer's
    definitions.

    code_texts: the text of each view and trigger that z_code lists, in the order of
    that list. A text is empty if the file lacks the definition.
    table_texts: likewise of each table and index that z_code lists.
    others: the definitions that z_code does not list.
    """

    code_texts: list[bytes]
    table_texts: list[bytes]
    others: list[_Definition]


class CheckedCode(NamedTuple):
    """A `Code` that is kept, as long as no definition in the file changes.

    `Code` says what the views, triggers and tables of the file are: keizer's own, or
    foreign. It takes long to find out.

    schema_version: PRAGMA schema_version when it was found out. SQLite changes this
    number with every change of a view, trigger or table, and `code` is then outdated.
    """

    schema_version: int
    code: Code


class Connection(sqlite3.Connection):
    """A connection that keeps what took long to find out about its file.

    checked_code: what `code_of_file` has found out about the views, triggers and tables
    of the file; None before its first call.
    refreshed_copy: a copy of the file in memory with the views and triggers of this
    keizer; None as long as no reader needed one. It is closed with the connection.
    copied_version: PRAGMA data_version when the copy was made. The number changes when
    another connection writes to the file, and the copy is then outdated.
    """

    checked_code: CheckedCode | None = None
    refreshed_copy: sqlite3.Connection | None = None
    copied_version: int | None = None

    def close(self) -> None:
        """Close the connection and its refreshed copy."""
        if self.refreshed_copy:
            self.refreshed_copy.close()
        super().close()


def connect(
    path: StrPath, mode: str, *, timeout: float | None = None, stays_open: bool = False
) -> Connection:
    """Open a connection to an existing file, with limits; never create a file.

    mode: "ro" to read or "rw" to write. timeout: seconds to wait while another program
    locks the file; None for BUSY_SECONDS. stays_open: the connection will stay open for
    many uses. It may be used by several threads, one after the other, and keeps more
    statements prepared.
    """
    conn = sqlite3.connect(
        _uri(path, mode),
        uri=True,
        isolation_level=None,  # Python begins no transactions: keizer does
        timeout=BUSY_SECONDS if timeout is None else timeout,
        check_same_thread=not stays_open,
        cached_statements=512 if stays_open else 128,
        factory=Connection,
    )
    _set_limits(conn)
    return conn


def _uri(path: StrPath, mode: str) -> str:
    """Return the URI by which SQLite opens a file in a mode, "ro" or "rw".

    Characters of the path that mean something in a URI are escaped.
    """
    absolute = os.path.abspath(path).replace(os.sep, "/")
    for sign in "%?#":  # the percent sign first: it is in the escapes of the others
        escaped = f"%{ord(sign):02x}"
        absolute = absolute.replace(sign, escaped)
    if not absolute.startswith("/"):  # it starts with a drive of Windows
        absolute = f"/{absolute}"
    return f"file://{absolute}?mode={mode}"


def _set_limits(conn: sqlite3.Connection) -> None:
    """Limit a connection to what a season file needs, and trust no code in the file.

    The limits are of memory, time, and the size of values and expressions.
    """
    # This comes first: SQLite has to prepare all earlier statements again after it.
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.execute(f"PRAGMA hard_heap_limit = {_HEAP}")
    for limit, largest in _LIMITS.items():
        conn.setlimit(limit, largest)
    limit_time(conn, READ_SECONDS)


def limit_time(
    conn: sqlite3.Connection, seconds: float | None, *, foreign_code: bool = False
) -> None:
    """Let a connection work for some seconds from now on; SQLite then interrupts it.

    This replaces the limit that the connection had before. It also sets the most bytes
    of a value.
    seconds: the time of SQLite itself, without that of Python between two rows; None
    for no limit.
    foreign_code: whether the file has code that is not keizer's. SQLite then looks at
    the clock after fewer steps, and takes no value with which one step takes long.
    """
    remaining = seconds or 0.0
    last_look = monotonic()
    # Much time between two looks seems to be Python's, and is not counted in full. But
    # it may also be a slow step of SQLite, so the clock ends the work in any case.
    end = last_look + _TOTAL_FACTOR * remaining

    def is_over() -> bool:
        """Count the time since the last look; return True to interrupt SQLite."""
        nonlocal remaining, last_look
        moment = monotonic()
        remaining -= min(moment - last_look, _LONGEST_TURN)
        last_look = moment
        return remaining < 0 or moment > end

    longest = _FOREIGN_LONGEST if foreign_code else _LONGEST
    steps = _FOREIGN_STEPS if foreign_code else _STEPS
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    conn.set_progress_handler(None if seconds is None else is_over, steps)


def code_of_file(conn: sqlite3.Connection) -> Code:
    """Return what the views, triggers and tables of a file are: keizer's, or foreign.

    A `Code` says, for example, whether all views and triggers are those of the keizer
    that is running, and which triggers somebody added. The texts in the file are
    compared for that, and no foreign code is run.

    The comparison takes long. So a `Connection` keeps its result until a view, trigger,
    table or index in the file changes.
    """
    # SQLite changes this number with every change of these.
    (version,) = conn.execute("PRAGMA schema_version").fetchone()
    checked: CheckedCode | None = getattr(conn, "checked_code", None)
    if checked is None or checked.schema_version != version:
        checked = CheckedCode(version, _compare_code(conn))
        if isinstance(conn, Connection):  # a plain sqlite3.Connection has no such field
            conn.checked_code = checked
    return checked.code


def _compare_code(conn: sqlite3.Connection) -> Code:
    """Compare the definitions in a file with keizer's, and return what they are.

    Definitions are the rows of sqlite_master: tables, indexes, views and triggers.
    """
    # Checked first: nothing else may look at the rows of such a file.
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
    # A file cannot cheat by listing fewer names in view z_code: z_code is one of these
    # names, so its own text is in the hash as well.
    code_digest = digest(code_texts)
    is_current = code_digest == DIGEST
    has_own_tables = digest(table_texts) == TABLES
    if is_current and has_own_tables and not others:
        return Code(
            is_current=True,
            is_released=True,
            has_own_tables=True,
            has_only_own_code=True,
            has_only_own_definitions=True,
        )
    # Imported late: most files have keizer's definitions only, and end above.
    from keizer.store.soundness import barring

    # A definition that is not keizer's may run code as soon as a table is read.
    reasons = barring.reasons_to_bar(rows)
    if reasons:
        return Code(is_current=False, is_released=False, reasons_not_to_read=reasons)
    # What follows uses view on_demand, which must not be run if it is not keizer's.
    if not is_current:
        return Code(is_current=False, is_released=code_digest in RELEASES)
    # One hash for all tables does not tell which of them differs, so all are suspect.
    suspect_tables: list[str] = []
    if not has_own_tables:
        suspect_tables = [text.decode(errors="replace") for text in table_texts]
    return _code_with_additions(conn, others, suspect_tables)


def _sort_definitions(rows: list[tuple[str, str, bytes]]) -> _SortedDefinitions:
    """Sort the definitions of a file into keizer's and others, by the list in z_code.

    rows: the name, type and text of each definition, from sqlite_master.
    """
    z_code = next((text for name, _, text in rows if name == "z_code"), b"")
    z_code_text = z_code.decode(errors="replace")
    code_names, table_names = names_in_z_code(z_code_text)
    own_names = {*code_names, *table_names}
    own_texts: dict[str, bytes] = {}
    others: list[_Definition] = []
    for name, kind, text in rows:
        # A second definition of the same name is not keizer's.
        if name in own_names and name not in own_texts:
            own_texts[name] = text
        else:
            others.append((name, kind, text.decode(errors="replace")))
    code_texts = [own_texts.get(name, b"") for name in code_names]
    table_texts = [own_texts.get(name, b"") for name in table_names]
    return _SortedDefinitions(code_texts, table_texts, others)


def _reasons_to_bar_rows(conn: sqlite3.Connection) -> tuple[Message, ...]:
    """Return the reason why it is not safe to read the rows of sqlite_master.

    Either there are too many, or some have values that SQLite never writes, so that
    somebody must have written them by hand. An empty tuple means that it is safe.
    """
    # SQLite never writes a row with other types than these. A view or trigger has no
    # pages in the file, so SQLite writes 0 as its rootpage.
    number, written_by_hand = conn.execute(
        "SELECT count(*), total(typeof(type) <> 'text' OR typeof(name) <> 'text'"
        " OR typeof(tbl_name) <> 'text' OR typeof(rootpage) <> 'integer'"
        " OR typeof(sql) NOT IN ('text', 'null')"
        " OR (rootpage <> 0 AND type IN ('view', 'trigger'))) FROM main.sqlite_master"
    ).fetchone()
    if number <= MOST_DEFINITIONS and not written_by_hand:
        return ()
    # Imported late: hardly any file gets here, and the import takes time.
    from keizer.store.soundness import barring

    if written_by_hand:
        return (barring.BY_HAND,)
    return (barring.too_many(number, MOST_DEFINITIONS),)


def _code_with_additions(
    conn: sqlite3.Connection, others: list[_Definition], suspect_tables: list[str]
) -> Code:
    """Return the `Code` of a file with this keizer's views and triggers, and more.

    `Code` says which of it is keizer's. The rest may be definitions that somebody
    added, or tables and indexes of keizer's that somebody changed.

    others: the definitions that view z_code does not list. Not all of them are added:
    keizer's "triggers on demand", which a file has only while a rule needs them, are
    among them.
    suspect_tables: the texts of all of keizer's tables and indexes, if any of them was
    changed; [] if none was. It is not known which ones were.
    """
    additions = _without_triggers_on_demand(conn, others)
    added_indexes = [name for name, kind, _ in additions if kind == "index"]
    added_triggers = [name for name, kind, _ in additions if kind == "trigger"]
    tables_are_changed = bool(suspect_tables)
    may_be_by_hand = _may_be_by_hand(conn, additions, suspect_tables)
    return Code(
        is_current=True,
        is_released=True,
        # If False, a command looks for what can refuse its rows. An added index can,
        # and so can a changed table.
        has_own_tables=not (tables_are_changed or added_indexes),
        # If False, the time of SQLite is limited. An ordinary table that somebody added
        # runs no code. A changed table can run it in a constraint.
        has_only_own_code=not (tables_are_changed or _can_run_code(additions)),
        # If True, the proof of the file need not compare any definition with keizer's.
        has_only_own_definitions=not (
            tables_are_changed or additions or may_be_by_hand
        ),
        added_triggers=tuple(added_triggers),
        # If True, commands enter nothing, as the texts may hide something.
        may_be_by_hand=may_be_by_hand,
    )


def _may_be_by_hand(
    conn: sqlite3.Connection, additions: list[_Definition], suspect_tables: list[str]
) -> bool:
    """Return whether somebody may have written rows into sqlite_master by hand.

    It shows by texts that SQLite does not write, or by control characters.
    additions: the definitions that are not keizer's. suspect_tables: the texts of
    keizer's tables and indexes that may have been changed.
    """
    # Imported late, as most files have keizer's definitions only.
    from keizer.store.definitions import has_misleading_characters, may_be_by_hand

    if any(may_be_by_hand(kind, name, text) for name, kind, text in additions):
        return True
    rows = conn.execute("SELECT tbl_name FROM main.sqlite_master").fetchall()
    table_names = [table for (table,) in rows]
    return any(map(has_misleading_characters, suspect_tables + table_names))


def _can_run_code(additions: list[_Definition]) -> bool:
    """Return whether any of some definitions can run code.

    Views, triggers, indexes and virtual tables can; an ordinary table cannot.
    """
    # Imported late, as most files have keizer's definitions only.
    from keizer.store.definitions import is_ordinary_table

    return not all(is_ordinary_table(kind, text) for _, kind, text in additions)


def _without_triggers_on_demand(
    conn: sqlite3.Connection, others: list[_Definition]
) -> list[_Definition]:
    """Return a file's other definitions without keizer's triggers on demand.

    A file has such a trigger only while a rule needs it. View on_demand computes its
    text. A trigger that has the name, but another text, is not keizer's.
    others: the definitions that view z_code does not list.
    """
    # Imported late, as most files have keizer's definitions only.
    from keizer.store.definitions import may_be_by_hand, strip_comments

    present = conn.execute(
        "SELECT trigger_name, sql FROM on_demand WHERE present"
    ).fetchall()
    # The names are made from column tiebreak.view, in which people may have written
    # anything. Only plain names can be those of keizer's triggers.
    expected_texts = {
        name: strip_comments(text) for name, text in present if name.isidentifier()
    }

    def is_on_demand(name: str, kind: str, text: str) -> bool:
        """Return whether a definition has the name and the text of such a trigger."""
        if name not in expected_texts or may_be_by_hand(kind, name, text):
            return False
        return strip_comments(text) == expected_texts[name]

    return [definition for definition in others if not is_on_demand(*definition)]


def names_in_z_code(view: str) -> tuple[list[str], list[str]]:
    """Return the names that view z_code lists: of views and triggers, and of tables.

    The names of indexes are among those of tables.
    view: the text of the view. Three texts in it are in quotes: a fingerprint, the
    names of views and triggers, and the names of tables. A list whose text is missing
    is empty.
    """
    # The six quotes that a whole z_code has: without them there could be too few parts.
    with_all_quotes = view + 6 * "'"
    parts = with_all_quotes.split("'")
    code_names = parts[3].split()
    table_names = parts[5].split()
    return code_names, table_names


def digest(texts: Iterable[bytes]) -> str:
    """Return the hash of some texts, in their order, as 32 hexadecimal digits.

    views/generate.py computes the same hash.
    """
    return blake2b(b"\0".join(texts), digest_size=16).hexdigest()


def prepare_to_write(conn: sqlite3.Connection) -> None:
    """Set the limit of time for a change, and delete statistics that slow SQLite down.

    If only keizer's own code is in the file, there is no limit, as a large season may
    take long. If not, it is WRITE_SECONDS. The statistics are those of ANALYZE.
    Call this only for a file with the views and triggers of this keizer: a command that
    finds others in the file replaces them first.
    """
    _forget_statistics(conn)
    if code_of_file(conn).has_only_own_code:
        limit_time(conn, None)
    else:
        limit_time(conn, WRITE_SECONDS, foreign_code=True)


def _forget_statistics(conn: sqlite3.Connection) -> None:
    """Delete the statistics about tables and indexes that ANALYZE has stored in a file.

    Many programs run ANALYZE. By its statistics SQLite chooses plans for keizer's views
    that are five times as slow. Statistics that cannot be deleted stay.
    """
    statistics = conn.execute(
        "SELECT name, sql FROM main.sqlite_master WHERE name GLOB 'sqlite_stat[134]'"
    ).fetchall()
    if not statistics:
        return
    # Imported late, as most files have no statistics.
    from keizer.store.definitions import may_be_by_hand

    for name, text in statistics:
        if may_be_by_hand("table", name, text):
            continue  # this is another table than SQLite's own: leave it alone
        # SQLite refuses it if an added foreign key refers to the table.
        with suppress(sqlite3.OperationalError):
            deleted = conn.execute(f"DELETE FROM {name}").rowcount
            if deleted:
                # This connection has the old statistics in memory. The statement has
                # it read the table again, which is empty now.
                conn.execute("ANALYZE sqlite_master")


@contextmanager
def trial_copy(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Provide a copy of the file in memory, on which changes can be tried.

    If the file has the views and triggers of this keizer, the triggers that somebody
    added are dropped from the copy, and the copy is ready to be written.
    Do not call this while the connection has changes that are not committed.
    """
    with closing(copy_of(conn)) as copy:
        copied_code = code_of_file(copy)
        if copied_code.is_current:
            for name in copied_code.added_triggers:
                _drop_trigger(copy, name)
            prepare_to_write(copy)
        yield copy


def _drop_trigger(conn: sqlite3.Connection, name: str) -> None:
    """Drop a trigger, whatever characters its name has."""
    # Imported late, as hardly any file has triggers that somebody added.
    from keizer.store.definitions import quoted

    conn.execute(f"DROP TRIGGER {quoted(name)}")


def copy_of(conn: sqlite3.Connection) -> Connection:
    """Return a connection to a copy of the file in memory.

    It has the limits of memory and time that every connection of keizer gets. Several
    threads may use it, one after the other. Its rows are sqlite3.Row. The caller closes
    it.
    """
    copy = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False, factory=Connection
    )
    _set_limits(copy)
    conn.backup(copy)
    (version,) = copy.execute("PRAGMA schema_version").fetchone()
    # The copy has the same definitions as the file. So what the check of the file finds
    # is true of the copy, too, and `code_of_file` need not check that one by itself.
    copy.checked_code = CheckedCode(version, code_of_file(conn))
    copy.row_factory = sqlite3.Row
    return copy


ERRORS_OF_DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of Python if a file lacks a row, or has a value that it cannot have."""


def error_message(error: sqlite3.Error) -> Message:
    """Return an error of SQLite, of a constraint or of a trigger as a sentence.

    The sentence can be translated, as far as it is in the catalogues of languages.
    """
    text = str(error)
    # File words.toml has a sentence for each well-known error of SQLite, and the
    # fragments of SQLite's message by which the error is recognised.
    known_errors = resources.table(__file__, "words.toml")["errors"]
    for known in known_errors:
        fragments = known["has"]
        sentence = known["said"]
        if any(fragment in text for fragment in fragments):
            return term(sentence)
    constraint, _, subject = text.partition(" constraint failed: ")
    # An example is "NOT NULL constraint failed: player.name".
    if constraint == "NOT NULL":
        return say("{column} is missing.", column=subject)
    # keizer names each CHECK constraint by the sentence for people, and SQLite's
    # message ends with this name. Other texts are those of keizer's triggers, which
    # already are such sentences, or rare errors of SQLite, which stay as they are.
    problem = subject if constraint == "CHECK" else text
    problem = problem.rstrip(".")
    return say("{what}.", what=term(problem))
