"""Files that people take for lists, and texts in other encodings: each is one sentence."""

import gzip
from pathlib import Path

import pytest

from tests.support.console import new_club
from tests.support.files import rows, run_keizer

REPORT = """\
012 Club
001    1      Anna Bös                          1900                             1.0    1     2 w 1
001    2      Bea Kok                           1800                             0.0    2     1 b 0
"""
EXPORT = '{"GroupReport": [{"Name": "Club"}]}'
LIST = "name\trating\nÉva Kiš\t1800\n"

ENCODING = "this is not a text, or in an encoding that is not read: save it as UTF-8."
OTHER = {
    "utf-16 without a mark": (LIST.encode("utf-16-le"), ENCODING),
    "the other utf-16": (LIST.encode("utf-16-be"), ENCODING),
    "utf-32": (LIST.encode("utf-32"), ENCODING),
    "a report in utf-16": (REPORT.encode("utf-16"), ENCODING),
    "an export in utf-16": (EXPORT.encode("utf-16"), ENCODING),
    "a report in utf-16 without a mark": (REPORT.encode("utf-16-le"), ENCODING),
    "html": (
        b"<html><table><tr><td>Anna</td></tr></table></html>",
        "a web page, or XML: a list",
    ),
    "a table": (
        b"\xef\xbb\xbf \n<TABLE>\n<tr><td>Anna</td></tr>\n",
        "a web page, or XML: a list",
    ),
    "xml": (
        b'<?xml version="1.0"?>\n<players/>',
        "a web page, or XML: a list is CSV in UTF-8",
    ),
    "pdf": (
        b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n",
        "this seems to be a PDF: a list is CSV",
    ),
    "gzip": (gzip.compress(LIST.encode()), "a packed file: a list"),
    "png": (b"\x89PNG\r\n\x1a\n", "this seems to be a picture: a list"),
    "rtf": (b"{\\rtf1 Anna 1800\\par}", "a text with formats (RTF): a list"),
    "pgn": (b'[Event "x"]\n[White "Anna"]\n', "a PGN file: a list"),
}


@pytest.mark.parametrize(("data", "said"), OTHER.values(), ids=OTHER)
def test_what_is_no_list_is_called_what_it_seems_to_be(
    club: Path, data: bytes, said: str
) -> None:
    """Nobody is asked whether its lines are members."""
    file = club.with_name("list")
    file.write_bytes(data)
    told = run_keizer("import", club, file, fails=True).stderr
    assert said in told and told.startswith(f"Error: {file}") and told.count("\n") == 1


@pytest.mark.parametrize("option", ["--games", "--unplayed"])
def test_games_are_not_a_web_page_either(club: Path, option: str) -> None:
    said = run_keizer("import", club, "-", option, stdin=" <html>", fails=True).stderr
    assert said.startswith(
        "Error: standard input: this seems to be a web page, or XML: a list"
    )


REPORTS = {
    "“Bös”": REPORT.encode("cp1252"),
    "“””": REPORT.encode("cp437"),  # ö of DOS is a quotation mark there
    None: REPORT.encode(),
}


@pytest.mark.parametrize("word", REPORTS)
def test_a_report_in_windows_1252_is_read_with_a_note(
    tmp_path: Path, word: str | None
) -> None:
    """The first word with a letter that is not ASCII shows whether it is in that encoding."""
    file, db = tmp_path / "report.trf", tmp_path / "club.db"
    new_club(db)
    file.write_bytes(REPORTS[word])
    notes = run_keizer("import", db, file).stderr
    assert rows(db, "SELECT count(*) FROM player") == [(2,)]
    note = f"line 2: this is not UTF-8 text, so it was read as Windows-1252: {word}"
    assert notes == (f"Note: {note}.\n" if word else "")
