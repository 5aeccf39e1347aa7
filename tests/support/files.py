"""Season files as tests need them: made, edited past keizer, read, told apart."""

import atexit
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from keizer.cli import main
from keizer.store import sql, tiebreaks
from quality import generate

Keizer = Callable[..., Result]
Client = Callable[[Path, list[str]], list[str]]
Oldest = Callable[[str, str], list[str]]
Visit = dict[str, Any]
Chromium = Callable[..., Visit]

ROOT = Path(__file__).parents[2]
JDBC_JAR = Path("/usr/share/java/sqlite-jdbc.jar")
CLIENTS = ROOT / "tests/clients"
FINGERPRINT = re.findall(
    "SELECT '([0-9a-f]{16})'", (ROOT / "views/log/z_code.sql").read_text()
)[0]
"""What a file that this keizer made calls its code."""


LONG_RUNS: list[str] = []
"""What `pytest -m` asks for, where that is a campaign."""


def campaign(start: int, stop: int) -> list[Any]:
    """Seeds for the long runs that `pytest -m campaign` makes; none elsewhere: each costs time."""
    if not LONG_RUNS:
        return []
    return [
        pytest.param(seed, marks=pytest.mark.campaign) for seed in range(start, stop)
    ]


def order_by(conn: sqlite3.Connection, order: str, tournament: int = 1) -> None:
    """Set rules.tiebreaks in plain SQL, with the triggers of all tie-breaks in the file."""
    tiebreaks.compute_all(conn)
    conn.execute(
        "UPDATE rules SET tiebreaks = ? WHERE tournament_id = ?", (order, tournament)
    )


def rows(db: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query finds in a file."""
    with closing(sqlite3.connect(db)) as conn:
        return conn.execute(query).fetchall()


def edit(db: Path, *statements: str) -> None:
    """Run statements as another program does, foreign keys off."""
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        for statement in statements:
            conn.execute(statement)


@contextmanager
def elsewhere(db: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """Another program that has the file open, and has done this."""
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        for statement in statements:
            other.execute(statement).fetchone()
        yield other


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
def sample_db() -> Path:
    """sample.db as this checkout makes it: the one in git may have views of an earlier keizer."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    built = Path(folder.name, "sample.db")
    generate.sample(built)
    return built


@cache
def demo_db() -> bytes:
    """A file of the season that `keizer demo` makes up."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "demo.db")
        run_keizer("demo", made)
        return made.read_bytes()


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


def run_keizer(*args: object, stdin: str | None = None, fails: bool = False) -> Result:
    """Run the command in this process, as in `keizer("add", db, "Baker")`."""
    result = CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert (result.exit_code != 0) == fails, result.output
    return result


def answers(
    statements: Iterable[str],
    ask: Callable[[str], Iterable[Iterable[object]]],
    refusal: type[Exception] = sqlite3.Error,
) -> list[str]:
    """What a client prints: each statement's rows (tabs), "ok" or "refused: ..."."""
    found = []
    for statement in statements:
        try:
            rows = ["\t".join(map(str, row)) for row in ask(statement)]
            found += rows or ["ok"]
        except refusal as error:
            found.append(f"refused: {error}")
    return found


def needs_program(there: bool, what: str) -> None:
    """Skip a test of what is not installed; in CI it fails."""
    if not there:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            f"{what} is not installed"
        )


def lines(command: list[str], stdin: str = "") -> list[str]:
    """What a program prints, which has to succeed."""
    done = subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def java(program: str, *args: object, stdin: str = "") -> list[str]:
    """What a program of tests/clients prints, with the JDBC driver."""
    # It runs for a moment only: the options are those that start it fastest.
    command = [
        "java",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        str(JDBC_JAR),
    ]
    return lines([*command, str(CLIENTS / program), *map(str, args)], stdin)


def puppeteer(script: str) -> list[str]:
    """What has node run a script of tests/clients with the system's Chromium."""
    node = shutil.which("node")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    there = node is not None and (CLIENTS / "node_modules/puppeteer-core").exists()
    needs_program(there, "puppeteer")
    needs_program(program is not None, "Chromium")
    return [str(node), str(CLIENTS / script), str(program)]


def needs(package: str) -> Any:
    """A package of extra `clients`, or a module of one: pip install -e '.[test,clients]'."""
    name = package.partition(".")[0]
    needs_program(find_spec(name) is not None, f"{name}, of the extra clients,")
    return import_module(package)


def public_views(conn: sqlite3.Connection) -> list[str]:
    found = conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT LIKE 'z\\_%' ESCAPE '\\'"
    )
    return [name for (name,) in found]


def said(conn: sqlite3.Connection) -> list[str]:
    """All that a file says, but for the log, which only grows."""
    log = ('INSERT INTO "log"', 'INSERT INTO "command"')
    return [line for line in conn.iterdump() if not line.startswith(log)]


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as conn:
        return said(conn)


def one_sentence(text: str) -> bool:
    lines = text.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("Error: ") and lines[0][-1] in ".?"


def timeless(lines: Iterable[object]) -> list[str]:
    """What a file says, but for the moments at which it was written."""
    return [
        re.sub(r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d'", "?", str(line)) for line in lines
    ]


def told(db: Path) -> list[Any]:
    """All that a file says; of its log, which only grows, which rules were changed."""
    return [*dump(db), *sorted(rows(db, "SELECT * FROM rule_history"), key=str)]
