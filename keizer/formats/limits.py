"""How much is read of what people give: the one gate for files, pipes and devices.

Bytes are counted as they come: the header of a zip may claim any size, a file may grow
while it is read, and a pipe or a device has none. More than a limit is refused before
anything is written.
"""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from typing import Any

from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.store.atomic import StrPath

SEASON = 16 << 20
"""Bytes of a file to import, as CSV, tournament report or SQLite: a real one is under 5 MB."""

SHEETS = 64 << 20
"""Bytes of a spreadsheet as they come out of its zip: 5,000 members have some 4 MB of XML."""

CELLS = 1_000_000
"""Cells of a table up to the last that is filled: 5,000 members with 40 columns have 200,000."""

PLAYERS = 5_000
"""Players in such a file. docs/performance.md goes up to 2,000."""

GAMES = 100_000
"""Games, or rounds without one, in such a file: 2,000 players in 33 rounds have 33,000."""

PLACES = 100_000
"""Players times rounds of a season, each a place in a list: there 66,000."""

PRINTED = PLACES + 2 * PLAYERS
"""Lines of standings that a file brings: a place each, also before the first round and after the
last."""

LINES = 5_000_000
"""Players times rounds times rounds, as each list counts all rounds up to it: there 2.2 million."""

ROWS = 2 * GAMES
"""Rows of a table in another program's file: of Sharly Chess each game has two."""

COLUMNS = 1_000
"""Columns of a table: a spreadsheet of a federation has some 40."""

TABLES = 1_000
"""Tables, views and the like in another program's file: Sharly Chess has some 60."""

GROUPS, KINDS = 100, 100
"""Groups of a season, and reasons of absences in each: Sevilla has some ten of both."""

CELL = 32 << 10
"""Letters of a cell of a table: Excel has no more."""

LINE = 64 << 10
"""Letters of a line of text: 1,000 rounds of a player in a tournament report are 10,000."""

MEMORY = 512 << 20
"""Bytes of the process that reads a file: what is within the other limits takes some 200 MB."""

SECONDS = 20
"""Processor seconds that a file may take to read: 16 MB take two."""

LIST_SECONDS = 120
"""The same of a rating list: the 650 MB of FIDE's take 20, and 60 on a slow laptop."""

LATE = 3
"""So many times as long by the clock it may take, as others use the machine, too."""

ANSWER = 32 << 20
"""Bytes of what is read of a file, as it is handed over: 100,000 games have 10 MB."""

READERS = 2
"""Files that are read at once; of rating lists one."""

PATIENCE = 20
"""Seconds that somebody waits for a file that is read before theirs."""

RATING_LIST = 2 << 30
"""Bytes of a rating list, as they come out of its zip: FIDE's is some 650 MB of XML."""

ZIP = 128 << 20
"""Bytes of a zip with a rating list: FIDE's is about 50 MB."""

LISTED = 5_000_000
"""Players, or lines, of a rating list: FIDE's has nearly two million."""

FOUND = 100_000
"""Players of a rating list who may be members: 20 namesakes for each of PLAYERS."""

TYPED = 256 << 10
"""Bytes of what a person types or lists: 5,000 names and what they are absent as, 150 KB."""

_BLOCK = 1 << 16

handed_on = ""
"""The stream that the process which serves hands on to the one that reads, as its input."""


class _Counted(RawIOBase):
    """What is read of a file, up to a number of bytes."""

    def __init__(self, file: Any, most: int) -> None:
        self._file, self._most, self._count = file, most, 0
        # As much as there is by now: somebody may be answering at the other end of a pipe.
        self._read = getattr(file, "readinto1", file.readinto)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        got = int(self._read(buffer))
        self._count += got
        if self._count > self._most:
            raise too_large(self._most)
        return got


def too_large(most: int) -> KeizerError:
    """What is said of more than `most` bytes."""
    if most >> 20:
        return KeizerError(
            "this is more than {size} MB, more than is read.", size=most >> 20
        )
    return KeizerError(
        "this is more than {size} KB, more than is read.", size=most >> 10
    )


