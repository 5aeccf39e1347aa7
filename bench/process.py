"""Processor time of whole commands, beside that of importing what they are made of."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.measure import Part, table

ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name != "PYTHONDONTWRITEBYTECODE"
}
KEIZER = [sys.executable, "-m", "keizer"]
UNIT = "import click, sqlite3"
IMPORTS = [sys.executable, "-c", UNIT]


@dataclass(frozen=True)
class Command:
    """A command line, the season file that it works on a copy of, and what is typed."""

    line: Sequence[str]
    file: Path
    typed: str = ""

    def cpu(self) -> float:
        """User and system time of one run."""
        club = self.file.with_name("club.db")
        shutil.copy(self.file, club)
        before = getrusage(RUSAGE_CHILDREN)
        run(self.line, club.parent, self.typed)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(line: Sequence[str], folder: Path, typed: str = "") -> None:
    """A command that has to succeed."""
    settings: Any = {"cwd": folder, "env": ENVIRONMENT, "capture_output": True}
    subprocess.run(line, input=typed.encode(), check=True, **settings)  # noqa: S603


def results(players: int, number: int) -> str:
    """All boards of a round; who is White wins more often."""
    outcomes = ["1-0", "0-1", "=", "1-0"]
    boards = range(1, players // 2 + 1)
    return "".join(f"{board} {outcomes[(board + number) % 4]}\n" for board in boards)


def season(folder: Path, players: int, rounds: int) -> Mapping[str, Command]:
    """The commands of an evening after a number of rounds, made with the command line."""
    club, before, paired, entered = (
        folder / f"{name}.db" for name in ("club", "before", "paired", "entered")
    )
    rows = [f"Player {number:04},{2400 - number}\n" for number in range(1, players + 1)]
    run([*KEIZER, "init", club.name, "--name", "Club"], folder)
    run([*KEIZER, "import", club.name, "-"], folder, "name,rating\n" + "".join(rows))
    for number in range(1, rounds + 1):
        run([*KEIZER, "next-round", club.name], folder)
        run([*KEIZER, "result", club.name, "-"], folder, results(players, number))
    shutil.copy(club, before)

    def keizer(file: Path, *words: str, typed: str = "") -> Command:
        return Command([*KEIZER, words[0], club.name, *words[1:]], file, typed)

    pairing, result = keizer(before, "next-round"), keizer(paired, "result", "1", "1-0")
    for command, after in ((pairing, paired), (result, entered)):
        command.cpu()
        shutil.copy(club, after)
    ten = "".join(f"Newcomer {number},{1500 + number}\n" for number in range(10))
    return {
        "next-round": pairing,
        "result, one board": result,
        "result, ten boards": keizer(
            paired,
            "result",
            "-",
            typed="".join(f"{board} 1-0\n" for board in range(1, 11)),
        ),
        "absent": keizer(before, "absent", "#3"),
        "undo": keizer(entered, "undo"),
        "import of ten members": keizer(
            before, "import", "-", typed=f"name,rating\n{ten}"
        ),
        "standings": keizer(before, "standings"),
        "explain": keizer(before, "explain", "#1"),
        "check": keizer(before, "check"),
        UNIT: Command(IMPORTS, before),
    }


def measured(players: int, rounds: int, times: int) -> dict[str, tuple[float, float]]:
    """All commands in turn, `times` times; the first turn does not count.

    Their time in that of the imports: the minimum, the median.
    """
    with TemporaryDirectory() as folder:
        commands = season(Path(folder), players, rounds)
        turns = [
            {name: command.cpu() for name, command in commands.items()}
            for _ in range(times + 1)
        ][1:]
    taken = {name: [turn[name] for turn in turns] for name in commands}
    unit = taken.pop(UNIT)
    return {
        name: (min(each) / min(unit), median(each) / median(unit))
        for name, each in taken.items()
    }


def commands(clubs: Sequence[tuple[int, int, int]]) -> Part:
    """The clubs: players, rounds before and how often to run."""
    found = {
        players: measured(players, rounds, times) for players, rounds, times in clubs
    }
    usual = found[clubs[0][0]]
    head = [
        "command",
        *(
            f"{players:,}: {what}"
            for players in found
            for what in ("minimum", "median")
        ),
    ]
    rows = [
        [name, *(f"{figures:.2f}" for each in found.values() for figures in each[name])]
        for name in usual
    ]
    return Part(table(head, rows), [])
