"""The declaration of an act: its signature, which every face reads.

An act is a function for one thing that a person does. Its first parameter is the
season. Each other parameter is annotated with a `Reader`, which reads what people type,
and with a text that says what it is for. The command's options, the form's fields, a
program's call and the method of `keizer.Season` are made of that, and so are the tables
of docs/api.md. What else there is to declare of an act stands in `Act`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from math import inf
from operator import index
from os import PathLike, fspath
from typing import Any, NamedTuple, TypeVar

from keizer.errors import KeizerError
from keizer.messages import Message, term
from keizer.season.names import spelling

# Who may do an act; each may also do what those before it may.
GUEST = 0  # anybody
PHONE = 1  # somebody who has the link of the hall
MEMBER = 2  # somebody who has a personal link
DIRECTOR = 3  # the tournament director

Who = int | str
"""A player: their id, or their name as typed."""

Run = TypeVar("Run", bound=Callable[..., Any])


REQUIRED = object()
"""The default of a parameter that has none."""


class FieldError(KeizerError):
    """A parameter that is missing or wrong; the message calls it as its form does."""

    def __init__(self, field: str, wrong: Message | None = None) -> None:
        """wrong: what is wrong with what was typed, or None if nothing was typed."""
        if wrong:
            super().__init__("{field}: {wrong}", field=label(field), wrong=wrong)
        else:
            super().__init__("“{field}” is missing.", field=label(field))
        self.field = field


# ------------------------------------------------------- readers of what is typed


class Reader(NamedTuple):
    """A reader of a kind of parameter, such as a date: it reads what people type.

    metavar: the placeholder for a value in the help of a command.
    read: returns the value of a text; raises KeizerError if that makes no sense.
    is_list: the value is a list, or the word all.
    joins_lists: texts typed one after the other are parts of one list.
    """

    metavar: str
    read: Callable[[str], Any]
    is_list: bool = False
    joins_lists: bool = False


def read_whole_number(allowed: range, typed: str) -> int:
    """Return the whole number that was typed, if it is in the range."""
    text = typed.strip()
    is_number = spelling.is_number(text.removeprefix("-"))
    if not is_number or int(text) not in allowed:
        raise KeizerError(
            "“{typed}” is no whole number from {first} to {last}.",
            typed=spelling.shortened(typed),
            first=allowed[0],
            last=allowed[-1],
        )
    return int(text)


def number(first: int = 0, last: int = 10**12) -> Reader:
    """Return a reader of whole numbers from first to last."""
    return Reader("N", lambda typed: read_whole_number(range(first, last + 1), typed))


def choice(*words: str) -> Reader:
    """Return a reader that takes one of these words."""

    def read(typed: str) -> str:
        if typed not in words:
            raise KeizerError(
                "“{typed}” is none of these: {words}.",
                typed=spelling.shortened(typed),
                words=[*words],
            )
        return typed

    return Reader(f"[{'|'.join(words)}]", read)


def removable(reader: Reader) -> Reader:
    """Return a reader that also takes "" or the word none, which remove a detail."""

    def read(typed: str) -> Any:
        if typed.casefold() in ("", "none"):
            return ""
        return reader.read(typed)

    return reader._replace(read=read)


def typed_changes(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details that were typed; those to be removed, "", become None."""
    typed = {name: value for name, value in details.items() if value is not None}
    return {name: value or None for name, value in typed.items()}


def _points(typed: str) -> float:
    text = typed.strip().replace(",", ".").replace("−", "-")
    with suppress(ValueError):
        points = float(text)
        if abs(points) < inf:  # float() also reads “inf” and “nan”
            return points
    raise KeizerError(
        "“{typed}” is no number of points.", typed=spelling.shortened(typed)
    )


def _flag(typed: str) -> bool:
    word = typed.strip().casefold()
    if word in ("", "0", "no", "false", "off"):
        return False
    if word in ("1", "yes", "true", "on"):
        return True
    raise KeizerError(
        "“{typed}” is neither yes nor no.", typed=spelling.shortened(typed)
    )


