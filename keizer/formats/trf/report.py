"""What a tournament report file (TRF) says, as plain data.

Points are whole tenths, as the format has one decimal. `line` is where a record
stood in the file that was read; it is for messages and does not count when two
reports are compared.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

TRF16: Final = 2016
TRF26: Final = 2026
Edition = Literal[2016, 2026]

HEADER_2016 = ("012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122")
"""Codes of the lines about the tournament that hold one text."""

HEADER_2026 = ("142", "152", "172", "182", "192", "202", "212", "222", "352", "362")
"""Those that TRF26 added."""

TEAM_LINES = ("013", "300", "310", "320", "330", "801", "802")
"""Lines about teams, kept as they are."""

RECORDS = frozenset(
    ("001", "132", "162", "240", "250", "260", "299", *HEADER_2016, *HEADER_2026, *TEAM_LINES)
)
"""The codes of both editions, national ratings apart."""

WON, DRAWN = "1W", "=D"
BYES = "UFHZ"


class Cell(NamedTuple):
    """One round of one player, from his side."""

    opponent: int = 0
    """His start number; 0 without one."""
    colour: str = "-"
    """w or b; - without one."""
    result: str = " "
    """1 = 0, W D L (under one move), + - (forfeit), U F H Z (byes) or blank."""


BLANK = Cell()
"""A round of which the file says nothing; it counts as Z."""


@dataclass(frozen=True)
class Player:
    """A line 001."""

    number: int
    name: str
    points: int
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: int | None = None
    born: str = ""
    rank: int | None = None
    rounds: tuple[Cell, ...] = ()
    """From round 1; none is blank at the end."""
    line: int = field(default=0, compare=False)

    def round(self, number: int) -> Cell:
        """His round of this number, blank where his line ends before."""
        return self.rounds[number - 1] if number <= len(self.rounds) else BLANK


@dataclass(frozen=True)
class Header:
    """A line about the tournament: 012 is its name, 022 the city, ..."""

    code: str
    value: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Symbols:
    """Line 162: what W, D, L, A, P and X bring, where it is not as usual."""

    points: tuple[tuple[str, int], ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Byes:
    """A line 240: who is known not to play in a round, and what for (F, H or Z)."""

    kind: str
    round: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Acceleration:
    """A line 250: points that count for the pairing only."""

    match_points: int | None
    points: int | None
    first_round: int
    last_round: int
    first: int
    last: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Prohibited:
    """A line 260: who must not meet in these rounds."""

    first_round: int
    last_round: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Abnormal:
    """A line 299: what a result brought some players, against the rule.

    Without a kind: points on top. round: 0 means every one.
    """

    kind: str
    match_points: int | None
    points: int | None
    round: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)


Record = Byes | Acceleration | Prohibited | Abnormal


@dataclass(frozen=True)
class Other:
    """A line that is kept as it is: teams, national ratings, XX codes, comments."""

    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Report:
    """A whole file."""

    header: tuple[Header, ...] = ()
    dates: tuple[str, ...] = ()
    """Of the rounds, from round 1, YY/MM/DD; an empty text where there is none."""
    symbols: Symbols | None = None
    players: tuple[Player, ...] = ()
    records: tuple[Record, ...] = ()
    other: tuple[Other, ...] = ()
    dates_line: int = field(default=0, compare=False)

    def values(self, code: str) -> list[str]:
        """What the header lines of this code say."""
        return [line.value for line in self.header if line.code == code]

    def has_teams(self) -> bool:
        """Whether records 240, 250, 260 and 299 are about teams."""
        return any(other.text[:3] in ("013", "310") for other in self.other)

    def rounds(self) -> int:
        """How many rounds the players' lines have."""
        return max((len(player.rounds) for player in self.players), default=0)
