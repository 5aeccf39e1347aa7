"""Arguments and options that commands share, and what a shell offers for them."""

from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from keizer.formats import limits

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., Any]


def offers(what: str) -> Callable[[click.Context, click.Parameter, str], list["CompletionItem"]]:
    """The `shell_complete` of that name in `completion`, which is read when Tab is pressed."""

    def complete(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["CompletionItem"]:
        from keizer.cli import completion

        found: list[CompletionItem] = getattr(completion, what)(ctx, param, incomplete)
        return found

    return complete


database = click.argument("database", metavar="DB", type=click.Path(readable=False))

tournament = click.option(
    "-t",
    "--tournament",
    metavar="NAME",
    help="Which tournament, where the file has several.",
    shell_complete=offers("tournaments"),
)

board = click.argument("board", required=False, shell_complete=offers("boards"))

result = click.argument("result", required=False, shell_complete=offers("results"))


class Typed(click.File):
    """A file of what a person types or lists, or - for standard input; read at once."""

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> Any:
        """Its text."""
        text = BytesIO(limits.read(value, limits.TYPED))
        return TextIOWrapper(text, encoding="utf-8-sig")


def member(
    parameter: str = "name", *, metavar: str | None = None, required: bool = True
) -> Callable[[Command], Command]:
    """An argument that names one member."""
    return click.argument(
        parameter, metavar=metavar, required=required, shell_complete=offers("members")
    )


def members(*, required: bool = True) -> Callable[[Command], Command]:
    """`NAME...`, any number of members, given to the command as `players`."""
    return click.argument(
        "players",
        metavar="NAME..." if required else "[NAME]...",
        nargs=-1,
        required=required,
        shell_complete=offers("members"),
    )


def kind(text: str) -> Callable[[Command], Command]:
    """`--kind KIND` of unplayed rounds, excused by default."""
    return click.option("--kind", default="excused", help=text, shell_complete=offers("kinds"))


def round_number(text: str) -> Callable[[Command], Command]:
    """`--round R`, with what it means when left out."""
    return click.option(
        "-r",
        "--round",
        "number",
        type=click.IntRange(0, 999),
        metavar="R",
        help=text,
        shell_complete=offers("rounds"),
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
        if int(ends[0]) > int(ends[1]):
            raise click.BadParameter(f"“{part}” goes backwards.")
        found += range(int(ends[0]), int(ends[1]) + 1)
    return sorted(set(found))


rounds = click.option(
    "-r",
    "--round",
    "rounds",
    type=_Rounds(),
    metavar="R",
    help="The round, or several: 5-8,11; the coming one by default.",
    shell_complete=offers("rounds"),
)


def formats(command: Command) -> Command:
    """`--json` and `--csv`, given to the command as `style`."""
    command = click.option(
        "--csv", "style", flag_value="csv", help="Comma-separated, with a header line."
    )(command)
    return click.option(
        "--json", "style", flag_value="json", help="A JSON list with an object a row."
    )(command)
