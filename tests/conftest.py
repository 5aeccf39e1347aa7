"""Files, the command and real clients, as the tests need them.

A client that is not installed fails its tests in CI and skips them elsewhere.
"""

import gc
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from quality.engines import libsql, libsql_library, nodes, rqlite  # noqa: F401 - fixtures
from tests.support.console import ClubOf, Console, new_club
from tests.support.db_browser import DBBrowser
from tests.support.files import (
    CLIENTS,
    JDBC_JAR,
    LONG_RUNS,
    Chromium,
    Client,
    Keizer,
    Oldest,
    Visit,
    answers,
    empty,
    java,
    lines,
    needs_program,
    puppeteer,
    run_keizer,
    sample_db,
)

# It is for Linux on x86-64: elsewhere Python has a recent one.
if find_spec("pysqlite3") is None:
    sys.modules["pysqlite3"] = sqlite3
# Files in memory: thousands are made and thrown away.
if os.access("/dev/shm", os.W_OK):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")

# The same examples in every run; `--hypothesis-profile=campaign`: others each time.
settings.register_profile(
    "usual", max_examples=10, deadline=None, derandomize=True, database=None
)
settings.register_profile(
    "campaign", max_examples=100_000, deadline=None, print_blob=True
)
settings.load_profile("usual")


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    """An empty file in memory."""
    with closing(empty()) as connection:
        yield connection


@pytest.fixture
def keizer() -> Keizer:
    """What runs the command."""
    return run_keizer


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of sample.db."""
    return Path(shutil.copy(sample_db(), tmp_path / "sample.db"))


@pytest.fixture
def example(sample: Path) -> Console:
    """The same, and what is typed there: the worked example, whose figures are published."""
    return Console(sample)


@pytest.fixture(scope="session")
def _club_of_four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("club") / "club.db"
    run_keizer("init", db, "--name", "Club")
    for name, rating in (
        ("Anna", 2000),
        ("Boris", 1900),
        ("Clara", 1800),
        ("Daan", 1700),
    ):
        run_keizer("add", db, name, "--rating", rating)
    return db


@pytest.fixture
def club(tmp_path: Path, _club_of_four: Path) -> Path:
    """A new season of four players, A to D."""
    return Path(shutil.copy(_club_of_four, tmp_path / "club.db"))


@pytest.fixture
def console(club: Path) -> Console:
    """The club of four, and what is typed there."""
    return Console(club)


@pytest.fixture(scope="session")
def _night(tmp_path_factory: pytest.TempPathFactory, _club_of_four: Path) -> Path:
    db = tmp_path_factory.mktemp("night") / "club.db"
    shutil.copy(_club_of_four, db)
    Console(db)("next-round && publish-round && result 1 1-0 && result 2 =")
    return db


@pytest.fixture
def night(tmp_path: Path, _night: Path) -> Console:
    """The club of four after a published round with both results: 1-0 and a draw."""
    return Console(Path(shutil.copy(_night, tmp_path / "club.db")))


@pytest.fixture
def club_of(tmp_path: Path) -> ClubOf:
    """A new season of P01 (the strongest) and so on, as in `club_of(8, "rematch_gap=0")`."""

    def make(players: int, rules: str = "", name: str = "new") -> Console:
        return new_club(tmp_path / f"{name}.db", players, rules)

    return make


@pytest.fixture(scope="session")
def shell() -> Client:
    """The sqlite3 shell: each statement's rows (tabs), "ok" or "refused: ..."."""
    needs_program(shutil.which("sqlite3") is not None, "the sqlite3 shell")

    def run(db: Path, statements: list[str]) -> list[str]:
        def ask(statement: str) -> list[list[str]]:
            line = ["sqlite3", "-batch", "-tabs", str(db), statement]
            done = subprocess.run(
                line, capture_output=True, check=False, encoding="utf-8"
            )
            if done.returncode:
                raise sqlite3.Error(done.stderr.strip())
            return [[row] for row in done.stdout.splitlines()]

        return answers(statements, ask)

    return run


@pytest.fixture(scope="session")
def jdbc() -> Client:
    """A Java program over the JDBC driver, likewise."""
    needs_program(
        JDBC_JAR.exists() and shutil.which("java") is not None, "the SQLite JDBC driver"
    )

    def run(db: Path, statements: list[str]) -> list[str]:
        return java("Jdbc.java", db, stdin="\n".join(statements))

    return run


@pytest.fixture(scope="session")
def db_browser(tmp_path_factory: pytest.TempPathFactory) -> DBBrowser:
    """DB Browser for SQLite, with settings of nobody: what it prints of a file, or saves."""
    return DBBrowser(tmp_path_factory.mktemp("settings"))


@pytest.fixture(scope="session")
def python() -> Client:
    """Python's sqlite3 without foreign keys, likewise."""

    def run(db: Path, statements: list[str]) -> list[str]:
        with closing(sqlite3.connect(db, isolation_level=None)) as connection:
            return answers(statements, connection.execute)

    return run


