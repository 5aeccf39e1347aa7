"""A second, independent reader of report files, and files as programs write them.

`meaning` computes what a file says of people and rounds, or None if two of its lines
contradict each other. It slices columns by FIDE's tables (TRF16 and TRF26, where
they are counted from 1) and shares nothing with keizer's reader. Slow and plain: it
reads everything first, and only then looks whether it agrees.
"""

import random
import re
from datetime import date
from typing import NamedTuple

Outcomes = dict[tuple[int, int], tuple[int, str, str]]
"""By round and player: the opponent (0: none), colour and result."""

Cells = dict[int, list[str]]
"""By player: the columns of each round as a program writes them."""

SPANS = (
    (9, 10),
    (10, 13),
    (14, 47),
    (48, 52),
    (53, 56),
    (57, 68),
    (69, 79),
    (80, 84),
    (85, 89),
)
"""The columns of a player's line, from 0: sex, title, name, ... as in `Meaning`."""
RESULTS = {"01", "==", "00", "LW", "DD", "LL", "+-", "--", "  "}
"""The two results that a game can have, in the order of the signs."""
SYMBOL = r"([WDLAPZ]) *([\d.]+)"
SYMBOLS = {"W": "W", "+": "W", "F": "W", "D": "D", "H": "D", "L": "L", "U": "P"}
"""By result: the symbol of line 162 that says its points."""


class Meaning(NamedTuple):
    """What a tournament report says of people and rounds."""

    players: dict[int, tuple[str, ...]]
    """sex, title, name, rating, federation, FIDE number, birth, points, rank."""
    games: frozenset[tuple[int, int, int, str, str]]
    """Round, White, Black, both results; without colours the lower number first."""
    byes: frozenset[tuple[int, int, str]]
    """Round, player and result."""


def decoded(data: bytes) -> list[str]:
    """Return the lines of a file, which is in UTF-8 or else in cp1252."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    return re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))


def meaning(data: bytes) -> Meaning | None:
    """Return the meaning of a file, None if its lines contradict each other."""
    players: dict[int, tuple[str, ...]] = {}
    outcomes: Outcomes = {}
    other_lines = []
    for untrimmed in decoded(data):
        line = untrimmed.rstrip(" \t")
        if line[:3] != "001":
            other_lines.append(line)
            continue
        number = int(line[4:8])
        if number in players:
            return None
        players[number] = player_fields(line)
        outcomes |= rounds_of(number, line)
    has_teams = any(line[:3] in ("013", "310") for line in other_lines)
    if not agree(outcomes, teams=has_teams):
        return None
    if not add_up(players, outcomes, other_lines):
        return None
    games = set()
    byes = set()
    for (played_in, number), (opponent, colour, result) in outcomes.items():
        if not opponent:
            byes.add((played_in, number, result))
        elif colour == "w" or (colour == "-" and number < opponent):
            _, _, opponents_result = outcomes[played_in, opponent]
            games.add((played_in, number, opponent, result, opponents_result))
    return Meaning(players, frozenset(games), frozenset(byes))


def rounds_of(number: int, line: str) -> Outcomes:
    """Return the rounds of a player's line; blank ones are none."""
    outcomes = {}
    for index, start in enumerate(range(91, len(line), 10)):
        cell = line[start : start + 8].ljust(8)
        opponent = int(cell[0:4].strip(" ") or 0)
        colour = cell[5].lower().replace(" ", "-")
        result = cell[7].upper()
        if opponent or result != " ":
            outcomes[index + 1, number] = (opponent, colour, result)
    return outcomes


def player_fields(line: str) -> tuple[str, ...]:
    """Return the fields of a player; those that say nothing are empty."""
    sex, title, name, rating, federation, fide, born, points, rank = (
        line[first:last].strip(" ") for first, last in SPANS
    )
    sex = {"M": "m", "W": "w", "F": "w", "V": "w"}.get(sex.upper(), "")
    if not re.fullmatch("[A-Za-z]+", title):
        title = ""
    if not re.fullmatch("[A-Za-z]{3}", federation):
        federation = ""
    born = birth(born)
    return sex, title, name, rating, federation, fide, born, points, rank


