"""The club's page: site."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from keizer import KeizerError
from keizer.cli import output, session
from keizer.cli.files import PATH
from keizer.cli.options import argument, flag, option
from keizer.season import names
from keizer.texts import counted

_USUAL = {"title": "none", "colour": "none", "columns": "all"}
"""What is typed to have it as usual."""


@session.command
def site(
    season: session.Season,
    folder: Annotated[Path | None, argument(metavar="[DIR]", required=False, type=PATH)],
    language: Annotated[
        str | None,
        option("English, Dutch, German or French.", "--lang", choices=("en", "nl", "de", "fr")),
    ],
    title: Annotated[str | None, option("What stands above it, for the tournament's name.")],
    colour: Annotated[
        str | None, option("The colour of bands and marks, such as #7a1f1f.", metavar="#RRGGBB")
    ],
    columns: Annotated[
        str | None,
        option("Columns of the standings, such as value,points; or all.", metavar="NAMES"),
    ],
    force: Annotated[bool, flag("Replace the site of another tournament.")],
) -> None:
    """Write the club's page: pairings, standings, players, charts.

    Files for any web host or a USB stick; other files in DIR are left alone. A draft is not
    shown. DIR, language, title, colour and columns are kept in the file: after the first
    time `keizer site DB` is enough. The word none takes a title or a colour away.

    \b
    Example: keizer site club.db site
             keizer site club.db
             keizer site club.db --lang nl --columns value,points,played
    """
    if find_spec("jinja2") is None or find_spec("polib") is None:
        python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
        raise KeizerError(
            f"the page needs Jinja2 and polib: `{python} -m pip install jinja2 polib`, then again."
        )
    from keizer.site import build, data, decided, messages

    file = Path(season.path)
    typed = {
        "folder": folder and decided.seen_from(file, folder),
        "language": language,
        "title": title and names.tidy(title),
        "colour": colour and colour.strip(),
        "columns": columns and columns.replace(" ", ""),
    }
    with season.reading() as (conn, chosen):
        session.titled(conn, chosen, "")  # warns where standings may be behind the results
        page = decided.page(conn, chosen)
        changes = {
            column: None if value == _USUAL.get(column) else value
            for column, value in typed.items()
            if value
        }
        changes = {
            column: value for column, value in changes.items() if value != getattr(page, column)
        }
        page = page.changed(changes)
        there = page.there(file) if folder is None else folder
        found = data.Season(conn, chosen, page).load()
        keeps = bool(changes)
    if keeps:
        with season.trying() as (copy, chosen):  # what is refused makes no page
            decided.decide(copy, chosen, changes)
    pages = build.build(found, messages.of_language(page.language), there, force=force)
    if keeps:
        with season.writing(finished=True) as (conn, chosen):
            decided.decide(conn, chosen, changes)
    output.done(f"{counted(pages, 'page')} in {there}: open {there / 'index.html'}.")
