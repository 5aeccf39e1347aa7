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
"""The values of a row by column, {"name": "Ada"}; NULLs are left out."""

States = dict[tuple[str, int], Cells | None]
"""The cells of rows, by table and key; None for a row that does not exist."""

Names = dict[str, dict[int, str]]
"""The names of players and of tournaments, by table and id, also of deleted ones."""

_NAME_COLUMNS = {"player": "name", "tournament": "description"}
"""By table: the column with the name."""

_OMITTED_REASONS = {"seat", "nearer"}
"""Kinds of reasons (reason.about) that entries leave out.

View pairing_reasons has them.
"""

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

    While it stays the same, nobody has changed a row that people enter.
    """
    row = conn.execute("SELECT COALESCE(max(id), 0) FROM log").fetchone()
    return int(row[0])


def start_of_last_entries(conn: sqlite3.Connection, count: int) -> int:
    """Return the number after which the last `count` entries of the log begin.

    With this number as `after`, `entries` returns these entries. It is one less than
    the id (log.id) of their first line; 0 if the log is empty.
    """
    (first_id,) = run(conn, "first_of_last_entries", count=count).fetchone()
    if not first_id:
        return 0
    return int(first_id) - 1


def entries(
    conn: sqlite3.Connection, *, after: int = 0, tables: Collection[str] = ()
) -> list[Entry]:
    """Return the entries of the log for people, oldest first.

    An entry is made of the lines of one command, or of the lines that other programs
    wrote at one moment.
    after: only lines with a higher id (log.id) count. tables: the names of the tables
    whose lines count, ("player", "round"); all tables if it is empty.
    """
    # An entry shows the names that players had at that time: the id of a deleted player
    # may be given to somebody else. So names are learned from the log, entry by entry.
    names: Names = {table: {} for table in _NAME_COLUMNS}
    _learn_names(names, run(conn, "names_until", line=after))
    lines = [
        line
        for line in run(conn, "changes", after=after)
        if not tables or line["fact"] in tables
    ]
    result = []
    # A line by another program has no command, and is grouped by its time.
    for _, group in groupby(
        lines, key=lambda line: line["command_id"] or line["changed_at"]
    ):
        lines_of_entry = list(group)
        # Before the changes are put into words, as they may name a new player.
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
    """Return what a command did: its message or, without a usable one, its description.

    command: a row with the columns message and description of table command. The
    message is JSON, and can be put into other languages; the description is English.
    For a change by another program both are NULL, and None is returned.
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
    """Parse the state of a row in the log, and return its values by column.

    state: JSON, as {"name":"Ada"}, from column log.state. For None, which stands for a
    row that does not exist, None is returned.
    If another program wrote a state that no row can have, {"damaged": state} is
    returned.
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


def _learn_names(names: Names, lines: Iterable[sqlite3.Row]) -> None:
    """Add the names of players and tournaments in lines of the log to `names`.

    lines: rows with the columns fact (the name of a table), row (an id in that table)
    and state (the values of that row as JSON).
    """
    for line in lines:
        table = line["fact"]
        if table not in _NAME_COLUMNS:
            continue
        values = cells(line["state"]) or {}
        name = values.get(_NAME_COLUMNS[table])
        if name is not None:
            names[table][line["row"]] = str(name)


def _net_changes(lines: Iterable[sqlite3.Row], names: Names) -> Iterator[Message]:
    """Yield a message for each row that is not as before after some lines of the log.

    A row that was changed and changed back has no message, and neither has a reason of
    the pairing that entries leave out.
    lines: the lines of one entry. Each is a change of one row, which is known by fact
    (the name of its table) and row (its id).
    """
    states_before: States = {}
    states_after: States = {}
    for line in lines:
        key = (line["fact"], line["row"])
        # The first line about a row has its state before, the last line the one after.
        states_before.setdefault(key, cells(line["before"]))
        states_after[key] = cells(line["state"])
    for key, before in states_before.items():
        after = states_after[key]
        if before == after:
            continue
        values = after or before or {}
        if values.get("about") not in _OMITTED_REASONS:
            table, _ = key
            yield _sentence(table, before, after, names)


def _sentence(
    table: str, before: Cells | None, after: Cells | None, names: Names
) -> Message:
    """Return a message that one row is new or gone, or what changed in it.

    before, after: its values by column; None if the row did not exist.
    """
    values = after or before or {}
    if before is None:
        changes = [say("new"), *_all_values(table, values, names)]
    elif after is None:
        changes = [say("gone"), *_all_values(table, values, names)]
    else:
        changes = _changed_values(before, after, names)
    subject = _subject(table, values, names)
    return say("{subject}: {changes}", subject=subject, changes=changes)


def _subject(table: str, values: Cells, names: Names) -> Message:
    """Return the name of one row of a table, such as "game round 3 board 2 Ada Ben".

    If the file has several tournaments, the name of the tournament comes first.
    values: the values of the row by column. names: the names of players and tournaments
    by table and id.
    """
    word, naming_columns = _word_and_naming_columns(table)
    key_values = [
        _named_value(column, values[column], names)
        for column in naming_columns
        if column in values
    ]
    subject = word
    if key_values:
        subject = say("{word} {which}", word=word, which=key_values)
    if len(names["tournament"]) > 1 and "tournament_id" in values:
        tournament = names["tournament"].get(values["tournament_id"])
        return say("{tournament}, {subject}", tournament=tournament, subject=subject)
    return subject


def _all_values(table: str, values: Cells, names: Names) -> list[Message]:
    """Return a message for each value of a new or deleted row, such as "rating 1500".

    Left out are the columns by which `_subject` names the row, as their values are in
    its name already, and columns that are unimportant to people, such as ids.
    """
    _, naming_columns = _word_and_naming_columns(table)
    omitted = {*naming_columns, *_columns("unimportant")}
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
    """Return a message for each value that changed, such as "rating 1500 → 1520".

    Unimportant columns are only mentioned if no others have changed.
    before, after: the values of the row by column, without NULLs.
    """
    changed = [
        column for column in before | after if before.get(column) != after.get(column)
    ]
    unimportant = _columns("unimportant")
    important = [column for column in changed if column not in unimportant]
    return [
        say(
            "{column} {before} → {after}",
            column=term(column),
            before=_shown_value(column, before.get(column), names),
            after=_shown_value(column, after.get(column), names),
        )
        for column in important or changed
    ]


def _named_value(column: str, value: Any, names: Names) -> Fact:
    """Return the part of a row's name that comes from one of its columns.

    Example: the name of a game is "game round 3 board 2 Ada Ben". Its column board has
    the value 2, for which "board 2" is returned; for a player the name is returned.
    """
    shown = _shown_value(column, value, names)
    # `boards` and `rounds` name any number of them, such as "boards 2 and 7".
    if column == "board":
        return boards([shown])
    columns_of_round_numbers = _columns("rounds")
    if column in columns_of_round_numbers:
        return rounds([shown])
    return shown


def _shown_value(column: str, value: Any, names: Names) -> Fact:
    """Return a value as people read it: a name for an id, local time for UTC.

    Words such as a status can be put into the language of the reader.
    """
    if value is None:
        return say("nothing")
    if column in _columns("people"):
        return names["player"].get(value, say("player {number}", number=value))
    if column == "published_at":
        return say("{moment:time}", moment=value)
    if column in _columns("words"):
        return term(str(value))
    return str(value)


def _word_and_naming_columns(table: str) -> tuple[Message, list[str]]:
    """Return the word for a row of a table, and the columns that tell its rows apart.

    A row of table round is a game. So the result for it is "game", and the columns
    round_number, board, white and black. For a table without a word in the file
    words.toml, the result is "table NAME", and no columns.
    """
    words_by_table = resources.table(__file__, "words.toml")["called"]
    if table not in words_by_table:
        return say("table {table}", table=table), []
    word, columns = words_by_table[table]
    return term(word), columns.split()


def _columns(kind: str) -> Any:
    """Return the names of the columns with one kind of values.

    kind: "people" for ids of players, "rounds" for numbers of rounds, "words" for words
    to put into other languages, "unimportant" for values that hardly interest people.
    """
    return resources.table(__file__, "words.toml")["columns"][kind]


def file_identity(conn: sqlite3.Connection) -> str:
    """Return an identifier of a season file: copies of the file have the same.

    It is a hash of the first line of the log about a tournament. Raises KeizerError if
    the log has no such line.
    """
    identity = _line_digest(conn, "first_tournament")
    if identity is None:
        raise KeizerError("the file has no log: nobody can tell which one it is.")
    return identity


def person_identity(conn: sqlite3.Connection, player: int) -> str | None:
    """Return an identifier of a person; None if the log has no player of this id.

    player: the id (player.id). It may be given to somebody else after the person is
    deleted. So the identifier is a hash of the line of the log that entered the person,
    after the identifier of the file.
    """
    line_digest = _line_digest(conn, "first_line_of_player", player=player)
    if line_digest is None:
        return None
    return f"{file_identity(conn)}-{line_digest}"


def _line_digest(conn: sqlite3.Connection, query: str, **values: int) -> str | None:
    """Return a hash of the line of the log that a query selects; None if it has none.

    query: its name in queries.sql. values: the parameters of the query.
    """
    line = run(conn, query, **values).fetchone()
    if line is None:
        return None
    text = repr(tuple(line))
    return digest([text.encode()])
