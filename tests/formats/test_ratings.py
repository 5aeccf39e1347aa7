"""`keizer ratings`: members brought up to the lists of FIDE, KNSB, DSB and any CSV.

The lists are written by hand in the layouts that the federations publish.
"""

import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from keizer import KeizerError
from keizer.formats import lists, ratings
from keizer.formats.lists import Entry
from keizer.formats.ratings import Member
from tests.support.files import dump, edit, rows
from tests.support.files import run_keizer as keizer
from tests.support.rating_lists import FIDE_TEXT, player, xml

KNSB = """Relatienummer;Naam;Titel;FED;Rating;Nv;Geboren;S
7001001;Aa, Anna van der;WFM;NED;2031;44;1988;w
7001002;Muñoz, Boris;;ESP;1912;120;1975;
7001003;Bakker, Clara;;NED;1780;12;2001;w
7001004;Bakker, Clara;;NED;1344;9;1965;w
7001005;Smit, Daan;;NED;0;0;2012;
"""

DWZ = (
    'ID,ZPS,Mitgliedsnummer,Status,"Name,Vorname",Geschlecht,Spielberechtigung,Geburtsjahr,'
    '"Letzte Auswertung",DWZ,Index,FIDE-Elozahl,FIDE-Titel,FIDE-ID,FIDE-Land,Vorname,Nachname\n'
    'NU4000001,10614,12,A,"Müller,Jürgen,Dr.",M,,1970,202630,1893,55,1950,FM,4600001,GER,Jürgen,M\n'
    'NU4000001,20001,7,P,"Müller,Jürgen,Dr.",M,,1970,202630,1893,55,1950,FM,4600001,GER,Jürgen,M\n'
    'NU4000002,10614,13,A,"Groß,Änne",W,,2004,202601,1502,8,,,,,Änne,Groß\n'
)

DWZ_BEFORE = (
    "ID,VKZ,Mgl-Nr,Status,Spielername,Geschlecht,Spielberechtigung,Geburtsjahr,"
    "Letzte-Auswertung,DWZ,Index,FIDE-Elo,FIDE-Titel,FIDE-ID,FIDE-Land\n"
    '10000001,10614,12,A,"Müller,Jürgen",M,D,1970,202630,1893,55,1950,FM,4600001,GER\n'
)


FIDE_MONTH = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA OCT26 Gms K  B-day Flag
1000001        Munoz, Boris                                                 ESP M   FM        FA                 2301  0   20 1975      
"""  # noqa: E501, W291


def written(path: Path, text: str, encoding: str = "cp1252") -> Path:
    """A list with the line ends that federations use."""
    path.write_text(text, encoding=encoding, newline="\r\n")
    return path


def zipped(path: Path, **texts: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name.replace("_", "."), text.encode("cp1252"))
    return path


def club(folder: Path, *members: str) -> Path:
    """A season with members as `name,rating`."""
    db = folder / "club.db"
    folder.mkdir(exist_ok=True)
    keizer("init", db, "--name", "Club")
    keizer("import", db, "-", stdin="name;rating\n" + "\n".join(members) + "\n")
    return db


def diff(*args: object) -> dict[str, dict[str, Any]]:
    """The rows of the diff by name, without the players' ids."""
    found = json.loads(keizer("ratings", *args, "--json").stdout)
    assert all(row.pop("player_id") for row in found)
    return {row.pop("name"): row for row in found}


def row(
    number: object, before: int | None, after: int | None, change: int | None, warning: str = ""
) -> dict[str, Any]:
    return {"id": number, "before": before, "after": after, "change": change, "warning": warning}


def read(path: Path, kind: str = "standard") -> list[Entry]:
    """All entries of a list."""
    with lists.opened(path) as source:
        return list(source.entries(kind, lambda *_: True))


# ---------------------------------------------------------------- the formats


JUERGEN = Entry(
    name="Müller,Jürgen,Dr.", rating=1893, fide_id=4600001, national_id="NU4000001",
    title="FM", federation="GER", sex="m", born="1970",
)  # fmt: skip


