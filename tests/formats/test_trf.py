"""Tournament report files: columns, records and contradictions, without a database."""

# ruff: noqa: E501 - the lines of the format are longer

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keizer import KeizerError
from keizer.formats import limits
from keizer.formats.trf import Report, parse, text
from keizer.formats.trf.columns import Line
from keizer.formats.trf.report import BLANK, Cell, Player, Record, Symbols
from tests.support import bbp
from tests.support.files import campaign
from tests.support.trf_slow import tournament

LINES = """\
001    1 m GM Jansen, Jan                       2345 NED     1000016 1987/00/00  2.0    1     2 w 1     3 b 1
001    2 wWGM Smith, Ann                        2210 ENG      400025 2001/12/31  0.5    3     1 b 0  0000 - H
001    3                                                                         1.0    2  0000 - U     1 w 0
"""


def lines(*more: str) -> bytes:
    return (LINES + "".join(line + "\n" for line in more)).encode()


def row(number: int, points: str, rank: int, cells: str) -> str:
    return f"001 {number:4}      {'Player':33}                                 {points:>4} {rank:4}  {cells}"


def player(found: Report, number: int) -> Player:
    return next(each for each in found.players if each.number == number)


def test_every_field_of_a_player_is_read_from_its_columns() -> None:
    found = parse(lines())
    assert player(found, 1) == Player(
        1, "Jansen, Jan", 20, "m", "GM", 2345, "NED", 1000016, "1987/00/00", 1,
        (Cell(2, "w", "1"), Cell(3, "b", "1")),
    )  # fmt: skip
    assert player(found, 2).title == "WGM" and player(found, 2).sex == "w"
    assert player(found, 2).rounds == (Cell(1, "b", "0"), Cell(0, "-", "H"))
    assert player(found, 3) == Player(
        3, "", 10, rank=2, rounds=(Cell(0, "-", "U"), Cell(1, "w", "0"))
    )


def test_what_is_written_stands_in_the_columns_of_the_table() -> None:
    """TRF16 and TRF26, player section: first and last column of each field."""
    written = text(parse(lines())).splitlines()
    columns = {
        (1, 3): "001", (5, 8): "   1", (10, 10): "m", (11, 13): " GM",
        (15, 47): "Jansen, Jan".ljust(33), (49, 52): "2345", (54, 56): "NED",
        (58, 68): "    1000016", (70, 79): "1987/00/00", (81, 84): " 2.0", (86, 89): "   1",
        (92, 95): "   2", (97, 97): "w", (99, 99): "1", (102, 105): "   3", (107, 107): "b",
    }  # fmt: skip
    for (first, last), field in columns.items():
        assert written[0][first - 1 : last] == field
    assert written == LINES.splitlines()


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n", "\r\r\n", "   \n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_all_line_ends_and_encodings_are_read(newline: str, encoding: str) -> None:
    data = lines().decode().replace("Jansen, Jan  ", "Šulc, Zoë €  ").replace("\n", newline)
    assert player(parse(data.encode(encoding)), 1).name == "Šulc, Zoë €"


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("byte", [0x81, 0x8D, 0x8F, 0x90, 0x9D])
def test_a_byte_that_windows_has_no_character_for_is_refused(newline: str, byte: int) -> None:
    said = refused(f"012 Zoë{newline}022 ".encode("cp1252") + bytes([byte]) + newline.encode())
    assert said.startswith(f"line 2: the byte {byte:02X} ") and "save the file as UTF-8" in said


def test_a_blank_round_counts_as_a_zero_point_bye_and_stays_blank() -> None:
    found = parse(lines().replace(b"0000 - H", b"        ").replace(b" 0.5 ", b" 0.0 "))
    assert player(found, 2).rounds == (Cell(1, "b", "0"),)
    late = lines(row(4, "1.0", 4, "          0000 - F"))
    assert player(parse(late), 4).rounds == (BLANK, Cell(0, "-", "F"))


@pytest.mark.parametrize("result", list("UHFZ+-="))
def test_each_result_without_an_opponent_is_read(result: str) -> None:
    points = {"U": "1.0", "F": "1.0", "+": "1.0", "H": "0.5", "=": "0.5"}.get(result, "0.0")
    for opponent in ("0000", "    "):
        found = parse(row(1, points, 1, f"{opponent} - {result.lower()}").encode())
        assert found.players[0].rounds == (Cell(0, "-", result),)


