"""Tournament report files: columns, records and contradictions, without a database."""

import pytest

from keizer import KeizerError
from keizer.exchange.trf import Report, disagreeing, parse
from keizer.exchange.trf.report import BLANK, Bye, Cell, Player
from keizer.formats import limits
from tests.support import bbp

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


def test_two_byes_of_a_player_in_a_round_are_refused() -> None:
    said = refused(lines("240 H   3    2", "240 F   3    2"))
    assert said == "line 5: 2 has two byes in round 3: H and F."
    assert len(parse(lines("240 H   3    2", "240 H   3    2")).byes) == 2


def test_of_many_notes_the_first_are_kept_and_the_others_counted() -> None:
    notes = parse(lines(*["abc"] * 250)).notes
    assert (len(notes.first), notes.number, notes.left) == (100, 250, 150)


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n", "\r\r\n", "   \n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_all_line_ends_and_encodings_are_read(newline: str, encoding: str) -> None:
    data = (
        lines()
        .decode()
        .replace("Jansen, Jan  ", "Šulc, Zoë €  ")
        .replace("\n", newline)
    )
    assert player(parse(data.encode(encoding)), 1).name == "Šulc, Zoë €"


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("byte", [0x81, 0x8D, 0x8F, 0x90, 0x9D])
def test_a_byte_that_windows_has_no_character_for_is_refused(
    newline: str, byte: int
) -> None:
    said = refused(
        f"012 Zoë{newline}022 ".encode("cp1252") + bytes([byte]) + newline.encode()
    )
    assert said.startswith("line 2: this is not UTF-8 text: save it as such")


def test_a_blank_round_counts_as_a_zero_point_bye_and_stays_blank() -> None:
    found = parse(lines().replace(b"0000 - H", b"        ").replace(b" 0.5 ", b" 0.0 "))
    assert player(found, 2).rounds == (Cell(1, "b", "0"),)
    late = lines(row(4, "1.0", 4, "          0000 - F"))
    assert player(parse(late), 4).rounds == (BLANK, Cell(0, "-", "F"))


def test_each_result_without_an_opponent_is_read() -> None:
    for result, points in zip(
        "UF+H=Z-", ["1", "1", "1", ".5", ".5", ".0", ".0"], strict=True
    ):
        for opponent in ("0000", "    "):
            found = parse(row(1, points, 1, f"{opponent} - {result.lower()}").encode())
            assert found.players[0].rounds == (Cell(0, "-", result),)


@pytest.mark.parametrize("line", [
    "112 Deputy\n112 Another", "152 B", "172 NED FIDON", "192 FIDE_DUTCH_2026", "202 DE,BH/C1,SB",
    "222 5400+30", "352 WBWB", "250 00.0 02.0 001 003 0001 0002", "260 001 002  001  002  003",
    "299 W         1.0  001 0001", "XXC rank white1", "NED    2      Smit, Anna      1987",
    "### anything", "         1         2         3", "1234567890123456789012345", "DDD SSSS sTTT",
    "0123456789012345678901234", "XRS tornelo.com", "DAT    1 GROUP Penguins", "162  Z 0.0    A 0.0",
    "013 Team A                          1    2", "801 Team A",
])  # fmt: skip
def test_what_keizer_has_no_use_for_is_passed_over(line: str) -> None:
    found, plain = parse(lines(line)), parse(lines())
    assert (found.players, found.byes, found.dates) == (plain.players, [], {})


def test_what_else_a_file_says_is_read() -> None:
    dates = "132".ljust(91) + "26/01/09  26/01/16"
    found = parse(
        lines("012 Grand Prix", "142 9", "XXR 9", dates, "240 H 003 0001 0002")
    )
    assert found.lines["012"].value == "Grand Prix"
    assert [number for _, number in found.planned()] == [9, 9]
    assert found.dates == {1: "2026-01-09", 2: "2026-01-16"}
    assert found.byes == [Bye("H", 3, 1), Bye("H", 3, 2)]


def test_points_by_symbols() -> None:
    """Of TRF26, JaVaFo and bbpPairings."""
    three = (
        LINES.replace(" 2.0 ", " 6.0 ")
        .replace(" 0.5 ", " 1.0 ")
        .replace(" 1.0    2", " 3.0    2")
    )
    half = LINES.replace(" 1.0    2", " 0.5    2")
    for text, *each in (
        (three, "162  W 3.0    D 1.0", "XXS W=3 D=1 PAB=3", "BBW  3.0\nBBD  1.0"),
        (half, "162  P 0.5", "XXS PAB=.5", "BBU  0.5"),
    ):
        assert [*filter(None, disagreeing(parse(text.encode())))]
        for said in each:
            assert [*disagreeing(parse(f"{text}{said}\n".encode()))] == [None] * 3


