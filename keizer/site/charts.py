"""Charts as inline SVG: plain lines over the rounds.

A line is told apart by colour, dash and marker, and named at its end; colours
are in style.css. Coordinates are rounded, so a chart is the same on every machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

STYLES = 10
"""The number of lines that look different: five colours and markers, full and dashed."""

_LETTER = 0.58
"""Mean width of a letter, of the font size."""


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
    number: Callable[[float], str]
    width: int = 400
    height: int = 250
    font: int = 12
    label_letters: int = 8
    """Room for the labels at line ends."""
    downwards: bool = False
    """Ranks: 1 is on top."""


def steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers for an axis: at most `most` of them, by ones, twos and fives."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            wide = step * factor
            first = -(-low // wide)
            found = [wide * multiple for multiple in range(int(first), int(high // wide) + 1)]
            if len(found) <= most:
                return found
        step *= 10


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels near those wanted, in their order, no two nearer than gap."""
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    placed = [0.0] * len(wanted)
    least = low
    for index in order:
        placed[index] = least = max(wanted[index], least)
        least += gap
    most = high
    for index in reversed(order):
        placed[index] = most = min(placed[index], most)
        most -= gap
    return placed


class _Scale:
    """From rounds and numbers to places on the page."""

    def __init__(self, frame: Frame, lines: Sequence[Line]) -> None:
        rounds = [number for line in lines for number, _ in line.points]
        numbers = [number for line in lines for _, number in line.points]
        self.first, self.last = min(rounds), max(rounds)
        if frame.downwards:
            self.low, self.high = 1.0, max(*numbers, 2.0)
            self.ticks = _ranks(int(max(numbers)))
        else:
            self.low, self.high = min(*numbers, 0), max(*numbers, 1)
            self.ticks = steps(self.low, self.high, 6)
        letters = max(len(frame.number(tick)) for tick in self.ticks)
        self.left = frame.font * (0.8 + _LETTER * letters)
        self.right = frame.width - frame.font * (1.6 + _LETTER * frame.label_letters)
        # The first markers keep clear of the numbers.
        self.inset = frame.font * 0.6
        self.top = frame.font * 2.2
        self.bottom = frame.height - frame.font * 3.2
        ends = (self.top, self.bottom)
        self.from_y, self.to_y = ends if frame.downwards else ends[::-1]

    def x(self, number: float) -> float:
        share = (number - self.first) / max(self.last - self.first, 1)
        return self.left + self.inset + share * (self.right - self.left - self.inset)

    def y(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low)
        return self.from_y + share * (self.to_y - self.from_y)


def _ranks(last: int) -> list[float]:
    """Ticks of a rank axis: 1, fives or tens, and the last."""
    wide = next(step for step in (1, 2, 5, 10, 20, 50, 100, 500) if last / step <= 8)  # noqa: PLR2004
    between = [
        number for number in range(wide, last, wide) if number > 1 and last - number >= wide * 0.6
    ]
    return [1.0, *map(float, between), *([float(last)] if last > 1 else [])]


def lines_over_rounds(frame: Frame, lines: Sequence[Line]) -> Markup:
    """A chart of some lines; nothing without two rounds to connect."""
    lines = [line for line in lines if line.points]
    if len({number for line in lines for number, _ in line.points}) < 2:  # noqa: PLR2004
        return Markup()
    scale = _Scale(frame, lines)
    wanted = [scale.y(line.points[-1][1]) for line in lines]
    ends = spread(wanted, frame.font * 1.15, scale.top, scale.bottom)
    drawn = _axes(frame, scale)
    for index, (line, end) in enumerate(zip(lines, ends, strict=True)):
        drawn += _line(frame, scale, line, index % STYLES, end)
    key = escape(frame.key)
    return Markup(  # noqa: S704  # every text in it is escaped here or in _text
        f'<svg class="chart" role="img" viewBox="0 0 {frame.width} {frame.height}"'
        f' font-size="{frame.font}" aria-labelledby="{key}-title {key}-about">'
        f'<title id="{key}-title">{escape(frame.title)}</title>'
        f'<desc id="{key}-about">{escape(frame.about)}</desc>{"".join(drawn)}</svg>'
    )


def _at(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _element(tag: str, css: str, **values: float | str) -> str:
    said = (
        f' {name}="{value if isinstance(value, str) else _at(value)}"'
        for name, value in values.items()
    )
    return f'<{tag} class="{css}"{"".join(said)}/>'


def _text(css: str, x: float, y: float, text: str, anchor: str = "") -> str:
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{css}"{anchored} x="{_at(x)}" y="{_at(y)}">{escape(text)}</text>'


def _axes(frame: Frame, scale: _Scale) -> list[str]:
    """Grid, ticks and the names of both axes."""
    font, left, right = frame.font, scale.left, scale.right
    low = scale.bottom + font * 0.5
    parts = []
    for tick in scale.ticks:
        y = scale.y(tick)
        parts += [
            _element("line", "grid", x1=left, x2=right, y1=y, y2=y),
            _text("tick", left - font * 0.4, y + font * 0.35, frame.number(tick), "end"),
        ]
    fits = max(2, int((right - left) / (font * 2.4)))
    for tick in steps(scale.first, scale.last, fits):
        x = scale.x(tick)
        parts += [
            _element("line", "axis", x1=x, x2=x, y1=low, y2=low + font * 0.3),
            _text("tick", x, low + font * 1.3, f"{tick:g}", "middle"),
        ]
    return [
        *parts,
        _element("line", "axis", x1=left, x2=right, y1=low, y2=low),
        _text("name", font * 0.2, font, frame.up),
        _text("name", right, frame.height - font * 0.2, frame.across, "end"),
    ]


def _line(frame: Frame, scale: _Scale, line: Line, style: int, end: float) -> list[str]:
    """A line, its markers, and its label."""
    places = [(scale.x(when), scale.y(number)) for when, number in line.points]
    pens = ["M"]
    for (before, _), (after, _) in pairwise(line.points):
        # Who was out of the list for some rounds has a gap there.
        pens.append("L" if after - before == 1 else "M")
    stroke = "".join(f"{pen}{_at(x)} {_at(y)}" for pen, (x, y) in zip(pens, places, strict=True))
    every = max(1, round(len(places) / 8))
    marked = [*places[-1::-every], places[0]]
    markers = "".join(_marker(style % 5, x, y, frame.font * 0.32) for x, y in marked)
    parts = [_element("path", "stroke", d=stroke), _element("path", "marker", d=markers)]
    if line.label:
        x, y = places[-1]
        text = scale.right + frame.font * 1.5
        start = f"M{_at(x + frame.font * 0.4)} {_at(y)}"
        leader = f"{start}L{_at(text - frame.font * 0.2)} {_at(end)}"
        label = _cut(line.label, frame.label_letters)
        parts.append(_element("path", "leader", d=leader))
        parts.append(_text("label", text, end + frame.font * 0.35, label))
    return [f'<g class="line s{style}">', *parts, "</g>"]


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