FEDERATIONS: list[tuple[str, list[Entry]]] = [
    # A rating of 0 is none, an empty S says nothing.
    (KNSB, [
        Entry("Aa, Anna van der", 2031, None, "7001001", "WFM", "NED", "w", "1988"),
        Entry("Muñoz, Boris", 1912, None, "7001002", None, "ESP", None, "1975"),
        Entry("Bakker, Clara", 1780, None, "7001003", None, "NED", "w", "2001"),
        Entry("Bakker, Clara", 1344, None, "7001004", None, "NED", "w", "1965"),
        Entry("Smit, Daan", None, None, "7001005", None, "NED", None, "2012"),
    ]),
    # The DWZ is the rating, not the Elo beside it; a row for each club.
    (DWZ, [JUERGEN, JUERGEN,
        Entry("Groß,Änne", 1502, None, "NU4000002", None, None, "w", "2004")]),
    (DWZ_BEFORE, [JUERGEN._replace(name="Müller,Jürgen", national_id="10000001")]),
    # One kind of FIDE's ratings has the month above them.
    *((text.replace("|", separator), [Entry("Zoë", 1750, 123, sex="w", born="1990-05-01")])
      for text in ("Born|Rating|Name|FIDE ID|Sex\n1990-05-01|1750|Zoë|123|F\n",)
      for separator in ",;\t"),
    (FIDE_MONTH, [Entry("Munoz, Boris", 2301, 1000001, None, "FM", "ESP", "m", "1975")]),
]  # fmt: skip


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig"])
def test_the_lists_of_federations(tmp_path: Path, encoding: str) -> None:
    """Also as an editor has saved them anew."""
    for text, expected in FEDERATIONS:
        assert read(written(tmp_path / "list", text, encoding)) == expected


@pytest.mark.parametrize(("kind", "rating"), [("standard", 2301), ("rapid", 2250), ("blitz", 2199)])
@pytest.mark.parametrize("form", ["xml", "zip", "text"])
def test_the_fide_list(tmp_path: Path, form: str, kind: str, rating: int) -> None:
    """XML, the zip it comes in, and text say the same of a player."""
    said = player(
        1000001, "Munoz, Boris", 2301, country="ESP", title="FM", o_title="FA",
        rapid_rating=2250, blitz_rating=2199, birthday=1975,
    )  # fmt: skip
    path = tmp_path / "list"
    if form == "zip":
        zipped(path, list_xml=xml(said))
    else:
        written(path, FIDE_TEXT if form == "text" else xml(said))
    assert read(path, kind)[0] == Entry(
        name="Munoz, Boris", rating=rating, fide_id=1000001, title="FM", federation="ESP",
        sex="m", born="1975",
    )  # fmt: skip


def test_in_a_zip_the_list_among_other_files_is_read(tmp_path: Path) -> None:
    """The DSB puts clubs and federations beside the players."""
    clubs = "ZPS-Nummer,Landesverband,Vereinsname\r\n"
    path = tmp_path / "LV-0-csv.zip"
    zipped(path, README_txt="Stand: heute\r\n", vereine_csv=clubs, spieler_csv=DWZ)
    assert len(read(path)) == 3


@pytest.mark.parametrize("said", ["1a00", "-5", "4001", "1750.5", "²³", "9" * 5000])
def test_what_is_no_rating_is_not_trusted(tmp_path: Path, said: str) -> None:
    """The others are brought up all the same."""
    path = written(tmp_path / "list.csv", f"name,rating\nAnna,{said}\nBoris,1610\n", "utf-8")
    known = [Member(1, "Anna", 1500), Member(2, "Boris", 1600)]
    lines = ratings.compare(known, ratings.search(path, "standard", known, {})[1], {})
    assert lines[0].warning == f"“{said[:12]}” is no rating"
    assert ratings.changes(lines, {}) == {2: {"rating": 1610}}


