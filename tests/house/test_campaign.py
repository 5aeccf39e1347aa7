"""The fault campaign itself: what is wrong is found."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quality.campaign.commands import FILE, Case, Command, Run, beside, facts
from quality.campaign.judging import judge
from tests.support.files import ROOT
from tests.support.files import run_keizer as done

pytestmark = pytest.mark.seeds

DONE = "Anna (#1) plays from round 1.\n"


def test_a_task_that_dies_or_hangs_is_a_failure_and_the_next_is_done(
    tmp_path: Path,
) -> None:
    script = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from quality.campaign.jobs import Outcome, work_off\n"
        "def task(folder, point):\n"
        "    if point == 'die': os._exit(3)\n"
        "    if point == 'hang': signal.pause()\n"
        "    return Outcome()\n"
        f"for point, outcome in work_off(task, ['die', 'hang', 'work'], jobs=1,"
        f" scratch=Path({str(tmp_path)!r}), limit=0.2):\n"
        "    print(point, outcome.failures)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == [
        "die ['the process died, exit code 3']",
        "hang ['took longer than 0 s']",
        "work []",
    ]


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A command that adds Anna, and the folders as they are before and after it."""
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    done("init", before / FILE, "--name", "Club")
    shutil.copytree(before, after)
    done("add", after / FILE, "Anna")
    command = Command("add @club.db Anna")
    both = facts(before / FILE), facts(after / FILE)
    return Case(command, before, *both, beside(after))


def test_each_thing_that_can_be_wrong_is_found(case: Case, tmp_path: Path) -> None:
    def judged(
        name: str, run: Run, *more: str, litter: str = "", failed: bool = False
    ) -> list[str]:
        folder = tmp_path / "judged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / name, folder)
        for line in more:
            done(*case.command.words(folder, line))
        if litter:
            (folder / litter).touch()
        return judge(case, folder, run, failed_call=failed).failures

    killed, failed = Run(-9, "", ""), Run(1, "", "Error: disk I/O error.\n")
    assert judged("before", killed) == judged("after", killed) == []
    assert (
        judged("after", Run(0, DONE, "")) == judged("before", failed, failed=True) == []
    )
    assert judged("after", killed, litter=".club.db.1.new") == []

    assert "but the facts are those before" in judged("before", Run(0, DONE, ""))[0]
    assert "but the facts are those after" in judged("after", failed, failed=True)[0]
    assert judged("after", killed, litter="club.db.part") == [
        "club.db.part is left beside the file"
    ]
    half = judged("before", killed, "add @club.db Boris")
    assert half[0].startswith("the facts are neither those before")
    assert half[1].startswith("repeated: not as in an undisturbed run: ")
    broken = Run(1, "", "Traceback (most recent call last):\n  ...\nValueError: x\n")
    assert judged("before", broken, failed=True) == ["a traceback: ValueError: x"]
    silent = Run(0, "", "")
    assert judged("after", silent, failed=True) == ["succeeded without saying anything"]
