"""What a view tells beside a sentence: its template in English, filled with columns of the row."""

import sqlite3
from typing import Any

from keizer import messages
from keizer.season import views


def told(row: sqlite3.Row | dict[str, Any], template: str = "message") -> str | None:
    """The sentence, filled in Python. Raises KeyError for a place that no column has."""
    if row[template] is None:
        return None
    return messages.ENGLISH.said(views.said(dict(row), template=template))
