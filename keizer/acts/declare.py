"""The declaration of an act: its signature, which every face reads.

An act is a function for one thing that a person does. Its first parameter is the
season. Each other parameter is annotated with a `Reader`, which reads what people type,
and with a text that says what it is for. The options of the command, the fields of the
form, the call of a program, the method of `keizer.Season` and the tables of docs/api.md
are all made from these annotations. `Act` has what else can be declared.
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
"""A player: their player.id, or their name as somebody typed it."""

Run = TypeVar("Run", bound=Callable[..., Any])
"""The function of an act, which the decorator `act` returns unchanged."""


REQUIRED = object()
"""Stands for the default of a parameter that has no default."""


class FieldError(KeizerError):
    """The value of a parameter is missing or wrong."""

    def __init__(self, field: str, wrong: Message | None = None) -> None:
        """Make the message, which names the field by its label in forms.

        wrong: what is wrong with the value, or None if the value is missing.
        """
        if wrong:
            super().__init__("{field}: {wrong}", field=label(field), wrong=wrong)
        else:
            super().__init__("“{field}” is missing.", field=label(field))
        self.field = field


# ------------------------------------------------------- readers of what is typed


class Reader(NamedTuple):
    """A reader of one kind of parameter, such as dates: it turns texts into values.

    metavar: the placeholder for a value in the help of a command, such as DATE.
    read: returns the value of a text; raises KeizerError if the text has none.
    is_list: a single text is a list, such as “5-8,11”, or the word all.
    joins_lists: the lists of several texts become one list.
    """

    metavar: str
    read: Callable[[str], Any]
    is_list: bool = False
    joins_lists: bool = False


def read_whole_number(allowed: range, typed: str) -> int:
    """Return the whole number that was typed; KeizerError if it is not allowed."""
    text = typed.strip()
    is_number = spelling.is_number(text.removeprefix("-"))
    if not is_number or int(text) not in allowed:
        raise KeizerError(
            "“{typed}” is not a whole number from {first} to {last}.",
            typed=spelling.shortened(typed),
            first=allowed[0],
            last=allowed[-1],
        )
    return int(text)


def number(first: int = 0, last: int = 10**12) -> Reader:
    """Return a reader of whole numbers from first to last."""
    return Reader("N", lambda typed: read_whole_number(range(first, last + 1), typed))


def choice(*words: str) -> Reader:
    """Return a reader of one of these words; any other text is refused."""

    def read(typed: str) -> str:
        if typed not in words:
            raise KeizerError(
                "“{typed}” is not one of these: {words}.",
                typed=spelling.shortened(typed),
                words=[*words],
            )
        return typed

    return Reader(f"[{'|'.join(words)}]", read)


def removable(reader: Reader) -> Reader:
    """Return a reader of a detail, such as a title, that can also be removed.

    It reads "" and the word none as "", and any other text as the given reader does.
    """

    def read(typed: str) -> Any:
        if typed.casefold() in ("", "none"):
            return ""
        return reader.read(typed)

    return reader._replace(read=read)


def typed_changes(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details to change, with None for those to be removed.

    details: the parameters of an act by name, as readers of `removable` return them.
        None: nothing was typed. "" or 0: remove the detail.
    """
    typed = {name: value for name, value in details.items() if value is not None}
    return {name: value or None for name, value in typed.items()}


def _read_points(typed: str) -> float:
    """Read a number of points, such as 12.5, 12,5 or -5."""
    text = typed.strip().replace(",", ".").replace("−", "-")
    with suppress(ValueError):
        points = float(text)
        if abs(points) < inf:  # float() also reads “inf” and “nan”
            return points
    raise KeizerError(
        "“{typed}” is not a number of points.", typed=spelling.shortened(typed)
    )


def _read_flag(typed: str) -> bool:
    """Read yes or no, in any form in which programs and forms send them."""
    word = typed.strip().casefold()
    if word in ("", "0", "no", "false", "off"):
        return False
    if word in ("1", "yes", "true", "on"):
        return True
    raise KeizerError(
        "“{typed}” is neither yes nor no.", typed=spelling.shortened(typed)
    )


def _read_boards(typed: str) -> list[int] | str:
    """Read numbers of boards, such as 1-5,8, or the word all."""
    if typed.strip() == "all":
        return "all"
    return spelling.parse_numbers(typed, "a board", range(1, 1000))


def _read_rounds(typed: str) -> list[int]:
    """Read numbers of rounds, such as 5-8,11."""
    return spelling.parse_numbers(typed, "a round", range(1, 1000))


def _round_reader(first: int) -> Reader:
    """Return a reader of the number of a round, from `first` on (0 or 1).

    It also reads “round 5”, as people type it.
    """

    def read(typed: str) -> int:
        return read_whole_number(range(first, 1000), spelling.without_round_word(typed))

    return Reader("R", read)


