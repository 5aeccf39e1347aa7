"""A second, slow reader of tournament report files, and files as programs write them.

It slices columns by FIDE's tables (TRF16 and TRF26, counted from 1 there) and
shares nothing with the package. What it makes of a file is what the file means,
or None where two lines contradict each other.
"""

import random
import re
from contextlib import suppress
from datetime import date
from typing import NamedTuple

Says = dict[tuple[int, int], tuple[int, str, str]]
"""By round and player: the opponent, colour and result."""

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
RESULTS = {"01", "==", "00", "LW", "DD", "LL", "+-", "--", "  "}
"""What two players can have of one game, in the order of the signs."""
SYMBOL = r"([WDLAPZ]) *([\d.]+)"
SYMBOLS = {"W": "W", "+": "W", "F": "W", "D": "D", "H": "D", "L": "L", "U": "P"}


class Meaning(NamedTuple):
    """What a tournament report says of people and rounds."""

    players: dict[int, tuple[str, ...]]
    """sex, title, name, rating, federation, FIDE number, birth, points, rank."""
    games: frozenset[tuple[int, int, int, str, str]]
    """Round, White, Black, and the result of each; of a forfeit without colours, sorted."""
    byes: frozenset[tuple[int, int, str]]


def decoded(data: bytes) -> list[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    return re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))


def meaning(data: bytes) -> Meaning | None:
    players: dict[int, tuple[str, ...]] = {}
    says: Says = {}
    rest = []
    for line in (each.rstrip(" \t") for each in decoded(data)):
        if line[:3] != "001":
            rest += [line] if line else []
            continue
        number = int(line[4:8])
        if number in players:
            return None
        players[number] = told(*(line[first:last].strip(" ") for first, last in SPANS))
        for start in range(91, len(line), 10):
            cell = line[start : start + 8].ljust(8)
            opponent, result = int(cell[0:4].strip(" ") or 0), cell[7].upper()
            if opponent or result != " ":
                says[start // 10 - 8, number] = (
                    opponent,
                    cell[5].lower().replace(" ", "-"),
                    result,
                )
    teams = any(line[:3] in ("013", "310") for line in rest)
    if not agree(says, teams=teams) or not add_up(players, says, rest):
        return None
    games = {
        (played_in, number, opponent, result, says[played_in, opponent][2])
        for (played_in, number), (opponent, colour, result) in says.items()
        if opponent and (colour == "w" or (colour == "-" and number < opponent))
    }
    byes = {
        (*key, result) for key, (opponent, _, result) in says.items() if not opponent
    }
    return Meaning(players, frozenset(games), frozenset(byes))


def told(
    sex: str,
    title: str,
    name: str,
    rating: str,
    federation: str,
    fide: str,
    born: str,
    *more: str,
) -> tuple[str, ...]:
    """The fields of a player, without those that say nothing."""
    sex = {"M": "m", "W": "w", "F": "w", "V": "w"}.get(sex.upper(), "")
    title = title if re.fullmatch("[A-Za-z]+", title) else ""
    federation = federation if re.fullmatch("[A-Za-z]{3}", federation) else ""
    day = ""
    year = re.fullmatch("[12][0-9]{3}", born)
    parts = re.fullmatch(r"([12][0-9]{3})([-./]) ?([0-9]{1,2})\2 ?([0-9]{1,4})", born)
    other = re.fullmatch(r"([0-9]{1,3})([-./]) ?([0-9]{1,2})\2 ?([12][0-9]{3})", born)
    with suppress(ValueError):
        for found, order in ((parts, (1, 3, 4)), (other, (4, 3, 1))):
            if found and not day:
                year_of, month, day_of = (int(found[group]) for group in order)
                date(year_of, month or 1, day_of or 1)
                day = born
    day = born if year else "" if re.fullmatch(r"1900.01.01", day) else day
    return sex, title, name, rating, federation, fide, day, *more


def agree(says: Says, *, teams: bool) -> bool:
    """Whether both sides of each game say the same, and one player at most has the bye."""
    for (played_in, number), (opponent, colour, result) in says.items():
        theirs = says.get((played_in, opponent), (0, "", ""))
        if not opponent:
            right = colour == "-" and result in "UFHZ+-="
        else:
            right = opponent != number and theirs[0] == number
            right &= colour + theirs[1] in ("wb", "bw", "--")
            right &= "".join(sorted(result + theirs[2])) in RESULTS
        if not right:
            return False
    byes = [
        played_in for (played_in, _), (_, _, result) in says.items() if result == "U"
    ]
    return teams or len(byes) == len(set(byes))


def worth(rest: list[str]) -> dict[str, float]:
    """Points as 1, a half and 0, or by a line 162 (W, D, L, A, P, Z) or XXS (W=3 D=1 PAB=2)."""
    found = {"W": 1.0, "D": 0.5, "L": 0.0, "A": 0.0, "P": 1.0}
    for line in rest:
        if line.startswith("162 "):
            said = {
                symbol: float(points) for symbol, points in re.findall(SYMBOL, line)
            }
            found |= {"P": said.get("W", 1.0)} | said
        if line.startswith(("XXS ", "XXS\t")):
            words = re.findall(r"(W|D|PAB)=([\d.]+)", line)
            found |= {word[0]: float(points) for word, points in words}
    return found


