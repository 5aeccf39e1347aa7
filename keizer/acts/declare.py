"""The declaration of an act: its signature, which every front end reads.

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

ActFunction = TypeVar("ActFunction", bound=Callable[..., Any])
"""The function of an act, which the decorator `act` returns unchanged."""


REQUIRED = object()
"""Stands for the default of a parameter that has no default."""


class FieldError(KeizerError):
    """The value of a parameter is missing or wrong."""

    def __init__(self, field: str, wrong: Message | None = None) -> None:
        """Make the message, in which the label that forms show names the parameter.

        field: the name of the parameter, as the field of a form has it.
        wrong: what is wrong with the value, or None if the value is missing.
        """
        if wrong:
            super().__init__("{field}: {wrong}", field=label(field), wrong=wrong)
        else:
            super().__init__("“{field}” is missing.", field=label(field))
        self.field = field


# ------------------------------------------------------- readers of what is typed


class Reader(NamedTuple):
    """How texts that people type become values of one kind, such as dates.

    metavar: the placeholder for a value in the help of a command, such as DATE.
    read: a function that returns the value of a text. It raises KeizerError if the text
        does not stand for a value.
    one_text_is_list: True if the value of one text is a list, as that of “5-8,11”; it
        may be the word all instead.
    joins_lists: True if several texts make one list together: “1-3” and “5” make
        [1, 2, 3, 5]. If False, each text keeps a list of its own.
    """

    metavar: str
    read: Callable[[str], Any]
    one_text_is_list: bool = False
    joins_lists: bool = False


def read_whole_number(allowed: range, typed: str) -> int:
    """Return the whole number that was typed; KeizerError if it is not allowed.

    allowed: the numbers that are allowed, without gaps. A text that is not a whole
        number is refused, too.
    """
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
    """Return a reader of whole numbers from first to last, both included."""
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
    """Return a reader of a detail, such as a title, that a person may also remove.

    It reads "" and the word none as "", which stands for removing the detail. It reads
    any other text as the given reader does.
    """

    def read(typed: str) -> Any:
        if typed.casefold() in ("", "none"):
            return ""
        return reader.read(typed)

    return reader._replace(read=read)


def values_to_store(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the file shall store for the details that were typed, by name.

    details: the arguments of an act by name. They become, in the result:
        None      nothing was typed, so the detail is left out, and stays as it is
        "" or 0   None, which removes the detail from the file
        other     the same value
    """
    values = {}
    for name, typed in details.items():
        if typed is not None:
            is_removed = not typed
            values[name] = None if is_removed else typed
    return values


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
    """Return True for yes, and False for no or "".

    Programs and forms send these as words, as 1 and 0, or as on and off.
    """
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
    """Return a reader of the number of a round, up to 999.

    It also reads “round 5”, as people type it.

    first: the first round that it takes: 1, or 0 for the start order.
    """

    def read(typed: str) -> int:
        return read_whole_number(range(first, 1000), spelling.without_round_word(typed))

    return Reader("R", read)


def _read_pair(typed: str) -> tuple[str, str]:
    """Read two players: a line for each, or two words on one line.

    Two lines are needed for names of several words.
    """
    separator = "\n" if "\n" in typed else None  # None: any white space
    try:
        white, black = typed.split(separator)
    except ValueError:
        raise KeizerError(
            "“{typed}” is not two players; write each on its own line.", typed=typed
        ) from None
    return white.strip(), black.strip()


def _read_path(typed: str) -> Any:
    """Return the path of a file, as a `Path`."""
    # Imported only here: pathlib takes time, which commands without a file would lose.
    from pathlib import Path

    return Path(typed)


def _read_date(typed: str) -> str:
    """Read a date, such as 2026-03-12 or 12-3-2026, and return it as YYYY-MM-DD."""
    # Imported only here, since few commands take a date.
    from datetime import date

    parts = typed.strip().replace(".", "-").split("-")
    # A year has four digits, a day has one or two.
    is_day_first = len(parts[0]) <= 2  # noqa: PLR2004
    if is_day_first:
        parts.reverse()
    # ValueError: the parts are not three numbers, or there is no such day.
    # OverflowError: a number has more digits than a date can take.
    with suppress(ValueError, OverflowError):
        year, month, day = map(int, parts)
        return str(date(year, month, day))
    raise KeizerError(
        "“{typed}” is not a date such as 2026-03-12 or 12-3-2026.",
        typed=spelling.shortened(typed),
    )


def _read_date_or_none(typed: str) -> str:
    """Read a date; return "" and the word none, which remove a date, as they are."""
    if typed in ("", "none"):
        return typed
    return _read_date(typed)


def _read_dates(typed: str) -> list[str]:
    """Read dates with commas between them, and return each as YYYY-MM-DD."""
    return [_read_date(text) for text in typed.split(",")]


