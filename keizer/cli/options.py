"""Arguments and options: those of an act are its parameters, others are declared here."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import click

from keizer import KeizerError
from keizer.acts import declare
from keizer.acts.declare import Parameter, Reader
from keizer.cli import output
from keizer.formats import limits

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


class Exemplified(click.Command):
    """A command whose help ends with examples."""

    def __init__(
        self, *args: Any, examples: Sequence[str] = (), **settings: Any
    ) -> None:
        """examples: command lines, as they are typed."""
        super().__init__(*args, **settings)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples, each on a line of its own."""
        if not self.examples:
            return
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"  {line}\n")


def command(
    run: Command,
    *,
    cls: type[Exemplified] = Exemplified,
    name: str = "",
    **settings: Any,
) -> Exemplified:
    """Make a command of a function, and options and arguments of its parameters, in order.

    Its help, and the examples at the end of that, are the docstring of the function.
    """
    for parameter, hint in reversed(declared(run).items()):
        for make in reversed(hint.__metadata__):
            run = make(parameter)(run)
    called = name or run.__name__.strip("_").replace("_", "-")
    told = declare.documentation(settings.pop("help", None) or run.__doc__)
    return click.command(
        called, cls, help=told.about, examples=told.examples, **settings
    )(run)


def option(
    text: str, *names: str, choices: Sequence[str] = (), **settings: Any
) -> Option:
    """An option with that help, called as its parameter if no other name is given."""
    if choices:
        settings["type"] = click.Choice(choices)

    def make(parameter: str) -> Callable[[Command], Command]:
        called = names or (f"--{parameter.strip('_').replace('_', '-')}",)
        return click.option(*called, parameter, help=text, **settings)

    return make


def flag(text: str, *names: str) -> Option:
    """An option that is there or not."""
    return option(text, *names, is_flag=True)


def choice(value: str, text: str) -> Option:
    """`--VALUE`, one of several options that give a parameter its value."""
    return option(text, f"--{value}", flag_value=value)


def argument(**settings: Any) -> Option:
    """What is typed at its place."""
    return lambda parameter: click.argument(parameter, **settings)


class Typed(click.ParamType):  # type: ignore[type-arg]  # a generic from click 8.4 on
    """What a reader of an act reads."""

    def __init__(self, reader: Reader) -> None:
        self.read, self.name = reader.read, reader.metavar.lower()

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """What was typed, as the act takes it."""
        try:
            return self.read(value) if isinstance(value, str) else value
        except KeizerError as error:
            self.fail(output.text(error.said), param, ctx)


class Lines(click.File):
    """A file of what a person types or lists, or - for standard input; read at once."""

    name = "file"

    def convert(self, value: Any, *_: Any, **__: Any) -> Any:
        """Its lines."""
        return limits.read(value, limits.TYPED).decode("utf-8-sig").splitlines()


Database = Annotated[str, argument(metavar="DB", type=click.Path(readable=False))]
Tournament = Annotated[
    str | None,
    option(
        "The tournament, where there are several.", "-t", "--tournament", metavar="NAME"
    ),
]
Member = Annotated[str, argument()]
AnyMembers = Annotated[tuple[str, ...], argument(metavar="[NAME]...", nargs=-1)]
AnyMember = Annotated[str | None, argument(required=False)]
csv = choice("csv", "CSV: comma-separated, with a header line.")
json = choice("json", "JSON: a list with an object for each row.")
Style = Annotated[str | None, json, csv]
DryRun = Annotated[bool, flag("Say what would change, and write nothing.")]
Yes = Annotated[bool, flag("Do not ask.")]


def round_number(text: str, first: int = 0) -> Option:
    """`--round R`."""
    reader = declare.ROUND if first else declare.ROUND_OR_START
    return option(text, "-r", "--round", type=Typed(reader), metavar="R")


def of_act(run: Command, **other: Any) -> dict[str, Any]:
    """The parameters of an act as annotations; other: those that are otherwise here, None: not."""
    found = {one.name: _hint(one) for one in declare.of(run).parameters()} | other
    return {name: hint for name, hint in found.items() if hint is not None}


_CALLED = {
    "round": ("-r", "--round"), "language": ("--lang",), "same_rules": ("--rules",),
}  # fmt: skip
"""Options that are not called as the fields of forms are."""


def _hint(one: Parameter) -> Any:
    settings: dict[str, Any] = {"type": Typed(one.reader)}
    called = f"--{one.field.replace('_', '-')}"
    if one.placed:
        metavar = one.reader.metavar
        if one.several:
            settings |= {"nargs": -1, "required": True}
            metavar = f"{metavar}..."
        return Annotated[Any, argument(metavar=metavar, **settings)]
    names = _CALLED.get(
        "round" if one.reader is declare.ROUNDS else one.field, (called,)
    )
    if one.reader is declare.FLAG:
        return Annotated[bool, flag(one.about, *names)]
    if one.reader is declare.PAIR:
        settings = {"nargs": 2}
    if one.several:
        settings["multiple"] = True
    return Annotated[
        Any, option(one.about, *names, metavar=one.reader.metavar, **settings)
    ]


def given(values: dict[str, Any]) -> dict[str, Any]:
    """What was typed of the parameters of an act; the others have their defaults."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value != ()
    }
