"""What a tournament report file (TRF) says, as plain data.

Points are whole tenths, as the format has one decimal.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from keizer.formats.trf.columns import TEAM_MEMBERS, Line, Placed

TRF16: Final = 2016
Edition = Literal[2016, 2026]

TEAM_LINES = {"013", "300", "310", "320", "330", "801", "802"}
"""Lines about teams, kept as they are."""

RECORDS_2026 = {"142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250",
                "260", "299", "352", "362"}  # fmt: skip
"""What TRF26 added, teams apart."""

RECORDS = TEAM_LINES | RECORDS_2026 | {
    "001", "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132"
}  # fmt: skip
"""The codes of both editions, national ratings apart."""

WON, DRAWN = "1W", "=D"
BYES = "UFHZ"


class Cell(NamedTuple):
    """One round of one player, from their side."""

    opponent: int = 0
    """The player's start number; 0 without one."""
    colour: str = "-"
    """w or b; - without one."""
    result: str = " "
    """1 = 0, W D L (under one move), + - (forfeit), U F H Z (byes) or blank."""


BLANK = Cell()
"""A round of which the file says nothing; it counts as Z."""


def without_blanks(rounds: list[Cell]) -> tuple[Cell, ...]:
    """The rounds up to the last one that is not blank."""
    while rounds and rounds[-1] == BLANK:
        rounds.pop()
    return tuple(rounds)


@dataclass(frozen=True)
class Player(Placed):
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

    def round(self, number: int) -> Cell:
        """Their round of this number, blank where their line ends before."""
        return self.rounds[number - 1] if number <= len(self.rounds) else BLANK


@dataclass(frozen=True)
class Header(Placed):
    """A line about the tournament: 012 is its name, 022 the city, ..."""

    code: str
    value: str


@dataclass(frozen=True)
class Symbols(Placed):
    """Line 162: what W, D, L, A, P and X bring, where it is not as usual."""

    points: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Record(Placed):
    """A line 240, 250, 260 or 299.

    Byes to come, points for the pairing only, who must not meet, what a result brought.
    """

    code: str
    players: tuple[int, ...]
    """Start numbers, or those of teams; of 250 the first and the last."""
    round: int = 0
    """The first round it is about; 0, of 299 only: every one."""
    last_round: int = 0
    """Of 250 and 260."""
    kind: str = ""
    """Of 240 F, H or Z; of 299 the result, or blank: points on top."""
    match_points: int | None = None
    points: int | None = None


@dataclass(frozen=True)
class Report:
    """A whole file."""

    header: tuple[Header, ...] = ()
    dates: tuple[str, ...] = ()
    """Of the rounds, from round 1, YY/MM/DD; an empty text where there is none."""
    symbols: Symbols | None = None
    players: tuple[Player, ...] = ()
    records: tuple[Record, ...] = ()
    other: tuple[Line, ...] = ()
    """Lines that are kept as they are: teams, national ratings, XX codes, comments."""

    def of_players(self) -> tuple[Record, ...]:
        """The records, unless they are about teams."""
        teams = any(line.text[:3] in TEAM_MEMBERS for line in self.other)
        return () if teams else self.records

    def byes(self) -> Iterator[tuple[Record, int]]:
        """Who is known not to play, with the line 240 that says so."""
        for record in self.of_players():
            if record.code == "240":
                yield from ((record, number) for number in record.players)

    def rounds(self) -> int:
        """How many rounds the players' lines have."""
        return max((len(player.rounds) for player in self.players), default=0)
