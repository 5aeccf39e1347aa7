"""The `keizer` command: arguments in, sentences out; no SQL and no rules here.

A family of commands is a module: roster (who plays), evening (the club
night), tables (what is read), regulations (the rules), upkeep (check, undo).
"""

from typing import Any

import click

from keizer import KeizerError, __version__
from keizer.cli import evening, regulations, roster, tables, upkeep


class _Sentences(click.Group):
    """A group whose errors are one sentence and exit code 1, never a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeizerError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=_Sentences, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="keizer")
def main() -> None:
    """Run a chess club's season on the Keizer system, in one SQLite file.

    \b
    A season begins:        keizer init club.db --name "Club 2026"
                            keizer import club.db members.csv
    A club night:           keizer absent club.db Baker "J. Smith"
                            keizer next-round club.db
                            keizer result club.db 1 1-0
                            keizer standings club.db
    """


for module in (roster, evening, tables, regulations, upkeep):
    for command in module.COMMANDS:
        main.add_command(command)
