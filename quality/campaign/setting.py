"""What all parts share: sizes, the seasons, the commands on them, and what is printed."""

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from quality.campaign import commands
from quality.campaign.jobs import Outcome, Task, work_off
from tests.support.files import edit
from tests.support.members import write_club


class Size(NamedTuple):
    """How much of everything; None: all there is."""

    faults: int | None
    """Of each command on each file."""
    corrections: int
    pairs: int
    flips: int
    cuts: int


CI = Size(faults=3, corrections=25, pairs=15, flips=30, cuts=10)
FULL = Size(faults=None, corrections=1000, pairs=200, flips=10_000, cuts=1000)
SEED = 1958
JOBS = os.cpu_count() or 1
PLAYERS, ROUNDS = 40, 33


@dataclass
class Setting:
    """Where a campaign runs, and how large it is."""

    size: Size
    scratch: Path

    @cached_property
    def environment(self) -> dict[str, str]:
        """Of the processes: what is compiled once stays so."""
        return {
            name: text
            for name, text in os.environ.items()
            if name != "PYTHONDONTWRITEBYTECODE"
        }

    @cached_property
    def clubs(self) -> tuple[Path, Path]:
        """Two files: one before its first round, one in the middle of its season."""
        folder = self.scratch / "clubs"
        folder.mkdir()
        empty, season = folder / "empty.db", folder / "season.db"
        names = [f"Player {number:02}" for number in range(1, PLAYERS + 1)]
        write_club(empty, names, 0)
        write_club(season, names, ROUNDS)
        edit(season, "UPDATE round SET result = '1-0' WHERE result IS NULL")
        return empty, season

    @cached_property
    def cases(self) -> list[commands.Case]:
        """The commands to be disturbed, on both files; those on the small file first."""
        return [
            commands.prepare(
                command, file, self.scratch / file.stem / str(index), self.environment
            )
            for file in self.clubs
            for index, command in enumerate(commands.COMMANDS)
        ]

    def work_off(
        self, task: Task, points: Iterable[Any]
    ) -> Iterator[tuple[Any, Outcome]]:
        """Each point and its outcome, as many at a time as there are processors."""
        return work_off(task, points, jobs=JOBS, scratch=self.scratch / "runs")


@dataclass
class Part:
    """What a part of the campaign found."""

    name: str
    runs: int = 0
    failures: list[str] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)

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

    def close(self) -> tuple[str, bool]:
        """Print its figures; its line of the table, and whether anything failed."""
        for figure, number in sorted(self.figures.items()):
            self.say(f"{figure}: {number}")
        seconds = time.monotonic() - self.began
        row = f"{self.name:10}{self.runs:8}{len(self.failures):10}{seconds:9.0f}"
        return row, bool(self.failures)
