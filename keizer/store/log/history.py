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
"""The values of a row by column; columns that are NULL are left out."""

States = dict[tuple[str, int], Cells | None]
"""The cells of rows, by table and key; None for a row that does not exist."""

Names = dict[str, dict[int, str]]
"""The names of players and of tournaments, by table and id, also of deleted ones."""

_NAME_COLUMNS = {"player": "name", "tournament": "description"}
"""By table: the column with the name."""

_TOLD_ELSEWHERE = {"seat", "nearer"}
"""Kinds of reasons (reason.about) that entries omit: view pairing_reasons has them."""

_LONGEST_MESSAGE = 100_000
"""The length in characters of the longest message that is parsed."""


class Entry(NamedTuple):
    """An entry of the log: a command, or what another program changed at one moment."""

    when: str
    """UTC, 'YYYY-MM-DD HH:MM:SS'."""
    who: str | None
    """Who did it: the name of an account or of a member; None for another program."""
    what: Fact
    """What the command did: a message, or a text; None for another program."""
    changes: list[Message]
    """The changes, a message for each row."""


def last_id(conn: sqlite3.Connection) -> int:
    """Return the id of the last line of the log (log.id); 0 if the log is empty.

    While it stays the same, no fact has changed.
    """
    row = conn.execute("SELECT COALESCE(max(id), 0) FROM log").fetchone()
    return int(row[0])


def id_before_last(conn: sqlite3.Connection, count: int) -> int:
    """Return the id of the line before the last `count` entries of the log (log.id).

    With this id as its `after`, `entries` returns the last `count` entries.
    """
    (first_id,) = run(conn, "first_of_last_entries", count=count).fetchone()
    if not first_id:
        return 0  # the log is empty
    return int(first_id) - 1


def entries(
    conn: sqlite3.Connection, *, after: int = 0, facts: Collection[str] = ()
) -> list[Entry]:
    """Return the entries of the log after a line, oldest first.

    after: the id of the line (log.id). facts: the names of tables; other tables are
    left out of the entries. By default no table is left out.
    """
    # Each entry has the names of its own time, as the id of a deleted player may be
    # given to somebody else. So names are read from the log, in its order.
    names: Names = {table: {} for table in _NAME_COLUMNS}
    _learn_names(names, run(conn, "names_until", line=after))
    lines = [
        line
        for line in run(conn, "changes", after=after)
        if not facts or line["fact"] in facts
    ]
    result = []
    # A change by another program has no command. It is grouped by its moment.
    for _, group in groupby(
        lines, key=lambda line: line["command_id"] or line["changed_at"]
    ):
        lines_of_entry = list(group)
        _learn_names(names, lines_of_entry)
        first = lines_of_entry[0]
        result.append(
            Entry(
                when=first["changed_at"],
                who=first["who"],
                what=description(first),
                changes=list(_net_changes(lines_of_entry, names)),
            )
        )
    return result


def description(command: sqlite3.Row) -> Fact:
    """Return what a command did: its message or, if that is unusable, its description.

    command: a row with the columns message and description of table command. The
    message is JSON, and can be put into other languages; the description is English.
    """
    data = command["message"]
    # Another program may have written anything there.
    if isinstance(data, str) and len(data) <= _LONGEST_MESSAGE:
        with suppress(ValueError, LookupError):
            message = from_data(_parse_json(data))
            if isinstance(message, Message):
                return message
    return command["description"]


