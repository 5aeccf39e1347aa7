"""The club's page: site."""

import sys
from importlib.util import find_spec
from typing import Annotated, Any

import click

from keizer import KeizerError
from keizer.acts import file as acts
from keizer.cli import options, output, session
from keizer.cli.options import argument, flag


def _site(season: session.Season, folder: str | None, *, force: bool, **decisions: Any) -> None:
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


_site.__doc__ = acts.publish_page.__doc__
_site.__annotations__ = {
    "folder": Annotated[str | None, argument(metavar="[DIR]", required=False, type=click.Path())],
    **options.of_act(acts.decide_page, folder=None),
    "force": Annotated[bool, flag("Replace the site of another tournament.")],
}
site = session.command(_site, name="site")
