"""Processor time of whole commands, beside that of importing what they are made of."""

import argparse
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

import click

ENVIRONMENT = {name: it for name, it in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
KEIZER = [sys.executable, "-m", "keizer"]
IMPORTS = [sys.executable, "-c", "import click, sqlite3"]


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
    subprocess.run(  # noqa: S603
        line,
        cwd=folder,
        env=ENVIRONMENT,
        input=typed,
        text=True,
        encoding="utf-8",
        stdout=subprocess.DEVNULL,
        check=True,
    )


def results(players: int, number: int) -> str:
    """All boards of a round; who is White wins more often."""
    outcomes = ["1-0", "0-1", "=", "1-0"]
    boards = range(1, players // 2 + 1)
    return "".join(f"{board} {outcomes[(board + number) % 4]}\n" for board in boards)


def season(folder: Path, players: int, rounds: int) -> Mapping[str, Command]:
    """The commands of an evening after so many rounds, made with the command line."""
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
        "import click, sqlite3": Command(IMPORTS, before),
    }


def measure(players: int, rounds: int, times: int) -> None:
    """All commands in turn, so many times; the first turn does not count."""
    with TemporaryDirectory() as folder:
        commands = season(Path(folder), players, rounds)
        turns = [{name: it.cpu() for name, it in commands.items()} for _ in range(times + 1)][1:]
    taken = {name: [turn[name] for turn in turns] for name in commands}
    *names, unit = taken
    click.echo(f"### {players:,} present, {rounds} rounds before; {unit} = 1\n")
    click.echo("| command | minimum | median |\n| --- | ---: | ---: |")
    for name in names:
        least = min(taken[name]) / min(taken[unit])
        middle = median(taken[name]) / median(taken[unit])
        click.echo(f"| {name} | {least:.2f} | {middle:.2f} |")
    click.echo()


def main() -> None:
    """Both clubs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the small club only, few runs")
    if parser.parse_args().quick:
        measure(50, 12, times=5)
    else:
        measure(50, 12, times=30)
        measure(1000, 3, times=10)


if __name__ == "__main__":
    main()
