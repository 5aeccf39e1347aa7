"""The club's page: site."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.cli import output, session
from keizer.cli.files import PATH
from keizer.cli.options import argument, flag, option


@session.command
def site(
    season: session.Season,
    folder: Annotated[Path, argument(metavar="DIR", type=PATH)],
    language: Annotated[
        str,
        option(
            "English, Dutch, German or French.",
            "--lang",
            type=click.Choice(("en", "nl", "de", "fr")),
            default="en",
        ),
    ],
    translation: Annotated[
        Path | None,
        option(
            "A translation of your own: keizer/site/messages/nl.po shows how.",
            "--messages",
            metavar="FILE.po",
            type=PATH,
        ),
    ],
    force: Annotated[bool, flag("Replace the site of another tournament.")],
) -> None:
    """Write the club's page: pairings, standings, players, charts.

    Files that any web host or a USB stick can hold, made anew by the same command
    after each round. Other files in DIR are left alone. A round whose pairing is a
    draft is not shown.

    \b
    Example: keizer site club.db site
             keizer site club.db site --lang nl
    """
    if find_spec("jinja2") is None or find_spec("polib") is None:
        python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
        raise KeizerError(
            f"the page needs Jinja2 and polib: `{python} -m pip install jinja2 polib`, then again."
        )
    from keizer.site import build, data, messages

    said = messages.of_file(translation) if translation else messages.of_language(language)
    with season.reading() as (conn, chosen):
        session.titled(conn, chosen, "")  # warns where standings may be behind the results
        pages = build.build(data.read(conn, chosen), said, folder, force=force)
    output.done(f"{pages} pages in {folder}: open {folder / 'index.html'}.")
