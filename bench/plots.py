"""The plots of the page, as SVG that is the same for the same figures."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.measure import Curve, figure

INK = "#7d8590"
"""Reads on white and on black."""

COLOURS = {
    "keizer": "#2f81f7",
    "one revaluation": "#2f81f7",
    "one indexed pass": "#8b949e",
    "plain Python": "#3fb950",
    "the original": "#db6d28",
    "a corrected result of the last round": "#a371f7",
    "a corrected result of round 1": "#db61a2",
}
"""By how the name of a curve begins."""

_STYLE: Any = {
    "svg.hashsalt": "keizer",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "lines.linewidth": 2,
    "lines.markersize": 5,
    "legend.frameon": False,
}


def _colour(name: str) -> str:
    return next(colour for start, colour in COLOURS.items() if name.startswith(start))


@contextmanager
def _drawing(path: Path, width: float, height: float, columns: int = 1) -> Iterator[Any]:
    """Axes to draw on; the file is written after that."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    with mpl.rc_context(_STYLE):
        drawn, axes = plt.subplots(1, columns, figsize=(width, height), layout="constrained")
        try:
            yield axes
            drawn.savefig(path, format="svg", transparent=True, metadata={"Date": None})
        finally:
            plt.close(drawn)


def _logarithmic(axes: Any, curves: Mapping[str, Curve], *, across: str) -> None:
    """Both scales, with numbers as people write them."""
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_yscale("log")
    sizes = sorted({size for curve in curves.values() for size, _ in curve})
    axes.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda number, _: _plainly(number)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(across)
    axes.grid(visible=True, axis="y")
    axes.tick_params(which="both", length=0)


def _plainly(number: float) -> str:
    return f"{number:,.0f}" if number >= 1 else f"{number:g}"


def _draw(axes: Any, name: str, curve: Curve) -> None:
    dashed = "--" if name.endswith(("3.40.1", "pass")) else "-"
    axes.plot(*zip(*curve, strict=True), dashed, marker="o", color=_colour(name), label=name)


def players(path: Path, curves: Mapping[str, Curve], unit: str) -> None:
    """Everybody's growth with the players."""
    with _drawing(path, 7.6, 4.4) as axes:
        _logarithmic(axes, curves, across="players")
        for name, curve in curves.items():
            _draw(axes, name, curve)
            size, time = curve[-1]
            axes.annotate(
                name,
                (size, time),
                xytext=(8, 0),
                textcoords="offset points",
                va="center",
                color=_colour(name),
            )
        axes.margins(x=0.06)
        right = max(size for curve in curves.values() for size, _ in curve)
        axes.set_xlim(right=right * 8)
        axes.set_title(f"The next table: time, {unit} = 1")


def growth(path: Path, left: Mapping[str, Curve], right: Mapping[str, Curve]) -> None:
    """With the rounds, and with the tournaments in the file."""
    with _drawing(path, 7.6, 3.4, columns=2) as (rounds, tournaments):
        rounds.figure.get_layout_engine().set(wspace=0.08)
        _logarithmic(rounds, left, across="rounds")
        for name, curve in left.items():
            _draw(rounds, name, curve)
        rounds.set_title("A longer season")
        rounds.legend(loc="upper left", labelcolor="linecolor")
        _logarithmic(tournaments, right, across="tournaments in the file")
        for name, curve in right.items():
            _draw(tournaments, name, curve)
        tournaments.set_yscale("linear")
        tournaments.yaxis.set_major_formatter(lambda number, _: f"{number:.1f}")
        tournaments.set_ylim(0, max(1.4, 1.15 * max(y for it in right.values() for _, y in it)))
        tournaments.axhline(1.2, color=INK, linewidth=1, linestyle=":")
        tournaments.set_title("Other tournaments beside it; bar 1.2")
        tournaments.legend(loc="lower left", labelcolor="linecolor")


def commands(path: Path, found: Mapping[str, Curve]) -> None:
    """Whole commands, each with its bar."""
    with _drawing(path, 7.6, 0.5 + 0.42 * len(found)) as axes:
        for at, [(most, taken)] in enumerate(reversed([*found.values()])):
            over = most and taken > most
            axes.barh(at, taken, height=0.62, color="#db6d28" if over else "#2f81f7")
            inside = {"va": "center", "ha": "right", "color": "white", "weight": "bold"}
            axes.text(min(taken, most or taken) - 0.03, at, figure(taken, 3), **inside)
            if most:
                axes.plot([most, most], [at - 0.4, at + 0.4], color=INK, linewidth=2)
        axes.set_yticks(range(len(found)), [*found][::-1])
        axes.axvline(1, color=INK, linewidth=1, linestyle=":")
        axes.spines["left"].set_visible(False)
        axes.tick_params(length=0)
        axes.set_xlim(0)
        axes.set_title(
            "Whole commands: processor time, the imports alone = 1; each stroke is a bar"
        )
