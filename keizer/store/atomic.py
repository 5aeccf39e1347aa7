"""Files that are written under another name first, so that nobody finds half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

StrPath = str | os.PathLike[str]
"""Where a file is. On the way of every command these are strings: pathlib takes longer to
import than many a command to run."""


@contextmanager
def draft(path: StrPath) -> Iterator[str]:
    """A name in the same folder, hidden, to write to and then rename; nothing is left of it."""
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name}.{os.getpid()}.new")
    try:
        yield beside
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def to_disk(path: StrPath) -> None:
    """Have the system write what it still has of a file or folder in memory."""
    if os.name == "nt" and os.path.isdir(path):
        return  # folders are not opened there
    handle = os.open(path, os.O_RDONLY if os.path.isdir(path) else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