def add_up(players: dict[int, tuple[str, ...]], says: Says, rest: list[str]) -> bool:
    """Whether each player's points are those of their rounds; an open game may count as a draw."""
    brings = worth(rest)
    last = max((played_in for played_in, _ in says), default=0)
    for number, fields in players.items():
        total, open_games = 0.0, 0
        for played_in in range(1, last + 1):
            opponent, _, result = says.get((played_in, number), (0, "-", " "))
            kind = {"1": "W", "=": "D", "0": "L", " ": "Z"}.get(result, result)
            open_games += bool(opponent) and result == " "
            absent = brings.get("Z", brings["A"]) if result in " Z" else brings["A"]
            total += (
                brings[SYMBOLS[kind]]
                if kind in SYMBOLS and (opponent or kind != "L")
                else absent
            )
        said = float(fields[7] or total)
        sums = (total + games * brings["D"] for games in range(open_games + 1))
        if all(abs(said - possible) > 0.01 for possible in sums):
            return False
    return True


# ---------------------------------------------------------------- files to read

FIRST = ["Zoë", "Jan", "Marie-Claire", "O.", "Ludo", "Ana María"]
LAST = ["Jansen", "van der Berg", "Müller", "O'Neil", "Šarić", "Nguyen", "Smith"]
WINS = {"1": 1, "+": 1, "W": 1, "=": 0.5, "D": 0.5, "H": 0.5, "F": 1}


def tournament(rng: random.Random, *, encoding: str = "utf-8") -> bytes:
    """A Swiss as some program reports it: every style in use, at random."""
    count, rounds = rng.randint(3, 9), rng.randint(1, 6)
    worth = rng.choice([(1, 0.5, 1.0), (1, 0.5, 1.0), (3, 1, 3.0), (1, 0.5, 0.5)])
    brings = {
        result: {1: worth[0], 0.5: worth[1]}[share] for result, share in WINS.items()
    }
    brings["U"] = worth[2]
    cells: dict[int, list[str]] = {number: [] for number in range(1, count + 1)}
    for _ in range(rounds):
        free = rng.sample([*cells], count)
        if len(free) % 2:
            cells[free.pop()].append("  0000 - U")
        for white, black in zip(free[::2], free[1::2], strict=True):
            one, two = rng.choice([*zip("10=1=+--WD0HZ", "01=0=-+-LD0ZF", strict=True)])
            for number, opponent, colour, result in (
                (white, black, "w", one),
                (black, white, "b", two),
            ):
                met = f"{opponent:4} {colour}" if result not in "HZF" else "0000 -"
                cells[number].append(f"  {met} {result}")
    points = {
        number: sum(brings.get(cell[-1], 0.0) for cell in row)
        for number, row in cells.items()
    }
    ranks = {
        number: rank
        for rank, number in enumerate(sorted(cells, key=lambda n: -points[n]), 1)
    }
    lines = _heading(rng, count, rounds, worth)
    for number, row in cells.items():
        name = f"{rng.choice(LAST)}, {rng.choice(FIRST)}"
        rating = rng.choice(["", str(rng.randint(1000, 2800))])
        title = rng.choice(["", "", "GM", "WIM", "WGM"])
        federation, identity = rng.choice(
            [("", ""), ("NED", "1000016"), ("GER", "24611234")]
        )
        birth = rng.choice(["", "1987/00/00", "2001/12/31"])
        lines.append(
            f"001 {number:4} {rng.choice('mwf ')}{title:>3} {name:33} {rating:>4}"
            f" {federation:3} {identity:>11} {birth:10} {points[number]:4.1f} {ranks[number]:4}"
            + "".join(row)
            + rng.choice(["", "  "])
        )
    if rng.random() < 0.3:
        lines.append(
            f"NED {rng.randint(1, count):4}      {'Nationaal, Speler':33} 1500"
        )
    if rng.random() < 0.3:
        tens = "".join(f"{ten:10}" for ten in range(1, 17))
        lines[-count:-count] = [tens, "1234567890" * 16, "DDD SSSS sTTT NNNNNNN"]
    end = rng.choice(["\r", "\n", "\r\n"])
    return (end.join(lines) + rng.choice(["", end])).encode(encoding, "replace")


def _heading(
    rng: random.Random, count: int, rounds: int, worth: tuple[float, float, float]
) -> list[str]:
    lines = ["012 Clubkampioenschap", "022 Delft", "032 NED", "092 Swiss"]
    dates = [f"26/01/{day:02}" for day in range(1, rounds + 1)]
    lines += ["042 2026/01/09", "112 One, Deputy", "112 Another, Deputy"]
    now_and_then = [f"062 {count}", "132".ljust(91) + "  ".join(dates)]
    win, draw, bye = worth
    usual = worth == (1, 0.5, 1.0)
    if rng.random() < 0.5:
        lines += [f"142 {rounds + 1}", "152 W", "192 FIDE_DUTCH"]
        lines += [] if usual else [f"162  W{win:4.1f}    D{draw:4.1f}    P{bye:4.1f}"]
        now_and_then += [
            f"260 001 {rounds:03} 0001 0002",
            f"240 H {rounds + 1:03} 0001 0003",
        ]
    else:
        lines += [f"XXR {rounds + 1}", "XXC rank white1", "### made by hand"]
        lines += [] if usual else [f"XXS W={win} D={draw} PAB={bye}"]
    return lines + [line for line in now_and_then if rng.random() < 0.5]
