"""A public address: 50 readers at 200 clubs in one process, beside 50 at one club.

Each turns a page every two seconds, at random. Then 200 clients ask one club without a pause, each
time for another page, and somebody asks for a page of another club that is kept.

python -m bench.public [--quick]
"""

import argparse
import asyncio
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from itertools import count
from multiprocessing import Process
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench import seasons

HOST = "club.example.org"
PAGES = (
    "index.html",
    "standings.html",
    "round/{n}.html",
    "player/{p}.html",
    "standings.json",
)


PAUSE = 4.0
"""The longest that somebody looks at a page, in seconds."""


def reads(
    port: int, names: list[str], rounds: int, seed: int, times: int
) -> list[float]:
    """What each page took somebody who reads so many, in milliseconds."""
    rng, found = random.Random(seed), []  # noqa: S311
    with closing(HTTPConnection("127.0.0.1", port, 60)) as line:
        for _ in range(times):
            time.sleep(rng.uniform(0, PAUSE) if times > 1 else 0)
            page = rng.choice(PAGES).format(
                n=rng.randint(1, rounds), p=rng.randint(1, 40)
            )
            began = time.perf_counter()
            line.request("GET", f"/{rng.choice(names)}/{page}", headers={"Host": HOST})
            answer = line.getresponse()
            said = answer.read()
            if answer.status != 200:  # noqa: PLR2004
                raise RuntimeError(f"{page}: {answer.status}: {said!r}")
            found.append(1000 * (time.perf_counter() - began))
    return found


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, int]]:
    """The process that serves a folder, and its port."""
    line = [sys.executable, "-m", "keizer", "serve", str(folder)]
    line += ["--host-name", HOST, "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            said = process.stdout.readline() if process.stdout else ""
            yield process.pid, int(re.findall(r"127\.0\.0\.1:(\d+)", said)[0])
        finally:
            process.terminate()


class Measured(NamedTuple):
    """Figures of a process while 50 readers read its pages.

    took: milliseconds until each page was there, those in a queue among them. of_processor:
    milliseconds of processor time a page, which vary less. held: megabytes of memory.
    """

    took: list[float]
    of_processor: float
    held: float


def measured(folder: Path, clubs: int, rounds: int, times: int) -> Measured:
    """Have 50 readers read so many pages each."""
    with served(folder) as (process, port):
        names = [f"club{number}" for number in range(clubs)]
        for name in names:  # each is open once, as after the first evening
            reads(port, [name], rounds, 0, 1)
        before = processor_seconds(process)
        with ThreadPoolExecutor(50) as people:
            found = people.map(
                lambda n: reads(port, names, rounds, n, times), range(50)
            )
            took = [one for some in found for one in some]
        seconds = processor_seconds(process) - before
        status = Path(f"/proc/{process}/status")
        held = (
            re.findall(r"VmRSS:\s+(\d+)", status.read_text())
            if status.exists()
            else ["0"]
        )
        return Measured(took, 1000 * seconds / len(took), int(held[0]) / 1024)


def processor_seconds(process: int) -> float:
    """Return the seconds of processor time that a process has taken; 0 where there is no /proc."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0
    behind_the_name = stat.read_text().rpartition(")")[2].split()
    in_program, in_system = behind_the_name[11:13]
    return (int(in_program) + int(in_system)) / os.sysconf("SC_CLK_TCK")


def crowd(port: int, clients: int) -> None:
    """Have so many clients ask a club for one page after the other, none of them kept."""

    async def one(client: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in count():
            path = f"/club0/standings.html?asked={client}.{number}"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(
                int(re.findall(rb"(?i)content-length: (\d+)", head)[0])
            )

    async def all_of_them() -> None:
        await asyncio.gather(*map(one, range(clients)))

    asyncio.run(all_of_them())


def beside(folder: Path, clients: int, times: int) -> list[float]:
    """Return the milliseconds that a kept page of another club takes meanwhile."""
    with (
        served(folder) as (_, port),
        closing(HTTPConnection("127.0.0.1", port, 60)) as line,
    ):
        process = Process(target=crowd, args=(port, clients), daemon=True)
        took = []
        for number in range(times + 3):
            if number == 3:  # noqa: PLR2004  # it is kept by now
                process.start()
                time.sleep(2)
            began = time.perf_counter()
            line.request("GET", "/club1/index.html", headers={"Host": HOST})
            line.getresponse().read()
            took.append(1000 * (time.perf_counter() - began))
        process.terminate()
        return took[3:]


def main() -> None:
    """A row for one club, and one for many."""
    parser = argparse.ArgumentParser(prog="python -m bench.public", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="to see that it runs")
    quick = parser.parse_args().quick
    rounds, times = (3, 2) if quick else (33, 20)
    with TemporaryDirectory() as there:
        folder = Path(there)
        with (
            closing(seasons.file_of(seasons.season(players=40, rounds=rounds))) as made,
            closing(sqlite3.connect(folder / "club0.db")) as file,
        ):
            made.backup(file)
        for clubs in (1, 5 if quick else 200):
            for number in range(1, clubs):
                shutil.copy(folder / "club0.db", folder / f"club{number}.db")
            took, of_processor, held = measured(folder, clubs, rounds, times)
            p95 = quantiles(took, n=20)[-1]
            print(  # noqa: T201
                f"{clubs:4} files: median {median(took):5.0f} ms, p95 {p95:5.0f} ms,"
                f" {of_processor:3.0f} ms of processor time a page, {held:5.0f} MB"
            )
        clients = 20 if quick else 200
        took = beside(folder, clients, clients)
        print(  # noqa: T201
            f"beside {clients} clients: median {median(took):.0f} ms, most {max(took):.0f} ms"
        )


if __name__ == "__main__":
    main()