def counted(file: Any, most: int) -> BufferedReader:
    """A binary file, of which up to `most` bytes can be read; then it raises KeizerError."""
    return BufferedReader(_Counted(file, most), _BLOCK)


@contextmanager
def opened(path: StrPath, most: int) -> Iterator[BufferedReader]:
    """A file, pipe or device, or standard input as -, to read up to `most` bytes of it."""
    try:
        if str(path) == handed_on:
            yield counted(sys.stdin.buffer, most)  # the request was read from there
        elif str(path) == "-":
            # Without Python's buffer, whose lock is asked for when the program ends.
            yield counted(getattr(sys.stdin.buffer, "raw", sys.stdin.buffer), most)
        else:
            with open(path, "rb", buffering=0) as file:
                yield counted(file, most)
    except OSError as error:
        raise KeizerError(
            "{file} cannot be read: {problem}.",
            file=called(path),
            problem=error.strerror,
        ) from error


def blocks(path: StrPath) -> Iterator[bytes]:
    """All that a stream has, as it comes."""
    with opened(path, sys.maxsize) as file:
        while block := file.read1(_BLOCK):
            yield block


def read(path: StrPath, most: int) -> bytes:
    """What is in a file; KeizerError where it cannot be read, or is too large."""
    with opened(path, most) as file:
        try:
            return file.read()
        except KeizerError as error:
            raise KeizerError(
                "{file}: {said}", file=called(path), said=error.message
            ) from error


def is_stream(path: StrPath) -> bool:
    """Whether a file can be read only once: standard input, as -, a pipe or a device."""
    stands = os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path)
    return str(path) == "-" or not stands


def called(path: StrPath) -> str | Message:
    """What a file is called in a sentence."""
    return say("standard input") if str(path) == "-" else str(path)


def lines() -> Iterator[str]:
    """The lines of standard input, trimmed, each when it is there, in the encoding it has."""
    left = TYPED
    while line := sys.stdin.readline(left + 1):
        left -= len(line)
        if left < 0:
            raise KeizerError("standard input: {said}", said=too_large(TYPED).message)
        yield line.strip()


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text that was read, which may end in CR, LF or both; not too many."""
    check(rows=max(text.count("\n"), text.count("\r")))
    return (line.removesuffix("\n") for line in io.StringIO(text, newline=None))


def letters(row: Iterable[object]) -> int:
    """How much the cells of a row hold: letters of texts, bytes of blobs."""
    return sum(len(cell) for cell in row if isinstance(cell, str | bytes))


_COUNTED = {
    "players": ("PLAYERS", say("players")),
    "games": ("GAMES", say("games")),
    "rows": ("ROWS", say("rows in a table")),
    "columns": ("COLUMNS", say("columns")),
    "cells": ("CELLS", say("cells")),
    "tables": ("TABLES", say("parts")),
    "groups": ("GROUPS", say("parts")),
    "kinds": ("KINDS", say("parts")),
    "places": ("PLACES", say("places in standings (players times rounds)")),
    "printed": ("PRINTED", say("lines of standings")),
    "lines": ("LINES", say("rounds to count (players times rounds times rounds)")),
}
"""What is counted: the limit, and what it is of."""


def check(*, players: int = 0, rounds: int = 0, **counts: int) -> None:
    """Refuse more players, games and rounds without one, or both by round, than a file may have.

    rounds: the number of the last. counts: of others by their names in _COUNTED; also places and
    lines, of several tournaments.
    """
    of_one = {
        "players": players,
        "places": players * rounds,
        "lines": players * rounds**2,
    }
    counts = of_one | counts
    for name, count in counts.items():
        limit, what = _COUNTED[name]
        if count > globals()[limit]:
            raise KeizerError(
                "this has more than {number:,} {what}, more than is imported at once.",
                number=globals()[limit],
                what=what,
            )
