"""What a tournament report file (TRF) says, as plain data, and how its lines are laid out.

Reader and writer share the columns of format.toml; so a field cannot be read from one place and
written to another. Points are whole tenths, as the format has one decimal.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from keizer import resources
from keizer.errors import KeizerError
from keizer.formats import parsing
from keizer.formats.carried import carry
from keizer.formats.notes import Notes
from keizer.messages import Fact, Message, say, term


class Column(NamedTuple):
    """Where a field stands; text begins at the left, numbers end at the right."""

    first: int
    last: int
    left: bool = False


class Repeat(NamedTuple):
    """Fields that go on to the end of the line: first column, width, distance."""

    first: int
    width: int
    step: int


Layout = dict[str, Column]

TRF16: Final = 2016
Edition = Literal[2016, 2026]

FORMAT = resources.table(__file__, "format.toml")
PLAYER, BYE = (
    {field: Column(*place) for field, place in FORMAT["columns"][record].items()}
    for record in ("player", "byes")
)
RECORDS = {
    code for kind in ("players", "teams") for code in FORMAT["records"][kind].split()
}
"""The codes of both editions, national ratings apart."""

BYES = "UFHZ"

CELLS = DATES = Repeat(92, 8, 10)
SYMBOLS = Repeat(6, 5, 9)
BYE_PLAYERS = Repeat(11, 4, 5)

_TENS = re.compile(r" {9}1( {7,9}\d+)*$|DDD SSSS ", re.ASCII)
_TENTHS = re.compile(r"\d{1,2}(\.\d)?|-\d(\.\d)?|\.\d", re.ASCII)


@dataclass(frozen=True)
class Placed:
    """What stood in a file, and the number of its line, for messages."""

    line: int = field(default=0, compare=False, kw_only=True)

    def wrong(self, said: str | Message, /, **facts: Fact) -> KeizerError:
        """The error for a person, as KeizerError has it, with the line before it."""
        return KeizerError(
            "line {line}: {said}", line=self.line, said=say(said, **facts)
        )

    def left_out(self, said: str | Message, /, **facts: Fact) -> Message:
        """The note that something of the line was not read, and why."""
        return self.wrong("left out: {said}", said=say(said, **facts)).message

    def naming(self) -> AbstractContextManager[None]:
        """Put the line before what goes wrong inside."""
        return parsing.naming(say("line {line}", line=self.line))


@carry
@dataclass(frozen=True)
class Line(Placed):
    """A line as it is."""

    text: str

    @property
    def value(self) -> str:
        """What stands behind the code."""
        return self.text[4:].strip(" ")

    def fields(self, layout: Layout, then: Repeat) -> dict[str, str]:
        """The fields of a layout, up to those that are repeated, without blanks around them.

        A character between two columns is an error: the line has slipped.
        """
        found, behind = {}, 3
        for name, column in layout.items():
            self._nothing(behind, column.first - 1)
            found[name] = self.text[column.first - 1 : column.last].strip(" ")
            behind = column.last
        self._nothing(behind, then.first - 1)
        return found

    def several(self, repeat: Repeat) -> list[str]:
        """The repeated fields, blanks kept, without those that are blank at the end."""
        found = []
        for first in range(repeat.first - 1, len(self.text), repeat.step):
            behind = first + repeat.width
            found.append(self.text[first:behind].ljust(repeat.width))
            self._nothing(behind, first + repeat.step)
        while found and not found[-1].strip(" "):
            found.pop()
        return found

    def _nothing(self, start: int, stop: int) -> None:
        for column, character in enumerate(self.text[start:stop], start + 1):
            if character != " ":
                raise self.wrong(
                    "column {column} has “{sign}” and should be blank: the fields have slipped"
                    " out of their columns.",
                    column=column,
                    sign=character,
                )

    def whole(self, what: Message, text: str, least: int, most: int) -> int:
        """The number in a field; KeizerError names what it should be."""
        found = parsing.whole(text)
        if found is None or not least <= found <= most:
            raise self.wrong(
                "{what} “{typed}” is not a number from {least} to {most}.",
                what=what, typed=text, least=least, most=most,
            )  # fmt: skip
        return found

    def start_number(self, text: str) -> int:
        """The start number in a field."""
        return self.whole(say("the start number"), text.strip(" "), 1, 9999)

    def tenths(self, text: str) -> int:
        """Points such as 11.5, in tenths."""
        if not _TENTHS.fullmatch(text):
            raise self.wrong(
                "the points “{typed}” are not points with one decimal, such as 11.5.",
                typed=text,
            )
        return round(float(text) * 10)


@carry
class Cell(NamedTuple):
    """One round of one player, from their side."""

    opponent: int = 0
    """The player's start number; 0 without one."""
    colour: str = "-"
    """w or b; - without one."""
    result: str = " "
    """1 = 0, W D L (under one move), + - (forfeit), U F H Z (byes) or blank."""

    def __str__(self) -> str:
        return f"{self.opponent or '0000':>4} {self.colour} {self.result}"


