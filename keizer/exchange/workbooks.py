"""Spreadsheets, .xlsx and .ods: the rows of each sheet, by python-calamine of extra `spreadsheets`.

The library makes room for every cell up to the last, and for the text of each. So a workbook is
counted before: a file of 5 KB may ask for a terabyte. Formulas that failed are found then, too: the
library makes empty cells of them.
"""

import io
import re
import struct
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from xml.parsers import expat

from keizer.errors import KeizerError, require_packages
from keizer.formats import limits, parsing
from keizer.formats.parsing import shown
from keizer.formats.tables import OLD_WORKBOOK, Rows
from keizer.messages import say

TORN = (
    zipfile.BadZipFile, zlib.error, struct.error, expat.ExpatError, EOFError, LookupError, OSError,
    NotImplementedError, OverflowError, RuntimeError, ValueError,
)  # fmt: skip
"""What is raised about a zip, or XML in it, that is not whole."""

_PANIC = "PanicException"
"""What the library raises, besides, about a date that cannot be: pyo3 has no name for it."""

_WORKBOOK, _RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
"""Parts of an .xlsx: what its sheets are called, and where they are."""

_NO_XML = "mimetype"
_PARTS = (".xml", ".rels", _NO_XML)
"""How the names of parts end that the library reads; one of an .ods is no XML."""
_BROKEN = say(
    "this spreadsheet is broken: open it in its program and save it anew, or as CSV."
)


def sheets(data: bytes) -> Iterator[Rows]:
    """The rows of each sheet that has any; KeizerError for a workbook that cannot be read."""
    if data.startswith(OLD_WORKBOOK):
        raise KeizerError(
            "this is a spreadsheet of an old Excel (.xls), or has a password: save it as .xlsx"
            " without one."
        )
    require_packages(
        "a spreadsheet needs python-calamine: `{python} -m pip install python-calamine`, then"
        " again. Or save it as CSV.",
        "python-calamine",
    )
    from python_calamine import CalamineError, CalamineWorkbook

    cells = 0  # of all sheets: several may be one part of the file
    try:
        copy, size = _unpacked(data)
        book = CalamineWorkbook.from_filelike(copy)
        size.check_sheets(book.sheet_names)
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            cells += sum(map(len, sheet))
            limits.check(cells=cells)
            rows = [(number, [*map(shown, row)]) for number, row in enumerate(sheet, 1)]
            _write_failures(rows, size.failures_of(name))
            if any(any(row) for _, row in rows):
                yield rows
    except (CalamineError, *TORN) as error:
        raise KeizerError(_BROKEN) from error
    except BaseException as error:
        if type(error).__name__ == _PANIC:
            raise KeizerError(_BROKEN) from error
        raise


Failures = dict[tuple[int, int], str]
"""By row and column of a sheet: the error of a formula that failed, or that it has no result."""


def _write_failures(rows: Rows, failures: Failures) -> None:
    """Write into the rows of a sheet which formulas failed."""
    for (row, column), error in failures.items():
        rows += [(number, []) for number in range(len(rows) + 1, row + 1)]
        cells = rows[row - 1][1]
        cells += [""] * (column - len(cells))
        cells[column - 1] = error


