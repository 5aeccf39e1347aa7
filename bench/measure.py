"""What the benches share: processor time, figures and tables in Markdown, bars."""

import gc
from collections.abc import Callable, Iterable, Sequence
from math import log2
from time import process_time
from typing import Any, NamedTuple

Work = Callable[[], Any]


def cpu(work: Work, *, least: int = 3, seconds: float = 0.1) -> float:
    """Processor time of the fastest of at least `least` runs that take `seconds` in all."""
    taken: list[float] = []
    gc.collect()
    gc.disable()
    try:
        while len(taken) < least or sum(taken) < seconds:
            start = process_time()
            work()
            taken.append(process_time() - start)
    finally:
        gc.enable()
    return min(taken)


def in_turn(works: Iterable[Work], *, turns: int = 10) -> list[float]:
    """Processor time of the fastest run of each.

    They take turns, so that what slows the machine down for a while meets them all.
    """
    each = list(works)
    fastest = [float("inf")] * len(each)
    for _ in range(turns):
        for index, work in enumerate(each):
            fastest[index] = min(fastest[index], cpu(work, least=1, seconds=0.02))
    return fastest


def agree(one: object, other: object) -> None:
    """Whoever is compared must have found the same."""
    if one != other:
        raise RuntimeError(f"not the same: {one} and {other}")


def doublings(sizes: Sequence[float], times: Sequence[float]) -> list[float]:
    """From one size to the next, by how much the time grows while the size doubles."""
    steps = zip(sizes, sizes[1:], times, times[1:], strict=False)
    return [
        (now / before) ** (1 / log2(many / few)) for few, many, before, now in steps
    ]


def figure(number: float, digits: int = 2) -> str:
    """A figure with its significant digits, with a point or with commas."""
    rounded = float(f"{number:.{digits}g}")
    whole = len(f"{abs(rounded):.0f}") if abs(rounded) >= 1 else 0
    if whole == 0:
        return f"{rounded:.{digits}g}"
    return f"{rounded:,.{max(0, digits - whole)}f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; figures to the right."""
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


class Bar(NamedTuple):
    """What is promised, and what was reached."""

    claim: str
    limit: float
    reached: float
    unit: str = "x"
    at_least: bool = False

    def row(self) -> list[str]:
        """For a table: claim, bar, reached, whether it holds."""
        above, below = self.reached >= self.limit, self.reached <= self.limit
        return [
            self.claim,
            f"{'at least' if self.at_least else 'at most'} {self.limit:,g} {self.unit}",
            f"{figure(self.reached, 3)} {self.unit}",
            "yes" if (above if self.at_least else below) else "**no**",
        ]


class Part(NamedTuple):
    """What one part of the bench found: text in Markdown, and what was promised."""

    text: str
    bars: list[Bar]


def bars(found: Iterable[Bar]) -> str:
    """A table of them."""
    return table(["", "bar", "reached", "holds"], (bar.row() for bar in found))