def birth(born: str) -> str:
    """Return a year or a date as it stands; nothing if it is none, or 1900-01-01.

    A month or day may be 0: unknown.
    """
    if re.fullmatch("[12][0-9]{3}", born):
        return born
    if re.fullmatch("1900.01.01", born):
        return ""
    year_first = r"([12][0-9]{3})([-./]) ?([0-9]{1,2})\2 ?([0-9]{1,4})"
    day_first = r"([0-9]{1,3})([-./]) ?([0-9]{1,2})\2 ?([12][0-9]{3})"
    if parts := re.fullmatch(year_first, born):
        year, _, month, day = parts.groups()
    elif parts := re.fullmatch(day_first, born):
        day, _, month, year = parts.groups()
    else:
        return ""
    try:
        date(int(year), int(month) or 1, int(day) or 1)
    except ValueError:
        return ""
    return born


def agree(outcomes: Outcomes, *, teams: bool) -> bool:
    """Return whether both sides of each game agree, and one player at most has the bye.

    With teams, a whole team has it.
    """
    rounds_with_bye = []
    for (played_in, number), (opponent, colour, result) in outcomes.items():
        if not opponent:
            if colour != "-" or result not in "UFHZ+-=":
                return False
            if result == "U":
                rounds_with_bye.append(played_in)
            continue
        if opponent == number or (played_in, opponent) not in outcomes:
            return False
        back, other_colour, other_result = outcomes[played_in, opponent]
        if back != number or colour + other_colour not in ("wb", "bw", "--"):
            return False
        if "".join(sorted(result + other_result)) not in RESULTS:
            return False
    return teams or len(rounds_with_bye) == len(set(rounds_with_bye))


def worth(lines: list[str]) -> dict[str, float]:
    """Return the points of each symbol.

    They are 1, a half and 0, or those of a line 162 (W, D, L, A, P, Z) or XXS (such as
    W=3 D=1 PAB=2).
    """
    points = {"W": 1.0, "D": 0.5, "L": 0.0, "A": 0.0, "P": 1.0}
    for line in lines:
        if line.startswith("162 "):
            stated = {symbol: float(text) for symbol, text in re.findall(SYMBOL, line)}
            points["P"] = stated.get("W", 1.0)
            points |= stated
        if line.startswith(("XXS ", "XXS\t")):
            for word, text in re.findall(r"(W|D|PAB)=([\d.]+)", line):
                points[word[0]] = float(text)
    return points


def points_of_round(points: dict[str, float], opponent: int, result: str) -> float:
    """Return what a round brings, by the points of each symbol."""
    kind = {"1": "W", "=": "D", "0": "L", " ": "Z"}.get(result, result)
    if kind in SYMBOLS and (opponent or kind != "L"):
        return points[SYMBOLS[kind]]
    if kind == "Z" and "Z" in points:
        return points["Z"]
    return points["A"]


def add_up(
    players: dict[int, tuple[str, ...]], outcomes: Outcomes, lines: list[str]
) -> bool:
    """Return whether each player's points are those of their rounds.

    An open game may count as a draw already.
    """
    points = worth(lines)
    last = max((played_in for played_in, _ in outcomes), default=0)
    for number, fields in players.items():
        total = 0.0
        open_games = 0
        for played_in in range(1, last + 1):
            opponent, _, result = outcomes.get((played_in, number), (0, "-", " "))
            total += points_of_round(points, opponent, result)
            if opponent and result == " ":
                open_games += 1
        stated = float(fields[7] or total)
        sums = [total + drawn * points["D"] for drawn in range(open_games + 1)]
        if all(abs(stated - possible) > 0.01 for possible in sums):
            return False
    return True


# ---------------------------------------------------------------- files to read

FIRST = ["Zoë", "Jan", "Marie-Claire", "O.", "Ludo", "Ana María"]
LAST = ["Jansen", "van der Berg", "Müller", "O'Neil", "Šarić", "Nguyen", "Smith"]
WINS = {"1": 1, "+": 1, "W": 1, "=": 0.5, "D": 0.5, "H": 0.5, "F": 1}
"""What each result is of a win."""
TWO_RESULTS = [*zip("10=1=+--WD0HZ", "01=0=-+-LD0ZF", strict=True)]
"""Of White and of Black; H, Z and F are without an opponent."""


class Points(NamedTuple):
    """The points of a tournament."""

    win: float
    draw: float
    bye: float

    def of_result(self, result: str) -> float:
        if result == "U":
            return self.bye
        share = WINS.get(result, 0)
        if share == 0:
            return 0.0
        return self.win if share == 1 else self.draw


