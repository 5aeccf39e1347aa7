"""The face: what a page takes at the server, beside `keizer standings`; twenty phones at once.

python -m bench.face [--quick]
"""

import argparse
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench import seasons
from keizer.web.app import application
from keizer.web.visit import Face

PAGES = (
    "tonight", "results", "standings.html", "player/3.html", "round/33.html", "sheet/33.html",
    "crosstable.html", "season.html", "statistics.html", "index.html", "members", "members/3",
    "rules", "plan", "files", "log", "me", "screen",
)  # fmt: skip


def timed(run: Callable[[], object], times: int) -> float:
    """The median, in milliseconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        found.append(time.perf_counter() - began)
    return 1000 * median(found)


def main() -> None:
    """A row for each page, and the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.face", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="to see that it runs")
    quick = parser.parse_args().quick
    with TemporaryDirectory() as folder:
        db = Path(folder, "club.db")
        with (
            closing(
                seasons.file_of(seasons.season(players=40, rounds=3 if quick else 33))
            ) as made,
            closing(sqlite3.connect(db)) as file,
        ):
            made.backup(file)
        face = Face(db.parent, db)
        person = application(face).test_client()
        person.get(f"/in/{face.keys.director}", base_url="http://localhost")
        line = [sys.executable, "-m", "keizer", "standings", str(db)]
        times = 1 if quick else 15
        start = partial(subprocess.run, line, check=True, capture_output=True)
        command = timed(start, times)
        print(f"{'keizer standings':20}{command:8.0f} ms")  # noqa: T201
        for page in PAGES:

            def ask(page: str = page) -> None:
                person.get(f"/{page}", base_url="http://localhost")

            took = timed(ask, times)
            print(f"{page:20}{took:8.0f} ms   x {took / command:.2f}")  # noqa: T201


if __name__ == "__main__":
    main()
