"""What people install: the wheel, the commands, the documents."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import click
import pytest

import keizer
from tests.support.files import ROOT, Keizer


def run(*command: object, folder: Path = ROOT, **environment: str) -> str:
    """What a program prints."""
    return subprocess.run(
        [*map(str, command)], check=True, capture_output=True, text=True, encoding="utf-8",
        cwd=folder, env={**os.environ, **environment},
    ).stdout  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, ROOT)
    (found,) = folder.glob("*.whl")
    return found


def test_the_wheel_ships_the_sql_and_its_types(wheel: Path) -> None:
    shipped = set(zipfile.ZipFile(wheel).namelist())
    views = {f"keizer/{path.relative_to(ROOT).as_posix()}" for path in ROOT.glob("views/**/*.sql")}
    assert "keizer/views/log/code.sql" in views
    assert {"keizer/schema.sql", "keizer/py.typed", *views} <= shipped
    page = {path for path in (ROOT / "keizer/site").rglob("*.*") if path.suffix != ".pyc"}
    assert {path.relative_to(ROOT).as_posix() for path in page} <= shipped


@pytest.mark.seeds
def test_the_wheel_runs_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Installed by itself, beside the dependencies this environment has."""
    home = tmp_path / "env"
    venv.create(home, with_pip=False, symlinks=True)
    site = next(home.glob("lib/python*/site-packages"))
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel)
    there = f"{site}{os.pathsep}{Path(click.__file__).parent.parent}"

    def python(*args: str) -> str:
        return run(home / "bin" / "python", "-P", *args, folder=tmp_path, PYTHONPATH=there)

    assert python("-m", "keizer", "--version") == f"keizer, version {keizer.__version__}\n"
    python("-m", "keizer", "init", "club.db", "--name", "Club", "--preset", "keizerforclubs")
    for name in ("Anna", "Boris"):
        python("-m", "keizer", "add", "club.db", name)
    assert "Boris" in python("-m", "keizer", "next-round", "club.db")
    assert python("-c", "import keizer; print(keizer.__file__)").startswith(str(site))


def test_the_changelog_knows_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(keizer.__version__)}\b", text, re.MULTILINE)


HEAVY = {
    "sqlite_utils", "numpy", "jinja2", "json", "csv", "pathlib", "shutil", "tempfile", "getpass",
    "unicodedata", "tomllib", "keizer.cli.rules", "keizer.store.migration",
    "keizer.store.restoring",
}  # fmt: skip
"""What takes longer to import than a club night's command has time for."""
LISTED = ("standings", "pairings", "result 1 1-0", "explain Anna")


@pytest.mark.parametrize("line", [*LISTED, "next-round --again"])
def test_the_hot_path_stays_light(club: Path, keizer: Keizer, line: str) -> None:
    """Nothing heavy is imported that `import click, sqlite3` does not, nor what pairs."""
    keizer("next-round", club)
    pairing = {"keizer.pairing", "keizer.store.snapshots"}
    explained = {"json"}  # what a line notes is a message, and its facts
    of_line = {"explain Anna": explained, "next-round --again": pairing}
    assert _imported(club, line) & {*HEAVY, *pairing} == of_line.get(line, {*()})


def _imported(db: Path, line: str) -> set[str]:
    """The modules that a command adds to those of click and sqlite3."""
    command, *rest = line.split()
    code = (
        "import sys, click, sqlite3; before = {*sys.modules}; from keizer.cli import main;"
        f"main({[command, str(db), *rest]}, standalone_mode=False);"
        "print(*{*sys.modules} - before)"
    )
    return set(run(sys.executable, "-c", code).splitlines()[-1].split())
