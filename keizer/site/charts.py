"""Where the charts of the site have their marks; chart.html draws them."""

from collections.abc import Sequence


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


def at(number: float) -> str:
    """A coordinate."""
    return f"{number:.1f}".removesuffix(".0")
