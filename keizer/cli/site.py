"""The club's page: site."""

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from keizer import KeizerError
from keizer.cli import output, session


@session.command(
    click.argument("folder", metavar="DIR", type=click.Path(path_type=Path)),
    click.option(
        "--lang",
        "language",
        type=click.Choice(("en", "nl", "de", "fr")),
        default="en",
        help="English, Dutch, German or French.",
    ),
    click.option(
        "--messages",
        "translation",
        metavar="FILE.po",
        type=click.Path(path_type=Path),
        help="A translation of your own: keizer/site/messages/nl.po shows how.",
    ),
    click.option("--force", is_flag=True, help="Replace the site of another tournament."),
)
def site(
    season: session.Season, folder: Path, language: str, translation: Path | None, force: bool
) -> None:
    """Write the club's page: pairings, standings, players, charts, to print too.

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
        session.titled(conn, chosen, "")  # warns where tables may be behind the results
        pages = build.build(data.read(conn, chosen), said, folder, force=force)
    output.done(f"{pages} pages in {folder}: open {folder / 'index.html'}.")


COMMANDS = (site,)