def _read_pair(typed: str) -> tuple[str, str]:
    """Read two players: a line for each, or two words on one line."""
    separator = "\n" if "\n" in typed else None  # None: any white space
    try:
        white, black = typed.split(separator)
    except ValueError:
        raise KeizerError(
            "“{typed}” is not two players; write each on its own line.", typed=typed
        ) from None
    return white.strip(), black.strip()


def _read_path(typed: str) -> Any:
    """Return the path of a file."""
    from pathlib import Path

    return Path(typed)


def _read_date(typed: str) -> str:
    """Read a date, such as 2026-03-12 or 12-3-2026, and return it as YYYY-MM-DD."""
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
        "“{typed}” is not a date such as 2026-03-12 or 12-3-2026.",
        typed=spelling.shortened(typed),
    )


def _read_date_or_none(typed: str) -> str:
    """Read a date; "" and the word none are returned as they are."""
    if typed in ("", "none"):
        return typed
    return _read_date(typed)


def _read_dates(typed: str) -> list[str]:
    """Read dates with commas between them."""
    return [_read_date(text) for text in typed.split(",")]


TEXT = Reader("TEXT", str.strip)
DETAIL = removable(TEXT)
"""A text such as a title; "" and the word none remove it."""
DATE = Reader("DATE", _read_date_or_none)
DATES = Reader("DATE", _read_dates, is_list=True, joins_lists=True)
PLAYER = Reader("NAME", str.strip)
KIND = Reader("KIND", str.strip)
PRESET = Reader("PRESET", str.strip)
FOLDER = Reader("FOLDER", str.strip)
ROUND = _round_reader(1)
ROUND_OR_START = _round_reader(0)
"""The number of a round, or 0 for the start order."""
EACH_ROUND = Reader("R", _read_rounds, is_list=True)
"""Rounds; of several texts each is a list of its own, as each has its own date."""
ROUNDS = Reader("R", _read_rounds, is_list=True, joins_lists=True)
"""Rounds; several texts become one list."""
BOARDS = Reader("BOARDS", _read_boards, is_list=True, joins_lists=True)
"""Boards such as 1-5,8, or the word all; several texts become one list."""
BOARD = number(1, 999)
PAIR = Reader("WHITE BLACK", _read_pair)
"""Two players, such as #3 #7, or a line for each name."""
POINTS = Reader("POINTS", _read_points)
RATING = number(0, 4000)
FLAG = Reader("", _read_flag)
FILE = Reader("FILE", _read_path)
"""The path of a file. A form takes an uploaded file or a pasted text instead."""


# ------------------------------------------------------------------- parameters


class Parameter(NamedTuple):
    """A parameter of an act; the first one, the season, is not among them.

    about: what the parameter is for: the help of its option.
    default: the value if nothing is typed, or REQUIRED.
    positional: a command takes the value by its position, without --name.
    takes_list: the value is a list, and people may type several.
    """

    name: str
    reader: Reader
    about: str
    default: Any
    positional: bool
    takes_list: bool

    @property
    def required(self) -> bool:
        """True if the act cannot be done without a value."""
        return self.default is REQUIRED and not self.takes_list

    @property
    def field(self) -> str:
        """The name of the field in a form; the option has hyphens for underscores."""
        # `with_` and `for_` have a name that is a keyword of Python.
        return self.name.strip("_")

    def read(self, value: Any) -> Any:
        """Read one value: a text that a person typed, or any value of a program.

        Raises FieldError, which names the parameter, if the value is refused.
        """
        try:
            return self._read(value)
        except KeizerError as error:
            raise FieldError(self.field, error.message) from error

    def _read(self, value: Any) -> Any:
        """Read a value as `read` does, but raise the KeizerError of the reader.

        A number is read as the text of its digits, so that the limits of the reader
        hold for it, too.
        """
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
            "a value of type {type} cannot be used here.", type=type(value).__name__
        )

    def _read_number(self, value: int) -> Any:
        """Read a whole number that a program gave."""
        if self.reader is PLAYER:
            return value  # an id, which as a text would be taken for a name
        return self.reader.read(spelling.as_digits(value))

    def _read_list(self, values: Iterable[Any]) -> list[Any] | str:
        """Read the values of a list that a program gave; return one list, or "all".

        A text such as "1-5,8" is read as a list: it becomes part of the one list. If
        any text is "all", the other values do not count.
        """
        lists = [self._read(value) for value in values]
        if "all" in lists:
            return "all"
        return [*chain.from_iterable(lists)]

    def read_argument(self, value: Any) -> Any:
        """Read the argument that a program gave, and each text in it as if typed.

        A parameter that takes a list also takes a single value.
        """
        # The default is given on as it is: a reader might refuse None or ().
        if value is self.default:
            return value
        if not self.takes_list:
            return self.read(value)
        is_single = isinstance(value, str) or not isinstance(value, Iterable)
        values = [value] if is_single else value
        return [self.read(item) for item in values]

    def read_texts(self, typed: Sequence[str]) -> Any:
        """Read the texts that a form has for the parameter; blank texts do not count.

        Without a text, returns the default. Raises FieldError if a required value is
        missing, or a text is refused.
        """
        texts = [text for text in typed if text.strip()]
        if not texts:
            if self.required:
                raise FieldError(self.field)
            # *players has no default: nobody is named.
            return [] if self.default is REQUIRED else self.default
        values = [self.read(text) for text in texts]
        if self.reader.joins_lists and "all" not in values:
            # Each text stands for a list: 1-3 and 5 for one list of four numbers.
            return [*chain.from_iterable(values)]
        # If a form has several texts for a single value, the last one counts.
        return values if self.takes_list else values[-1]


