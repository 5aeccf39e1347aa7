"""The club's page: site."""

from functools import partial
from typing import Annotated, Any

import click

from keizer.acts import file as acts
from keizer.cli import options, output, session
from keizer.cli.options import argument, flag
from keizer.errors import need


@partial(session.command, of=acts.decide_page, help=acts.publish_page.__doc__)
def site(  # noqa: D103  # the help is the act's
    season: session.Season,
    folder: Annotated[str | None, argument(metavar="[DIR]", required=False, type=click.Path())],
    force: Annotated[bool, flag("Replace the site of another tournament.")],
    **decisions: Any,
) -> None:
    need(
        "the page needs Jinja2 and polib: `{python} -m pip install jinja2 polib`, then again.",
        "jinja2", "polib",
    )  # fmt: skip
    with season.reading() as tournament:
        session.titled(tournament, "")  # warns where standings may be behind the results
    done = season.do(acts.publish_page, folder, force=force, **options.given(decisions))
    index = done.folder / "index.html"
    output.done(f"{output.text(done.said)}: open {index}.")
