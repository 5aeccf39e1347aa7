"""Processes that work off points; one that hangs or dies is replaced, and that is a failure."""

import multiprocessing
import shutil
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
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


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    point: Any
    deadline: float


def _serve(pipe: Connection, task: Task, folder: Path) -> None:
    while True:
        point = pipe.recv()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            outcome = task(folder, point)
        except Exception:  # noqa: BLE001
            outcome = Outcome([f"the campaign itself broke: {traceback.format_exc()}"])
        outcome.failures = [it.replace(f"{folder}/", "") for it in outcome.failures]
        pipe.send(outcome)


def _start(task: Task, folder: Path) -> tuple[BaseProcess, Connection]:
    ours, theirs = _FORK.Pipe()
    process = _FORK.Process(target=_serve, args=(theirs, task, folder), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def work_off(
    task: Task, points: Iterable[Any], *, jobs: int, scratch: Path, limit: float = 120
) -> Iterator[tuple[Any, Outcome]]:
    """Each point and its outcome, as they come; so many at a time, no longer than `limit` s."""
    left = iter(points)
    workers: list[_Worker] = []
    for job, point in zip(range(jobs), left, strict=False):
        process, pipe = _start(task, scratch / f"job{job}")
        workers.append(_Worker(process, pipe, point, time.monotonic() + limit))
        pipe.send(point)
    while workers:
        ready = wait([worker.pipe for worker in workers], timeout=1)
        for job, worker in enumerate(list(workers)):
            overdue = time.monotonic() > worker.deadline
            if worker.pipe not in ready and not overdue:
                continue
            outcome = _outcome(worker, limit if worker.pipe not in ready else None)
            yield worker.point, outcome
            try:
                worker.point = next(left)
            except StopIteration:
                worker.process.terminate()
                worker.process.join()
                workers.remove(worker)
                continue
            if not worker.process.is_alive():
                folder = scratch / f"again{job}.{time.monotonic_ns()}"
                worker.process, worker.pipe = _start(task, folder)
            worker.deadline = time.monotonic() + limit
            worker.pipe.send(worker.point)


def _outcome(worker: _Worker, overdue: float | None) -> Outcome:
    """What came back; or that nothing did."""
    if overdue is None:
        try:
            outcome: Outcome = worker.pipe.recv()
        except EOFError:
            worker.process.join()
            return Outcome([f"the process died, exit code {worker.process.exitcode}"])
        return outcome
    worker.process.kill()
    worker.process.join()
    return Outcome([f"took longer than {overdue:.0f} s"])