def _boards(typed: str) -> list[int] | str:
    if typed.strip() == "all":
        return "all"
    return spelling.parse_numbers(typed, "a board", range(1, 1000))


def _rounds(typed: str) -> list[int]:
    return spelling.parse_numbers(typed, "a round", range(1, 1000))


def _round(first: int) -> Reader:
    """Return a reader of the number of a round, the first of which is 0 or 1."""

    def read(typed: str) -> int:
        return read_whole_number(range(first, 1000), spelling.without_round_word(typed))

    return Reader("R", read)


def _pair(typed: str) -> tuple[str, str]:
    """Split two players: a line for each, or two words on one line."""
    separator = "\n" if "\n" in typed else None
    try:
        white, black = typed.split(separator)
    except ValueError:
        raise KeizerError(
            "“{typed}” is not two players: a line for each.", typed=typed
        ) from None
    return white.strip(), black.strip()


def _path(typed: str) -> Any:
    from pathlib import Path

    return Path(typed)


def _date(typed: str) -> str:
    """Return a date as YYYY-MM-DD; it is typed like that, or with the day first."""
    from datetime import date

    parts = typed.strip().replace(".", "-").split("-")
    is_day_first = len(parts[0]) <= 2  # noqa: PLR2004
    if is_day_first:
        parts.reverse()
    # OverflowError: a number has more digits than a date can take.
    with suppress(ValueError, OverflowError):
        year, month, day = map(int, parts)
        return str(date(year, month, day))
    raise KeizerError(
        "“{typed}” is no date, such as 2026-03-12 or 12-3-2026.",
        typed=spelling.shortened(typed),
    )


def _date_or_none(typed: str) -> str:
    if typed in ("", "none"):
        return typed
    return _date(typed)


def _dates(typed: str) -> list[str]:
    return [_date(text) for text in typed.split(",")]


TEXT = Reader("TEXT", str.strip)
DETAIL = removable(TEXT)
"""A text, or "" or the word none, which remove it."""
DATE = Reader("DATE", _date_or_none)
DATES = Reader("DATE", _dates, is_list=True, joins_lists=True)
PLAYER = Reader("NAME", str.strip)
KIND = Reader("KIND", str.strip)
PRESET = Reader("PRESET", str.strip)
FOLDER = Reader("FOLDER", str.strip)
ROUND = _round(1)
ROUND_OR_START = _round(0)
EACH_ROUND = Reader("R", _rounds, is_list=True)
"""The rounds that one text names; several texts are several lists."""
ROUNDS = Reader("R", _rounds, is_list=True, joins_lists=True)
BOARDS = Reader("BOARDS", _boards, is_list=True, joins_lists=True)
"""Numbers as in 1-5,8, or the word all."""
BOARD = number(1, 999)
PAIR = Reader("WHITE BLACK", _pair)
"""Two players: numbers, or a line each."""
POINTS = Reader("POINTS", _points)
RATING = number(0, 4000)
FLAG = Reader("", _flag)
FILE = Reader("FILE", _path)
"""The path of a file; a form has one uploaded, or pasted."""


# ------------------------------------------------------------------- parameters


