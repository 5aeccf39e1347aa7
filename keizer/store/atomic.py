"""Files that are written under a hidden name first, so that nobody sees half a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

StrPath = str | os.PathLike[str]
"""The path of a file.

Modules that every command imports use strings. To import pathlib takes longer than to
run many a command.
"""

_CREATE_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY
"""Flags to create a file, and fail if the name is taken.

A link of that name counts: somebody may have made it to have another file overwritten.
"""


@contextmanager
def draft(path: StrPath, *, like: StrPath | None = None) -> Iterator[str]:
    """Create an empty hidden file in the folder of `path`, and provide its path.

    The caller writes to the hidden file and then renames it to `path`. If it was not
    renamed at the end, it is removed.
    like: a file whose permissions the hidden file gets; None for the usual ones.
    """
    folder, file_name = os.path.split(path)
    random_number = int.from_bytes(os.urandom(5))
    draft_path = os.path.join(folder, f".{file_name}.{random_number}.new")
    # With `like`, nobody but the owner may read the file before it has its permissions.
    mode = 0o666 if like is None else 0o600
    handle = os.open(draft_path, _CREATE_NEW, mode)
    os.close(handle)
    try:
        if like is not None:
            permissions = os.stat(like).st_mode & 0o777
            os.chmod(draft_path, permissions)
        yield draft_path
    finally:
        with suppress(FileNotFoundError):  # the caller has renamed it
            os.unlink(draft_path)


def give_name(draft_path: StrPath, path: StrPath) -> None:
    """Rename a file to `path`, but never replace another one.

    Raise FileExistsError if something already has the name.
    """
    # os.rename would replace an existing file. To make a second link fails instead.
    try:
        os.link(draft_path, path)
    except FileExistsError:
        raise  # not caught below, where any OSError is taken for a lack of links
    # Some systems and disks have no links. There an empty file reserves the name.
    except (AttributeError, OSError):
        handle = os.open(path, _CREATE_NEW)
        os.close(handle)
        os.replace(draft_path, path)
    else:
        os.unlink(draft_path)


def flush_to_disk(path: StrPath) -> None:
    """Have the system write a file, or the list of names in a folder, to the disk.

    Otherwise it may stay in memory for a while, and be lost if the power fails.
    """
    is_folder = os.path.isdir(path)
    if is_folder and os.name == "nt":
        return  # Windows cannot open folders
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_within(folder: StrPath, home: StrPath) -> bool:
    """Return whether a folder is `home` itself, or is somewhere inside of it.

    Links are followed first.
    """
    real_folder = os.path.realpath(folder)
    real_home = os.path.realpath(home)
    if real_folder == real_home:
        return True
    # The separator at the end matters: /home/ann does not lie in /home/an.
    return real_folder.startswith(os.path.join(real_home, ""))
