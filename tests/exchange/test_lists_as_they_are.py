"""Members' lists as people write them, and who has to be asked about what.

tests/lists/as-they-are.txt has the lists and, by hand, what must come out.
"""

import re
import shutil
from pathlib import Path

import pytest

from keizer.formats import members
from keizer.messages import say
from tests.support.console import Console, new_club
from tests.support.face import Page, Person, director, done, face_of
from tests.support.files import ROOT, dump, rows, run_keizer

LISTS = (
    (ROOT / "tests/lists/as-they-are.txt")
    .read_text(encoding="utf-8")
    .split("\n=== ")[1:]
)


def came_out(text: str, columns: str, file: Path) -> list[str]:
    """What a list says, line by line, as the file of lists has it."""
    file.write_text(text, encoding="utf-8")
    listed, _, _ = members.read(file, columns.split(",") if columns else ())
    found = {line: f"! {said}" for line, said in listed.faults}
    for one in listed.listed:
        said = [
            one.name,
            *(one.given.get(key) for key in ("rating", "category", "title", "born")),
        ]
        cells = "/".join("" if cell is None else str(cell) for cell in said)
        found[one.line] = ("? " if one.doubt else "") + cells.rstrip("/")
    return [said for _, said in sorted(found.items())]


def test_what_comes_out_of_each_list(tmp_path: Path) -> None:
    """Each line is a member, or is asked about, or refused: nothing is wrong in silence."""
    assert len(LISTS) >= 60
    for case in LISTS:
        title, _, rest = case.partition("\n")
        text, columns, due = re.split(r"(?m)^->(.*)\n", rest)
        found = came_out(text, columns.strip(), tmp_path / "list.txt")
        wanted = re.sub(r" */ *", "/", due.strip()).splitlines()
        assert len(found) == len(wanted), (title, found)
        for one, line in zip(found, wanted, strict=True):
            if line.startswith("! "):
                assert one.startswith("! ") and line[2:] in one, (title, found)
            else:
                assert one == line, (title, found)


# ----------------------------------------------------------------- who is likely who

ALIKE = [
    ("Sean O’Neil", "Sean O'Neill"), ("Jan v.d. Berg", "Jan van den Berg"),
    ("Jan vd Berg", "Jan van den Berg"), ("J. Bakker", "Jan Bakker"),
    ("Tom Bakker", "Tom Baker"), ("Bakr, Tom", "Tom Baker"), ("Petra Maier", "Petra Mayer"),
    ("Zoe Ng", "Zoé Ngo"), ("Jansen Jan", "Jan Janssen"), ("Max Huber", "Maximilian Huber"),
]  # fmt: skip
UNLIKE = [
    ("Jan Bakker", "Joop Bakker"), ("Anna Vos", "Anna Smit"), ("Team 1", "Team 2"),
    ("Ann", "Anna"), ("Ruud", "Ruud de Boer"), ("Jan van Dam", "Jan de Wit"),
]  # fmt: skip


@pytest.fixture
def new(tmp_path: Path) -> Console:
    """A season without players."""
    return new_club(tmp_path / "new.db", name="New")


@pytest.mark.parametrize(
    "of_the_file", [pytest.param(True, marks=pytest.mark.seeds), False]
)
def test_who_is_likely_one_person_is_asked_about(
    new: Console, of_the_file: bool
) -> None:
    """In either order, of the file and within the list; others are not."""
    empty = new.db.read_bytes()
    for alike, pairs in ((True, ALIKE), (False, UNLIKE)):
        for one, two in [*pairs, *((two, one) for one, two in pairs)]:
            new.db.write_bytes(empty)
            if of_the_file:
                run_keizer("add", new.db, one)
            text = f"name\n{two}\n" if of_the_file else f"name\n{one}\n{two}\n"
            said = run_keizer("import", new.db, "-", stdin=text, fails=alike).stderr
            where = (
                f"{one} (#1): type --who 2=1"
                if of_the_file
                else "line 2: type --who 3=nobody"
            )
            assert (f"“{two}” may be {where}" in said) == alike, (one, two, said)


