"""Any name comes out as it went in, by every way there is, or is refused in a sentence.

The names stand in tests/support/hostile.py: a club of everybody who is accepted, highest rating
first, plays a round. What is compared is the text as a reader of the format has it:
json, csv, an HTML parser, a PGN reader, another SQLite client.
"""

import csv
import io
import shutil
import sqlite3
from itertools import islice
from pathlib import Path

import pytest

from keizer import KeizerError
from keizer.exchange import ratings, trf
from keizer.exchange.trf.report import PLAYER
from keizer.season.names import resolve
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.store import database
from keizer.web.site import data, messages
from keizer.web.site.pages import Pages
from tests.support.console import Console, new_club
from tests.support.files import Client, edit, one_sentence, rows, run_keizer
from tests.support.hostile import ACCEPTED, REFUSED
from tests.support.pages import NAMES, Page
from tests.support.pgn import exported
from tests.support.scenes import scenes

EVERYBODY = [*ACCEPTED, *(name for name in NAMES if name not in ACCEPTED)]
ROOM = PLAYER["name"].last - PLAYER["name"].first + 1


def members(path: Path, some: list[str]) -> Path:
    """A file of members as a spreadsheet writes it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "rating"])
        writer.writerows([name, 2500 - index] for index, name in enumerate(some))
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everybody, by id in the order of the list; half of the boards entered, by name."""
    db = tmp_path_factory.mktemp("hostile") / "club.db"
    run_keizer("init", db, "--name", 'Club "<b>" & Co')
    # Some are alike.
    new = (f"--who={line}=new" for line in range(2, len(EVERYBODY) + 2))
    run_keizer("import", db, members(db.with_name("members.csv"), EVERYBODY), *new)
    run_keizer("next-round", db)
    run_keizer("publish-round", db)
    boards = range(1, len(EVERYBODY) // 2 + 1)
    said = "".join(f"{board} {('1-0', '0-1', '=')[board % 3]}\n" for board in boards)
    assert run_keizer("result", db, "-", stdin=said).stdout.count("\n") == len(boards)
    return db


def column(text: str, *wanted: str, delimiter: str = ",") -> list[str]:
    """The cells of CSV in these columns that are not empty."""
    lines = io.StringIO(text, newline="")
    found = csv.DictReader(lines, strict=True, delimiter=delimiter)
    return sorted(row[name] for row in found for name in wanted if row[name])


def registered(db: Path) -> list[str]:
    """The names in a file, by id."""
    return [name for (name,) in rows(db, "SELECT name FROM player ORDER BY id")]


@pytest.fixture
def new(tmp_path: Path) -> Console:
    """An empty season."""
    return new_club(tmp_path / "new.db", name="New")


@pytest.mark.parametrize(
    "line", ["standings", "pairings", "crosstable", "export - --round 1"]
)
def test_listings_have_the_very_names(hostile: Path, line: str) -> None:
    """As JSON and as CSV."""
    console, everybody = Console(hostile), sorted(EVERYBODY)
    wanted = ["white", "black"] if line == "pairings" else ["name"]
    listed = [row[name] for row in console.json(line) for name in wanted]
    assert sorted(filter(None, listed)) == everybody
    assert column(console(f"{line} --csv"), *wanted) == everybody


def test_no_name_is_a_formula_in_a_spreadsheet_of_any_country(hostile: Path) -> None:
    text = run_keizer("export", hostile, "-", "--csv", "--round", 1).stdout
    for delimiter in ",;":
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            assert not any(cell.startswith(("=", "@", "\t")) for cell in line)
    excel = run_keizer(
        "export", hostile, "-", "--csv", "--excel", "--round", 1
    ).stdout_bytes
    assert column(excel.decode("utf-8-sig"), "name", delimiter=";") == sorted(EVERYBODY)


@pytest.mark.parametrize(
    "edition", [pytest.param(2016, marks=pytest.mark.campaign), 2026]
)
def test_a_report_has_them_and_brings_them_back(
    hostile: Path, new: Console, edition: int
) -> None:
    """As far as the 33 columns of the field go."""
    report = new.db.with_suffix(".trf")
    Console(hostile)(f"export {report} --edition {edition}")
    cut = [name[:ROOM].strip() for name in EVERYBODY]
    assert [player.name for player in trf.parse(report.read_bytes()).players] == cut
    new(f"import {report}")
    assert registered(new.db) == cut


def test_games_have_them(hostile: Path) -> None:
    games = exported(hostile, 1)
    found = [game[side] for game in games for side in ("White", "Black")]
    bye = {
        row[0]
        for row in rows(hostile, "SELECT white FROM pairings WHERE black IS NULL")
    }
    assert sorted(found) == sorted({*EVERYBODY} - bye)


def test_pages_have_them(hostile: Path) -> None:
    """Boards, table and the pages of the first players; none of them is an element."""
    with database.reading(hostile) as conn:
        season = data.PublishedSeason(Tournament(conn, 1)).load()
    pages = dict(islice(Pages(season, messages.Messages("en")), 12))
    for path in ("round/1.html", "standings/1.html"):
        page = Page(pages[path])
        shown = {
            cell["data-value"]
            for row in page.tables[0]["rows"]
            for cell in row["cells"]
            if cell["data-column"] in ("white", "black", "name")
        }
        assert shown - {""} == set(EVERYBODY)
        assert [name for name in EVERYBODY if name not in page.text] == []
        assert not {tag for tag, _ in page.starts} & {
            "script",
            "b",
            "img",
            "plaintext",
            "object",
        }
    titles = [
        Page(text).text for path, text in pages.items() if path.startswith("player/")
    ]
    assert titles
    assert all(name in text for name, text in zip(EVERYBODY, titles, strict=False))


def test_other_clients_read_and_write_them(
    client: Client, hostile: Path, new: Console
) -> None:
    db = Path(shutil.copy(hostile, new.db.with_name("club.db")))
    assert client(db, ["SELECT name FROM player ORDER BY id"]) == EVERYBODY
    quoted = (name.replace("'", "''") for name in EVERYBODY)
    values = ", ".join(f"('{name}')" for name in quoted)
    assert client(new.db, [f"INSERT INTO player (name) VALUES {values}"]) == ["ok"]
    assert registered(new.db) == EVERYBODY


def test_a_name_of_one_script_is_a_name(conn: sqlite3.Connection) -> None:
    """Also where all of its letters look like others; it is only two that are confused."""
    some = ["Muller", "Сара", "Сара Б", "Νίκη", "ΝΙΚΟΣ", "O'Neill", "Ian", "Jan"]
    for name in some:
        roster.register(conn, name)
    assert [row[0] for row in conn.execute("SELECT name FROM player")] == some
    with pytest.raises(KeizerError, match="“Capa” would be taken for Сара"):
        roster.register(conn, "Capa")


def test_what_is_refused_is_refused_in_a_sentence(hostile: Path) -> None:
    """All by the function behind the command, one of each sort by the command itself."""
    before = hostile.read_bytes()
    with database.reading(hostile) as conn:
        for name, sentence in REFUSED.items():
            with pytest.raises(KeizerError) as error:
                roster.enter(Tournament(conn, 1), name)
            assert sentence in str(error.value), name
    for name in [
        "",
        "An\x1bna",
        "\x00",
        "\udcff",
        "=1",
        "y" * 10_000,
        "\u0301a",
        "MÜLLER",
    ]:
        done = run_keizer("add", hostile, "--", name, fails=True)
        assert done.exit_code == 1 and one_sentence(done.stderr), name
        assert done.stderr.rstrip("\n").isprintable() and len(done.stderr) < 400
    assert hostile.read_bytes() == before


def test_imports_refuse_likewise_and_name_the_line(hostile: Path, new: Console) -> None:
    """The report of another program too; who would be confused with whom is said."""
    file = new.db.with_name("m.csv")
    for name, sentence in (
        ("Anna\u202e", "U+202E"), ("=1+1", "is a formula"), ("y" * 201, "has at most 200"),
    ):  # fmt: skip
        said = Console(hostile).refused(f"import {members(file, [name])}")
        assert "m.csv, line 2: " in said and sentence in said
    two = [
        f"001 {player:4}      {name:33}{' ':33}0.0 {player:4}\n"
        for player, name in ((1, "Anna"), (2, "\u0410nna"))
    ]
    file.with_name("x.trf").write_text("012 X\n" + "".join(two), encoding="utf-8")
    said = new.refused(f"import {file.with_name('x.trf')}")
    assert "line 3: “\u0410nna” would be taken for Anna (#1): " in said
    assert registered(new.db) == []


def test_two_may_change_numbers(new: Console) -> None:
    """One after the other would be refused: nobody has the number of another."""
    new("add Anna && add Bo")
    edit(new.db, "UPDATE player SET fide_id = 10 + id")
    with database.writing(new.db) as conn:
        ratings.write(conn, {1: {"fide_id": 12}, 2: {"fide_id": 11}})
    assert new.rows("SELECT fide_id FROM player ORDER BY id") == [(12,), (11,)]


def test_a_sentence_quotes_no_more_than_has_room() -> None:
    with pytest.raises(KeizerError) as refused:
        resolve.find_player_id("z" * 10_000, {1: "Anna"})
    assert len(str(refused.value)) < 200
    with pytest.raises(KeizerError, match="there is no player"):
        resolve.find_player_id("#" + "9" * 5000, {1: "Anna"})


test_texts = scenes("""
One form, one space, nothing that is not seen: so the same name is one player.
  rules 'name= My\u00a0 club '
  SELECT description FROM tournament => My club
  add 'Zoe\u0308  \u00c5berg'
  ! add '\u2009Zo\u00eb \u212bberg\ufeff' => Zo\u00eb \u00c5berg has already entered
  ! add 'Zo\u200b\u00eb \u00c5berg' => Zo\u00eb \u00c5berg has already entered
  ! add '\u200fZo\u00eb\u3000\u00c5ber\u200dg' => Zo\u00eb \u00c5berg has already entered
  SELECT name FROM player WHERE id > 4 => Zo\u00eb \u00c5berg

Accents tell two apart: who is typed by neither's spelling is asked about.
  add Müller && add Muller --new && add Mûller --new
  absent Muller => Muller
  absent Mu\u0308ller => Müller
  ! absent MULLER => fits Muller (#6), Mûller (#7), Müller (#5):

#2 is player 2, unless somebody is called so.
  add '#2'
  ! card '#2' => “#2” fits Boris (#2), #2 (#5)
  card '#5' => #2

Categories, reasons, periods and what people share are tidied
  player Anna --category ' A\u00a0 1 ' && correct Anna -5 --reason 'late  twice'
  period 2 --name ' Spring\t2027 ' && prohibit Anna Boris --name 'the  Vos\u200b family'
  SELECT category, reason, period.name, p.name FROM player, correction, period,
    prohibited_pairing AS p WHERE player.id = 1 AND p.player_id = 1
    => A 1 late twice Spring 2027 the Vos family

or refused.
  ! add Cor --category =A1
  ! add Cor --category \udcff
  ! correct Anna 1 --reason @x
  ! period 3 --name 'a\u202eb'
  ! rules name=\x07
  ! prohibit Anna Boris --name \x00
  ! init --name 'new \u00b2\u2060027\x07'
""")
