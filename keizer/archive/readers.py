"""Several processes that read and prove files, and hand over what they found, in order."""

import gc
import signal
from collections.abc import Collection, Generator, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

from keizer.archive import clubs
from keizer.archive.clubs import Found

_AHEAD = 4
"""So many files for each process are read, at most, before the first of them is wanted."""

_WORTH = 4
"""A process takes as long to start as to read a file or two: it has to get so many."""


def in_order(
    folder: Path, paths: Sequence[str], known: Collection[str], jobs: int
) -> Generator[Found]:
    """What `clubs.read` finds in each file, in the order of the paths."""
    jobs = min(jobs, len(paths) // _WORTH)
    if jobs < 2:  # noqa: PLR2004 - one, or this one
        yield from (clubs.read(folder, it, known) for it in paths)
        return
    readers = _Readers(folder, known, jobs)
    try:
        yield from readers.found(paths)
    finally:
        readers.stop()


class _Reader(NamedTuple):
    """A process, and the way to it."""

    process: BaseProcess
    connection: Connection


class _Readers:
    """Processes that each have one file at a time, or none."""

    def __init__(self, folder: Path, known: Collection[str], jobs: int) -> None:
        self.context = get_context("spawn")
        self.task = (folder, frozenset(known))
        self.idle = [self._start() for _ in range(jobs)]
        self.busy: dict[Connection, tuple[int, _Reader]] = {}
        self.ahead = jobs * _AHEAD

    def _start(self) -> _Reader:
        here, there = self.context.Pipe()
        process = self.context.Process(target=_serve, args=(there, *self.task), daemon=True)
        process.start()
        there.close()
        return _Reader(process, here)

    def found(self, paths: Sequence[str]) -> Iterator[Found]:
        """The files in order; each is given to whoever is free, but not too far ahead."""
        given, early = 0, dict[int, Found]()
        for wanted in range(len(paths)):
            while True:
                while self.idle and given < min(len(paths), wanted + self.ahead):
                    self._give(given, paths[given])
                    given += 1
                if wanted in early:
                    break
                for ready in wait(list(self.busy)):
                    at, found = self._take(ready)  # type: ignore[arg-type]
                    early[at] = found
            yield early.pop(wanted)

    def _give(self, at: int, path: str) -> None:
        reader = self.idle.pop()
        reader.connection.send(path)
        self.busy[reader.connection] = at, reader

    def _take(self, ready: Connection) -> tuple[int, Found]:
        at, reader = self.busy.pop(ready)
        try:
            found: Found = ready.recv()
        except (EOFError, OSError):
            ready.close()
            reader.process.join()
            found = Found(refused=f"to read it stopped a process ({reader.process.exitcode}).")
            reader = self._start()
        self.idle.append(reader)
        return at, found

    def stop(self) -> None:
        """End the processes, whatever they are at."""
        for reader in (*self.idle, *(it for _, it in self.busy.values())):
            reader.process.terminate()
            reader.process.join()
            reader.connection.close()


def _serve(connection: Connection, folder: Path, known: frozenset[str]) -> None:
    """Read files until the other side is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began this says when it ends
    gc.enable()
    try:
        while True:
            connection.send(clubs.read(folder, connection.recv(), known))
    except (EOFError, OSError):
        return
