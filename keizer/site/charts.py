"""Charts as inline SVG: plain lines over the rounds.

A line is told apart by colour, dash and marker, and named at its end; colours
are in style.css. Coordinates are rounded, so a chart is the same on every machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

STYLES = 10
"""So many lines look different: five colours and markers, full and dashed."""

_LETTER = 0.58
"""Mean width of a letter, of the font size."""

Number = Callable[[float], str]


@dataclass(frozen=True)
class Line:
    """A line of a chart: the number after each round, round and number rising."""

    name: str
    points: Sequence[tuple[int, float]]
    label: str = ""
    """At its end; nothing where empty."""


@dataclass(frozen=True)
class Frame:
    """What stands around the lines."""

    key: str
    """Unique on its page."""
    title: str
    about: str
    """What a reader who cannot see it is told."""
    across: str
    up: str
    number: Number
    width: int = 400
    height: int = 250
    font: int = 12
    label_letters: int = 8
    """Room for the labels at line ends."""
    downwards: bool = False
    """Ranks: 1 is on top."""


def steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers for an axis: at most so many of them, by ones, twos and fives."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            wide = step * factor
            first = -(-low // wide)
            found = [wide * at for at in range(int(first), int(high // wide) + 1)]
            if len(found) <= most:
                return found
        step *= 10


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels near those wanted, in their order, no two nearer than gap."""
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    placed = [0.0] * len(wanted)
    least = low
    for at in order:
        placed[at] = least = max(wanted[at], least)
        least += gap
    most = high
    for at in reversed(order):
        placed[at] = most = min(placed[at], most)
        most -= gap
    return placed


class _Scale:
    """From rounds and numbers to places on the page."""

    def __init__(self, frame: Frame, lines: Sequence[Line]) -> None:
        rounds = [at for line in lines for at, _ in line.points]
        numbers = [number for line in lines for _, number in line.points]
        self.first, self.last = min(rounds), max(rounds)
        lowest, highest = min(numbers), max(numbers)
        if frame.downwards:
            self.ticks = _ranks(int(highest))
            self.low, self.high = 1.0, max(highest, 2.0)
        else:
            self.ticks = steps(min(lowest, 0), max(highest, 1), 6)
            self.low, self.high = min(lowest, 0), max(highest, 1)
        letters = max(len(frame.number(tick)) for tick in self.ticks)
        self.left = frame.font * (0.8 + _LETTER * letters)
        self.right = frame.width - frame.font * (1.6 + _LETTER * frame.label_letters)
        # The first markers keep clear of the numbers.
        self.inset = frame.font * 0.6
        self.top = frame.font * 2.2
        self.bottom = frame.height - frame.font * 3.2
        self.downwards = frame.downwards

    def x(self, number: float) -> float:
        share = (number - self.first) / max(self.last - self.first, 1)
        return self.left + self.inset + share * (self.right - self.left - self.inset)

    def y(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low)
        return (
            self.top + share * (self.bottom - self.top)
            if self.downwards
            else self.bottom - share * (self.bottom - self.top)
        )


def _ranks(last: int) -> list[float]:
    """Ticks of a rank axis: 1, fives or tens, and the last."""
    wide = next(step for step in (1, 2, 5, 10, 20, 50, 100, 500) if last / step <= 8)  # noqa: PLR2004
    between = [at for at in range(wide, last, wide) if at > 1 and last - at >= wide * 0.6]
    return [1.0, *map(float, between), *([float(last)] if last > 1 else [])]


def lines_over_rounds(frame: Frame, lines: Sequence[Line]) -> Markup:
    """A chart of some lines; nothing without two rounds to connect."""
    lines = [line for line in lines if line.points]
    if not lines or len({at for line in lines for at, _ in line.points}) < 2:  # noqa: PLR2004
        return Markup()
    scale = _Scale(frame, lines)
    ends = spread(
        [scale.y(line.points[-1][1]) for line in lines],
        frame.font * 1.15,
        scale.top,
        scale.bottom,
    )
    parts = [*_axes(frame, scale)]
    for at, (line, end) in enumerate(zip(lines, ends, strict=True)):
        parts += _line(frame, scale, line, at % STYLES, end)
    key = escape(frame.key)
    return Markup(  # noqa: S704  # every text in it is escaped above or here
        f'<svg class="chart" role="img" viewBox="0 0 {frame.width} {frame.height}"'
        f' font-size="{frame.font}" aria-labelledby="{key}-title {key}-about">'
        f'<title id="{key}-title">{escape(frame.title)}</title>'
        f'<desc id="{key}-about">{escape(frame.about)}</desc>{"".join(parts)}</svg>'
    )


@dataclass(frozen=True)
class Share:
    """A part of a bar."""

    css: str
    name: str
    count: int


