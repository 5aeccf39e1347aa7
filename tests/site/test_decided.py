"""What a club decides on its page is in the file, and the page is made as last time."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keizer.site import colours
from tests.support.console import Console
from tests.support.files import Client, run_keizer, told
from tests.support.pages import Page

STYLE = (Path(colours.__file__).parent / "style.css").read_text(encoding="utf-8")


@pytest.fixture
def console(club: Path) -> Console:
    """The club of four, in a folder of its own."""
    folder = club.parent / "season"
    folder.mkdir()
    return Console(club.rename(folder / "club.db"))


@pytest.fixture
def page(console: Console) -> Console:
    """A page in Dutch, with a title, beside the file."""
    console("next-round && result 1 1")
    there = console.db.parent / "www"
    console(f"site {there} --lang nl --title 'De Toren' --colour '#7A1F1F' --columns value,won")
    return console


def headings(console: Console) -> list[str]:
    """Of the standings."""
    text = (console.db.parent / "www/standings/1.html").read_text(encoding="utf-8")
    return re.findall(r'data-column="(\w+)"', text.partition("</tr>")[2].partition("</tr>")[0])


def test_without_options_the_page_is_as_last_time(page: Console) -> None:
    folder = page.db.parent / "www"
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    for path in before:
        path.unlink()
    file = told(page.db)
    page("site")
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before
    assert told(page.db) == file, "nothing is written where nothing changes"
    first = (folder / "index.html").read_text(encoding="utf-8")
    assert "<bdi>De Toren</bdi>" in first and 'lang="nl"' in first
    assert headings(page) == ["rank", "change", "name", "score", "value", "won"]


def test_the_folder_is_found_from_the_file_on(
    page: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From whatever folder the command is run, and when both have moved."""
    moved = tmp_path / "moved"
    page.db.parent.rename(moved)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    run_keizer("site", moved / page.db.name)
    assert not list(elsewhere.iterdir())
    assert not page.db.parent.exists()


def test_what_is_decided_is_changed_one_by_one_and_taken_back(page: Console) -> None:
    before = told(page.db)
    page("site --title none --columns all")
    text = (page.db.parent / "www/index.html").read_text(encoding="utf-8")
    assert "<bdi>Club</bdi>" in text and 'lang="nl"' in text
    assert "balance" in headings(page)
    page("undo")
    assert told(page.db) == before


def test_any_client_decides(client: Client, page: Console) -> None:
    changes = "UPDATE site SET language = 'fr', columns = 'points', title = 'La Tour'"
    assert client(page.db, [changes]) == ["ok"]
    page("site")
    text = (page.db.parent / "www/index.html").read_text(encoding="utf-8")
    assert 'lang="fr"' in text and "La Tour" in text
    assert headings(page) == ["rank", "change", "name", "score", "points"]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("--columns value,luck", "“luck” is no column of the page"),
        ("--colour red", "colour must be #rrggbb, such as #1f5c43"),
        ("--lang xx", "'xx' is not one of"),
    ],
)
def test_what_makes_no_sense_is_refused(page: Console, typed: str, sentence: str) -> None:
    assert sentence in page.refused(f"site {typed}")


def test_the_first_time_a_folder_is_needed(console: Console) -> None:
    assert "`keizer site DB DIR`" in console.refused("site")


def test_a_file_that_cannot_be_written_has_its_page_all_the_same(page: Console) -> None:
    page.db.chmod(0o444)
    page("site")


def test_a_finished_season_has_its_page(page: Console) -> None:
    page("result 2 1 && finish && site --title 'The end'")


def luminance(colour: str) -> float:
    """As WCAG 2.2 has it."""
    parts = [int(part, 16) / 255 for part in re.findall("[0-9a-f]{2}", colour)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@given(st.integers(0, 0xFFFFFF))
def test_links_of_any_colour_can_be_read_by_day_and_by_night(number: int) -> None:
    """At least 4.5 to 1 on each ground that the style sheet has for text."""
    style = colours.painted(STYLE, f"#{number:06X}")
    day, night = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    for part in (day, night):
        found = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", part))
        for ground in ("paper", "sheet", "band"):
            light, dark = sorted((luminance(found["link"]), luminance(found[ground])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_who_has_withdrawn_is_marked_on_every_page(console: Console) -> None:
    console("next-round && result 1 1 && result 2 1 && withdraw Anna && withdraw Boris")
    there = console.db.parent / "www"
    console(f"site {there}")
    for name in (
        "index",
        "standings/1",
        "crosstable",
        "season",
        "round/1",
        "sheet/1",
        "statistics",
    ):
        text = Page((there / f"{name}.html").read_text(encoding="utf-8")).text
        for player, marked in (("Anna", True), ("Boris", True), ("Clara", False)):
            assert bool(re.search(rf"{player}\s*×", text)) == marked, (name, player)


def test_who_has_withdrawn_is_marked_in_every_listing(console: Console) -> None:
    console("player Anna --category A && player Clara --category A")
    console("next-round && result 1 1 && result 2 1 && withdraw Anna")
    for line in ("standings", "crosstable", "progress", "pairings", "categories", "performance",
                 "explain Anna", "card Anna", "head-to-head Clara", "statistics"):  # fmt: skip
        said = console(line)
        if line not in ("performance", "head-to-head Clara"):
            assert "Anna (w)" in said and said.endswith("(w): withdrawn\n"), line
        assert "Clara (w)" not in said
        assert "(w)" not in console(f"{line} --json"), line


def test_tables_beside_a_report_mark_them_too(console: Console) -> None:
    """Boards above their reasons, and the record above the games of two players."""
    console("next-round && result 1 1 && result 2 1 && withdraw Anna")
    white, black = next(pair for pair in console.sheet() if "Anna" in pair)
    other = white if black == "Anna" else black
    for line in ("pairings --why", f"head-to-head {other} Anna"):
        title, *told = console(line).splitlines()
        tables = "\n".join(told).split("\n\n")[:2]
        assert all("Anna (w)" in table for table in tables[: 1 if "why" in line else 2]), line
        assert f"{other} (w)" not in title and told[-1] == "(w): withdrawn", line
        assert "(w)" not in console(f"{line} --json"), line


def test_a_folder_may_be_called_none_and_a_title_all(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a title and a colour are taken away by `none`, only columns by `all`."""
    monkeypatch.chdir(console.db.parent)
    console("site none --title all")
    assert console.rows("SELECT folder, title FROM site") == [("none", "all")]
