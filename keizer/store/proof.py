"""Whether a file is sound: its facts, put through the triggers of an empty file, give it again."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.store import rebuild, refresh, sql
from keizer.store.atomic import StrPath
from keizer.store.connection import STUMBLES, code, connect, trial
from keizer.store.definitions import quoted

_EACH = 12
"""How many differences of one table are named."""

_ADVICE = {
    True: "`keizer migrate` puts it right.",
    False: "Correct the row in any program, or see `keizer restore`.",
}
"""By whether it is computed."""
_LOST = "See `keizer restore`."

Tell = Callable[[str], object]
"""Is told what is being looked at; str keeps it to itself."""


def damage(conn: sqlite3.Connection) -> list[str]:
    """What is wrong with the pages of the file, a sentence each; none when they are whole."""
    conn.execute("PRAGMA ignore_check_constraints = ON")  # a rebuild says which row it is
    found = [row[0] for row in conn.execute("PRAGMA integrity_check") if row[0] != "ok"]
    conn.execute("PRAGMA ignore_check_constraints = OFF")
    return found


class Proof(NamedTuple):
    """What was found, a sentence each. wrong: in what the file says; changed: of keizer's code.

    added: what is not keizer's, and where it stands, which is left alone.
    """

    wrong: list[str]
    changed: list[str]
    added: list[str]


def proof(conn: sqlite3.Connection, tell: Tell = str) -> Proof:
    """Look at a club's file as it is, none of whose code was run.

    Pages first, for nothing else can be told without them; then the definitions, for
    whatever proves the rest may be among them. tell: gets what is being looked at.
    """
    tell("1 of 4: the pages")
    wrong = damage(conn)
    if wrong:
        return Proof(wrong, [], [])
    tell("2 of 4: views and triggers")
    changed, added = refresh.differences(conn), refresh.added(conn)
    wrong = [] if changed else refresh.ruling(conn) or problems(conn, tell)
    wrong += [
        f"the trigger {name} is not keizer's and changes {room}, or keeps changes from it: no"
        f" command runs it, and any other program does. `DROP TRIGGER {quoted(name)};` takes it"
        " out."
        for name, room in refresh.reaching(conn).items()
    ]
    return Proof(wrong, changed, added)


def is_sound(path: StrPath) -> bool:
    """Whether nothing is wrong with a file, by the views of this keizer.

    Of a file of another layout, only the pages are looked at.
    """
    try:
        with closing(connect(path, "ro")) as conn:
            (layout,) = conn.execute("PRAGMA user_version").fetchone()
            if layout != sql.LAYOUT:
                return not damage(conn)
            with trial(conn) as copy:
                if not code(copy).current:
                    refresh.refresh(copy)
                return not any(proof(copy)[:2])
    except (sqlite3.Error, KeizerError, *STUMBLES):
        return False


def problems(conn: sqlite3.Connection, tell: Tell = str) -> list[str]:
    """What is wrong with what the file says, a sentence each; none when it is sound."""
    tell("3 of 4: every fact is entered anew")
    with trial(conn) as copy:
        copy.text_factory = rebuild.text
        wrong = (
            "SELECT COALESCE(description || ': ', '') || problem FROM problems"
            " LEFT JOIN tournament ON tournament.id = tournament_id"
        )
        found = _first([row[0] for row in copy.execute(wrong)])
        suspended = "SELECT id FROM tournament WHERE revaluation = 'suspended'"
        waiting = {tournament for (tournament,) in copy.execute(suspended)}
        found += _first([*_on_record(copy)])
        copy.execute("BEGIN")
        refused, _ = rebuild.rebuild(copy)
        what_to_do = "Correct or delete it in any program: the file's triggers say what is right."
        found += _first([f"{row} {what_to_do}" for row in refused])
        tell("4 of 4: what is stored against what follows")
        for kind, table in refresh.as_made():
            if kind == "table" and table not in rebuild.RECORDS:
                found += _first([*_differences(copy, table, waiting, whole=not refused)])
    return found


def _first(said: list[str]) -> list[str]:
    more = len(said) - _EACH
    return said[:_EACH] + ([f"... and {more} more like these"] if more > 0 else [])


def _differences(
    conn: sqlite3.Connection, table: str, waiting: set[int], *, whole: bool
) -> Iterator[str]:
    """The differences between a table as it was and as the facts lead to.

    waiting: tournaments that are suspended, of which what is computed may be behind.
    whole: every fact was taken over; else what is computed, or missing, says nothing.
    """
    stored = rebuild.columns(conn, table)
    computed = rebuild.COMPUTED.get(table, ()) if table in rebuild.FACTS else stored
    written = [column for column in stored if column not in computed]
    listed = ", ".join(map(quoted, stored))
    primary = "SELECT name FROM pragma_table_xinfo(?) WHERE pk ORDER BY pk"
    keys = [name for (name,) in conn.execute(primary, (table,))]
    there, due = f"temp.old_{table}", f"main.{table}"

    def only(mine: str, other: str) -> dict[tuple[Any, ...], dict[str, Any]]:
        rows = conn.execute(f"SELECT {listed} FROM {mine} EXCEPT SELECT {listed} FROM {other}")
        cells = [dict(zip(stored, row, strict=True)) for row in rows]
        return {tuple(row[key] for key in keys): row for row in cells}

    stored_only, made = only(there, due), only(due, there)
    for key in sorted({*stored_only, *made}, key=str):
        row = stored_only.get(key) or made.get(key) or {}
        tournament = row.get("tournament_id", row.get("id") if table == "tournament" else None)
        compared = stored if whole and tournament not in waiting else written
        named = ", ".join(f"{name} {value}" for name, value in zip(keys, key, strict=True))
        if key in stored_only and key in made:
            for column in compared:
                if stored_only[key][column] != made[key][column]:
                    yield (
                        f"table {table}, {named}: {column} is {stored_only[key][column]!r},"
                        f" and the facts give {made[key][column]!r}. {_ADVICE[column in computed]}"
                    )
        elif whole and compared:
            what = "the row is missing" if key in made else "the facts give no such row"
            yield f"table {table}, {named}: {what}. {_ADVICE[table not in rebuild.FACTS]}"


def _on_record(conn: sqlite3.Connection) -> Iterator[str]:
    """What cannot be in the tables that the file writes down as things happen, a sentence each."""
    for table in rebuild.RECORDS:
        for number, row in enumerate(conn.execute(f"SELECT * FROM {table}"), 1):
            for column, value in zip(row.keys(), row, strict=True):
                if isinstance(value, rebuild.Unreadable | bytes):
                    yield f"table {table}, row {number}: {column} is not readable. {_LOST}"
        for (said,) in conn.execute(f"PRAGMA integrity_check({table})"):
            if said != "ok":
                yield f"table {table}: {said}. {_LOST}"
        for _, row, other, _ in conn.execute(f"PRAGMA foreign_key_check({table})"):
            which = "a row" if row is None else f"row {row}"
            yield f"table {table}: {which} is of a row of table {other} that is not there. {_LOST}"