def test_nonsense_beside_a_rating_is_left_out(tmp_path: Path) -> None:
    text = "name,rating,id,title,born,federation,sex\n"
    text += "Anna,1500,\x1b[2J,King,31-02-1990,Nederland,x\n"
    assert read(written(tmp_path / "list.csv", text)) == [Entry(name="Anna", rating=1500)]


# --------------------------------------------------------------- broken lists

BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE lol [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n'
    "<playerslist><player><name>&b;</name></player></playerslist>"
)


@pytest.mark.parametrize(("content", "said"), [
    (BOMB, "line 2: it declares a document type (DTD)"),
    ("<playerslist>\n<player>\n<name>A</player>", "line 3: this is broken XML (mismatched tag)"),
    ("<playerslist>\n<player>\n", "line 3: this is broken XML (no element found)"),
    ("<html>\n</html>", "line 1: the XML list of FIDE begins with playerslist"),
    ('<?xml version="1.0" encoding="no-such"?>\n<playerslist/>', "line 1: "),
    (f"<playerslist>\n<player a='{'x' * 300_000}", "line 2: this is too long"),
    (f"<playerslist>\n<player><name>{'x' * 300_000}", "line 2: this is too long"),
    ("name,rating\nAnna,1500\nBoris,1600,\n", "line 3: 3 columns where the header has 2"),
    ('name,rating\nAnna,1500\n"Boris"x,1600\n', "line 3: this is broken CSV"),
    (f"name,rating\n{'x' * 300_000}", "line 2: this is too long"),
    ("Naam;Rating\nAnna;1500\n\x81;1600\n", "line 3: this is not UTF-8 text: save it as"),
    ("round,white,black\n", "this is no rating list"),
    ("", "this is no rating list"),
])  # fmt: skip
def test_a_broken_list_is_refused_in_a_sentence(tmp_path: Path, content: str, said: str) -> None:
    """With the line where it breaks."""
    path = tmp_path / "list"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(KeizerError) as refused:
        read(path)
    assert said in str(refused.value) and str(refused.value).startswith(str(path))


def test_other_files_are_no_rating_lists(tmp_path: Path) -> None:
    """One that breaks at its end changes nothing either."""
    db = club(tmp_path, "Anna;1400")
    before = db.read_bytes()
    anna = xml(player(1, "Anna", 1500))
    cut = zipped(tmp_path / "cut.zip", list_xml=anna)
    cut.write_bytes(cut.read_bytes()[:200])
    torn = written(tmp_path / "torn", anna.removesuffix("</playerslist>\n"))
    for file, said in (
        (db, "no rating list"), (tmp_path, "cannot be read"), (tmp_path / "none", "cannot be read"),
        (cut, "cut.zip"), (torn, "line 23: this is broken XML (no element found)."),
    ):  # fmt: skip
        assert said in keizer("ratings", db, file, fails=True).stderr
    assert db.read_bytes() == before


@pytest.mark.parametrize(("text", "said"), [
    (KNSB, "this KNSB list has no rapid ratings"),
    (xml(player(1, "Bakker, Clara", 1750).replace("rapid_rating", "other")),
     "list: this FIDE list has no rapid ratings"),
])  # fmt: skip
def test_a_list_without_that_kind_of_rating_says_so(tmp_path: Path, text: str, said: str) -> None:
    """Where nobody is found too."""
    path = written(tmp_path / "list", text)
    for name in ("Clara Bakker", "Nobody"):
        db = club(tmp_path / name, f"{name};1700")
        keizer("ratings", db, path, "--dry-run")
        assert said in keizer("ratings", db, path, "--type", "rapid", fails=True).stderr


