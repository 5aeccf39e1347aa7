"""The program text of a file: its views and triggers, and the rows that are constants.

They are of the keizer that wrote them. View z_code says which, by a fingerprint. A
command that writes puts those of another keizer right in its own transaction, and one
that reads does so in a copy in memory. Whatever people added themselves stays.
"""

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from functools import cache
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, first, say, term
from keizer.store import connection, definitions, sql, tiebreaks
from keizer.store.definitions import Definition, matches
from keizer.store.fingerprint import STORING, STORING_NAMES
from keizer.store.soundness import barring

CONSTANTS = {
    "outcome": "result",
    "result_spelling": "typed",
    "fide_expectation": "hundredths",
    "tiebreak": "name",
    "about": "name",
}
"""The tables that are the same in every file, and the columns that name their rows."""

_EXTENSIBLE = {"tiebreak", "about"}
"""Those of them to which people add rows."""

_STORING_CONSTANTS = ("outcome", "result_spelling", "fide_expectation")
"""Those of them from which stored lists follow."""

Item = tuple[str, str]
"""The type and the name of a definition."""
Objects = dict[Item, str]
"""The texts of definitions."""
_MOST_NAMED = 8
"""How many of the definitions that were put right have their names in the note."""


class OwnCode(NamedTuple):
    """The program text of this keizer.

    definitions: its views and triggers. inserts: the statements that fill tiebreak.
    """

    definitions: list[Definition]
    inserts: list[str]


class NewFile(NamedTuple):
    """The contents of a new file: its definitions, and its constants by table."""

    definitions: Objects
    constants: dict[str, list[tuple[Any, ...]]]


class AddedColumn(NamedTuple):
    """A column or constraint that somebody added to a table of keizer's."""

    table: str
    name: str
    text: str


def definitions_in(conn: sqlite3.Connection) -> Objects:
    """Return the definitions of a file, as they were written, by type and name."""
    rows = sql.run(conn, "definitions")
    return {(kind, name): text.decode(errors="replace") for kind, name, text in rows}


@cache
def own_code() -> OwnCode:
    """Return the program text of this keizer, taken apart once."""
    code = OwnCode([], [])
    for statement in definitions.statements(sql.code_script()):
        definition = definitions.parse_definition(statement)
        if definition:
            code.definitions.append(definition)
        else:
            code.inserts.append(statement)
    return code


def _new_file() -> sqlite3.Connection:
    """Make an empty file in memory, whose views and triggers are not parsed yet."""
    new = sqlite3.connect(":memory:", isolation_level=None)
    new.executescript(sql.schema_script())
    code = own_code()
    definitions.put_definitions(new, code.definitions)
    # The triggers that would look at these rows are not parsed, either.
    for statement in code.inserts:
        new.execute(statement)
    return new


@cache
def new_file() -> NewFile:
    """Return the definitions and constants of a new file, which every file has."""
    with closing(_new_file()) as new:
        constants = {
            table: new.execute(f"SELECT * FROM {table}").fetchall()
            for table in CONSTANTS
        }
        return NewFile(definitions_in(new), constants)


def own_tables() -> Objects:
    """Return the tables that keizer makes."""
    every = new_file().definitions
    return {
        (kind, name): text for (kind, name), text in every.items() if kind == "table"
    }


@cache
def definitions_of_keizer() -> Objects:
    """Return the definitions of a new file, with the triggers of every rule."""
    with closing(_new_file()) as new:
        definitions.reparse(new)
        tiebreaks.compute_all(new)
        return definitions_in(new)


def differences(conn: sqlite3.Connection) -> list[Message]:
    """Return a message for each definition that is not as keizer made it."""
    missing, changed = _differing(conn)
    messages = [
        say("the {kind} {name} is missing.", kind=term(kind), name=name)
        for kind, name in missing
    ]
    messages += [_is_changed(*item) for item in changed]
    return messages


def note_differences(conn: sqlite3.Connection) -> list[Message]:
    """Return the note of the definitions that keizer's put right.

    A file with the code of a release of keizer gets no note: it is brought up to date.
    """
    if connection.code_of(conn).is_released:
        return []
    missing, changed = _differing(conn)
    names = [_named(*item) for item in missing + changed]
    return note_put_right(names)


def note_put_right(names: list[Message]) -> list[Message]:
    """Return the note that these were put right, and none if there are no names."""
    if not names:
        return []
    named = first(names, _MOST_NAMED)
    return [say("what was not as keizer makes it was put right: {names}.", names=named)]


def _differing(conn: sqlite3.Connection) -> tuple[list[Item], list[Item]]:
    """Return which of keizer's definitions a file lacks, and which differ in it."""
    existing = definitions_in(conn)
    # Some triggers are there where a rule asks for them: see view problems.
    missing = [item for item in new_file().definitions if item not in existing]
    return missing, _changed(existing)


def _changed(existing: Objects) -> list[Item]:
    """Return which of keizer's definitions exist, and are not as keizer made them."""
    return [
        item
        for item, expected in definitions_of_keizer().items()
        if not matches(existing.get(item, expected), expected)
    ]