TEXT = Reader("TEXT", str.strip)
DETAIL = removable(TEXT)
"""A text such as a title; "" and the word none remove it."""
DATE = Reader("DATE", _read_date_or_none)
DATES = Reader("DATE", _read_dates, one_text_is_list=True, joins_lists=True)
PLAYER = Reader("NAME", str.strip)
KIND = Reader("KIND", str.strip)
PRESET = Reader("PRESET", str.strip)
FOLDER = Reader("FOLDER", str.strip)
ROUND = _round_reader(1)
ROUND_OR_START = _round_reader(0)
"""The number of a round, or 0 for the start order."""
EACH_ROUND = Reader("R", _read_rounds, one_text_is_list=True)
"""Rounds; of several texts each is a list of its own, as each has its own date."""
ROUNDS = Reader("R", _read_rounds, one_text_is_list=True, joins_lists=True)
"""Rounds; several texts become one list."""
BOARDS = Reader("BOARDS", _read_boards, one_text_is_list=True, joins_lists=True)
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
    """A parameter of an act, which is the function for one thing that a person does.

    The first parameter of that function, the season, is not declared in this way.

    name: the name of the parameter in Python.
    reader: how a text that somebody typed becomes the value.
    about: what the parameter is for: the help of its option.
    default: the value if nothing is typed; REQUIRED if there is no default.
    positional: True if a command takes the value by its position, without --name.
    takes_list: True if the value is a list with an item for each text that was typed.
    """

    name: str
    reader: Reader
    about: str
    default: Any
    positional: bool
    takes_list: bool

    @property
    def required(self) -> bool:
        """True if the act cannot be done without a value.

        A parameter that takes a list is never required, but the act itself may refuse
        an empty list.
        """
        return self.default is REQUIRED and not self.takes_list

    @property
    def field(self) -> str:
        """The name of the field in a form; the option has hyphens for underscores."""
        # `with_` and `for_` have a name that is a keyword of Python.
        return self.name.strip("_")

    def read(self, value: Any) -> Any:
        """Return the value of the parameter for one text, or for a value of a program.

        value: a text that a person typed, or what a Python program gave.
        Raises FieldError, which names the parameter, if the value is refused.
        """
        try:
            return self._read(value)
        except KeizerError as error:
            raise FieldError(self.field, error.message) from error

    def _read(self, value: Any) -> Any:
        """Read a value as `read` does, but raise KeizerError without the parameter.

        A text is read by the reader of the parameter. A number is read as the text of
        its digits, so that the limits of the reader hold for it, too. Other values are
        taken only by parameters of their kind.
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
            # float(): a subclass, as of NumPy, may have another repr.
            return reader.read(repr(float(value)))
        elif reader is PAIR and _is_pair(value):
            return tuple(value)
        elif isinstance(value, Iterable) and reader.one_text_is_list:
            return self._read_list(value)
        raise KeizerError(
            "a value of type {type} cannot be used here.", type=type(value).__name__
        )

    def _read_number(self, value: int) -> Any:
        """Read a whole number that a program gave: a player's id, or any other number.

        Raises KeizerError if the reader refuses the number.
        """
        if self.reader is PLAYER:
            return value  # an id, which as a text would be taken for a name
        return self.reader.read(spelling.as_digits(value))

    def _read_list(self, values: Iterable[Any]) -> list[Any] | str:
        """Read the values of a list that a program gave; return one list, or "all".

        The value of each text is a list itself: ["1-3", 5] is read as [1, 2, 3, 5]. If
        any text is "all", the other values do not count.
        """
        lists = [self._read(value) for value in values]
        if "all" in lists:
            return "all"
        return [*chain.from_iterable(lists)]

    def read_argument(self, value: Any) -> Any:
        """Return the value of the parameter for an argument that a program gave.

        A text in it is read as if a person had typed it. A parameter that takes a list
        also takes a single value, which becomes a list of one.
        """
        # The default is returned as it is: a reader might refuse None or ().
        if value is self.default:
            return value
        if not self.takes_list:
            return self.read(value)
        is_single = isinstance(value, str) or not isinstance(value, Iterable)
        values = [value] if is_single else value
        return [self.read(item) for item in values]

    def read_texts(self, typed: Sequence[str]) -> Any:
        """Return the value of the parameter for the texts that a form has for it.

        Blank texts do not count. If there is no other text, the default is returned.
        Raises FieldError if a required value is missing, or a text is refused.
        """
        texts = [text for text in typed if text.strip()]
        if not texts:
            if self.required:
                raise FieldError(self.field)
            if self.default is REQUIRED:
                return []  # as of *players, which has no default: nobody is named
            return self.default
        values = [self.read(text) for text in texts]
        if self.reader.joins_lists and "all" not in values:
            # Each text stands for a list: 1-3 and 5 for one list of four numbers.
            return [*chain.from_iterable(values)]
        # If a form has several texts for a single value, the last one counts.
        return values if self.takes_list else values[-1]


def _is_pair(value: Any) -> bool:
    """Return whether a value is a list or tuple of two items, as of two players."""
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
    """Return the label of a field of a form, to be translated.

    It is made of the name of the field, as “Start order” of start_order, if LABELS has
    no other words for it.
    """
    return term(LABELS.get(field, field.replace("_", " ").capitalize()))


# ------------------------------------------------------------------------- acts


class Act(NamedTuple):
    """An act: one thing that a person does, such as entering a result.

    name: the name of the act, such as take-back.
    run: the function that does it. Its first parameter is the tournament.
    rights: who may do it, from GUEST to DIRECTOR.
    rests_on: the tables that a person looks at to decide. The form of the act is
        refused if one of them changed after its page was shown.
    shows_moves_first: a function that is called with the tournament and the arguments.
        It returns True if people are to see the changes in the standings before the
        act is done. None: people never see them first.
    snapshot_before: what the snapshot is called that is made of the file before the
        act: “import” gives the snapshot “before import”. None: no snapshot is made.
    allowed_when_finished: True if the act is allowed in a season that is finished.
    is_about_file: True if the act is about the whole file. `run` then gets the session
        instead of a tournament, and opens the file itself.
    prepare: a function that is called with the session and the arguments before the
        file is locked, for what takes long, such as reading another file. It returns
        the arguments for `run`.
    """

    name: str
    run: Callable[..., Any]
    rights: int = DIRECTOR
    rests_on: tuple[str, ...] = ()
    shows_moves_first: Callable[..., bool] | None = None
    snapshot_before: str | None = None
    allowed_when_finished: bool = False
    is_about_file: bool = False
    prepare: Callable[..., dict[str, Any]] | None = None

    @property
    def about(self) -> str:
        """The first paragraph of the docstring of the act, on one line."""
        paragraph = (self.run.__doc__ or "").partition("\n\n")[0]
        return " ".join(paragraph.split())

    def parameters(self) -> Iterator[Parameter]:
        """Yield the parameters that people can type, which a `Reader` annotates.

        A parameter without one, as the season, is only for callers in Python.
        """
        _, *parameters = inspect.signature(self.run).parameters.values()
        for parameter in parameters:
            if hasattr(parameter.annotation, "__metadata__"):
                yield _declared_parameter(parameter)

    def read_arguments(
        self, args: Sequence[Any], named: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the arguments that a program gave, with their texts read as if typed.

        They are returned by name. Those that the function can take by position are in a
        list, under the name "*".

        args: the positional arguments without the season.
        named: the keyword arguments.
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
    """Return the declaration of a parameter in the signature of an act.

    parameter: a parameter with an annotation Annotated[type, reader, about].
    """
    reader, about = parameter.annotation.__metadata__
    default = parameter.default
    if default is parameter.empty:
        default = REQUIRED
    # The default () says that it takes several values. If the reader joins the lists of
    # several texts, one list is the value, and not a list of values.
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
    """The result of an act that returns nothing but a message about what was done."""

    said: Message


ACTS: dict[str, Act] = {}
"""All acts by name. A module enters its acts when it is imported."""


def act(**settings: Any) -> Callable[[ActFunction], ActFunction]:
    """Return a decorator that makes a function an act, and returns it unchanged.

    An act is a function for one thing that a person does. It is entered into ACTS.

    settings: the fields of `Act`, except `name` and `run`, which are those of the
        function.
    """

    def register(function: ActFunction) -> ActFunction:
        """Enter a function into ACTS by its name as an act, and return it."""
        name = _name(function)
        ACTS[name] = Act(name, function, **settings)
        return function

    return register


def act_of(run: Callable[..., Any]) -> Act:
    """Return the declaration of an act by its function, which `act` has decorated."""
    return ACTS[_name(run)]


def _name(run: Callable[..., Any]) -> str:
    """Return the name of an act: take-back for the function take_back.

    The function import_ has the name import, which in Python is a keyword.
    """
    return run.__name__.strip("_").replace("_", "-")


def always(*_: Any, **__: Any) -> bool:
    """Return True, whatever the arguments are.

    This is the `shows_moves_first` of acts whose effect on the standings people always
    see before the act is done.
    """
    return True


# ------------------------------------------------------------------- docstrings


class Documentation(NamedTuple):
    """A docstring in two parts.

    about: the text before the examples.
    examples: the command lines at its end, such as "keizer undo club.db".
    """

    about: str
    examples: list[str]


def documentation(docstring: str | None) -> Documentation:
    """Split a docstring into its text and the examples at its end.

    A single example stands behind `Example:` on the same line. Several stand below
    `Examples:`, a line each. None, for a function without docstring, has neither.
    """
    text = inspect.cleandoc(docstring or "")
    about, _, rest = text.partition("\n\nExample")
    # Now `rest` begins with ":" or "s:".
    _, _, examples = rest.partition(":")
    lines = [line.strip() for line in examples.splitlines()]
    return Documentation(about, [line for line in lines if line])
