"""The program text in a file: keizer's views, triggers and constant rows.

The keizer that last wrote a file gave it this text, and view z_code has a fingerprint
of it. If it is the text of another keizer, a command that writes replaces it in its own
transaction, and a command that reads replaces it in a copy in memory. Whatever people
added to the file stays.
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
"""The tables whose rows are the same in every file, each with its key column."""

_EXTENSIBLE = {"tiebreak", "about"}
"""The tables of constants to which people may add rows."""

_STORING_CONSTANTS = ("outcome", "result_spelling", "fide_expectation")
"""The tables of constants from which stored lists are computed."""

Item = tuple[str, str]
"""The type and the name of a definition, such as ("view", "standings")."""
Objects = dict[Item, str]
"""The texts of definitions, by type and name."""
_MOST_NAMED = 8
"""The most definitions that the note of what was put right names."""


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
    """Return the texts of all definitions of a file, by type and name."""
    rows = sql.run(conn, "definitions")
    return {(kind, name): text.decode(errors="replace") for kind, name, text in rows}


@cache
def own_code() -> OwnCode:
    """Return the views, triggers and inserts of this keizer's SQL files."""
    code = OwnCode([], [])
    for statement in definitions.statements(sql.code_script()):
        definition = definitions.parse_definition(statement)
        if definition:
            code.definitions.append(definition)
        else:
            code.inserts.append(statement)
    return code


def _create_in_memory() -> sqlite3.Connection:
    """Create a season file in memory, whose views and triggers are not parsed yet."""
    new = sqlite3.connect(":memory:", isolation_level=None)
    new.executescript(sql.schema_script())
    code = own_code()
    definitions.put_definitions(new, code.definitions)
    # As the triggers are not parsed, none of them slows down or refuses these rows.
    for statement in code.inserts:
        new.execute(statement)
    return new


@cache
def new_file() -> NewFile:
    """Return the definitions and constants of a new file, which every file has."""
    with closing(_create_in_memory()) as new:
        constants = {
            table: new.execute(f"SELECT * FROM {table}").fetchall()
            for table in CONSTANTS
        }
        return NewFile(definitions_in(new), constants)


def own_tables() -> Objects:
    """Return the definitions of keizer's own tables."""
    own_definitions = new_file().definitions
    return {
        (kind, name): text
        for (kind, name), text in own_definitions.items()
        if kind == "table"
    }


@cache
def definitions_of_keizer() -> Objects:
    """Return the definitions of a new file, and all triggers on demand.

    A file has the triggers on demand only while a rule needs them (view on_demand).
    """
    with closing(_create_in_memory()) as new:
        definitions.reparse(new)
        tiebreaks.compute_all(new)
        return definitions_in(new)


def differences(conn: sqlite3.Connection) -> list[Message]:
    """Return a message for each definition that is missing or not as keizer made it."""
    missing, changed = _missing_and_changed(conn)
    messages = [
        say("the {kind} {name} is missing.", kind=term(kind), name=name)
        for kind, name in missing
    ]
    messages += [_message_of_change(*item) for item in changed]
    return messages


def note_differences(conn: sqlite3.Connection) -> list[Message]:
    """Return a note that names the definitions which `refresh` will put right.

    Call it before `refresh`. There is no note for a file with the code of a release of
    keizer: it is merely brought up to date.
    """
    if connection.code_of(conn).is_released:
        return []
    missing, changed = _missing_and_changed(conn)
    names = [_name_in_words(*item) for item in missing + changed]
    return note_put_right(names)


def note_put_right(names: list[Message]) -> list[Message]:
    """Return a note that what has these names was put right; none without names.

    names: of definitions or computed values, as they stand in a sentence.
    """
    if not names:
        return []
    named = first(names, _MOST_NAMED)
    return [say("repaired, as it was not as keizer makes it: {names}.", names=named)]


def _missing_and_changed(conn: sqlite3.Connection) -> tuple[list[Item], list[Item]]:
    """Return which of keizer's definitions a file lacks, and which differ in it."""
    existing = definitions_in(conn)
    # Triggers on demand are not in a new file, and so not missed here. View problems
    # has a line if a rule lacks one.
    missing = [item for item in new_file().definitions if item not in existing]
    return missing, _changed(existing)


def _changed(existing: Objects) -> list[Item]:
    """Return which of keizer's definitions exist, and are not as keizer made them."""
    return [
        item
        for item, expected in definitions_of_keizer().items()
        if item in existing and not matches(existing[item], expected)
    ]


