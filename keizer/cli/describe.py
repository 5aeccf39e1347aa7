"""What the file says of itself: describe."""

import re
from pathlib import Path
from typing import Annotated

from keizer import KeizerError, texts
from keizer.cli import options, output
from keizer.cli.options import Database, Style, argument, flag
from keizer.store import database as files
from keizer.store import describe


@options.command
def describe_(
    database: Database,
    name: Annotated[str | None, argument(required=False)],
    datasette: Annotated[bool, flag("Metadata for Datasette, as JSON.")],
    style: Style,
) -> None:
    """Explain the tables, views and columns of the file.

    Without NAME it says what a row of each is; with NAME, what each column means. These
    explanations are in the file itself, for any program that reads it.

    Examples:
        keizer describe club.db
        keizer describe club.db standings
        keizer describe club.db --datasette > metadata.json
    """
    if datasette and (name or style):
        raise KeizerError("--datasette describes the whole file: leave the rest out.")
    with files.reading(database) as conn:
        if datasette:
            found = describe.datasette(conn, Path(database).stem)
            output.document(f"{texts.json(found, indent=1)}\n")
        elif name:
            _one(describe.find(conn, name), style)
        else:
            _all(
                [item for item in describe.described(conn) if not item.is_private],
                style,
            )


def _one(item: describe.Described, style: str | None) -> None:
    found = [
        {"column": column, "about": about} for column, about in item.columns.items()
    ]
    if output.emit(found, ("column", "about"), style):
        return
    output.heading(f"{item.kind.capitalize()} {item.name}")
    output.wrapped([("", "", item.about)])
    output.say("")
    output.wrapped([(column, "", about) for column, about in item.columns.items()])


def _all(found: list[describe.Described], style: str | None) -> None:
    if output.emit(
        [item._asdict() for item in found], ("name", "kind", "about"), style
    ):
        return
    for kind in ("table", "view"):
        output.heading(f"{kind.capitalize()}s")
        output.wrapped(
            [
                (item.name, "", re.split(r"(?<=[^.]\.) (?=[A-Z])", item.about)[0])
                for item in found
                if item.kind == kind
            ]
        )
