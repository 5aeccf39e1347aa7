"""Any name comes out as it went in, by every way there is, or is refused in a sentence.

The names stand in tests/support/hostile.py: a club of everybody who is accepted, highest rating
first, plays a round. What is compared is the text as a reader of the format has it:
json, csv, an HTML parser, a PGN reader, another SQLite client.
"""

import csv
import io
import json
import random
import shutil
import sqlite3
from itertools import islice
from pathlib import Path

import pytest

from keizer import KeizerError
from keizer.formats import ratings, trf
from keizer.formats.trf.columns import PLAYER
from keizer.season import meant, names, roster
from keizer.site import data, messages
from keizer.site.pages import Pages
from keizer.store import database
from tests.support.console import Console
from tests.support.files import (
    Client,
    edit,
    exported,
    one_sentence,
    rows,
    run_keizer,
)
from tests.support.hostile import ACCEPTED, REFUSED
from tests.support.pages import NAMES, Page

EVERYBODY = [*ACCEPTED, *(name for name in NAMES if name not in ACCEPTED)]
SOME = random.Random(7).sample(EVERYBODY, 6)
ROOM = PLAYER["name"].last - PLAYER["name"].first + 1


def members(path: Path, some: list[str]) -> Path:
    """A file of members as a spreadsheet writes it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "rating"])
        writer.writerows([name, 2500 - index] for index, name in enumerate(some))
    return path


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everybody, by id in the order of the list; half of the boards entered, by name."""
    db = tmp_path_factory.mktemp("hostile") / "club.db"
    run_keizer("init", db, "--name", 'Club "<b>" & Co')
    run_keizer("import", db, members(db.with_name("members.csv"), EVERYBODY))
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
    console = Console(tmp_path / "new.db")
    console("init --name New")
    return console


def test_there_are_many_and_no_two_are_alike() -> None:
    assert len(set(EVERYBODY)) == len(EVERYBODY) >= 200
    assert [name for name in EVERYBODY if names.proper(name) != name] == []
    assert len([form for name in EVERYBODY for form in meant.looks(name)]) >= len(EVERYBODY)


@pytest.mark.parametrize("line", ["standings", "pairings", "crosstable", "export - --round 1"])
def test_listings_have_the_very_names(club: Path, line: str) -> None:
    """As JSON and as CSV."""
    console, everybody = Console(club), sorted(EVERYBODY)
    wanted = ["white", "black"] if line == "pairings" else ["name"]
    listed = [row[name] for row in console.json(line) for name in wanted]
    assert sorted(filter(None, listed)) == everybody
    assert column(console(f"{line} --csv"), *wanted) == everybody


@pytest.mark.parametrize("name", SOME)
def test_who_is_named_is_found(club: Path, name: str) -> None:
    """Card and explanation of one, by name as an argument."""
    card = json.loads(run_keizer("card", club, name, "--json").stdout)
    assert {row["opponent"] for row in card} <= {*EVERYBODY, None}
    assert f": {name}, rank " in run_keizer("explain", club, name).stdout.splitlines()[0]


def test_a_name_that_is_a_number_of_another_is_asked_about(club: Path) -> None:
    """#7 is player 7, unless somebody is called so."""
    number = EVERYBODY.index("#7") + 1
    said = Console(club).refused("card '#7'")
    assert f"“#7” fits {EVERYBODY[6]} (#7), #7 (#{number})" in said
    Console(club)(f"card '#{number}'")


def test_no_name_is_a_formula_in_a_spreadsheet_of_any_country(club: Path) -> None:
    text = run_keizer("export", club, "-", "--csv", "--round", 1).stdout
    for delimiter in ",;":
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            assert not any(cell.startswith(("=", "@", "\t")) for cell in line)
    excel = run_keizer("export", club, "-", "--csv", "--excel", "--round", 1).stdout_bytes
    assert column(excel.decode("utf-8-sig"), "name", delimiter=";") == sorted(EVERYBODY)