@pytest.mark.parametrize(("head", "line", "foot"), [
    ("<playerslist>\n", player(1, "Somebody, Else", 1500), "</playerslist>"),
    ("name,rating\n", "Somebody Else,1500\n", ""),
    (FIDE_TEXT.splitlines(keepends=True)[0], FIDE_TEXT.splitlines(keepends=True)[1], ""),
], ids=["xml", "csv", "text"])  # fmt: skip
def test_a_list_twice_as_long_needs_no_more_memory(
    tmp_path: Path, head: str, line: str, foot: str
) -> None:
    """Nothing of a player who is not meant stays."""

    def peak(count: int) -> int:
        path = tmp_path / "list"
        path.write_text(head + line * count + foot, encoding="utf-8")
        tracemalloc.start()
        try:
            with lists.opened(path) as source:
                assert not list(source.entries("standard", lambda *_: False))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1_000)  # what is imported once
    assert peak(2_000) < 1.05 * peak(1_000)


# ----------------------------------------------------------------- who is who


@pytest.mark.parametrize(("one", "other", "same"), [
    ("Anna van der Aa", "Aa, Anna van der", True), ("Anna van der Aa", "van der Aa, Anna", True),
    ("Muñoz, Boris", "boris MUNOZ", True), ("Jürgen Müller", "Mueller, Juergen", True),
    ("Jürgen Müller", "Muller, Jurgen", True), ("Jurgen Mueller", "Müller,Jurgen,Dr.", True),
    ("Änne Groß", "Gross, Aenne", True), ("Jørn Åberg", "Aaberg, Joern", True),
    ("Carlsen", "carlsen", True), ("Anna Bakker", "Anna Bakkers", False),
    ("Li Wei", "Wei Li", False),
])  # fmt: skip
def test_which_names_are_the_same(one: str, other: str, same: bool) -> None:
    """First and last name change places only with the comma."""
    assert bool(ratings.keys(one) & ratings.keys(other)) == same


def compared(member: Member, *entries: Entry) -> ratings.Line:
    (line,) = ratings.compare([member], entries, {})
    return line


CLARA = Member(1, "Clara Bakker", 1700)
YOUNG = Entry("Bakker, Clara", 1780, fide_id=7, born="2001", federation="NED")
OLD = Entry("Bakker, Clara", 1344, fide_id=8, born="1965", federation="BEL")


@pytest.mark.parametrize(("known", "alone"), [
    ({}, YOUNG), ({"fide_id": 9}, None), ({"born": "2000"}, None), ({"federation": "BEL"}, YOUNG),
])  # fmt: skip
def test_another_id_or_year_of_birth_is_another_person(
    known: dict[str, Any], alone: Entry | None
) -> None:
    """Though nobody else has the name."""
    assert compared(CLARA._replace(**known), YOUNG).entry == alone


@pytest.mark.parametrize(("known", "meant"), [
    ({"fide_id": 8}, OLD), ({"born": "2001-12-31"}, YOUNG), ({"born": "1965"}, OLD),
    ({"federation": "BEL"}, OLD), ({"federation": "FRA"}, None), ({"born": "1999"}, None),
    ({"fide_id": 9}, None), ({}, None),
])  # fmt: skip
def test_of_namesakes_id_age_or_federation_tells(
    known: dict[str, Any], meant: Entry | None
) -> None:
    """And nobody is guessed where they tell nothing."""
    assert compared(CLARA._replace(**known), YOUNG, OLD).entry == meant


def test_an_id_finds_whom_a_name_does_not() -> None:
    """A number that belongs to somebody else is likely a slip: that is said."""
    entry = Entry("Bakker-Smit, Clara", 1790, national_id="7001003")
    assert compared(CLARA._replace(national_id="7001003"), entry).warning == ""
    other = compared(CLARA._replace(fide_id=1), Entry("Petrov, Ivan", 1710, fide_id=1))
    assert other.warning == "the list has “Petrov, Ivan” under this id"
    mother = compared(CLARA._replace(fide_id=8, born="2001", rating=1400), OLD)
    assert mother.warning == "born 1965 in the list"


def test_an_entry_that_two_members_may_be_is_neithers() -> None:
    """Unless it is one's by its number."""
    twins = [CLARA, CLARA._replace(id=2, name="Bakker, Clara")]
    assert [line.entry for line in ratings.compare(twins, [YOUNG], {})] == [None, None]
    twins[1] = twins[1]._replace(fide_id=7)
    assert [line.entry for line in ratings.compare(twins, [YOUNG], {})] == [None, YOUNG]


