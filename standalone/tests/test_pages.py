"""Its pages: no barrier on a desk and a phone, every one reachable, all of it by keys."""

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from standalone.tests.person import WITHOUT_PICKERS, Person
from tests.support.evening import MEMBERS, facts, new_season
from tests.support.files import rows, run_keizer
from tests.support.other_programs import Original, s3db, sce

People = Callable[..., Person]
PAGES = [
    "/tonight", "/results", "/standings.html", "/members", "/members/1", "/plan", "/rules",
    "/rules?preset=swiss", "/standings/0.html", "/categories.html", "/screen",
    "/files", "/log", "/start", "/help", "/about", "/phones", "/round/1.html", "/player/1.html",
    "/sheet/1.html", "/crosstable.html", "/season.html", "/statistics.html", "/restore/1",
    "/rules.html", "/share", "/no/such/page",
]  # fmt: skip


@pytest.mark.parametrize("size", [(1280, 900), (360, 740)], ids=["desk", "phone"])
def test_pages_have_no_barrier_and_fit(
    visitor: People, tmp_path: Path, size: tuple[int, int]
) -> None:
    """For axe, on any; none is wider than the screen; the script of the page says nothing."""
    season = new_season(tmp_path / "club.db")
    run_keizer("next-round", season)
    run_keizer("publish-round", season)
    person = visitor()
    person.size(*size)
    wrong = {"/": person.axe()}
    person.upload("#file", str(season))
    person.more("File")
    person.press("Make a snapshot now")
    for page in PAGES:
        person.go(page)
        found = person.axe()
        if ("That did not work" in person.shown()) != (page == "/no/such/page"):
            found.append(person.shown())
        width = person.run("document.documentElement.scrollWidth")
        if width > size[0]:
            found.append(f"{width} px wide")
        wrong[page] = found
    assert {page: found for page, found in wrong.items() if found} == {}
    assert person.errors() == []


@pytest.mark.parametrize("kind", ["chromium", "firefox", "webkit"])
def test_a_pairing_is_copied_and_comes_out_as_a_png(
    people: People, tmp_path: Path, kind: str
) -> None:
    """Drawn here, without a network, as the page's own policy has it."""
    season = new_season(tmp_path / "club.db")
    run_keizer("next-round", season)
    run_keizer("publish-round", season)
    person = people(kind)
    person.upload("#file", str(season))
    person.press("Share", "main a")
    person.holds("document.querySelector('.picture img') !== null")
    person.reach("Copy")  # by a key, as browsers let no script copy by itself
    person.expect("Copied")
    picture = Path(person.save("Download", "round-1.png")).read_bytes()
    assert picture.startswith(b"\x89PNG") and picture[16:20] == (1080).to_bytes(4)
    assert len(picture) > 20_000
    assert person.errors() == []


def test_a_browser_in_which_python_fails_to_start_is_asked_once_more(
    people: People,
) -> None:
    """As WebKit is now and then."""
    person = people(
        prepare=f"""{WITHOUT_PICKERS};
            const broken = URL.createObjectURL(new Blob(["throw Error('Out of bounds')"]));
            var failures = 1;
            window.Worker = class extends Worker {{
              constructor(script) {{ super(failures-- > 0 ? broken : script); }}
            }}"""
    )
    person.expect("Begin a season")
    assert person.run("failures") == -1


@pytest.mark.parametrize("kind", ["chromium", "webkit"])
def test_an_evening_by_keys_alone(people: People, tmp_path: Path, kind: str) -> None:
    """Tab and Enter reach everything; results are typed."""
    season, twin = new_season(tmp_path / "club.db"), tmp_path / "twin.db"
    shutil.copy(season, twin)
    person = people(kind)
    person.send("#file", str(season))
    person.expect("club.db is saved.")
    person.reach(MEMBERS[2])
    run_keizer("absent", twin, MEMBERS[2])
    person.reach("Pair round 1")
    run_keizer("next-round", twin)
    person.reach("Publish")
    run_keizer("publish-round", twin)
    person.key("ArrowDown", *["1", "0", "="] * 3)
    for board, result in enumerate(["1-0", "0-1", "½-½"] * 3, 1):
        run_keizer("result", twin, board, result)
    person.expect("Changes that are not in club.db yet")
    person.expect("Results 9/11")
    person.reach("↶ Undo", "header button")
    run_keizer("undo", twin)
    found = Path(person.save("Save club.db", "club.db"))
    assert facts(found) == facts(twin)