def _message_of_change(kind: str, name: str) -> Message:
    """Return the message that a definition is not as keizer made it."""
    return say(
        "the {kind} {name} is not as keizer made it.", kind=term(kind), name=name
    )


def _name_in_words(kind: str, name: str, table: str | None = None) -> Message:
    """Return a definition as a sentence names it, such as "trigger audit on round".

    table: the table of an index or trigger.
    """
    if table is None:
        return say("{kind} {name}", kind=term(kind), name=name)
    return say("{kind} {name} on {table}", kind=term(kind), name=name, table=table)


def added_definitions(conn: sqlite3.Connection) -> list[Message]:
    """Return the name of each definition and column that somebody added, in words."""
    messages = []
    tables = _tables_by_name(conn)
    for kind, name in _foreign_definitions(conn):
        messages.append(_name_in_words(kind, name, tables.get(name)))
    messages += [
        say("column {table}.{column}", table=column.table, column=column.name)
        for column in _added_columns(definitions_in(conn))
    ]
    return messages


def _tables_by_name(conn: sqlite3.Connection) -> dict[str, str]:
    """Return the table of each index and trigger, by the name of that."""
    return dict(sql.run(conn, "on_tables").fetchall())


def _foreign_definitions(conn: sqlite3.Connection) -> list[Item]:
    """Return the definitions that somebody added: all that are not keizer's."""
    own = definitions_of_keizer()
    code = connection.code_of(conn)
    on_demand: set[str] = set()
    # With code that nobody knows, a trigger with the name of one on demand may have
    # been added, too: only the triggers in definitions_of_keizer count as keizer's.
    if code.is_current or code.is_released:
        on_demand = _triggers_on_demand(conn)
    return [
        (kind, name)
        for kind, name in definitions_in(conn)
        if (kind, name) not in own and name not in on_demand
    ]


def _triggers_on_demand(conn: sqlite3.Connection) -> set[str]:
    """Return the names of the triggers on demand in a file.

    Some may be for tie-breaks that people added.
    """
    code = connection.code_of(conn)
    if code.is_current:
        present = sql.run(conn, "present_triggers").fetchall()
        names = {name for (name,) in present}
        # An added trigger has such a name, but not the text of view on_demand.
        return names.difference(code.added_triggers)
    # View on_demand may be another one, and is not run: it gives triggers these names.
    if ("table", "tiebreak") not in definitions_in(conn):
        return set()
    views = conn.execute("SELECT view FROM tiebreak").fetchall()
    names = {f"{view}_asked" for (view,) in views}
    return names | {"settling_list_asked", "settling_scores_asked"}


def refusals_of_triggers(triggers: Iterable[str]) -> list[Message]:
    """Return a message for each added trigger: while it is there, nothing is entered.

    triggers: their names.
    """
    return [
        say(
            "the trigger {name}, which somebody added, would run with every entry:"
            " `DROP TRIGGER {quoted};` removes it.",
            name=name,
            quoted=definitions.quoted(name),
        )
        for name in triggers
    ]


def foreign_triggers(conn: sqlite3.Connection) -> list[str]:
    """Return the names of the triggers that somebody added."""
    return [name for kind, name in _foreign_definitions(conn) if kind == "trigger"]


