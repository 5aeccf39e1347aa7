"""Revaluation, whole commands and opening, beside others and as a file grows.

python -m bench.performance prints all figures as tables in Markdown; --page FILE puts them
into the page, in place of its own.
"""

import argparse
import os
import platform
import re
from pathlib import Path

import click

from bench import opening, process, revaluation
from bench.measure import Part, bars


def measured() -> list[Part]:
    """Everything, in the order of the page; docs/performance.md names these sizes."""
    return [
        revaluation.beside(50, 30),
        revaluation.corrections(40, 33),
        revaluation.by_players((20, 50, 100, 200, 500, 1000, 2000), 30, unit=50),
        revaluation.by_rounds((10, 30, 100, 300), 50),
        revaluation.by_tournaments((1, 10, 100, 1000), 40, 10),
        process.commands([(40, 33, 30), (100, 33, 10), (1000, 33, 3)]),
        opening.opened(),
    ]


def tried() -> list[Part]:
    """Likewise in small sizes, for which the bars are not meant."""
    return [
        revaluation.beside(20, 10),
        revaluation.corrections(20, 12),
        revaluation.by_players((20, 40), 30, unit=20),
        revaluation.by_rounds((10, 20), 50),
        revaluation.by_tournaments((1, 10), 40, 10),
        process.commands([(40, 2, 1)]),
        opening.opened(),
    ]


def machine() -> str:
    """What it was measured with; not what the machine is called."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    engines = " and ".join(revaluation.ENGINES)
    return f"{python} with {engines} on {platform.system()}, {os.cpu_count()} cores"


def filled(page: str, tables: list[str]) -> str:
    """The page with these tables in place of its own."""
    prose = re.split(r"(?:^\|.*\n)+", page, flags=re.MULTILINE)
    whole = "".join(
        text for both in zip(prose, [*tables, ""], strict=True) for text in both
    )
    return re.sub(r"(?m)^This page: .*", f"This page: {machine()}.", whole)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, to see that it runs"
    )
    parser.add_argument("--page", type=Path, metavar="FILE", help="write into the page")
    chosen = parser.parse_args()
    parts = tried() if chosen.quick else measured()
    tables = [
        bars(bar for part in parts for bar in part.bars),
        *(part.text for part in parts),
    ]
    if chosen.page is None:
        click.echo("\n".join([machine(), *tables]))
    else:
        text = chosen.page.read_text(encoding="utf-8")
        chosen.page.write_text(filled(text, tables), encoding="utf-8")
