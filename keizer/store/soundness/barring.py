"""Definitions that bar a file from being read, as SQLite would run them by itself.

A view or a trigger runs only when a statement uses it. But SQLite evaluates the
expressions of an index, a column or a constraint whenever it reads the table or checks
its pages, and a view in the place of one of keizer's tables runs with every command.
SQLite cannot be interrupted while it works on one call of a function.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from keizer.messages import Message, say, term
from keizer.store import definitions, sql

BY_HAND = say("sqlite_master has entries that no program writes.")

Row = tuple[str, str, bytes]
"""A definition in sqlite_master: its name, its type and its text, the SQL."""


def reasons_to_bar(rows: Iterable[Row]) -> tuple[Message, ...]:
    """Return the reasons why keizer refuses to read a file; empty if it may read it.

    A file is refused if reading it would have SQLite run code that somebody put into
    it. rows: the definitions of the file.
    """
    messages: list[Message] = []
    for name, kind, text in rows:
        definition = text.decode(errors="replace")
        messages += _reasons(name, kind, definition)
    unique = dict.fromkeys(messages)
    return tuple(unique)


def too_many(number: int, most: int) -> Message:
    """Return the reason why a file with that number of definitions is not read.

    most: the highest number that is read.
    """
    return say(
        "it has {number:,} tables, views and the like, and keizer reads {most:,} at"
        " most.",
        number=number,
        most=most,
    )


@cache
def _tables() -> dict[str, str]:
    """Return the CREATE TABLE statements of keizer's own tables, by name."""
    tables = {}
    for statement in definitions.statements(sql.schema_script()):
        # Table sqlite_master has them without comments before them, and without the
        # semicolon.
        match = re.search("^CREATE TABLE .*(?=;)", statement, re.DOTALL | re.MULTILINE)
        if match:
            table = match[0]
            tables[definitions.defined_name(table)] = table
    return tables


def _reasons(name: str, kind: str, text: str) -> Iterator[Message]:
    """Yield the reasons why SQLite must not run a definition in a file; none if it may.

    name, kind, text: its name, its type, such as "index", and its SQL.
    """
    own = _tables().get(name.lower())
    if text == own:
        return
    if not definitions.is_written_by_sqlite(name, text):
        yield BY_HAND
        return
    if own and not text.startswith("CREATE TABLE "):
        # A view, for example, has the name of one of keizer's tables. It would run when
        # a command reads that table.
        yield say(
            "the {kind} {name} is not as keizer made it.", kind=term(kind), name=name
        )
        return
    for expression in _evaluated_expressions(text, own):
        function = definitions.slow_call(expression)
        if function:
            yield say(
                "the {kind} {name} calls {function}, which may take any time.",
                kind=term(kind),
                name=name,
                function=function,
            )


def _evaluated_expressions(text: str, own: str | None) -> Iterator[str]:
    """Yield the expressions in a definition that SQLite evaluates without being asked.

    The file may come from anybody, and such an expression may call a slow function.
    text: the SQL of the definition, of an index, a table or anything else. own: the SQL
    of keizer's own table of this name; None if keizer has no such table.
    """
    if text.startswith(("CREATE INDEX ", "CREATE UNIQUE INDEX ")):
        # SQLite evaluates it when the table is changed or its pages are checked.
        yield definitions.index_expression(text)
    elif not text.startswith("CREATE TABLE "):
        # A view or trigger runs only when a statement uses it.
        return
    elif own:
        # Commands enter rows into keizer's tables, so SQLite evaluates defaults and
        # constraints, too. Those that keizer wrote itself are harmless.
        own_expressions = definitions.table_expressions(own)
        for expression in definitions.table_expressions(text):
            if expression not in own_expressions:
                yield expression
    elif definitions.has_misleading_characters(text):
        # It has control characters, for example. These may hide a computed column from
        # `computed_columns`, so all expressions count.
        yield from definitions.table_expressions(text)
    else:
        # No command enters rows of a table that is not keizer's. So only the columns
        # matter that are computed when the table is read.
        for column in definitions.computed_columns(text):
            yield from definitions.expressions(column)
