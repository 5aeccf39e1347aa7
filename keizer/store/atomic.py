"""Files that are written under another name first, so that nobody finds half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

StrPath = str | os.PathLike[str]
"""Where a file is. On the way of every command these are strings: pathlib takes longer to
import than many a command to run."""


@contextmanager
def draft(path: StrPath, *, like: StrPath | None = None) -> Iterator[str]:
    """A new, hidden file in the same folder, to write to and then rename; removed afterwards.

    like: a file; who may read that one may read this one, and nobody else at any moment.
    """
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name}.{int.from_bytes(os.urandom(5))}.new")
    # Nobody can have laid a link there.
    kind, mode = os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if like is None else 0o600
    os.close(os.open(beside, kind, mode))
    try:
        if like is not None:
            os.chmod(beside, os.stat(like).st_mode & 0o777)
        yield beside
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def name(made: StrPath, path: StrPath) -> None:
    """Give a file a name that nothing has, and take away the one it had.

    Raises FileExistsError where something has the name.
    """
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except (
        AttributeError,
        OSError,
    ):  # a system, or a disk, on which a file has one name only
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.replace(made, path)
    else:
        os.unlink(made)


def to_disk(path: StrPath) -> None:
    """Have the system write what it still has of a file or folder in memory."""
    if os.name == "nt" and os.path.isdir(path):
        return  # folders are not opened there
    handle = os.open(path, os.O_RDONLY if os.path.isdir(path) else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def within(folder: StrPath, home: StrPath) -> bool:
    """Whether a folder is another or lies in it, wherever links lead."""
    real, ours = os.path.realpath(folder), os.path.realpath(home)
    return real == ours or real.startswith(os.path.join(ours, ""))
