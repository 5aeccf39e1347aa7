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
from keizer.messages import Message, say, shortened_list, term
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
"""The tables of constants, with the key column of each.

Their rows come with keizer and are the same in every file.
"""

_EXTENSIBLE = {"tiebreak", "about"}
"""The tables of constants to which people may add rows: these stay."""

_STORING_CONSTANTS = ("outcome", "result_spelling", "fide_expectation")
"""The tables of constants from which the stored lists are computed.

The lists are the rankings and tie-breaks after each round, which a file stores.
"""

Item = tuple[str, str]
"""The type and the name of a definition, such as ("view", "standings")."""
Definitions = dict[Item, str]
"""The texts of tables, indexes, views and triggers, by type and name."""
_MOST_NAMED = 8
"""The most definitions that the note on repairs names: a note is to stay short."""


class OwnCode(NamedTuple):
    """The views and triggers that this keizer puts into a file.

    definitions: the views and triggers.
    inserts: the statements that fill table tiebreak, which stand among them in the SQL.
    """

    definitions: list[Definition]
    inserts: list[str]


class NewFile(NamedTuple):
    """The contents of a new file.

    definitions: the texts of its tables, indexes, views and triggers.
    constants: by the name of the table, the rows that are the same in every file.
    """

    definitions: Definitions
    constants: dict[str, list[tuple[Any, ...]]]


class AddedColumn(NamedTuple):
    """A column or constraint that somebody added to one of keizer's tables.

    table: the name of that table.
    name: the name of the column; of a constraint, its first word, such as CHECK.
    text: its text in the CREATE TABLE, such as "shirt TEXT".
    """

    table: str
    name: str
    text: str


def definitions_in(conn: sqlite3.Connection) -> Definitions:
    """Return the texts of a file's tables, indexes, views and triggers.

    The keys are type and name: {("view", "rounds"): "CREATE VIEW rounds AS ..."}. The
    tables that SQLite makes by itself are left out.
    """
    definitions_as_bytes = sql.run(conn, "definitions")
    # A text in a file of others may not be valid UTF-8. Python would then refuse to
    # read it as a str. So the query returns bytes, and "replace" puts a sign for each
    # invalid byte.
    return {
        (kind, name): text_as_bytes.decode(errors="replace")
        for kind, name, text_as_bytes in definitions_as_bytes
    }


@cache
def own_code() -> OwnCode:
    """Return the views and triggers in the SQL files of this keizer.

    The inserts for table tiebreak, which are in the same files, are returned as well.
    """
    code = OwnCode([], [])
    for statement in definitions.statements(sql.code_script()):
        definition = definitions.parse_definition(statement)
        if definition:
            code.definitions.append(definition)
        else:
            code.inserts.append(statement)
    return code


def _create_in_memory() -> sqlite3.Connection:
    """Create an empty season file in memory.

    Its views and triggers are in sqlite_master, but SQLite does not know them before
    the caller calls `definitions.reparse`.
    """
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
    """Return the definitions and constants of a new file.

    Every file has them, if nobody changed it.
    """
    with closing(_create_in_memory()) as new:
        constants = {
            table: new.execute(f"SELECT * FROM {table}").fetchall()
            for table in CONSTANTS
        }
        return NewFile(definitions_in(new), constants)


def own_tables() -> Definitions:
    """Return the `CREATE TABLE` of each of keizer's own tables."""
    own_definitions = new_file().definitions
    return {
        (kind, name): text
        for (kind, name), text in own_definitions.items()
        if kind == "table"
    }


@cache
def definitions_of_keizer() -> Definitions:
    """Return all definitions that are keizer's: those of a new file, and some triggers.

    These are its "triggers on demand", which a file has only while a rule needs them.
    View on_demand computes their texts.
    """
    with closing(_create_in_memory()) as new:
        definitions.reparse(new)  # so that view on_demand can be used
        tiebreaks.create_all_triggers(new)
        return definitions_in(new)


