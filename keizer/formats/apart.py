"""Read what people send in a process of its own, which makes plain facts of a file, and ends.

That process may use little memory, little time and no disk (limits.py). If a file is too much for
it, or breaks what reads it, the process that serves all clubs says so in a sentence and goes on.
No season is locked meanwhile.

A reader is a function of a module of keizer.formats or keizer.exchange. It takes a path and plain
facts, and gives plain facts (carried.py); what is wrong with the file it raises as KeizerError.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
    suppress,
)
from importlib import import_module
from pathlib import Path
from threading import BoundedSemaphore, Thread, Timer
from typing import IO, Any, TypeVar, TypeVarTuple

import keizer
from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.formats.carried import packed, unpacked
from keizer.formats.confined import MEMORY, TIME, attempt, broken, too_much
from keizer.store.atomic import StrPath

Given = TypeVarTuple("Given")
Facts = TypeVar("Facts")

_IN_BROWSER = sys.platform == "emscripten"
"""True in keizer.html, where no process can be started: the page ends a program that is late
(standalone/season.js)."""

watched: Callable[[float], AbstractContextManager[object]] = nullcontext
"""Tells the page that a file is being read, and how many seconds that may take."""

_readers = BoundedSemaphore(limits.READERS)
_long_readers = BoundedSemaphore(limits.READERS - 1)
"""Rating lists take minutes: one place is left for other files."""

_OURS = re.compile(r"keizer\.(formats|season|exchange)\.[a-z_.]+").fullmatch
_PROGRAM = "import sys; sys.path = sys.argv[1:]; from keizer.formats.confined import main; main()"


def read_in_own_process(
    reader: Callable[[Path, *Given], Facts],
    path: StrPath,
    *given: *Given,
    long: bool = False,
) -> Facts:
    """Have a reader read a file in a process of its own; what it gives.

    long: it may take minutes, as a rating list does. Raises KeizerError for what the reader
    refuses, and for a file that takes too much.
    """
    seconds = limits.LIST_SECONDS if long else limits.SECONDS
    if _IN_BROWSER:
        with watched(seconds * limits.LATE):
            return attempt(path, lambda: reader(Path(path), *given))
    request = {
        "module": reader.__module__,
        "reader": reader.__name__,
        "path": str(path),
        "stream": limits.is_stream(path),
        "given": packed([*given]),
        "seconds": seconds,
        "limits": {
            name: most for name, most in vars(limits).items() if isinstance(most, int)
        },
    }
    stream = path if request["stream"] else None
    with place_for_reader(long=long):
        try:
            answer, late = run_process(
                json.dumps(request).encode(), stream, seconds * limits.LATE
            )
        except OSError as error:
            raise KeizerError(
                "{file} cannot be read: {problem}.",
                file=limits.called(path), problem=error.strerror,
            ) from error  # fmt: skip
    if late:
        raise too_much(path, TIME)
    if len(answer) > limits.ANSWER:
        raise too_much(path, MEMORY)
    facts, wrong = _understood(answer, path)
    if wrong:
        raise KeizerError(*wrong)
    found: Facts = facts
    return found


@contextmanager
def place_for_reader(*, long: bool) -> Iterator[None]:
    """Wait for a place among those whose files are read at once."""
    with ExitStack() as taken:
        for places in (_long_readers, _readers) if long else (_readers,):
            if not places.acquire(timeout=limits.PATIENCE):
                raise KeizerError(
                    "too many files are being read at once: try again in a minute."
                )
            taken.callback(places.release)
        yield


def run_process(
    request: bytes, stream: StrPath | None, seconds: float
) -> tuple[bytes, bool]:
    """Start the process, ask it, and hand on a stream; what it said, and whether it was late.

    seconds: how long it may take by the clock. Raises KeizerError for a stream that cannot be read.
    """
    refused: list[KeizerError] = []
    late = False

    def end() -> None:
        nonlocal late
        late = True
        process.kill()

    # The same Python and packages, whatever the environment, the folder and .pth files say.
    folders = [str(Path(keizer.__path__[0]).parent), *filter(None, sys.path)]
    process = subprocess.Popen(  # noqa: S603 - nothing in it is typed by anybody
        [sys.executable, "-I", "-S", "-c", _PROGRAM, *folders],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    clock = Timer(seconds, end)
    clock.start()
    feeding = process.stdin, request, stream, refused
    Thread(target=_feed, args=feeding, daemon=True).start()
    try:
        with process.stdout as said:  # type: ignore[union-attr]
            answer: bytes = said.read(limits.ANSWER + 1)
    finally:
        clock.cancel()
        process.kill()
        process.wait()
    for error in refused:
        raise error
    out_of_time = -getattr(signal, "SIGXCPU", 0)
    return answer, late or (process.returncode == out_of_time != 0)


def _feed(
    pipe: IO[bytes], request: bytes, stream: StrPath | None, refused: list[KeizerError]
) -> None:
    """Write the request, then what a stream has, as it comes; refused takes why it cannot be read.

    The stream is opened and closed here: it may stay silent, and nobody else waits for it.
    """
    # The process may have read enough, and ended.
    with suppress(OSError, ValueError), pipe:
        pipe.write(request + b"\n")
        pipe.flush()
        try:
            for block in limits.blocks(stream) if stream else ():
                pipe.write(block)
                pipe.flush()
        except KeizerError as error:
            refused.append(error)


def read_stream(stream: StrPath) -> bytes:
    """Read all that a stream has; KeizerError if that is too much, or takes too long."""
    if _IN_BROWSER:  # there are no threads either, and nobody who stays silent
        return limits.read(stream, limits.SEASON)
    data: list[bytes] = []
    refused: list[KeizerError] = []

    def read_all() -> None:
        try:
            data.append(limits.read(stream, limits.SEASON))
        except KeizerError as error:
            refused.append(error)

    # It may stay silent: then it is left alone, as nobody can end who reads it.
    reader = Thread(target=read_all, daemon=True)
    reader.start()
    reader.join(limits.SECONDS * limits.LATE)
    for error in refused:
        raise error
    if not data:
        raise too_much(stream, TIME)
    return data[0]


def _understood(answer: bytes, path: StrPath) -> tuple[Any, list[Any]]:
    """The facts of an answer, and what is wrong; KeizerError for what is none."""
    try:
        found = json.loads(answer)
        for module in filter(_OURS, found["modules"]):
            import_module(module)
        return unpacked(found["facts"]), unpacked(found["wrong"]) or []
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        raise broken(path) from error
