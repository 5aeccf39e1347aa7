"""A table as any spreadsheet program writes it: its headings, and its numbered rows as texts.

CSV with any separator, in UTF-8, UTF-16 or the Windows-1252 of older programs; a JSON list of
objects; .xlsx and .ods, which an add-on reads. What it may come to is counted before it is made.
"""

import csv
import io
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import islice
from math import inf
from pathlib import Path
from typing import NamedTuple, Protocol

from keizer import addons
from keizer.errors import Faults, KeizerError
from keizer.formats import limits, parsing
from keizer.messages import Message, plural, say, term

Rows = list[tuple[int, list[str]]]
"""Rows with their numbers in the file; cells are trimmed texts."""

WORKBOOK, OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
"""How spreadsheets begin: of today, and of an old Excel."""

Score = Callable[[list[str]], int]
"""How many columns a row names, if it can be the heading; else 0."""

_SEPARATORS = ";\t,"
_ABOVE = 50  # rows above a heading, at most
_RATED = re.compile(r"[\s(][0-9]{3,4}\)?$")
"""A cell with a rating behind the name, where the heading has one column."""
_JSON = re.compile(r"\s*(?:\{|\[(?!\s*[0-9]+[.:/-]))")
"""How JSON begins; a line of a chat may begin with a date or a time in brackets."""


class Place:
    """Where in a file a reader is, for its errors: `club.csv, line 3`."""

    def __init__(self, path: Path, unit: str = "line") -> None:
        self.path, self.unit, self.number = path, unit, 1

    def said(self) -> str | Message:
        """It in a sentence."""
        file, unit = limits.called(self.path), term(self.unit)
        if not self.number:
            return file
        return say("{file}, {unit} {number}", file=file, unit=unit, number=self.number)


class Table(NamedTuple):
    """Headings and, below them, rows with their numbers in the file; cells are trimmed texts.

    place: of what is read of it next. faults: of lines with fewer cells than there are headings,
    or more. note: how it was read, where that is not certain. guess: of one without headings.
    """

    headings: list[str]
    rows: Rows
    place: Place
    faults: Faults
    note: Message | None = None
    guess: "Guess | None" = None

    def called(self, place: int) -> str | Message:
        """Return what a column is called: by its heading, or else by its number."""
        return self.headings[place] or say("column {number}", number=place + 1)

    def find_failures(self, used: Iterable[int]) -> None:
        """Add a fault for each formula that failed, in the columns that are used."""
        places = sorted(used)
        for number, cells in self.rows:
            for place in places:
                if parsing.is_failure(cells[place]):
                    self.faults.append(
                        (number, _failed(self.called(place), cells[place]))
                    )


def _failed(column: str | Message, cell: str) -> Message:
    """Say what is wrong with the formula of a cell."""
    if cell == parsing.NO_RESULT:
        return say(
            "{column}: the result of a formula is not in the file: save it again in its program.",
            column=column,
        )
    return say(
        "{column}: “{typed}” is the error of a formula.", column=column, typed=cell
    )


class Guess(Protocol):
    """What is not certain of a table that had no headings."""

    def unclear(self, table: Table, columns: Mapping[str, int]) -> Faults:
        """Return what may be of another column. columns: where each of ours is in the table."""

    def is_doubtful(self, line: int, name: str, rating: int | None) -> bool:
        """Return whether a line, told of in the order of the file, may be no member at all."""


Loose = Callable[[Rows, Place], Table]
"""Makes a table of rows without a heading."""


def read(
    path: Path, score: Score, missing: Message, loose: Loose | None = None
) -> Table:
    """The table of a file; KeizerError, with the place, where there is none.

    score: the first row that has one is the heading; of a spreadsheet, on the first such sheet.
    missing: what is said where no row has; loose: what reads it then.
    """
    data = limits.read(path, limits.SEASON)
    place = Place(path)
    with parsing.naming(place.said):
        if data.startswith((WORKBOOK, OLD_WORKBOOK)):
            place.unit, place.number = "row", 0  # the file as a whole
            return _below(_sheet(data, score), score, missing, place, loose)
        text, note = _text(data, place)
        if _JSON.match(text):
            rows, loose = _objects(text, place), None
            if not rows:
                return Table([], [], place, [])
        else:
            rows = _lines(text, score, place)
        place.number = 1
        return _below(rows, score, missing, place, loose)._replace(note=note)


def _below(
    rows: Rows, score: Score, missing: Message, place: Place, loose: Loose | None
) -> Table:
    """The table whose heading is the first row with a score."""
    limits.check(rows=len(rows))
    limits.check(columns=max((len(cells) for _, cells in rows), default=0))
    index = next(
        (i for i, (_, cells) in enumerate(rows[:_ABOVE]) if score(cells)), None
    )
    if index is None and loose:
        return loose(rows, place)
    if index is None:
        raise KeizerError(missing)
    headings = rows[index][1]
    behind = any(_RATED.search(" ".join(cells)) for _, cells in rows[index:])
    if loose and behind and len([*filter(None, headings)]) == 1:
        return loose(rows[index + 1 :], place)
    width = max(number for number, heading in enumerate(headings, 1) if heading)
    limits.check(cells=len(rows) * len(headings))
    table = Table(headings, [], place, [])
    for number, cells in rows[index + 1 :]:
        if (
            place.unit == "line"
            and any(cells)
            and (len(cells) < width or any(cells[width:]))
        ):
            fault = plural(
                "{number:,} cell where the heading has {width}: a separator is missing, or is part"
                " of a cell.",
                "{number:,} cells where the heading has {width}: a separator is missing, or is part"
                " of a cell.",
                len(cells),
                width=width,
            )
            table.faults.append((number, fault))
        if any(len(cell) > limits.CELL for cell in cells):
            place.number = number
            raise limits.too_large(limits.CELL)
        if any(cells):
            table.rows.append((number, cells + [""] * (len(headings) - len(cells))))
    return table


