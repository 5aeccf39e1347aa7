"""SIGKILL at a random moment of a random command."""

import random
import shutil
import subprocess
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from quality.campaign.commands import Case, Run, program, run
from quality.campaign.jobs import Outcome
from quality.campaign.judging import judge
from quality.campaign.setting import Part, Setting
from tests.support.files import ROOT


class Point(NamedTuple):
    """Which command, and after what share of its run time, in seconds."""

    case: int
    share: float
    seconds: float


def seconds(setting: Setting, case: Case) -> float:
    """How long a command takes."""
    folder = setting.scratch / "timed"
    shutil.copytree(case.folder, folder)
    began = time.monotonic()
    run(program(case, folder), setting.environment)
    taken = time.monotonic() - began
    shutil.rmtree(folder)
    return taken


def kill(setting: Setting, cases: Sequence[Case], scratch: Path, point: Point) -> Outcome:
    """One command that is killed, if it still runs."""
    case, folder = cases[point.case], scratch / "club"
    shutil.copytree(case.folder, folder)
    with subprocess.Popen(
        program(case, folder), cwd=ROOT, env=setting.environment, text=True, encoding="utf-8",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        time.sleep(point.share * point.seconds)
        process.kill()
        out, err = process.communicate(timeout=30)
    outcome = judge(case, folder, Run(process.returncode, out, err))
    outcome.figures["killed" if process.returncode == -9 else "came to its end before"] += 1
    if process.returncode not in (0, -9):
        outcome.failures.append(f"exit code {process.returncode}: {err.strip()}")
    return outcome


def main(setting: Setting) -> Part:
    """So many kills, spread over a little more than the run time."""
    part = Part("kills")
    cases = setting.cases()
    rng = random.Random(setting.size.seed)
    taken = [min(seconds(setting, case) for _ in range(3)) for case in cases]
    drawn = [rng.randrange(len(cases)) for _ in range(setting.size.kills)]
    points = [Point(at, rng.uniform(0, 1.1), taken[at]) for at in drawn]
    for point, outcome in setting.work_off(partial(kill, setting, cases), points):
        part.add(f"{cases[point.case].name} after {point.share:.0%} of its time", outcome)
    return part
