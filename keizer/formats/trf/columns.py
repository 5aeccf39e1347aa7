"""The columns of the fixed records, counted from 1 as FIDE's tables do.

Reader and writer share these; so a field cannot be read from one place and
written to another.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from keizer.errors import KeizerError


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

PLAYER: Layout = {
    "number": Column(5, 8),
    "sex": Column(10, 10),
    "title": Column(11, 13),
    "name": Column(15, 47, left=True),
    "rating": Column(49, 52),
    "federation": Column(54, 56, left=True),
    "fide_id": Column(58, 68),
    "born": Column(70, 79, left=True),
    "points": Column(81, 84),
    "rank": Column(86, 89),
}
ROUNDS = Repeat(92, 8, 10)
CELL: Layout = {"opponent": Column(1, 4), "colour": Column(6, 6), "result": Column(8, 8)}
DATES = Repeat(92, 8, 10)
SYMBOLS = Repeat(6, 5, 9)
RECORDS: dict[str, tuple[Layout, Repeat]] = {
    "240": ({"kind": Column(5, 5), "round": Column(7, 9)}, Repeat(11, 4, 5)),
    "250": ({"match_points": Column(5, 8), "points": Column(10, 13),
             "round": Column(15, 17), "last_round": Column(19, 21)}, Repeat(23, 4, 5)),
    "260": ({"round": Column(5, 7), "last_round": Column(9, 11)}, Repeat(13, 4, 5)),
    "299": ({"kind": Column(5, 5), "match_points": Column(8, 11), "points": Column(14, 17),
             "round": Column(20, 22)}, Repeat(24, 4, 5)),
}  # fmt: skip
"""Those that end in start numbers."""
TEAM_MEMBERS = {"013": Repeat(37, 4, 5), "310": Repeat(74, 4, 5)}

_DIGITS = 20
_TENS = re.compile(r" {9}1( {7,9}\d+)*$|DDD SSSS ", re.ASCII)
_TENTHS = re.compile(r"\d{1,2}(\.\d)?|-\d(\.\d)?|\.\d", re.ASCII)


def wrong(line: int, said: str) -> KeizerError:
    """The error for a person, with the number of the line."""
    return KeizerError(f"line {line}: {said}")


@dataclass(frozen=True)
class Line:
    """A line of a file, and its number for messages."""

    text: str
    number: int = field(default=0, compare=False)

    def wrong(self, said: str) -> KeizerError:
        """The error for a person."""
        return wrong(self.number, said)

    def at(self, first: int, last: int) -> str:
        """The characters in these columns."""
        return self.text[first - 1 : last]

    def fields(self, layout: Layout, last: int | None = None) -> dict[str, str]:
        """The fields of a layout, without blanks around them.

        last: where the layout ends, if something follows. A character between
        two columns is an error: the line has slipped.
        """
        found, behind = {}, 3
        for name, column in layout.items():
            self._nothing(behind + 1, column.first - 1)
            found[name] = self.at(column.first, column.last).strip(" ")
            behind = column.last
        self._nothing(behind + 1, len(self.text) if last is None else last)
        return found

    def several(self, repeat: Repeat) -> list[str]:
        """The repeated fields, blanks kept, without those that are blank at the end."""
        found = []
        for first in range(repeat.first, len(self.text) + 1, repeat.step):
            found.append(self.at(first, first + repeat.width - 1).ljust(repeat.width))
            self._nothing(first + repeat.width, first + repeat.step - 1)
        while found and not found[-1].strip(" "):
            found.pop()
        return found

    def _nothing(self, first: int, last: int) -> None:
        for column, character in enumerate(self.at(first, last), first):
            if character != " ":
                raise self.wrong(
                    f"column {column} has “{character}” and should be blank:"
                    " the fields have slipped out of their columns."
                )

    def whole(self, what: str, text: str, least: int, most: int) -> int:
        """The number in a field; KeizerError names what it should be."""
        digits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
        if not digits or not least <= int(text) <= most:
            raise self.wrong(f"{what} “{text}” is not a number from {least} to {most}.")
        return int(text)

    def tenths(self, what: str, text: str) -> int:
        """Points such as 11.5, in tenths."""
        if not _TENTHS.fullmatch(text):
            raise self.wrong(f"{what} “{text}” are not points with one decimal, such as 11.5.")
        whole, _, tenth = text.lstrip("-").partition(".")
        found = int(whole or 0) * 10 + int(tenth or 0)
        return -found if text.startswith("-") else found


def is_ruler(text: str) -> bool:
    """Whether this is one of the lines with which some programs number the columns."""
    ones = ("1234567890" * (len(text) // 10 + 1)).startswith(text) and text >= "1234567890"
    return ones or bool(_TENS.match(text))


def points(tenths: int | None) -> str:
    """Tenths of a point as the format writes them."""
    if tenths is None:
        return ""
    return f"{'-' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10}"


def laid(layout: Layout, values: dict[str, str]) -> str:
    """The fields in their columns, from column 1.

    Raises KeizerError for what does not fit.
    """
    line = ""
    for name, column in layout.items():
        value, width = values.get(name, ""), column.last - column.first + 1
        if len(value) > width:
            raise KeizerError(
                f"{name.replace('_', ' ')} “{value}” has no room in a TRF: {width} characters."
            )
        value = value.ljust(width) if column.left else value.rjust(width)
        line = line.ljust(column.first - 1) + value
    return line


def repeated(line: str, repeat: Repeat, values: list[str]) -> str:
    """The line with the repeated fields behind it."""
    for index, value in enumerate(values):
        line = line.ljust(repeat.first - 1 + index * repeat.step) + value.rjust(repeat.width)
    return line