def _unpacked(data: bytes) -> tuple[io.BytesIO, "_Size"]:
    """A workbook without compression, once it is known to be as small as it should be."""
    copy, left, size = io.BytesIO(), limits.SHEETS, _Size()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as packed,
        zipfile.ZipFile(copy, "w") as unpacked,
    ):
        names = dict.fromkeys(packed.namelist())
        # As the library does.
        plain = {name: name.replace("\\", "/").lower() for name in names}
        found = [part for name, part in _KINDS.items() if name in plain.values()]
        if len(found) != 1:
            raise KeizerError(
                "this is neither .xlsx nor .ods: save it as one of them, or as CSV."
            )
        for name in names:
            if not name.endswith(_PARTS):  # pictures and macros
                continue
            if packed.getinfo(name).compress_type not in (
                zipfile.ZIP_STORED,
                zipfile.ZIP_DEFLATED,
            ):
                raise KeizerError(_BROKEN)
            with packed.open(name) as file:
                part = file.read(left + 1)
            left -= len(part)
            if left < 0:
                raise limits.too_large(limits.SHEETS)
            if name != _NO_XML:
                found[0](size, plain[name]).read(part)
            unpacked.writestr(name, part)
    size.check_shared_texts()
    copy.seek(0)
    return copy, size


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
        self.failed = defaultdict[str, Failures](dict)
        """By sheet; in an .xlsx by the part of the file where the sheet is."""
        self.relations: dict[str, str] = {}
        """The relationship of each sheet of an .xlsx, by its name."""
        self.targets: dict[str, str] = {}
        """The part of an .xlsx that each relationship leads to."""

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

    def failures_of(self, sheet: str) -> Failures:
        """Return the failures of a sheet."""
        return self.failed.get(self._part_of(sheet), {})

    def check_sheets(self, sheets: list[str]) -> None:
        """Refuse a workbook with failures in a part that is none of its sheets."""
        if not self.failed.keys() <= {*map(self._part_of, sheets)}:
            raise KeizerError(_BROKEN)

    def _part_of(self, sheet: str) -> str:
        relation = self.relations.get(sheet, sheet)
        return self.targets.get(relation, relation)

    def check_shared_texts(self) -> None:
        """Count the texts that cells share, once everything was read."""
        for texts in self.shared_texts:
            for number, times in self.uses.items():
                if number < len(texts):
                    self.write(times * texts[number])


