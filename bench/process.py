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
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
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
    settings: Any = {"cwd": folder, "env": ENVIRONMENT, "stdout": subprocess.DEVNULL}
    subprocess.run(line, input=typed.encode(), check=True, **settings)  # noqa: S603


def results(players: int, number: int) -> str:
    """All boards of a round; who is White wins more often."""
    outcomes = ["1-0", "0-1", "=", "1-0"]
    boards = range(1, players // 2 + 1)
    return "".join(f"{board} {outcomes[(board + number) % 4]}\n" for board in boards)


def season(folder: Path, players: int, rounds: int) -> Mapping[str, Command]:
    """The commands of an evening after a number of rounds, made with the command line."""
    club = folder / "club.db"
    members = folder / "members.csv"
    rows = [f"Player {number:04},{2400 - number}\n" for number in range(1, players + 1)]
    members.write_text("name,rating\n" + "".join(rows), encoding="utf-8")
    run([*KEIZER, "init", club.name, "--name", "Club"], folder)
    run([*KEIZER, "import", club.name, members.name], folder)
    for number in range(1, rounds + 1):
        run([*KEIZER, "next-round", club.name], folder)
        run([*KEIZER, "result", club.name, "-"], folder, results(players, number))
    before, paired = folder / "before.db", folder / "paired.db"
    shutil.copy(club, before)
    run([*KEIZER, "next-round", club.name], folder)
    shutil.copy(club, paired)
    typed = results(players, rounds + 1)
    return {
        "next-round": Command([*KEIZER, "next-round", club.name], before),
        "result, one board": Command([*KEIZER, "result", club.name, "1", "1-0"], paired),
        "result, all boards": Command([*KEIZER, "result", club.name, "-"], paired, typed),
        "standings": Command([*KEIZER, "standings", club.name], before),
        "explain": Command([*KEIZER, "explain", club.name, "Player 0001"], before),
        UNIT: Command(IMPORTS, before),
    }


def measured(players: int, rounds: int, times: int) -> dict[str, tuple[float, float]]:
    """All commands in turn, `times` times; the first turn does not count.

    Their time in that of the imports: the minimum, the median.
    """
    with TemporaryDirectory() as folder:
        commands = season(Path(folder), players, rounds)
        turns = [
            {name: command.cpu() for name, command in commands.items()} for _ in range(times + 1)
        ][1:]
    taken = {name: [turn[name] for turn in turns] for name in commands}
    unit = taken.pop(UNIT)
    return {
        name: (min(each) / min(unit), median(each) / median(unit)) for name, each in taken.items()
    }


def commands(clubs: Sequence[tuple[int, int, int]]) -> Part:
    """The clubs: players, rounds before and how often to run."""
    found = {players: measured(players, rounds, times) for players, rounds, times in clubs}
    usual = found[clubs[0][0]]
    head = [
        "command",
        *(f"{players:,}: {what}" for players in found for what in ("minimum", "median")),
    ]
    rows = [
        [name, *(f"{figures:.2f}" for each in found.values() for figures in each[name])]
        for name in usual
    ]
    return Part(table(head, rows), [])
