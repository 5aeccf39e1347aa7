"""Whether a file is sound: its facts, put through the triggers of an empty file, give it again."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from keizer import resources
from keizer.errors import KeizerError
from keizer.messages import Message, plural, say, term
from keizer.store import refresh, sql
from keizer.store.atomic import StrPath
from keizer.store.connection import STUMBLES, code, connect, sentence, trial
from keizer.store.definitions import quoted
from keizer.store.log import seals
from keizer.store.soundness import rebuild

_EACH = 12
"""How many differences of one table are named."""

_ADVICE = {
    True: say("`keizer migrate` puts it right."),
    False: say("Correct the row in any program, or see `keizer restore`."),
}
"""By whether it is computed."""
_LOST = say("See `keizer restore`.")
_ADVICE_ON_SEALS = say(
    "See `keizer restore`, or take the log as it is by `keizer migrate --accept`."
)

Tell = Callable[[Message], object]
"""Is told what is being looked at; str keeps it to itself."""


def damage(conn: sqlite3.Connection) -> list[Message]:
    """What is wrong with the pages of the file, a message each; none when they are whole."""
    barred = code(conn).barred
    if barred:
        return [*barred]  # to look at the pages would run what bars them
    # SQLite leaves out the free pages if the first thing that it looks at has no page, as a view.
    try:
        with trial(conn) as copy:
            copy.execute("PRAGMA writable_schema = ON")
            copy.execute(
                "DELETE FROM sqlite_master WHERE rootpage = 0 OR type IN ('view', 'trigger')"
            )
            copy.execute("PRAGMA writable_schema = RESET")
            return _damage(copy)
    except sqlite3.DatabaseError as error:
        return ([] if _has_virtual_tables(conn) else _damage(conn)) or [sentence(error)]


def _has_virtual_tables(conn: sqlite3.Connection) -> bool:
    """Return whether there are tables whose pages are proved by code of their own."""
    virtual = "SELECT 1 FROM sqlite_master WHERE rootpage = 0 AND type NOT IN ('view', 'trigger')"
    return conn.execute(virtual).fetchone() is not None


def pages_are_wrong(conn: sqlite3.Connection) -> bool:
    """Return whether pages are damaged: a rebuild helps where only an index is, and no other."""
    return any(str(said).startswith("***") for said in damage(conn))


def _damage(conn: sqlite3.Connection) -> list[Message]:
    conn.execute(
        "PRAGMA ignore_check_constraints = ON"
    )  # a rebuild says which row it is
    found = [
        term(said) for (said,) in conn.execute("PRAGMA integrity_check") if said != "ok"
    ]
    conn.execute("PRAGMA ignore_check_constraints = OFF")
    return found


class Proof(NamedTuple):
    """Whether a file is sound, and what was found, a message each.

    problems: in what the file says; changed: of keizer's code, by another program; added: what is
    not keizer's, and where it stands, which is left alone.
    """

    said: Message
    problems: list[Message]
    changed: list[Message]
    added: list[Message]


def proof(conn: sqlite3.Connection, path: StrPath, tell: Tell = str) -> Proof:
    """Look at a club's file as it is, none of whose code was run.

    Pages first, for nothing else can be told without them; then the definitions, for
    whatever proves the rest may be among them. tell: gets what is being looked at.
    """
    tell(say("1 of 4: the pages"))
    wrong, changed, added = damage(conn), list[Message](), list[Message]()
    if not wrong:
        tell(say("2 of 4: views and triggers"))
        if code(conn).pure:
            wrong = problems(conn, tell)
        else:
            changed, added = refresh.differences(conn), refresh.added(conn)
            if changed:
                wrong = refresh.run_along(refresh.foreign_triggers(conn))
            else:
                wrong = refresh.ruling(conn) or problems(conn, tell)
    said = say("{file} is sound: every ranking in it is proved", file=str(path))
    if wrong or changed:
        said = plural(
            "{file} has {number:,} problem",
            "{file} has {number:,} problems",
            len(wrong) + len(changed),
            file=str(path),
        )
    return Proof(said, wrong, changed, added)


def is_sound(path: StrPath) -> bool:
    """Whether nothing is wrong with a file, by the views of this keizer.

    Of a file of another layout, only the pages are looked at.
    """
    try:
        with closing(connect(path, "ro")) as conn:
            if code(conn).barred:
                return False
            (layout,) = conn.execute("PRAGMA user_version").fetchone()
            if layout != sql.LAYOUT:
                return not damage(conn)
            with trial(conn) as copy:
                if not code(copy).current:
                    refresh.refresh(copy)
                _, wrong, changed, _ = proof(copy, path)
                return not (wrong or changed)
    except (sqlite3.Error, KeizerError, *STUMBLES):
        return False


def problems(conn: sqlite3.Connection, tell: Tell = str) -> list[Message]:
    """What is wrong with what the file says, a message each; none when it is sound."""
    tell(say("3 of 4: every fact is entered anew"))
    with trial(conn) as copy:
        found = [] if code(copy).pure else _first([*_unreadable(copy)])
        copy.text_factory = rebuild.text
        found += _first([_problem(*row) for row in sql.run(copy, "wrong")])
        waiting = {tournament for (tournament,) in sql.run(copy, "suspended")}
        found += _first([*_on_record(copy)])
        found += _first(
            [
                say("{broken} {advice}", broken=broken, advice=_ADVICE_ON_SEALS)
                for broken in seals.broken(copy)
            ]
        )
        copy.execute("BEGIN")
        refused, _ = rebuild.rebuild(copy, logged=False)
        found += _first([_refused(row) for row in refused])
        tell(say("4 of 4: what is stored against what follows"))
        for _, table in refresh.tables():
            if table not in rebuild.RECORDS:
                found += _first(
                    [*_differences(copy, table, waiting, whole=not refused)]
                )
    return found


class _Unset(dict[str, None]):
    """The parameters of a statement that is not run."""

    def __missing__(self, name: str) -> None:
        return None


def _unreadable(conn: sqlite3.Connection) -> Iterator[Message]:
    """Yield a message for each view and query that cannot be read.

    A column that somebody added may have the name of another, say.
    """
    of_keizer = refresh.objects(conn).keys() & refresh.as_made().keys()
    reads = {
        name: f"SELECT * FROM {name}" for kind, name in of_keizer if kind == "view"
    }
    for file in sorted(Path(__file__).parents[1].rglob("queries.sql")):
        reads |= resources.queries(str(file))
    for name, statement in reads.items():
        try:
            conn.execute(f"EXPLAIN {statement}", _Unset()).close()
        except sqlite3.Error as error:
            yield say(
                "{what} cannot be read, for what somebody added: {problem}",
                what=name,
                problem=sentence(error),
            )


def _problem(tournament: str | None, problem: str) -> Message:
    """A row of view problems."""
    if tournament is None:
        return term(problem)
    return say("{tournament}: {problem}", tournament=tournament, problem=term(problem))


def _refused(row: rebuild.Refused) -> Message:
    return say(
        "{refused} Correct or delete it in any program: the file's triggers say what is right.",
        refused=row.said,
    )


def _first(said: list[Message]) -> list[Message]:
    more = len(said) - _EACH
    return said[:_EACH] + (
        [say("... and {number} more like these", number=more)] if more > 0 else []
    )


def _differences(
    conn: sqlite3.Connection, table: str, waiting: set[int], *, whole: bool
) -> Iterator[Message]:
    """The differences between a table as it was and as the facts lead to.

    waiting: tournaments that are suspended, of which what is computed may be behind.
    whole: every fact was taken over; else what is computed, or missing, says nothing.
    """
    stored = rebuild.stored_columns(conn, table)
    computed = set(stored)
    if table in rebuild.FACTS:
        computed -= set(rebuild.columns(conn, table))  # what is left is generated
        computed |= set(rebuild.COMPUTED.get(table, ()))
    written = [column for column in stored if column not in computed]
    listed = ", ".join(map(quoted, stored))
    keys = [name for (name,) in sql.run(conn, "primary_key", table=table)]
    there, due = f"temp.old_{table}", f"main.{table}"

    def only(mine: str, other: str) -> dict[tuple[Any, ...], dict[str, Any]]:
        rows = conn.execute(
            f"SELECT {listed} FROM {mine} EXCEPT SELECT {listed} FROM {other}"
        )
        cells = [dict(zip(stored, row, strict=True)) for row in rows]
        return {tuple(row[key] for key in keys): row for row in cells}

    stored_only, made = only(there, due), only(due, there)
    for key in sorted({*stored_only, *made}, key=str):
        row = stored_only.get(key) or made.get(key) or {}
        tournament = row.get(
            "tournament_id", row.get("id") if table == "tournament" else None
        )
        compared = stored if whole and tournament not in waiting else written
        named = [f"{name} {value}" for name, value in zip(keys, key, strict=True)]
        if key in stored_only and key in made:
            for column in compared:
                if stored_only[key][column] != made[key][column]:
                    yield say(
                        "table {table}, {row}: {column} is {stored}, and the facts give {due}."
                        " {advice}",
                        table=table,
                        row=named,
                        column=column,
                        stored=repr(stored_only[key][column]),
                        due=repr(made[key][column]),
                        advice=_ADVICE[column in computed],
                    )
        elif whole and compared:
            advice = _ADVICE[table not in rebuild.FACTS]
            facts = {"table": table, "row": named, "advice": advice}
            if key in made:
                yield say("table {table}, {row}: the row is missing. {advice}", **facts)
            else:
                yield say(
                    "table {table}, {row}: the facts give no such row. {advice}",
                    **facts,
                )


def _is_readable(conn: sqlite3.Connection, table: str) -> bool:
    """Return whether each cell is a number, or a text in UTF-8: SQLite looks, not Python."""
    are_bytes = (
        f"typeof({quoted(name)}) = 'blob'" for name in rebuild.columns(conn, table)
    )
    with suppress(sqlite3.OperationalError):  # a text is not in UTF-8
        factory, conn.text_factory = conn.text_factory, str
        try:
            rows = conn.execute(f"SELECT *, {' OR '.join(are_bytes)} FROM {table}")
            return not any(row[-1] for row in rows)
        finally:
            conn.text_factory = factory
    return False


def _not_readable(conn: sqlite3.Connection, table: str) -> Iterator[Message]:
    """Yield a message for each cell with bytes, or with a text that is not in UTF-8."""
    for number, row in enumerate(conn.execute(f"SELECT * FROM {table}"), 1):
        for column, value in zip(row.keys(), row, strict=True):
            if isinstance(value, rebuild.Unreadable | bytes):
                yield say(
                    "table {table}, row {row}: {column} is not readable. {advice}",
                    table=table,
                    row=number,
                    column=column,
                    advice=_LOST,
                )


def _on_record(conn: sqlite3.Connection) -> Iterator[Message]:
    """What cannot be in the tables that the file writes down as things happen, a message each."""
    for table in rebuild.RECORDS:
        if not _is_readable(conn, table):
            yield from _not_readable(conn, table)
        for (said,) in conn.execute(f"PRAGMA integrity_check({table})"):
            if said != "ok":
                yield say(
                    "table {table}: {problem}. {advice}",
                    table=table,
                    problem=term(said),
                    advice=_LOST,
                )
        for _, row, other, _ in conn.execute(f"PRAGMA foreign_key_check({table})"):
            yield say(
                "table {table}: {row} is of a row of table {other} that is not there. {advice}",
                table=table,
                row=say("a row") if row is None else say("row {number}", number=row),
                other=other,
                advice=_LOST,
            )


_COPY = re.compile(r"conflict|conflit|konflikt|\(\d+\)", re.IGNORECASE)
"""In the names that programs which sync folders give to the copy of who came second."""


def copies(path: StrPath) -> list[Path]:
    """Return what looks like the file of somebody who changed it elsewhere at the same time."""
    mine = Path(path).absolute()
    return sorted(
        file
        for file in mine.parent.glob(f"*{mine.suffix}")
        if file.name != mine.name
        and file.stem.startswith(mine.stem)
        and _COPY.search(file.stem)
    )