@pytest.mark.parametrize("kind", ["chromium", "firefox", "webkit"])
def test_a_season_begins_here_and_files_come_out(
    people: People, kind: str, tmp_path: Path
) -> None:
    """A new season, a list of members, the demo; CSV, JSON, the site, the season, a snapshot."""
    person = people(kind)
    person.type("input[name=name]", "Our club")
    person.press("Begin", "main button")
    person.expect("“Our club” is ready, and open.")
    members = tmp_path / "members.csv"
    members.write_text(
        "name,rating\n" + "".join(f"{name},1500\n" for name in MEMBERS[:6])
    )
    person.run("document.querySelectorAll('details').forEach((it) => (it.open = true))")
    person.upload("input[type=file][name=list]", str(members))
    person.click("form[action$='do/import'] button")
    person.expect("6 new")
    person.press("Import the list")
    person.press("Tonight", "header a")
    person.press("Pair round 1")
    person.press("Publish")
    person.more("File")
    with zipfile.ZipFile(person.save("Download it (zip)", "site.zip")) as site:
        assert "Our club" in site.read("index.html").decode()
    table = Path(person.save("Standings for a spreadsheet", "standings.csv")).read_text(
        "utf-8-sig"
    )
    assert MEMBERS[0] in table
    person.run(
        "document.querySelector('a[href$=\"report.trf\"]').href = '#/export/none.csv'"
    )
    person.press("Tournament report (TRF)")
    person.expect("There is no view “none”")
    person.more("File")
    season = Path(person.save("Download the season file", "season.db"))
    assert run_keizer("check", season).exit_code == 0
    person.press("Make a snapshot now")
    person.press("2:", "main a")
    snapshot = Path(person.save("Download it", "snapshot-2.db"))
    assert rows(snapshot, "SELECT count(*) FROM round") == [(0,)]
    person.press("All seasons")
    person.press("Try a demo season")
    person.expect("everything here is made up")
    person.press("All seasons")
    person.press("Go on")
    person.expect("as it was after the last step")
    assert person.errors() == []


def test_what_was_typed_into_a_form_that_is_refused_stays(
    visitor: People, tmp_path: Path
) -> None:
    """A member without a name: the sentence stands at the field, and the rest is still there."""
    person = visitor()
    person.upload("#file", str(new_season(tmp_path / "club.db")))
    person.go("/members")
    person.press("Add a member", "summary")
    person.type("#new-form [name=category]", "B")
    person.click("#new-form button")
    person.expect("“Name” is missing")
    assert (
        person.run("document.querySelector('#new-form [name=category]').value") == "B"
    )
    assert (
        person.run("document.activeElement.getAttribute('aria-describedby')")
        == "refused"
    )


@pytest.mark.parametrize("program", ["KeizerForClubs", "Sharly Chess", "the original"])
def test_another_program_s_season_is_read(
    visitor: People, tmp_path: Path, program: str
) -> None:
    """Opened, it goes into the form that begins a season; it is read as the command reads it."""
    endings = {"KeizerForClubs": "club.s3db", "Sharly Chess": "club.sce"}
    there = tmp_path / endings.get(program, "keizer.db")
    if program == "KeizerForClubs":
        players = [(name, 2000 - 10 * place) for place, name in enumerate(MEMBERS[:4])]
        s3db(there, players, [(1, 1, 1, 2, 2), (1, 2, 3, 4, 3)])
    elif program == "Sharly Chess":
        sce(
            there,
            [{"last_name": name} for name in MEMBERS[:4]],
            [[(1, 2, 2, 2), (3, 4, 1, 3)]],
        )
    else:
        made = Original(there)
        for name in MEMBERS[:4]:
            made.conn.execute(
                "INSERT INTO player (name, rating) VALUES (?, 0)", (name,)
            )
        made.tournament("Club", MEMBERS[:4])
        made.game(1, MEMBERS[0], MEMBERS[1], "1-0")
        made.conn.close()
    twin = tmp_path / "twin.db"
    run_keizer("init", twin, "--name", "Copied")
    assert run_keizer("import", twin, there).exit_code == 0
    person = visitor()
    person.upload("#file", str(there))
    person.type("input[name=name]", "Copied")
    person.expect(f"{there.name} is no season of keizer. If it is a list of members")
    person.press("Begin", "main button")
    person.expect("“Copied” is ready, and open.")
    person.press("Standings", "header a")
    found = Path(person.save("Save Copied.db", "Copied.db"))
    table = "SELECT name, score, rank FROM standings ORDER BY rank, name"
    assert rows(found, table) == rows(twin, table) != []


@pytest.mark.parametrize("name", ["excel-en.xlsx", "libreoffice.ods", "knsb.csv"])
def test_a_season_begins_with_a_members_list(
    visitor: People, tmp_path: Path, name: str
) -> None:
    """A workbook, too; from the first page, with the name of the file."""
    there = Path(__file__).parents[2] / "tests" / "lists" / name
    twin = tmp_path / "twin.db"
    run_keizer("init", twin, "--name", "Club")
    assert run_keizer("import", twin, there).exit_code == 0
    person = visitor()
    person.upload("#file", str(there))
    person.press("Begin", "main button")
    person.expect(f"“{there.stem}” is ready, and open.")
    found = Path(person.save(f"Save {there.stem}.db", f"{there.stem}.db"))
    table = "SELECT name, rating, category FROM player ORDER BY id"
    assert rows(found, table) == rows(twin, table) != []
    assert person.errors() == []


def test_what_is_no_list_leaves_no_season(visitor: People, tmp_path: Path) -> None:
    there = tmp_path / "letter.xls"
    there.write_bytes(b"\xd0\xcf\x11\xe0")
    person = visitor()
    person.upload("#file", str(there))
    person.press("Begin", "main button")
    person.expect("this is a spreadsheet of an old Excel")
    person.expect("No season is open.")
    assert "letter.db" not in person.shown()
