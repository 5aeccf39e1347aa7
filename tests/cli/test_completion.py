"""What Tab offers beside commands, options and files: click's own interface, and a real bash."""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from keizer.cli import main
from tests.support.console import Console
from tests.support.files import needs_program, run_keizer

HOSTILE = "Xa $(touch ran) `touch ran` \"b\" 'c' $HOME & *"


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of four in which round 1 is paired."""
    console = Console(tmp_path_factory.mktemp("shell") / "club.db")
    console("init --name 'Club night'")
    for name in ("Judit Baker", "Carter", "Jan Smith", HOSTILE):
        run_keizer("add", console.db, name)
    console("next-round && rules --add-kind 'late notice'")
    return console.db


@pytest.fixture
def db(season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A copy of it, in the folder we are in, which is our home."""
    shutil.copy(season, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("_KEIZER_COMPLETE", "zsh_complete")
    return season.name


def offered(line: str) -> list[str]:
    """What is offered for the last word of a line; for the next one where it ends in a space."""
    words = shlex.split(line)
    incomplete = "" if line.endswith(" ") else words.pop()
    complete = ShellComplete(main, {}, "keizer", "_KEIZER_COMPLETE")
    return [item.value for item in complete.get_completions(words, incomplete)]


OFFERED = {
    "card club.db j": ["Judit Baker", "Jan Smith"],  # capitals do not matter
    "head-to-head club.db Carter JUDIT-": ["Judit Baker"],
    "card ~/club.db c": ["Carter"],
    "card $HOME/club.db -t club ca": ["Carter"],
    "card club.db -t Blitz ": [],
    "result club.db ca": ["Carter"],
    "standings club.db --round ": ["1"],
    "absent club.db Carter --kind late": ["late-notice"],
    "rules club.db top": ["top_value="],
    "rules club.db --preset half": [],
    "rules club.db --preset swiss-h": ["swiss-half"],
    "describe club.db cu": ["current_standings"],
    "describe club.db _": [],
}


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("line", OFFERED)
def test_what_is_offered(line: str) -> None:
    assert offered(line) == OFFERED[line]


@pytest.mark.parametrize("what", ["missing", "folder", "text", "older", "damaged", "locked"])
def test_a_file_that_is_of_no_use_offers_nothing_and_is_left_alone(
    db: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(db)
    if what in ("missing", "folder", "text"):
        path.unlink()
    if what == "folder":
        path.mkdir()
    elif what == "text":
        path.write_text("Baker, Carter")
    elif what == "older":
        with closing(sqlite3.connect(path)) as conn:
            conn.executescript("DROP TABLE x_player_tournament; DROP TABLE tournament")
    elif what == "damaged":
        path.write_bytes(path.read_bytes()[:5000])
    there = path.exists()
    with closing(sqlite3.connect(db if what == "locked" else ":memory:")) as conn:
        conn.execute("BEGIN EXCLUSIVE")
        for line in ("card {} ", "pairings {} -r ", "rules {} "):
            assert offered(line.format(db)) == [], line
    assert capsys.readouterr() == ("", "")
    assert path.exists() == there


def test_only_shells_that_run_no_name_are_offered_one(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PowerShell takes what it gets, and reads curly quotes as quotes."""
    monkeypatch.setenv("_KEIZER_COMPLETE", "powershell_complete")
    assert offered(f"card {db} ") == []


def test_bash_reads_an_offer_as_the_very_name(
    db: str, monkeypatch: pytest.MonkeyPatch, installed: str
) -> None:
    needs_program(shutil.which("bash") is not None, "bash")
    monkeypatch.setenv("_KEIZER_COMPLETE", "bash_complete")
    for typed, name in (("jud", "Judit Baker"), ("'Jud", "Judit Baker"), ("xa", HOSTILE)):
        script = f"""
            eval "$(_KEIZER_COMPLETE=bash_source keizer)"
            COMP_WORDS=(keizer card {db} {shlex.quote(typed)}) COMP_CWORD=3
            _keizer_completion keizer && eval "printf %s ${{COMPREPLY[*]}}"
        """
        path = f"{Path(installed).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "--norc", "-c", script],
            check=True, capture_output=True, encoding="utf-8", env={**os.environ, "PATH": path},
        )  # fmt: skip
        assert (done.stdout, done.stderr) == (name, "")
    assert not Path("ran").exists()


def test_commands_do_not_load_what_only_completion_needs() -> None:
    code = (
        "import sys; from importlib import import_module; from keizer.cli import FAMILIES, main;"
        "[import_module(f'keizer.cli.{module}')"
        " for family in FAMILIES.values() for module in family.values()];"
        "print('click.shell_completion' in sys.modules, 'keizer.cli.completion' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False False\n"
