"""SIGKILL at a random moment of a random command."""

import random
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

from quality.campaign.commands import ended, program, started
from quality.campaign.jobs import Outcome
from quality.campaign.judging import judge
from quality.campaign.setting import SEED, Part, Setting


class Point(NamedTuple):
    """Which command, and after what share of its run time."""

    case: int
    share: float


def kill(setting: Setting, scratch: Path, point: Point) -> Outcome:
    """One command that is killed, if it still runs."""
    case = setting.cases[point.case]
    folder = case.copied(scratch)
    process = started(program(case, folder), setting.environment)
    time.sleep(point.share * case.seconds)
    process.kill()
    end = ended(process)
    outcome = judge(case, folder, end)
    outcome.figures["killed" if end.code == -9 else "came to its end before"] += 1
    if end.code not in (0, -9):
        outcome.failures.append(f"exit code {end.code}: {end.err.strip()}")
    return outcome


def main(setting: Setting) -> Part:
    """The kills, spread over a little more than the run time."""
    part = Part("kills")
    rng = random.Random(SEED)
    drawn = [rng.randrange(len(setting.cases)) for _ in range(setting.size.kills)]
    points = [Point(index, rng.uniform(0, 1.1)) for index in drawn]
    for point, outcome in setting.work_off(partial(kill, setting), points):
        part.add(f"{setting.cases[point.case].name} after {point.share:.0%} of its time", outcome)
    return part
