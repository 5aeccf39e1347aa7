"""What of a file is program text: its views and triggers, and the rows that are constants.

They are of the keizer that wrote them. View z_code says which, by a fingerprint; a
command that writes puts those of another keizer right in its own transaction, and one
that reads does so in a copy in memory. Whatever people added themselves stays.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import chain
from typing import Any

from keizer.errors import KeizerError
from keizer.messages import Message, first, say, term
from keizer.store import barring, connection, definitions, sql, tiebreaks
from keizer.store.definitions import holds, quoted

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
def _new_file() -> tuple[Objects, dict[str, list[tuple[Any, ...]]]]:
    """What an empty file has, with the triggers of every rule: definitions and constants."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        new.executescript(sql.script())
        tiebreaks.compute_all(new)
        tables = (*CONSTANTS, "on_demand")
        rows = {table: new.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
        return objects(new), rows


def as_made() -> Objects:
    """What keizer makes a file of."""
    return _new_file()[0]


def differences(conn: sqlite3.Connection) -> list[Message]:
    """What in the file is not as keizer made it, a message each."""
    missing, changed = _differing(conn)
    return [
        *(say("the {kind} {name} is missing.", kind=term(kind), name=name)
          for kind, name in missing),
        *(_changed(kind, name) for kind, name in changed),
    ]  # fmt: skip


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
    # Some are there where a rule asks for them: see view problems.
    asked = {row[1] for row in _new_file()[1]["on_demand"]}
    missing = [item for item in made if item not in found and item[1] not in asked]
    changed = [item for item, text in made.items() if not holds(found.get(item, text), text)]
    return missing, changed


def _changed(kind: str, name: str) -> Message:
    return say("the {kind} {name} is not as keizer made it.", kind=term(kind), name=name)


def added(conn: sqlite3.Connection) -> list[Message]:
    """What in the file is not keizer's, and where it stands: "trigger audit on round"."""
    made, mine, found = as_made(), _of_own_tiebreaks(conn, strictly=True), objects(conn)
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
        say("column {table}.{column}", table=name, column=column) for name, column, _ in columns
    ]


def _of_own_tiebreaks(conn: sqlite3.Connection, *, strictly: bool = False) -> set[str]:
    """Return the names of the triggers that go with tie-breaks which somebody added.

    Where the code of the file is keizer's, each has to have the text that its view on_demand
    gives it: the name alone could be anybody's. strictly: in a file whose code somebody changed it
    is nobody's then.
    """
    code = connection.code(conn)
    if code.current:
        foreign = {name for name, _ in code.hooks}
        return {name for _, name in sql.run(conn, "present")} - foreign
    if ("table", "tiebreak") not in objects(conn) or (strictly and not code.released):
        return set()
    views = conn.execute("SELECT view FROM tiebreak").fetchall()
    return {f"{view}_asked" for (view,) in views}


def reaching(conn: sqlite3.Connection) -> dict[str, str]:
    """The triggers that somebody added which change or hold up what is keizer's, and where.

    By their texts: who has them compiled has all views compiled that they read, and may lack a
    function that another program has.
    """
    mine = _of_own_tiebreaks(conn, strictly=True)
    mine |= {name for kind, name in as_made() if kind == "trigger"}
    rooms = {name for kind, name in as_made() if kind != "trigger"}
    found = {}
    for name, table, text in sql.run(conn, "triggers"):
        if name not in mine:
            targets = [target for target in definitions.targets(text) if target in rooms]
            if table.lower() in rooms and definitions.ignores(text):
                targets.append(table)
            if targets:
                found[name] = targets[0]
    return found


_REFUSING = re.compile(r"\b(WHERE|UNIQUE|COLLATE)\b", re.IGNORECASE)
"""Words of an index that can refuse, or compute."""