class _Part:
    """Counts what a part of a workbook has: an XML, of which no tree is built."""

    def __init__(self, size: _Size, name: str) -> None:
        self.size, self.name = size, name
        self.above = self.row = size.rows
        self.column = 0

    def read(self, part: bytes) -> None:
        """Go through it; KeizerError where it is too much."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self.doctype
        parser.StartElementHandler = lambda name, attributes: self.start(
            _local(name), attributes
        )
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

    def __init__(self, size: _Size, name: str) -> None:
        super().__init__(size, name)
        self._element, self._is_sheet = "", False
        self._type, self._has_formula = "", False
        self._value: str | None = None
        """What is stored in the cell; of a shared text its number."""
        self._texts: list[int] = []
        size.shared_texts.append(self._texts)

    def start(self, element: str, attributes: dict[str, str]) -> None:
        """A row, a cell, its value; or a text that cells share."""
        self._element = element
        if element == "row":
            self._go_to(attributes.get("r", ""), self.row + 1, 0)
        elif element == "c":
            self._go_to(attributes.get("r", ""), self.row, self.column + 1)
            self._type = attributes.get("t", "n")
            self._has_formula, self._value = False, None
            self.size.fill(self.row, self.column)
        elif element == "f":
            self._has_formula = True
        elif element == "v":
            self._value = ""
        elif element == "si":
            self._texts.append(0)
            limits.check(cells=len(self._texts))
        elif element == "sheetData":
            self._is_sheet = True
        elif element == "sheet" and self.name == _WORKBOOK:
            self.size.relations[attributes["name"]] = _attribute("id", attributes)
        elif element == "Relationship" and self.name == _RELATIONS:
            target = attributes["Target"].replace("\\", "/").lower().removeprefix("/")
            self.size.targets[attributes["Id"]] = "xl/" + target.removeprefix("xl/")

    def _go_to(self, place: str, row: int, column: int) -> None:
        """Go to a place such as B7, or 7; where it is none, to this row and column."""
        before = self.row, self.column
        found = re.fullmatch("([A-Za-z]*)([0-9]+)", place)
        self.row, self.column = row, column
        if found:
            self.row, self.column = self.above + int(found[2]), 0
            for letter in found[1].upper():
                self.column = 26 * self.column + ord(letter) - 64
        if self._is_sheet and (self.row, self.column) <= before:
            raise KeizerError(_BROKEN)  # the library would take the later of two

    def end(self, element: str) -> None:
        """A value is read, or a cell."""
        self._element = ""
        if element == "sheetData":
            self._is_sheet = False
        elif element == "v" and self._type == "s" and self._value:
            self.size.uses[int(self._value)] += 1
        elif element == "c" and self._is_sheet:
            self._note_failure()

    def _note_failure(self) -> None:
        """Note an error, and a formula whose result is not stored; a result may be no text."""
        place = self.row - self.above, self.column
        if self._type == "e":
            self.size.failed[self.name][place] = parsing.failure(self._value or "")
        elif (
            self._has_formula
            and not self._value
            and (self._value is None or self._type != "str")
        ):
            self.size.failed[self.name][place] = parsing.NO_RESULT

    def text(self, letters: str) -> None:
        """Of a shared text, or of a cell."""
        if self._texts:
            self._texts[-1] += len(letters)
            return
        if self._element == "v" and self._value is not None:
            self._value += letters
        if self._element != "v" or self._type != "s":
            self.size.write(len(letters))


_CELLS = ("table-cell", "covered-table-cell")


class _OpenDocumentPart(_Part):
    """One of an .ods. Rows and cells are repeated, and so are spaces."""

    def __init__(self, size: _Size, name: str) -> None:
        super().__init__(size, name)
        self._sheet = ""
        self._rows_alike = self._cells_alike = 1
        self._paragraphs = 0
        self._is_error = self._lacks_result = False
        self._error: str | None = None
        """The last text of the cell, if that is an error; None where it has no text."""

    def start(self, element: str, attributes: dict[str, str]) -> None:
        """A table, a row, a cell, a text in it, or spaces."""
        if element == "table":
            self.above = self.row = self.size.rows
            self._sheet = _attribute("name", attributes)
        elif element == "table-row":
            self._rows_alike = _repeated("number-rows-repeated", attributes)
            self.row += self._rows_alike
            self.column = 0
        elif element in _CELLS:
            self._cells_alike = _repeated("number-columns-repeated", attributes)
            self.column += self._cells_alike
            names = {*map(_local, attributes)}
            has_value = any(name.endswith("value") for name in names)
            self._lacks_result = "formula" in names and not has_value
            self._is_error = "error" in attributes.values()
            self._error = None
            if any("value" in name or "formula" in name for name in attributes):
                self.size.fill(self.row, self.column)
                self._write(sum(map(len, attributes.values())))
        elif element == "p":
            self._paragraphs += 1
            self._error = ""
            self.size.fill(self.row, self.column)
        elif element == "s":
            self._write(_repeated("c", attributes))

    def end(self, element: str) -> None:
        """A text ends: what stands between cells is for who reads the XML."""
        if element == "p":
            self._paragraphs -= 1
        elif element in _CELLS and (
            self._is_error or (self._lacks_result and self._error is None)
        ):
            self._note_failure()

    def _note_failure(self) -> None:
        failures = self.size.failed[self._sheet]
        for row in range(self.row - self._rows_alike + 1, self.row + 1):
            for column in range(self.column - self._cells_alike + 1, self.column + 1):
                failures[row - self.above, column] = parsing.failure(self._error or "")

    def text(self, letters: str) -> None:
        """Of a cell."""
        if self._paragraphs:
            self._write(len(letters))
            if self._is_error and self._error is not None:
                self._error += letters

    def _write(self, letters: int) -> None:
        self.size.write(letters * self._rows_alike * self._cells_alike)


_KINDS = {"xl/workbook.xml": _ExcelPart, "content.xml": _OpenDocumentPart}
"""What counts the parts of a workbook, by the name of the one that each of its kind has."""


def _repeated(what: str, attributes: dict[str, str]) -> int:
    """How often something is there, which an attribute says."""
    return int(_attribute(what, attributes) or 1)


def _attribute(what: str, attributes: dict[str, str]) -> str:
    """What an attribute says, whatever its prefix."""
    return next((text for name, text in attributes.items() if _local(name) == what), "")


def _local(name: str) -> str:
    """The name of an element or an attribute without its prefix."""
    return name.rpartition(":")[2]
