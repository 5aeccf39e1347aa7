"""A season with standings of its own comes in with every figure of them, or only if one insists."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from tests.support.core_page import page
from tests.support.face import director, done, face_of
from tests.support.files import rows
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import Original, s3db, store_standings

SEVILLA = Path(__file__).parent / "sevilla/autumn-2025.json"
PLAYERS = [("Anna", 1900), ("Boris", 1800)]


def sevilla(path: Path) -> str:
    """An absence brought half a point, which no rule in the file says."""
    path.write_bytes(SEVILLA.read_bytes())
    return "Player 41, score after round 2: 0.5 in the file, 0 here"


def core(path: Path) -> str:
    """Somebody has changed a value by hand."""
    page(path, "UPDATE ranking SET score = 9 WHERE round_number = 3 AND player_id = 2")
    return "Boris, value after round 2: 9 in the file, 4 here"


def keizerforclubs(path: Path) -> str:
    """Two players, values 2 and 1, then Boris has won."""
    s3db(path, PLAYERS, [(1, 1, 1, 2, 3)])
    store_standings(path, 1, [("Boris", 4.0), ("Anna", 2.0)])
    return "Boris, score after round 1: 4 in the file, 3 here"


def original(path: Path) -> str:
    """It gave nothing for this spelling of a result."""
    there = Original(path)
    there.conn.executemany("INSERT INTO player VALUES (?, '', ?)", PLAYERS)
    there.tournament("Club", ["Anna", "Boris"])
    there.game(1, "Anna", "Boris", "0:1")
    there.conn.execute("INSERT INTO ranking VALUES (1, 1, 2, 50), (1, 2, 2, 49)")
    there.close()
    return "Anna, value after round 1: 50 in the file, 49 here"


def report(path: Path) -> str:
    """A player has a point more than the rounds bring."""
    lines = [
        f"001 {number:4}      {name:33} {rating:>4}".ljust(80) + f"{points:>4}".ljust(11) + cell
        for number, (name, rating), points, cell in (
            (1, PLAYERS[0], "1.0", "   2 w 0"),
            (2, PLAYERS[1], "1.0", "   1 b 1"),
        )
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return "line 1: 1 has 1.0 points, and the rounds add up to 0.0."


FORMATS = [sevilla, core, keizerforclubs, original, report]
each = pytest.mark.parametrize("format_", FORMATS)
Make = Callable[[Path], str]


@each
def test_the_command_names_who_differs_and_leaves_the_file_byte_for_byte(
    db: Path, file: Path, format_: Make
) -> None:
    named, before = format_(file), db.read_bytes()
    for options in ([], ["--dry-run"]):
        said = keizer("import", db, file, *options, fails=True).stderr.splitlines()
        assert "--anyway imports it" in said[0] and named in said[1:]
        assert db.read_bytes() == before
        assert not list(db.parent.glob("club.db?*"))


@each
def test_who_insists_has_it_as_it_is_counted_here_and_is_told(
    db: Path, file: Path, format_: Make
) -> None:
    named = format_(file).removesuffix(".")
    assert f"Note: {named}.\n" in keizer("import", db, file, "--anyway").stderr
    assert rows(db, "SELECT count(*) > 0 FROM round") == [(1,)]
    assert "is sound" in keizer("check", db).stdout


@each
def test_the_face_asks_and_a_button_insists(db: Path, file: Path, format_: Make) -> None:
    named, before = format_(file).removeprefix("line 1: ").removesuffix("."), db.read_bytes()
    me = director(face_of(db))
    me.go("members")
    me.press("Check the list", list=(BytesIO(file.read_bytes()), "theirs"))
    assert me.status == 409 and "Are you sure?" in me.text and named in me.text
    assert db.read_bytes() == before
    me.press("Do it all the same")
    assert "What would change" in me.text and named in me.text
    assert db.read_bytes() == before
    me.press("Import the list")
    assert rows(db, "SELECT count(*) > 0 FROM round") == [(1,)]


@each
def test_a_program_reads_what_to_send(db: Path, file: Path, format_: Make) -> None:
    named, face = format_(file), face_of(db)
    answer = done(face, "import", list=(BytesIO(file.read_bytes()), "theirs"))
    assert answer.status_code == 409
    assert answer.json["insist"] == "anyway" and named in answer.json["error"].splitlines()
    sent = {"list": (BytesIO(file.read_bytes()), "theirs"), "anyway": "1"}
    assert done(face, "import", **sent).status_code == 200


def test_a_list_of_members_and_games_need_not_be_insisted_on(db: Path, file: Path) -> None:
    """They bring no standings; nor does a season in which nothing is played yet."""
    file.write_text("name\nAnna\nBoris\n", encoding="utf-8")
    keizer("import", db, file)
    file.write_text("round,white,black,result\n1,Anna,Boris,1-0\n", encoding="utf-8")
    assert keizer("import", db, file, "--games").stderr == ""
    keizer("init", db, "--name", "Empty")
    file.unlink()
    page(file)
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.executescript("DELETE FROM round; DELETE FROM unplayed; DELETE FROM ranking")
    assert keizer("import", db, file, "-t", "Empty").stderr == ""
