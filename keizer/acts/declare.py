"""What an act is: declared once in its signature, and read from there by every face.

An act is a function for one thing that a person does. Its first parameter is the season, the
others are annotated with how what people type is read, and with what they are for. The command's
options, the form's fields, the call of a program and the method of `keizer.Season` are made of
that; so are the tables of docs/api.md. What an act needs beside is in its declaration: `Act`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import inf
from operator import index
from os import PathLike, fspath
from typing import Any, NamedTuple, TypeVar

from keizer.errors import KeizerError
from keizer.messages import Message, term
from keizer.season.names import spelling

GUEST, PHONE, MEMBER, DIRECTOR = range(4)
"""Nobody known; who has the link of the hall; who has a personal link; the director."""

Who = int | str
"""A player: their id, or their name as typed."""

Run = TypeVar("Run", bound=Callable[..., Any])


NEEDED = object()
"""The default of a parameter that has none."""


class FieldError(KeizerError):
    """What is wrong with a parameter, by its name in a form."""

    def __init__(self, field: str, wrong: Message | None = None) -> None:
        """wrong: what is wrong with what was typed; None: nothing was."""
        if wrong:
            super().__init__("{field}: {wrong}", field=label(field), wrong=wrong)
        else:
            super().__init__("“{field}” is missing.", field=label(field))
        self.field = field


class Reader(NamedTuple):
    """How what people type for a parameter is read; KeizerError where it makes no sense."""

    metavar: str
    read: Callable[[str], Any]
    many: bool = False
    """Whether that is a list already, or a word for all there are."""
    lists: bool = False
    """Whether what is typed several times is one list."""


def whole(known: range, typed: str) -> int:
    """A whole number among those known."""
    plain = typed.strip()
    if not spelling.is_number(plain.removeprefix("-")) or int(plain) not in known:
        raise KeizerError(
            "“{typed}” is no whole number from {first} to {last}.",
            typed=spelling.shortened(typed),
            first=known[0],
            last=known[-1],
        )
    return int(plain)


def number(first: int = 0, last: int = 10**12) -> Reader:
    """A whole number between these two."""
    return Reader("N", lambda typed: whole(range(first, last + 1), typed))


def choice(*words: str) -> Reader:
    """One of some words."""

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
    """Return a reader that also takes an empty text or the word none, for no detail at all."""
    return reader._replace(
        read=lambda typed: (
            "" if typed.casefold() in ("", "none") else reader.read(typed)
        )
    )


def _points(typed: str) -> float:
    with suppress(ValueError):
        points = float(typed.strip().replace(",", ".").replace("−", "-"))
        if abs(points) < inf:
            return points
    raise KeizerError(
        "“{typed}” is no number of points.", typed=spelling.shortened(typed)
    )


def _flag(typed: str) -> bool:
    plain = typed.strip().casefold()
    if plain in ("", "0", "no", "false", "off"):
        return False
    if plain in ("1", "yes", "true", "on"):
        return True
    raise KeizerError(
        "“{typed}” is neither yes nor no.", typed=spelling.shortened(typed)
    )


def _boards(typed: str) -> list[int] | str:
    if typed.strip() == "all":
        return "all"
    return spelling.numbers(typed, "a board", range(1, 1000))


def _round(first: int) -> Reader:
    return Reader(
        "R", lambda typed: whole(range(first, 1000), spelling.round_number(typed))
    )


def _pair(typed: str) -> tuple[str, str]:
    both = typed.split("\n") if "\n" in typed else typed.split()
    if len(both) != 2:  # noqa: PLR2004
        raise KeizerError("“{typed}” is not two players: a line for each.", typed=typed)
    return both[0].strip(), both[1].strip()


def _path(typed: str) -> Any:
    from pathlib import Path

    return Path(typed)


def _date(typed: str) -> str:
    from datetime import date

    parts = typed.strip().replace(".", "-").split("-")
    with suppress(ValueError, TypeError, OverflowError):
        return str(date(*map(int, parts if len(parts[0]) > 2 else parts[::-1])))  # noqa: PLR2004
    plain = spelling.shortened(typed)
    raise KeizerError(
        "“{typed}” is no date, such as 2026-03-12 or 12-3-2026.", typed=plain
    )


TEXT = Reader("TEXT", str.strip)
DATE = Reader("DATE", lambda typed: typed if typed in ("", "none") else _date(typed))
DATES = DATE._replace(
    read=lambda typed: [*map(_date, typed.split(","))], many=True, lists=True
)
PLAYER = Reader("NAME", str.strip)
KIND, PRESET, FOLDER = (
    Reader(word, str.strip) for word in ("KIND", "PRESET", "FOLDER")
)
ROUND, ROUND_OR_START = _round(1), _round(0)
EACH_ROUND = Reader(
    "R", lambda typed: spelling.numbers(typed, "a round", range(1, 1000)), many=True
)
ROUNDS = EACH_ROUND._replace(lists=True)
BOARDS = Reader("BOARDS", _boards, many=True, lists=True)
"""Numbers as in 1-5,8, or the word all."""
BOARD = number(1, 999)
PAIR = Reader("WHITE BLACK", _pair)
"""Two players: numbers, or a line each."""
POINTS = Reader("POINTS", _points)
RATING = number(0, 4000)
FLAG = Reader("", _flag)
FILE = Reader("FILE", _path)
"""The path of a file; a form has one uploaded, or pasted."""


class Parameter(NamedTuple):
    """A parameter of an act: its name, how it is read, what it is for, and its default."""

    name: str
    reader: Reader
    about: str
    default: Any
    placed: bool
    """Whether it is typed at its place, without a name."""
    several: bool
    """Whether it can be there several times, and takes a list."""

    @property
    def needed(self) -> bool:
        """Whether it has no default."""
        return self.default is NEEDED and not self.several

    @property
    def field(self) -> str:
        """What it is called in a form, and behind -- on the command line with hyphens."""
        return self.name.strip("_")

    def read(self, value: Any) -> Any:
        """What was typed for it, or what Python gave: a text, a number, or several in one."""
        try:
            return self._read(value)
        except KeizerError as error:
            raise FieldError(self.field, error.said) from error

    def _read(self, value: Any) -> Any:
        reader = self.reader
        if isinstance(value, str | PathLike):
            return reader.read(spelling.text(fspath(value)))
        if isinstance(value, bool):
            if reader is FLAG:
                return value
        elif hasattr(value, "__index__"):
            read = reader.read(spelling.digits(index(value)))
            return index(value) if reader is PLAYER else read
        elif isinstance(value, float) and reader is POINTS:
            return reader.read(repr(float(value)))
        elif reader is PAIR and isinstance(value, tuple | list) and len(value) == 2:  # noqa: PLR2004
            return tuple(value)
        elif isinstance(value, Iterable) and reader.many:
            found = [self._read(one) for one in value]
            return "all" if "all" in found else [one for some in found for one in some]
        kind = type(value).__name__
        raise KeizerError("a value of type {type} does not go there.", type=kind)

    def given(self, value: Any) -> Any:
        """What Python gave for it: each text in it read as if it was typed."""
        if value is self.default:
            return value
        if not self.several:
            return self.read(value)
        alone = isinstance(value, str) or not isinstance(value, Iterable)
        return [self.read(one) for one in ([value] if alone else value)]

    def values(self, typed: Sequence[str]) -> Any:
        """What was typed for it, once or several times; its default where nothing was."""
        found = [one for one in typed if one.strip()]
        if not found:
            if self.needed:
                raise FieldError(self.field)
            return [] if self.default is NEEDED else self.default
        read = [self.read(one) for one in found]
        if self.reader.lists and "all" not in read:
            return [one for some in read for one in some]
        return read if self.several else read[-1]


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


class Act(NamedTuple):
    """Something a person does.

    rights: who may. rests_on: tables; where they changed since a page was shown, its form is
    refused. shows_first: of the tournament and the parameters, whether people see what would
    change before it is done. before: why a snapshot is kept. finished: also of a season that is
    finished. whole: it opens the file itself; its first parameter is the session. prepare: makes
    of the session and the parameters, while the file is not locked, those that the act gets.
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
        """What it does, in a sentence."""
        return " ".join((self.run.__doc__ or "").partition("\n\n")[0].split())

    def parameters(self) -> Iterator[Parameter]:
        """All but the season."""
        for one in self._signature()[1:]:
            if not hasattr(one.annotation, "__metadata__"):  # for Python alone
                continue
            reader, about = one.annotation.__metadata__
            default = NEEDED if one.default is one.empty else one.default
            lists = isinstance(default, tuple) and not reader.lists
            several = one.kind is one.VAR_POSITIONAL or lists
            placed = one.kind is not one.KEYWORD_ONLY
            yield Parameter(one.name, reader, about, default, placed, several)

    def _signature(self) -> list[inspect.Parameter]:
        return [*inspect.signature(self.run).parameters.values()]

    def given(self, args: Sequence[Any], named: dict[str, Any]) -> dict[str, Any]:
        """What Python gave, each text in it read as if it was typed; `*`: those at their places."""
        there = self._signature()[1:]
        behind = (
            inspect.Parameter.POSITIONAL_ONLY,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
        )
        places = [one.name for one in there if one.kind in behind]
        known = {one.name: one for one in self.parameters()}
        star = next(
            (known[one.name] for one in there if one.kind is one.VAR_POSITIONAL), None
        )

        def given(name: str, value: Any) -> Any:
            return known[name].given(value) if name in known else value

        read = [given(*one) for one in zip(places, args, strict=False)]
        read += [star.read(one) if star else one for one in args[len(read) :]]
        return {
            "*": read,
            **{name: given(name, value) for name, value in named.items()},
        }


class Said(NamedTuple):
    """What was done, in a message."""

    said: Message


ACTS: dict[str, Act] = {}
"""Every act that was read, by name; the modules of this package declare them."""


def act(**settings: Any) -> Callable[[Run], Run]:
    """Declare a function as an act; settings: as of `Act`."""

    def declare(run: Run) -> Run:
        name = run.__name__.strip("_").replace("_", "-")
        ACTS[name] = Act(name, run, **settings)
        return run

    return declare


def always(*_: Any, **__: Any) -> bool:
    """For an act of which people always see first what would change."""
    return True


class Documentation(NamedTuple):
    """The text of a docstring, and the command lines at its end."""

    about: str
    examples: list[str]


def documentation(docstring: str | None) -> Documentation:
    """Part a docstring: one example stands behind `Example:`, several below `Examples:`."""
    about, _, examples = inspect.cleandoc(docstring or "").partition("\n\nExample")
    lines = examples.partition(":")[2].splitlines()
    return Documentation(about, [line.strip() for line in lines if line.strip()])


def of(run: Callable[..., Any]) -> Act:
    """The act that a function is."""
    return ACTS[run.__name__.strip("_").replace("_", "-")]
