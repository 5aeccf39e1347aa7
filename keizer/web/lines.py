"""Where requests wait, so that nobody waits behind another club's.

At a door of ours nobody has a thread who waits: `Lines`. Any other server gives each request a
thread before it asks: `Seats`.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from keizer.web.answers import busy

SEATS = 2
"""Requests of a club that are answered at once: one has the file, and one is the next."""
PATIENCE = 10.0
"""Seconds that a request waits in its line."""
TOGETHER, WAITING, THREADS_PATIENCE = 8, 4, 2.0
"""Of another server's threads: those at work for all clubs together; those that wait, and for how
many seconds. Who is refused needs one, too, and what is kept does: sixteen are enough."""


class _Line:
    """Those of one club: who has a seat, and who waits for one."""

    def __init__(self, seats: int) -> None:
        self.seats = asyncio.Semaphore(seats)
        self.people = 0


class Lines:
    """The lines of a door. Who waits in one costs no thread.

    seats: requests of a club that have a thread at once; room: those that may wait for one.
    """

    def __init__(self, seats: int, room: int) -> None:
        self._seats, self._most = seats, seats + room
        self._lines: dict[str, _Line] = {}

    async def enter(self, club: str) -> None:
        """Wait for a seat; RefusedError (503) where the line is full, or it takes too long."""
        line = self._lines.setdefault(club, _Line(self._seats))
        if line.people >= self._most:
            raise busy()
        line.people += 1
        try:
            async with asyncio.timeout(PATIENCE):
                await line.seats.acquire()
        except TimeoutError as error:
            self._go(club)
            raise busy() from error
        except asyncio.CancelledError:  # nobody waits for the answer
            self._go(club)
            raise

    def leave(self, club: str) -> None:
        """Leave a seat to the next in line."""
        self._lines[club].seats.release()
        self._go(club)

    def _go(self, club: str) -> None:
        self._lines[club].people -= 1
        if not self._lines[club].people:
            del self._lines[club]


class Seats:
    """The seats of all clubs, for the threads of any server."""

    def __init__(self) -> None:
        self._together, self._waiting = (
            BoundedSemaphore(TOGETHER),
            BoundedSemaphore(WAITING),
        )

    @contextmanager
    def of(self, club: BoundedSemaphore) -> Iterator[None]:
        """Have one of a club's; RefusedError (503) where none is free, and others wait."""
        with self._one_of(club), self._one_of(self._together):
            yield

    @contextmanager
    def _one_of(self, seats: BoundedSemaphore) -> Iterator[None]:
        if not seats.acquire(blocking=False):
            self._wait_for(seats)
        try:
            yield
        finally:
            seats.release()

    def _wait_for(self, seats: BoundedSemaphore) -> None:
        if not self._waiting.acquire(blocking=False):
            raise busy()
        try:
            if not seats.acquire(timeout=THREADS_PATIENCE):
                raise busy()
        finally:
            self._waiting.release()
