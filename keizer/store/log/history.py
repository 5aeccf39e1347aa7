"""What the log of a file says: table log, in the words of the club."""

import json
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

from keizer import resources, texts
from keizer.errors import KeizerError
from keizer.messages import Fact, Message, boards, read, rounds, say, term
from keizer.store.connection import digest
from keizer.store.sql import run

Cells = dict[str, Any]
"""The columns of a row and their values, NULLs left out."""


def cells(state: str | None) -> Cells | None:
    """A state of table log as columns and values; None for a row that is gone."""
    if state is None:
        return None
    found: Any = state
    if isinstance(state, str) and not texts.is_deep(state):
        with suppress(ValueError):
            found = json.loads(state)
    if isinstance(found, dict) and not any(
        isinstance(cell, dict | list) for cell in found.values()
    ):
        return found
    return {"damaged": state}


class Entry(NamedTuple):
    """A command, or what another program changed at one moment."""

    when: str
    """UTC, 'YYYY-MM-DD HH:MM:SS'."""
    who: str | None
    """The account; None for another program."""
    what: Fact
    """What the command did, a message; None for another program."""
    changes: list[Message]
    """What it changed, one for each row."""


_TOLD_ELSEWHERE = {"seat", "nearer"}
"""Reasons that view pairing_reasons has in words."""

_LONGEST = 100_000
"""Characters of the longest message that is read."""


def last(conn: sqlite3.Connection, count: int) -> int:
    """The id in the log after which the last `count` entries come."""
    (found,) = run(conn, "begun", count=count).fetchone()
    return (found or 1) - 1


Called = dict[str, dict[int, str]]
"""What people and tournaments are called, by table and number, those that are gone too."""

_NAMES = {"player": "name", "tournament": "description"}


def length(conn: sqlite3.Connection) -> int:
    """The last id of the log: as long as it stays, nothing changes."""
    return int(conn.execute("SELECT COALESCE(max(id), 0) FROM log").fetchone()[0])


def entries(
    conn: sqlite3.Connection, *, after: int = 0, facts: Collection[str] = ()
) -> list[Entry]:
    """The entries of the log after one of its ids (log.id), oldest first.

    facts: only what they say of these tables.
    """
    called: Called = {
        fact: {} for fact in _NAMES
    }  # then: an id that was deleted may come again
    _meet(run(conn, "named", after=after), called)
    found = []
    rows = [
        row
        for row in run(conn, "changes", after=after)
        if not facts or row["fact"] in facts
    ]
    for _, together in groupby(
        rows, key=lambda row: row["command_id"] or row["changed_at"]
    ):
        changed = list(together)
        _meet(changed, called)
        first = changed[0]
        changes = _changes(changed, called)
        found.append(Entry(first["changed_at"], first["who"], told(first), changes))
    return found


def told(command: sqlite3.Row) -> Fact:
    """What a command did (columns description and message of table command): a message."""
    found, kept = None, command["message"] or ""
    if isinstance(kept, str) and len(kept) <= _LONGEST and not texts.is_deep(kept):
        with suppress(ValueError, LookupError):
            found = read(json.loads(kept or "null"))
    return found if isinstance(found, Message) else command["description"]


def _meet(rows: Iterable[sqlite3.Row], called: Called) -> None:
    """Take in what players and tournaments are called since these rows of the log."""
    for row in rows:
        if row["fact"] in _NAMES:
            name = (cells(row["state"]) or {}).get(_NAMES[row["fact"]])
            if name is not None:
                called[row["fact"]][row["row"]] = str(name)


def _changes(rows: Iterable[sqlite3.Row], called: Called) -> list[Message]:
    """The net change of every row, in the order they were first touched."""
    net: dict[tuple[str, int], list[Cells | None]] = {}
    for row in rows:
        now = cells(row["state"])
        net.setdefault((row["fact"], row["row"]), [cells(row["before"]), now])[1] = now
    return [
        _sentence(fact, before, after, called)
        for (fact, _), (before, after) in net.items()
        if before != after
        and (after or before or {}).get("about") not in _TOLD_ELSEWHERE
    ]


def _sentence(
    fact: str, before: Cells | None, after: Cells | None, called: Called
) -> Message:
    """What happened to one row."""
    words = resources.table(__file__, "words.toml")
    of = words["columns"]

    def shown(column: str, value: Any) -> Fact:
        if value is None:
            return say("nothing")
        if column in of["people"]:
            return called["player"].get(value, say("player {number}", number=value))
        if column == "published_at":
            return say("{moment:time}", moment=value)
        return term(str(value)) if column in of["words"] else str(value)

    def named(column: str) -> Fact:
        which = shown(column, values[column])
        if column == "board":
            return boards([which])
        return rounds([which]) if column in of["rounds"] else which

    values = after or before or {}
    word, by = words["called"].get(fact, (say("table {table}", table=fact), ""))
    word = term(word) if isinstance(word, str) else word
    which = [named(column) for column in by.split() if column in values]
    subject = say("{word} {which}", word=word, which=which) if which else word
    if len(called["tournament"]) > 1 and "tournament_id" in values:
        tournament = called["tournament"].get(values["tournament_id"])
        subject = say("{tournament}, {subject}", tournament=tournament, subject=subject)
    if before is None or after is None:
        changes = [say("new") if before is None else say("gone")]
        rest = [
            column for column in values if column not in {*by.split(), *of["aside"]}
        ]
        changes += [
            say(
                "{column} {value}",
                column=term(column),
                value=shown(column, values[column]),
            )
            for column in rest
        ]
    else:
        changed = [
            column
            for column in before | after
            if before.get(column) != after.get(column)
        ]
        changes = [
            say(
                "{column} {before} → {after}",
                column=term(column),
                before=shown(column, before.get(column)),
                after=shown(column, after.get(column)),
            )
            for column in [column for column in changed if column not in of["aside"]]
            or changed
        ]
    return say("{subject}: {changes}", subject=subject, changes=changes)


def birth(conn: sqlite3.Connection) -> str:
    """What tells a file from others, but for its copies: when its first tournament was made.

    KeizerError where its log does not say.
    """
    found = _line(conn, "birth")
    if found is None:
        raise KeizerError("the file has no log: nobody can tell which one it is.")
    return found


def entry(conn: sqlite3.Connection, player: int) -> str | None:
    """What tells a person from all others, also from who gets their number (player.id) later.

    It is the line of the log by which they came into this file; None for nobody.
    """
    came = _line(conn, "entry", player=player)
    return came and f"{birth(conn)}-{came}"


def _line(conn: sqlite3.Connection, which: str, **values: int) -> str | None:
    line = run(conn, which, **values)
    return next((digest([repr(tuple(row)).encode()]) for row in line), None)
