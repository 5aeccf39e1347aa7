"""Arguments and options: an act's are its parameters, others are declared here."""

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
"""Makes the option or argument of a parameter, whose name it takes."""


def declared(run: Command) -> dict[str, Any]:
    """Return the annotations of the parameters that are arguments or options."""
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
        """Keep the examples, command lines as they are typed."""
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
    """Make a command of a function, and options and arguments of its parameters.

    Its help, and the examples at the end of that, are the docstring of the function.
    """
    # As decorators of click go: the last one is applied first.
    for parameter, annotation in reversed(declared(run).items()):
        for decorate in reversed(annotation.__metadata__):
            run = decorate(parameter)(run)
    docstring = settings.pop("help", None) or run.__doc__
    documentation = declare.documentation(docstring)
    make = click.command(
        name or _hyphenated(run.__name__),
        cls,
        help=documentation.about,
        examples=documentation.examples,
        **settings,
    )
    return make(run)


def _hyphenated(name: str) -> str:
    """Return the name of a function or parameter as people type it."""
    return name.strip("_").replace("_", "-")


def option(text: str, *names: str, **settings: Any) -> Option:
    """Declare an option; text: its help.

    It is called as its parameter if it has no other names.
    """

    def decorate(parameter: str) -> Callable[[Command], Command]:
        option_names = names or (f"--{_hyphenated(parameter)}",)
        return click.option(*option_names, parameter, help=text, **settings)

    return decorate


def flag(text: str, *names: str) -> Option:
    """Declare an option without a value."""
    return option(text, *names, is_flag=True)


def choice(value: str, text: str) -> Option:
    """Declare `--VALUE`, one of several options that give a parameter its value."""
    return option(text, f"--{value}", flag_value=value)


def argument(**settings: Any) -> Option:
    """Declare an argument, which is typed at its place."""
    return lambda parameter: click.argument(parameter, **settings)


class Typed(click.ParamType):  # type: ignore[type-arg]  # a generic from click 8.4 on
    """A type of click: what is typed is read by the reader of an act."""

    def __init__(self, reader: Reader) -> None:
        self.read = reader.read
        self.name = reader.metavar.lower()

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value that the act takes; a default is one already."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except KeizerError as error:
            self.fail(output.translated(error.message), param, ctx)


class Lines(click.File):
    """A type of click: a list in a file, or - for standard input, read at once."""

    name = "file"

    def convert(self, value: Any, *_: Any, **__: Any) -> Any:
        """Return its lines; UnicodeDecodeError if it is not UTF-8."""
        content = limits.read(value, limits.TYPED)
        return content.decode("utf-8-sig").splitlines()


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
    """Declare `--round R`; first: 0 where it may be that of the start order."""
    reader = declare.ROUND if first else declare.ROUND_OR_START
    return option(text, "-r", "--round", type=Typed(reader), metavar="R")


def of_act(run: Command, **own: Any) -> dict[str, Any]:
    """Return the annotations that make options and arguments of an act's parameters.

    own: annotations in place of these, by parameter; None leaves the parameter out.
    """
    annotations = {
        parameter.name: _annotation(parameter)
        for parameter in declare.act_of(run).parameters()
    }
    annotations |= own
    return {
        name: annotation
        for name, annotation in annotations.items()
        if annotation is not None
    }


_OPTION_NAMES = {
    "round": ("-r", "--round"), "language": ("--lang",), "same_rules": ("--rules",),
}  # fmt: skip
"""Names of options, where these are not the names of the fields of forms."""


def _annotation(parameter: Parameter) -> Any:
    if parameter.positional:
        return Annotated[Any, _argument_of(parameter)]
    if parameter.reader is declare.FLAG:
        names = _option_names(parameter)
        return Annotated[bool, flag(parameter.about, *names)]
    return Annotated[Any, _option_of(parameter)]


def _argument_of(parameter: Parameter) -> Option:
    metavar = parameter.reader.metavar
    settings: dict[str, Any] = {"type": Typed(parameter.reader)}
    if parameter.takes_list:
        metavar = f"{metavar}..."
        settings |= {"nargs": -1, "required": True}
    return argument(metavar=metavar, **settings)


def _option_of(parameter: Parameter) -> Option:
    reader = parameter.reader
    settings: dict[str, Any] = {"type": Typed(reader)}
    if reader is declare.PAIR:
        # The shell parts the two players already: there is nothing to read.
        settings = {"nargs": 2}
    if parameter.takes_list:
        settings["multiple"] = True
    return option(
        parameter.about, *_option_names(parameter), metavar=reader.metavar, **settings
    )


def _option_names(parameter: Parameter) -> tuple[str, ...]:
    field = parameter.field
    if parameter.reader is declare.ROUNDS:
        field = "round"
    if field in _OPTION_NAMES:
        return _OPTION_NAMES[field]
    return (f"--{_hyphenated(field)}",)


def typed_values(values: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that were typed; the others have their defaults."""
    return {name: value for name, value in values.items() if _is_typed(value)}


def _is_typed(value: Any) -> bool:
    return value is not None and value is not False and value != ()
