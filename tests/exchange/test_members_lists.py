"""Members' lists as the programs of clubs write them, and the same list again and again.

The files of tests/lists/ were written by, or as by, the program of their name; who is in them
is written in expected.csv by hand.
"""

import csv
import io
import shlex
import zipfile
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pexpect
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keizer import KeizerError
from keizer.cli import files, output
from keizer.formats import limits, members
from tests.support.console import Console, new_club
from tests.support.files import ROOT, dump, edit, rows, run_keizer
from tests.support.scenes import scenes

LISTS = ROOT / "tests/lists"

COLUMNS = "name, rating, born, sex, title, category, fide_id, national_id, federation"

with (LISTS / "expected.csv").open(encoding="utf-8", newline="") as written:
    EXPECTED = [*csv.reader(written)][1:]

NOTED = {
    "excel-nl.csv": ["left out: Nr., E-mail.", "Windows-1252: “Kovács”.",
                     "rating “1650?” was read as 1650 (line 5)."],
    "excel-de.csv": ["left out: Telefon.", "Windows-1252: “Müller”.",
                     "sex “d” was left out (line 5)."],
    "swiss-manager.xlsx": ["left out: No., Typ, Club/City.",
                           "rating is from column “RtgN”, not from “RtgI”."],
    "numbers.csv": [],
}  # fmt: skip


@pytest.fixture
def new(tmp_path: Path) -> Console:
    """A season without players."""
    return new_club(tmp_path / "new.db", name="New")


# ------------------------------------------------------------ lists of programs


@pytest.mark.parametrize("name", dict.fromkeys(row[0] for row in EXPECTED))
def test_a_list_of_a_program_is_in_with_one_command(new: Console, name: str) -> None:
    """What is not quite clear in it is noted."""
    said = run_keizer("import", new.db, LISTS / name).stderr.splitlines()
    found = [
        [name, *("" if cell is None else str(cell) for cell in row)]
        for row in new.rows(f"SELECT {COLUMNS} FROM player ORDER BY id")
    ]
    assert found == [row for row in EXPECTED if row[0] == name]
    unrated = [row[1] for row in found if not row[2]]
    if unrated:
        between = "; " if any("," in one for one in unrated) else ", "
        told = f"without a rating ({len(unrated)}): {between.join(unrated)}."
        assert said.pop() == f"Note: {told}"
    for line, end in zip(said, NOTED.get(name, said), strict=True):
        assert line.startswith("Note: ") and line.endswith(end)


def test_all_faults_of_a_list_are_told_at_once(new: Console) -> None:
    before, file = dump(new.db), LISTS / "three-faults.csv"
    assert run_keizer("import", new.db, file, fails=True).stderr == (
        f"Error: {file} has 3 faults, nothing was imported:\n"
        "line 3: Béla Kovács: a rating must be a whole number from 0 to 4000.\n"
        "line 4: Carla Ortiz: born must be a year or a date, YYYY-MM-DD.\n"
        "line 6: “Anna Visser” is in the list twice: see line 2.\n"
    )
    assert dump(new.db) == before


def test_faults_of_the_list_and_of_the_file_are_told_together(club: Path) -> None:
    """Of standard input too, a line each though a name tries to make one more."""
    text = 'name,rating,absent_as\nEva,x,\nGil,,asleep\n"a\nb",y,\nANNA2,,\nanna2,,\n'
    said = run_keizer("import", club, "-", stdin=text, fails=True).stderr.splitlines()
    assert said[0] == "Error: standard input has 4 faults, nothing was imported:"
    assert [line.partition(":")[0] for line in said[1:]] == [
        "line 2",
        "line 3",
        "line 4",
        "line 7",
    ]
    Console(club)("next-round && publish-round")
    late = run_keizer(
        "import", club, "-", stdin="name,last_round\nEva,\nAnna,0\n", fails=True
    )
    assert late.stderr.endswith(
        "line 3: Anna: this player has a game or an unplayed round after that last round.\n"
    )


