"""Several at once: four who write into one file, two who pair the same round."""

import re
import shutil
from collections.abc import Sequence
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path

from quality.campaign.commands import FILE, Case, beside, facts, keizer, run, running
from quality.campaign.jobs import Outcome, work_off
from quality.campaign.judging import differing, integrity, one_sentence
from quality.campaign.setting import PLAYERS, Part, Setting
from tests.support.files import rows

WRITERS = 4
_PATIENCE = 100


def enter(db: Path, corrections: int, _scratch: Path, writer: int) -> Outcome:
    """One of the writers: a correction each time, again while the file is locked."""
    outcome = Outcome(found=[])
    for number in range(corrections):
        reason, player = (
            f"writer {writer}, {number}",
            f"player {1 + number % PLAYERS:02}",
        )
        for _ in range(_PATIENCE):
            said = keizer("correct", db, player, 1, "--reason", reason)
            if said.exit_code == 0:
                outcome.found.append(reason)
                break
            if "locked" not in said.stderr or not one_sentence(said.stderr):
                outcome.failures.append(
                    f"{reason}: {said.stderr.strip() or said.exception!r}"
                )
                break
            outcome.figures["told that the file is locked, and tried again"] += 1
        else:
            outcome.failures.append(f"{reason}: locked {_PATIENCE} times")
    return outcome


def _all_at_once(setting: Setting, part: Part) -> None:
    db = Path(shutil.copy(setting.clubs[0], setting.scratch / "writers.db"))
    each = setting.size.corrections
    acknowledged: list[str] = []
    for writer, outcome in work_off(
        partial(enter, db, each), range(WRITERS), jobs=WRITERS,
        scratch=setting.scratch / "writers", limit=60 + 10 * each,
    ):  # fmt: skip
        part.add(f"writer {writer + 1}", outcome)
        acknowledged += outcome.found or []
    part.runs += WRITERS * (each - 1)  # a run is a correction here
    there = [reason for (reason,) in rows(db, "SELECT reason FROM correction")]
    verdict = Outcome()
    if sorted(there) != sorted(acknowledged):
        lost = sorted({*there} ^ {*acknowledged})
        verdict.failures.append(f"entered or in the file, and not both: {lost}")
    if integrity(db) != "ok" or keizer("check", db).exit_code:
        verdict.failures.append("`keizer check` finds problems")
    part.add("the file of all writers", verdict)


def pair_twice(
    setting: Setting, cases: Sequence[Case], scratch: Path, index: int
) -> Outcome:
    """Two processes that pair at the same time: one does, the other says why not."""
    case = cases[index]
    folder = case.copied(scratch)
    line = running(case.command.words(folder))
    with ThreadPool(2) as pool:
        runs = pool.map(partial(run, line), [setting.environment] * 2)
    refused = [one for one in runs if one.code]
    outcome = Outcome()
    if len(refused) != 1:
        outcome.failures.append(f"exit codes {[one.code for one in runs]}: {runs}")
    for one in refused:
        if not one_sentence(one.err):
            outcome.failures.append(f"not one sentence: {one.err.strip()!r}")
        said = re.sub(r"\d+", "#", one.err.replace(str(folder), "").strip())
        outcome.figures[f"the second is told: {said}"] += 1
    other = differing(facts(folder / FILE), case.after)
    if other or integrity(folder / FILE) != "ok":
        outcome.failures.append(f"not as after one pairing: {other or 'damaged'}")
    if beside(folder) != case.beside:
        outcome.failures.append(f"beside the file: {sorted(beside(folder))}")
    return outcome


def main(setting: Setting) -> Part:
    """Both."""
    part = Part("writers")
    _all_at_once(setting, part)
    cases = [case for case in setting.cases if case.name.startswith("next-round")]
    turns = [turn % len(cases) for turn in range(setting.size.pairs)]
    for index, outcome in setting.work_off(partial(pair_twice, setting, cases), turns):
        part.add(f"{cases[index].name} twice at once", outcome)
    return part
