"""SIGKILL at a random moment of a random command."""

import random
import shutil
import subprocess
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.campaign.commands import Case, Run, program
from tests.campaign.jobs import Outcome
from tests.campaign.judging import judge
from tests.campaign.setting import Part, Setting
from tests.conftest import ROOT


class Point(NamedTuple):
    """Which command, and after what share of its run time."""

    case: int
    share: float


def kill(setting: Setting, cases: Sequence[Case], scratch: Path, point: Point) -> Outcome:
    """One command that is killed, if it still runs."""
    case, folder = cases[point.case], scratch / "club"
    shutil.copytree(case.folder, folder)
    with subprocess.Popen(
        program(case, folder), cwd=ROOT, env=setting.environment, text=True, encoding="utf-8",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        time.sleep(point.share * case.seconds)
        process.kill()
        out, err = process.communicate(timeout=30)
    run = Run(process.returncode, out, err)
    outcome = judge(case, folder, run)
    outcome.figures["killed" if run.code == -9 else "came to its end before"] += 1
    if run.code not in (0, -9):
        outcome.failures.append(f"exit code {run.code}: {err.strip()}")
    return outcome


def main(setting: Setting) -> Part:
    """So many kills, spread over a little more than the run time."""
    part = Part("kills")
    cases = setting.cases()
    rng = random.Random(setting.size.seed)
    points = [
        Point(rng.randrange(len(cases)), rng.uniform(0, 1.2)) for _ in range(setting.size.kills)
    ]
    for point, outcome in setting.work_off(partial(kill, setting, cases), points):
        part.add(f"{cases[point.case].name} after {point.share:.0%} of its time", outcome)
    return part
