"""Spreadsheets, .xlsx and .ods: the rows of each sheet, by python-calamine of extra `spreadsheets`.

The library makes room for every cell up to the last, and for the text of each. So a workbook is
counted before: a file of 5 KB may ask for a terabyte.
"""

import io
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from xml.parsers import expat

from keizer.errors import KeizerError, need
from keizer.formats import limits
from keizer.formats.parsing import shown
from keizer.messages import say

Rows = list[tuple[int, list[str]]]
"""Rows with their numbers in the file; cells are trimmed texts."""

ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
BEGIN = (ZIP, _OLD_EXCEL)
"""How spreadsheets begin."""

TORN = (
    zipfile.BadZipFile, zlib.error, struct.error, expat.ExpatError, EOFError, LookupError, OSError,
    NotImplementedError, OverflowError, RuntimeError, ValueError,
)  # fmt: skip
"""What is raised about a zip, or XML in it, that is not whole."""

_PANIC = "PanicException"
"""What the library raises, besides, about a date that cannot be: pyo3 has no name for it."""

_NO_XML = "mimetype"
_PARTS = (".xml", ".rels", _NO_XML)
"""How the names of parts end that the library reads; one of an .ods is no XML."""
_BROKEN = say("this spreadsheet is broken: open it in its program and save it anew, or as CSV.")


def sheets(data: bytes) -> Iterator[Rows]:
    """The rows of each sheet that has any; KeizerError for a workbook that cannot be read."""
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

    cells = 0  # of all sheets: several may be one part of the file
    try:
        book = CalamineWorkbook.from_filelike(_unpacked(data))
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            cells += sum(map(len, sheet))
            limits.check(cells=cells)
            rows = [(number, [*map(shown, row)]) for number, row in enumerate(sheet, 1)]
            if any(any(row) for _, row in rows):
                yield rows
    except (CalamineError, *TORN) as error:
        raise KeizerError(_BROKEN) from error
    except BaseException as error:
        if type(error).__name__ == _PANIC:
            raise KeizerError(_BROKEN) from error
        raise


def _unpacked(data: bytes) -> io.BytesIO:
    """A workbook without compression, once it is known to be as small as it should be."""
    copy, left, size = io.BytesIO(), limits.SHEETS, _Size()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(copy, "w") as unpacked:
        names = dict.fromkeys(packed.namelist())
        plain = {name.replace("\\", "/").lower() for name in names}  # as the library finds them
        found = [part for name, part in _KINDS.items() if name in plain]
        if len(found) != 1:
            raise KeizerError("this is neither .xlsx nor .ods: save it as one of them, or as CSV.")
        for name in names:
            if not name.endswith(_PARTS):  # pictures and macros
                continue
            if packed.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise KeizerError(_BROKEN)
            with packed.open(name) as file:
                part = file.read(left + 1)
            left -= len(part)
            if left < 0:
                raise limits.too_large(limits.SHEETS)
            if name != _NO_XML:
                found[0](size).read(part)
            unpacked.writestr(name, part)
    size.check_shared_texts()
    copy.seek(0)
    return copy


class _Size:
    """What is counted of a workbook: how far its filled cells go, and the letters in them.

    rows: of all sheets, one below the other. A text that cells share, or that is repeated,
    counts for each of the cells.
    """

    def __init__(self) -> None:
        self.rows = self._columns = self._letters = 0
        self.shared_texts: list[list[int]] = []
        """The letters of each, by part of the file: there is one with such texts."""
        self.uses = Counter[int]()
        """How many cells have a shared text, by its number."""

    def fill(self, row: int, column: int) -> None:
        """Count a filled cell; KeizerError where there would be room for too many."""
        self.rows, self._columns = max(self.rows, row), max(self._columns, column)
        if self.rows * self._columns > limits.CELLS:
            raise KeizerError(
                "a sheet goes down to row {row:,} and over {columns:,} columns, more than is read:"
                " delete what is empty, or save it as CSV.",
                row=self.rows,
                columns=self._columns,
            )

    def write(self, letters: int) -> None:
        """Count letters; KeizerError where there are too many."""
        self._letters += letters
        if self._letters > limits.SEASON:
            raise limits.too_large(limits.SEASON)

    def check_shared_texts(self) -> None:
        """Count the texts that cells share, once everything was read."""
        for texts in self.shared_texts:
            for number, times in self.uses.items():
                if number < len(texts):
                    self.write(times * texts[number])


