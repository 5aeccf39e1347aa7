"""Processes that work off points, one each; one that hangs or dies is a failure."""

import multiprocessing
import shutil
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, NamedTuple

_FORK = multiprocessing.get_context("fork")


@dataclass
class Outcome:
    """What was wrong, a sentence each, and what is worth counting."""

    failures: list[str] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    found: Any = None


Task = Callable[[Path, Any], Outcome]
"""What is done for a point; the folder is its own, and empty."""


class _Run(NamedTuple):
    point: Any
    folder: Path
    pipe: Connection
    process: ForkProcess
    deadline: float


def _worked(pipe: Connection, task: Task, folder: Path, point: Any) -> None:
    try:
        outcome = task(folder, point)
    except Exception:  # noqa: BLE001
        outcome = Outcome([f"the campaign itself broke: {traceback.format_exc()}"])
    outcome.failures = [failure.replace(f"{folder}/", "") for failure in outcome.failures]
    pipe.send(outcome)


def _begun(task: Task, folder: Path, point: Any, limit: float) -> _Run:
    folder.mkdir(parents=True)
    pipe, theirs = _FORK.Pipe()
    process = _FORK.Process(target=_worked, args=(theirs, task, folder, point), daemon=True)
    process.start()
    theirs.close()
    return _Run(point, folder, pipe, process, time.monotonic() + limit)


def _outcome(run: _Run, limit: float) -> Outcome | None:
    """What came back, or that nothing did; None while there is time."""
    outcome = None
    if run.pipe.poll():
        try:
            outcome = run.pipe.recv()
        except EOFError:
            run.process.join()
            outcome = Outcome([f"the process died, exit code {run.process.exitcode}"])
    elif time.monotonic() > run.deadline:
        run.process.kill()
        outcome = Outcome([f"took longer than {limit:.0f} s"])
    if outcome:
        run.process.join()
        shutil.rmtree(run.folder, ignore_errors=True)
    return outcome


def work_off(
    task: Task, points: Iterable[Any], *, jobs: int, scratch: Path, limit: float = 120
) -> Iterator[tuple[Any, Outcome]]:
    """Each point and its outcome, as they come; `jobs` at a time, no longer than `limit` s."""
    left = enumerate(points)
    runs: list[_Run] = []
    while True:
        for number, point in islice(left, jobs - len(runs)):
            runs.append(_begun(task, scratch / str(number), point, limit))
        if not runs:
            return
        wait([run.pipe for run in runs], timeout=1)
        for run in list(runs):
            outcome = _outcome(run, limit)
            if outcome:
                runs.remove(run)
                yield run.point, outcome