def says(code: str) -> Callable[[Report], list[str]]:
    return lambda found: [line.value for line in found.header if line.code == code]


RECORDS: list[tuple[str, Callable[[Report], Any], Any]] = [
    ("012 Grand Prix", says("012"), ["Grand Prix"]),
    ("112 Deputy\n112 Another", says("112"), ["Deputy", "Another"]),
    ("122 90 min + 30 s", says("122"), ["90 min + 30 s"]),
    ("142 9", says("142"), ["9"]),
    ("152 B", says("152"), ["B"]),
    ("172 NED FIDON", says("172"), ["NED FIDON"]),
    ("192 FIDE_DUTCH_2026", says("192"), ["FIDE_DUTCH_2026"]),
    ("202 DE,BH/C1,SB", says("202"), ["DE,BH/C1,SB"]),
    ("222 5400+30", says("222"), ["5400+30"]),
    ("352 WBWB", says("352"), ["WBWB"]),
    ("132".ljust(91) + "26/01/09  26/01/16", lambda found: found.dates, ("26/01/09", "26/01/16")),
    ("162  W 1.0    D 0.5    X 0.5", lambda found: found.symbols, Symbols((("W", 10), ("D", 5), ("X", 5)))),
    ("240 H 003 0001 0002", lambda found: found.records, (Record("240", (1, 2), 3, kind="H"),)),
    ("240 Z 003  002", lambda found: found.records, (Record("240", (2,), 3, kind="Z"),)),
    ("250 00.0 02.0 001 003 0001 0002", lambda found: found.records, (Record("250", (1, 2), 1, 3, match_points=0, points=20),)),
    ("260 001 002  001  002  003", lambda found: found.records, (Record("260", (1, 2, 3), 1, 2),)),
    ("299 W         1.0  001 0001", lambda found: found.records, (Record("299", (1,), 1, kind="W", points=10),)),
    ("XXR 9", lambda found: found.other, (Line("XXR 9"),)),
    ("XXC rank white1", lambda found: found.other, (Line("XXC rank white1"),)),
    ("NED    2      Smit, Anna                        1987", lambda found: found.other[0].text[:3], "NED"),
    ("### anything", lambda found: found.other, (Line("### anything"),)),
    ("013 Team A                          1    2", lambda found: found.other[0].text[:10], "013 Team A"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "look", "expected"), RECORDS)
def test_each_record_is_read_and_written_again(
    line: str, look: Callable[[Report], Any], expected: object
) -> None:
    found = parse(lines(line))
    assert look(found) == expected
    assert parse(text(found).encode()) == found


def test_points_by_symbols_and_abnormal_points() -> None:
    three = (
        LINES.replace(" 2.0 ", " 6.0 ").replace(" 0.5 ", " 1.0 ").replace(" 1.0    2", " 3.0    2")
    )
    for said in ("162  W 3.0    D 1.0", "XXS W=3 D=1 PAB=3", "BBW  3.0\nBBD  1.0"):
        parse(f"{three}{said}\n".encode())
    half = LINES.replace(" 1.0    2", " 0.5    2")
    for said in ("162  P 0.5", "XXS PAB=.5", "BBU  0.5"):
        parse(f"{half}{said}\n".encode())
    said = refused(f"{half}299 U         0.5  001 0003\n".encode())
    assert "not one of W D L F H Z" in said
    penalty = LINES.replace(" 2.0 ", " 1.5 ")
    found = parse(f"{penalty}299          -0.5  002 0001\n".encode())
    assert parse(text(found).encode()) == found
    parse(f"{LINES.replace(' 2.0 ', ' 1.6 ')}299 W         0.8  000 0001\n".encode())


