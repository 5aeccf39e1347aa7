"""Readers for tests of keizer.formats.apart, which runs them in a process of their own.

Each does one thing that a file, or a library, may do to the process that reads it.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from keizer.errors import KeizerError
from keizer.formats import limits, members
from keizer.messages import plural, say


def process(_: Path) -> int:
    return os.getpid()


def same(_: Path, *facts: Any) -> list[Any]:
    return [*facts]


def refuse(path: Path) -> None:
    raise KeizerError(
        say("{file}: one", file=str(path)), plural("a row", "{number} rows", 2)
    )


def limited(_: Path) -> int:
    return limits.PLAYERS


def read_input(path: Path) -> int:
    with limits.opened(path, 1 << 20) as file:
        return len(file.read())


def goes_first(_: Path) -> str:
    """Return how likely Linux is to end the process if memory is short."""
    return Path("/proc/self/oom_score_adj").read_text(encoding="ascii").strip()


def loaded(path: Path) -> list[str]:
    """Return the modules that the process has imported after it read a list."""
    members.read(path)
    return [*sys.modules]


def written(path: Path) -> int:
    """Return how many bytes of a megabyte get into a new file."""
    file = path.with_name("written")
    with suppress(OSError):
        file.write_bytes(bytes(1 << 20))
    return file.stat().st_size


def think(_: Path) -> None:
    while True:
        pass


def sleep(_: Path) -> None:
    time.sleep(10_000)


def fill_memory(_: Path) -> None:
    bytes(600 << 20)


def say_much(_: Path) -> str:
    return "x" * (40 << 20)


def be_killed(_: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def abort(_: Path) -> None:
    os.abort()


def end(_: Path) -> None:
    os._exit(0)


def stumble(_: Path) -> None:
    raise ZeroDivisionError


def recurse(path: Path) -> None:
    recurse(path)


def babble(_: Path) -> None:
    os.write(1, b"{")


def lie(_: Path) -> None:
    """Answer with a class that keizer never declared."""
    os.write(1, b'{"modules": ["os.path"], "wrong": null, "facts": {"Path": ["/etc"]}}')
    os._exit(0)
