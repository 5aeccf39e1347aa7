"""What `keizer` alone says: on a terminal what to type next, elsewhere its help."""

import os
import re
import shlex
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner

from keizer.cli import main
from tests.support.console import Console
from tests.support.files import edit


class Prompt:
    """A terminal of 80 columns in a folder, in which `keizer` is typed."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder

    def __call__(self) -> str:
        child = pexpect.spawn(
            shlex.quote(self.program), cwd=str(self.folder), encoding="utf-8", timeout=60,
            dimensions=(24, 80),
        )  # fmt: skip
        child.expect(pexpect.EOF)
        child.wait()
        shown = str(child.before).replace("\r\n", "\n")
        assert child.exitstatus == 0, shown
        assert shown.endswith("lists all commands\n")
        assert max(map(len, shown.splitlines()[1:])) <= 80
        return shown

    def commands(self) -> list[str]:
        """The commands that it says; the face and the help, which are always there, left out."""
        *found, serve, last = re.findall(r"(?m)^  (keizer .*?)  ", self())
        assert serve.startswith("keizer serve") and last == "keizer --help"
        return found


@pytest.fixture
def prompt(tmp_path: Path, installed: str) -> Prompt:
    return Prompt(installed, tmp_path)


BEGIN = [
    "keizer demo",
    'keizer init club.db --name "Club 2026"',
    "keizer import club.db members.csv",
    "keizer add club.db NAME",
]


def test_where_there_is_no_file_it_says_how_to_begin(prompt: Prompt) -> None:
    assert prompt().startswith("There is no season file in this folder.")
    assert prompt.commands() == BEGIN


def test_it_follows_the_season_and_each_command_is_ready_to_type(prompt: Prompt) -> None:
    console = Console(prompt.folder / "our club.db")
    named = "'our club.db'"

    def follows(before: str, state: str, *commands: str) -> None:
        console(before)
        assert prompt().startswith(f"our club.db: {state}. Next:\n")
        assert prompt.commands() == [command.replace("DB", named) for command in commands]

    pair = ("keizer absent DB NAME", "keizer next-round DB")
    follows(
        "init --name Friday",
        "“Friday” has no players yet",
        "keizer import DB members.csv",
        "keizer add DB NAME",
    )
    follows("add Baker && add Carter", "no round of “Friday” is paired yet", *pair)
    follows(
        "next-round",
        "round 1 of “Friday” is a draft",
        "keizer pairings DB",
        "keizer publish-round DB",
        "keizer result DB",
    )
    follows(
        "publish-round",
        "round 1 of “Friday” lacks 1 result",
        "keizer result DB",
        "keizer standings DB",
    )
    follows("result 1 1-0", "round 1 of “Friday” is complete", "keizer standings DB", *pair)


def test_several_files_are_named(prompt: Prompt) -> None:
    for name in ("winter", "summer"):
        Console(prompt.folder / f"{name}.db")(f"init --name {name}")
    assert prompt().startswith("Season files in this folder: summer.db, winter.db.")
    assert prompt.commands() == ["keizer standings summer.db"]


def test_of_several_tournaments_one_has_to_be_named(prompt: Prompt) -> None:
    Console(prompt.folder / "club.db")("init --name Friday && init --name Blitz")
    assert "--tournament" in prompt()


@pytest.mark.parametrize("what", ["text", "empty", "folder", "short", "foreign", "pipe", "gone"])
def test_what_is_no_season_file_is_ignored(prompt: Prompt, what: str) -> None:
    path = prompt.folder / "other.db"
    if what == "text":
        path.write_text("Baker, Carter")
    elif what == "empty":
        path.touch()
    elif what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "gone":
        path.symlink_to("nowhere")
    else:
        Console(path)("init --name Friday")
        if what == "foreign":
            edit(path, "PRAGMA application_id = 0")
        else:
            path.write_bytes(path.read_bytes()[:40])
    assert prompt.commands() == BEGIN


@pytest.mark.parametrize("keep", [100, 5000])
def test_a_damaged_file_is_said_to_be_damaged(prompt: Prompt, keep: int) -> None:
    path = prompt.folder / "club.db"
    Console(path)("init --name Friday")
    path.write_bytes(path.read_bytes()[:keep])
    assert "keizer restore" in prompt()


def test_elsewhere_than_on_a_terminal_it_is_the_help() -> None:
    alone, asked = (CliRunner().invoke(main, words) for words in ([], ["--help"]))
    assert alone.exit_code == 0
    assert alone.stdout == asked.stdout