def ruling(conn: sqlite3.Connection) -> list[Message]:
    """What was added that can refuse or change what is entered into tables of keizer's."""
    made, found = as_made(), objects(conn)
    on = dict(sql.run(conn, "on_tables").fetchall())
    return [
        *([barring.BY_HAND] if connection.code(conn).odd else []),
        *(_changed(kind, name) for (kind, name), text in made.items()
          if kind in ("table", "index") and not holds(found.get((kind, name), text), text)),
        *(
            say("the column {table}.{column}, which somebody added, can refuse what is entered.",
                table=name, column=column)
            for name, column, text in _columns(made, found)
            if definitions.can_refuse(text)
        ),
        *(
            say("the index {name}, which somebody added, can refuse or compute.", name=name)
            for (kind, name), text in found.items()
            if kind == "index" and (kind, name) not in made and ("table", on[name]) in made
            and (text.count("(") != 1 or _REFUSING.search(text))
        ),
    ]  # fmt: skip


def _columns(made: Objects, found: Objects) -> Iterator[tuple[str, str, str]]:
    """The columns and constraints that tables of keizer's have besides: table, name and text."""
    for (kind, name), text in made.items():
        there = found.get((kind, name), text)
        if kind == "table" and there != text:
            for column, written in definitions.besides(there, text):
                yield name, column, written


def ours(conn: sqlite3.Connection) -> set[str]:
    """Return the names of the views and triggers that this keizer, or the one before, made."""
    names = {name for kind, name in as_made() if kind in ("view", "trigger")}
    # As it is called, and was called up to layout 5. It is not run: it may be another one.
    called = ("z_code",) if connection.code(conn).current else ("z_code", "_code")
    for view in called:
        for (text,) in conn.execute("SELECT sql FROM sqlite_master WHERE name = ?", (view,)):
            # Without comments, in which anybody's names may stand.
            _, code, _, on_demand = connection.listed(definitions.bare(text))
            names.update(code.split(), on_demand.split())
    return names | _of_own_tiebreaks(conn)


def drop(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """Take all views and triggers of keizer's out of a file.

    Returned are the triggers that people added, as name and text: those are out as well,
    for they are not to act while the file is made anew.
    Raises KeizerError where a table or index of theirs has a name that is needed.
    """
    mine, made = ours(conn), as_made()
    added = []
    for (kind, name), text in objects(conn).items():
        needed = name.lower() in mine
        if kind in ("view", "trigger"):
            if kind == "trigger" and not needed:
                added.append((name, text))
            if kind == "trigger" or needed:
                conn.execute(f"DROP {kind} IF EXISTS {quoted(name)}")
        elif (kind, name) not in made and needed:
            raise KeizerError(
                "somebody added a {kind} {name}, a name that this keizer needs:"
                " rename it first (ALTER TABLE {name} RENAME TO my_{name}).",
                kind=term(kind),
                name=name,
            )
    return added


def add(conn: sqlite3.Connection, added: list[tuple[str, str]]) -> list[Message]:
    """Put back what people added, by name and text; what could not stay, a message each."""
    lost = []
    for name, text in added:
        try:
            conn.execute(text)
        except sqlite3.Error as error:
            lost.append(
                say(
                    "{name}, which somebody added, is gone: {problem}.",
                    name=name,
                    problem=str(error),
                )
            )
    return lost


def _constants(conn: sqlite3.Connection) -> None:
    """Put the rows right that are the same in every file; rows that people added stay."""
    for table, key in CONSTANTS.items():
        rows = _new_file()[1][table]
        known = [row[0] for row in rows]
        there, slots = (f"({', '.join('?' * len(row))})" for row in (known, rows[0]))
        if table in ("tiebreak", "about"):  # those of keizer come with their views
            conn.execute(f"DELETE FROM {table} WHERE {key} IN {there}", known)
            continue
        # Only what is too much: games refer to the rest.
        conn.execute(f"DELETE FROM {table} WHERE {key} NOT IN {there}", known)
        conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES {slots}", rows)


def refresh(conn: sqlite3.Connection) -> list[Message]:
    """Give a file the views, triggers and constants of this keizer, and compute it anew.

    Call it inside a transaction. What people added and could not stay, a message each.
    """
    added = drop(conn)
    _constants(conn)
    definitions.run(conn, sql.code_script(on_demand=False))
    connection.unhook(conn)
    # A tournament that somebody suspended stays so.
    due = sql.run(conn, "revalued").fetchall()
    conn.execute("UPDATE tournament SET revaluation = 'suspended', stale_from = 0")
    tiebreaks.compute_needed(conn)
    conn.executemany("UPDATE tournament SET revaluation = 'on' WHERE id = ?", due)
    return add(conn, added)
