"""Files with something wrong in them: an error that names the line, or the right meaning.

What is right says a second reader (tests/trf_slow.py).
"""

import random
import re

import pytest

from keizer import KeizerError
from keizer.formats import trf
from keizer.formats.trf.report import Report
from tests.conftest import campaign
from tests.trf_slow import WINS, Meaning, decoded, meaning, tournament

MUTATIONS = 250
CHANGES = ["replace", "replace", "replace", "delete", "insert", "swap", "truncate", "line", "end"]
CHANGES += ["round", "round"]
LETTERS = "0123456789  wbWDLUFHZ=+-./,#XABCabcé\t\x00\x1a\ufeff\u2028\xa0٣"


def another_round(rng: random.Random, text: str) -> str:
    """One round of one player said otherwise, and his points with it: a lie that adds up."""
    players = [found.span() for found in re.finditer(r"001 [^\r\n]{95,}", text)]
    if not players:
        return text
    first, last = rng.choice(players)
    start = first + rng.randrange(91, last - first - 7, 10)
    change = rng.choice(["opponent", "colour", "result", "result"])
    if change == "opponent":
        return text[:start] + f"{rng.randint(0, 9):4}" + text[start + 4 :]
    if change == "colour":
        return text[: start + 5] + rng.choice("wb-") + text[start + 6 :]
    result = rng.choice("10=+-WDLUFHZ")
    more = WINS.get(result, 0) - WINS.get(text[start + 7], 0)
    text = text[: start + 7] + result + text[start + 8 :]
    points = re.fullmatch(r" *(\d+\.\d)", text[first + 80 : first + 84])
    said = f"{float(points[1]) + more:4.1f}" if points else ""
    return text[: first + 80] + said + text[first + 84 :] if len(said) == 4 else text


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The file with one thing changed; now and then, something changes twice."""
    text = data.decode("utf-8", "replace")
    place = rng.randrange(len(text) or 1)
    match rng.choice(CHANGES):
        case "round":
            text = another_round(rng, text)
        case "replace":
            text = text[:place] + rng.choice(LETTERS) + text[place + 1 :]
        case "delete":
            text = text[:place] + text[place + 1 :]
        case "insert":
            text = text[:place] + rng.choice(LETTERS) + text[place:]
        case "swap":
            text = text[:place] + text[place : place + 2][::-1] + text[place + 2 :]
        case "truncate":
            text = text[:place]
        case "end":
            ends = [found.span() for found in re.finditer(r"\r\n|\r|\n", text)]
            first, last = rng.choice(ends or [(0, 0)])
            text = text[:first] + rng.choice(["\r", "\n", "\r\n", "", "\x85", "\x0b"]) + text[last:]
        case "line":
            lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
            one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
            change = rng.choice(["drop", "double", "swap"])
            if change == "drop":
                del lines[one]
            elif change == "double":
                lines.insert(two, lines[one])
            else:
                lines[one], lines[two] = lines[two], lines[one]
            text = "".join(lines)
    if rng.random() < 0.1:
        return text.encode("cp1252", "replace")
    return text.encode()


def said(report: Report) -> Meaning:
    """What the reader made of it, as the second one says it."""
    games, byes = set(), set()
    cells = {
        (number, player.number): cell
        for player in report.players
        for number, cell in enumerate(player.rounds, 1)
    }
    for (number, player), cell in cells.items():
        if not cell.opponent:
            byes |= {(number, player, cell.result)} if cell.result != " " else set()
        elif cell.colour == "w" or (cell.colour == "-" and player < cell.opponent):
            theirs = cells[number, cell.opponent]
            games.add((number, player, cell.opponent, cell.result, theirs.result))
    players = {
        each.number: (
            each.sex, each.title, each.name, each.rating, each.federation, each.fide_id,
            each.born, each.points / 10, each.rank,
        )
        for each in report.players
    }  # fmt: skip
    written = [line for line in trf.text(report).split("\n") if line and line[:3] != "001"]
    lines = sorted(re.sub(" +$", "", line) for line in written)
    return Meaning(
        {number: tuple(map(str, fields)) for number, fields in players.items()},
        frozenset(games),
        frozenset(byes),
        tuple(lines),
    )


def plain(found: Meaning) -> Meaning:
    """Without what is only another way of writing: 0001 for 1, small letters, blanks."""

    def field(text: str) -> str:
        number = re.fullmatch(r"-?[0-9]+(\.[0-9])?|\.[0-9]", text)
        return str(float(text) + 0) if number else text.upper().replace("NONE", "")

    def line(text: str) -> str:
        for pattern, same in (
            (r"\.0(?!\d)", ""),
            (r"(?<!\d)\.(?=\d)", "0."),
            (" +", " "),
            (r"(?<=[WDLAPX]) (?=\d)", ""),
        ):
            text = re.sub(pattern, same, text)
        return re.sub(r"(?<![\d.])0+(?=\d)", "", text)

    return found._replace(
        players={number: tuple(map(field, fields)) for number, fields in found.players.items()},
        lines=tuple(sorted(line(each) for each in found.lines if each != "132")),
    )


def refused(data: bytes) -> Report | str:
    """The report, or the sentence that refuses the file."""
    try:
        return trf.parse(data)
    except KeizerError as error:
        return str(error)


@pytest.mark.parametrize("seed", [*range(12), *campaign(12, 412)])
def test_a_mutated_file_is_refused_by_line_or_understood(seed: int) -> None:
    rng = random.Random(seed)
    data = tournament(rng)
    right = meaning(data)
    assert right is not None and plain(said(trf.parse(data))) == plain(right)
    for _ in range(MUTATIONS):
        changed = mutated(rng, data)
        if rng.random() < 0.2:
            changed = mutated(rng, changed)
        report = refused(changed)
        if isinstance(report, str):
            found = re.match(r"line (\d+): .+\.$", report)
            assert found and 1 <= int(found[1]) <= len(decoded(changed)), (report, changed)
        else:
            expected = meaning(changed)
            assert expected is not None, changed
            assert plain(said(report)) == plain(expected), changed


@pytest.mark.parametrize("seed", range(5))
def test_other_letters_in_a_name_and_other_ends_of_lines_are_no_error(seed: int) -> None:
    """Being strict is not enough: what is only different is read."""
    rng = random.Random(seed)
    data = tournament(rng)
    text = data.decode()
    before = trf.parse(data)
    player = rng.choice(before.players)
    for letter in "xÉ'.-1":
        name = letter + player.name[1:]
        renamed = trf.parse(text.replace(f" {player.name} ", f" {name} ").encode())
        assert name in [each.name for each in renamed.players]
    for end in ("\r", "\n", "\r\n", "\r\r\n", "   \n"):
        assert trf.parse(re.sub(r"\r\n|\r|\n", end, text).encode()) == before
    assert trf.parse(b"\xef\xbb\xbf" + data) == before