def test_what_is_exported_can_be_imported(club: Path, new: Console) -> None:
    """Members from the names of an exported table, in the order of their ids."""
    text = run_keizer("export", club, "-", "--csv", "--round", 0).stdout
    found = csv.DictReader(io.StringIO(text, newline=""))
    new(f"import {members(new.db.with_suffix('.csv'), [row['name'] for row in found])}")
    assert registered(new.db) == EVERYBODY


@pytest.mark.parametrize("edition", [pytest.param(2016, marks=pytest.mark.campaign), 2026])
def test_a_report_has_them_and_brings_them_back(club: Path, new: Console, edition: int) -> None:
    """As far as the 33 columns of the field go."""
    report = new.db.with_suffix(".trf")
    Console(club)(f"export {report} --edition {edition}")
    cut = [name[:ROOM].strip() for name in EVERYBODY]
    assert [player.name for player in trf.parse(report.read_bytes()).players] == cut
    new(f"import {report}")
    assert registered(new.db) == cut


def test_games_have_them(club: Path) -> None:
    games = exported(club, 1)
    found = [game[side] for game in games for side in ("White", "Black")]
    bye = {row[0] for row in rows(club, "SELECT white FROM pairings WHERE black IS NULL")}
    assert sorted(found) == sorted({*EVERYBODY} - bye)


def test_pages_have_them(club: Path) -> None:
    """Boards, table and the pages of the first players; none of them is an element."""
    with database.reading(club) as conn:
        season = data.Season(conn, 1).load()
    pages = dict(islice(Pages(season, messages.of_language("en")), 8))
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
        assert not {tag for tag, _ in page.starts} & {"script", "b", "img", "plaintext", "object"}
    titles = [Page(text).text for path, text in pages.items() if path.startswith("player/")]
    assert titles
    assert all(name in text for name, text in zip(EVERYBODY, titles, strict=False))


def test_other_clients_read_and_write_them(client: Client, club: Path, new: Console) -> None:
    db = Path(shutil.copy(club, new.db.with_name("club.db")))
    assert client(db, ["SELECT name FROM player ORDER BY id"]) == EVERYBODY
    quoted = (name.replace("'", "''") for name in EVERYBODY)
    values = ", ".join(f"('{name}')" for name in quoted)
    assert client(new.db, [f"INSERT INTO player (name) VALUES {values}"]) == ["ok"]
    assert registered(new.db) == EVERYBODY


def test_what_is_typed_is_tidied(tmp_path: Path) -> None:
    """One form, one space, nothing that is not seen: so the same name is one player."""
    db = tmp_path / "club.db"
    run_keizer("init", db, "--name", " My\u00a0 club ")
    for typed in (
        "Zoe\u0308  \u00c5berg", "\u2009Zo\u00eb \u212bberg\ufeff", "Zo\u200b\u00eb \u00c5berg",
        "Zo\u00eb\t\u00c5berg\n", "\u200fZo\u00eb\u3000\u00c5ber\u200dg",
    ):  # fmt: skip
        assert names.tidy(typed) == "Zo\u00eb \u00c5berg"
        run_keizer("add", db, typed, fails=typed[:3] != "Zoe")
    assert rows(db, "SELECT name FROM player") == [("Zo\u00eb \u00c5berg",)]
    assert rows(db, "SELECT description FROM tournament") == [("My club",)]


def test_a_name_of_one_script_is_a_name(conn: sqlite3.Connection) -> None:
    """Also where all of its letters look like others; it is only two that are confused."""
    some = ["Muller", "Сара", "Сара Б", "Νίκη", "ΝΙΚΟΣ", "O'Neill", "Ian", "Jan"]
    for name in some:
        roster.register(conn, name)
    assert [row[0] for row in conn.execute("SELECT name FROM player")] == some
    with pytest.raises(KeizerError, match="“Capa” would be taken for Сара"):
        roster.register(conn, "Capa")


def test_accents_tell_two_apart(new: Console) -> None:
    """Either is found by their own spelling; one that is neither's is asked about."""
    new("add Müller && add Muller --new && add Mûller --new")
    assert "Muller" in new("absent Muller")
    assert "Müller" in new("absent Mu\u0308ller")
    said = new.refused("absent MULLER")
    assert "fits Muller (#2), Mûller (#3), Müller (#1): " in said


