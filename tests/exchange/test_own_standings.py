"""A season with standings of its own comes in with every figure of them, or only if one insists."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from keizer.exchange import figures
from keizer.formats import limits
from keizer.messages import Message
from tests.support.core_page import page
from tests.support.face import director, done, face_of
from tests.support.files import edit, rows
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import (
    Original,
    import_sound,
    note_compared,
    refuse_import,
    s3db,
    store_standings,
)

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
        f"001 {number:4}      {name:33} {rating:>4}".ljust(80)
        + f"{points:>4}".ljust(11)
        + cell
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
def test_the_face_asks_and_a_button_insists(
    db: Path, file: Path, format_: Make
) -> None:
    named, before = (
        format_(file).removeprefix("line 1: ").removesuffix("."),
        db.read_bytes(),
    )
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
    assert (
        answer.json["insist"] == "anyway" and named in answer.json["error"].splitlines()
    )
    sent = {"list": (BytesIO(file.read_bytes()), "theirs"), "anyway": "1"}
    assert done(face, "import", **sent).status_code == 200


def test_a_list_of_members_and_games_need_not_be_insisted_on(
    db: Path, file: Path
) -> None:
    """They bring no standings; nor does a season in which nothing is played yet."""
    file.write_text("name\nAnna\nBoris\n", encoding="utf-8")
    keizer("import", db, file)
    file.write_text("round,white,black,result\n1,Anna,Boris,1-0\n", encoding="utf-8")
    assert keizer("import", db, file, "--games").stderr == ""
    keizer("init", db, "--name", "Empty")
    file.unlink()
    page(file)
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.executescript(
            "DELETE FROM round; DELETE FROM unplayed; DELETE FROM ranking"
        )
    assert keizer("import", db, file, "-t", "Empty").stderr == ""


# ------------------------------------------------------------- figures that cannot be read

Line = dict[str, object]
ANNA: Line = {"ID": 1, "Name": "Anna", "Score": 1}
BORIS: Line = {"ID": 2, "Name": "Boris", "Score": 0}


def printed(path: Path, *lists: tuple[int, list[Line]]) -> None:
    """Anna has won of Boris, each list is printed after a round."""
    ranking = [{"Round": number, "Player": lines} for number, lines in lists]
    played = {"Round": 1, "WhiteNr": 1, "White": "Anna", "BlackNr": 2, "Black": "Boris"}
    rounds = [{"ID": 1, "Game": [played | {"Res": "1-0"}]}]
    group = {"ID": 1, "Name": "G", "Ranking": ranking, "RoundHist": rounds}
    path.write_text(json.dumps({"GroupReport": [group]}), encoding="utf-8")


def stored(path: Path, *changes: str) -> None:
    """Anna has won of Boris: 2 + 1, and 1."""
    s3db(path, PLAYERS, [(1, 1, 1, 2, 1)])
    store_standings(path, 1, [("Anna", 3.0), ("Boris", 1.0)])
    edit(path, *changes)


def valued(path: Path, *changes: str) -> None:
    """Anna has won of Boris: the values 50 and 49 stay."""
    there = Original(path)
    there.conn.executemany("INSERT INTO player VALUES (?, '', ?)", PLAYERS)
    there.tournament("Club", ["Anna", "Boris"])
    there.game(1, "Anna", "Boris", "1-0")
    there.conn.execute("INSERT INTO ranking VALUES (1, 1, 2, 50), (1, 2, 2, 49)")
    edit(there.close(), *changes)


def refused(db: Path, file: Path) -> list[str]:
    """Who differs; who insists has the season, and the same sentences."""
    what, *who = refuse_import(db, file).splitlines()
    assert "come out differently" in what or "comes out differently" in what
    notes = import_sound(db, file, "--anyway")[1]
    assert all(f"Note: {sentence.removesuffix('.')}.\n" in notes for sentence in who)
    return who


@pytest.mark.parametrize(("score", "shown"), [
    ("77.5", "“77.5”"), (1e9, "1000000000"), (2_000_000, "2000000"), ([77], "“[77]”"),
    ({"a": 1}, '“{"a":1}”'), (None, "–"), (True, "“true”"), (False, "“false”"), (1e999, ""),
])  # fmt: skip
def test_a_score_of_sevilla_that_is_none_is_another(
    db: Path, file: Path, score: object, shown: str
) -> None:
    printed(file, (1, [ANNA | {"Score": score}, BORIS]))
    if shown:
        assert f"Anna, score after round 1: {shown} in the file, 1 here" in refused(
            db, file
        )
    else:  # versions of SQLite differ in what they take for a number
        assert refuse_import(db, file)


def test_a_score_that_is_none_is_not_left_out_where_rules_are_found(
    db: Path, file: Path
) -> None:
    printed(file, (1, [ANNA | {"Score": "77.5"}, BORIS]))
    import_sound(db, file, "--anyway")
    assert keizer("infer", db, file, fails=True).stderr == (
        f"Error: {file}: “77.5” is no score.\n"
    )


@pytest.mark.parametrize(("lists", "sentence"), [
    ([(1, [{"ID": 1, "Name": "Anna", "score": 1}, BORIS])],
     "Anna, score after round 1: – in the file, 1 here"),
    ([(0, [ANNA | {"Score": 77}, BORIS])],
     "Anna, score in the start list: 77 in the file, 0 here"),
    ([(-1, [ANNA, BORIS])], "Anna, score after round -1: 1 in the file, – here"),
    ([(2, [ANNA, BORIS])], "Anna, score after round 2: 1 in the file, – here"),
    ([(1, [ANNA | {"Score": 77}, BORIS, ANNA | {"Score": None}])],
     "Anna, score after round 1: 77 in the file, 1 here"),
    ([(1, [ANNA, BORIS, ANNA | {"Score": None}])],
     "Anna, score after round 1: – in the file, which has it twice"),
    ([(1, [ANNA, BORIS]), (1, [ANNA, BORIS])],
     "Anna, score after round 1: 1 in the file, which has it twice"),
])  # fmt: skip
def test_a_list_of_sevilla_that_is_none_is_another(
    db: Path, file: Path, lists: list[tuple[int, list[Line]]], sentence: str
) -> None:
    printed(file, *lists)
    assert sentence in refused(db, file)


NO_LISTS = "DROP TABLE tStand_1"
NO_SUMS = "UPDATE Player SET Keizer_SumPts = NULL"
WITHOUT_TYPES = [
    "CREATE TABLE t (id, line)",
    "INSERT INTO t SELECT id, line FROM tStand_1",
    NO_LISTS,
    "ALTER TABLE t RENAME TO tStand_1",
]


@pytest.mark.parametrize(("changes", "sentence"), [
    ([NO_LISTS, "UPDATE Player SET Keizer_SumPts = '9,00x' WHERE id = 1"],
     "Anna, score after round 1: “9,00x” in the file, 3 here"),
    ([NO_LISTS, "UPDATE Player SET Keizer_SumPts = 9e999 WHERE id = 1"],
     "Anna, score after round 1: inf in the file, 3 here"),
    ([NO_LISTS, "UPDATE Player SET Keizer_SumPts = 9", "UPDATE Pairing SET Pts_W = 0"],
     "Anna, score after round 1: 9 in the file, 3 here"),
    ([NO_LISTS, "UPDATE Player SET Keizer_SumPts = 0 WHERE id = 1"],
     "Anna, score after round 1: 0 in the file, 3 here"),
    ([NO_SUMS, "UPDATE tStand_1 SET line = replace(line, '3.00', '3.0 ')"],
     "Anna, score after round 1: “3.0 ” in the file, 3 here"),
    ([NO_SUMS, "UPDATE tStand_1 SET line = replace(line, '1.00', '1')"],
     "Boris, score after round 1: “1” in the file, 1 here"),
    ([NO_SUMS, "UPDATE tStand_1 SET line = replace(line, '3.00', '9999999.00')"],
     "Anna, score after round 1: “9999999.00” in the file, 3 here"),
    ([NO_SUMS, "UPDATE tStand_1 SET line = replace(line, '1.§Anna', '§Anna')"],
     "Anna, rank after round 1: “” in the file, 1 here"),
    ([NO_SUMS, "UPDATE tStand_1 SET line = replace(line, '§1§1', '§1§91')"],
     "player 91, rank after round 1: 1 in the file, – here"),
    (["INSERT INTO tStand_1 (line) VALUES ('3.§Zed§1.00§1§x')"],
     "player “Zed”, rank after round 1: 3 in the file, – here"),
    ([*WITHOUT_TYPES, "INSERT INTO tStand_1 SELECT 'x', line FROM tStand_1 WHERE line LIKE '1.%'"],
     "Anna, rank after round 1: 1 in the file, which has it twice"),
    (["CREATE TABLE tStand_01 AS SELECT * FROM tStand_1"],
     "Anna, rank after round 1: 1 in the file, which has it twice"),
    (["ALTER TABLE tStand_1 RENAME TO tStand_x"],
     "Anna, rank after round “x”: 1 in the file, – here"),
])  # fmt: skip
def test_a_list_or_sum_of_keizerforclubs_that_is_none_is_another(
    db: Path, file: Path, changes: list[str], sentence: str
) -> None:
    stored(file, *changes)
    assert sentence in refused(db, file)


def test_a_list_of_keizerforclubs_that_a_view_makes_is_not_left_out(
    db: Path, file: Path
) -> None:
    stored(file, NO_SUMS, "ALTER TABLE tStand_1 RENAME TO t",
           "CREATE VIEW tStand_1 AS SELECT * FROM t")  # fmt: skip
    assert "only tables and stored columns are read: “tstand_1”" in refuse_import(
        db, file
    )


@pytest.mark.parametrize(("change", "sentence"), [
    ("score = NULL WHERE round_number = 2", "Anna, value after round 1: – in the file, 50 here"),
    ("score = '50x' WHERE round_number = 2",
     "Anna, value after round 1: “50x” in the file, 50 here"),
    ("round_number = NULL WHERE round_number = 2",
     "Anna, value after round –: 50 in the file, – here"),
    ("round_number = 0, score = 7 WHERE round_number = 2",
     "Anna, value after round -1: 7 in the file, – here"),
    ("round_number = 1.5 WHERE round_number = 2",
     "Anna, value after round 1.5: 50 in the file, – here"),
    ("player_id = 'x' WHERE round_number = 2 AND player_id = 1",
     "player “x”, value after round 1: 50 in the file, – here"),
])  # fmt: skip
def test_a_value_of_the_original_that_is_none_is_another(
    db: Path, file: Path, change: str, sentence: str
) -> None:
    valued(file, f"UPDATE ranking SET {change}")
    assert sentence in refused(db, file)


@pytest.mark.parametrize(("change", "sentence"), [
    ("DELETE FROM ranking WHERE round_number = 3",
     "Boris, rank after round 2: – in the file, 1 here"),
    ("DELETE FROM ranking WHERE round_number = 2",
     "Boris, rank after round 1: – in the file, 1 here"),
    ("DELETE FROM ranking WHERE round_number = 1",
     "Anna, rank in the start list: – in the file, 1 here"),
    ("DELETE FROM ranking", "Anna, rank in the start list: – in the file, 1 here"),
    ("DELETE FROM ranking WHERE round_number = 3 AND player_id = 4",
     "Daan, rank after round 2: – in the file, 3 here"),
    ("DELETE FROM ranking WHERE player_id = 4",
     "Daan, rank in the start list: – in the file, 3 here"),
    ("INSERT INTO ranking VALUES (1, 9, 3, 1, 5)",
     "player 9, rank after round 2: 5 in the file, – here"),
    ("INSERT INTO ranking VALUES (1, NULL, 3, 1, 5)",
     "player –, rank after round 2: 5 in the file, – here"),
    ("UPDATE ranking SET round_number = 'x' WHERE round_number = 3 AND player_id = 4",
     "Daan, rank after round “x”: 3 in the file, – here"),
    ("UPDATE ranking SET round_number = 3.5 WHERE round_number = 3 AND player_id = 4",
     "Daan, rank after round 3.5: 3 in the file, – here"),
    ("UPDATE ranking SET score = 1e300 WHERE round_number = 3 AND player_id = 4",
     "Daan, value after round 2: 1e+300 in the file, 2 here"),
    ("UPDATE ranking SET score = 9 WHERE round_number = 0 AND player_id = 4",
     "Daan, score in the start list: 9 in the file, 0 here"),
    ("UPDATE ranking SET score = 'x' WHERE round_number = 3 AND player_id = 4",
     "Daan, value after round 2: “x” in the file, 2 here"),
])  # fmt: skip
def test_a_list_of_the_page_that_is_none_or_has_gone_is_another(
    db: Path, file: Path, change: str, sentence: str
) -> None:
    page(file, change)
    assert sentence in refused(db, file)


# ------------------------------------------------------------- how much there is of them


@pytest.mark.parametrize("make", [
    lambda file: printed(file, (1, [ANNA, BORIS]), (2, [ANNA, BORIS])),
    lambda file: stored(file, "CREATE TABLE tStand_2 AS SELECT * FROM tStand_1"),
    valued, page,
], ids=["sevilla", "keizerforclubs", "original", "core"])  # fmt: skip
def test_the_lines_of_all_standings_of_a_file_are_counted_together(
    db: Path,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], object],
) -> None:
    """There are four at least, two a list; of the page sixteen."""
    make(file)
    monkeypatch.setattr(limits, "PRINTED", 3)
    assert "this has more than 3 lines of standings" in refuse_import(db, file)


def test_no_more_sentences_are_made_than_are_told(
    db: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[figures.Figure] = []
    other = figures.Standings.other

    def counted(here: figures.Standings, figure: figures.Figure) -> Message:
        made.append(figure)
        return other(here, figure)

    monkeypatch.setattr(figures.Standings, "other", counted)
    page(file, "UPDATE ranking SET score = score + 10")
    said = refuse_import(db, file).splitlines()
    assert len(made) == 5 and said[-1] == "... and 15 more."


# ------------------------------------------------------------- what a file has no figures of


NOT_READ = "Note: the figures that the file has of {} are not compared.\n"
LACKS = "Note: the file lacks figures of {} after round {}.\n"
NO_RESULTS = (
    "INSERT INTO round VALUES (3, 1, 1, 2, NULL, NULL), (4, 1, 1, 2, NULL, NULL)"
)


@pytest.mark.parametrize(("make", "notes"), [
    (lambda file: printed(file, (1, [ANNA])), [note_compared(1), LACKS.format("Boris", 1)]),
    (lambda file: printed(file, (0, [BORIS])),
     [note_compared(1, "round 1"), LACKS.format("Anna", 0)]),
    (lambda file: stored(file, NO_SUMS, "DELETE FROM tStand_1 WHERE line LIKE '2.%'"),
     [note_compared(2), LACKS.format("Boris", 1)]),
    (lambda file: stored(file, "DELETE FROM tStand_1 WHERE line LIKE '2.%'"),
     [note_compared(4), LACKS.format("Boris", 1)]),
    (lambda file: stored(file, NO_SUMS, "INSERT INTO Pairing VALUES (2, 1, 2, 1, 1, 0, 0)"),
     [note_compared(4, "round 2")]),
    (lambda file: stored(file, NO_LISTS, "UPDATE Player SET state = 9, Keizer_SumPts = 77"),
     [NOT_READ.format("Anna, Boris")]),
    (lambda file: stored(file, NO_LISTS, "UPDATE Pairing SET Result = NULL, Pts_W = NULL"),
     [NOT_READ.format("Anna, Boris")]),
    (lambda file: valued(file, "DELETE FROM ranking WHERE round_number = 2"),
     [note_compared(2, "round 1")]),
    (lambda file: valued(file, "DELETE FROM ranking WHERE round_number = 2 AND player_id = 2"),
     [note_compared(3), LACKS.format("Boris", 1)]),
    (lambda file: page(file, NO_RESULTS), [note_compared(40, "round 4")]),
])  # fmt: skip
def test_what_a_file_of_its_kind_need_not_have_is_said(
    db: Path, file: Path, make: Callable[[Path], object], notes: list[str]
) -> None:
    make(file)
    assert import_sound(db, file)[1].startswith("".join(notes))