def _is_changed(kind: str, name: str) -> Message:
    return say(
        "the {kind} {name} is not as keizer made it.", kind=term(kind), name=name
    )


def _named(kind: str, name: str, table: str | None = None) -> Message:
    """Return the words for a definition: "trigger audit on round"."""
    if table is None:
        return say("{kind} {name}", kind=term(kind), name=name)
    return say("{kind} {name} on {table}", kind=term(kind), name=name, table=table)


def added_definitions(conn: sqlite3.Connection) -> list[Message]:
    """Return the words for each definition and column that somebody added."""
    table_of = dict(sql.run(conn, "on_tables").fetchall())
    messages = []
    for kind, name in _foreign(conn):
        table = table_of.get(name)
        messages.append(_named(kind, name, table))
    messages += [
        say("column {table}.{column}", table=column.table, column=column.name)
        for column in _added_columns(definitions_in(conn))
    ]
    return messages


def _foreign(conn: sqlite3.Connection) -> list[Item]:
    """Return the definitions that somebody added, whatever the file claims."""
    own = definitions_of_keizer()
    code = connection.code_of(conn)
    on_demand: set[str] = set()
    # Otherwise a trigger of that name could be anybody's.
    if code.is_current or code.is_released:
        on_demand = _on_demand(conn)
    return [
        (kind, name)
        for kind, name in definitions_in(conn)
        if (kind, name) not in own and name not in on_demand
    ]


def _on_demand(conn: sqlite3.Connection) -> set[str]:
    """Return the names of the triggers that a rule asked for.

    Tie-breaks that people added may have some of them. If the code of the file is
    keizer's, each has the text that view on_demand gives it. Otherwise only its name
    is known.
    """
    code = connection.code_of(conn)
    if code.is_current:
        present = sql.run(conn, "present_triggers").fetchall()
        names = {name for (name,) in present}
        return names.difference(code.added_triggers)
    if ("table", "tiebreak") not in definitions_in(conn):
        return set()
    views = conn.execute("SELECT view FROM tiebreak").fetchall()
    names = {f"{view}_asked" for (view,) in views}
    return names | {"settling_list_asked", "settling_scores_asked"}


def refusals_of_triggers(triggers: Iterable[str]) -> list[Message]:
    """Say that nothing is entered while triggers are there that somebody added."""
    return [
        say(
            "the trigger {name}, which somebody added, would run with what is entered:"
            " `DROP TRIGGER {quoted};` takes it out.",
            name=name,
            quoted=definitions.quoted(name),
        )
        for name in triggers
    ]


def foreign_triggers(conn: sqlite3.Connection) -> list[str]:
    """Return the names of the triggers that somebody added."""
    return [name for kind, name in _foreign(conn) if kind == "trigger"]


def refusals_of_additions(conn: sqlite3.Connection) -> list[Message]:
    """Return a message for each addition that can refuse or change what is entered.

    These are additions to keizer's tables, and changes of them.
    """
    existing = definitions_in(conn)
    messages: list[Message] = []
    if connection.code_of(conn).is_by_hand:
        messages.append(barring.BY_HAND)
    messages += refusals_of_triggers(foreign_triggers(conn))
    messages += [
        _is_changed(kind, name)
        for kind, name in _changed(existing)
        if kind in {"table", "index"}
    ]
    messages += _refusing_columns(existing)
    messages += _refusing_indexes(conn, existing)
    return messages


def _added_columns(existing: Objects) -> Iterator[AddedColumn]:
    """Yield the columns and constraints that somebody added to keizer's tables."""
    for (kind, table), expected in own_tables().items():
        text = existing.get((kind, table), expected)
        if text == expected:
            continue
        for name, column in definitions.added_columns(text, expected):
            yield AddedColumn(table, name, column)


def _refusing_columns(existing: Objects) -> Iterator[Message]:
    """Yield a message for each added column or constraint that can refuse a row."""
    for column in _added_columns(existing):
        if definitions.can_refuse(column.text):
            yield say(
                "the column {table}.{column}, which somebody added, can refuse what is"
                " entered.",
                table=column.table,
                column=column.name,
            )


_REFUSING = re.compile(r"\b(WHERE|UNIQUE|COLLATE)\b", re.IGNORECASE)
"""Words of an index that can refuse, or compute."""


def _refusing_indexes(conn: sqlite3.Connection, existing: Objects) -> Iterator[Message]:
    """Yield a message for each index added to keizer's tables that can refuse a row."""
    expected = definitions_of_keizer()
    table_of = dict(sql.run(conn, "on_tables").fetchall())
    for (kind, name), text in existing.items():
        if kind != "index" or (kind, name) in expected:
            continue
        is_on_own_table = ("table", table_of[name]) in expected
        has_expression = text.count("(") != 1
        if is_on_own_table and (has_expression or _REFUSING.search(text)):
            yield say(
                "the index {name}, which somebody added, can refuse or compute.",
                name=name,
            )