WRONG = [
    # What stands in the file, what stands there instead, the line, a part of the sentence.
    ("2 w 1", "2 w 0", 1, "1 has 2.0 points, and the rounds add up to 1.0"),
    (" 2.0 ", " 2.5 ", 1, "1 has 2.5 points, and the rounds add up to 2.0"),
    ("2 w 1", "2 b 1", 1, "with colour b"),
    ("3 b 1", "2 b 1", 1, "round 2 of 1 is against 2, who meets nobody in line 2"),
    ("3 b 1", "9 b 1", 1, "who is not in the file"),
    ("3 b 1", "1 b 1", 1, "against themselves"),
    ("1 b 0", "1 b 1", 1, "with result “1”"),
    ("1 b 0", "1 b =", 1, "with result “1” and, in line 2, “=”"),
    ("0000 - H", "0000 w H", 2, "a colour and no opponent"),
    ("0000 - H", "0000 - 1", 2, "the result 1 and no opponent"),
    ("0000 - H", "   3 w H", 2, "an opponent and the bye H"),
    ("3 b 1", "3   1", 1, "no colour, which only a forfeit may"),
    ("3 b 1", "3 x 1", 1, "a colour is w, b or -"),
    ("3 b 1", "3 b ?", 1, "a result one of"),
    ("001    2", "001    3", 3, "the start number 3 is there twice"),
    ("    3     1 b", "    2     1 b", 3, "rank 2 is there twice"),
    ("    3     1 b", "    x     1 b", 2, "the rank “x”"),
    ("2345", "23x5", 1, "the rating “23x5”"),
    ("1000016", "10000-6", 1, "the FIDE number"),
    ("1987/00/00", "1987/13/00", 1, "the birth date"),
    (" 2.0 ", "     ", 1, "the points “”"),
    ("NED", "N2D", 1, "no federation"),
    (" GM", " G1", 1, "no title"),
    ("001    1 m", "001    1 x", 1, "column 10 is m or w"),
    ("001    1 m", "001     1m", 1, "column 9 has “1”"),
    ("Jansen, Jan", "Jansen, Ja", 1, "slipped out of their columns"),
    ("001    3", "003    3", 3, "“003” is no record"),
    ("Jansen", "Jan\x07en", 1, "cannot be printed"),
]


def refused(data: bytes) -> str:
    with pytest.raises(KeizerError) as raised:
        parse(data)
    assert str(raised.value).endswith(".")
    return str(raised.value)


@pytest.mark.parametrize(("there", "instead", "line", "sentence"), WRONG)
def test_what_is_wrong_is_said_with_its_line(
    there: str, instead: str, line: int, sentence: str
) -> None:
    assert there in LINES
    said = refused(LINES.replace(there, instead, 1).encode())
    assert said.startswith(f"line {line}: ") and sentence in said


@pytest.mark.parametrize(("line", "sentence"), [
    ("012 Name", "there is a second line 012"),
    ("062 4", "says 4 players and has 3"),
    ("142 1", "1 round is fewer"),
    ("142 x", "the number of rounds “x”"),
    ("XXR 1", "1 round is fewer than the players have"),
    ("142 " + "9" * 5000, "the number of rounds"),
    ("152 X", "initial colour"),
    ("132".ljust(91) + "26/13/01", "the date of round 1"),
    ("162  Y 1.0", "“Y” is not one of"),
    ("XXS W", "“W” is not SYMBOL=POINTS"),
    ("XXS Q=1", "“Q” is no symbol"),
    ("240 H 003 0007", "7 is not the start number of a player"),
    ("240 H 001 0001", "has the bye H in round 1, and something else"),
    ("240 X 003 0001", "“X” is not one of F H Z"),
    ("250 00.0 00.0 001 003 0001 0002", "an acceleration brings points"),
    ("260 002 001 0001 0002", "comes before the first"),
    ("250 00.0 02.0 001 003 0002 0001", "two start numbers, the first and the last"),
    ("260 001 002 0001", "two or more different"),
    ("260 001 002 0001 0001", "two or more different"),
    ("299 W              001 0001", "abnormal points are missing"),
    ("NED    9", "9 is not the start number"),
    ("999 what", "“999” is no record"),
    ("012Name", "column 4"),
    ("00", "“00” is no record"),
    (row(4, "1.0", 4, "0000 - U"), "round 1 of 4 is a pairing-allocated bye, and 3"),
])  # fmt: skip
def test_a_wrong_record_is_said_with_its_line(line: str, sentence: str) -> None:
    said = refused(lines("012 Name", line))
    assert said.startswith("line 5: ") and sentence in said


