"""The `keizer` command: arguments in, sentences out; no SQL and no rules here.

A family of commands is a module, whose docstring says what it is about.
"""

import sys
from importlib import import_module
from typing import Any

import click

from keizer import KeizerError, __version__
from keizer.season.names import visible
from keizer.store.database import ForeignError

FAMILIES = {
    "roster": ("init", "add", "withdraw"),
    "presence": ("present", "absent"),
    "rounds": ("next-round", "unpair", "swap", "seat", "publish-round", "rounds"),
    "results": ("result",),
    "standings": ("pairings", "standings", "explain"),
    "reports": (
        "crosstable",
        "card",
        "progress",
        "head-to-head",
        "performance",
        "statistics",
        "categories",
    ),
    "site": ("site",),
    "rules": ("rules", "correct", "period", "apart"),
    "ratings": ("ratings",),
    "describe": ("describe",),
    "exchange": ("import", "export"),
    "upkeep": ("check", "undo", "log", "backup", "restore", "migrate"),
    "archive": ("archive",),
    "welcome": ("demo", "completion"),
}
"""Which module has which commands: only the one that is asked for is read."""


class _Families(click.Group):
    """Commands by family; errors are one sentence and exit code 1, never a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [name for names in FAMILIES.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        for family, names in FAMILIES.items():
            if cmd_name in names:
                module = import_module(f"keizer.cli.{family}")
                commands: dict[str, click.Command] = {it.name: it for it in module.COMMANDS}
                return commands[cmd_name]
        return None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ForeignError as error:
            from keizer.formats import recognise

            raise click.ClickException(
                visible(recognise.foreign(error.path) or str(error))
            ) from error
        except KeizerError as error:
            raise click.ClickException(visible(str(error))) from error
        except UnicodeDecodeError as error:
            raise click.ClickException("what was read is not UTF-8 text: save it so.") from error
        except UnicodeEncodeError as error:  # bytes of another encoding on the command line
            raise click.ClickException("what was typed is not UTF-8 text: type it so.") from error

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # a full disk; where nobody reads any more click is silent
            sys.stdout = None  # or it is tried once more
            what = error.filename or "the output cannot be written"
            click.echo(f"Error: {what}: {error.strerror or error}.", err=True)
            sys.exit(1)


@click.group(cls=_Families, context_settings={"help_option_names": ["-h", "--help"]})
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
