"""docs/clients.md: what it says other programs print, they print."""

import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.documents import BLOCKS, printed, steps
from tests.support.files import ROOT, edit, needs, rows

PAGE = (ROOT / "docs/clients.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
CLIENTS = {"The sqlite3 shell": "shell", "JDBC and DBeaver": "jdbc"}
PACKAGES = {"Datasette": ("datasette",), "pandas": ("pandas", "matplotlib")}


@pytest.fixture
def folder(sample: Path) -> Path:
    """A folder with the file, and the Java program beside it."""
    sample.rename(sample.with_name("club.db"))
    shutil.copy(ROOT / "docs/clients/Standings.java", sample.parent)
    return sample.parent


@pytest.mark.parametrize("title", SECTIONS)
def test_the_page_shows_what_is_printed(
    folder: Path, installed: str, title: str, request: pytest.FixtureRequest
) -> None:
    """Block by block, each section on a new copy of the worked example."""
    if title in CLIENTS:
        request.getfixturevalue(CLIENTS[title])
    for package in PACKAGES.get(title, ()):
        needs(package)
    for language, text, output in BLOCKS.findall(SECTIONS[title]):
        if language == "sql":
            with closing(sqlite3.connect(folder / "club.db")) as conn:
                assert conn.execute(text).description
        elif language == "python":
            assert printed(folder, installed, sys.executable, "-c", text) == output
        else:
            for command, shown in steps(text):
                assert printed(folder, installed, "sh", "-c", command) == shown


def test_no_block_of_the_page_is_left_out() -> None:
    ran = [part for text in SECTIONS.values() for part in BLOCKS.findall(text)]
    assert len(re.findall(r"^```", PAGE, re.MULTILINE)) == 2 * sum(
        1 + bool(output) for _, _, output in ran
    )


def test_the_java_program_prints_what_the_views_have(sample: Path) -> None:
    """What the page shows of it, on the worked example before and after the correction."""
    table = "SELECT rank, name, value, score FROM current_standings"
    lines = (
        "SELECT played_in, kind, opponent, factor, value, points FROM explanation"
        " WHERE name = 'White' AND round_number = 2 ORDER BY played_in"
    )
    views = [rows(sample, table), rows(sample, lines)]
    edit(sample, "UPDATE round SET result = '0-1' WHERE round_number = 1 AND board = 1")
    views += [[("1 board corrected",), *rows(sample, table)]]
    shown = BLOCKS.findall(SECTIONS["JDBC and DBeaver"])[0][1].split("\n", 1)[1]
    for part, found in zip(shown.split("\n\n"), views, strict=True):
        assert re.sub("[x=\\s]", "", part) == "".join(
            f"{cell:g}" if isinstance(cell, float) else re.sub("[x ]", "", str(cell))
            for row in found
            for cell in row
            if cell is not None
        )


def test_the_pictures_are_there_and_small() -> None:
    linked = set(re.findall(r"!\[[^\]]+\]\(clients/([\w-]+\.png)\)", PAGE))
    there = {path.name: path.stat().st_size for path in (ROOT / "docs/clients").glob("*.png")}
    assert linked == set(there) and max(there.values()) < 120_000
    (query,) = re.findall(r"^```sql\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
    assert query in (ROOT / "docs/clients/pictures.py").read_text(encoding="utf-8")
