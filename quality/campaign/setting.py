"""What all parts share: sizes, folders, the seasons, and what is printed in the end."""

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from quality.campaign import clubs, commands
from quality.campaign.jobs import Outcome, Task, work_off


class Size(NamedTuple):
    """How much of everything; None: all there is."""

    rounds: int
    commands: int | None
    faults: int | None
    kills: int
    results: int
    pairs: int
    flips: int
    cuts: int


CI = Size(33, None, faults=120, kills=40, results=25, pairs=15, flips=30, cuts=10)
FULL = Size(33, None, faults=None, kills=10_000, results=1000, pairs=200, flips=10_000, cuts=1000)
FEW = Size(1, commands=1, faults=2, kills=1, results=2, pairs=1, flips=1, cuts=1)
SEED = 1958


@dataclass
class Setting:
    """Where a campaign runs, and how large it is."""

    size: Size
    jobs: int
    scratch: Path
    share: tuple[int, int] = (1, 1)
    """The k-th of n equal parts of all points."""

    @cached_property
    def environment(self) -> dict[str, str]:
        """Of the processes: what is compiled once stays so."""
        return {
            name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }

    @cached_property
    def clubs(self) -> clubs.Clubs:
        """The two seasons, made when they are first needed."""
        folder = self.scratch / "clubs"
        folder.mkdir()
        return clubs.build(folder, self.size.rounds)

    @cached_property
    def cases(self) -> list[commands.Case]:
        """The commands to be disturbed, on both files; those on the small file first."""
        return [
            commands.prepare(
                command, club, file, self.scratch / club / str(index), self.environment
            )
            for club, file in self.clubs._asdict().items()
            for index, command in enumerate(commands.COMMANDS[: self.size.commands])
        ]

    def work_off(self, task: Task, points: Sequence[Any]) -> Iterator[tuple[Any, Outcome]]:
        """Each point of our share and its outcome, as many at a time as there are jobs."""
        k, n = self.share
        points = points[len(points) * (k - 1) // n : len(points) * k // n]
        work = work_off(task, points, jobs=self.jobs, scratch=self.scratch / "runs")
        tenth = max(len(points) // 10, 50)
        for number, pair in enumerate(work, 1):
            yield pair
            if number % tenth == 0:
                print(f"... {number} of {len(points)}", flush=True)  # noqa: T201


@dataclass
class Part:
    """What a part of the campaign found."""

    name: str
    runs: int = 0
    failures: list[str] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0

    def say(self, line: str) -> None:
        """Print a line of this part."""
        print(f"{self.name}: {line}", flush=True)  # noqa: T201

    def add(self, where: str, outcome: Outcome) -> None:
        """Count a run; what was wrong with it is printed at once."""
        self.runs += 1
        self.figures += outcome.figures
        for failure in outcome.failures:
            self.say(f"FAILURE, {where}: {failure}")
        if outcome.failures:
            self.failures.append(where)

    def close(self) -> None:
        """Print its figures."""
        self.seconds = time.monotonic() - self.began
        for figure, number in sorted(self.figures.items()):
            self.say(f"{figure}: {number}")