def cells(state: str | None) -> Cells | None:
    """Parse a state of table log, and return the cells of the row.

    state: JSON, as {"name":"Ada"}; None for a deleted row, which has no cells (None).
    If another program wrote a state that no row can have, this state is the value of a
    column "damaged".
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
    """Parse a text of the log as JSON; return None if it is anything else.

    Another program may have written any value, even JSON so deeply nested that Python
    cannot parse it.
    """
    if not isinstance(text, str) or texts.is_deep(text):
        return None
    with suppress(ValueError):
        return json.loads(text)
    return None


def _learn_names(names: Names, rows: Iterable[sqlite3.Row]) -> None:
    """Add the names of players and tournaments in lines of the log to `names`.

    rows: lines with the columns fact, row and state.
    """
    for row in rows:
        fact = row["fact"]
        if fact not in _NAME_COLUMNS:
            continue
        state = cells(row["state"]) or {}
        name = state.get(_NAME_COLUMNS[fact])
        if name is not None:
            names[fact][row["row"]] = str(name)


def _net_changes(rows: Iterable[sqlite3.Row], names: Names) -> Iterator[Message]:
    """Yield a message for each row that lines of the log change in the end.

    A row that is changed and changed back has none. rows: the lines of one entry.
    """
    states_before: States = {}
    states_after: States = {}
    for row in rows:
        key = (row["fact"], row["row"])
        # The first line of a row has the state before, and its last line the one after.
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
    """Say what happened to one row.

    fact: its table. before, after: its cells; None if the row did not exist.
    """
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
    """Name a row by its key, "game round 3 board 2 Ada Ben".

    If the file has several tournaments, the name of the tournament comes first.
    """
    word, key = _word_and_key(fact)
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
    """Say each value of a new or deleted row, a message for each column.

    The columns in its subject are left out, and those of little interest.
    """
    _, key = _word_and_key(fact)
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
    """Say each value that changed, a message for each column.

    Columns of little interest are only mentioned if no others have changed.
    """
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
    """Return a value with the word for it, as in a subject: "round 3", "board 2"."""
    shown = _shown_value(column, value, names)
    if column == "board":
        return boards([shown])
    if column in _columns("rounds"):
        return rounds([shown])
    return shown


def _shown_value(column: str, value: Any, names: Names) -> Fact:
    """Return a value as people read it: a name for a player, local time for UTC."""
    if value is None:
        return say("nothing")
    if column in _columns("people"):
        return names["player"].get(value, say("player {number}", number=value))
    if column == "published_at":
        return say("{moment:time}", moment=value)
    if column in _columns("words"):
        return term(str(value))
    return str(value)


def _word_and_key(fact: str) -> tuple[Message, list[str]]:
    """Return the word for a row of a table, and the columns that tell its rows apart.

    For table round they are "game", and round_number, board, white and black.
    """
    words = resources.table(__file__, "words.toml")
    called = words["called"].get(fact)
    if called is None:
        return say("table {table}", table=fact), []
    word, columns = called
    return term(word), columns.split()


def _columns(kind: str) -> Any:
    """Return the names of the columns of a kind: people, rounds, words or aside."""
    return resources.table(__file__, "words.toml")["columns"][kind]


def file_identity(conn: sqlite3.Connection) -> str:
    """Return an identifier of a season file: copies of the file have the same.

    It is a digest of the first line of the log about a tournament. Raises KeizerError
    if the log has no such line.
    """
    identity = _line_digest(conn, "first_tournament")
    if identity is None:
        raise KeizerError("the file has no log: nobody can tell which one it is.")
    return identity


def person_identity(conn: sqlite3.Connection, player: int) -> str | None:
    """Return an identifier of a person; None if the log has nobody of this number.

    player: the number (player.id). It may be given to somebody else after the person is
    deleted, so the identifier is made of the line of the log that entered the person.
    """
    entered = _line_digest(conn, "first_line_of_player", player=player)
    if entered is None:
        return None
    return f"{file_identity(conn)}-{entered}"


def _line_digest(conn: sqlite3.Connection, query: str, **values: int) -> str | None:
    """Return a digest of the line of the log that a query selects; None if none is.

    query: a name in queries.sql. values: the parameters of the query.
    """
    line = run(conn, query, **values).fetchone()
    if line is None:
        return None
    text = repr(tuple(line))
    return digest([text.encode()])
