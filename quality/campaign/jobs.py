"""Processes that work off points, one each; one that hangs or dies is a failure."""

import multiprocessing
import shutil
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.pool import ThreadPool
from pathlib import Path
from threading import Lock
from typing import Any

_FORK = multiprocessing.get_context("fork")
_TURN = Lock()
"""No process is to have the end of another's pipe, or it would not be known that that one died."""


@dataclass
class Outcome:
    """What was wrong, a sentence each, and what is worth counting."""

    failures: list[str] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    found: Any = None


Task = Callable[[Path, Any], Outcome]
"""What is done for a point; the folder is its own, and empty."""


def _worked(pipe: Connection, task: Task, folder: Path, point: Any) -> None:
    try:
        outcome = task(folder, point)
    except Exception:  # noqa: BLE001
        outcome = Outcome([f"the campaign itself broke: {traceback.format_exc()}"])
    outcome.failures = [
        failure.replace(f"{folder}/", "") for failure in outcome.failures
    ]
    pipe.send(outcome)


def _done(task: Task, scratch: Path, limit: float, numbered: tuple[int, Any]) -> Any:
    number, point = numbered
    folder = scratch / str(number)
    folder.mkdir(parents=True)
    with _TURN:
        pipe, theirs = _FORK.Pipe(duplex=False)
        process = _FORK.Process(
            target=_worked, args=(theirs, task, folder, point), daemon=True
        )
        process.start()
        theirs.close()
    try:
        outcome = (
            pipe.recv()
            if pipe.poll(limit)
            else Outcome([f"took longer than {limit:.0f} s"])
        )
    except EOFError:
        process.join()
        outcome = Outcome([f"the process died, exit code {process.exitcode}"])
    process.kill()
    process.join()
    shutil.rmtree(folder, ignore_errors=True)
    return point, outcome


def work_off(
    task: Task, points: Iterable[Any], *, jobs: int, scratch: Path, limit: float = 600
) -> Iterator[tuple[Any, Outcome]]:
    """Each point and its outcome, as they come; `jobs` at a time.

    limit: seconds by the clock. They end what hangs, and say nothing of how fast anything is.
    """
    with ThreadPool(jobs) as pool:
        yield from pool.imap_unordered(
            partial(_done, task, scratch, limit), enumerate(points)
        )
