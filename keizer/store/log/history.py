"""The log of a file as entries for people: table log, in the words of the club."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

from keizer import resources, texts
from keizer.errors import KeizerError
from keizer.messages import Fact, Message, boards, from_data, rounds, say, term
from keizer.store.connection import digest
from keizer.store.sql import run

Cells = dict[str, Any]
"""The columns of a row and their values, NULLs left out."""

States = dict[tuple[str, int], Cells | None]
"""The cells of rows, by table and number."""

Names = dict[str, dict[int, str]]
"""The names of people and tournaments by table and number, with those that are gone."""

_NAME_COLUMNS = {"player": "name", "tournament": "description"}

_TOLD_ELSEWHERE = {"seat", "nearer"}
"""Reasons (column reason.about) that view pairing_reasons has in words."""

_LONGEST = 100_000
"""Characters of the longest message that is read."""


class Entry(NamedTuple):
    """An entry of the log: a command, or what another program changed at one moment."""

    when: str
    """UTC, 'YYYY-MM-DD HH:MM:SS'."""
    who: str | None
    """The account; None for another program."""
    what: Fact
    """What the command did, a message; None for another program."""
    changes: list[Message]
    """What it changed, a message for each row."""


def last_id(conn: sqlite3.Connection) -> int:
    """Return the last id of the log: while it stays the same, no fact has changed."""
    row = conn.execute("SELECT COALESCE(max(id), 0) FROM log").fetchone()
    return int(row[0])


def id_before_last(conn: sqlite3.Connection, count: int) -> int:
    """Return the id (log.id) after which the last `count` entries of the log come."""
    (first_id,) = run(conn, "begun", count=count).fetchone()
    if not first_id:
        return 0  # the log is empty
    return int(first_id) - 1


def entries(
    conn: sqlite3.Connection, *, after: int = 0, facts: Collection[str] = ()
) -> list[Entry]:
    """Return the entries of the log after one of its ids (log.id), oldest first.

    facts: tables; entries then say only what changed in these. All tables by default.
    """
    # The number of somebody who was deleted may be given again: each entry has the
    # names of its own time.
    names: Names = {fact: {} for fact in _NAME_COLUMNS}
    _learn_names(names, run(conn, "named", after=after))
    rows = [
        row
        for row in run(conn, "changes", after=after)
        if not facts or row["fact"] in facts
    ]
    result = []
    # What another program changed has no command, but a moment.
    for _, group in groupby(
        rows, key=lambda row: row["command_id"] or row["changed_at"]
    ):
        changed = list(group)
        _learn_names(names, changed)
        first = changed[0]
        result.append(
            Entry(
                when=first["changed_at"],
                who=first["who"],
                what=description(first),
                changes=list(_net_changes(changed, names)),
            )
        )
    return result


def description(command: sqlite3.Row) -> Fact:
    """Return what a command did: its message or, if it has none, its description.

    command: a row with these two columns of table command. Another program may have
    written anything there.
    """
    data = command["message"]
    if isinstance(data, str) and len(data) <= _LONGEST:
        with suppress(ValueError, LookupError):
            message = from_data(_parse_json(data))
            if isinstance(message, Message):
                return message
    return command["description"]


def cells(state: str | None) -> Cells | None:
    """Return a state of table log as columns and values; None for a row that is gone.

    A state that no row can have, of another program, is in a column called damaged.
    """
    if state is None:
        return None
    values = _parse_json(state)
    if not isinstance(values, dict):
        return {"damaged": state}
    if any(isinstance(value, dict | list) for value in values.values()):
        return {"damaged": state}
    return values


def _parse_json(text: object) -> Any:
    """Parse what the log has as JSON; return None if it is anything else.

    Another program can have put any value there, also brackets so deep that Python's
    own parser fails.
    """
    if not isinstance(text, str) or texts.is_deep(text):
        return None
    with suppress(ValueError):
        return json.loads(text)
    return None


def _learn_names(names: Names, rows: Iterable[sqlite3.Row]) -> None:
    """Add to the names those that players and tournaments have in rows of the log."""
    for row in rows:
        fact = row["fact"]
        if fact not in _NAME_COLUMNS:
            continue
        state = cells(row["state"]) or {}
        name = state.get(_NAME_COLUMNS[fact])
        if name is not None:
            names[fact][row["row"]] = str(name)


def _net_changes(rows: Iterable[sqlite3.Row], names: Names) -> Iterator[Message]:
    """Say the net change of every row, in the order in which they were touched."""
    states_before: States = {}
    states_after: States = {}
    for row in rows:
        key = (row["fact"], row["row"])
        states_before.setdefault(key, cells(row["before"]))
        states_after[key] = cells(row["state"])
    for key, before in states_before.items():
        after = states_after[key]
        if before == after:
            continue
        values = after or before or {}
        if values.get("about") not in _TOLD_ELSEWHERE:
            fact, _ = key
            yield _sentence(fact, before, after, names)


def _sentence(
    fact: str, before: Cells | None, after: Cells | None, names: Names
) -> Message:
    """Say what happened to one row, whose cells are None where it did not exist."""
    values = after or before or {}
    if before is None:
        changes = [say("new"), *_all_values(fact, values, names)]
    elif after is None:
        changes = [say("gone"), *_all_values(fact, values, names)]
    else:
        changes = _changed_values(before, after, names)
    subject = _subject(fact, values, names)
    return say("{subject}: {changes}", subject=subject, changes=changes)


def _subject(fact: str, values: Cells, names: Names) -> Message:
    """Say which row it is, and of which tournament if the file has several."""
    word, key = _called(fact)
    identified = [
        _named_value(column, values[column], names)
        for column in key
        if column in values
    ]
    subject = word
    if identified:
        subject = say("{word} {which}", word=word, which=identified)
    if len(names["tournament"]) > 1 and "tournament_id" in values:
        tournament = names["tournament"].get(values["tournament_id"])
        return say("{tournament}, {subject}", tournament=tournament, subject=subject)
    return subject


def _all_values(fact: str, values: Cells, names: Names) -> list[Message]:
    """Say each value of a new or deleted row that its subject does not have."""
    _, key = _called(fact)
    omitted = {*key, *_columns("aside")}
    return [
        say(
            "{column} {value}",
            column=term(column),
            value=_shown_value(column, value, names),
        )
        for column, value in values.items()
        if column not in omitted
    ]


def _changed_values(before: Cells, after: Cells, names: Names) -> list[Message]:
    """Say each value that changed; those of no interest only if there are no others."""
    changed = [
        column for column in before | after if before.get(column) != after.get(column)
    ]
    aside = _columns("aside")
    interesting = [column for column in changed if column not in aside]
    return [
        say(
            "{column} {before} → {after}",
            column=term(column),
            before=_shown_value(column, before.get(column), names),
            after=_shown_value(column, after.get(column), names),
        )
        for column in interesting or changed
    ]


def _named_value(column: str, value: Any, names: Names) -> Fact:
    """Return a value as it stands in a subject: "round 3", "board 2"."""
    shown = _shown_value(column, value, names)
    if column == "board":
        return boards([shown])
    if column in _columns("rounds"):
        return rounds([shown])
    return shown


def _shown_value(column: str, value: Any, names: Names) -> Fact:
    """Return a value as people read it: players by name, moments by their own clock."""
    if value is None:
        return say("nothing")
    if column in _columns("people"):
        return names["player"].get(value, say("player {number}", number=value))
    if column == "published_at":
        return say("{moment:time}", moment=value)
    if column in _columns("words"):
        return term(str(value))
    return str(value)


def _called(fact: str) -> tuple[Message, list[str]]:
    """Return what people call a row of a table, and the columns that tell which one."""
    words = resources.table(__file__, "words.toml")
    called = words["called"].get(fact)
    if called is None:
        return say("table {table}", table=fact), []
    word, columns = called
    return term(word), columns.split()


def _columns(kind: str) -> Any:
    """Return the columns of a kind, as words.toml has them: those of people, say."""
    return resources.table(__file__, "words.toml")["columns"][kind]


def file_identity(conn: sqlite3.Connection) -> str:
    """Return an identifier of a file, which its copies share.

    It is a digest of the line of the log with which its first tournament was made.
    Raises KeizerError if the file has no such line.
    """
    first_line = _line_digest(conn, "birth")
    if first_line is None:
        raise KeizerError("the file has no log: nobody can tell which one it is.")
    return first_line


def person_identity(conn: sqlite3.Connection, player: int) -> str | None:
    """Return an identifier of a person; None if nobody has the number (player.id).

    It comes from the line of the log by which they came into this file. So it differs
    from that of whoever gets their number later.
    """
    first_line = _line_digest(conn, "entry", player=player)
    if first_line is None:
        return None
    return f"{file_identity(conn)}-{first_line}"


def _line_digest(conn: sqlite3.Connection, query: str, **values: int) -> str | None:
    """Return a digest of the line of the log that a query selects; None for none."""
    line = run(conn, query, **values).fetchone()
    if line is None:
        return None
    text = repr(tuple(line))
    return digest([text.encode()])