def test_what_is_refused_is_refused_in_a_sentence(club: Path) -> None:
    """All by the function behind the command, one of each sort by the command itself."""
    before = club.read_bytes()
    with database.reading(club) as conn:
        for name, sentence in REFUSED.items():
            with pytest.raises(KeizerError) as error:
                roster.enter(conn, 1, name)
            assert sentence in str(error.value), name
    for name in ["", "An\x1bna", "\x00", "\udcff", "=1", "y" * 10_000, "\u0301a", "MÜLLER"]:
        done = run_keizer("add", club, "--", name, fails=True)
        assert done.exit_code == 1 and one_sentence(done.stderr), name
        assert done.stderr.rstrip("\n").isprintable() and len(done.stderr) < 400
    assert club.read_bytes() == before


def test_imports_refuse_likewise_and_name_the_line(club: Path, new: Console) -> None:
    """The report of another program too; who would be confused with whom is said."""
    file = new.db.with_name("m.csv")
    for name, sentence in (
        ("Anna\u202e", "U+202E"), ("=1+1", "is a formula"), ("y" * 201, "has at most 200"),
    ):  # fmt: skip
        said = Console(club).refused(f"import {members(file, [name])}")
        assert "m.csv, line 2: " in said and sentence in said
    two = [
        f"001 {player:4}      {name:33}{' ':33}0.0 {player:4}\n"
        for player, name in ((1, "Anna"), (2, "\u0410nna"))
    ]
    file.with_name("x.trf").write_text("012 X\n" + "".join(two), encoding="utf-8")
    said = new.refused(f"import {file.with_name('x.trf')}")
    assert "line 3: “\u0410nna” would be taken for Anna (#1): " in said
    assert registered(new.db) == []


def test_other_text_is_tidied(new: Console) -> None:
    """Categories, reasons, periods, what people share."""
    new("add Anna --category ' A\u00a0 1 ' && add Bo")
    new("correct Anna -5 --reason 'late\n twice' && period 2 --name ' Spring\t2027 '")
    new("prohibit Anna Bo --name 'the  Vos\u200b family' && rules 'name= Club  2027'")
    assert new.rows(
        "SELECT category, reason, period.name, p.name, description FROM player, correction, period,"
        " prohibited_pairing AS p, tournament WHERE player.id = 1 AND p.player_id = 1"
    ) == [("A 1", "late twice", "Spring 2027", "the Vos family", "Club 2027")]


def test_other_text_is_refused(new: Console) -> None:
    new("add Anna && add Bo && rules 'name=new 2027'")
    for line in (
        "add Cor --category =A1", "add Cor --category '\x1b[1m'",
        f"add Cor --category {'x' * 201}", "add Cor --category \udcff",
        "correct Bo 1 --reason @x", "period 3 --name 'a\u202eb'", "rules name=\x07",
        "prohibit Anna Bo --name \x00", "init --name 'new \u00b2\u2060027'",
        f"init --name {'x' * 10_000}",
    ):  # fmt: skip
        said = new.refused(line)
        assert said.rstrip("\n").isprintable() and len(said) < 400, line


def test_two_may_change_numbers(new: Console) -> None:
    """One after the other would be refused: nobody has the number of another."""
    new("add Anna && add Bo")
    edit(new.db, "UPDATE player SET fide_id = 10 + id, national_id = 'N' || id")
    with database.writing(new.db) as conn:
        ratings.write(
            conn, {1: {"fide_id": 12, "national_id": "N2"}, 2: {"fide_id": 11, "national_id": "N1"}}
        )
    found = new.rows("SELECT fide_id, national_id FROM player ORDER BY id")
    assert found == [(12, "N2"), (11, "N1")]


def test_a_sentence_quotes_no_more_than_has_room() -> None:
    with pytest.raises(KeizerError) as refused:
        meant.player("z" * 10_000, {1: "Anna"})
    assert len(str(refused.value)) < 200
    with pytest.raises(KeizerError, match="there is no player"):
        meant.player("#" + "9" * 5000, {1: "Anna"})