def ours(conn: sqlite3.Connection) -> set[str]:
    """Return the names of the views and triggers that are keizer's.

    They are those of this keizer, and of the one before, which made the file's code.
    """
    own_definitions = own_code().definitions
    names = {definition.name for definition in own_definitions}
    names |= _on_demand(conn)
    # The view is not run: it may be another one.
    views = conn.execute("SELECT sql FROM sqlite_master WHERE name = 'z_code'")
    for (text,) in views:
        # Without comments, in which anybody's names may stand.
        bare_text = definitions.strip_comments(text)
        code_names, _ = connection.names_in_z_code(bare_text)
        names.update(code_names)
    return names


def drop_code(conn: sqlite3.Connection) -> list[str]:
    """Take all triggers and keizer's views out of a file.

    Return the names of the triggers that somebody added. Raise KeizerError if a table
    or index that somebody added has a name that keizer needs.
    """
    own_names = ours(conn)
    own_views = {
        definition.name
        for definition in own_code().definitions
        if definition.kind == "view"
    }
    dropped: list[str] = []
    foreign: list[str] = []
    for kind, name in definitions_in(conn):
        is_own = name.lower() in own_names
        if kind == "trigger":
            dropped.append(name)
            if not is_own or name.lower() in own_views:
                foreign.append(name)
        elif kind == "view":
            if is_own:
                dropped.append(name)
        elif is_own:
            raise KeizerError(
                "somebody added a {kind} {name}, a name that this keizer needs:"
                " rename it first (ALTER TABLE {name} RENAME TO my_{name}).",
                kind=term(kind),
                name=name,
            )
    definitions.remove(conn, dropped)
    definitions.reparse(conn)
    return foreign


def put_code(conn: sqlite3.Connection) -> None:
    """Put keizer's views, triggers and constants into a file that has none.

    Constants that people added stay.
    """
    for table, key in CONSTANTS.items():
        _put_constants(conn, table, key)
    definitions.put_definitions(conn, own_code().definitions)
    definitions.reparse(conn)


def _put_constants(conn: sqlite3.Connection, table: str, key: str) -> None:
    """Make the rows of a table of constants those of this keizer."""
    rows = new_file().constants[table]
    keys = [row[0] for row in rows]
    key_slots = _slots(keys)
    row_slots = _slots(rows[0])
    if table in _EXTENSIBLE:
        conn.execute(f"DELETE FROM {table} WHERE {key} IN {key_slots}", keys)
    else:  # only what is too much: games refer to the rest
        conn.execute(f"DELETE FROM {table} WHERE {key} NOT IN {key_slots}", keys)
    conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES {row_slots}", rows)


def _slots(values: Collection[object]) -> str:
    """Return the places of a list of values in a statement: `(?, ?, ?)`."""
    slots = ", ".join("?" * len(values))
    return f"({slots})"


def _is_computed(conn: sqlite3.Connection) -> bool:
    """Return whether a file stores what this keizer would store.

    Its code may be another one, but not the part that acts on tables. If a rule asks
    for more code, as for a tie-break, this is not looked into.
    """
    rows = sql.run(conn, "definitions").fetchall()
    texts = {name: text for _, name, text in rows}
    storing_names = STORING_NAMES.split()
    storing = [texts.get(name, b"") for name in storing_names]
    if connection.digest(storing) != STORING:
        return False
    views = {name for kind, name, _ in rows if kind == "view"}
    other_views = views.difference(storing_names)
    triggers = conn.execute(
        "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
    )
    for name, table in triggers:
        if name not in storing_names and table not in other_views:
            return False
    if sql.run(conn, "rules_with_triggers").fetchone():
        return False
    return all(_has_own_constants(conn, table) for table in _STORING_CONSTANTS)


def _has_own_constants(conn: sqlite3.Connection, table: str) -> bool:
    """Return whether the rows of a table of constants are those of this keizer."""
    rows = conn.execute(f"SELECT * FROM {table}")
    own_rows = new_file().constants[table]
    return {tuple(row) for row in rows} == set(own_rows)


def refresh(conn: sqlite3.Connection, *, to_read: bool = False) -> list[Message]:
    """Give a file the code and constants of this keizer, and compute it again.

    to_read: do not compute what this keizer would have stored in the same way.
    Return a message for each trigger that somebody added. It is taken out, and the file
    is not to be written. Call it inside a transaction.
    """
    is_computed = to_read and _is_computed(conn)
    foreign = drop_code(conn)
    put_code(conn)
    connection.prepare_to_write(conn)
    if not is_computed:
        _revalue(conn)
    return refusals_of_triggers(foreign)


def _revalue(conn: sqlite3.Connection) -> None:
    """Compute all tournaments again, each from its start.

    A tournament that somebody suspended stays so.
    """
    tournaments = sql.run(conn, "not_suspended").fetchall()
    conn.execute("UPDATE tournament SET revaluation = 'suspended', stale_from = 0")
    tiebreaks.compute_needed(conn)
    conn.executemany(
        "UPDATE tournament SET revaluation = 'on' WHERE id = ?", tournaments
    )