def test_a_row_for_each_club_is_one_person(tmp_path: Path) -> None:
    db = club(tmp_path, "Jürgen Müller;1880")
    found = diff(db, written(tmp_path / "spieler.csv", DWZ))
    assert found == {"Jürgen Müller": row(4600001, 1880, 1893, 13)}


# ------------------------------------------------------------------- the diff


@pytest.fixture
def members(tmp_path: Path) -> Path:
    """A club before its first round."""
    return club(tmp_path, "Anna van der Aa;2000", "Boris Munoz;1600", "Clara Bakker;1700",
        "Daan Smit;900", "Eva Vos;", "Femke Nobody;1500",
    )  # fmt: skip


@pytest.fixture
def knsb(tmp_path: Path) -> Path:
    return written(tmp_path / "KLASSIEK.csv", KNSB + "7001006;Vos, Eva;;NED;1420;3;2010;w\n")


def test_the_diff_says_what_changes_and_what_to_look_at(members: Path, knsb: Path) -> None:
    """2031 - 2000, and so on; Clara has a namesake, Daan is unrated."""
    clara = "ambiguous: 7001003 (1780, NED, 2001), 7001004 (1344, NED, 1965)"
    assert diff(members, knsb, "--dry-run") == {
        "Anna van der Aa": row("7001001", 2000, 2031, 31),
        "Boris Munoz": row("7001002", 1600, 1912, 312, "jump of 312"),
        "Clara Bakker": row(None, 1700, None, None, clara),
        "Daan Smit": row("7001005", 900, None, None, "unrated in the list"),
        "Eva Vos": row("7001006", None, 1420, None, "new: no rating before"),
        "Femke Nobody": row(None, 1500, None, None, "not found"),
    }
    sheet = keizer("ratings", members, knsb, "--dry-run", "--csv").stdout.splitlines()
    assert sheet[2] == "Boris Munoz,7001002,1600,1912,312,jump of 312"


def test_the_diff_for_people(members: Path, knsb: Path) -> None:
    shown = keizer("ratings", members, knsb).stdout.splitlines()
    assert shown[1:3] + shown[6:] == [
        "Name             Id       Before  After  Change  Warning",
        "Anna van der Aa  7001001    2000   2031     +31",
        "Not found: Femke Nobody.",
        "Clara Bakker is ambiguous: 7001003 (1780, NED, 2001), 7001004 (1344, NED, 1965):"
        " say --match NAME=ID.",
        "3 players changed.",
        "A season that has begun keeps the ratings of its start order.",
    ]
    again = keizer("ratings", members, knsb).stdout.splitlines()
    assert again[3] == "3 players keep their rating." and again[-1] == "Nothing to change."


def test_ratings_are_written_and_undone(members: Path, knsb: Path) -> None:
    """And by a dry run not a byte."""
    before, data = dump(members), members.read_bytes()
    assert "would change" in keizer("ratings", members, knsb, "--dry-run", "--ids").stdout
    assert members.read_bytes() == data
    keizer("ratings", members, knsb)
    after = rows(members, "SELECT rating, national_id FROM player ORDER BY name")
    assert after == [(rating, None) for rating in (2031, 1912, 1700, 900, 1420, 1500)]
    said = keizer("undo", members).stdout
    assert said == "Undone: ratings of 3 players from KLASSIEK.csv.\n"
    assert dump(members) == before


def test_a_new_rating_does_not_rewrite_the_season(members: Path, knsb: Path) -> None:
    """The start order follows a list until a round is paired, then stays."""
    start = (
        "SELECT l.rank, e.player_id, e.rating FROM ranking_list AS l JOIN x_player_tournament AS e"
        " ON e.player_id = l.player_id WHERE l.round_number = 0 ORDER BY l.rank"
    )
    keizer("ratings", members, knsb)
    assert rows(members, start)[0] == (1, 1, 2031)
    keizer("undo", members)
    keizer("next-round", members)
    before = rows(members, start)
    assert before[0] == (1, 1, 2000)
    keizer("ratings", members, knsb)
    assert rows(members, start) == before
    assert "is sound" in keizer("check", members).stdout


