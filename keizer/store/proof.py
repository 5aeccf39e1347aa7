"""Whether a file is sound: its facts, put through the triggers of an empty file, give it again."""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

from keizer.errors import KeizerError
from keizer.store import history, rebuild, refresh, sql
from keizer.store.atomic import StrPath
from keizer.store.connection import STUMBLES, connect, is_current, trial
from keizer.store.definitions import quoted

_EACH = 12
"""How many differences of one table are named."""

_ADVICE = {
    True: "`keizer migrate` puts it right.",
    False: "Correct the row in any program, or see `keizer restore`.",
}
"""By whether it is computed."""

Row = dict[str, Any]
Tell = Callable[[str], object]
"""Is told what is being looked at; str keeps it to itself."""


def damage(conn: sqlite3.Connection) -> list[str]:
    """What is wrong with the pages of the file, a sentence each; none when they are whole."""
    conn.execute("PRAGMA ignore_check_constraints = ON")  # a rebuild says which row it is
    found = [row[0] for row in conn.execute("PRAGMA integrity_check") if row[0] != "ok"]
    conn.execute("PRAGMA ignore_check_constraints = OFF")
    return found


def proof(conn: sqlite3.Connection, tell: Tell = str) -> tuple[list[str], list[str]]:
    """What is wrong in a club's file, and what in it is not as keizer made it, a sentence each.

    Pages first, for nothing else can be told without them; then the definitions, for
    whatever proves the rest may be among them. tell: gets what is being looked at.
    """
    tell("1 of 4: the pages")
    damaged = damage(conn)
    tell("2 of 4: views and triggers")
    changed = [] if damaged else refresh.differences(conn)
    return damaged or ([] if changed else problems(conn, tell)), changed


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
                if not is_current(copy):
                    refresh.refresh(copy)
                return not any(proof(copy))
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
        found += _first(unrecorded(copy))
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

    def only(mine: str, other: str) -> dict[tuple[Any, ...], Row]:
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


# ------------------------------------------------------------ what is on record

_OUT_OF_LINE = """
WITH line AS (
  SELECT id, command_id, fact, row, CAST(state AS TEXT) AS state,
    row_number() OVER (ORDER BY id) AS due,
    lag(CAST(state AS TEXT)) OVER (PARTITION BY fact, row ORDER BY id) AS state_before,
    max(command_id) FILTER (WHERE command_id IN (SELECT id FROM command))
      OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest_command
  FROM log
)
SELECT 'table published: a row of round ' || p.round_number || ' is not of rule_change ' || c.id
FROM published AS p
JOIN rule_change AS c ON c.id = p.rule_change_id
WHERE p.tournament_id IS NOT c.tournament_id
  OR p.round_number NOT BETWEEN 0 AND c.round_number
GROUP BY c.id, p.round_number
UNION ALL SELECT 'table command: row ' || min(due) || ' is missing'
FROM (SELECT id, row_number() OVER (ORDER BY id) AS due FROM command)
WHERE id <> due
UNION ALL SELECT 'table log: row ' || min(due) || ' is missing' FROM line WHERE id <> due
UNION ALL SELECT 'table command: row ' || id || ' did not end before the next began'
FROM command
WHERE made_at IS NULL AND id < (SELECT max(id) FROM command)
UNION ALL SELECT 'table log, row ' || id || ': it changes nothing of row ' || row || ' of ' || fact
FROM line
WHERE state IS state_before
UNION ALL SELECT 'table log, row ' || id || ': it is of an earlier command than those before it'
FROM line
WHERE command_id < latest_command AND command_id IN (SELECT id FROM command)
"""
"""What is missing, brings no news or comes too late; NULL for what is not."""


def unrecorded(conn: sqlite3.Connection) -> list[str]:
    """What cannot be in the tables that the file writes down as things happen, a sentence each."""
    recorded = conn.execute(
        "SELECT tournament_id, round_number, rule, before, after, changed_at, command_id, log_id"
        " FROM rule_change"
    )
    due, on_record = Counter(_changes(conn)), Counter(map(tuple, recorded))
    faults = [
        *_impossible(conn),
        *(said for (said,) in conn.execute(_OUT_OF_LINE) if said),
        *(
            f"table rule_change lacks a change that the log has, {_told(change)}"
            for change in due - on_record
        ),
        *(
            f"table rule_change has a change that the log lacks, {_told(change)}"
            for change in on_record - due
        ),
    ]
    return [f"{wrong}. See `keizer restore`." for wrong in faults]


