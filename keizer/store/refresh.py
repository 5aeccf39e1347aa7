"""What of a file is program text: its views and triggers, and the rows that are constants.

They are of the keizer that wrote them. View z_code says which, by a fingerprint; a
command that writes puts those of another keizer right in its own transaction, and one
that reads does so in a copy in memory. Whatever people added themselves stays.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from itertools import chain
from typing import Any

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
"""The tables that are the same in every file, and the column that tells their rows apart."""

Item = tuple[str, str]
"""The type and the name of a definition."""
Objects = dict[Item, str]
_NAMED = 8
"""How many definitions are named that were put right."""


def objects(conn: sqlite3.Connection) -> Objects:
    """What a file has, by type and name, as it was written."""
    found = sql.run(conn, "objects")
    return {(kind, name): text.decode(errors="replace") for kind, name, text in found}


@cache
def own_code() -> tuple[list[Definition], list[str]]:
    """Return the views and triggers of a new file, and the statements that fill its constants."""
    made, rows = list[Definition](), list[str]()
    for statement in definitions.statements(sql.code_script()):
        definition = definitions.definition(statement)
        if definition:
            made.append(definition)
        else:
            rows.append(statement)
    return made, rows


def _new_file() -> sqlite3.Connection:
    """Make an empty file in memory, whose views and triggers are not parsed yet."""
    new = sqlite3.connect(":memory:", isolation_level=None)
    new.executescript(sql.schema_script())
    made, rows = own_code()
    definitions.put(new, made)
    for (
        statement
    ) in rows:  # the triggers that would look at them are not parsed, either
        new.execute(statement)
    return new


@cache
def lasting() -> tuple[Objects, dict[str, list[tuple[Any, ...]]]]:
    """Return what every file has: its definitions, and the rows of tables that are constants."""
    with closing(_new_file()) as new:
        rows = {
            table: new.execute(f"SELECT * FROM {table}").fetchall()
            for table in CONSTANTS
        }
        return objects(new), rows


def tables() -> Objects:
    """Return the tables that keizer makes."""
    return {item: text for item, text in lasting()[0].items() if item[0] == "table"}


@cache
def as_made() -> Objects:
    """What keizer makes a file of, with the triggers of every rule."""
    with closing(_new_file()) as new:
        definitions.reparse(new)
        tiebreaks.compute_all(new)
        return objects(new)


def differences(conn: sqlite3.Connection) -> list[Message]:
    """What in the file is not as keizer made it, a message each."""
    missing, changed = _differing(conn)
    return [
        *(
            say("the {kind} {name} is missing.", kind=term(kind), name=name)
            for kind, name in missing
        ),
        *(_changed(kind, name) for kind, name in changed),
    ]


def noted_differences(conn: sqlite3.Connection) -> list[Message]:
    """Note the definitions that are put right when keizer's take their place.

    Nothing of a file that has the code of a release of keizer: that is brought up to date.
    """
    if connection.code(conn).released:
        return []
    differing = chain(*_differing(conn))
    return note_put_right(
        [say("{kind} {name}", kind=term(kind), name=name) for kind, name in differing]
    )


def note_put_right(names: list[Message]) -> list[Message]:
    """Note that these were put right: a message, or none if there is nothing."""
    if not names:
        return []
    named = first(names, _NAMED)
    return [say("what was not as keizer makes it was put right: {names}.", names=named)]


def _differing(conn: sqlite3.Connection) -> tuple[list[Item], list[Item]]:
    """Return what of keizer's a file lacks, and what it has otherwise than keizer made it."""
    made, found = as_made(), objects(conn)
    # Some triggers are there where a rule asks for them: see view problems.
    missing = [item for item in lasting()[0] if item not in found]
    changed = [
        item for item, text in made.items() if not matches(found.get(item, text), text)
    ]
    return missing, changed


def _changed(kind: str, name: str) -> Message:
    return say(
        "the {kind} {name} is not as keizer made it.", kind=term(kind), name=name
    )


def added(conn: sqlite3.Connection) -> list[Message]:
    """What in the file is not keizer's, and where it stands: "trigger audit on round"."""
    made, mine, found = as_made(), _on_demand(conn, strictly=True), objects(conn)
    on = dict(sql.run(conn, "on_tables").fetchall())
    others = [item for item in found if item not in made and item[1] not in mine]
    code = [
        say("{kind} {name} on {table}", kind=term(kind), name=name, table=on[name])
        if name in on
        else say("{kind} {name}", kind=term(kind), name=name)
        for kind, name in others
    ]
    columns = _columns(made, found)
    return code + [
        say("column {table}.{column}", table=name, column=column)
        for name, column, _ in columns
    ]


def _on_demand(conn: sqlite3.Connection, *, strictly: bool = False) -> set[str]:
    """Return the names of the triggers that a rule asked for, of tie-breaks of others too.

    Where the code of the file is keizer's, each has to have the text that its view on_demand
    gives it: the name alone could be anybody's. strictly: in a file whose code somebody changed it
    is nobody's then.
    """
    code = connection.code(conn)
    if code.current:
        return {name for (name,) in sql.run(conn, "present")} - {*code.hooks}
    if ("table", "tiebreak") not in objects(conn) or (strictly and not code.released):
        return set()
    views = conn.execute("SELECT view FROM tiebreak").fetchall()
    of_tiebreaks = {f"{view}_asked" for (view,) in views}
    return {"settling_list_asked", "settling_scores_asked"} | of_tiebreaks


def run_along(triggers: Iterable[str]) -> list[Message]:
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
    """Return the names of triggers that are not keizer's, whatever the file says of itself."""
    made, own = as_made(), _on_demand(conn, strictly=True)
    return [
        name
        for kind, name in objects(conn)
        if kind == "trigger" and (kind, name) not in made and name not in own
    ]


