"""The charts of the site: lines over the rounds, each mark in its place; chart.html draws them.

A line is told apart by colour, dash and marker, and named at its end; colours are in style.css.
Coordinates are rounded, so a chart is the same on every machine.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from keizer.season.views import Row
from keizer.site.data import Season
from keizer.site.messages import Messages

_LETTER = 0.58
"""Mean width of a letter, of the font size."""


class _Line(NamedTuple):
    """The number after each round, round and number rising; label: at its end."""

    name: str
    points: Sequence[tuple[int, float]]
    label: str


def of_player(messages: Messages, progress: Sequence[Row]) -> list[dict[str, Any]]:
    """A player's rank and score over the rounds, each in a chart of its own."""
    drawn = []
    for column in ("rank", "score"):
        points = _points(progress, column)
        if points:
            label = messages.number(points[-1][1])
            line = _Line(progress[0]["name"], points, label)
            drawn.append(_chart(messages, column, [line], letters=max(3, len(label))))
    return [chart for chart in drawn if chart]


def of_season(messages: Messages, season: Season, first: Iterable[Row]) -> list[dict[str, Any]]:
    """The ranks of the first players over the rounds, for a wide and for a narrow screen."""
    lines = [
        _Line(past[0]["name"], _points(past, "rank"), f"{past[-1]['rank']} {past[0]['name']}")
        for past in (season.progress.get(row["player_id"], []) for row in first)
        if past
    ]
    return [
        _chart(messages, "wide", lines, width=760, height=440, font=13, letters=22),
        _chart(messages, "narrow", lines, width=360, height=440, letters=14),
    ]


def _points(progress: Iterable[Row], column: str) -> list[tuple[int, float]]:
    return [(row["round_number"], row[column]) for row in progress if row[column] is not None]


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


def _ranks(last: int) -> list[float]:
    """Ticks of a rank axis: 1, fives or tens, and the last."""
    wide = next(step for step in (1, 2, 5, 10, 20, 50, 100, 500) if last / step <= 8)  # noqa: PLR2004
    between = [
        number for number in range(wide, last, wide) if number > 1 and last - number >= wide * 0.6
    ]
    return [1.0, *map(float, between), *([float(last)] if last > 1 else [])]


def at(number: float) -> str:
    """A coordinate."""
    return f"{number:.1f}".removesuffix(".0")


def _chart(
    messages: Messages, key: str, lines: Sequence[_Line],
    *, width: int = 400, height: int = 250, font: int = 12, letters: int = 8,
) -> dict[str, Any]:  # fmt: skip
    """What chart.html draws; nothing without two rounds to connect. letters: of a label."""
    lines = [line for line in lines if line.points]
    rounds = [number for line in lines for number, _ in line.points]
    numbers = [number for line in lines for _, number in line.points]
    if len({*rounds}) < 2:  # noqa: PLR2004
        return {}
    ranks = key != "score"
    low, high = (1.0, max(*numbers, 2.0)) if ranks else (min(*numbers, 0), max(*numbers, 1))
    ticks = _ranks(int(max(numbers))) if ranks else steps(low, high, 6)
    left = font * (0.8 + _LETTER * max(len(messages.number(tick)) for tick in ticks))
    right = width - font * (1.6 + _LETTER * letters)
    top, bottom = font * 2.2, height - font * 3.2
    begins, last = min(rounds), max(rounds)
    inset = font * 0.6  # the first markers keep clear of the numbers
    ends = [line.points[-1][1] for line in lines]

    def x(number: float) -> float:
        share = (number - begins) / max(last - begins, 1)
        return left + inset + share * (right - left - inset)

    def y(number: float) -> float:
        share = (number - low) / (high - low)
        return top + share * (bottom - top) if ranks else bottom + share * (top - bottom)

    return {
        "key": f"chart-{key}", "ranks": ranks, "width": width, "height": height,
        "font": font, "letters": letters,
        "left": left, "right": right, "low": bottom + font * 0.5, "x": x, "y": y, "grid": ticks,
        "ticks": steps(begins, last, max(2, int((right - left) / (font * 2.4)))),
        "lines": [*zip(lines, spread([*map(y, ends)], font * 1.15, top, bottom), strict=True)],
    }  # fmt: skip