@pytest.fixture(scope="session")
def oldest() -> Oldest:
    """SQLite 3.35.0, the oldest we support: run a script, then rows of a query, or of several."""
    node = shutil.which("node")
    needs_program(
        node is not None and (CLIENTS / "node_modules/sql.js").exists(), "sql.js 1.5.0"
    )

    def run(script: str, query: str) -> list[str]:
        return lines([str(node), str(CLIENTS / "oldest.cjs"), query], script)

    return run


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """The system's Chromium: what it saw on a page, as in `chromium(url, dark=True)`.

    What can be wished for stands in browser.cjs. One browser makes all visits.
    """
    with subprocess.Popen(
        puppeteer("browser.cjs"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as browser:
        assert browser.stdin and browser.stdout
        wishes, answers = browser.stdin, browser.stdout

        def visit(url: str, **wish: object) -> Visit:
            print(json.dumps({"url": url, **wish}), file=wishes, flush=True)
            answer = answers.readline()
            assert answer, f"the browser stopped at {url}"
            seen: Visit = json.loads(answer)
            return seen

        yield visit


def pytest_configure(config: pytest.Config) -> None:
    """Sum up, and make seeds of campaigns where these are asked for."""
    config.pluginmanager.register(Summary())
    if re.search(r"(?<!not )\bcampaign\b", config.option.markexpr):
        LONG_RUNS.append(config.option.markexpr)


def pytest_collection_finish() -> None:
    """Have the garbage collector look seldom at what pytest has made: commands run without it."""
    gc.set_threshold(50_000, 50, 50)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the clients be named."""
    parser.addoption(
        "--clients",
        help="only what holds in any client, in these: libsql,rqlite (quality/)",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what holds in any client in each."""
    if "client" in metafunc.fixturenames:
        named = metafunc.config.getoption("clients") or "shell,jdbc,python"
        metafunc.parametrize("client", named.split(","), indirect=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what there is not on Windows."""
    if os.name == "nt" and item.get_closest_marker("posix"):
        pytest.skip(
            "Windows has neither pseudo-terminals nor named pipes, modes and signals"
        )


NEAREST = 1
"""How many cases of a claim run by default; the others are its `seeds`, which .ci/run has."""

PROGRAMS = {"shell", "jdbc", "db_browser", "oldest", "chromium"}
"""Fixtures that are other programs: their tests are those of `clients`."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Mark what needs other programs, and all but the nearest cases of each claim.

    Where clients are named, what runs in no client is left out.
    """
    if config.getoption("clients"):
        items[:] = [
            item for item in items if "client" in getattr(item, "fixturenames", ())
        ]
    seen: Counter[str] = Counter()
    for item in items:
        case = getattr(item, "callspec", None)
        needed = {
            *getattr(item, "fixturenames", ()),
            case.params.get("client") if case else None,
        }
        if needed & PROGRAMS:
            item.add_marker(pytest.mark.clients)
        elif case and not (
            {"campaign", "each"} & {mark.name for mark in item.iter_markers()}
        ):
            claim = item.nodeid.partition("[")[0]
            seen[claim] += 1
            if seen[claim] > NEAREST:
                item.add_marker(pytest.mark.seeds)


class Summary:
    """The last lines of a run, for whoever runs the tests for the first time.

    With xdist every process collects all tests: each tells how many it leaves out.
    """

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.left_out = 0

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Count what is left to .ci/run: further cases, and what needs other programs."""
        self.left_out += sum(
            item.get_closest_marker("campaign") is None for item in items
        )

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand the number over to the process that prints it."""
        output = getattr(session.config, "workeroutput", {})
        output["left out"] = self.left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take the number of a process that has ended."""
        output = getattr(node, "workeroutput", {})
        self.left_out = max(self.left_out, output.get("left out", 0))

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Print the claims that were proved, the cases that were left out, and the time."""
        terminal = config.pluginmanager.get_plugin("terminalreporter")
        if not terminal:
            return
        stats = terminal.stats
        proved = len(stats.get("passed", ()))
        failed = len(
            {
                report.nodeid
                for kind in ("failed", "error")
                for report in stats.get(kind, ())
            }
        )
        seconds = time.monotonic() - self.begun
        others = f", and {failed:,} not: see above" if failed else ""
        terminal.write_line(f"Claims proved: {proved:,}{others}")
        if config.option.markexpr in config.getini("addopts"):
            terminal.write_line(f"Cases left to .ci/run: {self.left_out:,}")
        terminal.write_line(f"Time: {seconds:.0f} seconds")


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Client:
    """Each of the clients in turn."""
    found: Client = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def installed() -> str:
    """The keizer command as a program of this environment, which shells find, too."""
    folder = str(Path(sys.executable).parent)
    command = shutil.which("keizer", path=folder)
    assert command, "install the project first: pip install -e '.[test]'"
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return command
