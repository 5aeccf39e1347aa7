"""The English sentence of a row, made from its template and its columns."""

import sqlite3
from typing import Any

from keizer import messages
from keizer.season import views


def sentence(
    row: sqlite3.Row | dict[str, Any], template: str = "message"
) -> str | None:
    """Return the sentence as Python fills it; None if the template is.

    Raises:
        KeyError: The template has a place without a column.
    """
    if row[template] is None:
        return None
    message = views.row_message(dict(row), template=template)
    return messages.ENGLISH.said(message)
