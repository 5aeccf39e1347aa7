"""The club's page, and what goes to a chat: site, share."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from keizer.cli import options, output, session
from keizer.cli.options import argument, flag, option, round_number
from keizer.errors import require_packages
from keizer.formats import views
from keizer.messages import say
from keizer.web import acts

_LACKS = say(
    "the page needs Jinja2 and polib: `{python} -m pip install jinja2 polib`, then again."
).template
_WHAT = click.Choice(("pairing", "results", "standings"))


@partial(session.command, act=acts.decide_page, help=acts.publish_page.__doc__)
def site(  # noqa: D103  # the help is the act's
    season: session.CommandSession,
    folder: Annotated[
        str | None, argument(metavar="[DIR]", required=False, type=click.Path())
    ],
    force: Annotated[bool, flag("Replace the site of another tournament.")],
    **decisions: Any,
) -> None:
    require_packages(_LACKS, "jinja2", "polib")
    with season.reading() as tournament:
        # Warns where standings may be behind the results.
        session.warn_if_stale(tournament)
    done = season.do(
        acts.publish_page, folder, force=force, **options.typed_values(decisions)
    )
    index = done.folder / "index.html"
    output.announce_unlogged(f"{output.translated(done.said)}: open {index}.")


@session.command
def share(
    season: session.CommandSession,
    what: Annotated[str | None, argument(required=False, type=_WHAT)],
    number: Annotated[
        int | None, round_number("Of this round; the latest one by default.")
    ],
    lang: Annotated[
        str | None, option("The code of a language, such as nl.", metavar="CODE")
    ],
    picture: Annotated[
        str | None, option("Write a picture (SVG) instead.", metavar="FILE")
    ],
    force: Annotated[bool, flag("Replace a file that is there.")],
    code: Annotated[bool, flag("Add a QR code with the address of the club's page.")],
) -> None:
    """Print pairing or results for a chat or mail, or as a picture.

    That is the pairing while boards are open, then the results and the top of the
    standings. A draft is not shown. The text ends with the day of the next round and
    the address of the club's page, where they are known, and is in the language of that
    page.

    Examples:
        keizer share club.db
        keizer share club.db standings --round 1 --lang nl
        keizer share club.db --picture round.svg
    """
    require_packages(_LACKS, "jinja2", "polib")
    from keizer.web.site import data, messages, pages

    with season.reading() as tournament:
        session.warn_if_stale(tournament)
        of = data.PublishedSeason(tournament)
        club = of.page.language
        said = messages.Messages(lang or (output.language() if club == "en" else club))
        found = pages.Pages(of, said).shared(what, number)
    if picture:
        views.write(Path(picture), found["picture"], like=season.path, force=force)
        output.announce_unlogged(say("{file} has been written.", file=picture))
        return
    output.document(found["text"])
    if code:
        output.document(pages.typed_code(of.page.address))