def test_two_who_have_numbers_of_their_own_are_two(new: Console) -> None:
    text = "name,fide_id\nTom Baker,14\nTom Bakker,15\n"
    assert "2 players imported" in run_keizer("import", new.db, "-", stdin=text).stdout


ANSWERS = {
    "2=1": [("Sean O'Neill", 1550)], "2=1:rename": [("Sean O’Neil", 1550)],
    "2=new": [("Sean O'Neill", 1500), ("Sean O’Neil", 1550)], "2=nobody": [("Sean O'Neill", 1500)],
}  # fmt: skip


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_is_answered_is_done(new: Console, answer: str) -> None:
    """A name changes only where somebody says so."""
    new('add "Sean O\'Neill" --rating 1500')
    text = "name,rating\nSean O’Neil,1550\n"
    before = dump(new.db)
    run_keizer("import", new.db, "-", stdin=text, fails=True)
    assert dump(new.db) == before
    run_keizer("import", new.db, "-", "--who", answer, stdin=text)
    assert (
        rows(new.db, "SELECT name, rating FROM player ORDER BY id") == ANSWERS[answer]
    )


@pytest.mark.parametrize(("options", "sentence"), [
    (("--who", "2"), "does not say who a line is"), (("--who", "2=9"), "number 9"),
    (("--columns", "x"), "is not one of these"), (("--columns", "rating"), "a player needs a name"),
])  # fmt: skip
def test_an_answer_that_makes_no_sense_is_refused(
    new: Console, options: tuple[str, str], sentence: str
) -> None:
    said = run_keizer(
        "import", new.db, "-", *options, stdin="name\nEva\n", fails=True
    ).stderr
    assert sentence in said and rows(new.db, "SELECT count(*) FROM player") == [(0,)]


def test_without_a_heading_it_is_said_what_was_seen(new: Console) -> None:
    said = run_keizer("import", new.db, "-", stdin="1. Jan Bos 1500\nEva Smit\n")
    assert said.stderr.splitlines() == [
        "Note: there is no heading: the columns were taken for name, rating.",
        "Note: without a rating (1): Eva Smit.",
    ]


def test_names_with_a_comma_are_told_apart(new: Console) -> None:
    new("add Eva")
    text = "name\nMüller, Hans\nMüller, Petra\n"
    said = run_keizer("import", new.db, "-", "--who", "3=new", stdin=text).stdout
    assert "New: Müller, Hans; Müller, Petra.\n" in said
    assert str(say("{names}", names=["Eva", "Gil"])) == "Eva, Gil"


# --------------------------------------------------------------------- in the browser


@pytest.fixture
def me(tmp_path: Path, new: Console) -> Person:
    """The director, on the page of the members."""
    for name, rating in (
        ("Sean O'Neill", 1500),
        ("Jan van den Berg", 1600),
        ("Eva Vos", 1700),
    ):
        run_keizer("add", new.db, name, "--rating", rating)
    found = director(face_of(Path(shutil.copy(new.db, tmp_path / "club.db"))))
    found.go("/members")
    return found


def preview(page: Page) -> dict[str, str]:
    """What comes of each line, without the choices."""
    lines = re.findall(r'(?s)<tr id="line-(\d+)".*?>(.*?)</tr>', page.html)
    cells = {line: re.sub("(?s)<select.*?</select>", "", row.split("<td>")[-1])
             for line, row in lines}  # fmt: skip
    return {
        line: " ".join(re.sub("<[^>]*>", "", cell).split())
        for line, cell in cells.items()
    }


LIST = """Hoi, de lijst:
Sean O’Neil 1550
Berg, Jan van den 1650
Eva Vos 1700
Müller, Hans; 1733; A
Piet
"""


