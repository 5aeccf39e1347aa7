"""Revaluation, whole commands and opening, beside others and as a file grows.

python -m bench.performance prints all of it in Markdown; --page FILE writes the page.
"""

import argparse
import platform
from pathlib import Path
from typing import NamedTuple

import click

from bench import opening, process, revaluation
from bench.measure import Bar, Part, bars

INTRODUCTION = """\
# Performance

Every figure here comes out of one run of `bench/` on one machine, and nearly all of them
are ratios of processor times within that run: such a ratio can be compared with that of
another machine, a number of seconds cannot. Make this page anew:

    python3 -m venv .venv && .venv/bin/pip install -q -e '.[test,clients]'
    .venv/bin/python -m bench.performance --page docs/performance.md

That takes up to five minutes; without `--page` it only prints, and `--quick` tries every part on
small seasons in half a minute. The seasons are made up, the same every time
(`bench/seasons.py`): the stronger win more often, neighbours in the table meet, and where
nothing else is said nine in ten come. The fastest of several runs counts, without garbage
collection; those that are compared take turns. How fast the pairing is, is in
`bench/README.md`.

This page: {machine}.

## What is promised, and what was reached
"""

SMALL = "\nThese sizes are small ones, and the bars are meant for the full ones.\n\n"

BESIDE = """
## One revaluation

The table after one round, from the games so far and the table before, as the file makes it
in a trigger whenever a fact changes in any client: scores, ranks, new values, classical
points. Beside it, on the same season with the same values in force and all databases in
memory:

- **the original**: the update query of the original SQLite Keizer project and its update
  of classical points (`bench/original.sql`, made again from its description). Before it is
  timed, its totals and its order have to be those of the file.
- **one indexed pass**: `SELECT sum(...)` over the games so far, as White and as Black,
  with what a result brings and the opponent's value: what SQL has to read for any table.

Time, one revaluation = 1:

"""

AFTER_BESIDE = """
SQLite interprets every line of a score. What the trigger buys is that no program has to run.
Having the statement prepared is paid for once a command, however many rounds follow.

The original joins every game with every value of every round and adds up anew for each
player. A newer SQLite makes itself an index on the way, which rescues much of it.
"""

CORRECTIONS = """
## A corrected result

Every later table follows, in the same moment. Time, one revaluation (of the last round) = 1;
{season}:

"""

GROWTH = """
## As a club grows

All seasons have {rounds} rounds, and everybody plays. Time, one revaluation with {unit}
players = 1:

"""

LONGER = """
## As a season gets longer, and as others come into the file

With {players} players; time, one revaluation in the second line = 1:

"""

TOURNAMENTS = """
The last of so many tournaments of {size}, each of another club; all have
tables and log. Time alone in the file = 1:

"""

COMMANDS = """
## Whole commands

Processor time (user and system) of a new process, in that of `python -c "import click,
sqlite3"`, which does nothing; commands in turn, each on a fresh copy of the file.
{clubs}

"""

OPENING = """
## A file opened

SQLite parses every view and trigger of a file each time a program opens it.

"""


class Sizes(NamedTuple):
    """What is measured."""

    beside: tuple[int, int]
    corrections: tuple[int, int]
    players: tuple[int, ...]
    unit: int
    rounds: tuple[int, ...]
    tournaments: tuple[int, ...]
    commands: tuple[tuple[int, int, int], ...]


FULL = Sizes(
    beside=(50, 30),
    corrections=(40, 33),
    players=(20, 50, 100, 200, 500, 1000, 2000),
    unit=50,
    rounds=(10, 30, 100, 300),
    tournaments=(1, 10, 100, 1000),
    commands=process.FULL,
)
QUICK = Sizes(
    beside=(20, 10),
    corrections=(20, 12),
    players=(20, 40),
    unit=20,
    rounds=(10, 20),
    tournaments=(1, 10),
    commands=process.QUICK,
)

ROUNDS = 30
"""Of the clubs that grow."""

PLAYERS = 50
"""Of the seasons that get longer."""

TOURNAMENT = (40, 10)
"""Players and rounds of those that share a file."""


def main() -> None:
    """Run it all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page")
    chosen = parser.parse_args()
    sizes = QUICK if chosen.quick else FULL
    parts = measured(sizes)
    text = page(sizes, parts)
    if chosen.page is None:
        click.echo(text)
    else:
        chosen.page.write_text(text, encoding="utf-8")


def measured(sizes: Sizes) -> dict[str, Part]:
    """Everything, by name."""
    return {
        "beside": revaluation.beside(*sizes.beside),
        "corrections": revaluation.corrections(*sizes.corrections),
        "players": revaluation.by_players(sizes.players, ROUNDS, sizes.unit),
        "rounds": revaluation.by_rounds(sizes.rounds, PLAYERS),
        "tournaments": revaluation.by_tournaments(sizes.tournaments, *TOURNAMENT),
        "commands": process.commands(sizes.commands),
        "opening": opening.opened(),
    }


def page(sizes: Sizes, parts: dict[str, Part]) -> str:
    """The page."""
    found: list[Bar] = [bar for part in parts.values() for bar in part.bars]
    clubs = "; ".join(
        f"{players:,} present, after {rounds} rounds" for players, rounds, _ in sizes.commands
    )
    return "".join(
        [
            INTRODUCTION.format(machine=_machine()),
            "\n" if sizes is FULL else SMALL,
            bars(found),
            BESIDE,
            parts["beside"].text,
            AFTER_BESIDE,
            CORRECTIONS.format(season="{} players, {} rounds".format(*sizes.corrections)),
            parts["corrections"].text,
            GROWTH.format(rounds=ROUNDS, unit=sizes.unit),
            parts["players"].text,
            LONGER.format(players=PLAYERS),
            parts["rounds"].text,
            TOURNAMENTS.format(size="{} players and {} rounds".format(*TOURNAMENT)),
            parts["tournaments"].text,
            COMMANDS.format(clubs=clubs[:1].upper() + clubs[1:] + "."),
            parts["commands"].text,
            OPENING,
            parts["opening"].text,
        ]
    )


def _machine() -> str:
    """What it was measured with; not what the machine is called."""
    import os

    python = f"{platform.python_implementation()} {platform.python_version()}"
    engines = " and ".join(revaluation.ENGINES)
    return f"{python} with {engines} on {platform.system()}, {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