def test_jumps_can_be_left_out(members: Path, knsb: Path) -> None:
    """312 is a jump unless 313 is the least one; a new rating is none."""
    found = diff(members, knsb, "--skip-jumps", "--dry-run", "--jump", 313)
    assert found["Boris Munoz"]["warning"] == ""
    found = diff(members, knsb, "--skip-jumps", "--jump", 312)
    assert found["Boris Munoz"]["warning"] == "jump of 312: not taken"
    now = "SELECT rating FROM player WHERE name IN ('Boris Munoz', 'Eva Vos') ORDER BY name"
    assert rows(members, now) == [(1600,), (1420,)]


def test_an_id_that_is_said_is_kept(members: Path, knsb: Path) -> None:
    """Next month Clara is found without it."""
    keizer("ratings", members, knsb, "--match", "clara bakker=7001003")
    clara = "SELECT rating, national_id, born FROM player WHERE name = 'Clara Bakker'"
    assert rows(members, clara) == [(1780, "7001003", None)]
    assert diff(members, knsb)["Clara Bakker"]["warning"] == ""
    assert "changed nothing" in keizer("undo", members).stdout
    keizer("undo", members)
    assert rows(members, clara) == [(1700, None, None)]


@pytest.mark.parametrize(("typed", "said"), [
    # Nobody gets a number that is another's: of two to whom it is said, or of one not in the list.
    ("Eva Vos=7001003", ": another player has this national number: correct it there first."),
    ("Clara Bakker=7001003", "Clara Bakker: another player has this national number"),
    ("Clara Bakker=1", "Clara Bakker: the list has no 1."),
    ("Bakkker=7001003", "there is no player “Bakkker”"),
    ("7001003", "type --match NAME=ID"), ("Clara Bakker=", "type --match NAME=ID"),
])  # fmt: skip
def test_a_match_that_makes_no_sense_is_refused(
    members: Path, knsb: Path, typed: str, said: str
) -> None:
    more = ["--match", "Clara Bakker=7001003"] if typed.startswith("Eva") else []
    if said.startswith("Clara Bakker: another"):
        edit(members, "INSERT INTO player (name, national_id) VALUES ('C. B.', '7001003')")
    before = members.read_bytes()
    for dry in ([], ["--dry-run"]):
        refused = keizer("ratings", members, knsb, "--match", typed, *more, *dry, fails=True)
        assert said in refused.stderr
    assert members.read_bytes() == before


def test_ids_and_what_else_the_list_knows(members: Path, knsb: Path) -> None:
    """Filled in where there is nothing; title and federation are those of the list."""
    edit(members, "UPDATE player SET born = '1988-02-29', title = 'WCM' WHERE name LIKE 'Anna%'")
    keizer("ratings", members, knsb, "--ids")
    known = "SELECT national_id, title, federation, sex, born FROM player WHERE name LIKE '%s%%'"
    assert rows(members, known % "Anna") == [("7001001", "WFM", "NED", "w", "1988-02-29")]
    assert rows(members, known % "Boris") == [("7001002", None, "ESP", None, "1975")]
    assert rows(members, known % "Daan") == [("7001005", None, "NED", None, "2012")]
    assert rows(members, known % "Clara") == [(None, None, None, None, None)]
    before = dump(members)
    keizer("ratings", members, knsb, "--ids")
    assert dump(members) == before


def test_who_has_not_entered_is_left_alone_unless_all_are_meant(members: Path, knsb: Path) -> None:
    keizer("init", members, "--name", "Blitz")
    keizer("add", members, "Femke Nobody", "-t", "Blitz")
    assert set(diff(members, knsb, "-t", "Blitz")) == {"Femke Nobody"}
    assert len(diff(members, knsb, "-t", "Blitz", "--all")) == 6
    assert "is sound" in keizer("check", members).stdout
