"""How large a wall sheet can be printed, that it fits one page."""

from dataclasses import dataclass

from keizer.season.views import Row

_BOARDS_MM = 234
"""Height there is for the boards on A4."""

_NAME_MM = 66
"""Width of a name."""

_LETTER = 0.58
"""Mean width of a letter, of its size."""

_LEAST, _MOST = 6.0, 14.0
"""Height of a row; with more than some 38 boards it takes a second page."""


@dataclass(frozen=True)
class Sizes:
    """Of a sheet, in millimetres."""

    row: float
    font: float
    letters: int
    """Names that are longer are set smaller, in two lines."""

    def long(self, name: str) -> float:
        """The size of letters for a long name."""
        return round(min(self.font, self.row / 2.2, 1.7 * _NAME_MM / (_LETTER * len(name))), 2)


def sizes(found: Row) -> Sizes:
    """Of the sheet of a round: its boards, byes and who is absent."""
    lines = len(found["games"]) + len(found["byes"])
    letters = sum(len(row["name"]) + 16 for row in found["absent"])
    room = _BOARDS_MM - 4.5 * -(-letters // 95)
    row = min(max(room / max(lines, 1), _LEAST), _MOST)
    longest = max(
        (len(game[side]) for game in found["games"] for side in ("white", "black")), default=1
    )
    font = min(0.6 * row, _NAME_MM / (_LETTER * min(longest, 24)))
    return Sizes(round(row, 2), round(font, 2), int(_NAME_MM / (_LETTER * font)))
