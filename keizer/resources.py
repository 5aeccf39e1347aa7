"""Data that stands in a file in the same folder as a module."""

import os.path
from functools import cache
from typing import Any


@cache
def table(module: str, name: str) -> dict[str, Any]:
    """Return what a TOML file has, which is read only once.

    module: the `__file__` of a module in the same folder. name: the name of the file.
    """
    # Imported late: commands that need no TOML start faster.
    import tomllib

    return tomllib.loads(_text(module, name))


@cache
def queries(module: str) -> dict[str, str]:
    """Return the SQL statements of a file queries.sql by name; it is read only once.

    The file has an empty line and then a line `-- NAME: what it is` before each
    statement.

    module: the `__file__` of a module in the same folder.
    """
    statements = {}
    # The first part has no statement: it is what stands before the first such line.
    for part in _text(module, "queries.sql").split("\n\n-- ")[1:]:
        heading, _, statement = part.partition("\n")
        name, _, _ = heading.partition(":")
        statements[name] = statement
    return statements


def _text(module: str, name: str) -> str:
    """Return the text of a file in the folder of a module (its `__file__`)."""
    # Without pathlib, whose import would make every command slower.
    path = os.path.join(os.path.dirname(module), name)
    with open(path, encoding="utf-8") as file:
        return file.read()
