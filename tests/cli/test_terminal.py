"""What differs on a terminal: questions, and how far something is.

The real program runs in a pseudo-terminal.
"""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pexpect
import pytest

from tests.support.console import Console, new_club
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.posix
_CTRL_D = "\x04"


class Terminal:
    """An 80 x 24 terminal in a folder, in which keizer is run."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.console = Console(folder / "club.db")

    def talk(
        self, *args: str, asked: Sequence[tuple[str, str]] = (), code: int = 0
    ) -> str:
        """Each question in turn, as a pattern, and what is answered; what is printed last.

        An answer of several lines ends with Ctrl-D.
        """
        child = pexpect.spawn(
            self.program, list(args), cwd=str(self.folder), encoding="utf-8", timeout=PATIENCE,
            dimensions=(24, 80),
        )  # fmt: skip
        child.delaybeforesend = None
        for question, answer in asked:
            child.expect(question)
            child.send(answer if answer.endswith(_CTRL_D) else f"{answer}\n")
        child.expect(pexpect.EOF)
        child.wait()
        shown = re.sub(r"\x1b\[[0-9;]*m", "", str(child.before)).replace("\r\n", "\n")
        assert child.exitstatus == code, shown
        return shown


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    console = new_club(tmp_path_factory.mktemp("played") / "club.db", 30)
    console("next-round")
    console("result -", stdin="\n".join(f"{board} 1-0" for board in range(1, 16)))
    return console.db


@pytest.fixture
def terminal(tmp_path: Path, installed: str, _played: Path) -> Terminal:
    """With a club of 30 members after a round."""
    shutil.copy(_played, tmp_path / "club.db")
    return Terminal(installed, tmp_path)


def test_results_are_asked_for_board_by_board(terminal: Terminal) -> None:
    """One is corrected, and what it changes is told; a long game is left open."""
    terminal.console("next-round")
    asked = [("Board 1, .* – .*: ", "1"), ("Board 2, ", ""), ("Board 3, ", "1 0-1")]
    asked += [(r"0-1 \(was 1-0\)[\s\S]*Board 3, ", "q")]
    said = terminal.talk("result", "club.db", asked=asked)
    assert "1 of 15 boards of round 2 is in; provisional: boards 2" in said


def test_a_list_of_results_is_asked_about_before_it_changes_some(
    terminal: Terminal,
) -> None:
    results = "SELECT result FROM round WHERE board < 3 ORDER BY board"
    typed = f"1 0-1\n2 =\n{_CTRL_D}"
    asked = r"Round 1 has other results on boards 1 and 2\.\s+Do it\? "
    said = terminal.talk(
        "result", "club.db", "-", asked=[("", typed), (asked, "n")], code=1
    )
    assert "add --round 1 if that round is meant." in said
    assert terminal.console.rows(results) == [("1-0",), ("1-0",)]
    terminal.talk("result", "club.db", "-", asked=[("", typed), (asked, "y")])
    assert terminal.console.rows(results) == [("0-1",), ("½-½",)]


def test_a_rule_in_mid_season_is_changed_when_its_effect_was_seen(
    terminal: Terminal,
) -> None:
    scores = "SELECT name, score FROM current_standings"
    kept = terminal.console.rows(scores)
    seen = r"This changes ranks: P\d\d \d+ → \d+, .* more\.\s+Do it\? \[y/N\]"
    said = terminal.talk("rules", "club.db", "win=0", asked=[(seen, "n")], code=1)
    assert "nothing was changed" in said
    assert terminal.console.rows(scores) == kept
    assert terminal.talk("rules", "club.db", "win=0", "--yes").endswith("win=0\n")
    assert terminal.console.rows(scores) != kept


def test_a_check_says_how_far_it_is(terminal: Terminal) -> None:
    said = terminal.talk("check", "club.db")
    assert re.findall(r"(\d) of 4: ", said) == ["1", "2", "3", "4"]
    assert said.endswith("\r\x1b[Kclub.db is sound.\n")
    assert " of 4" not in terminal.console("check"), "in a pipe"


@pytest.mark.seeds
def test_an_import_of_a_season_says_how_far_it_is(terminal: Terminal) -> None:
    terminal.console(f"export '{terminal.folder}/report.trf'")
    terminal.talk("init", "new.db", "--name", "New")
    said = terminal.talk("import", "new.db", "report.trf")
    *stages, done = said.split("\r\x1b[K")
    assert stages == [
        "",
        "1 of 2: the file is read",
        "2 of 2: the standings are computed",
    ]
    assert done.endswith("30 players, 1 round, 15 games imported.\n")
