"""Processes that work off points; one that hangs or dies is replaced, and that is a failure."""

import multiprocessing
import shutil
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

_FORK = multiprocessing.get_context("fork")


@dataclass
class Outcome:
    """What was wrong, a sentence each, and what is worth counting."""

    failures: list[str] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    found: Any = None


Task = Callable[[Path, Any], Outcome]
"""What is done for a point; the folder is its own, and empty."""


def _serve(pipe: Connection, task: Task, folder: Path) -> None:
    while True:
        point = pipe.recv()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            outcome = task(folder, point)
        except Exception:  # noqa: BLE001
            outcome = Outcome([f"the campaign itself broke: {traceback.format_exc()}"])
        outcome.failures = [failure.replace(f"{folder}/", "") for failure in outcome.failures]
        pipe.send(outcome)


class _Worker:
    """A process with a folder of its own, which does one point after the other."""

    def __init__(self, task: Task, folder: Path, limit: float) -> None:
        self.task, self.folder, self.limit = task, folder, limit
        self.start()

    def start(self) -> None:
        self.pipe, theirs = _FORK.Pipe()
        serve = (theirs, self.task, self.folder)
        self.process = _FORK.Process(target=_serve, args=serve, daemon=True)
        self.process.start()
        theirs.close()

    def begin(self, point: Any) -> None:
        if not self.process.is_alive():
            self.start()
        self.point, self.deadline = point, time.monotonic() + self.limit
        self.pipe.send(point)

    def outcome(self) -> Outcome | None:
        """What came back, or that nothing did; None while there is time."""
        if self.pipe.poll():
            try:
                outcome: Outcome = self.pipe.recv()
            except EOFError:
                self.process.join()
                return Outcome([f"the process died, exit code {self.process.exitcode}"])
            return outcome
        if time.monotonic() < self.deadline:
            return None
        self.end()
        return Outcome([f"took longer than {self.limit:.0f} s"])

    def end(self) -> None:
        self.process.kill()
        self.process.join()


def work_off(
    task: Task, points: Iterable[Any], *, jobs: int, scratch: Path, limit: float = 120
) -> Iterator[tuple[Any, Outcome]]:
    """Each point and its outcome, as they come; `jobs` at a time, no longer than `limit` s."""
    left = iter(points)
    workers = []
    for job, point in zip(range(jobs), left, strict=False):
        workers.append(_Worker(task, scratch / f"job{job}", limit))
        workers[-1].begin(point)
    while workers:
        wait([worker.pipe for worker in workers], timeout=1)
        for worker in list(workers):
            outcome = worker.outcome()
            if outcome is None:
                continue
            yield worker.point, outcome
            try:
                worker.begin(next(left))
            except StopIteration:
                worker.end()
                workers.remove(worker)