def differences(conn: sqlite3.Connection) -> list[Message]:
    """Return a message for each of keizer's definitions that is missing or changed.

    Definitions are tables, indexes, views and triggers. What somebody added to a file
    is no difference.
    """
    missing, changed = _missing_and_changed(conn)
    messages = [
        say("the {kind} {name} is missing.", kind=term(kind), name=name)
        for kind, name in missing
    ]
    messages += [_message_of_change(*item) for item in changed]
    return messages


def note_differences(
    conn: sqlite3.Connection, *, with_tables: bool = False
) -> list[Message]:
    """Return a note of the definitions that are about to be repaired; change nothing.

    The list is empty if there is nothing to repair. Call this before the repair.
    with_tables: tables and indexes are repaired too, as by `keizer migrate`; if False,
    only views and triggers, as by `refresh`.
    """
    repaired = ["table", "index"] if with_tables else []
    # The views and triggers of an earlier release differ from those of this keizer, but
    # nobody changed them. They are brought up to date, without a note.
    if not connection.code_of_file(conn).is_released:
        repaired += ["view", "trigger"]
    if not repaired:
        return []
    missing, changed = _missing_and_changed(conn)
    names = [
        _name_in_words(kind, name)
        for kind, name in missing + changed
        if kind in repaired
    ]
    return repair_note(names)


def repair_note(names: list[Message]) -> list[Message]:
    """Return one note that names what was repaired; an empty list if nothing was.

    names: the names of definitions or computed values, as they stand in a sentence.
    """
    if not names:
        return []
    named = shortened_list(names, _MOST_NAMED)
    return [say("repaired, as it was not as keizer makes it: {names}.", names=named)]


def _missing_and_changed(conn: sqlite3.Connection) -> tuple[list[Item], list[Item]]:
    """Return which of keizer's definitions a file lacks, and which are changed in it.

    Triggers on demand, which a file has only while a rule needs them, are never
    returned as missing: if a rule lacks its trigger, view problems says so. A table
    that only has further columns, which somebody added, does not count as changed (see
    `definitions.matches`).
    """
    existing = definitions_in(conn)
    needed_by_all = new_file().definitions  # without any trigger on demand
    missing = [item for item in needed_by_all if item not in existing]
    return missing, _changed(existing)


def _changed(existing: Definitions) -> list[Item]:
    """Return which of a file's definitions have a name of keizer's, but another text.

    Differences in comments, and columns added to a table, do not count.
    existing: all definitions of the file.
    """
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

    table: the table that an index or trigger is on; None to leave it out.
    """
    if table is None:
        return say("{kind} {name}", kind=term(kind), name=name)
    return say("{kind} {name} on {table}", kind=term(kind), name=name, table=table)


def added_definitions(conn: sqlite3.Connection) -> list[Message]:
    """Return the names of the definitions and columns that somebody added, in words.

    Examples are "view my_standings" and "column player.shirt".
    """
    messages = []
    table_of = tables_of_items(conn)
    for kind, name in _foreign_definitions(conn):
        table = table_of.get((kind, name))  # None for a table or a view
        messages.append(_name_in_words(kind, name, table))
    messages += [
        say("column {table}.{column}", table=column.table, column=column.name)
        for column in _added_columns(definitions_in(conn))
    ]
    return messages


def added_indexes(conn: sqlite3.Connection, existing: Definitions) -> dict[str, str]:
    """Return the indexes that people added to keizer's tables: each CREATE, by name.

    Indexes on tables that people added are left out.
    existing: all definitions of the file.
    """
    own = new_file().definitions
    table_of = tables_of_items(conn)
    return {
        name: text
        for (kind, name), text in existing.items()
        if kind == "index"
        and (kind, name) not in own
        and ("table", table_of[kind, name]) in own
    }


def tables_of_items(conn: sqlite3.Connection) -> dict[Item, str]:
    """Return the table that each index and trigger is on, by its type and name.

    The result is like {("trigger", "audit"): "round"}. The type is needed, as an index
    and a trigger may have the same name.
    """
    rows = sql.run(conn, "indexes_and_triggers")
    return {(kind, name): table for kind, name, table in rows}


def _foreign_definitions(conn: sqlite3.Connection) -> list[Item]:
    """Return the definitions that somebody added: all that are not keizer's.

    Triggers on demand, which a file has only while a rule needs them, are keizer's.
    """
    own = definitions_of_keizer()
    # `own` has the triggers on demand of keizer's tie-breaks. Those of tie-breaks that
    # people added can only be told by their names. Names are trusted only if the views
    # and triggers of the file are those of a release. In any other file somebody may
    # have given such a name to a trigger of their own.
    trusted_names: set[str] = set()
    if connection.code_of_file(conn).is_released:
        trusted_names = _names_of_triggers_on_demand(conn)
    return [
        (kind, name)
        for kind, name in definitions_in(conn)
        if (kind, name) not in own and name not in trusted_names
    ]


_SETTLING_TRIGGERS = {"settling_list_asked", "settling_scores_asked"}
"""The triggers on demand that recalculation 'settled' or 'latest' needs.

