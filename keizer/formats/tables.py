"""A table as any spreadsheet program writes it: its headings, and its numbered rows as texts.

CSV with any separator, in UTF-8, UTF-16 or the Windows-1252 of older programs; a JSON list of
objects; .xlsx and .ods by python-calamine, of the extra `spreadsheets`.
"""

import codecs
import csv
import io
import re
import sqlite3
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from keizer.errors import Faults, KeizerError, need
from keizer.formats import facts, limits
from keizer.messages import Message, plural, say, term

Score = Callable[[list[str]], int]
"""How many columns a row names, if it can be the heading; else 0."""

Rows = list[tuple[int, list[str]]]
"""Rows with their numbers in the file; cells are trimmed texts."""

_SEPARATORS = ";\t,"
_ABOVE = 50  # rows above a heading, at most
_RATED = re.compile(r"[\s(][0-9]{3,4}\)?$")
"""A cell with a rating behind the name, where the heading has one column."""
_BOMS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_PARTS = (".xml", ".rels", "mimetype")
_KIND = b"application/vnd.oasis.opendocument.spreadsheet"
"""What the part of an .ods that is no XML says; a template says -template as well."""
TORN = (
    zipfile.BadZipFile, zlib.error, struct.error, expat.ExpatError, EOFError, LookupError, OSError,
    NotImplementedError, OverflowError, RuntimeError, ValueError,
)  # fmt: skip
"""What is raised about a zip, or XML in it, that is not whole."""
_BROKEN = say("this spreadsheet is broken: open it in its program and save it anew, or as CSV.")


class Place:
    """Where in a file a reader is, for its errors: `club.csv, line 3`."""

    def __init__(self, path: Path) -> None:
        self.path, self.unit, self.number = path, "line", 1

    def said(self) -> str | Message:
        """It in a sentence."""
        file, unit = limits.called(self.path), term(self.unit)
        if not self.number:
            return file
        return say("{file}, {unit} {number}", file=file, unit=unit, number=self.number)


class Table(NamedTuple):
    """Headings and, below them, rows with their numbers in the file; cells are trimmed texts.

    place: of what is read of it next. faults: of lines with fewer cells than there are headings,
    or more. note: how it was read, where that is not certain. guessed: it had no headings.
    """

    headings: list[str]
    rows: Rows
    place: Place
    faults: Faults
    note: Message | None = None
    guessed: bool = False


Loose = Callable[[Rows, Place], Table]
"""Makes a table of rows without a heading."""


def read(path: Path, score: Score, missing: Message, loose: Loose | None = None) -> Table:
    """The table of a file; KeizerError, with the place, where there is none.

    score: the first row that has one is the heading; of a spreadsheet, on the first such sheet.
    missing: what is said where no row has; loose: what reads it then.
    """
    data = limits.read(path, limits.SEASON)
    place = Place(path)
    with facts.naming(place.said):
        if data.startswith((_ZIP, _OLD_EXCEL)):
            place.unit, place.number = "row", 0  # the file as a whole
            sheets = [*_sheets(data)]
            headed = (rows for rows in sheets if any(score(row) for _, row in rows[:_ABOVE]))
            return _below(next(headed, next(iter(sheets), [])), score, missing, place, loose)
        text, note = _text(data, place)
        separator = _separator(text, score)
        if re.match(r"\s*(?:\{|\[(?!\s*[0-9]+[.:/-]))", text):
            rows, loose = _objects(text, place), None
            if not rows:
                return Table([], [], place, [])
        elif separator:
            rows = [*csv_rows(text, separator, place)]
        else:
            rows = [*enumerate(([line] for line in text.splitlines()), 1)]
        place.number = 1
        return _below(rows, score, missing, place, loose)._replace(note=note)


def _below(rows: Rows, score: Score, missing: Message, place: Place, loose: Loose | None) -> Table:
    """The table whose heading is the first row with a score."""
    limits.check(rows=len(rows))
    index = next((i for i, (_, cells) in enumerate(rows[:_ABOVE]) if score(cells)), None)
    if index is None and loose:
        return loose(rows, place)
    if index is None:
        raise KeizerError(missing)
    headings = rows[index][1]
    behind = any(_RATED.search(" ".join(cells)) for _, cells in rows[index:])
    if loose and behind and len([*filter(None, headings)]) == 1:
        return loose(rows[index + 1 :], place)
    width = max(number for number, heading in enumerate(headings, 1) if heading)
    table = Table(headings, [], place, [])
    for number, cells in rows[index + 1 :]:
        if place.unit == "line" and any(cells) and (len(cells) < width or any(cells[width:])):
            fault = plural(
                "{number:,} cell where the heading has {width}: a separator is missing, or is part"
                " of a cell.",
                "{number:,} cells where the heading has {width}: a separator is missing, or is part"
                " of a cell.",
                len(cells),
                width=width,
            )
            table.faults.append((number, fault))
        if any(cells):
            table.rows.append((number, cells + [""] * (len(headings) - len(cells))))
    return table


# ------------------------------------------------------------------- as text


def _text(data: bytes, place: Place) -> tuple[str, Message | None]:
    """The text of a file, and a message where its encoding is guessed."""
    encoding = _BOMS.get(data[:2], "utf-8-sig")
    try:
        return data.decode(encoding), None
    except UnicodeDecodeError as error:
        if encoding == "utf-16":
            raise KeizerError("this is no UTF-16 text, though it begins so.") from error
        place.number = data[: error.start].count(b"\n") + 1
    text = facts.decoded(data)
    strange = next(word for word in re.findall(r"\w+|[^\w\s]", text) if not word.isascii())
    return text, say(
        "this is not UTF-8 text, so it was read as Windows-1252: “{word}”", word=strange[:20]
    )


