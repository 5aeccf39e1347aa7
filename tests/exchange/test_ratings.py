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
from keizer.exchange import rating_lists as lists
from keizer.exchange import ratings
from keizer.exchange.rating_lists import Entry
from tests.support.console import new_club
from tests.support.files import ROOT
from tests.support.files import run_keizer as keizer
from tests.support.rating_lists import FIDE_TEXT, player, xml
from tests.support.scenes import scenes

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
"""  # noqa: W291


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
    new_club(db)
    keizer("import", db, "-", stdin="name;rating\n" + "\n".join(members) + "\n")
    return db


def diff(*args: object) -> dict[str, dict[str, Any]]:
    """The rows of the diff by name, without the players' ids."""
    found = json.loads(keizer("ratings", *args, "--json").stdout)
    assert all(row.pop("player_id") for row in found)
    return {row.pop("name"): row for row in found}


def row(
    number: object,
    before: int | None,
    after: int | None,
    change: int | None,
    warning: str = "",
) -> dict[str, Any]:
    return {
        "id": number,
        "before": before,
        "after": after,
        "change": change,
        "warning": warning,
    }


def read(path: Path, kind: str = "standard") -> list[Entry]:
    """All entries of a list."""
    return lists.read(path, kind, lambda *_: True)[1]


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


@pytest.mark.parametrize(
    ("kind", "rating"), [("standard", 2301), ("rapid", 2250), ("blitz", 2199)]
)
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
    path = written(
        tmp_path / "list.csv", f"name,rating\nAnna,{said}\nBoris,1610\n", "utf-8"
    )
    known = [Entry("Anna", 1500, id=1), Entry("Boris", 1600, id=2)]
    lines = ratings.compare(known, ratings.search(path, "standard", known, {})[1], {})
    assert str(lines[0].warning) == f"“{said[:12]}” is no rating"
    assert ratings.changes(lines, {}) == {2: {"rating": 1610}}


def test_nonsense_beside_a_rating_is_left_out(tmp_path: Path) -> None:
    text = "name,rating,id,title,born,federation,sex\n"
    text += "Anna,1500,\x1b[2J,King,31-02-1990,Nederland,x\n"
    assert read(written(tmp_path / "list.csv", text)) == [
        Entry(name="Anna", rating=1500)
    ]


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
    ('name,rating\nAnna,1500\n"Boris"x,1600\n', "line 3: a quotation mark is not closed"),
    (f"name,rating\n{'x' * 300_000}", "line 2: this is too long"),
    ("Naam;Rating\nAnna;1500\n\x81;1600\n", "line 3: this is not UTF-8 text: save it as"),
    ("round,white,black\n", "this is no rating list"),
    ("name;rating;Rating\nAnna;1500;1600\n", "line 1: column “rating” is in the list twice."),
    ("\xff\xfen\0a\0m\0e\0", "not a text, or in an encoding that is not read: save it as UTF-8"),
    (xml(player(1, "Anna", 1500).replace("</rating>", "</rating><rating>1600</rating>")),
     "a player in this list has rating twice."),
    ("<playerslist><player><name>Anna</name>\n<player><rating>1600</rating></player></player>",
     "line 2: a player in this list has no name."),
    ("", "this is no rating list"),
])  # fmt: skip
def test_a_broken_list_is_refused_in_a_sentence(
    tmp_path: Path, content: str, said: str
) -> None:
    """With the line where it breaks."""
    path = tmp_path / "list"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(KeizerError) as refused:
        read(path)
    assert said in str(refused.value) and str(refused.value).startswith(str(path))


def test_of_two_columns_for_a_rating_the_title_says_which_is_taken(
    tmp_path: Path,
) -> None:
    text = "name;Elo;DWZ-Elo;rating\nAnna;1700;1;1900\n"
    path = written(tmp_path / "list.csv", text)
    known = [Entry("Anna", 1500, id=1)]
    title, found = ratings.search(path, "standard", known, {})
    assert found[1].entries[0].rating == 1900
    assert str(title) == "CSV list (rating from “rating”)"


def test_of_two_lists_in_a_zip_none_is_chosen(tmp_path: Path) -> None:
    """Other files may be beside one, as in the zip of DSB; a workbook is no such zip."""
    anna = "name,rating\nAnna,1500\n"
    beside = zipped(tmp_path / "beside.zip", clubs_csv="club,town\n", list_csv=anna)
    assert [entry.name for entry in read(beside)] == ["Anna"]
    for text, said in {
        zipped(
            tmp_path / "two.zip", a_csv=anna, b_csv=anna
        ): "this zip has 2 rating lists: unpack",
        ROOT / "tests/lists/excel-en.xlsx": "this is no rating list",
        ROOT / "tests/lists/libreoffice.ods": "this is no rating list",
    }.items():
        with pytest.raises(KeizerError, match=said):
            read(text)


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
def test_a_list_without_that_kind_of_rating_says_so(
    tmp_path: Path, text: str, said: str
) -> None:
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
            assert not lists.read(path, "standard", lambda *_: False)[1]
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
    assert bool(lists.keys(one) & lists.keys(other)) == same