The other triggers on demand belong to tie-breaks, also to those that people added, and
are called after the view of the tie-break: tiebreak_direct_encounter_asked.
"""


def _names_of_triggers_on_demand(conn: sqlite3.Connection) -> set[str]:
    """Return the names of a file's triggers on demand, or all that they may have.

    Triggers on demand are triggers of keizer's that a file has only while a rule needs
    them. View on_demand computes their names.

    - If the views in the file are those of this keizer, the names of those triggers on
      demand are returned that the file has.
    - If not, view on_demand may be anybody's, and is not run. All names are returned
      that a trigger on demand may have in this file, whether it has the trigger or not.
    """
    code = connection.code_of_file(conn)
    if code.is_current:
        present = sql.run(conn, "present_triggers").fetchall()
        names = {name for (name,) in present}
        # Somebody may have added a trigger with such a name, but another text.
        return names.difference(code.added_triggers)
    if ("table", "tiebreak") not in definitions_in(conn):
        return set()
    views = conn.execute("SELECT view FROM tiebreak").fetchall()
    tiebreak_triggers = {f"{view}_asked" for (view,) in views}
    return tiebreak_triggers | _SETTLING_TRIGGERS


def refusals_of_triggers(triggers: Iterable[str]) -> list[Message]:
    """Return, for each trigger that somebody added, why nothing can be entered.

    The trigger would run with every entry, and keizer runs no triggers of others.
    triggers: the names of the triggers.
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

    These are added triggers, changed tables and indexes of keizer's, and those columns,
    constraints and indexes added to keizer's tables that can refuse a row or compute
    with it. Rows that somebody may have written into sqlite_master by hand count, too.
    """
    existing = definitions_in(conn)
    messages: list[Message] = []
    if connection.code_of_file(conn).may_be_by_hand:
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


def _added_columns(existing: Definitions) -> Iterator[AddedColumn]:
    """Yield the columns and constraints that somebody added to keizer's tables.

    existing: all definitions of the file. A table that it lacks is passed over.
    """
    for (kind, table), expected in own_tables().items():
        text = existing.get((kind, table))
        # Most tables are as keizer made them. Splitting them into columns takes longer
        # than comparing their texts.
        if text is None or text == expected:
            continue
        for column_name, column_text in definitions.added_columns(text, expected):
            yield AddedColumn(table, column_name, column_text)


def _refusing_columns(existing: Definitions) -> Iterator[Message]:
    """Yield a message for each added column or constraint that can refuse a row.

    One that computes with each new row counts, too: its expression may fail.
    existing: all definitions of the file.
    """
    for column in _added_columns(existing):
        if definitions.can_refuse_or_compute(column.text):
            yield say(
                "the column {table}.{column}, which somebody added, can refuse what is"
                " entered.",
                table=column.table,
                column=column.name,
            )


_UNIQUE_OR_COMPUTING = re.compile(r"\b(WHERE|UNIQUE|COLLATE)\b", re.IGNORECASE)
"""The words of an index that can refuse rows or compute with them.

