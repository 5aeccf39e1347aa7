"""The club's page: site."""

import sys
from functools import partial
from importlib.util import find_spec
from typing import Annotated, Any

import click

from keizer import KeizerError
from keizer.acts import file as acts
from keizer.cli import options, output, session
from keizer.cli.options import argument, flag


@partial(session.command, of=acts.decide_page, help=acts.publish_page.__doc__)
def site(  # noqa: D103  # the help is the act's
    season: session.Season,
    folder: Annotated[str | None, argument(metavar="[DIR]", required=False, type=click.Path())],
    force: Annotated[bool, flag("Replace the site of another tournament.")],
    **decisions: Any,
) -> None:
    if find_spec("jinja2") is None or find_spec("polib") is None:
        python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
        raise KeizerError(
            "the page needs Jinja2 and polib: `{python} -m pip install jinja2 polib`, then again.",
            python=python,
        )
    with season.reading() as tournament:
        session.titled(tournament, "")  # warns where standings may be behind the results
    done = season.do(acts.publish_page, folder, force=force, **options.given(decisions))
    index = done.folder / "index.html"
    output.done(f"{output.text(done.said)}: open {index}.")
