"""Arguments and options that commands share, and what a shell offers for them."""

from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from keizer.formats import limits

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., Any]
Option = Callable[[Command], Command]
"""What adds an option or an argument to a command."""


class Word(click.ParamType[Any]):
    """What is typed, and which function of `completion` says what Tab offers for it."""

    def __init__(self, offers: str, name: str = "text") -> None:
        self.offers = offers
        self.name = name

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list["CompletionItem"]:
        """Read only when Tab is pressed."""
        from keizer.cli import completion

        return completion.offered(getattr(completion, self.offers), ctx, incomplete)


MEMBER = Word("member", "name")
KIND = Word("kind")
PRESET = Word("preset", "preset")
SETTING = Word("setting", "key=value")

database = click.argument("database", metavar="DB", type=click.Path(readable=False))

tournament = click.option(
    "-t",
    "--tournament",
    type=Word("tournament", "name"),
    help="Which tournament, where the file has several.",
)

board = click.argument("board", required=False, type=Word("board"))

result = click.argument("result", required=False, type=Word("result"))


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


def member(parameter: str = "name", *, metavar: str | None = None, required: bool = True) -> Option:
    """An argument that names one member."""
    return click.argument(parameter, metavar=metavar, required=required, type=MEMBER)


def members(*, required: bool = True) -> Option:
    """`NAME...`, any number of members, given to the command as `players`."""
    metavar = "NAME..." if required else "[NAME]..."
    return click.argument("players", metavar=metavar, nargs=-1, required=required, type=MEMBER)


def kind(text: str) -> Option:
    """`--kind` of unplayed rounds, excused by default."""
    return click.option("--kind", default="excused", help=text, type=KIND)


class _Rounds(Word):
    """One round or several: 5, 5-8, 5,7-9."""

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> list[int]:
        return numbers(value, "a round", range(1, 1000))


def numbers(text: str, what: str, known: range) -> list[int]:
    """The numbers in `5`, `5-8` or `5,7-9`; what: of what, for the message."""
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        ends = [first, last] if dash else [first, first]
        if not all(it.isascii() and it.isdecimal() and int(it) in known for it in ends):
            raise click.BadParameter(
                f"“{text}” is not {what} from {known[0]} to {known[-1]}, nor several as in 5-8,11."
            )
        if int(ends[0]) > int(ends[1]):
            raise click.BadParameter(f"“{part}” goes backwards.")
        found.update(range(int(ends[0]), int(ends[1]) + 1))
    return sorted(found)


_ROUNDS = _Rounds("round_number")

rounds = click.option(
    "-r",
    "--round",
    "rounds",
    type=_ROUNDS,
    metavar="R",
    help="The round, or several: 5-8,11; the coming one by default.",
)


def round_number(text: str, *names: str) -> Option:
    """`--round R`, given as `number`, or another option that takes a round."""
    return click.option(
        *(names or ("-r", "--round", "number")),
        type=click.IntRange(0, 999),
        metavar="R",
        help=text,
        shell_complete=_ROUNDS.shell_complete,
    )


def style(name: str, text: str) -> Option:
    """An option that says what is printed or written, given to the command as `style`."""
    return click.option(f"--{name}", "style", flag_value=name, help=text)


csv = style("csv", "Comma-separated, with a header line.")
json = style("json", "A JSON list with an object a row.")


def formats(command: Command) -> Command:
    """`--json` and `--csv`."""
    return json(csv(command))