_REFUSING = re.compile(r"\b(WHERE|UNIQUE|COLLATE)\b", re.IGNORECASE)
"""Words of an index that can refuse, or compute."""


def ruling(conn: sqlite3.Connection) -> list[Message]:
    """What was added that can refuse or change what is entered into tables of keizer's."""
    made, found = as_made(), objects(conn)
    on = dict(sql.run(conn, "on_tables").fetchall())
    return [
        *([barring.BY_HAND] if connection.code(conn).odd else []),
        *run_along(foreign_triggers(conn)),
        *(
            _changed(kind, name)
            for (kind, name), text in made.items()
            if kind in ("table", "index")
            and not matches(found.get((kind, name), text), text)
        ),
        *(
            say(
                "the column {table}.{column}, which somebody added, can refuse what is entered.",
                table=name,
                column=column,
            )
            for name, column, text in _columns(made, found)
            if definitions.can_refuse(text)
        ),
        *(
            say(
                "the index {name}, which somebody added, can refuse or compute.",
                name=name,
            )
            for (kind, name), text in found.items()
            if kind == "index"
            and (kind, name) not in made
            and ("table", on[name]) in made
            and (text.count("(") != 1 or _REFUSING.search(text))
        ),
    ]


def _columns(made: Objects, found: Objects) -> Iterator[tuple[str, str, str]]:
    """The columns and constraints that tables of keizer's have besides: table, name and text."""
    for (kind, name), text in made.items():
        there = found.get((kind, name), text)
        if kind == "table" and there != text:
            for column, written in definitions.added_columns(there, text):
                yield name, column, written


def ours(conn: sqlite3.Connection) -> set[str]:
    """Return the names of the views and triggers that this keizer, or the one before, made."""
    names = {definition.name for definition in own_code()[0]} | _on_demand(conn)
    # It is not run: it may be another one.
    found = conn.execute("SELECT sql FROM sqlite_master WHERE name = 'z_code'")
    for (text,) in found:
        # Without comments, in which anybody's names may stand.
        _, code, _ = connection.listed(definitions.bare(text))
        names.update(code.split())
    return names


def drop(conn: sqlite3.Connection) -> list[str]:
    """Take all triggers out of a file, and keizer's views; the triggers that somebody added.

    Raises KeizerError where a table or index of theirs has a name that is needed.
    """
    mine, added, gone = ours(conn), list[str](), list[str]()
    views = {
        definition.name for definition in own_code()[0] if definition.kind == "view"
    }
    for kind, name in objects(conn):
        needed = name.lower() in mine and not (
            kind == "trigger" and name.lower() in views
        )
        if kind in ("view", "trigger"):
            if kind == "trigger" and not needed:
                added.append(name)
            if kind == "trigger" or needed:
                gone.append(name)
        elif needed:
            raise KeizerError(
                "somebody added a {kind} {name}, a name that this keizer needs:"
                " rename it first (ALTER TABLE {name} RENAME TO my_{name}).",
                kind=term(kind),
                name=name,
            )
    definitions.remove(conn, gone)
    definitions.reparse(conn)
    return added


def put_code(conn: sqlite3.Connection) -> None:
    """Put keizer's views, triggers and constants into a file that has none; added rows stay."""
    for table, key in CONSTANTS.items():
        rows = lasting()[1][table]
        known = [row[0] for row in rows]
        there, slots = (f"({', '.join('?' * len(row))})" for row in (known, rows[0]))
        if table in ("tiebreak", "about"):
            conn.execute(f"DELETE FROM {table} WHERE {key} IN {there}", known)
        else:  # only what is too much: games refer to the rest
            conn.execute(f"DELETE FROM {table} WHERE {key} NOT IN {there}", known)
        conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES {slots}", rows)
    definitions.put(conn, own_code()[0])
    definitions.reparse(conn)


def _is_computed(conn: sqlite3.Connection) -> bool:
    """Return whether what is stored in a file follows from its facts as this keizer computes it.

    Its code is then another one, but nothing that acts on tables is. Where a rule asks for more
    code, as for a tie-break, this is not looked into.
    """
    texts = {name: text for _, name, text in sql.run(conn, "objects")}
    names = STORING_NAMES.split()
    if connection.digest(texts.get(name, b"") for name in names) != STORING:
        return False
    views = {name for kind, name in objects(conn) if kind == "view"} - {*names}
    triggers = conn.execute(
        "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
    )
    return (
        all(name in names or table in views for name, table in triggers)
        and not sql.run(conn, "asking").fetchone()
        and all(
            {*map(tuple, conn.execute(f"SELECT * FROM {table}"))}
            == {*lasting()[1][table]}
            for table in ("outcome", "result_spelling", "fide_expectation")
        )
    )


def refresh(conn: sqlite3.Connection, *, to_read: bool = False) -> list[Message]:
    """Give a file the views, triggers and constants of this keizer, and compute it again.

    to_read: do not compute what this keizer would have stored in the same way.
    Call it inside a transaction. What it is not to be written with: triggers that somebody added,
    which are out of it then, a message each.
    """
    is_computed = to_read and _is_computed(conn)
    added = drop(conn)
    put_code(conn)
    connection.prepare_to_write(conn)
    if not is_computed:
        # A tournament that somebody suspended stays so.
        due = sql.run(conn, "revalued").fetchall()
        conn.execute("UPDATE tournament SET revaluation = 'suspended', stale_from = 0")
        tiebreaks.compute_needed(conn)
        conn.executemany("UPDATE tournament SET revaluation = 'on' WHERE id = ?", due)
    return run_along(added)
