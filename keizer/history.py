"""What the log of a file says: table log, in the words of the club."""

import re
from typing import Any

Cells = dict[str, Any]
"""The columns of a row and their values, NULLs left out."""

_CELL = re.compile(r"(\w+)=('(?:[^']|'')*'|[^,']+)(?:, |$)")


def cells(state: str | None) -> Cells | None:
    """A state of table log as columns and values; None for a row that is gone."""
    if state is None:
        return None
    return {column: _value(literal) for column, literal in _CELL.findall(state)}


def _value(literal: str) -> str | int | float:
    if literal.startswith("'"):
        return literal[1:-1].replace("''", "'")
    try:
        return int(literal)
    except ValueError:
        return float(literal)
