"""What a tournament report file (TRF) says, as plain data.

Points are whole tenths, as the format has one decimal.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from keizer.formats.trf.columns import FORMAT, Line, Placed
from keizer.messages import Message, say

TRF16: Final = 2016
Edition = Literal[2016, 2026]

RECORDS = {code for kind in ("players", "teams") for code in FORMAT["records"][kind].split()}
"""The codes of both editions, national ratings apart."""

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


@dataclass(frozen=True)
class Player(Placed):
    """A line 001."""

    number: int
    name: str
    points: int | None
    """None where the file has none yet."""
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: int | None = None
    born: str = ""
    rank: int | None = None
    rounds: tuple[Cell, ...] = ()
    """From round 1."""

    def round(self, number: int) -> Cell:
        """Their round of this number, blank where their line ends before."""
        return self.rounds[number - 1] if number <= len(self.rounds) else BLANK


@dataclass(frozen=True)
class Bye(Placed):
    """Of a line 240: who is known not to play in a round to come, and F, H or Z for it."""

    kind: str
    round: int
    player: int


@dataclass
class Report:
    """A whole file."""

    players: list[Player] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)
    dates: dict[int, str] = field(default_factory=dict)
    """Of the rounds, YYYY-MM-DD."""
    tenths: dict[str, int] = field(default_factory=dict)
    """What rounds bring, in the words of XXS, where the file says it."""
    lines: dict[str, Line] = field(default_factory=dict)
    """The others by code: 012 is the name of the tournament, 022 the city, ..."""
    notes: list[Message] = field(default_factory=list)
    """What was left out, since it is not as it should be and no result hangs on it."""

    def rounds(self) -> int:
        """How many rounds the players' lines have."""
        return max((len(player.rounds) for player in self.players), default=0)

    def planned(self) -> list[tuple[Line, int]]:
        """How many rounds there are to be, and the line that says so."""
        lines = [self.lines[code] for code in ("142", "XXR") if code in self.lines]
        what = say("the number of rounds")
        return [(line, line.whole(what, line.value, 1, 999)) for line in lines]
