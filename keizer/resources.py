"""Data that stands in a file beside a module."""

import os.path
from functools import cache
from typing import Any


@cache
def table(module: str, name: str) -> dict[str, Any]:
    """Read a TOML file, once. module: the `__file__` of a module in the same folder."""
    import tomllib  # most commands need no TOML, and start faster without it

    return tomllib.loads(_text(module, name))


@cache
def queries(module: str) -> dict[str, str]:
    """Read the statements of queries.sql by name, once.

    Each stands below a line `-- NAME: what it is`. module: as in `table`.
    """
    statements = {}
    for part in _text(module, "queries.sql").split("\n\n-- ")[1:]:
        heading, _, statement = part.partition("\n")
        name, _, _ = heading.partition(":")
        statements[name] = statement
    return statements


def _text(module: str, name: str) -> str:
    path = os.path.join(os.path.dirname(module), name)
    with open(path, encoding="utf-8") as file:
        return file.read()
