"""Season files as tests need them: made, edited past keizer, read and compared.

Also the commands of keizer in this process, and the other programs that tests run.
"""

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
"""The fingerprint of the code in a file that this keizer made."""


LONG_RUNS: list[str] = []
"""The marks that `pytest -m` asks for, if one is a campaign."""


def campaign(start: int, stop: int) -> list[Any]:
    """Return seeds for the long runs that `pytest -m campaign` makes.

    Elsewhere there are none, since each costs time.
    """
    if not LONG_RUNS:
        return []
    return [
        pytest.param(seed, marks=pytest.mark.campaign) for seed in range(start, stop)
    ]


def order_by(conn: sqlite3.Connection, order: str, tournament: int = 1) -> None:
    """Set rules.tiebreaks in plain SQL, after all tie-breaks are in the file."""
    tiebreaks.create_all_triggers(conn)
    statement = "UPDATE rules SET tiebreaks = ? WHERE tournament_id = ?"
    conn.execute(statement, (order, tournament))


def rows(db: Path, query: str) -> list[tuple[Any, ...]]:
    """Return the rows that a query finds in a file."""
    with closing(sqlite3.connect(db)) as conn:
        return conn.execute(query).fetchall()


def edit(db: Path, *statements: str) -> None:
    """Run statements as another program does, foreign keys off."""
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        for statement in statements:
            conn.execute(statement)


@contextmanager
def elsewhere(db: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """Yield the connection of another program that has run these statements."""
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        for statement in statements:
            conn.execute(statement).fetchone()
        yield conn


def past_the_guards(db: Path, *statements: str) -> None:
    """Run statements while all triggers and checks of a file are away."""
    guards = rows(db, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    remove = [f'DROP TRIGGER "{name}"' for name, _ in guards]
    restore = [script for _, script in guards]
    unchecked = "PRAGMA ignore_check_constraints = ON"
    edit(db, unchecked, *remove, *statements, *restore)


TWINS = (
    "DROP TRIGGER player_is_no_namesake",
    "DROP TRIGGER player_becomes_no_namesake",
)
"""Statements that let a file hold two names which differ by capitals alone.

A file of an earlier layout may hold such names.
"""


@cache
def sample_db() -> Path:
    """Return the path of sample.db as this checkout makes it.

    The one in git may have the views of an earlier keizer.
    """
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name, "sample.db")
    generate.sample(path)
    return path


@cache
def demo_db() -> bytes:
    """Return a file of the season that `keizer demo` makes up."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder, "demo.db")
        run_keizer("demo", db)
        return db.read_bytes()


@cache
def _template(script: str) -> sqlite3.Connection:
    """Return a file in memory that is made once, and copied."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(script)
    return connection


def empty() -> sqlite3.Connection:
    """Return an empty file in memory, foreign keys off as in most clients."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _template(sql.script()).backup(connection)
    return connection


def run_keizer(*args: object, stdin: str | None = None, fails: bool = False) -> Result:
    """Run a command in this process, as in `keizer("add", db, "Baker")`.

    Args:
        args: The words of the command.
        stdin: What is typed, or piped in.
        fails: Demand a refusal instead of a success.
    """
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
    """Return what a client prints: rows (with tabs), "ok" or "refused: ..."."""
    printed = []
    for statement in statements:
        try:
            rows = ["\t".join(map(str, row)) for row in ask(statement)]
            printed += rows or ["ok"]
        except refusal as error:
            printed.append(f"refused: {error}")
    return printed


def needs_program(there: bool, what: str) -> None:
    """Skip a test if a program is not installed; in CI, let it fail."""
    if there:
        return
    message = f"{what} is not installed"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def lines(command: list[str], stdin: str = "") -> list[str]:
    """Return what a program prints, which has to succeed."""
    process = subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def java(program: str, *args: object, stdin: str = "") -> list[str]:
    """Return what a program of tests/clients prints, with the JDBC driver."""
    # it runs for a moment only, so the options are those that start it fastest
    command = [
        "java",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        str(JDBC_JAR),
    ]
    return lines([*command, str(CLIENTS / program), *map(str, args)], stdin)


def puppeteer(script: str) -> list[str]:
    """Return the command that runs a script of tests/clients in Chromium."""
    node = shutil.which("node")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    package = CLIENTS / "node_modules/puppeteer-core"
    needs_program(node is not None and package.exists(), "puppeteer")
    needs_program(browser is not None, "Chromium")
    return [str(node), str(CLIENTS / script), str(browser)]


def needs(package: str) -> Any:
    """Import a package of extra `clients`, or a module of one.

    pip install -e '.[test,clients]' installs them.
    """
    name = package.partition(".")[0]
    needs_program(find_spec(name) is not None, f"{name}, of the extra clients,")
    return import_module(package)


def public_views(conn: sqlite3.Connection) -> list[str]:
    """Return the names of the views that are not private."""
    views = conn.execute(
        "SELECT name FROM sqlite_master"
        " WHERE type = 'view' AND name NOT LIKE 'z\\_%' ESCAPE '\\'"
    )
    return [name for (name,) in views]


def dump_connection(conn: sqlite3.Connection) -> list[str]:
    """Return a file as statements, but for the log, which only grows."""
    log = ('INSERT INTO "log"', 'INSERT INTO "command"')
    return [line for line in conn.iterdump() if not line.startswith(log)]


def dump(path: Path) -> list[str]:
    """Return a file as statements, but for the log, by its path."""
    with closing(sqlite3.connect(path)) as conn:
        return dump_connection(conn)


def one_sentence(text: str) -> bool:
    """Return whether a command has printed one line: a sentence, or a question."""
    line = text.strip()
    is_alone = len(line.splitlines()) == 1
    return is_alone and line.startswith("Error: ") and line.endswith((".", "?"))


def timeless(lines: Iterable[object]) -> list[str]:
    """Return lines with each moment as "?"."""
    moment = re.compile(r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d'")
    return [moment.sub("?", str(line)) for line in lines]


def dump_with_rules(db: Path) -> list[Any]:
    """Return all that a file says; of its log only the changes of rules."""
    changes = rows(db, "SELECT * FROM rule_history")
    return [*dump(db), *sorted(changes, key=str)]
