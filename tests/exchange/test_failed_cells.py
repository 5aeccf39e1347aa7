"""Spreadsheets with formulas that failed, and cells that are there twice: told, never left out."""

from pathlib import Path

import pytest

from tests.support.console import Console
from tests.support.files import dump, run_keizer
from tests.support.heavy import cell, ods, xlsx

NO_RESULT = "the result of a formula is not in the file"


@pytest.fixture
def file(club: Path) -> Path:
    """Where the list is to be, beside a season with Anna, Boris, Clara and Daan."""
    return club.with_name("list")


def text(said: str) -> str:
    return f'<c t="inlineStr"><is><t>{said}</t></is></c>'


def sheet(*rows: str) -> bytes:
    """An .xlsx of these rows."""
    return xlsx("".join(f"<row>{cells}</row>" for cells in rows))


def open_sheet(*rows: str) -> bytes:
    """An .ods of these rows."""
    return ods("".join(f"<table:table-row>{cells}</table:table-row>" for cells in rows))


HEADING = text("name") + text("rating") + text("phone")
EXCEL = sheet(
    HEADING,
    text("Anna") + '<c t="e"><f>VLOOKUP(1,2)</f><v>#N/A</v></c>',
    text("Boris") + "<c><f>1700+50</f></c>",
    text("Clara") + "<c><f>1700+50</f><v></v></c>",
    text("Daan") + "<c><f>1600+1</f><v>1601</v></c>" + '<c t="e"><v>#REF!</v></c>',
)
EMPTY = '<table:table-cell table:formula="of:=1" office:value-type="string"><text:p/>'
OFFICE = open_sheet(
    cell("name") + cell("rating") + cell("phone"),
    cell("Anna")
    + '<table:table-cell table:formula="of:=1/0" office:value-type="string"'
    ' office:string-value="" text:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>',
    cell("Boris") + '<table:table-cell table:formula="of:=1700+50"/>',
    cell("Clara") + f"{EMPTY}</table:table-cell>",
)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            EXCEL,
            [
                "2: rating: “#N/A” is the error",
                f"3: rating: {NO_RESULT}",
                "4: rating: the ",
            ],
        ),
        (OFFICE, ["2: rating: “#DIV/0!” is the error of", f"3: rating: {NO_RESULT}"]),
    ],
    ids=["xlsx", "ods"],
)
def test_a_formula_that_failed_is_a_fault_in_a_column_that_is_used(
    club: Path, file: Path, data: bytes, told: list[str]
) -> None:
    """With row and column; a formula may give an empty text, and the column phone is left out."""
    file.write_bytes(data)
    before = dump(club)
    first, *faults = run_keizer("import", club, file, fails=True).stderr.splitlines()
    assert first == f"Error: {file} has {len(told)} faults, nothing was imported:"
    for fault, start in zip(faults, told, strict=True):
        assert fault.startswith(f"row {start}")
    assert dump(club) == before


def test_in_a_column_that_is_left_out_a_formula_may_fail(
    club: Path, file: Path
) -> None:
    file.write_bytes(
        sheet(
            HEADING, text("Anna") + "<c><v>1901</v></c>" + '<c t="e"><v>#REF!</v></c>'
        )
    )
    assert "left out: phone." in run_keizer("import", club, file).stderr
    assert Console(club).rows("SELECT rating FROM player WHERE name = 'Anna'") == [
        (1901,)
    ]


@pytest.mark.parametrize(
    "error", ["#N/A", "#NV", "#BEZUG!", "#NAAM?", "#DIV/0!", "Err:502"]
)
@pytest.mark.parametrize("column", ["rating", "category"])
def test_as_a_text_it_is_one_too(club: Path, column: str, error: str) -> None:
    """A program saved the table as CSV."""
    said = run_keizer(
        "import", club, "-", stdin=f"name,{column}\nAnna,{error}\n", fails=True
    )
    assert f"line 2: {column}: “{error}” is the error of a formula." in said.stderr


@pytest.mark.parametrize(
    ("option", "heading", "cells", "column"),
    [
        (
            "--games",
            ("round", "white", "black", "result"),
            ("1", "Anna", "Boris"),
            "result",
        ),
        ("--unplayed", ("round", "kind", "player"), ("1", "excused"), "player"),
    ],
)
def test_in_games_and_unplayed_rounds_too(
    club: Path,
    file: Path,
    option: str,
    heading: tuple[str, ...],
    cells: tuple[str, ...],
    column: str,
) -> None:
    failed = '<c t="e"><v>#N/A</v></c>'
    file.write_bytes(
        sheet("".join(map(text, heading)), "".join(map(text, cells)) + failed)
    )
    said = run_keizer("import", club, file, option, fails=True).stderr
    assert f"{file}, row 2: {column}: “#N/A” is the error of a formula." in said


TWICE = {
    "a cell": '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
    '<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>',
    "a row": '<row r="1"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row>',
    "a row above": '<row r="2"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row>',
}


@pytest.mark.parametrize("rows", TWICE.values(), ids=TWICE)
def test_what_is_there_twice_is_broken(club: Path, file: Path, rows: str) -> None:
    """Nobody knows which of the two is meant; programs write rows and cells in order."""
    file.write_bytes(xlsx(rows))
    assert (
        "this spreadsheet is broken"
        in run_keizer("import", club, file, fails=True).stderr
    )
