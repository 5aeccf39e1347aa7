"""What `keizer` alone says: on a terminal what to type next, elsewhere its help."""

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner

from keizer.cli import main
from tests.support.console import Console
from tests.support.files import edit

Prompt = Callable[[], tuple[str, list[str]]]


@pytest.fixture
def prompt(tmp_path: Path, installed: str) -> Prompt:
    """What it says in a folder; and the commands in it, but for those that are always there."""

    def run() -> tuple[str, list[str]]:
        said, code = pexpect.run(
            shlex.quote(installed), cwd=str(tmp_path), encoding="utf-8", withexitstatus=True
        )
        said = str(said).replace("\r\n", "\n")
        assert code == 0
        assert "next.db" in said or max(map(len, said.splitlines()[1:])) <= 80
        *found, serve, last = re.findall(r"(?m)^  (keizer .*?)  ", said)
        assert serve.startswith("keizer serve") and last == "keizer --help"
        return said, found

    return run


BEGIN = [
    "keizer demo",
    'keizer init club.db --name "Club 2026"',
    "keizer import club.db members.csv",
    "keizer add club.db NAME",
]
PAIR = ["keizer absent DB NAME", "keizer next-round DB"]
NIGHT = {
    "init --name Friday": (
        "“Friday” has no players yet",
        ["keizer import DB members.csv", "keizer add DB NAME"],
    ),
    "add Baker && add Carter": ("no round of “Friday” is paired yet", PAIR),
    "next-round": (
        "round 1 of “Friday” is a draft",
        ["keizer pairings DB", "keizer publish-round DB", "keizer result DB"],
    ),
    "publish-round": (
        "round 1 of “Friday” lacks 1 result",
        ["keizer result DB", "keizer standings DB"],
    ),
    "result 1 1-0": ("round 1 of “Friday” is complete", ["keizer standings DB", *PAIR]),
    "finish": (
        "“Friday” is finished",
        ["keizer finish DB", 'keizer init next.db --name "Club 2027" --from DB --rules'],
    ),
}
"""What is typed, how the season then stands, and what is next."""


def test_it_follows_the_season_and_each_command_is_ready_to_type(
    prompt: Prompt, tmp_path: Path
) -> None:
    console = Console(tmp_path / "our club.db")
    for typed, (state, commands) in NIGHT.items():
        console(typed)
        said, found = prompt()
        assert said.startswith(f"our club.db: {state}. Next:\n")
        assert found == [command.replace("DB", "'our club.db'") for command in commands]


def test_several_files_are_named_and_of_several_tournaments_one_has_to_be(
    prompt: Prompt, tmp_path: Path
) -> None:
    Console(tmp_path / "winter.db")("init --name Friday && init --name Blitz")
    assert "--tournament" in prompt()[0]
    Console(tmp_path / "summer.db")("init --name Friday")
    said, found = prompt()
    assert said.startswith("Season files in this folder: summer.db, winter.db.")
    assert found == ["keizer standings summer.db"]


def test_what_is_no_season_file_is_ignored(prompt: Prompt, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("Baker, Carter")
    (tmp_path / "empty.db").touch()
    (tmp_path / "folder.db").mkdir()
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "gone.db").symlink_to("nowhere")
    short, foreign = tmp_path / "short.db", tmp_path / "foreign.db"
    for path in (short, foreign):
        Console(path)("init --name Friday")
    short.write_bytes(short.read_bytes()[:40])
    edit(foreign, "PRAGMA application_id = 0")
    said, found = prompt()
    assert said.startswith("There is no season file in this folder.") and found == BEGIN


@pytest.mark.parametrize("keep", [100, 5000])
def test_a_damaged_file_is_said_to_be_damaged(prompt: Prompt, tmp_path: Path, keep: int) -> None:
    path = tmp_path / "club.db"
    Console(path)("init --name Friday")
    path.write_bytes(path.read_bytes()[:keep])
    assert "keizer restore" in prompt()[0]


def test_elsewhere_than_on_a_terminal_it_is_the_help() -> None:
    alone, asked = (CliRunner().invoke(main, words) for words in ([], ["--help"]))
    assert alone.exit_code == 0
    assert alone.stdout == asked.stdout