class Parameter(NamedTuple):
    """A parameter of an act, except its first one, the season.

    about: what it is for, the help of the option.
    default: its value if nothing is typed, or NEEDED.
    positional: a command takes it by its position, without a name.
    takes_list: it can be typed several times, and takes a list.
    """

    name: str
    reader: Reader
    about: str
    default: Any
    positional: bool
    takes_list: bool

    @property
    def required(self) -> bool:
        """True if the act cannot be done without it."""
        return self.default is REQUIRED and not self.takes_list

    @property
    def field(self) -> str:
        """The name of its field in a form, and of its option, there with hyphens."""
        return self.name.strip("_")

    def read(self, value: Any) -> Any:
        """Read one value: a text as it was typed, or what a program gave instead.

        Raises FieldError, which names the parameter, if the value makes no sense.
        """
        try:
            return self._read(value)
        except KeizerError as error:
            raise FieldError(self.field, error.message) from error

    def _read(self, value: Any) -> Any:
        reader = self.reader
        if isinstance(value, str | PathLike):
            return reader.read(spelling.check_text(fspath(value)))
        # A bool is an int to Python: without this line True would be board 1.
        if isinstance(value, bool):
            if reader is FLAG:
                return value
        elif hasattr(value, "__index__"):  # also the whole numbers of other libraries
            return self._read_number(index(value))
        elif isinstance(value, float) and reader is POINTS:
            return reader.read(repr(float(value)))
        elif reader is PAIR and _is_pair(value):
            return tuple(value)
        elif isinstance(value, Iterable) and reader.is_list:
            return self._read_list(value)
        raise KeizerError(
            "a value of type {type} does not go there.", type=type(value).__name__
        )

    def _read_number(self, value: int) -> Any:
        """Read a whole number as if it had been typed; a player's id stays a number."""
        if self.reader is PLAYER:
            return value  # an id, which as a text would be taken for a name
        return self.reader.read(spelling.as_digits(value))

    def _read_list(self, values: Iterable[Any]) -> Any:
        """Read several values; return the lists that they stand for as one list.

        A value such as "1-5,8" stands for a list. If one value is "all", return "all",
        whatever the other values are.
        """
        parts: list[Any] = [self._read(value) for value in values]
        if "all" in parts:
            return "all"
        return [*chain.from_iterable(parts)]

    def read_argument(self, value: Any) -> Any:
        """Read the value that a program gave for the argument.

        Each text in it is read as if a person had typed it.
        """
        if value is self.default:
            return value
        if not self.takes_list:
            return self.read(value)
        is_single = isinstance(value, str) or not isinstance(value, Iterable)
        values = [value] if is_single else value
        return [self.read(item) for item in values]

    def read_texts(self, typed: Sequence[str]) -> Any:
        """Read the texts that were typed for the argument; blank texts are left out.

        Return the default if no text is left.
        Raises FieldError if none is left and the argument is required, or if a text
        makes no sense.
        """
        texts = [text for text in typed if text.strip()]
        if not texts:
            if self.required:
                raise FieldError(self.field)
            return [] if self.default is REQUIRED else self.default
        values = [self.read(text) for text in texts]
        if self.reader.joins_lists and "all" not in values:
            # Each text stands for a list: 1-3 and 5 for one list of four numbers.
            return [*chain.from_iterable(values)]
        return values if self.takes_list else values[-1]


def _is_pair(value: Any) -> bool:
    """Return whether a value is two values, as of two players who meet."""
    return isinstance(value, tuple | list) and len(value) == 2  # noqa: PLR2004


LABELS = {
    "add_kind": "A further kind",
    "address": "Address of the page",
    "answers": "What is meant",
    "born": "Born (year or date)",
    "by_rating": "and the list, by rating",
    "bye": "The bye",
    "columns": "Columns of the standings",
    "comes": "I come",
    "command": "Number",
    "counts_as": "counts as",
    "fide_id": "FIDE number",
    "for": "For one player",
    "from_round": "First round",
    "keep": "To keep",
    "list": "File",
    "mail": "Mail address for signing off",
    "national_id": "National number",
    "new": "anyway",
    "on": "Date",
    "one": "Member",
    "other": "The other entry",
    "pair": "Board",
    "phone": "Phone number for chat messages",
    "player": "Member",
    "preset": "Rules",
    "reset": "scores start anew",
    "settings": "Rules",
    "sex": "Sex (m or w)",
    "start_rank": "Set place in the start order",
    "start_rating": "Rating of the start order",
    "starts": "An evening begins at",
    "text": "Messages",
    "two": "Member",
    "type": "Kind",
    "until": "Last round",
    "with": "Play after all",
    "without": "Leave out",
}
"""Labels of the fields of a form that are not called by their own name."""


def label(field: str) -> Message:
    """Return what people call a field of a form."""
    return term(LABELS.get(field, field.replace("_", " ").capitalize()))


# ------------------------------------------------------------------------- acts


