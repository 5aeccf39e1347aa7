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


class _Rounds(click.ParamType[list[int]]):
    """One round or several: 5, 5-8, 5,7-9."""

    name = "rounds"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> list[int]:
        return numbers(value, "a round", range(1, 1000))


def numbers(text: str, what: str, known: range) -> list[int]:
    """The numbers in `5`, `5-8` or `5,7-9`; what: of what, for the message."""
    found: list[int] = []
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        ends = [first, last] if dash else [first, first]
        if not all(it.isascii() and it.isdecimal() and int(it) in known for it in ends):
            raise click.BadParameter(
                f"“{text}” is not {what} from {known[0]} to {known[-1]}, nor several as in 5-8,11."
            )
        found += range(int(ends[0]), int(ends[1]) + 1)
    return sorted(set(found))


rounds = click.option(
    "-r",
    "--round",
    "rounds",
    type=_Rounds(),
    metavar="R",
    help="The round, or several: 5-8,11; the coming one by default.",
)


def formats(command: Command) -> Command:
    """`--json` and `--csv`, given to the command as `style`."""
    command = click.option(
        "--csv", "style", flag_value="csv", help="Comma-separated, with a header line."
    )(command)
    return click.option(
        "--json", "style", flag_value="json", help="A JSON list with an object a row."
    )(command)
