"""SIGKILL, a full disk and a broken one at every system call that writes."""

import os
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from quality.campaign.commands import Case, run, running
from quality.campaign.jobs import Outcome
from quality.campaign.judging import judge
from quality.campaign.setting import JOBS, SEED, Part, Setting

CALLS = (
    "write", "pwrite64", "writev", "pwritev", "pwritev2", "sendfile", "copy_file_range",
    "ftruncate", "truncate", "fallocate",
    "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "link", "linkat",
    "symlink", "symlinkat", "fsync", "fdatasync", "mkdir", "mkdirat",
    "chmod", "fchmod", "fchmodat", "utimensat", "open", "openat", "creat",
)  # fmt: skip
"""Those that change what is on the disk; of the opening ones, when they are to write."""
_TO_WRITE = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC)")
FAULTS = {
    "SIGKILL": "signal=KILL:when={}",
    "ENOSPC": "error=ENOSPC:when={}",
    "EIO": "error=EIO:when={}",
    "ENOSPC from there on": "error=ENOSPC:when={}+",
}
"""What strace does at the k-th call: a disk that is full stays so."""


class Call(NamedTuple):
    """The k-th system call of its name, and what it writes below the folder."""

    name: str
    k: int
    target: str


class Point(NamedTuple):
    """A call in a command on a file, and what befalls it."""

    case: int
    call: Call
    fault: str

    def __str__(self) -> str:
        return f"{self.fault} at {self.call.name} {self.call.k} of {self.call.target}"


def _strace(log: Path, calls: Sequence[str], inject: str | None = None) -> list[str]:
    options = ["-e", f"trace={','.join(calls)}"]
    options += ["-e", f"inject={inject}"] if inject else []
    # Stopping at these calls only is faster, but no signal is injected then.
    options += [] if inject and "signal=" in inject else ["--seccomp-bpf"]
    return ["strace", "-f", "-y", "-qq", "-o", str(log), *options]


def calls_in(log: Path, folder: Path) -> list[Call]:
    """The calls of a log that write something below the folder, numbered by name."""
    counted: Counter[str] = Counter()
    found = []
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        shown = re.match(
            rf"\d+ +(\w+)\((?:.*?{re.escape(str(folder))}/?([^\">,]*))?", line
        )
        if shown is None:
            continue
        name, target = shown.groups()
        counted[name] += 1
        if target is not None and (
            name not in ("open", "openat") or _TO_WRITE.search(line)
        ):
            found.append(
                Call(name, counted[name], re.sub(r"\d+", "#", target or "the folder"))
            )
    return found


def _environment(setting: Setting) -> dict[str, str]:
    # One order of everything, and nothing compiled on the way: calls can be counted.
    return {
        **setting.environment,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def count(setting: Setting, case: Case) -> list[Call]:
    """The calls of an undisturbed run."""
    with TemporaryDirectory(dir=setting.scratch) as scratch:
        folder, log = case.copied(Path(scratch)), Path(scratch) / "log"
        line = [*_strace(log, CALLS), *running(case.command.words(folder))]
        done = run(line, _environment(setting))
        if done.code:
            raise RuntimeError(f"strace: {done.err}")
        return calls_in(log, folder)


def disturb(setting: Setting, scratch: Path, point: Point) -> Outcome:
    """One command with one fault."""
    case, log = setting.cases[point.case], scratch / "log"
    folder = case.copied(scratch)
    killed = point.fault == "SIGKILL"
    inject = f"{point.call.name}:{FAULTS[point.fault].format(point.call.k)}"
    line = [
        *_strace(log, [point.call.name], inject),
        *running(case.command.words(folder)),
    ]
    try:
        done = run(line, _environment(setting))
    except subprocess.TimeoutExpired:
        return Outcome(["hangs"])
    injected = "(INJECTED)" in log.read_text(encoding="utf-8", errors="replace")
    if point.call not in calls_in(log, folder) or not (killed or injected):
        return Outcome(["the fault did not hit the call it was meant for"])
    if killed and done.code != -9:
        return Outcome([f"survived SIGKILL: exit code {done.code}"])
    return judge(case, folder, done, failed_call=not killed)


def faults(setting: Setting) -> Part:
    """As many points of each command on each file as there are to be, or all."""
    part, rng = Part("faults"), random.Random(SEED)
    with ThreadPool(JOBS) as pool:
        calls = pool.map(partial(count, setting), setting.cases)
    points: list[Point] = []
    for index, called in enumerate(calls):
        found = [
            Point(index, call, fault)
            for call in called
            for fault in FAULTS
            # The sentence that is asked for is written by a call of that kind too.
            if not (fault.endswith("from there on") and call.name == "write")
        ]
        points += rng.sample(found, min(len(found), setting.size.faults or len(found)))
    for point, outcome in setting.work_off(partial(disturb, setting), points):
        part.add(f"{setting.cases[point.case].name}: {point}", outcome)
    return part


def missing() -> str | None:
    """What this part lacks here."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(
        ["strace", "-qq", "-o", os.devnull, "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    return (
        f"strace cannot trace here: {tried.stderr.strip()}"
        if tried.returncode
        else None
    )
