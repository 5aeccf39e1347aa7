"""The arguments and options of commands.

A command is made of a function. An annotation declares an argument or option of it:
those of an act come from the parameters of the act, all others are declared with the
functions of this module.
"""

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
"""A declared option or argument: a function that makes click's decorator for it.

It is called with the name of the parameter that gets the value.
"""


def declared(run: Command) -> dict[str, Any]:
    """Return the annotations of a function that declare an argument or option.

    These are of the form Annotated[type, option, ...]. They are returned by the name of
    the parameter.
    """
    return {
        name: annotation
        for name, annotation in run.__annotations__.items()
        if hasattr(annotation, "__metadata__")
    }


class Exemplified(click.Command):
    """A command of click whose help ends with examples."""

    def __init__(
        self, *args: Any, examples: Sequence[str] = (), **settings: Any
    ) -> None:
        """Take the examples, and for click.Command all other arguments.

        examples: command lines, as people type them.
        """
        super().__init__(*args, **settings)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples at the end of the help, a line each."""
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
    """Make a command of a function, with options and arguments for its parameters.

    A parameter becomes an option or argument if its annotation declares one.

    run: the function. Its docstring is the help, and may end with examples.
    cls: the class of the command.
    name: the name of the command; by default that of the function.
    settings: what click.command takes. With `help` that text replaces the docstring.
    """
    # click lists the decorators of a function in the help from the top one down. The
    # top one is applied last, and so the first parameter has to be applied last.
    for parameter, annotation in reversed(declared(run).items()):
        for declare_option in reversed(annotation.__metadata__):
            decorate = declare_option(parameter)
            run = decorate(run)
    docstring = settings.pop("help", None) or run.__doc__
    documentation = declare.documentation(docstring)
    make_command = click.command(
        name or _hyphenated(run.__name__),
        cls,
        help=documentation.about,
        examples=documentation.examples,
        **settings,
    )
    return make_command(run)


def _hyphenated(name: str) -> str:
    """Return the name of a function or parameter as people type it: take-back."""
    return name.strip("_").replace("_", "-")


def option(text: str, *names: str, **settings: Any) -> Option:
    """Declare an option, for use in the annotation of a parameter.

    text: the help of the option.
    names: its names, such as "-r" and "--round"; by default the name of the parameter
        behind two hyphens.
    settings: what click.option takes.
    """

    def decorator_for(parameter: str) -> Callable[[Command], Command]:
        option_names = names or (f"--{_hyphenated(parameter)}",)
        return click.option(*option_names, parameter, help=text, **settings)

    return decorator_for


def flag(text: str, *names: str) -> Option:
    """Declare an option without a value, which makes its parameter True.

    text: the help of the option. names: its names; by default that of the parameter.
    """
    return option(text, *names, is_flag=True)


def choice(value: str, text: str) -> Option:
    """Declare the option `--VALUE`, which gives its parameter that value.

    The annotation of a parameter has several of these: --json makes the parameter
    `style` "json", and --csv makes it "csv".

    value: the value. text: the help of the option.
    """
    return option(text, f"--{value}", flag_value=value)


def argument(**settings: Any) -> Option:
    """Declare an argument, for use in the annotation of a parameter.

    settings: what click.argument takes.
    """
    return lambda parameter: click.argument(parameter, **settings)


class Typed(click.ParamType):  # type: ignore[type-arg]  # a generic from click 8.4 on
    """A type of click for the values that a `Reader` of acts reads."""

    def __init__(self, reader: Reader) -> None:
        """Take the function of a reader, and its placeholder as the type's name."""
        self.read = reader.read
        self.name = reader.metavar.lower()

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a text that was typed.

        Raises an error of click about the parameter if the reader refuses the text.
        """
        # click also converts defaults, which are values already.
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except KeizerError as error:
            self.fail(output.translated(error.message), param, ctx)


class Lines(click.File):
    """A parameter type of click that gives the lines of a file as a list.

    The file is typed as a path, or as - for standard input. From click.File it has only
    that a shell completes the path: `limits.read` opens the file, standard input too,
    as it refuses a file that is too large.
    """

    name = "file"

    def convert(self, value: Any, *_: Any, **__: Any) -> Any:
        """Return the lines of the file with this path, or of standard input for -.

        Raises KeizerError if it cannot be read or is too large, and UnicodeDecodeError
        if it is not UTF-8.
        """
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


def round_number(text: str, *, with_start: bool = True) -> Option:
    """Declare the option --round, or -r, with the number of a round.

    text: the help of the option.
    with_start: True if it also takes 0, which stands for the start order.
    """
    reader = declare.ROUND_OR_START if with_start else declare.ROUND
    return option(text, "-r", "--round", type=Typed(reader), metavar="R")


def of_act(run: Command, **own: Any) -> dict[str, Any]:
    """Return annotations that declare the parameters of an act as options, by name.

    run: the act, which is the function for one thing that a person does.
    own: annotations by parameter, which replace those made from the act or are added to
        them. None as an annotation leaves the parameter out.
    """
    annotations = {
        parameter.name: _annotation(parameter)
        for parameter in declare.act_of(run).parameters()
    }
    annotations.update(own)
    return {
        name: annotation
        for name, annotation in annotations.items()
        if annotation is not None
    }


_OPTION_NAMES = {
    "round": ("-r", "--round"), "language": ("--lang",), "same_rules": ("--rules",),
}  # fmt: skip
"""The names of an option by the field of a form, where they are not made of it."""


def _annotation(parameter: Parameter) -> Any:
    """Return the annotation that declares a parameter of an act for a command.

    It becomes an argument if it is positional, otherwise a flag or an option.
    """
    if parameter.positional:
        return Annotated[Any, _declare_argument(parameter)]
    if parameter.reader is declare.FLAG:
        names = _option_names(parameter)
        return Annotated[bool, flag(parameter.about, *names)]
    return Annotated[Any, _declare_option(parameter)]


def _declare_argument(parameter: Parameter) -> Option:
    """Declare a positional parameter of an act as an argument."""
    reader = parameter.reader
    if parameter.takes_list:
        return argument(
            metavar=f"{reader.metavar}...",
            type=Typed(reader),
            nargs=-1,  # any number of values
            required=True,
        )
    return argument(metavar=reader.metavar, type=Typed(reader))


def _declare_option(parameter: Parameter) -> Option:
    """Declare a parameter of an act as an option with a value."""
    reader = parameter.reader
    settings: dict[str, Any] = {"type": Typed(reader)}
    if reader is declare.PAIR:
        # The reader would split one text into two players. Here they are two texts, as
        # the shell has split the line already.
        settings = {"nargs": 2}
    if parameter.takes_list:
        settings["multiple"] = True
    return option(
        parameter.about, *_option_names(parameter), metavar=reader.metavar, **settings
    )


def _option_names(parameter: Parameter) -> tuple[str, ...]:
    """Return the names of the option for a parameter, such as ("-r", "--round")."""
    field = parameter.field
    if parameter.reader is declare.ROUNDS:
        # `rounds` takes several, but people type --round 5-8 as they type --round 5.
        field = "round"
    if field in _OPTION_NAMES:
        return _OPTION_NAMES[field]
    return (f"--{_hyphenated(field)}",)


def typed_values(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values that somebody typed, without those that click filled in.

    So the act uses its own defaults for what was not typed.
    """
    return {name: value for name, value in values.items() if _is_typed(value)}


def _is_typed(value: Any) -> bool:
    """Return whether a value was typed.

    For an option that was not typed click passes None, False or ().
    """
    # Not by truth: 0 and "" can be typed.
    return value is not None and value is not False and value != ()
