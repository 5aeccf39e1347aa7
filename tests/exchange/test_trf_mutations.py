"""Files with something wrong in them: an error that names the line, or the right meaning.

What is right says a second reader (tests/support/trf_slow.py).
"""

import random
import re

import pytest

from keizer import KeizerError
from keizer.exchange import trf
from keizer.exchange.trf.report import Report
from tests.support.files import campaign
from tests.support.trf_slow import WINS, Meaning, decoded, meaning, tournament

MUTATIONS = 250
LETTERS = "0123456789  wbWDLUFHZ=+-./,#XABCabcé\t\x00\x1a\ufeff\u2028\xa0٣"


def another_round(rng: random.Random, text: str) -> str:
    """One round of one player said otherwise, and their points with it: a lie that adds up."""
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
    """The file with one thing changed: a letter, a line, an end of line, or a round."""
    text, letter = data.decode("utf-8", "replace"), rng.choice(LETTERS)
    place = rng.randrange(len(text) or 1)
    before, after = text[:place], text[place + 1 :]
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    one, two = sorted(rng.randrange(len(lines)) for _ in "12")
    head, line, rest = lines[:one], lines[one], lines[one + 1 :]
    end = rng.choice(["\r", "\n", "\r\n", "", "\x85", "\x0b"])
    changes = {
        before + letter + after: 3,
        before + after: 1,
        before + letter + text[place:]: 1,
        before + text[place : place + 2][::-1] + after[1:]: 1,
        before: 1,
        "".join([*head, line.rstrip("\r\n") + end, *rest]): 1,
        "".join([*head, *rest]): 0.3,
        "".join([*lines[:two], line, *lines[two:]]): 0.3,
        "".join(
            [*head, lines[two], *lines[one + 1 : two], line, *lines[two + 1 :]]
        ): 0.3,
        another_round(rng, text): 2,
    }
    (changed,) = rng.choices([*changes], [*changes.values()])
    return (
        changed.encode("cp1252", "replace") if rng.random() < 0.1 else changed.encode()
    )


def said(report: Report) -> Meaning:
    """What the reader made of it, as the second one says it."""
    games, byes = set(), set()
    players = {each.number: each for each in report.players}
    for player in report.players:
        for number, cell in enumerate(player.rounds, 1):
            if not cell.opponent:
                byes |= (
                    {(number, player.number, cell.result)}
                    if cell.result != " "
                    else set()
                )
            elif cell.colour == "w" or (
                cell.colour == "-" and player.number < cell.opponent
            ):
                theirs = players[cell.opponent].round(number).result
                games.add((number, player.number, cell.opponent, cell.result, theirs))
    people: dict[int, tuple[str, ...]] = {
        each.number: (
            each.sex, each.title, each.name, str(each.rating), each.federation,
            str(each.fide_id), each.born,
            "" if each.points is None else f"{each.points / 10}", str(each.rank),
        )
        for each in report.players
    }  # fmt: skip
    return plain(Meaning(people, frozenset(games), frozenset(byes)))


def plain(found: Meaning) -> Meaning:
    """Without what is only another way of writing: 0001 for 1, small letters, blanks."""

    def field(text: str) -> str:
        number = re.fullmatch(r"-?[0-9]+(\.[0-9])?|\.[0-9]", text)
        return str(float(text) + 0) if number else text.upper().replace("NONE", "")

    return found._replace(
        players={
            number: tuple(map(field, fields))
            for number, fields in found.players.items()
        }
    )


def refused(data: bytes) -> Report | str:
    """The report, or the sentence that refuses the file."""
    try:
        report = trf.parse(data)
    except KeizerError as error:
        return str(error)
    return next((str(said) for said in trf.disagreeing(report) if said), report)


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 412)])
def test_a_mutated_file_is_refused_by_line_or_understood(seed: int) -> None:
    """Of people and rounds it says what the second reader says."""
    rng = random.Random(seed)
    data = tournament(rng)
    right = meaning(data)
    assert right is not None and said(trf.parse(data)) == plain(right)
    for _ in range(MUTATIONS):
        changed = mutated(rng, data)
        if rng.random() < 0.2:
            changed = mutated(rng, changed)
        report = refused(changed)
        if isinstance(report, str):
            found = re.match(r"line (\d+): .+\.$", report)
            assert found and 1 <= int(found[1]) <= len(decoded(changed)), (
                report,
                changed,
            )
        else:
            expected = meaning(changed)
            assert expected is not None and said(report) == plain(expected), changed
