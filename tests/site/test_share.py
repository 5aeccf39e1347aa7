"""What is sent to a chat or a mail: texts, pictures for a phone; codes and lists for the wall."""

import re
from itertools import product
from pathlib import Path

import pytest
from pypdf import PdfReader

from keizer.web.keys import Keys
from tests.support.console import Console
from tests.support.face import director, face_of, phone
from tests.support.files import Chromium, past_the_guards
from tests.support.members import FIRST, LAST, write_club
from tests.support.served import served
from tests.support.worked_example import ROUND_2

ADDRESS = "https://club.example.org/keizer/"
NAMES = [
    "<b>Bob</b>", 'A &lt; & "B" ]]>', "דוד שחמט", "{{ 7 }} {name}", "王小明", "Zoë Ångström",
    "Maximiliana Wolkenstein-Hohenzollern-Sigmaringen von und zu Zollernalb",
    "Donaudampfschifffahrtsgesellschaftskapitaenswitwenversicherungspolicenauszahlung",
    *(f"{first} {last}" for last, first in product(LAST, FIRST)),
    *(f"{first} MAC {last.upper()}" for last, first in product(LAST, FIRST)),
]  # fmt: skip


@pytest.fixture
def shared(sample: Path) -> Console:
    """The worked example, with a page on the web, and days of its rounds."""
    console = Console(sample)
    console("rounds --date 2 2026-11-27 && rounds --date 3 2026-12-04")
    console(
        f"site {sample.parent}/site --address {ADDRESS} --starts 20:00 --title 'De Toren'"
    )
    return console


def test_figures_are_those_published_in_the_language_of_the_page_or_another(
    shared: Console,
) -> None:
    """Of a round that is complete the results, and the top of the standings."""
    said = shared("share").splitlines()
    assert said[:3] == [
        "De Toren",
        "Round 2 · Friday 27 November 2026",
        "1. Harrison – Johnson 1-0",
    ]
    assert said[7:12:2] == ["", "1. Harrison 141 ▲1", "3. Johnson 93 ▼2"]
    table = [
        f"{place}. {name} {score:g}"
        for place, (name, score) in enumerate(ROUND_2.items(), 1)
    ]
    assert [re.sub(" [▲▼].*", "", line) for line in said[9:19]] == table
    assert said[19:] == ["", "Next round on Friday 4 December 2026, 20:00", ADDRESS]
    dutch = shared("share --lang nl")
    assert all(
        word in dutch for word in ("Ronde 2", "november", "Stand na ronde 2", "66,5 ▼1")
    )
    shared("site --lang nl")
    assert shared("share") == dutch
    german = shared("share pairing --round 1 --lang de").splitlines()
    assert german[:3] == ["De Toren", "Runde 1", "1. Johnson – Petersen"]


def test_what_is_new_is_the_pairing_while_boards_are_open_and_no_draft(
    club: Path,
) -> None:
    """The same for the director, and for the phone of a member, who has no code of the hall."""
    console, nothing = Console(club), "there is nothing to share of round {} yet."
    start = ["Club", "Start order", "1. Anna", "2. Boris", "3. Clara", "4. Daan"]
    assert console("share").splitlines() == start
    assert nothing.format(0) in console.refused("share pairing")
    console("absent Daan && next-round")
    assert nothing.format(1) in console.refused("share --round 1")
    assert console("share").splitlines() == start
    face = face_of(club, lan=True, keys=Keys(club.parent / "face.db"))
    people = [director(face), phone(face, face.hall()), phone(face, face.invitation(1))]
    for person in people:
        person.go("/share?what=pairing&round=1")
        assert nothing.format(1) in person.text.lower() and person.status == 409
    console("publish-round && result 1 1-0 && result 1 open")
    said = console("share").splitlines()
    ((white, black), (bye, _)) = console.sheet()
    assert said[2:] == [f"1. {white} – {black}", f"Bye: {bye}", "Absent: Daan"]
    for person in people:
        person.go("/share?what=all")
        assert "is not one of these" in person.text
        person.go("/share")
        assert f">Club\n{said[1]}\n{said[2]}\n" in person.page.html
    console("result 1 1-0 && next-round --beyond")
    assert f"{said[2]} 1-0\n" in console("share")