BLANK = Cell()
"""A round of which the file says nothing; it counts as Z."""


@carry
@dataclass(frozen=True)
class Player(Placed):
    """A line 001."""

    number: int
    name: str
    points: int | None
    """None where the file has none yet."""
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: int | None = None
    born: str = ""
    rank: int | None = None
    rounds: tuple[Cell, ...] = ()
    """From round 1."""

    def round(self, number: int) -> Cell:
        """Their round of this number, blank where their line ends before."""
        return self.rounds[number - 1] if number <= len(self.rounds) else BLANK


@carry
@dataclass(frozen=True)
class Bye(Placed):
    """Of a line 240: who is known not to play in a round to come, and F, H or Z for it."""

    kind: str
    round: int
    player: int


@carry
@dataclass
class Report:
    """A whole file."""

    players: list[Player] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)
    dates: dict[int, str] = field(default_factory=dict)
    """Of the rounds, YYYY-MM-DD."""
    tenths: dict[str, int] = field(default_factory=dict)
    """What rounds bring, in the words of XXS, where the file says it."""
    lines: dict[str, Line] = field(default_factory=dict)
    """The others by code: 012 is the name of the tournament, 022 the city, ..."""
    notes: Notes = field(default_factory=Notes)
    """What was left out, since it is not as it should be and no result hangs on it."""

    def rounds(self) -> int:
        """How many rounds the players' lines have."""
        return max((len(player.rounds) for player in self.players), default=0)

    def planned(self) -> list[tuple[Line, int]]:
        """How many rounds there are to be, and the line that says so."""
        lines = [self.lines[code] for code in ("142", "XXR") if code in self.lines]
        what = say("the number of rounds")
        return [(line, line.whole(what, line.value, 1, 999)) for line in lines]


def is_ruler(text: str) -> bool:
    """Whether this is one of the lines with which some programs number the columns."""
    ones = text in "0123456789" * (len(text) // 10 + 2) and len(text) >= len(
        "1234567890"
    )
    return ones or bool(_TENS.match(text))


def points(tenths: int) -> str:
    """Tenths of a point as the format writes them."""
    return f"{tenths / 10:.1f}"


def laid(code: str, layout: Layout, values: Mapping[str, object]) -> str:
    """The code of a line and the fields in their columns; KeizerError where one has no room."""
    line = code
    for name, column in layout.items():
        stored, width = values[name], column.last - column.first + 1
        value = "" if stored is None else str(stored)
        if len(value) > width:
            raise KeizerError(
                "{column} “{value}” has no room in a TRF: {width} characters.",
                column=term(name.replace("_", " ")), value=value, width=width,
            )  # fmt: skip
        value = value.ljust(width) if column.left else value.rjust(width)
        line = line.ljust(column.first - 1) + value
    return line


def repeated(line: str, repeat: Repeat, values: Iterable[str]) -> str:
    """The line with the repeated fields behind it."""
    for index, value in enumerate(values):
        line = line.ljust(repeat.first - 1 + index * repeat.step) + value.rjust(
            repeat.width
        )
    return line
