"""Definitions with which nothing of a file is read: SQLite would run them by itself.

A view or trigger runs if somebody asks for it. What an index, a column or a constraint
computes is computed when SQLite reads the table or proves its pages; and a view in the
place of a table runs with every command. No clock is looked at while one function
works.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from keizer.messages import Message, say, term
from keizer.store import definitions, sql

BY_HAND = say("sqlite_master has what no program writes there.")

Row = tuple[str, str, bytes]
"""A row of sqlite_master: name, type, text."""


def reasons_to_bar(rows: Iterable[Row]) -> tuple[Message, ...]:
    """Return why nothing of a file with these definitions is read; none if it is."""
    messages: list[Message] = []
    for name, kind, text in rows:
        definition = text.decode(errors="replace")
        messages += _reasons(name, kind, definition)
    unique = dict.fromkeys(messages)
    return tuple(unique)


def too_many(number: int, most: int) -> Message:
    """Return why a file with so many definitions is not read."""
    return say(
        "it has {number:,} tables, views and the like, and keizer reads {most:,} at"
        " most.",
        number=number,
        most=most,
    )


@cache
def _tables() -> dict[str, str]:
    """Return the definitions that keizer gives its tables, by name."""
    tables = {}
    for statement in definitions.statements(sql.schema_script()):
        match = re.search("^CREATE TABLE .*(?=;)", statement, re.DOTALL | re.MULTILINE)
        if match:
            table = match[0]
            tables[definitions.defined_name(table)] = table
    return tables


def _reasons(name: str, kind: str, text: str) -> Iterator[Message]:
    """Yield why a definition is not to be run; nothing if it can be."""
    own = _tables().get(name.lower())
    if text == own:
        return
    if not definitions.is_written_by_sqlite(name, text):
        yield BY_HAND
        return
    if own and not text.startswith("CREATE TABLE "):
        yield say(
            "the {kind} {name} is not as keizer made it.", kind=term(kind), name=name
        )
        return
    for expression in _evaluated(text, own):
        function = definitions.slow_call(expression)
        if function:
            yield say(
                "the {kind} {name} calls {function}, which may take any time.",
                kind=term(kind),
                name=name,
                function=function,
            )


def _evaluated(text: str, own: str | None) -> Iterator[str]:
    """Yield the expressions that SQLite may evaluate when it reads or fills a table.

    own: the definition that keizer gives this table, if it is one of its own. No
    command fills a row of another table, so that only its computed columns matter.
    """
    if text.startswith(("CREATE INDEX ", "CREATE UNIQUE INDEX ")):
        yield definitions.index_expression(text)
    elif not text.startswith("CREATE TABLE "):
        return
    elif own or definitions.is_odd(text):
        known = definitions.table_expressions(own or "")
        for expression in definitions.table_expressions(text):
            if expression not in known:
                yield expression
    else:
        for column in definitions.computed_columns(text):
            yield from definitions.expressions(column)
