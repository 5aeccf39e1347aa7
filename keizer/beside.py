"""Data that stands in a file beside a module."""

import os.path
from functools import cache
from typing import Any


@cache
def table(module: str, name: str) -> dict[str, Any]:
    """What a TOML file has, read once. module: the __file__ of the one in whose folder it is."""
    import tomllib  # with pathlib: what a command of the club night starts without
    from pathlib import Path

    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


@cache
def queries(module: str) -> dict[str, str]:
    """The statements of queries.sql by name, read once: each stands below `-- NAME: what it is`."""
    with open(os.path.join(os.path.dirname(module), "queries.sql"), encoding="utf-8") as file:
        parts = (part.partition(":") for part in file.read().split("\n\n-- ")[1:])
    return {name: about.partition("\n")[2] for name, _, about in parts}