USUAL_POINTS = Points(1, 0.5, 1.0)


def tournament(rng: random.Random, *, encoding: str = "utf-8") -> bytes:
    """Return a Swiss as some program reports it: every style in use, at random."""
    count = rng.randint(3, 9)
    rounds = rng.randint(1, 6)
    points = rng.choice(
        [USUAL_POINTS, USUAL_POINTS, Points(3, 1, 3.0), Points(1, 0.5, 0.5)]
    )
    cells = _rounds(rng, count, rounds)
    totals = {
        number: sum(points.of_result(cell[-1]) for cell in row)
        for number, row in cells.items()
    }
    best_first = sorted(cells, key=lambda number: -totals[number])
    lines = _heading(rng, count, rounds, points)
    for number, row in cells.items():
        rank = best_first.index(number) + 1
        line = _player(rng, number, totals[number], rank)
        lines.append(line + "".join(row) + rng.choice(["", "  "]))
    if rng.random() < 0.3:
        # a national line repeats a player, with a rating of its own
        number = rng.randint(1, count)
        lines.append(f"NED {number:4}      {'Nationaal, Speler':33} 1500")
    if rng.random() < 0.3:
        tens = "".join(f"{ten:10}" for ten in range(1, 17))
        lines[-count:-count] = [tens, "1234567890" * 16, "DDD SSSS sTTT NNNNNNN"]
    end = rng.choice(["\r", "\n", "\r\n"])
    text = end.join(lines) + rng.choice(["", end])
    return text.encode(encoding, "replace")


def _rounds(rng: random.Random, count: int, rounds: int) -> Cells:
    """Return the rounds of each player: pairs by lot, and a bye if they are odd."""
    cells: Cells = {number: [] for number in range(1, count + 1)}
    for _ in range(rounds):
        free = rng.sample([*cells], count)
        if len(free) % 2:
            cells[free.pop()].append("  0000 - U")
        for white, black in zip(free[::2], free[1::2], strict=True):
            white_result, black_result = rng.choice(TWO_RESULTS)
            cells[white].append(_cell(black, "w", white_result))
            cells[black].append(_cell(white, "b", black_result))
    return cells


def _cell(opponent: int, colour: str, result: str) -> str:
    if result in "HZF":
        return f"  0000 - {result}"
    return f"  {opponent:4} {colour} {result}"


def _player(rng: random.Random, number: int, points: float, rank: int) -> str:
    """Return a player's line up to the rounds."""
    name = f"{rng.choice(LAST)}, {rng.choice(FIRST)}"
    rating = rng.choice(["", str(rng.randint(1000, 2800))])
    title = rng.choice(["", "", "GM", "WIM", "WGM"])
    federation, identity = rng.choice(
        [("", ""), ("NED", "1000016"), ("GER", "24611234")]
    )
    born = rng.choice(["", "1987/00/00", "2001/12/31"])
    sex = rng.choice("mwf ")
    return (
        f"001 {number:4} {sex}{title:>3} {name:33} {rating:>4}"
        f" {federation:3} {identity:>11} {born:10} {points:4.1f} {rank:4}"
    )


def _heading(rng: random.Random, count: int, rounds: int, points: Points) -> list[str]:
    """Return the lines of the tournament, in the style of TRF26 or with XXR and XXC."""
    dates = "  ".join(f"26/01/{day:02}" for day in range(1, rounds + 1))
    lines = ["012 Clubkampioenschap", "022 Delft", "032 NED", "092 Swiss"]
    lines += ["042 2026/01/09", "112 One, Deputy", "112 Another, Deputy"]
    optional = [f"062 {count}", "132".ljust(91) + dates]
    win, draw, bye = points
    coming = rounds + 1
    if rng.random() < 0.5:
        lines += [f"142 {coming}", "152 W", "192 FIDE_DUTCH"]
        if points != USUAL_POINTS:
            lines.append(f"162  W{win:4.1f}    D{draw:4.1f}    P{bye:4.1f}")
        optional.append(f"260 001 {rounds:03} 0001 0002")
        optional.append(f"240 H {coming:03} 0001 0003")
    else:
        lines += [f"XXR {coming}", "XXC rank white1", "### made by hand"]
        if points != USUAL_POINTS:
            lines.append(f"XXS W={win} D={draw} PAB={bye}")
    return lines + [line for line in optional if rng.random() < 0.5]