def test_with_teams_the_records_name_teams_and_not_players() -> None:
    team = "310   7 Gouda                            GOU     2300    4.0    6.0   1     1    2    3"
    about = ("240 H 003 0007", "260 001 002 0007 0008", "299 W   2.0   1.0  001 0001")
    found = parse(lines(team, *about))
    assert len(found.records) == 3 and not found.of_players()
    assert "9 is not the start number of a player" in refused(lines(team.replace("   3", "   9")))


def test_equals_share_a_rank_if_the_next_is_left_out() -> None:
    rows = "".join(
        f"{row(number, '0.0', rank, '')}\n" for number, rank in enumerate((1, 2, 2, 4), 1)
    )
    assert [each.rank for each in parse(rows.encode()).players] == [1, 2, 2, 4]
    said = refused(rows.replace("   4  \n", "   3  \n").encode())
    assert said.startswith("line 3: rank 2 is there twice")


def test_rounds_that_a_line_leaves_out_count_in_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """They become absences: a season of two players and three rounds has three games."""
    monkeypatch.setattr(limits, "GAMES", 2)
    three = row(1, "0.0", 1, "0000 - Z  0000 - Z  0000 - Z")
    said = refused(f"{three}\n{row(2, '0.0', 2, '')}\n".encode())
    assert said.startswith("line 2: this has more than 2 games")


def test_trf16_has_no_room_for_the_records_of_trf26() -> None:
    for line in ("142 9", "162  W 1.0", "240 H 003 0001"):
        with pytest.raises(KeizerError, match="TRF16 has no record"):
            text(parse(lines(line)), 2016)
    assert text(parse(lines("XXR 9")), 2016) == LINES + "XXR 9\n"


@pytest.mark.parametrize("change", [
    {"name": "x" * 34}, {"name": " blank"}, {"name": "two\nlines"}, {"name": "\ud800"},
    {"points": 1000}, {"rating": 99999}, {"born": "1 May"}, {"sex": "x"},
    {"rounds": (Cell(2, "w", "1"), Cell(3, "b", "1"), BLANK)},
])  # fmt: skip
def test_a_report_that_no_file_can_say_is_not_written(change: dict[str, Any]) -> None:
    found = parse(lines())
    wrong = replace(found, players=(replace(found.players[0], **change), *found.players[1:]))
    with pytest.raises(KeizerError):
        text(wrong)


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(categories=("L", "N", "P", "S"), include_characters=" "), max_size=33))
def test_any_name_is_written_in_its_columns(name: str) -> None:
    found = parse(lines())
    renamed = replace(found.players[0], name=name.strip(" "))
    report = replace(found, players=(renamed, *found.players[1:]))
    assert parse(text(report).encode()) == report


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("seed", [*range(6), *campaign(6, 400)])
def test_what_is_written_is_read_as_the_same(seed: int, newline: str) -> None:
    """Any report: players, every record, points by its own rules."""
    report = parse(tournament(random.Random(seed)))
    assert parse(text(report, newline=newline).encode()) == report


def test_the_model_of_bbp_pairings_takes_its_own_style_and_refuses_what_it_refuses() -> None:
    """Or it would prove nothing: lines as it writes them, with one thing wrong at a time."""
    own = (
        "012 Test\r"
        "001    1      Test0001 Player0001               2720                             1.0    1     2 w 1\r"
        "001    2      Test0002 Player0002               2701                             0.0    2     1 b 0\r"
        "001    3      Test0003 Player0003               2697                             1.0    3  0000 - U\r"
        "XXR 3\r"
    )
    assert bbp.read(own.encode(), to_pair=True).rounds == 3
    assert parse(own.encode()).rounds() == 1
    for there, instead in (
        ("1.0    1", "0.5    1"), ("2 w 1", "3 w 1"), ("2 w 1", "2   1"), ("2 w 1", "2 w H"),
        ("001    3", "001    4"), ("001    3", "001    2"), ("XXR 3", "XXR 0"), ("2720", "27x0"),
        ("XXR 3", "192 KEIZER"), ("XXR 3", "299"), ("XXR 3", "162  X 0.5"), ("XXR 3", "152  W"),
    ):  # fmt: skip
        assert there in own
        with pytest.raises(bbp.RefusedError):
            bbp.read(own.replace(there, instead, 1).encode(), to_pair=True)