class Act(NamedTuple):
    """A thing that a person does: the function that does it, and what is declared.

    rights: who may do it, from GUEST to DIRECTOR.
    rests_on: tables. Its form is refused if they changed since its page was shown.
    shows_first: called with the tournament and the arguments. It returns whether people
        see what would change before it is done.
    before: the reason of a snapshot that is kept before it, as in “before import”.
    finished: it can be done in a season that is finished.
    whole: its first parameter is the session, and it opens the file itself.
    prepare: called with the session and the arguments, before the file is locked. It
        returns the arguments of the act.
    """

    name: str
    run: Callable[..., Any]
    rights: int = DIRECTOR
    rests_on: tuple[str, ...] = ()
    shows_first: Callable[..., bool] | None = None
    before: str | None = None
    finished: bool = False
    whole: bool = False
    prepare: Callable[..., dict[str, Any]] | None = None

    @property
    def about(self) -> str:
        """The first paragraph of the docstring, on one line."""
        paragraph = (self.run.__doc__ or "").partition("\n\n")[0]
        return " ".join(paragraph.split())

    def parameters(self) -> Iterator[Parameter]:
        """Yield its parameters, but for the season and those that only Python has."""
        _, *parameters = inspect.signature(self.run).parameters.values()
        for parameter in parameters:
            if hasattr(parameter.annotation, "__metadata__"):
                yield _declared(parameter)

    def read_arguments(
        self, args: Sequence[Any], named: dict[str, Any]
    ) -> dict[str, Any]:
        """Read what a program gave: each text in it as if a person had typed it.

        Returns the arguments by name, and as `*` the list of the positional ones.
        """
        season = None  # holds its place: it is opened when the act is done
        bound = inspect.signature(self.run).bind(season, *args, **named)
        arguments = bound.arguments
        for parameter in self.parameters():
            if parameter.name in arguments:
                value = arguments[parameter.name]
                arguments[parameter.name] = parameter.read_argument(value)
        _, *positional = bound.args
        return {"*": positional, **bound.kwargs}


def _declared(parameter: inspect.Parameter) -> Parameter:
    """Return a parameter of an act as its annotation declares it."""
    reader, about = parameter.annotation.__metadata__
    default = parameter.default
    if default is parameter.empty:
        default = REQUIRED
    # A reader of lists makes one list of several texts: then it is one value.
    takes_list = isinstance(default, tuple) and not reader.joins_lists
    return Parameter(
        name=parameter.name,
        reader=reader,
        about=about,
        default=default,
        positional=parameter.kind is not parameter.KEYWORD_ONLY,
        takes_list=takes_list or parameter.kind is parameter.VAR_POSITIONAL,
    )


class Said(NamedTuple):
    """A message that says what was done."""

    said: Message


ACTS: dict[str, Act] = {}
"""All acts by name; the modules of this package fill it as they are imported."""


def act(**settings: Any) -> Callable[[Run], Run]:
    """Declare a function as an act; settings: fields of `Act`."""

    def declare(run: Run) -> Run:
        name = _name(run)
        ACTS[name] = Act(name, run, **settings)
        return run

    return declare


def act_of(run: Callable[..., Any]) -> Act:
    """Return the act that a function is."""
    return ACTS[_name(run)]


def _name(run: Callable[..., Any]) -> str:
    return run.__name__.strip("_").replace("_", "-")


def always(*_: Any, **__: Any) -> bool:
    """Return True: the `shows_first` of an act that always shows what would change."""
    return True


# ------------------------------------------------------------------- docstrings


class Documentation(NamedTuple):
    """A docstring in two parts: its text, and the command lines at its end."""

    about: str
    examples: list[str]


def documentation(docstring: str | None) -> Documentation:
    """Split a docstring into its text and its examples.

    One example stands behind `Example:`, several stand below `Examples:`.
    """
    text = inspect.cleandoc(docstring or "")
    about, _, rest = text.partition("\n\nExample")
    _, _, block = rest.partition(":")
    lines = [line.strip() for line in block.splitlines()]
    return Documentation(about, [line for line in lines if line])
