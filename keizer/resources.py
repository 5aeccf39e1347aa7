"""Data that stands in a file beside a module."""

import os.path
from functools import cache
from typing import Any


@cache
def table(module: str, name: str) -> dict[str, Any]:
    """What a TOML file has, read once. module: the __file__ of the one in whose folder it is."""
    import tomllib  # a command of the club night starts without

    return tomllib.loads(_text(module, name))


@cache
def queries(module: str) -> dict[str, str]:
    """The statements of queries.sql by name, read once: each stands below `-- NAME: what it is`."""
    parts = [
        part.partition(":")
        for part in _text(module, "queries.sql").split("\n\n-- ")[1:]
    ]
    return {name: about.partition("\n")[2] for name, _, about in parts}


def _text(module: str, name: str) -> str:
    with open(os.path.join(os.path.dirname(module), name), encoding="utf-8") as file:
        return file.read()
