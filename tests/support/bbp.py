"""An independent model of the TRF reader of bbpPairings: would it take a file?

Written from `readFile` and the functions that it calls in src/fileformats/trf.cpp of
BieremaBoyzProgramming/bbpPairings (the reader of version 6), in their order: players,
byes, points, rounds, and then what has to agree. It is a model, not a copy. It says
no more than whether that program would take the file, of the lines that keizer
writes, and shares nothing with keizer's own writer. Columns are counted from 0 here,
as they are there; points are in tenths.
"""

import re
from typing import NamedTuple


class RefusedError(Exception):
    """bbpPairings would stop here."""


class Match(NamedTuple):
    """A round of one player, as `tournament::Match` has it."""

    opponent: int
    """The player's own number if there is none."""
    colour: str = " "
    score: str = "L"
    """W, D or L."""
    played: bool = False
    paired: bool = False


class Tournament:
    """All that a file says."""

    def __init__(self) -> None:
        self.players: dict[int, tuple[int, list[Match]]] = {}
        """Points and matches, by number."""
        self.rounds: int | None = None
        self.points = {"W": 10, "D": 5, "L": 0, "Z": 0, "F": 0, "U": 10}
        self.has_bye_points = False
        self.has_first_colour = False

    def brings(self, symbol: str, points: int) -> None:
        """Set the points of a symbol; a bye without its own has those of a win."""
        self.points[symbol] = points
        if symbol == "U":
            self.has_bye_points = True
        if symbol == "W" and not self.has_bye_points:
            self.points["U"] = points


def demand(holds: object, what: str) -> None:
    """Refuse the file unless this holds."""
    if not holds:
        raise RefusedError(what)


# ------------------------------------------------------------------ single values


def single(text: str, form: str, what: str) -> str:
    """Return the one word between blanks (`getSingleValue`)."""
    words = [word for word in text.split(" ") if word]
    demand(len(words) == 1 and re.fullmatch(form, words[0]), f"{what} in {text!r}")
    return words[0]


def number(text: str) -> int:
    return int(single(text, "0*[1-9][0-9]*", "a number above 0"))


def score(text: str) -> int:
    """Return points: digits, and perhaps a point and one more digit (`readScore`)."""
    points = single(text, r"[0-9]+(\.[0-9])?", "points")
    return round(float(points) * 10)


def cells(line: str, start: int, width: int, apart: int) -> list[str]:
    """Return what is repeated to the end of a line; only rounds may be missing."""
    code = line[:3]
    starts = range(start, len(line) - width + 1, apart)
    demand(starts or code == "001", f"{code} has something")
    end = start + apart * len(starts)
    demand(not line[end:].strip(" "), "nothing behind the last")
    return [line[first : first + width] for first in starts]


# ------------------------------------------------------------------------- lines


def read(data: bytes, *, to_pair: bool = False) -> Tournament:
    """Read a file, or refuse it.

    to_pair: as to pair the next round. That needs the number of rounds, and the first
    colour if no game has one.
    """
    tournament = Tournament()
    for line in re.split("[\r\n]", data.decode("utf-8")):
        read_line(line, tournament)
    agree(tournament, to_pair=to_pair)
    return tournament


def read_line(line: str, tournament: Tournament) -> None:
    """Read a line; of a code that is not here any content will do."""
    code = line[:3]
    if code == "001":
        player(line, tournament)
    elif code in ("013", "310", "299"):
        raise RefusedError(f"{code} is not supported")
    elif code == "240":
        number(line[6:9])
        for cell in cells(line, 10, 4, 5):
            number(cell)
    elif code in ("142", "XXR"):
        tournament.rounds = number(line[3:])
    elif code in ("152", "XXC"):
        demand(code == "XXC" or line in ("152 W", "152 B"), "a colour")
        if {"W", "B", "white1", "black1"} & set(line.split()):
            tournament.has_first_colour = True
    elif code == "162":
        for cell in cells(line, 5, 5, 9):
            demand(cell[0] in "WDLAP", f"symbol {cell[0]}")
            # A stands for absences of both sorts, P for the pairing-allocated bye
            for symbol in {"A": "ZF", "P": "U"}.get(cell[0], cell[0]):
                tournament.brings(symbol, score(cell[1:]))
    elif re.fullmatch("BB[WDLZFU]", code):
        demand(len(line) >= 8, f"{code} has points")
        tournament.brings(code[2], score(line[4:12]))
    elif code == "192":
        system = "FIDE_(DUTCH(_202[56])?|BURSTEIN)(_BAKU)?"
        demand(re.fullmatch(system, line[4:]), "a system")