class _Part:
    """Counts what a part of a workbook has: an XML, of which no tree is built."""

    def __init__(self, size: _Size) -> None:
        self.size, self.row, self.column = size, size.rows, 0

    def read(self, part: bytes) -> None:
        """Go through it; KeizerError where it is too much."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self.doctype
        parser.StartElementHandler = lambda name, attributes: self.start(_local(name), attributes)
        parser.EndElementHandler = lambda name: self.end(_local(name))
        parser.CharacterDataHandler = self.text
        parser.Parse(part, True)  # noqa: FBT003 - it takes no keyword

    def doctype(self, *_: object) -> None:
        """Refuse it: no program writes one, and it may declare texts of any size."""
        raise KeizerError(_BROKEN)

    def start(self, element: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        raise NotImplementedError

    def end(self, element: str) -> None:
        """An element ends."""

    def text(self, letters: str) -> None:
        """There is text."""
        raise NotImplementedError


class _ExcelPart(_Part):
    """One of an .xlsx. A cell says where it is, as in B7; or it is behind the one before."""

    def __init__(self, size: _Size) -> None:
        super().__init__(size)
        self._above, self._element = size.rows, ""
        self._is_shared, self._number = False, ""
        """Whether the cell has the number of a shared text; what was read of that."""
        self._texts: list[int] = []
        size.shared_texts.append(self._texts)

    def start(self, element: str, attributes: dict[str, str]) -> None:
        """A row, a cell, its value; or a text that cells share."""
        self._element = element
        if element == "row":
            self._go_to(attributes.get("r", ""), self.row + 1, 0)
        elif element == "c":
            self._go_to(attributes.get("r", ""), self.row, self.column + 1)
            self._is_shared = attributes.get("t") == "s"
            self.size.fill(self.row, self.column)
        elif element == "si":
            self._texts.append(0)
            limits.check(cells=len(self._texts))

    def _go_to(self, place: str, row: int, column: int) -> None:
        """Go to a place such as B7, or 7; where it is none, to this row and column."""
        found = re.fullmatch("([A-Za-z]*)([0-9]+)", place)
        self.row, self.column = row, column
        if found:
            self.row, self.column = self._above + int(found[2]), 0
            for letter in found[1].upper():
                self.column = 26 * self.column + ord(letter) - 64

    def end(self, element: str) -> None:
        """The number of a shared text is read."""
        self._element = ""
        if element == "v" and self._number:
            self.size.uses[int(self._number)] += 1
            self._number = ""

    def text(self, letters: str) -> None:
        """Of a shared text, its number, or of a cell."""
        if self._texts:
            self._texts[-1] += len(letters)
        elif self._is_shared and self._element == "v":
            self._number += letters
        else:
            self.size.write(len(letters))


class _OpenDocumentPart(_Part):
    """One of an .ods. Rows and cells are repeated, and so are spaces."""

    def __init__(self, size: _Size) -> None:
        super().__init__(size)
        self._rows_alike = self._cells_alike = 1
        self._paragraphs = 0

    def start(self, element: str, attributes: dict[str, str]) -> None:
        """A table, a row, a cell, a text in it, or spaces."""
        if element == "table":
            self.row = self.size.rows
        elif element == "table-row":
            self._rows_alike = _repeated("number-rows-repeated", attributes)
            self.row += self._rows_alike
            self.column = 0
        elif element in ("table-cell", "covered-table-cell"):
            self._cells_alike = _repeated("number-columns-repeated", attributes)
            self.column += self._cells_alike
            if any("value" in name or "formula" in name for name in attributes):
                self.size.fill(self.row, self.column)
                self._write(sum(map(len, attributes.values())))
        elif element == "p":
            self._paragraphs += 1
            self.size.fill(self.row, self.column)
        elif element == "s":
            self._write(_repeated("c", attributes))

    def end(self, element: str) -> None:
        """A text ends: what stands between cells is for who reads the XML."""
        if element == "p":
            self._paragraphs -= 1

    def text(self, letters: str) -> None:
        """Of a cell."""
        if self._paragraphs:
            self._write(len(letters))

    def _write(self, letters: int) -> None:
        self.size.write(letters * self._rows_alike * self._cells_alike)


_KINDS = {"xl/workbook.xml": _ExcelPart, "content.xml": _OpenDocumentPart}
"""What counts the parts of a workbook, by the name of the one that each of its kind has."""


def _repeated(what: str, attributes: dict[str, str]) -> int:
    """How often something is there, which an attribute says."""
    return next((int(text) for name, text in attributes.items() if _local(name) == what), 1)


def _local(name: str) -> str:
    """The name of an element or an attribute without its prefix."""
    return name.rpartition(":")[2]
