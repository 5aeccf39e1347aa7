"""Arguments and options that commands share."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import click

from keizer import KeizerError
from keizer.formats import limits
from keizer.season import names

Command = Callable[..., Any]
Option = Callable[[str], Callable[[Command], Command]]
"""What makes the option or argument of a parameter, whose name it gets."""


def declared(run: Command) -> dict[str, Any]:
    """The parameters of a function that are annotated with what they are to click."""
    return {
        name: annotation
        for name, annotation in run.__annotations__.items()
        if hasattr(annotation, "__metadata__")
    }


def command(
    run: Command, *, cls: type[click.Command] = click.Command, **settings: Any
) -> click.Command:
    """Make a command of a function, and options and arguments of its parameters, in order."""
    for parameter, hint in reversed(declared(run).items()):
        for make in reversed(hint.__metadata__):
            run = make(parameter)(run)
    return click.command(run.__name__.strip("_").replace("_", "-"), cls, **settings)(run)


def option(text: str, *names: str, choices: Sequence[str] = (), **settings: Any) -> Option:
    """An option with that help, called as its parameter if no other name is given."""
    if choices:
        settings["type"] = click.Choice(choices)

    def make(parameter: str) -> Callable[[Command], Command]:
        called = names or (f"--{parameter.replace('_', '-')}",)
        return click.option(*called, parameter, help=text, **settings)

    return make


def flag(text: str, *names: str) -> Option:
    """An option that is there or not."""
    return option(text, *names, is_flag=True)


def choice(value: str, text: str) -> Option:
    """`--VALUE`, one of several options that give a parameter its value."""
    return option(text, f"--{value}", flag_value=value)


def count(text: str, *names: str, most: int | None = None, **settings: Any) -> Option:
    """An option that says how many, from 1."""
    return option(text, *names, metavar="N", type=click.IntRange(1, most), **settings)


def argument(**settings: Any) -> Option:
    """What is typed at its place."""
    return lambda parameter: click.argument(parameter, **settings)


Database = Annotated[str, argument(metavar="DB", type=click.Path(readable=False))]
Tournament = Annotated[
    str | None,
    option("The tournament, where there are several.", "-t", "--tournament", metavar="NAME"),
]
Board = Annotated[str | None, argument(required=False)]
Result = Annotated[str | None, argument(required=False)]
Member = Annotated[str, argument()]
Members = Annotated[tuple[str, ...], argument(metavar="NAME...", nargs=-1, required=True)]
AnyMember = Annotated[str | None, argument(required=False)]
AnyMembers = Annotated[tuple[str, ...], argument(metavar="[NAME]...", nargs=-1)]
csv = choice("csv", "CSV: comma-separated, with a header line.")
json = choice("json", "JSON: a list with an object for each row.")
Style = Annotated[str | None, json, csv]


class Typed(click.File):
    """A file of what a person types or lists, or - for standard input; read at once."""

    name = "file"

    def convert(self, value: Any, *_: Any, **__: Any) -> Any:
        """Its lines."""
        return limits.read(value, limits.TYPED).decode("utf-8-sig").splitlines()


class _Round(click.IntRange):
    """One round: 5, #5, r5."""

    name = "R"

    def convert(self, value: Any, *context: Any) -> Any:
        plain: Any = names.round_number(str(value))
        return super().convert(plain, *context)


class _Rounds(click.ParamType):  # type: ignore[type-arg]  # a generic from click 8.4 on
    """One round or several: 5, 5-8, 5,7-9."""

    name = "R"

    def convert(self, value: Any, *_: Any, **__: Any) -> list[int]:
        return numbers(value, "a round", range(1, 1000))


def numbers(text: str, what: str, known: range) -> list[int]:
    """The numbers in `5`, `5-8` or `5,7-9`; what: of what, for the message."""
    try:
        return names.numbers(text, what, known)
    except KeizerError as error:
        raise click.BadParameter(str(error)) from error


_ROUND = ("-r", "--round")
Rounds = Annotated[
    list[int] | None,
    option("The round, or several (5-8,11); the coming one by default.", *_ROUND, type=_Rounds()),
]


def round_number(text: str, *names: str, first: int = 0) -> Option:
    """`--round R`, or another option that takes a round."""
    return option(text, *(names or _ROUND), type=_Round(first, 999))
