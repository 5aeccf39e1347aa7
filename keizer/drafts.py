"""Files that are written under another name first, so that nobody finds half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A name in the same folder, hidden, to write to and then rename; nothing is left of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        yield beside
    finally:
        beside.unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Have the system write what it still has of a file or folder in memory."""
    if os.name == "nt" and path.is_dir():
        return  # folders are not opened there
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
