"""Several processes that read and prove files, and hand over what they found, in order.

Of three processes the second has the second file, the fifth, and so on: it reads the next
one while the one before is merged, and no further ahead than its pipe holds.
"""

import gc
import signal
from collections.abc import Generator, Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from keizer.archive import clubs
from keizer.archive.clubs import Found

_WORTH = 4
"""The fewest files for a process: it takes as long to start as to read one or two."""


def in_order(
    folder: Path, paths: Sequence[str], known: Mapping[str, str], jobs: int
) -> Generator[Found]:
    """What `clubs.read` finds in each file, in the order of the paths."""
    jobs = min(jobs, len(paths) // _WORTH)
    if jobs < 2:  # noqa: PLR2004 - one, or this one
        yield from (clubs.read(folder, path, known) for path in paths)
        return
    readers = [_start(folder, paths[first::jobs], known) for first in range(jobs)]
    try:
        for index in range(len(paths)):
            process, connection = readers[index % jobs]
            try:
                found: Found = connection.recv()
            except (EOFError, OSError):
                process.join()
                found = Found(refused=f"to read it stopped a process ({process.exitcode}).")
                readers[index % jobs] = _start(folder, paths[index + jobs :: jobs], known)
            yield found
    finally:
        for process, _ in readers:
            process.terminate()
            process.join()


def _start(
    folder: Path, paths: Sequence[str], known: Mapping[str, str]
) -> tuple[BaseProcess, Connection]:
    """A process, and where what it finds comes out."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(there, folder, paths, known), daemon=True)
    process.start()
    there.close()
    return process, here


def _serve(
    connection: Connection, folder: Path, paths: Sequence[str], known: Mapping[str, str]
) -> None:
    """Read files until all are read or the other side is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began this says when it ends
    gc.enable()
    try:
        for path in paths:
            connection.send(clubs.read(folder, path, known))
    except OSError:
        return
