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

    def fit(self, name: str) -> str:
        """The class of a name by the size of its letters; an empty text for the usual one."""
        return f" long fit-{self._long(name)}" if len(name) > self.letters else ""

    def _long(self, name: str) -> int:
        """The size of letters for a long name, in hundredths."""
        room = 1.7 * _NAME_MM / (_LETTER * len(name))
        return round(100 * min(self.font, self.row / 2.2, room))

    def style(self, found: Row) -> str:
        """The style sheet of the sheet of a round."""
        seated = [*found["games"], *found["byes"]]
        names = [row[side] for row in seated for side in ("white", "black", "name") if side in row]
        long = sorted({self._long(name) for name in names if len(name) > self.letters})
        return "\n".join(
            (
                f".sheet {{ --row: {self.row}mm; --letters: {self.font}mm; }}",
                *(f".fit-{size} {{ --fit: {size / 100}mm; }}" for size in long),
            )
        )


def sizes(found: Row) -> Sizes:
    """Of the sheet of a round: its boards, byes and who is absent."""
    lines = len(found["games"]) + len(found["byes"])
    letters = sum(len(row["name"]) + 2 for row in found["absent"])
    room = _BOARDS_MM - 4.5 * -(-letters // 95)
    row = min(max(room / max(lines, 1), _LEAST), _MOST)
    longest = max(
        (len(game[side]) for game in found["games"] for side in ("white", "black")), default=1
    )
    font = min(0.6 * row, _NAME_MM / (_LETTER * min(longest, 24)))
    return Sizes(round(row, 2), round(font, 2), int(_NAME_MM / (_LETTER * font)))
