"""What bbpPairings asks of a TRF, as a model of its reader.

Written from `readFile` and the functions it calls in src/fileformats/trf.cpp of
BieremaBoyzProgramming/bbpPairings (the reader of version 6), in their order:
players, byes, points, rounds, and then what has to agree. It is a model, not a
copy: it says no more than whether that program would take the file, of the lines
that keizer writes. Columns are counted from 0 here, as there.
"""

import re
from typing import NamedTuple


class RefusedError(Exception):
    """bbpPairings would stop here."""


class Match(NamedTuple):
    opponent: int
    colour: str = " "
    score: str = "L"
    played: bool = False
    paired: bool = False


class Tournament:
    def __init__(self) -> None:
        self.players: dict[int, tuple[int, list[Match]]] = {}
        """Points in tenths and matches, by number."""
        self.rounds: int | None = None
        self.points = {"W": 10, "D": 5, "L": 0, "Z": 0, "F": 0, "U": 10}
        self.bye_said = False
        self.colour_said = False

    def brings(self, symbol: str, points: int) -> None:
        """Without a word of its own, a bye brings what a win does."""
        self.points[symbol] = points
        self.bye_said |= symbol == "U"
        if symbol == "W" and not self.bye_said:
            self.points["U"] = points


def demand(holds: object, what: str) -> None:
    if not holds:
        raise RefusedError(what)


def single(text: str, form: str, what: str) -> str:
    """`getSingleValue`: one word between blanks."""
    words = [word for word in text.split(" ") if word]
    demand(len(words) == 1 and re.fullmatch(form, words[0]), f"{what} in {text!r}")
    return words[0]


def number(text: str) -> int:
    return int(single(text, "0*[1-9][0-9]*", "a number above 0"))


def score(text: str) -> int:
    """`readScore`: digits, and if wanted a point and up to one digit."""
    return round(float(single(text, r"[0-9]+(\.[0-9])?", "points")) * 10)


def read(data: bytes, *, to_pair: bool = False) -> Tournament:
    """Read a file; to_pair: as to pair the next round.

    That needs the number of rounds, and the first colour where no game has one.
    """
    found = Tournament()
    for line in re.split("[\r\n]", data.decode("utf-8")):
        code = line[:3]
        if code == "001":
            player(line, found)
        elif code in ("013", "310", "299"):
            raise RefusedError(f"{code} is not supported")
        elif code == "240":
            number(line[6:9])
            for cell in cells(line, 10, 4, 5):
                number(cell)
        elif code in ("142", "XXR"):
            found.rounds = number(line[3:])
        elif code in ("152", "XXC"):
            demand(code == "XXC" or line in ("152 W", "152 B"), "a colour")
            found.colour_said |= not {"W", "B", "white1", "black1"}.isdisjoint(
                line.split()
            )
        elif code == "162":
            for cell in cells(line, 5, 5, 9):
                demand(cell[0] in "WDLAP", f"symbol {cell[0]}")
                for symbol in {"A": "ZF", "P": "U"}.get(cell[0], cell[0]):
                    found.brings(symbol, score(cell[1:]))
        elif re.fullmatch("BB[WDLZFU]", code):
            demand(len(line) >= 8, f"{code} has points")
            found.brings(code[2], score(line[4:12]))
        elif code == "192":
            demand(
                re.fullmatch("FIDE_(DUTCH(_202[56])?|BURSTEIN)(_BAKU)?", line[4:]),
                "a system",
            )
    agree(found, to_pair=to_pair)
    return found


def cells(line: str, start: int, width: int, apart: int) -> list[str]:
    """What is repeated to the end of the line, at least once but for rounds."""
    starts = range(start, len(line) - width + 1, apart)
    demand(starts or line[:3] == "001", f"{line[:3]} has something")
    demand(
        not line[start + apart * len(starts) :].strip(" "), "nothing behind the last"
    )
    return [line[start : start + width] for start in starts]


def player(line: str, found: Tournament) -> None:
    demand(len(line) >= 84, "a line 001 reaches the points")
    own = number(line[4:8])
    if line[48:52].strip(" "):
        single(line[48:52], "[0-9]+", "a rating")
    points = score(line[80:84])
    matches: list[Match] = []
    told = 0
    for cell in cells(line, 91, 8, 10):
        matches.append(match(own, cell))
        if cell[:4] != "    " or cell[5] != " " or cell[7] != " ":
            told = len(matches)
    demand(own not in found.players, "a number once")
    found.players[own] = points, matches[:told]


def match(own: int, text: str) -> Match:
    opponent = own if text[:4] in ("    ", "0000") else number(text[:4])
    demand(opponent != own or text[:4] in ("    ", "0000"), "another opponent")
    colour, result = text[5], text[7].upper()
    demand(colour in "wb- ", f"colour {colour}")
    demand(opponent != own or colour not in "wb", "no colour without opponent")
    demand(result in "D=H+W1FU-L0Z ", f"result {result}")
    outcome = "D" if result in "D=H" else "W" if result in "+W1FU" else "L"
    played = opponent != own and colour in "wb"
    if result in "+-HFUZ ":
        played = False
        demand(result in "+-" or opponent == own, "no bye with an opponent")
    else:
        demand(
            colour in "wb" or (result == "=" and opponent == own), "a game has a colour"
        )
    return Match(opponent, colour, outcome, played, opponent != own or result in "U+")


def agree(found: Tournament, *, to_pair: bool) -> None:
    """`evenUpMatchHistories`, `validatePairConsistency` and `validateScores`."""
    demand(
        sorted(found.players) == list(range(1, len(found.players) + 1)),
        "no number is missing",
    )
    histories = [matches for _, matches in found.players.values()]
    last = max(map(len, histories), default=0)
    ends = [len(matches) - (not matches[-1].paired) for matches in histories if matches]
    played = max(ends, default=0) if to_pair else last
    demand(found.rounds or not to_pair, "the number of rounds")
    coloured = any(match.played for matches in histories for match in matches)
    demand(
        found.colour_said or coloured or not to_pair, "the colour of the first player"
    )
    demand(not found.rounds or played <= found.rounds - to_pair, "not too many rounds")
    for own, (points, matches) in found.players.items():
        even = matches[: played + 1] + [Match(own)] * (played - len(matches))
        for index, each in enumerate(even[:played]):
            theirs = found.players.get(each.opponent, (0, []))[1][index : index + 1]
            seen = [(game.opponent, game.colour) for game in theirs if game.played]
            other = "b" if each.colour == "w" else "w"
            both = not each.played or seen == [(own, other)]
            demand(both, f"both sides of round {index + 1} of {own}")
        total = sum(worth(found, own, each) for each in even)
        demand(total == points, f"the points of {own}: {total}, not {points}")


def worth(found: Tournament, own: int, each: Match) -> int:
    """`Tournament::getPoints`."""
    if each.score == "L":
        return found.points["Z" if not each.paired else "L" if each.played else "F"]
    if each.score == "W":
        return found.points["U" if each.opponent == own and each.paired else "W"]
    return found.points["D"]