def shares(title: str, parts: Sequence[Share]) -> Markup:
    """A bar of shares, each with its name and number below; nothing where there is none."""
    whole = sum(part.count for part in parts)
    if not whole:
        return Markup()
    width, font = 400, 12
    said = ", ".join(f"{part.name}: {part.count}" for part in parts)
    drawn, left = [], 0.5
    for at, part in enumerate(parts):
        wide = (width - 1) * part.count / whole
        anchor, x = (("start", 0), ("middle", width / 2), ("end", width))[at]
        drawn.append(
            f'<rect class="share {part.css}" x="{_at(left)}" y="0.5"'
            f' width="{_at(wide)}" height="22"/>'
            f'<text class="label" text-anchor="{anchor}" x="{_at(x)}" y="{font * 3.3:.1f}">'
            f"{escape(part.name)}: {part.count}</text>"
        )
        left += wide
    return Markup(  # noqa: S704  # every text in it is escaped above or here
        f'<svg class="chart shares" role="img" viewBox="0 0 {width} 44" font-size="{font}"'
        f' aria-labelledby="shares-title shares-about"><title id="shares-title">{escape(title)}'
        f'</title><desc id="shares-about">{escape(said)}</desc>{"".join(drawn)}</svg>'
    )


def _at(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _axes(frame: Frame, scale: _Scale) -> list[str]:
    """Grid, ticks and the names of both axes."""
    low = scale.bottom + frame.font * 0.5
    parts = []
    for tick in scale.ticks:
        y = scale.y(tick)
        parts.append(
            f'<line class="grid" x1="{_at(scale.left)}" x2="{_at(scale.right)}"'
            f' y1="{_at(y)}" y2="{_at(y)}"/>'
            f'<text class="tick" text-anchor="end" x="{_at(scale.left - frame.font * 0.4)}"'
            f' y="{_at(y + frame.font * 0.35)}">{escape(frame.number(tick))}</text>'
        )
    fits = max(2, int((scale.right - scale.left) / (frame.font * 2.4)))
    for tick in steps(scale.first, scale.last, fits):
        x = scale.x(tick)
        parts.append(
            f'<line class="axis" x1="{_at(x)}" x2="{_at(x)}" y1="{_at(low)}"'
            f' y2="{_at(low + frame.font * 0.3)}"/>'
            f'<text class="tick" text-anchor="middle" x="{_at(x)}"'
            f' y="{_at(low + frame.font * 1.3)}">{tick:g}</text>'
        )
    parts.append(
        f'<line class="axis" x1="{_at(scale.left)}" x2="{_at(scale.right)}"'
        f' y1="{_at(low)}" y2="{_at(low)}"/>'
        f'<text class="name" x="{_at(frame.font * 0.2)}" y="{_at(frame.font)}">'
        f"{escape(frame.up)}</text>"
        f'<text class="name" text-anchor="end" x="{_at(scale.right)}"'
        f' y="{_at(frame.height - frame.font * 0.2)}">{escape(frame.across)}</text>'
    )
    return parts


def _line(frame: Frame, scale: _Scale, line: Line, style: int, end: float) -> list[str]:
    """A line, its markers, and its label."""
    places = [(scale.x(at), scale.y(number)) for at, number in line.points]
    pens = ["M"]
    for (before, _), (after, _) in pairwise(line.points):
        # Who was out of the list for some rounds has a gap there.
        pens.append("L" if after - before == 1 else "M")
    path = "".join(f"{pen}{_at(x)} {_at(y)}" for pen, (x, y) in zip(pens, places, strict=True))
    every = max(1, round(len(places) / 8))
    marked = [*places[-1::-every], places[0]]
    shapes = "".join(_marker(style % 5, x, y, frame.font * 0.32) for x, y in marked)
    parts = [
        f'<g class="line s{style}">',
        f'<path class="stroke" d="{path}"/><path class="marker" d="{shapes}"/>',
    ]
    if line.label:
        x, y = places[-1]
        text = scale.right + frame.font * 1.5
        parts.append(
            f'<path class="leader" d="M{_at(x + frame.font * 0.4)} {_at(y)}'
            f'L{_at(text - frame.font * 0.2)} {_at(end)}"/>'
            f'<text class="label" x="{_at(text)}" y="{_at(end + frame.font * 0.35)}">'
            f"{escape(_cut(line.label, frame.label_letters))}</text>"
        )
    return [*parts, "</g>"]


def _marker(shape: int, x: float, y: float, size: float) -> str:
    """A circle, square, triangle, diamond or triangle upside down, as a path."""
    if shape == 0:
        half, whole = _at(size), _at(2 * round(size, 1))
        arc = f"a{half} {half} 0 0 0"
        return f"M{_at(x - size)} {_at(y)}{arc} {whole} 0{arc} -{whole} 0Z"
    corners = {
        1: ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
        2: ((0, -1.15), (1.1, 0.85), (-1.1, 0.85)),
        3: ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        4: ((0, 1.15), (1.1, -0.85), (-1.1, -0.85)),
    }[shape]
    return "M" + "L".join(f"{_at(x + size * a)} {_at(y + size * b)}" for a, b in corners) + "Z"


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"
