"""What bbpPairings asks of a TRF, as a model of its reader.

Written from `readFile` and the functions it calls in src/fileformats/trf.cpp of
BieremaBoyzProgramming/bbpPairings (the reader of version 6), in their order:
players, byes, points, rounds, and then what has to agree. It is a model, not a
copy: it says no more than whether that program would take the file. Columns
are counted from 0 here, as there.
"""

import re
from dataclasses import dataclass, field


class RefusedError(Exception):
    """bbpPairings would stop here."""


@dataclass
class Match:
    opponent: int
    colour: str
    score: str
    played: bool
    paired: bool


@dataclass
class Tournament:
    players: dict[int, tuple[int, list[Match]]] = field(default_factory=dict)
    """Points in tenths and matches, by number."""
    rounds: int | None = None
    points: dict[str, int] = field(
        default_factory=lambda: {"W": 10, "D": 5, "L": 0, "Z": 0, "F": 0, "U": 10}
    )


def demand(holds: object, what: str) -> None:
    if not holds:
        raise RefusedError(what)


def single(text: str) -> str:
    """`getSingleValue`: one word between blanks."""
    words = [word for word in text.split(" ") if word]
    demand(len(words) == 1, f"one value in {text!r}")
    return words[0]


def number(text: str) -> int:
    word = single(text)
    demand(re.fullmatch("[0-9]+", word) and int(word) > 0, f"a number above 0 in {text!r}")
    return int(word)


def score(text: str) -> int:
    """`readScore`: digits, and if wanted a point and up to one digit."""
    word = single(text)
    demand(re.fullmatch(r"[0-9]+(\.[0-9])?", word), f"points in {text!r}")
    return round(float(word) * 10)


def read(data: bytes, *, to_pair: bool = False) -> Tournament:
    """Read a file; to_pair: as to pair the next round, which needs the number of rounds."""
    found = Tournament()
    bye_said = False
    for line in re.split("[\r\n]", data.decode("utf-8")):
        code = line[:3]
        if code == "001":
            player(line, found)
        elif code in ("013", "310", "299"):
            raise RefusedError(f"{code} is not supported")
        elif code == "240":
            listed(line, 10, 11, (6, 9))
        elif code == "260":
            listed(line, 12, 18, (4, 7), (8, 11))
        elif code in ("142", "XXR"):
            found.rounds = number(line[3:])
        elif code == "152":
            demand(line in ("152 W", "152 B"), "a colour")
        elif code == "162":
            bye_said = symbols(line, found, bye_said=bye_said)
        elif re.fullmatch("BB[WDLZFU]", code):
            demand(len(line) >= 8, f"{code} has points")
            found.points[code[2]] = score(line[4:12])
            bye_said |= code == "BBU"
            if code == "BBW" and not bye_said:
                found.points["U"] = found.points["W"]
        elif code == "192":
            demand(re.fullmatch("FIDE_(DUTCH(_202[56])?|BURSTEIN)(_BAKU)?", line[4:]), "a system")
    agree(found, to_pair=to_pair)
    return found


def listed(line: str, start: int, least: int, *rounds: tuple[int, int]) -> None:
    """Rounds, and players to the end of the line."""
    demand(len(line) >= least, f"{line[:3]} has players")
    for first, last in rounds:
        number(line[first:last])
    while start <= len(line) - 4:
        number(line[start : start + 4])
        start += 5
    demand(not line[start:].strip(" "), "nothing behind the last player")


def symbols(line: str, found: Tournament, *, bye_said: bool) -> bool:
    demand(len(line) >= 10, "162 has a symbol")
    start = 5
    while start <= len(line) - 5:
        symbol, points = line[start], score(line[start + 1 : start + 5])
        demand(symbol in "WDLAP", f"symbol {symbol}")
        if symbol == "A":
            found.points |= {"Z": points, "F": points}
        else:
            found.points["U" if symbol == "P" else symbol] = points
        bye_said |= symbol == "P"
        if symbol == "W" and not bye_said:
            found.points["U"] = points
        start += 9
    demand(not line[start:].strip(" "), "nothing behind the last symbol")
    return bye_said


def player(line: str, found: Tournament) -> None:
    demand(len(line) >= 84, "a line 001 reaches the points")
    own = number(line[4:8])
    if line[48:52].strip(" "):
        demand(re.fullmatch("[0-9]+", single(line[48:52])), "a rating")
    points = score(line[80:84])
    matches: list[Match] = []
    skipped, start = 0, 91
    while start <= len(line) - 8:
        text = line[start : start + 8]
        if text[:4] == "    " and text[5] == " " and text[7] == " ":
            skipped += 1
        else:
            matches += [Match(own, " ", "L", played=False, paired=False)] * skipped
            skipped = 0
            matches.append(match(own, text))
        start += 10
    demand(not line[start:].strip(" "), "no half round at the end")
    demand(own not in found.players, "a number once")
    found.players[own] = points, matches


def match(own: int, text: str) -> Match:
    opponent = own if text[:4] in ("    ", "0000") else number(text[:4])
    demand(opponent != own or text[:4] in ("    ", "0000"), "another opponent")
    colour, result = text[5], text[7].upper()
    demand(colour in "wb- ", f"colour {colour}")
    demand(opponent != own or colour not in "wb", "no colour without opponent")
    outcome = {
        **dict.fromkeys("D=H", "D"),
        **dict.fromkeys("+W1FU", "W"),
        **dict.fromkeys("-L0Z ", "L"),
    }
    demand(result in outcome, f"result {result}")
    played = opponent != own and colour in "wb"
    if result in "+-HFUZ ":
        played = False
        demand(result in "+-" or opponent == own, "no bye with an opponent")
    else:
        demand(colour in "wb" or (result == "=" and opponent == own), "a game has a colour")
    return Match(opponent, colour, outcome[result], played, opponent != own or result in "U+")


def agree(found: Tournament, *, to_pair: bool) -> None:
    """`evenUpMatchHistories`, `validatePairConsistency` and `validateScores`."""
    demand(sorted(found.players) == list(range(1, len(found.players) + 1)), "no number is missing")
    paired = max(
        (
            index
            for _, matches in found.players.values()
            for index, each in enumerate(matches, 1)
            if each.paired or index < len(matches)
        ),
        default=0,
    )
    last = max((len(matches) for _, matches in found.players.values()), default=0)
    played = paired if to_pair else last
    demand(found.rounds or not to_pair, "the number of rounds")
    demand(not found.rounds or played <= found.rounds - to_pair, "not too many rounds")
    for own, (points, matches) in found.players.items():
        total = 0
        for index in range(played):
            each = (
                matches[index]
                if index < len(matches)
                else Match(own, " ", "L", played=False, paired=False)
            )
            total += worth(found, own, each)
            if each.played:
                theirs = found.players.get(each.opponent, (0, []))[1]
                demand(
                    index < len(theirs)
                    and theirs[index].played
                    and theirs[index].opponent == own
                    and theirs[index].colour != each.colour,
                    f"both sides of round {index + 1} of {own}",
                )
        beyond = matches[played : played + 1]
        total += sum(worth(found, own, each) for each in beyond)
        demand(total == points, f"the points of {own}: {total}, not {points}")


def worth(found: Tournament, own: int, each: Match) -> int:
    """`Tournament::getPoints`."""
    if each.score == "L":
        return found.points["Z" if not each.paired else "L" if each.played else "F"]
    if each.score == "W":
        return found.points["U" if each.opponent == own and each.paired else "W"]
    return found.points["D"]