def csv_rows(text: str, separator: str, place: Place) -> Iterator[tuple[int, list[str]]]:
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
                found = max(found, score(cells))
        return found

    found = max(_SEPARATORS, key=best)
    return found if best(found) else ""


_CELLS = """
SELECT one.key + 1, one.type, cell.key, cell.value, cell.type
FROM json_each(CASE json_type(?1) WHEN 'object' THEN json_array(json(?1)) ELSE ?1 END) AS one
LEFT JOIN json_each(CASE one.type WHEN 'object' THEN one.value ELSE '{}' END) AS cell"""


def _objects(text: str, place: Place) -> Rows:
    """A JSON list of objects as rows, of which the first has their keys."""
    place.unit, place.number = "row", 0  # the file as a whole
    try:
        with closing(sqlite3.connect(":memory:")) as conn:
            found = conn.execute(_CELLS, (text,)).fetchall()
    except sqlite3.OperationalError as error:
        raise KeizerError("this is not JSON, or broken.") from error
    rows = defaultdict[int, dict[str, str]](dict)
    for place.number, kind, column, value, type_ in found:
        row = rows[place.number]
        if kind != "object":
            raise KeizerError("this is no object: the file has to be a list of objects.")
        if type_ in ("true", "false", "array", "object"):
            raise KeizerError("{column} is neither a text nor a number.", column=column)
        if column in row:
            raise KeizerError("an object has a key twice.")
        if column is not None:
            row[column] = _shown(value)
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    cells = [[row.get(column, "") for column in columns] for row in rows.values()]
    return [*enumerate([columns, *cells])] if rows else []


# ------------------------------------------------------------------ as sheets


def _sheets(data: bytes) -> Iterator[Rows]:
    """The rows of each sheet of a workbook that has any."""
    if data.startswith(_OLD_EXCEL):
        raise KeizerError(
            "this is a spreadsheet of an old Excel (.xls), or has a password: save it as .xlsx"
            " without one."
        )
    need(
        "a spreadsheet needs python-calamine: `{python} -m pip install python-calamine`, then"
        " again. Or save it as CSV.",
        "python-calamine",
    )
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_filelike(_unpacked(data))
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            rows = [(number, [*map(_shown, row)]) for number, row in enumerate(sheet, 1)]
            if any(any(cells) for _, cells in rows):
                yield rows
    except (CalamineError, *TORN) as error:
        raise KeizerError(_BROKEN) from error


def _unpacked(data: bytes) -> io.BytesIO:
    """A workbook without compression, once it is known to be as small as it should be.

    The library makes room for every cell up to the last, and ends the program where there is
    none: a file of 5 KB may ask for a terabyte.
    """
    copy, left, extent = io.BytesIO(), limits.SHEETS, _Extent()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(copy, "w") as unpacked:
        if not {"xl/workbook.xml", "content.xml"} & set(packed.namelist()):
            raise KeizerError("this is neither .xlsx nor .ods: save it as one of them, or as CSV.")
        for name in dict.fromkeys(packed.namelist()):
            if not name.endswith(_PARTS):  # pictures and macros
                continue
            if packed.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise KeizerError(_BROKEN)
            with packed.open(name) as file:
                part = file.read(left + 1)
            left -= len(part)
            if left < 0:
                raise limits.too_large(limits.SHEETS)
            if not part.startswith(_KIND):
                extent.read(part)
            unpacked.writestr(name, part)
    if extent.rows * extent.columns > limits.CELLS:  # for so many there has to be room
        raise KeizerError(
            "a sheet goes down to row {row:,} and over {columns:,} columns, more than is read:"
            " delete what is empty, or save it as CSV.",
            row=extent.rows,
            columns=extent.columns,
        )
    copy.seek(0)
    return copy


class _Extent:
    """How far the filled cells of a workbook go: rows and columns of the sheets together."""

    def __init__(self) -> None:
        self.rows = self.columns = self._row = self._above = self._column = 0

    def read(self, part: bytes) -> None:
        """Go through a file of a workbook."""
        self._row = self._above = self.rows
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.Parse(part, True)  # noqa: FBT003 - it takes no keyword

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        name = element.rpartition(":")[2]
        given = re.fullmatch("([A-Za-z]*)([0-9]+)", attributes.get("r", ""))
        filled = name in ("c", "p")
        if name == "table":
            self._row = self._above = self.rows
        elif name in ("row", "table-row"):
            repeated = int(attributes.get("table:number-rows-repeated", 1))
            self._row = self._above + int(given[2]) if given else self._row + repeated
            self._column = 0
        elif name in ("c", "table-cell", "covered-table-cell"):
            self._column += int(attributes.get("table:number-columns-repeated", 1))
            if given:
                self._column = 0
                for letter in given[1].upper():
                    self._column = 26 * self._column + ord(letter) - 64
                self._row = self._above + int(given[2])
            filled = filled or any("value" in key or "formula" in key for key in attributes)
        if filled:
            self.rows = max(self.rows, self._row)
            self.columns = max(self.columns, self._column)


def _shown(cell: object) -> str:
    """A cell of a workbook, or a value of JSON, as CSV has it."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        cell = cell.date()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return str(cell).strip()