def refusals_of_additions(conn: sqlite3.Connection) -> list[Message]:
    """Return a message for each addition that can refuse or change what is entered.

    Such are triggers, changes of keizer's tables and indexes, and columns, constraints
    and indexes that somebody added to keizer's tables.
    """
    existing = definitions_in(conn)
    messages: list[Message] = []
    if connection.code_of(conn).may_be_by_hand:
        messages.append(barring.BY_HAND)
    messages += refusals_of_triggers(foreign_triggers(conn))
    messages += [
        _message_of_change(kind, name)
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
        if text == expected:  # as most are, so that they need not be taken apart
            continue
        for column_name, column_text in definitions.added_columns(text, expected):
            yield AddedColumn(table, column_name, column_text)


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
"""Words of an index that can refuse rows, or computes with them."""


def _refusing_indexes(conn: sqlite3.Connection, existing: Objects) -> Iterator[Message]:
    """Yield a message for each index added to keizer's tables that can refuse a row."""
    own = definitions_of_keizer()
    tables = _tables_by_name(conn)
    for (kind, name), text in existing.items():
        if kind != "index" or (kind, name) in own:
            continue
        is_on_own_table = ("table", tables[name]) in own
        has_expression = text.count("(") != 1  # the one around the columns
        if is_on_own_table and (has_expression or _REFUSING.search(text)):
            yield say(
                "the index {name}, which somebody added, can refuse or compute.",
                name=name,
            )


def _own_names(conn: sqlite3.Connection) -> set[str]:
    """Return the names of views and triggers that are keizer's, if a file has them.

    They are names of this keizer's, and of the keizer that wrote the file's code.
    """
    own_definitions = own_code().definitions
    names = {definition.name for definition in own_definitions}
    names |= _triggers_on_demand(conn)
    # The text of view z_code is read. The view is not run, as somebody may have put
    # another one in its place.
    rows = conn.execute("SELECT sql FROM sqlite_master WHERE name = 'z_code'")
    for (text,) in rows:
        # Without comments, which could list anybody's names as well.
        bare_text = definitions.strip_comments(text)
        code_names, _ = connection.names_in_z_code(bare_text)
        names.update(code_names)
    return names


def drop_code(conn: sqlite3.Connection) -> list[str]:
    """Drop all triggers and keizer's views from a file.

    Return the names of those dropped triggers that somebody added. Raise KeizerError if
    a table or index that somebody added has a name that keizer needs.
    """
    own_names = _own_names(conn)
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
            # A view of keizer's has that name, so the trigger is not keizer's.
            has_name_of_view = name.lower() in own_views
            if not is_own or has_name_of_view:
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
    """Put keizer's views, triggers and constants into a file after `drop_code`.

    Rows that people added to tables of constants stay.
    """
    for table, key in CONSTANTS.items():
        _put_constants(conn, table, key)
    definitions.put_definitions(conn, own_code().definitions)
    definitions.reparse(conn)


def _put_constants(conn: sqlite3.Connection, table: str, key: str) -> None:
    """Replace the rows of a table of constants by those of this keizer.

    key: the first column, by which rows are told apart.
    """
    rows = new_file().constants[table]
    keys = [row[0] for row in rows]
    key_slots = _slots(keys)
    row_slots = _slots(rows[0])
    if table in _EXTENSIBLE:
        conn.execute(f"DELETE FROM {table} WHERE {key} IN {key_slots}", keys)
    else:
        # Only rows that this keizer lacks are deleted: games refer to the others.
        conn.execute(f"DELETE FROM {table} WHERE {key} NOT IN {key_slots}", keys)
    conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES {row_slots}", rows)


def _slots(values: Collection[object]) -> str:
    """Return a question mark for each value, as a list in SQL: "(?, ?, ?)"."""
    slots = ", ".join("?" * len(values))
    return f"({slots})"


def _stores_the_same(conn: sqlite3.Connection) -> bool:
    """Return whether this keizer would compute the same lists as a file stores.

    That is so if the code and constants from which stored lists follow are the same.
    Other code may differ. False if that is not known: if a table has other triggers, or
    some rule may need triggers on demand.
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
        # A trigger on a view that does not act on tables cannot change stored lists.
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
    """Give a file the code and constants of this keizer, and compute all lists again.

    to_read: leave stored lists alone if this keizer would store the same ones.
    Return a message for each trigger that somebody added. These are dropped as well, so
    whoever writes the file has to refuse it then. Call this inside a transaction.
    """
    # This looks at the code of the file, so it comes before that is dropped.
    is_up_to_date = to_read and _stores_the_same(conn)
    added_triggers = drop_code(conn)
    put_code(conn)
    connection.prepare_to_write(conn)
    if not is_up_to_date:
        _revalue_all(conn)
    return refusals_of_triggers(added_triggers)


def _revalue_all(conn: sqlite3.Connection) -> None:
    """Compute the lists of all tournaments again, from the start order on.

    A tournament that somebody suspended stays suspended.
    """
    not_suspended = sql.run(conn, "not_suspended").fetchall()
    # While all are suspended the triggers for tie-breaks can be exchanged.
    conn.execute("UPDATE tournament SET revaluation = 'suspended', stale_from = 0")
    tiebreaks.compute_needed(conn)
    # By trigger revaluation_switched_on this computes all lists from stale_from on.
    conn.executemany(
        "UPDATE tournament SET revaluation = 'on' WHERE id = ?", not_suspended
    )