def test_what_was_shown_is_what_is_written(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else may change the file while the question is on the screen."""

    def meanwhile(_: object) -> bool:
        edit(club, "UPDATE player SET rating = 1111 WHERE name = 'Anna'")
        return True

    monkeypatch.setattr(output, "confirm", meanwhile)
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(files, "sys", SimpleNamespace(stdin=terminal))
    file = club.with_name("list.csv")
    file.write_text("name,rating\nAnna,1900\n")
    said = run_keizer("import", club, file, fails=True).stderr
    assert (
        said
        == "Error: somebody else has changed the file in the meantime: import the list again.\n"
    )
    assert rows(club, "SELECT rating FROM player WHERE name = 'Anna'") == [(1111,)]


# ---------------------------------------------------------------------- cells

CELLS = {
    ("rating", "1,790"): 1790, ("rating", "1.790"): 1790, ("rating", "1 790"): 1790,
    ("rating", "1'790"): 1790, ("rating", "1790.0"): 1790, ("rating", "1790,00"): 1790,
    ("rating", "1\u202f790"): 1790, ("rating", "850"): 850, ("Elo", "1650?"): 1650,
    **{("rating", text): None for text in ("n/a", "-", "?", "geen", "None", "0", " ")},
    ("born", "1985"): "1985", ("born", "1985-03-12"): "1985-03-12",
    ("born", "12-3-1985"): "1985-03-12", ("born", "12/03/1985"): "1985-03-12",
    ("born", "12.03.1985"): "1985-03-12",
    ("born", "1985/03/12"): "1985-03-12", ("born", "1985-03-12 00:00:00"): "1985-03-12",
    ("born", "1985/00/00"): "1985", ("Geb.-Datum", "12. 3. 1985"): "1985-03-12",
    ("sex", "M"): "m", ("sex", "V"): "w", ("sex", "F"): "w", ("Geschlecht", "männlich"): "m",
    ("Geschlecht", "Weiblich"): "w", ("sexe", "H"): "m", ("Sexe", "Féminin"): "w",
    ("m/v", "vrouw"): "w",
    ("geslacht", "d"): None, ("sex", "x"): None,
    ("title", "wgm"): "WGM", ("Titel", "Dr."): None, ("Tit", "wm"): "WIM", ("titre", "FM"): "FM",
    ("federation", "ned"): "NED", ("Land", "Nederland"): None, ("FIDE-ID", "1018990"): 1018990,
    ("fide id", "1018990.0"): 1018990, ("KNSB-nr", "0812"): "0812", ("Catégorie", "A"): "A",
}  # fmt: skip


FAULTS = [
    ("rating", "good"), ("rating", "17900"), ("rating", "1790.5"), ("rating", "-5"),
    ("rating", "²"), ("rating", "9" * 5000), ("born", "12-03-85"), ("born", "31-02-1985"),
    ("born", "12/31/1985"), ("fide_id", "x"), ("fide_id", "9" * 20), ("start_rank", "1st"),
    ("first_round", "1000"),
]  # fmt: skip


def test_what_a_cell_means(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    for (heading, text), due in CELLS.items():
        file.write_text(f'Name;{heading}\nEva;"{text}"\n', encoding="utf-8")
        listed, _, left_out = members.read(file)
        assert (listed.faults, left_out) == ([], []), (heading, text)
        assert list(listed.listed[0].given.values()) == (
            [] if due is None else [due]
        ), text


def test_what_no_cell_can_be_is_refused_with_its_line(new: Console) -> None:
    """By the file itself."""
    columns = list(dict.fromkeys(column for column, _ in FAULTS))
    cells = [[text * (column == one) for one in columns] for column, text in FAULTS]
    lines = [f"Player {at};{';'.join(row)}" for at, row in enumerate(cells)]
    text = "\n".join([f"Name;{';'.join(columns)}", *lines])
    _, *told = run_keizer(
        "import", new.db, "-", stdin=text, fails=True
    ).stderr.splitlines()
    assert len(told) == len(FAULTS)
    for at, one in enumerate(told):
        assert one.startswith(f"line {at + 2}: Player {at}: ") and len(one) < 160


NAMES = {
    "Name;Vorname\nVisser;Anna": "Anna Visser",
    "Naam;Voornaam\nAnna Visser;Anna": "Anna Visser",
    "Familienname;Vorname;Name\nVisser;Anna;A. Visser": "A. Visser",
    "Nom;Prénom\nde La Tour;Zoé": "Zoé de La Tour",
    "Last name,First name\nVisser,Anna": "Anna Visser",
    "achternaam;tussenvoegsel;roepnaam\nBoer;de;Ruud": "Ruud de Boer",
    "Naam\nVisser, Anna": "Visser, Anna",
    "sep=;\nNAAM;Tel\nVisser, Anna;1": "Visser, Anna",
    "Leden, per 1 mei, 2026\n\nName;Elo\nVisser, Anna;1790": "Visser, Anna",
    "\ufeff Name \tRtg\nVisser, Anna\t1": "Visser, Anna",
}


def test_the_name_in_one_column_or_several(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    for text, name in NAMES.items():
        file.write_text(text, encoding="utf-8")
        assert [one.name for one in members.read(file)[0].listed] == [name]


@given(
    separator=st.sampled_from(";,\t"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    order=st.permutations(["name", "rating", "born", "notes"]),
    heading=st.sampled_from(["name", "NAAM", "Nom"]),
    above=st.integers(0, 3),
)
def test_separator_encoding_and_order_do_not_matter(
    tmp_path_factory: pytest.TempPathFactory,
    separator: str, encoding: str, end: str, order: list[str], heading: str, above: int,
) -> None:  # fmt: skip
    """The same three members come out of each way to write them down."""
    table = [
        {"name": heading, "rating": "rating", "born": "born", "notes": "notes"},
        {
            "name": "Visser, Anna",
            "rating": "1,790",
            "born": "12-3-1985",
            "notes": "a; b, c|d",
        },
        {"name": 'Béla "B" Kovács', "rating": "", "born": "1990", "notes": ""},
        {"name": "O'Neill Œ", "rating": "1650", "born": "", "notes": "x\ny"},
    ]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, order, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL
    )
    writer.writerows(table)
    file = tmp_path_factory.mktemp("lists") / "list.csv"
    file.write_bytes((f"Members{end}" * above + out.getvalue()).encode(encoding))
    listed, _, left_out = members.read(file)
    assert (listed.faults, left_out) == ([], ["notes"])
    assert [(one.name, dict(one.given)) for one in listed.listed] == [
        ("Visser, Anna", {"rating": 1790, "born": "1985-03-12"}),
        ('Béla "B" Kovács', {"born": "1990"}),
        ("O'Neill Œ", {"rating": 1650}),
    ]


# ------------------------------------------------------------- the list again

test_a_list_again = scenes("""
The members are those of the last list, the rounds stay, and each import is undone alone
  next-round && publish-round && result 1 1-0 && result 2 =
  SELECT name, score FROM standings WHERE round_number = 1 ORDER BY rank => Boris 7;
    Anna 4; Clara 2.5; Daan 2
  remember
  import - < name,rating,category|Anna,1910,A|Boris,,A|Clara,1700,C => 3 changed
  import - < name,rating|DAAN,1650|Anna,1910|Boris,1800|Clara,1690|Eva,1500 => 1 new, 3 changed
  import - < category;name|B;Eva|A;Anna|C;Clara => 1 changed, 2 unchanged
  SELECT name, rating, category FROM player ORDER BY name => Anna 1910 A; Boris 1800 A;
    Clara 1690 C; Daan 1650 None; Eva 1500 B
  SELECT name, score FROM standings WHERE round_number = 1 AND name <> 'Eva' ORDER BY rank
    => Boris 7;
    Anna 4; Clara 2.5; Daan 2
  undo all

What would happen is said before it happens, and where nothing does, nothing is written
  import - < name|Anna|Boris|Clara|Daan => 4 unchanged. ... Nothing changes.
  import - --dry-run < name,rating|Anna,1820|Boris,|Eva,1500 => 1 new, 1 changed, 1 unchanged, 2 not
    in the list (Clara, Daan). ... New: Eva. ... Anna (#1): rating 2000 → 1820
  undo => Undone: Daan entered.

Of namesakes the one who plays here is meant: another program may have written them
  INSERT INTO player (name, rating) VALUES ('Anna', 1), ('Eva', 2), ('Eva', 3)
  import - < name,rating|Anna,1777
  SELECT id FROM player WHERE rating = 1777 => 1
  ! import - < name|Eva => “Eva” may be Eva (#6) or Eva (#7)

A line with fewer cells than the heading is no member
  ! import - < name,rating|Anna => line 2: 1 cell where the heading has 2: a separator is missing

A withdrawn player stays withdrawn unless the list says otherwise
  withdraw Anna
  import - < name,rating|Anna,1700 => Still withdrawn: Anna. `keizer add` takes a player back.
  SELECT last_round FROM members WHERE name = 'Anna' => 0
  import - < name,last_round|Anna, => Anna (#1): last_round 0 → none
  SELECT last_round FROM members WHERE name = 'Anna' => None
""")


@pytest.mark.posix
@pytest.mark.parametrize(("options", "answer", "done"), [
    ([], "y", True), ([], "n", False), (["--yes"], None, True),
])  # fmt: skip
def test_at_a_terminal_a_merge_is_asked_about(
    club: Path, installed: str, options: list[str], answer: str | None, done: bool
) -> None:
    file = club.with_name("list.csv")
    file.write_text("name,rating\nAnna,1820\n")
    child = pexpect.spawn(
        installed, ["import", str(club), str(file), *options], encoding="utf-8"
    )
    if answer:
        child.expect("1 changed, 3 not in the list")
        child.expect_exact("Import this? [y/N]:")
        child.sendline(answer)
    child.expect(pexpect.EOF)
    assert (
        rows(club, "SELECT rating FROM player WHERE name = 'Anna'") == [(1820,)]
    ) == done


@pytest.mark.posix
def test_a_first_list_without_doubts_is_not_asked_about(
    new: Console, installed: str
) -> None:
    file = new.db.with_name("list.csv")
    file.write_text("name,rating\nAnna,1820\n")
    child = pexpect.spawn(
        installed, ["import", str(new.db), str(file)], encoding="utf-8"
    )
    child.expect_exact("1 player imported.")
    child.expect(pexpect.EOF)


# ----------------------------------------------------------------- who is who

IN_FILE = (
    "INSERT INTO player (name, fide_id, national_id) VALUES ('Anna Visser', 11, NULL),"
    " ('Müller, Jürgen', NULL, 'D7'), ('Ruud de Boer', NULL, NULL), ('Tom Baker', 14, NULL)"
)

SAME = {
    "fide_id;name\n11;Anna de Wit": [(1, "Anna de Wit")],
    "national_id;name\nD7;Juergen Mueller": [(2, "Juergen Mueller")],
    "name\nVisser, Anna": [(1, "Anna Visser")],
    "name\nJÜRGEN MULLER": [(2, "Müller, Jürgen")],
    "name\nBoer, Ruud de": [(3, "Ruud de Boer")],
    "name\nboer ruud DE": [(3, "Ruud de Boer")],
    "name\nRuud": [(5, "Ruud")],
}


@pytest.mark.parametrize("text", SAME)
def test_who_is_who(new: Console, text: str) -> None:
    """Never by the beginning of a name; a person of the file is not written twice."""
    edit(new.db, IN_FILE)
    new("import -", stdin=text)
    entries = "SELECT id, name FROM player WHERE id IN (SELECT player_id FROM x_player_tournament)"
    assert new.rows(entries) == SAME[text]


UNCLEAR = {
    "name\nVisser, Anna\nanna visser": (2, "may be Anna Visser (#1) or line 3"),
    "name;fide_id\nVisser, Anna;12": (1, "may be Anna Visser (#1)"),
    "name;fide_id;national_id\nAnna;11;D7": (
        1,
        "may be Anna Visser (#1) or Müller, Jürgen (#2)",
    ),
    "name;fide_id\nEva;5\nGil;5": (1, "“Gil” is in the list twice: see line 2"),
    "name\nEva Smit\nSmit, Eva": (1, "“Smit, Eva” is in the list twice: see line 2"),
    "name;fide_id\nAnna Visser;11\nTom;11": (
        1,
        "“Tom” is in the list twice: see line 2",
    ),
    "name\nTom Bakker": (1, "“Tom Bakker” may be Tom Baker (#4)"),
    "name\nEva\nEVA": (1, "“EVA” is in the list twice"),
}


@pytest.mark.parametrize("text", UNCLEAR)
def test_nobody_is_guessed(new: Console, text: str) -> None:
    edit(new.db, IN_FILE)
    count, sentence = UNCLEAR[text]
    said = run_keizer("import", new.db, "-", stdin=text, fails=True).stderr
    assert said.count("line ") >= count and sentence in said


# ----------------------------------------------------------- files to be refused


def refused(console: Console, file: Path) -> str:
    """The one sentence, which names the file."""
    said = console.refused(f"import {shlex.quote(str(file))}")
    assert str(file) in said
    return said


def unpacked(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(LISTS / name) as archive:
        return {part: archive.read(part) for part in archive.namelist()}


def packed(file: Path, **parts: bytes) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file


def test_a_sheet_cannot_hide_behind_another_name(new: Console, tmp_path: Path) -> None:
    """Where a sheet is, is said by a part of the workbook."""
    parts = unpacked("excel-en.xlsx")
    hidden = {
        name.replace("sheet2.xml", "sheet2.dat"): part.replace(
            b"sheet2.xml", b"sheet2.dat"
        )
        for name, part in parts.items()
    }
    assert "xl/worksheets/sheet2.dat" in hidden
    assert "this spreadsheet is broken" in refused(
        new, packed(tmp_path / "hidden", **hidden)
    )


@pytest.mark.parametrize(("content", "said"), [
    (b"\xff\xfen", "no UTF-16 text"), (b"PK\x03\x04", "as CSV"),
    (b"\xd0\xcf\x11\xe0" + bytes(600), "as .xlsx"), (None, "as CSV"),
])  # fmt: skip
def test_what_is_no_spreadsheet_is_refused(
    new: Console, tmp_path: Path, content: bytes | None, said: str
) -> None:
    """Among them one of Numbers."""
    file = packed(tmp_path / "list", **{"Index/Document.iwa": b"x"})
    if content is not None:
        file.write_bytes(content)
    assert said in refused(new, file)


@pytest.mark.parametrize("source", ["excel-en.xlsx", "libreoffice.ods"])
def test_a_damaged_spreadsheet_is_read_or_refused(tmp_path: Path, source: str) -> None:
    """Cut off anywhere, or with a byte changed."""
    whole = (LISTS / source).read_bytes()
    file = tmp_path / "damaged"
    for place in range(7, len(whole), len(whole) // 40):
        for damaged in (whole[:place], whole[:place] + b"\xff" + whole[place + 1 :]):
            file.write_bytes(damaged)
            with suppress(KeizerError):
                members.read(file)


def test_without_the_library_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(KeizerError, match="pip install python-calamine`, then again"):
        members.read(LISTS / "excel-en.xlsx")


def test_too_many_members_are_refused(
    new: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PLAYERS", 3)
    assert "row 8: this has more than 3 players" in refused(
        new, LISTS / "excel-en.xlsx"
    )
