"""Files that are written under another name first, so that nobody finds half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

StrPath = str | os.PathLike[str]
"""The path of a file. On the way of every command these are strings: pathlib takes
longer to import than many a command to run."""

_CREATE_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY
"""Create a file, and fail if its name is taken: nobody can have laid a link there."""


@contextmanager
def draft(path: StrPath, *, like: StrPath | None = None) -> Iterator[str]:
    """Make a new, hidden file in the same folder, to write to and then rename.

    Afterwards it is removed, if it still has its hidden name.
    like: a file; whoever may read that one may read this one, and nobody else at any
    moment.
    """
    folder, file_name = os.path.split(path)
    random_number = int.from_bytes(os.urandom(5))
    draft_path = os.path.join(folder, f".{file_name}.{random_number}.new")
    mode = 0o666 if like is None else 0o600
    handle = os.open(draft_path, _CREATE_NEW, mode)
    os.close(handle)
    try:
        if like is not None:
            permissions = os.stat(like).st_mode & 0o777
            os.chmod(draft_path, permissions)
        yield draft_path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft_path)


def give_name(draft_path: StrPath, path: StrPath) -> None:
    """Give a file a name that nothing has, and take away the one it had.

    Raise FileExistsError if something has the name.
    """
    try:
        os.link(draft_path, path)
    except FileExistsError:
        raise
    # On some systems, or disks, a file has one name only.
    except (AttributeError, OSError):
        handle = os.open(path, _CREATE_NEW)
        os.close(handle)
        os.replace(draft_path, path)
    else:
        os.unlink(draft_path)


def flush_to_disk(path: StrPath) -> None:
    """Have the system write what it still has of a file or folder in memory."""
    is_folder = os.path.isdir(path)
    if is_folder and os.name == "nt":
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_within(folder: StrPath, home: StrPath) -> bool:
    """Return whether a folder is another or lies in it, wherever links lead."""
    real_folder = os.path.realpath(folder)
    real_home = os.path.realpath(home)
    if real_folder == real_home:
        return True
    return real_folder.startswith(os.path.join(real_home, ""))