def test_every_line_is_seen_with_what_comes_of_it(me: Person) -> None:
    """New, changed, unchanged, without a rating, who it may be; and nothing is written."""
    page = me.press("Check the list", list_text=LIST)
    assert "Columns seen: Name, Rating, Category." in me.text
    assert preview(page) == {
        "1": "Is this a member?",
        "2": "Likely the same as Sean O&#39;Neill (#1).",
        "3": "Rating: 1600 → 1650 · Jan van den Berg (#2)",
        "4": "unchanged",
        "5": "new",
        "6": "new · without a rating",
    }
    assert (
        "2 lines are not clear" in me.text and "Without a rating (1): Piet." in me.text
    )


def test_lines_are_answered_and_corrected_in_place(me: Person, tmp_path: Path) -> None:
    me.press("Check the list", list_text=LIST)
    page = me.press("Import the list")  # nobody said who two of them are
    assert "2 lines are not clear" in me.text
    page = me.press("Check again", who=["1=nobody", "2=1:rename"], cell_6_0="Piet Smit",
                    cell_6_1="1400")  # fmt: skip
    found = preview(page)
    assert (found["1"], found["6"]) == ("left out", "new")
    changes = "Name: Sean O&#39;Neill → Sean O’Neil; Rating: 1500 → 1550"
    assert found["2"] == f"{changes} · Sean O&#39;Neill (#1)"
    me.press("Import the list")
    assert rows(tmp_path / "club.db", "SELECT name, rating, category FROM player ORDER BY id") == [
        ("Sean O’Neil", 1550, None), ("Jan van den Berg", 1650, None), ("Eva Vos", 1700, None),
        ("Müller, Hans", 1733, "A"), ("Piet Smit", 1400, None),
    ]  # fmt: skip


def test_a_column_is_what_somebody_says(me: Person, tmp_path: Path) -> None:
    """A list is refused where that is not clear, and shown again."""
    me.press("Check the list", list_text="Jan;Bos;1985\nPieter;Smit;2003\n")
    assert "may be two things" in me.text
    me.press("Check again", columns=["given", "born", "surname"])
    assert "may be two things" not in me.text
    me.press("Import the list")
    assert rows(tmp_path / "club.db", "SELECT name, rating, born FROM player WHERE id > 3") == [
        ("Jan Bos", None, "1985"), ("Pieter Smit", None, "2003"),
    ]  # fmt: skip


def test_a_program_gets_the_same_questions(new: Console) -> None:
    new("add 'Tom Baker'")
    face = face_of(new.db)
    asked = done(face, "import", list_text="Tom Bakker 1500\n")
    assert "“Tom Bakker” may be Tom Baker (#1): type --who 1=1" in asked.json["error"]
    told = done(face, "import", list_text="Tom Bakker 1500\n", who="1=1:rename").json
    assert told["merge"]["changed"][0]["called"] == "Tom Bakker"


# ------------------------------------------------------------------ entered twice


@pytest.mark.parametrize("name", ["Tom Baker", "Tom Bakker"])
def test_of_two_entries_somebody_says_which_name_stays(new: Console, name: str) -> None:
    new("add 'Tom Baker' && add 'Tom Bakker' --rating 1500")
    me = director(face_of(new.db))
    me.go("/members/1")
    me.press("Look what would change", other="2")
    assert "Which name stays" in me.text
    me.press("Make them one", name=name)
    assert rows(new.db, "SELECT id, name, rating FROM player") == [(1, name, 1500)]


def test_by_the_command_a_name_of_the_two_stays(new: Console) -> None:
    new("add 'Tom Baker' && add 'Tom Bakker'")
    assert "is neither" in new.refused("player 1 --merge 2 --name Tim")
    assert "--merge makes one" in new.refused("player 1 --merge 2 --rating 1500")
    new("player 1 --merge 2 --name 'Tom Bakker'")
    assert rows(new.db, "SELECT id, name FROM player") == [(1, "Tom Bakker")]
