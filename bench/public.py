"""A public address: 50 readers at 200 clubs in one process, beside 50 at one club.

Each turns a page every two seconds, at random.

python -m bench.public [--quick]
"""

import argparse
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench import seasons

HOST = "club.example.org"
PAGES = ("index.html", "standings.html", "round/{n}.html", "player/{p}.html", "standings.json")


PAUSE = 4.0
"""The longest that somebody looks at a page, in seconds."""


def reads(port: int, names: list[str], rounds: int, seed: int, times: int) -> list[float]:
    """What each page took somebody who reads so many, in milliseconds."""
    rng, found = random.Random(seed), []  # noqa: S311
    with closing(HTTPConnection("127.0.0.1", port, 60)) as line:
        for _ in range(times):
            time.sleep(rng.uniform(0, PAUSE) if times > 1 else 0)
            page = rng.choice(PAGES).format(n=rng.randint(1, rounds), p=rng.randint(1, 40))
            began = time.perf_counter()
            line.request("GET", f"/{rng.choice(names)}/{page}", headers={"Host": HOST})
            answer = line.getresponse()
            said = answer.read()
            if answer.status != 200:  # noqa: PLR2004
                raise RuntimeError(f"{page}: {answer.status}: {said!r}")
            found.append(1000 * (time.perf_counter() - began))
    return found


def measured(folder: Path, clubs: int, rounds: int, times: int) -> tuple[list[float], float]:
    """What the pages took 50 readers, and the memory of the process, in MB."""
    line = [
        sys.executable,
        "-m",
        "keizer",
        "serve",
        str(folder),
        "--host-name",
        HOST,
        "--port",
        "0",
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            said = process.stdout.readline() if process.stdout else ""
            port = int(re.findall(r"127\.0\.0\.1:(\d+)", said)[0])
            names = [f"club{number}" for number in range(clubs)]
            for name in names:  # each is open once, as after the first evening
                reads(port, [name], rounds, 0, 1)
            with ThreadPoolExecutor(50) as people:
                found = people.map(lambda n: reads(port, names, rounds, n, times), range(50))
                took = [one for some in found for one in some]
            status = Path(f"/proc/{process.pid}/status")
            held = re.findall(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else ["0"]
            return took, int(held[0]) / 1024
        finally:
            process.terminate()


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
            took, held = measured(folder, clubs, rounds, times)
            p95 = quantiles(took, n=20)[-1]
            print(  # noqa: T201
                f"{clubs:4} files: median {median(took):5.0f} ms, p95 {p95:5.0f} ms, {held:5.0f} MB"
            )


if __name__ == "__main__":
    main()
