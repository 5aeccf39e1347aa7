"""The command describe: it prints the explanations that are in the file itself."""

import re
from pathlib import Path
from typing import Annotated

from keizer import KeizerError, texts
from keizer.cli import options, output
from keizer.cli.options import Database, Style, argument, flag
from keizer.store import database as files
from keizer.store import describe

_BETWEEN_SENTENCES = re.compile(r"(?<=[^.]\.) (?=[A-Z])")
"""The space between two sentences; three dots do not end a sentence."""


@options.command
def describe_(
    database: Database,
    name: Annotated[str | None, argument(required=False)],
    datasette: Annotated[bool, flag("Metadata for Datasette, as JSON.")],
    style: Style,
) -> None:
    """Explain the tables, views and columns of the file.

    Without NAME it describes each table and view in one line; with NAME it explains
    each column. These explanations are in the file itself, for any program that reads
    it.

    Examples:
        keizer describe club.db
        keizer describe club.db standings
        keizer describe club.db --datasette > metadata.json
    """
    if datasette and (name or style):
        raise KeizerError("--datasette describes the whole file: leave the rest out.")
    with files.reading(database) as conn:
        if datasette:
            metadata = describe.datasette_metadata(conn, Path(database).stem)
            output.document(f"{texts.json(metadata, indent=1)}\n")
        elif name:
            _show_item(describe.find(conn, name), style)
        else:
            items = describe.descriptions(conn)
            public = [item for item in items if not item.is_private]
            _show_items(public, style)


def _show_item(item: describe.Description, style: str | None) -> None:
    """Print the description of a table or view, and of each of its columns.

    style: "json" or "csv" to print only the columns, for a program; otherwise None.
    """
    columns = item.columns.items()
    rows = [{"column": column, "about": about} for column, about in columns]
    if style is not None:
        output.print_for_program(rows, ("column", "about"), style)
        return
    output.heading(f"{item.kind.capitalize()} {item.name}")
    output.wrapped([output.Entry(topic="", text=item.about)])
    output.print_lines("")
    output.wrapped([output.Entry(column, about) for column, about in columns])


def _show_items(items: list[describe.Description], style: str | None) -> None:
    """Print the tables and the views, each with the first sentence about it.

    style: "json" or "csv" to print the whole descriptions, for a program; otherwise
        None.
    """
    rows = [item._asdict() for item in items]
    if style is not None:
        output.print_for_program(rows, ("name", "kind", "about"), style)
        return
    for kind in ("table", "view"):
        output.heading(f"{kind.capitalize()}s")
        entries = []
        for item in items:
            if item.kind == kind:
                # The first sentence says what a row is.
                sentence, *_ = _BETWEEN_SENTENCES.split(item.about)
                entries.append(output.Entry(item.name, sentence))
        output.wrapped(entries)
