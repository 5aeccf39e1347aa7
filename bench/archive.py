"""Thousands of club files into one archive: how fast, in how much memory, and killed on the way."""

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import date, timedelta
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from keizer import database, presence, results, roster, rounds, season, undo

PLAYERS, ROUNDS = 40, 33
"""Of each season."""

PLAYED = 24
"""So many seasons are really played; the files have one of these each, of other people."""

SEASONS = 4
"""A club has so many, of the same people."""

AWAY = 0.1
"""So often a member does not come."""

KEIZER = [sys.executable, "-m", "keizer"]
IMPORTS = [sys.executable, "-c", "import click, sqlite3"]
MB = 1_000_000


# ----------------------------------------------------------------- the files


def play(conn: sqlite3.Connection, seed: int) -> None:
    """A season as a club plays it."""
    conn.row_factory = sqlite3.Row
    chance = random.Random(seed)  # noqa: S311
    tournament = season.add_tournament(conn, "Season")
    with season.suspended(conn, tournament):
        ids = [
            roster.enter(conn, tournament, f"Member {it}", rating=2200 - 25 * it)
            for it in range(1, PLAYERS + 1)
        ]
    for number in range(1, ROUNDS + 1):
        away = [it for it in ids if chance.random() < AWAY]
        if away:
            presence.sign_off(conn, tournament, away, rounds=[number])
        rounds.next_round(conn, tournament)
        boards = conn.execute(
            "SELECT board FROM round WHERE tournament_id = ? AND round_number = ? ORDER BY board",
            (tournament, number),
        ).fetchall()
        outcomes = [(it[0], chance.choice(["1-0", "½-½", "0-1", "1-0"])) for it in boards]
        results.enter_results(conn, tournament, outcomes, round_number=number)


def person(club: int, number: int) -> int:
    """Who that member is: the last two of a club are the first two of the next one too."""
    if club and number > PLAYERS - 2:
        return (club - 1) * PLAYERS + number - PLAYERS + 2
    return club * PLAYERS + number


def write(file: int, played: Path, folder: Path) -> None:
    """One of the files: a season that was played, of the members of its club."""
    club, nth = divmod(file, SEASONS)
    path = folder / f"Club {club:04}" / f"{2020 + nth}.db"
    path.parent.mkdir(exist_ok=True)
    shutil.copyfile(played / f"{file % PLAYED}.db", path)
    first = date(2020 + nth, 9, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA synchronous = OFF")
        conn.execute("BEGIN")
        undo.begin(conn)
        for number in range(1, PLAYERS + 1):
            who = person(club, number)
            conn.execute(
                "UPDATE player SET name = ?, fide_id = ?, federation = 'NED' WHERE id = ?",
                (f"Person {who:06}", 1_000_000 + who if who % 2 else None, number),
            )
        for number in range(1, ROUNDS + 1):
            day = str(first + timedelta(weeks=number))
            conn.execute("UPDATE schedule SET date = ? WHERE round_number = ?", (day, number))
        undo.record(conn)
        conn.execute("COMMIT")


def _write(task: tuple[int, Path, Path]) -> None:
    write(*task)


def _play(task: tuple[int, Path]) -> None:
    seed, folder = task
    database.create(folder / f"{seed}.db", lambda conn: play(conn, seed))


def make(folder: Path, files: int) -> None:
    """All files, below a folder."""
    folder.mkdir()
    with TemporaryDirectory(dir=folder.parent) as there, get_context("spawn").Pool() as pool:
        played = Path(there)
        pool.map(_play, [(seed, played) for seed in range(PLAYED)], chunksize=1)
        pool.map(_write, [(file, played, folder) for file in range(files)])


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
    with subprocess.Popen(line, stdout=subprocess.DEVNULL) as process:  # noqa: S603
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
    while run(line, stop=chance.uniform(0.02, 0.5) * whole) is None:
        times += 1
    return times


def digest(path: Path) -> str:
    """Of the bytes of a file."""
    found = sha256()
    with path.open("rb") as file:
        while block := file.read(MB):
            found.update(block)
    return found.hexdigest()


# ----------------------------------------------------------------- the figures


QUERIES = {
    "the table of one tournament": "SELECT * FROM current_standings WHERE tournament_id ="
    " (SELECT max(id) FROM tournament)",
    "one person, by number": "SELECT * FROM people WHERE person = (SELECT max(person) FROM person)",
    "his tournaments": "SELECT * FROM careers WHERE person = (SELECT max(person) FROM person)",
    "his games": "SELECT * FROM encounters WHERE person = (SELECT max(person) FROM person)",
    "one person, by name": "SELECT * FROM people WHERE person IN (SELECT person FROM person"
    " JOIN player ON player.id = player_id WHERE name LIKE 'Person 000123')",
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
    make(clubs, files)
    size = sum(it.stat().st_size for it in clubs.rglob("*.db"))
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
        same = digest(other) == digest(archive)
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
    parser.add_argument("--kills", type=int, default=2, metavar="N", help="runs that are killed")
    parser.add_argument("--folder", type=Path, help="where the files go; temporary by default")
    asked = parser.parse_args()
    with TemporaryDirectory(dir=asked.folder) as home:
        measure(Path(home), 40 if asked.quick else asked.files, asked.kills)


if __name__ == "__main__":
    main()
