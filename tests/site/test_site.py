"""The club's page: what stands where, languages, files; a browser has more to say, beside.

What every page has in common (figures of the views, links, names that stay text, nothing that
runs) is in test_browser.py.
"""

import random
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import polib
import pytest

from keizer import KeizerError, languages
from keizer.messages import say
from keizer.season import presets
from keizer.texts import shown, visible
from keizer.web.site import build, messages, pages
from quality import missing
from tests.support.console import ClubOf, Console
from tests.support.files import ROOT, edit, past_the_guards, rows, run_keizer
from tests.support.pages import NAMES, Page

SITE = ROOT / "keizer/web/site"


def read(folder: Path) -> dict[str, Page]:
    return {
        str(path.relative_to(folder)): Page(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.html"))
    }


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Boards open in rounds 2 and 3, round 4 a draft, round 5 planned."""
    console = Console(tmp_path_factory.mktemp("season") / "club.db")
    run_keizer("init", console.db, "--name", 'The "Rook" & <b>Pawn</b>')
    for index, name in enumerate(NAMES):
        rating = [] if index == 6 else ["--rating", 2000 - 100 * index]
        run_keizer("add", console.db, name, *rating, "--category", "AB"[index % 2])
    console("correct Anna -2.5 --reason 'fair <play>' && next-round")
    console("result -", stdin="1 1-0\n2 =\n3 0-1\n4 +-")
    console(
        "add Zoe && absent Anna --kind 'club duty' && absent '♟ Judit' && next-round"
    )
    console("result 1 1-0 && result 3 = && next-round --allow-open")
    console("rounds --date 3 2026-11-21 --date 4 2026-11-28 --date 5 2026-12-05")
    console("result 2 1-0 && result 4 1-0 && next-round --allow-open")
    states = [row["state"] for row in console.json("rounds")]
    assert states == ["complete", "published", "published", "draft", "planned"]
    return console.db


@pytest.fixture(scope="module")
def folder(season: Path) -> Path:
    there = season.with_name("site")
    run_keizer("site", season, there)
    return there


@pytest.fixture(scope="module")
def site(folder: Path) -> dict[str, Page]:
    return read(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_pairings_stand_by_name_too(site: dict[str, Page], season: Path) -> None:
    """Accents do not matter in the order: Ångström comes before Anna."""
    order = [
        '<script>alert("x")</script>', "Ångström, Zoë", "Anna",
        "Maximiliana Wolkenstein-Hohenzollern-Sigmaringen von und zu Z", "O'Neill & \"Sons\"",
        "{name}", "דוד שחמט", "♟ Judit",
    ]  # fmt: skip
    seats = {}
    for board, white, black in rows(
        season, "SELECT board, white, black FROM pairings WHERE round_number = 1"
    ):
        seats[white] = f"{white}: board {board}, White against {black}"
        seats[black] = f"{black}: board {board}, Black against {white}"
    assert site["round/1.html"].items("names") == [seats[name] for name in order]


def test_who_is_absent_is_named_without_a_reason(
    site: dict[str, Page], season: Path
) -> None:
    """On the sheet, with the boards and by name; the player's own card has it."""
    kinds = {
        kind for (kind,) in rows(season, "SELECT kind FROM scoring WHERE kind <> 'bye'")
    }
    for path in ("index.html", "round/2.html", "sheet/2.html"):
        text = site[path].text
        assert not {
            kind for kind in kinds if f"({kind})" in text or f": {kind}" in text
        }
    assert "Absent: Anna, ♟ Judit." in " ".join(site["sheet/2.html"].text.split())
    assert "Absent: Anna, ♟ Judit." in " ".join(site["round/2.html"].text.split())
    assert "club duty" in site["player/7.html"].text


def _played(console: Console, rounds: int, folder: Path) -> Console:
    """Some rounds of a club, and its site in a folder."""
    for number in range(rounds):
        console("next-round && publish-round")
        console.play(random.Random(number))
    console(f"site {folder}")
    return console


def test_the_first_page_says_who_moved_most(club_of: ClubOf, tmp_path: Path) -> None:
    """Since the round before: three up and three down, furthest first, and who leads now."""
    console = _played(club_of(16), 3, tmp_path / "site")
    text = " ".join(read(tmp_path / "site")["index.html"].text.split())
    table = {
        number: dict(console.rows(
            f"SELECT name, rank FROM standings WHERE round_number = {number} ORDER BY rank"
        ))
        for number in (2, 3)
    }  # fmt: skip
    moved = [(table[2][name] - rank, name, rank) for name, rank in table[3].items()]
    up = sorted((one for one in moved if one[0] > 0), key=lambda one: -one[0])[:3]
    down = sorted((one for one in moved if one[0] < 0), key=lambda one: one[0])[:3]
    due = [
        f"{'▲up' if by > 0 else '▼down'} {abs(by)} {name}: {rank + by} → {rank}"
        for by, name, rank in (*up, *down)
    ]
    (first, *_), (before, *_) = table[3], table[2]
    assert len(due) == 6 and first != before
    assert f"Since round 2 New leader: {first} {' '.join(due)}" in text


def test_prizes_stand_on_the_first_page_once_they_are_won(
    club: Path, tmp_path: Path
) -> None:
    console = Console(club)
    console("next-round && result 1 1-0 && result 2 1-0")
    ((won,),) = console.rows("SELECT name FROM current_standings WHERE rank = 1")
    console(f"site {tmp_path}/site")
    found = read(tmp_path / "site")
    assert "Prizes" not in found["index.html"].text
    assert f"Prizes, as they stand 1st: {won}" in " ".join(
        found["season.html"].text.split()
    )
    console(f"finish && site {tmp_path}/site")
    found = read(tmp_path / "site")
    for path in ("index.html", "season.html"):
        assert f"Prizes 1st: {won}" in " ".join(found[path].text.split())


def test_the_first_page_has_the_next_three_dates(club: Path, tmp_path: Path) -> None:
    days = [f"--date {number} 2026-10-0{number}" for number in range(1, 6)]
    Console(club)(f"rounds {' '.join(days)} && site {tmp_path}/site")
    found = read(tmp_path / "site")
    first, season = (
        " ".join(found[path].text.split()) for path in ("index.html", "season.html")
    )
    assert "Round 3: 3 October 2026 All dates" in first and "Round 4" not in first
    assert "Round 5: 5 October 2026" in season


def test_decimals_are_below_one_another(club_of: ClubOf, tmp_path: Path) -> None:
    """A number leaves room for as many as the longest of its column has; it is not a text there."""
    _played(club_of(8), 5, tmp_path / "site")
    (table,) = read(tmp_path / "site")["standings/5.html"].tables
    for column in ("score", "points"):
        cells = [cell for row in table["rows"] for cell in row["cells"]
                 if cell["data-column"] == column]  # fmt: skip
        own = [
            len(shown(float(cell["data-value"])).partition(".")[2]) for cell in cells
        ]
        assert len({*own}) > 1
        for cell, decimals in zip(cells, own, strict=True):
            room = re.findall(r"(whole|short)-(\d)", cell["class"])
            lacks = max(own) - decimals
            due = [("short" if decimals else "whole", str(lacks))] if lacks else []
            assert room == due


def test_a_draft_is_not_on_the_site(site: dict[str, Page], season: Path) -> None:
    """Its pairings are nobody's business yet; its date is."""
    assert "round/3.html" in site
    assert not {"round/4.html", "sheet/4.html", "standings/4.html"} & site.keys()
    text = " ".join(site["index.html"].text.split())
    assert "Round 4: 28 November 2026 Round 5: 5 December 2026" in text
    run = sorted(path for path in site if path.startswith("standings/"))
    assert run == [f"standings/{number}.html" for number in range(4)]
    drafted = rows(season, "SELECT count(*) FROM round WHERE round_number = 4")
    assert drafted[0][0] > 0


def test_open_boards_make_a_table_provisional(site: dict[str, Page]) -> None:
    assert "Provisional: boards 1, 3 open." in site["standings/3.html"].text
    assert "Provisional: board 2 of round 2 open." in site["standings/3.html"].text
    assert "Provisional: board 2 open." in site["standings/2.html"].text
    assert "Provisional" not in site["standings/1.html"].text
    cells = [
        cell for row in site["round/3.html"].tables[0]["rows"] for cell in row["cells"]
    ]
    results = [cell["data-value"] for cell in cells if cell["data-column"] == "result"]
    assert results == ["", "1-0", "", "1-0", "bye"]


def test_a_published_round_without_results_shows_who_meets_whom(
    club: Path, tmp_path: Path
) -> None:
    Console(club)(f"next-round && publish-round && site {tmp_path}/site")
    found = read(tmp_path / "site")
    assert "standings/1.html" not in found and "standings/0.html" in found
    text = " ".join(found["player/1.html"].text.split())
    assert "Round 1: board 1, Black against Boris" in text
    assert found["index.html"].text.count("open") >= 2


LANGUAGES = {
    "nl": (
        "Stand na ronde 3",
        "Voorlopig: borden 1, 3 nog open.",
        "Kruistabel",
        "Waarde",
    ),
    "de": ("Rangliste nach Runde 3", "Vorläufig: Bretter 1, 3 noch offen.", "Wert"),
    "fr": (
        "Classement après la ronde 3",
        "Provisoire\u00a0: échiquiers 1, 3",
        "Valeur",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_each(language: str, season: Path, tmp_path: Path) -> None:
    """And figures as it writes them: 113,5; the data stay 113.5."""
    Console(season)(f"site {tmp_path} --lang {language}")
    found = read(tmp_path)
    page, card = found["standings/3.html"], found["player/7.html"].text
    assert page.all("html", "lang") == [language]
    assert all(word in page.text for word in LANGUAGES[language])
    cells = [cell for row in page.tables[0]["rows"] for cell in row["cells"]]
    scores = [cell["data-value"] for cell in cells if cell["data-column"] == "score"]
    assert any("." in score for score in scores) and not any(
        "," in score for score in scores
    )
    assert re.search(r"\d,\d", page.text) and not re.search(r"\d\.\d", page.text)
    assert "fair <play>" in card and "club duty" not in card
    assert language == "fr" or "correction" not in card


def test_a_page_that_has_not_changed_is_not_written_again(tmp_path: Path) -> None:
    build.write(tmp_path, ONE, "Club")
    before = (tmp_path / "index.html").stat().st_ino
    build.write(tmp_path, {**ONE, "style.css": ""}, "Club")
    assert (tmp_path / "index.html").stat().st_ino == before
    assert (tmp_path / "style.css").read_text() == ""


ONE = {"index.html": "one", "round/1.html": "first", "style.css": "a {}"}


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    there = tmp_path / "deep/site"
    (there / "player").mkdir(parents=True)
    others = [there / "photo.jpg", there / "player/99.html", there / "player/notes.txt"]
    others.append(tmp_path / "deep/club.db")
    for path in others:
        path.write_text("mine")
    # Ids are the file's, and another program may have counted down.
    build.write(there, {**ONE, "round/2.html": "second", "player/-3.html": "3"}, "Club")
    # A list that somebody changed does not make the site remove what is not its own.
    with (there / "keizer-site.txt").open("a") as file:
        file.write("../club.db\nphoto.jpg\nplayer/notes.txt\n/etc/hosts\n")
    build.write(there, ONE, "Club")
    assert not (there / "round/2.html").exists() and (there / "round/1.html").exists()
    assert not (there / "player/-3.html").exists()
    assert all(path.read_text() == "mine" for path in others)


def test_the_site_of_another_tournament_is_not_replaced(
    club: Path, tmp_path: Path
) -> None:
    """Unless it is said; and one that was written before the list said whose is anybody's."""
    there, manifest = tmp_path / "site", tmp_path / "site/keizer-site.txt"
    console = Console(club)
    console(f"init --name Blitz && site {there} -t Club")
    before = contents(there)
    said = console.refused(f"site {there} -t Blitz")
    assert f"{there} has the site of “Club”: name another folder for “Blitz”" in said
    assert contents(there) == before
    console(f"site {there} -t Club && site {there} -t Blitz --force")
    assert manifest.read_text().startswith("# The site of Blitz\n")
    manifest.write_text(manifest.read_text().partition("\n")[2])
    console(f"site {there} -t Club")


def folder_with_a_link(there: Path) -> None:
    there.mkdir()
    (there / "1.html").symlink_to("nowhere")


IN_THE_WAY: dict[str, Callable[[Path], object]] = {
    "file": lambda there: there.write_text("mine"),
    "link": lambda there: there.symlink_to(there.parents[1] / "outside"),
    "link to a page": folder_with_a_link,
    "folder": lambda there: (there / "9.html").mkdir(parents=True),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_is_in_the_way_is_found_before_anything_is_written(
    tmp_path: Path, what: str
) -> None:
    there, outside = tmp_path / "site", tmp_path / "outside"
    build.write(there, {"index.html": "old", "round/9.html": "9"}, "Club")
    outside.mkdir()
    (outside / "9.html").write_text("mine")
    shutil.rmtree(there / "round")
    IN_THE_WAY[what](there / "round")
    before = contents(tmp_path)
    with pytest.raises(
        KeizerError, match=r"site/round.*: move it away, or name another folder"
    ):
        build.write(there, ONE, "Club")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("nth", range(4))
def test_an_interrupted_build_leaves_whole_pages_and_can_be_repeated(
    nth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the n-th file, while it is being written."""
    build.write(tmp_path, {**ONE, "round/9.html": "ninth"}, "Club")
    before, wanted = (
        contents(tmp_path),
        {name: text + "!" for name, text in ONE.items()},
    )
    left = iter(range(nth))
    write = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if next(left, None) is None:
            write(path, content[: len(content) // 2])
            raise OSError(28, "No space left on device")
        return write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(
            KeizerError, match="cannot be written: No space left on device"
        ):
            build.write(tmp_path, wanted, "Club")
    found = contents(tmp_path)
    assert wanted.keys() <= found.keys() <= before.keys()
    for name in ONE:
        assert found[name] in (before[name], wanted[name].encode())
    build.write(tmp_path, wanted, "Club")
    assert contents(tmp_path) == {
        **{name: text.encode() for name, text in wanted.items()},
        "keizer-site.txt": b"# The site of Club\nindex.html\nround/1.html\nstyle.css\n",
    }


def test_tables_that_may_be_behind_are_said_to_be(club: Path, tmp_path: Path) -> None:
    edit(club, "UPDATE tournament SET revaluation = 'suspended'")
    assert "revaluation is suspended" in Console(club)(f"site {tmp_path}/site")


def test_a_folder_that_is_a_file_or_has_a_page_of_somebody_else(
    club: Path, tmp_path: Path
) -> None:
    (tmp_path / "site").write_text("x")
    assert "cannot be written" in Console(club).refused(f"site {tmp_path}/site")
    (tmp_path / "index.html").write_text("mine")
    assert "was not written by `keizer site`" in Console(club).refused(
        f"site {tmp_path}"
    )


@pytest.mark.parametrize("missing", ["jinja2", "polib"])
def test_without_its_extra_it_says_what_to_install(
    missing: str, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(sys, "executable", "/our club/python")
    assert Console(club).refused(f"site {tmp_path}/site") == (
        "Error: the page needs Jinja2 and polib:"
        ' `"/our club/python" -m pip install jinja2 polib`, then again.\n'
    )
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("day", ["2026-13-05", "tomorrow", "2026-01-0\x1b", "<b>"])
def test_a_date_that_is_none_stands_as_it_is(
    day: str, sample: Path, tmp_path: Path
) -> None:
    """In a file that was edited past its guards."""
    past_the_guards(
        sample, f"INSERT INTO schedule VALUES (9, 1, 3, '{day}', NULL, NULL)"
    )
    Console(sample)(f"site {tmp_path}/site")
    found = Page((tmp_path / "site/index.html").read_text(encoding="utf-8"))
    assert f"Round 3: {visible(day)}" in " ".join(found.text.split())


def test_a_tournament_without_players_or_rounds(tmp_path: Path) -> None:
    Console(tmp_path / "club.db")(f"init --name Empty && site {tmp_path}/site")
    found = read(tmp_path / "site")
    assert "Nobody is entered yet." in found["index.html"].text
    assert "categories.html" not in found


def test_values_are_left_out_of_a_swiss(club: Path, tmp_path: Path) -> None:
    Console(club)(
        f"rules --preset swiss-fide && next-round && result 1 1-0 && result 2 ="
        f" && site {tmp_path}/site"
    )
    found = read(tmp_path / "site")
    for page in found.values():
        shown = {
            cell["data-column"]
            for table in page.tables if table["data-view"] != "statistics"
            for row in table["rows"] for cell in row["cells"]
        }  # fmt: skip
        assert not shown & {"value", "value_then", "value_now", "factor"}
        assert "Value" not in page.text
    (table,) = found["standings/1.html"].tables
    assert {"bh-c1", "bh", "sb"} <= table["tiebreaks"]


# ------------------------------------------------------------ translations


PLACEHOLDER = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("language", languages.codes()[1:])
def test_a_translation_leaves_no_part_of_a_message_out(language: str) -> None:
    """Nor does it invent one; “One game” need not say the number that “{number} games” does."""
    for entry in missing.catalogue(language):
        most = {*PLACEHOLDER.findall(entry.msgid + entry.msgid_plural)}
        least = most - {"number"} if entry.msgid_plural else most
        for text in filter(None, (entry.msgstr, *entry.msgstr_plural.values())):
            assert least <= {*PLACEHOLDER.findall(text)} <= most, entry.msgid
        assert entry.msgstr.strip() == entry.msgstr


def test_what_the_pages_say_is_found_in_templates_code_and_lists() -> None:
    found = missing.said()
    assert ("To the content",) in found  # base.html
    assert ("Rank after each round",) in found  # chart.html
    assert ("club duty",) in found  # view z_usual_kind
    one = "Provisional: board {boards} open."
    assert (one, "Provisional: boards {boards} open.") in found


@pytest.mark.seeds
def test_what_a_translation_lacks_is_listed() -> None:
    """One that nobody wrote, one that is still empty, one that waits for a second look."""
    own = missing.catalogue("nl")
    plural = "Provisional: board {boards} open."
    there = {entry.msgid: entry for entry in own}
    before = {entry.msgid for entry in missing.missing(own, missing.said())}
    own.remove(there["Crosstable"])
    own.remove(there[plural])
    there["Value"].msgstr = ""
    there["Season"].flags.append("fuzzy")
    found = missing.missing(own, missing.said())
    listed = [entry for entry in found if entry.msgid not in before]
    assert [entry.msgid for entry in listed] == [
        "Crosstable",
        plural,
        "Season",
        "Value",
    ]
    again = polib.pofile("".join(f"{entry}\n" for entry in listed) + "\n")
    assert (
        len(again) == 4
        and again[1].msgid_plural == "Provisional: boards {boards} open."
    )
    assert again.untranslated_entries() == [*again]
    heads = [line.split(":")[0] for line in missing.report() if line.endswith("unused")]
    assert heads == [f"# {language}.po" for language in languages.codes()[1:]]


def test_kinds_and_topics_of_the_file_have_messages(
    conn: sqlite3.Connection, season: Path
) -> None:
    conn.execute("INSERT INTO tournament (description) VALUES ('T')")
    kinds = {row[0] for row in conn.execute("SELECT kind FROM scoring")}
    for preset in presets.load_presets().values():
        kinds |= set(preset.get("kinds", {}))
    topics = {row[0] for row in rows(season, "SELECT topic FROM statistics")}
    assert {(word,) for word in kinds | topics} <= missing.said()


def test_a_language_that_is_not_there_is_refused_with_those_that_are(
    console: Console,
) -> None:
    assert "choose one of en, de, fr, nl" in console.refused("site www --lang xx")


def test_a_language_has_its_numbers_and_dates() -> None:
    nl = messages.Messages("nl")
    assert not nl.text("")
    assert str(nl.date("2026-03-01")) == "1 maart 2026"
    assert (
        nl.number(113.5) == "113,5" and messages.Messages("en").number(113.5) == "113.5"
    )
    said = say(
        "{number:,} {points:+} {day:date}", number=1234, points=-9.5, day="2026-11-24"
    )
    assert nl.said(said) == "1.234 -9,5 24-11-2026"
    assert languages.load("fr").said(said) == "1\u202f234 -9,5 24/11/2026"


# ------------------------------------------------------------------ charts


def test_labels_keep_apart_and_in_order() -> None:
    placed = pages.spread([50, 50, 51, 10, 99, 100], 8, 0, 100)
    order = sorted(placed)
    assert all(after - before >= 8 for before, after in pairwise(order))
    assert placed[3] < placed[0] < placed[1] < placed[2] < placed[4] < placed[5]
    assert min(placed) >= 0 and max(placed) <= 100
    crowded = pages.spread([5] * 20, 8, 0, 100)
    assert sorted(crowded) == pytest.approx([100 / 19 * index for index in range(20)])


def test_axes_have_round_numbers() -> None:
    assert pages.steps(0, 1034, 6) == [0, 200, 400, 600, 800, 1000]
    assert pages.steps(0, 5, 8) == [0, 1, 2, 3, 4, 5]


def test_first_place_is_on_top(site: dict[str, Page]) -> None:
    """Labels of the season's chart go down by rank and do not overlap."""
    wide = [
        found
        for _, found in site["season.html"].starts
        if found.get("class") == "label"
    ]
    heights = [float(found["y"]) for found in wide]
    half = len(heights) // 2
    assert half == 9
    for one, font in ((heights[:half], 13), (heights[half:], 12)):
        assert all(after - before >= font for before, after in pairwise(one))


def test_raw_values_give_the_same_number_back() -> None:
    for value in (113.5, 1 / 3, 1e-7, 75.66666666666667, -2.5, 1e15):
        assert float(pages.raw(value)) == value and "e" not in pages.raw(value)
    assert pages.raw(None) == "" and pages.raw(12) == "12"


@pytest.mark.parametrize(
    ("rules", "result", "said", "told"),
    [
        (
            "own-value=0",
            "=",
            "the values repeat with period 2",
            "a cycle of 2 standings: the mean",
        ),
        (
            "own-value=0 cycle_takes=scores",
            "=",
            "each score is the mean",
            "each score is the mean",
        ),
        (
            "own-value=0 max_passes=1",
            "=",
            "the values did not converge",
            "had not settled",
        ),
    ],
)
def test_standings_say_how_their_values_were_found(
    club: Path, tmp_path: Path, rules: str, result: str, said: str, told: str
) -> None:
    """In a terminal, and on the page."""
    console = Console(club)
    console(f"rules recalculation=settled {rules} && next-round")
    console("result -", stdin=f"1 {result}\n2 {result}")
    assert said in console("standings")
    run_keizer("site", club, tmp_path / "site", "--lang", "en")
    assert told in (tmp_path / "site/standings/1.html").read_text(encoding="utf-8")