def _is_pair(value: Any) -> bool:
    """Return whether a value is a list or tuple of two."""
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
    "reset": "scores start again",
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
"""The labels of fields whose label is not made of their name."""


def label(field: str) -> Message:
    """Return the label of a field of a form, which people read."""
    return term(LABELS.get(field, field.replace("_", " ").capitalize()))


# ------------------------------------------------------------------------- acts


class Act(NamedTuple):
    """An act: the function that does it, and what its declaration says of it.

    rights: who may do it, from GUEST to DIRECTOR.
    rests_on: the tables that a person looks at to decide. The form is refused if one of
        them changed after its page was shown.
    shows_first: called with the tournament and the arguments. Returns whether people
        see the changes in the standings before the act is done.
    before: the reason of the snapshot that is made of the file before the act: with
        “import” it is called “before import”. None: no snapshot is made.
    finished: the act is allowed in a season that is finished.
    whole: the act gets the session instead of a tournament, and opens the file itself.
    prepare: called with the session and the arguments, before the file is locked.
        Returns the arguments for the act.
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
        """The first paragraph of the docstring of the act, on one line."""
        paragraph = (self.run.__doc__ or "").partition("\n\n")[0]
        return " ".join(paragraph.split())

    def parameters(self) -> Iterator[Parameter]:
        """Yield the parameters that are annotated with a reader.

        The season is not annotated, nor is a parameter that only Python code gives.
        """
        _, *parameters = inspect.signature(self.run).parameters.values()
        for parameter in parameters:
            if hasattr(parameter.annotation, "__metadata__"):
                yield _declared_parameter(parameter)

    def read_arguments(
        self, args: Sequence[Any], named: dict[str, Any]
    ) -> dict[str, Any]:
        """Read the arguments that a program gave, and each text in them as if typed.

        args: the positional arguments without the season.
        named: the keyword arguments.
        Returns the arguments by name, and under "*" the list of the positional ones.
        """
        season = None  # only fills the first place; the act gets the season later
        bound = inspect.signature(self.run).bind(season, *args, **named)
        arguments = bound.arguments
        for parameter in self.parameters():
            if parameter.name in arguments:
                value = arguments[parameter.name]
                arguments[parameter.name] = parameter.read_argument(value)
        # Read after the loop: `bound.args` is made of `bound.arguments` each time.
        _, *positional = bound.args
        return {"*": positional, **bound.kwargs}


def _declared_parameter(parameter: inspect.Parameter) -> Parameter:
    """Return the `Parameter` of a parameter in the signature of an act."""
    reader, about = parameter.annotation.__metadata__
    default = parameter.default
    if default is parameter.empty:
        default = REQUIRED
    # With a default () it takes several values, unless the reader joins their lists:
    # then the one list is the value.
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
    """The result of an act that returns only a message about what was done."""

    said: Message


ACTS: dict[str, Act] = {}
"""All acts by name. A module enters its acts when it is imported."""


def act(**settings: Any) -> Callable[[Run], Run]:
    """Declare a function as an act: a decorator. settings: fields of `Act`."""

    def declare(run: Run) -> Run:
        name = _name(run)
        ACTS[name] = Act(name, run, **settings)
        return run

    return declare


def act_of(run: Callable[..., Any]) -> Act:
    """Return the declaration of the act that a function does."""
    return ACTS[_name(run)]


def _name(run: Callable[..., Any]) -> str:
    """Return the name of an act: of the function import_ it is import."""
    return run.__name__.strip("_").replace("_", "-")


def always(*_: Any, **__: Any) -> bool:
    """Return True: the `shows_first` of acts that always show the changes first."""
    return True


# ------------------------------------------------------------------- docstrings


class Documentation(NamedTuple):
    """A docstring in two parts: its text, and the command lines at its end."""

    about: str
    examples: list[str]


def documentation(docstring: str | None) -> Documentation:
    """Split a docstring into its text and its examples.

    A single example stands behind `Example:`, several stand below `Examples:`, a line
    each.
    """
    text = inspect.cleandoc(docstring or "")
    about, _, rest = text.partition("\n\nExample")
    # Now `rest` begins with ":" or "s:".
    _, _, examples = rest.partition(":")
    lines = [line.strip() for line in examples.splitlines()]
    return Documentation(about, [line for line in lines if line])