# ------------------------------------------------------------------- as text


def _text(data: bytes, place: Place) -> tuple[str, Message | None]:
    """The text of a file, and a message where its encoding is guessed."""
    place.number = 0  # the file as a whole
    encoding = "utf-16" if parsing.is_utf_16(data) else "utf-8-sig"
    if encoding != "utf-16":
        parsing.check_kind(data)
    try:
        return data.decode(encoding), None
    except UnicodeDecodeError as error:
        if encoding == "utf-16":
            raise KeizerError("this is no UTF-16 text, though it begins so.") from error
        place.number = data[: error.start].count(b"\n") + 1
    text = parsing.decoded(data)
    return text, parsing.guessed(text)


def _lines(text: str, score: Score, place: Place) -> Rows:
    """The rows of CSV, or the lines where nothing separates cells; counted before they are made."""
    for place.number, line in enumerate(limits.lines_of(text), 1):
        if len(line) > limits.LINE:
            raise limits.too_large(limits.LINE)
    separator = _separator(text, score)
    if not separator:
        return [*enumerate(([line] for line in limits.lines_of(text)), 1)]
    limits.check(cells=text.count(separator))
    return [*csv_rows(text, separator, place)]


def csv_rows(
    text: str, separator: str, place: Place
) -> Iterator[tuple[int, list[str]]]:
    """Each row of CSV, with the line where it begins, which is the place meanwhile."""
    place.number = 1
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    for row in rows:
        yield place.number, [cell.strip() for cell in row]
        place.number = rows.line_num + 1


def _separator(text: str, score: Score) -> str:
    """What separates the cells of a heading, by the columns that it then has; "" without one."""

    def best(separator: str) -> int:
        found = 0
        with suppress(csv.Error):
            for _, cells in islice(csv_rows(text, separator, Place(Path())), _ABOVE):
                if len(cells) <= limits.COLUMNS:
                    found = max(found, score(cells))
        return found

    found = max(_SEPARATORS, key=best)
    return found if best(found) else ""


_OBJECTS = """
json_each(CASE json_type(?1) WHEN 'object' THEN json_array(json(?1)) ELSE ?1 END) AS one"""
_CELLS = f"""
SELECT one.key + 1, one.type, cell.key, cell.value, cell.type
FROM {_OBJECTS}
LEFT JOIN json_each(CASE one.type WHEN 'object' THEN one.value ELSE '{{}}' END) AS cell"""


def _objects(text: str, place: Place) -> Rows:
    """A JSON list of objects as rows, of which the first has their keys."""
    place.unit, place.number = "row", 0  # the file as a whole
    rows = defaultdict[int, dict[str, str]](dict)
    columns: dict[str, None] = {}
    try:
        with closing(sqlite3.connect(":memory:")) as conn:
            if parsing.NUL in text:
                told = f"SELECT one.key + 1, one.value FROM {_OBJECTS}"
                for place.number, value in conn.execute(told, (text,)):
                    parsing.check_nul(str(value))
            parsing.check_nul(text)
            for place.number, kind, column, value, type_ in conn.execute(
                _CELLS, (text,)
            ):
                row = rows[place.number]
                if kind != "object":
                    raise KeizerError(
                        "this is no object: the file has to be a list of objects."
                    )
                if type_ in ("true", "false", "array", "object"):
                    raise KeizerError(
                        "{column} is neither a text nor a number.", column=column
                    )
                if value in (inf, -inf):
                    raise KeizerError(
                        "{column} is a number that is too large.", column=column
                    )
                if column in row:
                    raise KeizerError("an object has a key twice.")
                if column is not None:
                    row[column] = parsing.shown(value)
                    columns[column] = None
                limits.check(
                    rows=len(rows), columns=len(columns), cells=len(rows) * len(columns)
                )
    except sqlite3.OperationalError as error:
        raise KeizerError("this is not JSON, or broken.") from error
    cells = [[row.get(column, "") for column in columns] for row in rows.values()]
    return [*enumerate([[*columns], *cells])] if rows else []


# ------------------------------------------------------------------ as sheets


def _sheet(data: bytes, score: Score) -> Rows:
    """The rows of the first sheet of a workbook that has a heading, else of the first with any."""
    first: Rows = []
    sheets: Iterator[Rows] = addons.import_part("exchange.workbooks").sheets(data)
    for rows in sheets:
        if any(score(row) for _, row in rows[:_ABOVE]):
            return rows
        first = first or rows
    return first
