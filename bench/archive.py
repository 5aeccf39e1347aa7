"""Thousands of club files into one archive: how fast, in how much memory, and killed on the way."""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from filecmp import cmp
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from bench.clubs import make
from bench.process import ENVIRONMENT, IMPORTS, KEIZER

PLAYERS, ROUNDS = 40, 33
"""Of each season."""

MB = 1_000_000


# ----------------------------------------------------------------- the command


class Run(NamedTuple):
    """A command: seconds, seconds of the processor, the most memory of all processes (bytes)."""

    wall: float
    cpu: float
    memory: int


def _memory(process: int) -> int:
    """What a process and those it started have in memory, what they share counted once."""
    found = 0
    with suppress(OSError):
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
        found += sum(_memory(int(it)) for it in children.split())
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
        found += sum(1024 * int(it.split()[1]) for it in lines if it.startswith("Pss:"))
    return found


def run(line: Sequence[str], *, stop: float | None = None) -> Run | None:
    """A command that has to succeed; None where it is killed, after so many seconds."""
    before, began = getrusage(RUSAGE_CHILDREN), time.monotonic()
    most = 0
    with subprocess.Popen(line, env=ENVIRONMENT, stdout=subprocess.DEVNULL) as process:  # noqa: S603
        while process.poll() is None:
            most = max(most, _memory(process.pid))
            if stop is not None and time.monotonic() - began > stop:
                process.send_signal(signal.SIGKILL)
                process.wait()
                return None
            time.sleep(0.02)
    if process.returncode:
        raise SystemExit(process.returncode)
    after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Run(time.monotonic() - began, cpu, most)


def _sure(done: Run | None) -> Run:
    assert done  # noqa: S101 - nobody stopped it
    return done


def killed(line: Sequence[str], whole: float, chance: random.Random) -> int:
    """Run a command, killed at random times, until it is done; how often it was killed."""
    times = 0
    while run(line, stop=chance.uniform(0.05, 0.7) * whole) is None:
        times += 1
    return times


# ----------------------------------------------------------------- the figures


QUERIES = {
    "the table of one tournament": "SELECT * FROM current_standings WHERE tournament_id ="
    " (SELECT max(id) FROM tournament)",
    "one person, by number": "SELECT * FROM people WHERE person = (SELECT max(person) FROM person)",
    "his tournaments": "SELECT * FROM careers WHERE person = (SELECT max(person) FROM person)",
    "his games": "SELECT * FROM encounters WHERE person = (SELECT max(person) FROM person)",
    "one person, by name": "SELECT * FROM people WHERE name ="
    " (SELECT name FROM people ORDER BY person DESC LIMIT 1)",
    "the clubs": "SELECT count(*), sum(games) FROM clubs",
    "the ten who played most": "SELECT * FROM people ORDER BY games DESC LIMIT 10",
}


def seconds(act: Callable[[], object]) -> float:
    """How long something takes, the second time."""
    act()
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def ask(archive: Path) -> None:
    """Questions to the archive, and how long each takes."""
    with closing(sqlite3.connect(archive)) as conn:
        for what, query in QUERIES.items():
            taken = seconds(lambda query=query: conn.execute(query).fetchall())  # type: ignore[misc]
            click.echo(f"| {what} | {1000 * taken:,.1f} ms |")


def games(archive: Path) -> int:
    """How many games there are in it."""
    with closing(sqlite3.connect(archive)) as conn:
        (count,) = conn.execute("SELECT count(*) FROM round").fetchone()
        return int(count)


def measure(home: Path, files: int, kills: int) -> None:
    """Make the files, archive them, and again in other circumstances."""
    clubs, archive, other = home / "clubs", home / "archive.db", home / "other.db"
    began = time.monotonic()
    made = make(clubs, files, players=PLAYERS, rounds=ROUNDS)
    size = sum(it.stat().st_size for it in made)
    click.echo(f"{files:,} files of {PLAYERS} x {ROUNDS}, {size / MB:,.0f} MB, made in"
               f" {time.monotonic() - began:,.0f} s.\n")  # fmt: skip
    line = [*KEIZER, "archive", str(clubs)]
    unit = _sure(run(IMPORTS)).cpu
    done = _sure(run([*line, str(archive)]))
    count, held = games(archive), archive.stat().st_size
    click.echo("| | |\n| --- | ---: |")
    click.echo(f"| files per second, {os.cpu_count()} cores | {files / done.wall:.1f} |")
    click.echo(f"| processor time per file / importing click and sqlite3 |"
               f" {done.cpu / files / unit:.2f} |")  # fmt: skip
    click.echo(f"| most memory of all processes | {done.memory / MB:.0f} MB |")
    click.echo(f"| the archive | {held / MB:,.0f} MB |")
    click.echo(f"| bytes per game, {count:,} games | {held / count:.0f} |")
    again = _sure(run([*line, str(archive)]))
    click.echo(f"| again, nothing changed / the first time | {again.wall / done.wall:.3f} |")
    ask(archive)
    for nth in range(kills):
        times = killed([*line, str(other)], done.wall, random.Random(nth))  # noqa: S311
        same = cmp(other, archive, shallow=False)
        click.echo(
            f"| killed {times} times and run again | {'the same bytes' if same else 'OTHER'} |"
        )
        if not same:
            raise SystemExit(1)
        other.unlink()


def main() -> None:
    """All of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--quick", action="store_true", help="40 files")
    parser.add_argument("--kills", type=int, default=1, metavar="N", help="runs that are killed")
    parser.add_argument("--folder", type=Path, help="where the files go; temporary by default")
    asked = parser.parse_args()
    with TemporaryDirectory(dir=asked.folder) as home:
        measure(Path(home), 40 if asked.quick else asked.files, asked.kills)


if __name__ == "__main__":
    main()
