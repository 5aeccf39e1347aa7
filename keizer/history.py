"""What the log of a file says: table log, in the words of the club."""

import re
import sqlite3
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

Cells = dict[str, Any]
"""The columns of a row and their values, NULLs left out."""

_CELL = re.compile(r"(\w+)=('(?:[^']|'')*'|[^,']+)(?:, |$)")


def cells(state: str | None) -> Cells | None:
    """A state of table log as columns and values; None for a row that is gone."""
    if state is None:
        return None
    return {column: _value(literal) for column, literal in _CELL.findall(state)}


def _value(literal: str) -> str | int | float:
    if literal.startswith("'"):
        return literal[1:-1].replace("''", "'")
    try:
        return int(literal)
    except ValueError:
        return float(literal)


class Entry(NamedTuple):
    """A command, or what another program changed at one moment."""

    when: str
    """UTC, 'YYYY-MM-DD HH:MM:SS'."""
    who: str | None
    """The account; None for another program."""
    what: str | None
    """The command in a sentence; None for another program."""
    changes: list[str]
    """What it changed, a line for each row."""


# Of a row of the log, what the row of the fact was before.
_ROWS = """
SELECT l.id, l.step, l.changed_at, l.fact, l.row, l.state, s.command, s.who,
  (SELECT state FROM log AS b WHERE b.fact = l.fact AND b.row = l.row AND b.id < l.id
    ORDER BY b.id DESC LIMIT 1) AS before
FROM log AS l
LEFT JOIN step AS s ON s.id = l.step
WHERE l.id > ?
ORDER BY l.id
"""

# What is of no interest beside the rest of a row.
_ASIDE = {"tournament_id", "last_updated", "white_place", "black_place", "colour_by", "place"}

_PEOPLE = {"white", "black", "player_id", "nearer"}

_CALLED = {
    "tournament": ("tournament", "description"),
    "player": ("player", "name"),
    "x_player_tournament": ("entry of", "player_id"),
    "round": ("game", "round_number", "board", "white", "black"),
    "unplayed": ("not playing", "round_number", "player_id"),
    "coming": ("coming", "round_number", "player_id"),
    "schedule": ("schedule", "round_number"),
    "rules": ("rules",),
    "scoring": ("scoring", "kind"),
    "personal": ("exception", "player_id", "kind"),
    "correction": ("correction", "player_id"),
    "period": ("period", "first_round"),
    "inner_group": ("group", "name"),
    "apart": ("kept apart", "name", "player_id"),
    "relaxation": ("given up", "round_number", "white", "black", "rule"),
    "passed_over": ("passed over", "round_number", "player_id", "nearer"),
    "rule_change": ("rule changed", "rule"),
    "backup": ("backups",),
}
"""What people call a row of a fact: the word, and the columns that tell which."""


def last(conn: sqlite3.Connection, count: int) -> int:
    """The id in the log behind which lie so many of the last entries."""
    found = conn.execute(
        "SELECT min(first) FROM (SELECT min(id) AS first FROM log"
        " GROUP BY COALESCE(step, changed_at) ORDER BY first DESC LIMIT ?)",
        (count,),
    ).fetchone()[0]
    return (found or 1) - 1


def entries(conn: sqlite3.Connection, *, after: int = 0) -> list[Entry]:
    """What the log has behind one of its ids, in order."""
    people = dict(conn.execute("SELECT id, name FROM player").fetchall())
    found = []
    rows = conn.execute(_ROWS, (after,)).fetchall()
    for _, together in groupby(rows, key=lambda row: row["step"] or row["changed_at"]):
        changed = list(together)
        first = changed[0]
        found.append(
            Entry(first["changed_at"], first["who"], first["command"], _changes(changed, people))
        )
    return found


def _changes(rows: Iterable[sqlite3.Row], people: Mapping[int, str]) -> list[str]:
    """The net change of every row, in the order they were first touched."""
    net: dict[tuple[str, int], list[Cells | None]] = {}
    for row in rows:
        now = cells(row["state"])
        net.setdefault((row["fact"], row["row"]), [cells(row["before"]), now])[1] = now
    return [
        _sentence(fact, before, after, people)
        for (fact, _), (before, after) in net.items()
        if before != after
    ]


def _sentence(
    fact: str, before: Cells | None, after: Cells | None, people: Mapping[int, str]
) -> str:
    """What happened to one row."""
    there = after or before or {}
    word, *called = _CALLED[fact]
    named = [_shown(column, there[column], people) for column in called if column in there]
    subject = f"{word} {', '.join(named)}".strip()
    if before is None or after is None:
        rest = {it: there[it] for it in there if it not in called and it not in _ASIDE | {"id"}}
        listed = ", ".join(f"{it} {_shown(it, value, people)}" for it, value in rest.items())
        return f"{subject}: {'new' if before is None else 'gone'}" + (
            f", {listed}" if listed else ""
        )
    columns = [it for it in before | after if before.get(it) != after.get(it)]
    columns = [it for it in columns if it not in _ASIDE] or columns
    changed = (
        f"{it} {_shown(it, before.get(it), people)} → {_shown(it, after.get(it), people)}"
        for it in columns
    )
    return f"{subject}: {', '.join(changed)}"


def _shown(column: str, value: Any, people: Mapping[int, str]) -> str:
    if value is None:
        return "nothing"
    if column in _PEOPLE:
        return people.get(value, f"player {value}")
    if column in ("round_number", "first_round"):
        return f"round {value}"
    return f"board {value}" if column == "board" else str(value)