UNIQUE refuses equal rows. The condition after WHERE is computed for each new row. The
collation after COLLATE compares it with others, and may be one that keizer lacks.
"""


def _refusing_indexes(
    conn: sqlite3.Connection, existing: Definitions
) -> Iterator[Message]:
    """Yield a message for each index added to keizer's tables that can refuse a row.

    An index with an expression counts, too: it computes with each new row.
    existing: all definitions of the file.
    """
    for name, text in added_indexes(conn, existing).items():
        # The first "(" is around the columns; any other belongs to an expression.
        has_expression = text.count("(") > 1
        if has_expression or _UNIQUE_OR_COMPUTING.search(text):
            yield say(
                "the index {name}, which somebody added, can refuse or compute.",
                name=name,
            )


def _own_names(conn: sqlite3.Connection) -> set[str]:
    """Return the names by which views and triggers in a file are taken for keizer's.

    They are the names of the views and triggers of this keizer, and of the keizer that
    last put its own into the file. The file need not have all of them.
    """
    own_definitions = own_code().definitions
    names = {definition.name for definition in own_definitions}
    names |= _names_of_triggers_on_demand(conn)
    # View z_code lists the names of the keizer that wrote it. Only its text is read:
    # it is not run, as somebody may have put another view in its place.
    rows = conn.execute("SELECT sql FROM sqlite_master WHERE name = 'z_code'")
    for (text,) in rows:
        # A quote in a comment could make other words look like the list.
        bare_text = definitions.strip_comments(text)
        code_names, _ = connection.names_in_z_code(bare_text)
        names.update(code_names)
    return names


def drop_code(conn: sqlite3.Connection) -> list[str]:
    """Drop keizer's views, and all triggers whoever made them, from a file.

    Views that somebody added stay. Return the names of those dropped triggers that
    somebody added: dropping them is a loss, which the caller has to refuse or report.
    Raise KeizerError, before anything is dropped, if a table or index that somebody
    added has a name that one of keizer's views or triggers needs.
    """
    names_of_code = _own_names(conn)  # of views and triggers
    names_of_views = {
        definition.name
        for definition in own_code().definitions
        if definition.kind == "view"
    }
    # Any other name belongs to a trigger, or to a view of an earlier keizer.
    names_of_triggers = names_of_code - names_of_views
    names_to_drop: list[str] = []
    added_triggers: list[str] = []
    for kind, name in definitions_in(conn):
        lower_name = name.lower()  # for SQLite, capitals make no difference
        if kind == "trigger":
            names_to_drop.append(name)
            if lower_name not in names_of_triggers:
                added_triggers.append(name)
        elif kind == "view":
            if lower_name in names_of_code:
                names_to_drop.append(name)
        elif lower_name in names_of_code:  # a table or an index
            raise KeizerError(
                "somebody added a {kind} {name}, a name that this keizer needs:"
                " rename it first (ALTER TABLE {name} RENAME TO my_{name}).",
                kind=term(kind),
                name=name,
            )
    # This deletes rows of SQLite's own table of definitions. SQLite does not notice: it
    # has to be told to read the table again.
    definitions.remove(conn, names_to_drop)
    definitions.reparse(conn)
    return added_triggers


def put_code(conn: sqlite3.Connection) -> None:
    """Put the views, triggers and constants of this keizer into a file.

    Call `drop_code` first, which drops the old views and triggers. Constants are the
    rows that are the same in every file. People may add rows to two tables of
    constants, tiebreak and about: these rows stay. From the other tables of constants,
    rows that are not keizer's are deleted.
    """
    # While there are no triggers, none of them can refuse these rows.
    for table, key in CONSTANTS.items():
        _put_constants(conn, table, key)
    # This writes the texts straight into SQLite's own table of definitions, as that is
    # faster than CREATE. SQLite does not notice: it has to be told to read the table
    # again, before the views and triggers can be used.
    definitions.put_definitions(conn, own_code().definitions)
    definitions.reparse(conn)


def _put_constants(conn: sqlite3.Connection, table: str, key: str) -> None:
    """Replace keizer's rows in a table of constants by those of this keizer.

    Rows that people added stay in the tables _EXTENSIBLE, and are deleted from others.
    key: the first column, by which rows are told apart.
    """
    rows = new_file().constants[table]
    keys = [row[0] for row in rows]
    key_placeholders = _placeholders(keys)
    row_placeholders = _placeholders(rows[0])
    if table in _EXTENSIBLE:
        conn.execute(f"DELETE FROM {table} WHERE {key} IN {key_placeholders}", keys)
    else:
        # Only rows that this keizer lacks are deleted: games refer to the others.
        conn.execute(f"DELETE FROM {table} WHERE {key} NOT IN {key_placeholders}", keys)
    conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES {row_placeholders}", rows)


def _placeholders(values: Collection[object]) -> str:
    """Return a question mark for each value, as a list in SQL: "(?, ?, ?)"."""
    marks = ", ".join("?" * len(values))
    return f"({marks})"


def _would_store_the_same(conn: sqlite3.Connection) -> bool:
    """Return whether this keizer would compute the same lists as a file stores.

    The lists are the rankings and tie-breaks after each round. They follow from some of
    the views, triggers and constants: only these have to be the same in the file.
    Return False also if it is not known, because of triggers that are not keizer's, or
    of a rule that may need triggers on demand (in a file only while a rule needs them).
    """
    rows = sql.run(conn, "definitions").fetchall()
    texts = {name: text for _, name, text in rows}
    # The views and triggers that compute the lists, in the order in which their texts
    # are hashed. STORING is the hash of those of this keizer.
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
        # A trigger on a view runs only when something writes to that view. None of the
        # views and triggers that store lists uses one of the other views.
        if name not in storing_names and table not in other_views:
            return False
    # Triggers on demand are not in the hash. So it is not known whether those in the
    # file compute the same.
    if sql.run(conn, "rules_with_triggers").fetchone():
        return False
    return all(_has_rows_of_new_file(conn, table) for table in _STORING_CONSTANTS)


def _has_rows_of_new_file(conn: sqlite3.Connection, table: str) -> bool:
    """Return whether a table of constants has the same rows as in a new file.

    Constants are the rows that keizer puts into every file. Another version of keizer
    may have put other ones into this file, or people may have added some.
    """
    rows = conn.execute(f"SELECT * FROM {table}")
    new_rows = new_file().constants[table]
    return {tuple(row) for row in rows} == set(new_rows)


def refresh(conn: sqlite3.Connection, *, to_read: bool = False) -> list[Message]:
    """Give a file the views, triggers and constants of this keizer.

    Then compute all rankings and tie-breaks again, as the views and triggers that were
    replaced may have computed other ones. Call this inside a transaction.
    Triggers that somebody added are dropped: return a message for each of them. In a
    season file on disk that is a loss, so there the caller must roll back if there are
    messages. In a copy that is only read, it does not matter.
    to_read: the connection is to such a copy. Then nothing is computed again if this
    keizer would get what is already stored.
    """
    # Asked first, as the answer depends on the views and triggers before the change.
    is_up_to_date = to_read and _would_store_the_same(conn)
    added_triggers = drop_code(conn)
    put_code(conn)
    # Also for a copy that is only read afterwards: to compute its lists again is a
    # change, which may take longer than a reader is allowed.
    connection.prepare_to_write(conn)
    if not is_up_to_date:
        _revalue_all(conn)
    return refusals_of_triggers(added_triggers)


def _revalue_all(conn: sqlite3.Connection) -> None:
    """Compute the rankings and tie-breaks of all tournaments again.

    A tournament that somebody suspended, so that its standings wait, stays suspended:
    it is computed when it is switched on again.
    """
    not_suspended = sql.run(conn, "not_suspended").fetchall()
    # While all are suspended, nothing is computed, and the triggers that the rules need
    # can be exchanged. stale_from is the first round whose list is outdated; 0 is the
    # start order.
    conn.execute("UPDATE tournament SET revaluation = 'suspended', stale_from = 0")
    tiebreaks.update_triggers(conn)
    # A trigger of the file, revaluation_switched_on, now computes all lists from
    # stale_from on.
    conn.executemany(
        "UPDATE tournament SET revaluation = 'on' WHERE id = ?", not_suspended
    )
