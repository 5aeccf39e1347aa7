"""What a club decides on its page is in the file, and the page is made as last time."""

import re
from pathlib import Path

import pytest

from tests.support.console import Console
from tests.support.files import ROOT, Client, dump_with_rules, edit, run_keizer
from tests.support.pages import Page


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
    console(
        f"site {there} --lang nl --title 'De Toren' --colour '#7A1F1F' --columns value,won"
    )
    return console


def shown(console: Console) -> tuple[str, list[str]]:
    """The first page, and the headings of the standings."""
    folder = console.db.parent / "www"
    text = (folder / "standings/1.html").read_text(encoding="utf-8")
    heads = re.findall(
        r'data-column="(\w+)"', text.partition("</tr>")[2].partition("</tr>")[0]
    )
    return (folder / "index.html").read_text(encoding="utf-8"), heads


def test_without_options_the_page_is_as_last_time(page: Console) -> None:
    folder = page.db.parent / "www"
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    for path in before:
        path.unlink()
    file = dump_with_rules(page.db)
    page("site")
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before
    assert dump_with_rules(page.db) == file, "nothing is written where nothing changes"
    first, heads = shown(page)
    assert "<bdi>De Toren</bdi>" in first and 'lang="nl"' in first
    assert heads == ["rank", "change", "name", "score", "value", "won"]
    assert ":root { --club: #7A1F1F; }" in (folder / "style.css").read_text(
        encoding="utf-8"
    )


def test_the_folder_is_found_from_the_file_on(
    page: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From whatever folder the command is run, and when both have moved."""
    moved, elsewhere = tmp_path / "moved", tmp_path / "elsewhere"
    page.db.parent.rename(moved)
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    run_keizer("site", moved / page.db.name)
    assert not list(elsewhere.iterdir()) and not page.db.parent.exists()


@pytest.mark.each
def test_a_folder_that_only_the_file_names_is_none(
    page: Console, tmp_path: Path
) -> None:
    """Whoever sent the file may have named it; where the command has written the page it is."""
    out = tmp_path.parent / f"{tmp_path.name}-out"
    for named in (str(out), f"../../{out.name}"):
        edit(page.db, f"UPDATE site SET folder = '{named}'")
        assert "where none is: `keizer site" in page.refused("site")
        assert not out.exists()
    page(f"site {out} && site")
    assert (out / "index.html").exists()


def test_what_is_decided_is_changed_one_by_one_and_taken_back(page: Console) -> None:
    before = dump_with_rules(page.db)
    page("site --title none --columns all")
    first, heads = shown(page)
    assert "<bdi>Club</bdi>" in first and 'lang="nl"' in first and "balance" in heads
    page("undo")
    assert dump_with_rules(page.db) == before


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [
        ("address", "https://club.example.org/k/", "javascript:alert(1)"),
        ("mail", "a.b@example.org", "a@b.org?cc=x"),
        ("phone", "+31 6 1234-5678", "0612345678"),
        ("starts", "19:45", "24:00"),
    ],
)
def test_what_links_are_made_of_is_checked_by_the_file(
    page: Console, option: str, good: str, bad: str
) -> None:
    """So that a link leads where it says, and to one reader; a number with its country."""
    assert f"{option} must be" in page.refused(f"site --{option} '{bad}'")
    page(f"site --{option} '{good}'")
    kept = good.translate(str.maketrans("", "", " -")) if option == "phone" else good
    assert page.rows(f"SELECT {option} FROM site") == [(kept,)]
    page(f"site --{option} none")
    assert page.rows(f"SELECT {option} FROM site") == [(None,)]


def test_any_client_decides(client: Client, page: Console) -> None:
    changes = "UPDATE site SET language = 'fr', columns = 'points', title = 'La Tour'"
    assert client(page.db, [changes]) == ["ok"]
    page("site")
    first, heads = shown(page)
    assert 'lang="fr"' in first and "La Tour" in first
    assert heads == ["rank", "change", "name", "score", "points"]


def test_a_file_that_is_finished_or_cannot_be_written_has_its_page_all_the_same(
    page: Console,
) -> None:
    page("result 2 1 && finish && site --title 'The end'")
    page.db.chmod(0o444)
    page("site")


def test_a_colour_of_the_club_is_of_no_text() -> None:
    """Of the other colours test_nothing_bars_anybody says that text can be read."""
    style = (ROOT / "keizer/web/site/style.css").read_text(encoding="utf-8")
    assert not re.search(r"[{;] *color: var\(--club\)", style)


def test_who_has_withdrawn_is_marked_on_every_page(console: Console) -> None:
    console("next-round && result 1 1 && result 2 1 && withdraw Anna && withdraw Boris")
    there = console.db.parent / "www"
    console(f"site {there}")
    pages = "index standings/1 crosstable season round/1 sheet/1 statistics"
    for name in pages.split():
        text = Page((there / f"{name}.html").read_text(encoding="utf-8")).text
        marked = [
            bool(re.search(rf"{name}\s*×", text)) for name in ("Anna", "Boris", "Clara")
        ]
        assert marked == [True, True, False], name


def test_who_has_withdrawn_is_marked_in_every_listing(console: Console) -> None:
    """In tables beside a report too; titles, and rows for programs, have names only."""
    console("player Anna --category A && player Clara --category A")
    console("next-round && result 1 1 && result 2 1 && withdraw Anna")
    other = next(
        name
        for pair in console.sheet()
        if "Anna" in pair
        for name in pair
        if name != "Anna"
    )
    for line in ("standings", "crosstable", "progress", "pairings", "categories", "statistics",
                 "explain Anna", "card Anna", "pairings --why", f"head-to-head {other} Anna",
                 "performance", "head-to-head Clara"):  # fmt: skip
        said = console(line)
        if line not in ("performance", "head-to-head Clara"):
            assert "Anna (w)" in said and said.endswith("(w): withdrawn\n"), line
        assert "Clara (w)" not in said and f"{other} (w)" not in said, line
        assert "(w)" not in console(f"{line} --json"), line


def test_a_folder_may_be_called_none_and_a_title_all(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a title and a colour are taken away by `none`, only columns by `all`."""
    monkeypatch.chdir(console.db.parent)
    console("site none --title all")
    assert console.rows("SELECT folder, title FROM site") == [("none", "all")]