def test_points_that_are_not_the_sum_of_the_rounds_are_said_with_their_line() -> None:
    """Neither a blank round nor a line 299 makes them right."""
    for there, instead, sentence in (
        (" 2.0 ", " 2.5 ", "line 1: 1 has 2.5 points, and the rounds add up to 2.0."),
        (
            "0000 - H",
            "        ",
            "line 2: 2 has 0.5 points, and the rounds add up to 0.0.",
        ),
    ):
        for more in ("", "299          -0.5  002 0001\n"):
            found = disagreeing(
                parse((LINES.replace(there, instead, 1) + more).encode())
            )
            assert [str(said) for said in found if said] == [sentence]


WRONG = [
    # What stands in the file, what stands there instead, the line, a part of the sentence.
    ("2 w 1", "2 b 1", 1, "is “2 b 1”, and that of 2, in line 2, is “1 b 0”"),
    (
        "3 b 1",
        "2 b 1",
        1,
        "round 2 of 1 is “2 b 1”, and that of 2, in line 2, is “0000 - H”",
    ),
    ("3 b 1", "9 b 1", 1, "who is not in the file"),
    ("3 b 1", "1 b 1", 1, "is “1 b 1”, and that of 1, in line 1, is “1 b 1”"),
    ("1 b 0", "1 b 1", 1, "is “2 w 1”, and that of 2, in line 2, is “1 b 1”"),
    ("1 b 0", "1 b =", 1, "is “2 w 1”, and that of 2, in line 2, is “1 b =”"),
    ("0000 - H", "0000 w H", 2, "no opponent, and colour “w” and result “H”"),
    ("0000 - H", "0000 - 1", 2, "no opponent, and colour “-” and result “1”"),
    ("0000 - H", "   3 w H", 2, "is “3 w H”, and that of 3, in line 3, is “1 w 0”"),
    ("3 b 1", "3   1", 1, "is “3 - 1”, and that of 3, in line 3, is “1 w 0”"),
    ("3 b 1", "3 x 1", 1, "a colour is w, b or -"),
    ("3 b 1", "3 b ?", 1, "a result one of"),
    ("001    2", "001    3", 3, "the start number 3 is in the list twice"),
    ("    3     1 b", "    x     1 b", 2, "the rank “x”"),
    ("2345", "23x5", 1, "the rating “23x5”"),
    ("1000016", "10000-6", 1, "the FIDE number"),
    ("001    1 m", "001     1m", 1, "column 9 has “1”"),
    ("Jansen, Jan", "Jansen, Ja", 1, "slipped out of their columns"),
    ("001    3", "003    3", 3, "“003” is no record"),  # it may be a player
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
    ("142 1", "1 round is fewer"),
    ("142 x", "the number of rounds “x”"),
    ("XXR 1", "1 round is fewer than the players have"),
    ("142 " + "9" * 5000, "the number of rounds"),
    ("162  Y 1.0", "“Y” is no symbol"),
    ("XXS W", "the points “” are not points"),
    ("XXS Q=1", "“Q” is no symbol"),
    ("240 H 003 0007", "7 is not the start number of a player"),
    ("240 H 001 0001", "has the bye H in round 1, and something else"),
    ("240 X 003 0001", "“X” is not one of F H Z"),
    ("012Name", "column 4"),
    (row(4, "1.0", 4, "0000 - U"), "round 1 of 4 is a pairing-allocated bye, and 3"),
])  # fmt: skip
def test_a_wrong_record_is_said_with_its_line(line: str, sentence: str) -> None:
    said = refused(lines("012 Name", line))
    assert said.startswith("line 5: ") and sentence in said


def test_with_teams_byes_are_of_teams() -> None:
    team = "310   7 Gouda                            GOU     2300    4.0    6.0   1     1    2    3"
    assert parse(lines(team, "240 H 003 0007")).byes == []


def test_rounds_that_a_line_leaves_out_count_in_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They become absences: a season of two players and three rounds has three games."""
    monkeypatch.setattr(limits, "GAMES", 2)
    three = row(1, "0.0", 1, "0000 - Z  0000 - Z  0000 - Z")
    said = refused(f"{three}\n{row(2, '0.0', 2, '')}\n".encode())
    assert said.startswith("line 2: this has more than 2 games")


def test_the_model_of_bbp_pairings_takes_its_own_style_and_refuses_what_it_refuses() -> (
    None
):
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