def test_a_name_is_only_a_name(tmp_path: Path) -> None:
    """One that is written to the left is isolated, and one of two lines stands in one."""
    db = tmp_path / "club.db"
    write_club(db, NAMES[:8], 2, range(1))
    past_the_guards(db, "UPDATE player SET name = 'Two\nlines' WHERE id = 6")
    text = Console(db)("share results --round 1")
    assert "\u2068דוד שחמט\u2069" in text and "Two lines" in text
    assert all(name in text for name in (*NAMES[:5], *NAMES[6:8]))
    assert len(text.splitlines()) == 2 + 4 + 2 + 8
    person = director(face_of(db))
    person.go("/share?round=1")
    assert (
        "&#x2068;דוד שחמט&#x2069;" in person.page.html
        and "<b>Bob" not in person.page.html
    )


@pytest.mark.parametrize(
    ("members", "what"),
    [(8, "pairing"), (60, "results"), (200, "standings"), (200, "pairing")],
)
def test_a_picture_has_every_name_in_its_place(
    tmp_path: Path, chromium: Chromium, members: int, what: str
) -> None:
    """Whatever letters, for 4 to 100 boards and who is absent: nothing leaves it, or overlaps."""
    db, page = tmp_path / "club.db", tmp_path / "page.html"
    write_club(db, NAMES[:members], 2, range(members // 8, members // 8 + 1))
    Console(db)(f"site {tmp_path}/site --address {ADDRESS}")
    Console(db)(f"share {what} --round 1 --picture {page}")
    seen = chromium(page.as_uri(), drawn=True)
    assert seen["misplaced"] == []
    said = "".join("".join(seen["drawn"]).split())
    assert [name for name in NAMES[:members] if "".join(name.split()) not in said] == []


def test_the_face_makes_a_png_that_can_be_sent(
    tmp_path: Path, chromium: Chromium
) -> None:
    """Of the size of the picture, and not blank; the page's own policy allows it."""
    db = tmp_path / "club.db"
    write_club(db, NAMES[:60], 2, range(1))
    with served(db) as there:
        chromium(there.address)
        seen = chromium(f"{there.root}share", made=".picture img")
    (picture,) = seen["pictures"]
    assert picture["width"] == 1080 and 1500 < picture["height"] < 2200
    assert (
        0.01 < picture["dark"] < 0.3 and picture["alt"] == "Club championship: Round 2"
    )
    assert seen["said"] == []


def test_a_code_leads_to_the_club_s_page(shared: Console, tmp_path: Path) -> None:
    """On the wall, on the page where one shares, and in a terminal."""
    shared(f"site {tmp_path}/site")
    assert (
        '<svg xmlns="http://www.w3.org/2000/svg"'
        in (tmp_path / "site/sheet/2.html").read_text()
    )
    person = director(face_of(shared.db))
    person.go("/share")
    assert 'class="qr"' in person.page.html and f'href="{ADDRESS}"' in person.page.html
    assert re.search(r"keizer/\n[█▀▄ \n]{400,}$", shared("share --code"))
    shared("site --address none")
    assert "say where the page is" in shared.refused("share --code")


@pytest.mark.parametrize("members", [30, 60, 100])
def test_a_sheet_is_a_page_by_board_and_a_page_by_name(
    tmp_path: Path, chromium: Chromium, members: int
) -> None:
    """With a code above the boards; the names are on paper where somebody has opened them."""
    db, names = tmp_path / "club.db", [*NAMES[8:100], *NAMES[:8]][-members:]
    write_club(db, names, 1, range(1))
    Console(db)(f"site {tmp_path}/site --address {ADDRESS}")
    for opened in (False, True):
        paper = tmp_path / "sheet.pdf"
        chromium((tmp_path / "site/sheet/1.html").as_uri(), pdf=str(paper), open=opened)
        pages = [
            "".join(page.extract_text().split()) for page in PdfReader(paper).pages
        ]
        assert len(pages) == 1 + opened
        for page in pages:
            plain = (name for name in names if name.isascii() and len(name) < 40)
            assert [name for name in plain if name.replace(" ", "") not in page] == []
