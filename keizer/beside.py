"""Data that stands in a file beside a module."""

from functools import cache
from typing import Any


@cache
def table(module: str, name: str) -> dict[str, Any]:
    """What a TOML file has, read once. module: the __file__ of the one in whose folder it is."""
    import tomllib  # with pathlib: what a command of the club night starts without
    from pathlib import Path

    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
