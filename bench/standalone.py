"""keizer.html beside the command, in one run: opening it, next-round, a correction of round 1.

Then from a link to a pairing, where a server has it and the browser has nothing of it yet.

python -m bench.standalone [--quick]
"""

import argparse
import json
import shutil
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
from standalone import build
from standalone.tests.person import WITHOUT_PICKERS, Person
from standalone.tests.server import Server

MEMBERS, ROUNDS = 100, 33
_CLICK = """
(async () => {
  const began = performance.now();
  document.querySelector(%s).click();
  await Promise.resolve();
  while (document.documentElement.hasAttribute("aria-busy")) {
    await new Promise((end) => setTimeout(end, 1));
  }
  return (performance.now() - began) / 1000;
})()
"""


def seconds(run: Callable[[], object]) -> float:
    """How long it took."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def command(*line: str) -> float:
    """How long keizer took for it."""
    full = [sys.executable, "-m", "keizer", *line]
    return seconds(lambda: subprocess.run(full, check=True, capture_output=True))  # noqa: S603


def click(person: Person, selector: str) -> float:
    """From a click to the page after it, everything kept."""
    return float(person.run(_CLICK % json.dumps(selector)))


def steps(person: Person) -> list[float]:
    """next-round; a correction of round 1: what it would change, and doing it. Medians of three."""
    paired, shown, corrected = [], [], []
    for board in (2, 3, 4):
        person.go("/tonight")
        paired.append(click(person, "form[action$='do/pair'] button"))
        person.press("↶ Undo", "header button")
        person.go("/results/1")
        shown.append(click(person, f"#b{board} .usual button:not([aria-pressed=true])"))
        corrected.append(click(person, "form[action$='do/result'] .main-do"))
    return [median(found) for found in (paired, shown, corrected)]


def linked(folder: Path) -> list[float]:
    """From a link to the first page; to the demo's boards; to the draft of its next round."""
    server = Server(folder / "site")
    person = Person("chromium", folder / "linked", server.url)
    person.begin(WITHOUT_PICKERS)
    took = [person.run("performance.now()") / 1000]
    for selector in ("form[action$='do/demo'] button", "form[action$='do/pair'] button",
                     ".on-insist .main-do"):  # fmt: skip
        took.append(took[-1] + click(person, selector))
    person.leave()
    server.stop()
    return [took[0], took[1], took[3]]


def main() -> None:
    """A row for each, in seconds."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.standalone", description=__doc__
    )
    parser.add_argument("--quick", action="store_true", help="to see that it runs")
    quick = parser.parse_args().quick
    with TemporaryDirectory() as folder:
        db, page = Path(folder, "club.db"), Path(folder, "keizer.html")
        made = seasons.season(players=MEMBERS, rounds=3 if quick else ROUNDS)
        with (
            closing(seasons.file_of(made)) as found,
            closing(sqlite3.connect(db)) as file,
        ):
            found.backup(file)
        build.make(page, Path(folder, "site"))
        twin = Path(folder, "twin.db")
        shutil.copy(db, twin)
        paired = command("next-round", str(twin))
        corrected = command("result", str(twin), "2", "0-1", "--round", "1")
        columns = ["next-round", "round 1 changed?", "changed"]
        titles = "".join(f"{column:>22}" for column in columns)
        print(f"{'':12}{titles}{'first page':>14}")  # noqa: T201
        print(f"{'command':12}{paired:20.2f} s{'':22}{corrected:20.2f} s")  # noqa: T201
        for kind in ("chromium",) if quick else ("chromium", "firefox"):
            person = Person(kind, Path(folder, kind), page.as_uri())
            cold = seconds(partial(person.begin, WITHOUT_PICKERS))
            warm = seconds(person.reload)
            person.upload("#file", str(db))
            person.expect("is saved.")
            cells = "".join(f"{took:20.2f} s" for took in steps(person))
            person.leave()
            print(f"{kind:12}{cells}{warm:12.1f} s ({cold:.1f} with the browser)")  # noqa: T201
        first, demo, draft = linked(Path(folder))
        times = f"{first:.1f} s; the demo {demo:.1f} s; a draft {draft:.1f} s"
        print(f"from a link: {times}")  # noqa: T201


if __name__ == "__main__":
    main()