def player(line: str, tournament: Tournament) -> None:
    """Read a player's line; rounds at the end that say nothing are left out."""
    demand(len(line) >= 84, "a line 001 reaches the points")
    own = number(line[4:8])
    rating = line[48:52]
    if rating.strip(" "):
        single(rating, "[0-9]+", "a rating")
    points = score(line[80:84])
    matches: list[Match] = []
    rounds = 0
    for cell in cells(line, 91, 8, 10):
        matches.append(match(own, cell))
        if cell[:4] != "    " or cell[5] != " " or cell[7] != " ":
            rounds = len(matches)
    demand(own not in tournament.players, "a number once")
    tournament.players[own] = points, matches[:rounds]


def match(own: int, text: str) -> Match:
    """Read a round of a player: columns 0 to 3 opponent, 5 colour, 7 result."""
    has_opponent = text[:4] not in ("    ", "0000")
    opponent = number(text[:4]) if has_opponent else own
    demand(opponent != own or not has_opponent, "another opponent")
    colour = text[5]
    result = text[7].upper()
    demand(colour in "wb- ", f"colour {colour}")
    demand(has_opponent or colour not in "wb", "no colour without opponent")
    demand(result in "D=H+W1FU-L0Z ", f"result {result}")
    if result in "+-HFUZ ":
        played = False
        demand(result in "+-" or not has_opponent, "no bye with an opponent")
    else:
        played = has_opponent and colour in "wb"
        is_half_point_bye = result == "=" and not has_opponent
        demand(colour in "wb" or is_half_point_bye, "a game has a colour")
    if result in "D=H":
        outcome = "D"
    elif result in "+W1FU":
        outcome = "W"
    else:
        outcome = "L"
    return Match(opponent, colour, outcome, played, has_opponent or result in "U+")


# --------------------------------------------------------------- what has to agree


def agree(tournament: Tournament, *, to_pair: bool) -> None:
    """Check what lines say together.

    `evenUpMatchHistories`, `validatePairConsistency` and `validateScores`.
    """
    count = len(tournament.players)
    numbers = sorted(tournament.players)
    demand(numbers == list(range(1, count + 1)), "no number is missing")
    histories = [matches for _, matches in tournament.players.values()]
    played = rounds_played(histories, to_pair=to_pair)
    demand(tournament.rounds or not to_pair, "the number of rounds")
    if to_pair and not tournament.has_first_colour:
        coloured = any(each.played for matches in histories for each in matches)
        demand(coloured, "the colour of the first player")
    if tournament.rounds:
        most = tournament.rounds - 1 if to_pair else tournament.rounds
        demand(played <= most, "not too many rounds")
    for own, (points, matches) in tournament.players.items():
        missing = [Match(own)] * (played - len(matches))
        # to pair, one more may be there: of a player who will not play in that round
        even = matches[: played + 1] + missing
        for index, each in enumerate(even[:played]):
            demand(
                is_consistent(tournament, own, index, each),
                f"both sides of round {index + 1} of {own}",
            )
        total = sum(worth(tournament, own, each) for each in even)
        demand(total == points, f"the points of {own}: {total}, not {points}")


def rounds_played(histories: list[list[Match]], *, to_pair: bool) -> int:
    """Return the last round of anybody; to pair, without a last one not paired."""
    rounds = 0
    for matches in filter(None, histories):
        is_ahead = to_pair and not matches[-1].paired
        rounds = max(rounds, len(matches) - is_ahead)
    return rounds


def is_consistent(tournament: Tournament, own: int, index: int, match: Match) -> bool:
    """Return whether the opponent has the same game with the other colour."""
    if not match.played:
        return True
    if match.opponent not in tournament.players:
        return False
    _, matches = tournament.players[match.opponent]
    if index >= len(matches) or not matches[index].played:
        return False
    other_colour = "b" if match.colour == "w" else "w"
    return (matches[index].opponent, matches[index].colour) == (own, other_colour)


def worth(tournament: Tournament, own: int, match: Match) -> int:
    """Return the points of a round (`Tournament::getPoints`)."""
    if match.score == "D":
        symbol = "D"
    elif match.score == "W":
        is_bye = match.opponent == own and match.paired
        symbol = "U" if is_bye else "W"
    elif not match.paired:
        symbol = "Z"
    else:
        symbol = "L" if match.played else "F"
    return tournament.points[symbol]