def compared(member: Entry, *entries: Entry) -> ratings.Line:
    (line,) = ratings.compare([member], ratings.candidates([member], entries, {}), {})
    return line


CLARA = Entry("Clara Bakker", 1700, id=1)
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
    assert compared(CLARA._replace(national_id="7001003"), entry).warning is None
    other = compared(CLARA._replace(fide_id=1), Entry("Petrov, Ivan", 1710, fide_id=1))
    assert str(other.warning) == "the list has “Petrov, Ivan” under this id"
    mother = compared(CLARA._replace(fide_id=8, born="2001", rating=1400), OLD)
    assert str(mother.warning) == "born 1965 in the list"


def test_an_entry_that_two_members_may_be_is_neithers() -> None:
    """Unless it is one's by its number."""
    twins = [CLARA, CLARA._replace(id=2, name="Bakker, Clara")]
    assert [
        line.entry
        for line in ratings.compare(twins, ratings.candidates(twins, [YOUNG], {}), {})
    ] == [None, None]
    twins[1] = twins[1]._replace(fide_id=7)
    assert [
        line.entry
        for line in ratings.compare(twins, ratings.candidates(twins, [YOUNG], {}), {})
    ] == [None, YOUNG]


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
    return written(
        tmp_path / "KLASSIEK.csv", KNSB + "7001006;Vos, Eva;;NED;1420;3;2010;w\n"
    )


def test_the_diff_says_what_changes_and_what_to_look_at(
    members: Path, knsb: Path
) -> None:
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


test_a_list_is_written = scenes("""
What changes is shown, written and undone; what does not is counted
  remember
  ratings - --dry-run < name;rating|Anna;2031|Boris;1900|Eva;1 => Anna ... 2000 ... 2031 ... +31 ...
    1 player keeps their rating. ... Not found: Clara, Daan. ... 1 player would change.
  SELECT rating FROM player WHERE name = 'Anna' => 2000
  ratings - < name;rating|Anna;2031 => 1 player changed.
    ... A season that has begun keeps the ratings of its start order.
  SELECT rating FROM player WHERE name = 'Anna' => 2031
  ratings - < name;rating|Anna;2031 => 1 player keeps their rating. ... Nothing to change.
  undo
  undo => Undone: ratings of 1 player from standard input.
  undo all

The start order follows a list until a round is paired, then stays
  ratings - < name,rating|Daan,2500
  SELECT name FROM ranking_list JOIN player ON player.id = player_id WHERE rank = 1
    AND round_number = 0 => Daan
  next-round
  ratings - < name,rating|Daan,900
  SELECT name FROM ranking_list JOIN player ON player.id = player_id WHERE rank = 1
    AND round_number = 0 => Daan
  check => is sound

Jumps can be left out: 312 is one unless 313 is the least
  ratings - --skip-jumps --jump 313 --dry-run < name,rating|Anna,2312 !> jump
  ratings - --skip-jumps --jump 312 < name,rating|Anna,2312|Boris,1801 => jump of 312: not taken
  SELECT rating FROM player WHERE id < 3 => 2000; 1801

An id that is said is kept: next month Clara is found without it
  remember
  ratings - --match clara=7 < id,name,rating,born|7,Clara,1780,2001|8,Clara,1344,1965 => 1780
  SELECT rating, national_id, born FROM player WHERE name = 'Clara' => 1780 7 None
  ratings - < id,name,rating|7,Clara,1790|8,Clara,1344 => +10
  undo all

A match that makes no sense is refused: nobody gets a number that is another's
  INSERT INTO player (name, national_id) VALUES ('C. B.', '8')
  ! ratings - --match Clara=8 < id,name,rating|7,Clara,1780|8,Clara,1344
    => Clara: another player has this national number: correct it there first.
  ! ratings - --match Clara=7 --match Anna=7 --dry-run < id,name,rating|7,Clara,1780|8,Clara,1344
    => Clara: another player has this national number
  ! ratings - --match Clara=1 < id,name,rating|7,Clara,1780 => Clara: the list has no 1.
  ! ratings - --match Clarrra=7 < id,name,rating|7,Clara,1780 => there is no player “Clarrra”
  ! ratings - --match 7 < id,name,rating|7,Clara,1780 => type --match NAME=ID
  ! ratings - --match Clara= < id,name,rating|7,Clara,1780 => type --match NAME=ID

What else the list knows is filled in where there is nothing; title and federation are the list's
  UPDATE player SET born = '1988-02-29', title = 'WCM' WHERE name = 'Anna'
  ratings - --ids < id,name,rating,title,fed,sex,born|7,Anna,2000,WFM,NED,w,1988|,Daan,0,,,,2012
  SELECT national_id, title, federation, sex, born FROM player WHERE name IN ('Anna', 'Daan')
    ORDER BY name => 7 WFM NED w 1988-02-29; None None None None 2012
  ratings - --ids < id,name,rating,title,fed,sex,born|7,Anna,2000,WFM,NED,w,1988
    => Nothing to change.

Who has not entered is left alone unless all are meant
  init --name Blitz && add Daan -t Blitz
  ratings - -t Blitz < name,rating|Anna,2001 => Not found: Daan.
  ratings - -t Blitz --all < name,rating|Anna,2001 => 1 player changed.
""")