def _impossible(conn: sqlite3.Connection) -> Iterator[str]:
    """Rows that no program could have written, or that are of another one which is not there."""
    for table in rebuild.RECORDS:
        for number, row in enumerate(conn.execute(f"SELECT * FROM {table}"), 1):
            for column, value in zip(row.keys(), row, strict=True):
                if isinstance(value, rebuild.Unreadable | bytes):
                    yield f"table {table}, row {number}: {column} is not readable"
        for (said,) in conn.execute(f"PRAGMA integrity_check({table})"):
            if said != "ok":
                yield f"table {table}: {said}"
        for _, row, other, _ in conn.execute(f"PRAGMA foreign_key_check({table})"):
            which = "a row" if row is None else f"row {row}"
            yield f"table {table}: {which} is of a row of table {other} that is not there"


Change = tuple[Any, int, str, Any, Any, str, int | None, int]
"""Tournament, last round, rule, its value before and after, when, command.id and log.id."""


def _told(change: Change) -> str:
    tournament, last, rule, before, after, when, command, _ = change
    return (
        f"of {rule} from {before} to {after}, after round {last} of tournament {tournament},"
        f" {when}, by {f'command {command}' if command else 'another program'}"
    )


def _changes(conn: sqlite3.Connection) -> list[Change]:
    """Each change of a rule after the first round, by the log; of tournaments that are there.

    The rules that are put on record are those that the trigger names. A migration took over
    what another program had changed before.
    """
    triggers = conn.execute(
        "SELECT tbl_name, sql FROM sqlite_master"
        " WHERE type = 'trigger' AND name IN ('rules_changed', 'scoring_changed')"
    )
    on_record = {table: {*re.findall(r"\bOLD\.(\w+)", text)} for table, text in triggers}
    found: list[Change] = []
    now: dict[tuple[str, int], history.Cells] = {}
    entered: dict[tuple[str, int], tuple[Any, str, int]] = {}
    for line in conn.execute(
        "SELECT id, command_id, changed_at, fact, row, CAST(state AS TEXT) AS state, command_id IN"
        " (SELECT id FROM command WHERE description GLOB 'migration from layout *') AS migrated"
        " FROM log ORDER BY id"
    ):
        fact, row, cells = line["fact"], line["row"], history.cells(line["state"]) or {}
        tournament, command = cells.get("tournament_id"), line["command_id"]
        if fact in on_record:
            before, now[fact, row] = now.get((fact, row), {}), cells
            last = _last_round((what, at) for of, what, at in entered.values() if of == tournament)
            if not (before and cells and last) or line["migrated"]:
                continue
            for column in sorted(on_record[fact]):
                if before.get(column) != cells.get(column):
                    part = "" if column == "factor" else f".{column}"
                    kind = str(cells.get("kind", "")).replace(" ", "-")
                    rule = f"{kind}{part}" if fact == "scoring" else column
                    values = before.get(column), cells.get(column)
                    when = line["changed_at"]
                    found.append((tournament, last, rule, *values, when, command, line["id"]))
        elif fact in ("round", "unplayed", "schedule"):
            entered.pop((fact, row), None)
            number = cells.get("round_number")
            if isinstance(number, int) and (fact != "schedule" or cells.get("published_at")):
                what = "bye" if cells.get("kind") == "bye" else fact
                entered[fact, row] = tournament, what, number
        elif fact == "tournament" and not cells:
            found = [entry for entry in found if entry[0] != row]
    return found


def _last_round(entered: Iterable[tuple[str, int]]) -> int:
    """The last round, as in tournament: what was entered (a schedule: published), and where."""
    numbers: dict[str, set[int]] = defaultdict(set)
    for what, number in entered:
        numbers[what].add(number)
    nobody_plays = numbers["schedule"] & numbers["unplayed"]
    return max(numbers["round"] | numbers["bye"] | nobody_plays, default=0)
