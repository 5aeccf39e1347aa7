"""Arguments and options that commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]

database = click.argument("database", metavar="DB", type=click.Path(path_type=Path))

tournament = click.option(
    "-t", "--tournament", metavar="NAME", help="Which tournament, where the file has several."
)


def round_number(text: str) -> Callable[[Command], Command]:
    """`--round R`, with what it means when left out."""
    return click.option(
        "-r", "--round", "number", type=click.IntRange(0, 999), metavar="R", help=text
    )


def formats(command: Command) -> Command:
    """`--json` and `--csv`, given to the command as `style`."""
    command = click.option(
        "--csv", "style", flag_value="csv", help="Comma-separated, with a header line."
    )(command)
    return click.option(
        "--json", "style", flag_value="json", help="A JSON list with an object a row."
    )(command)
