"""Files that are written under a hidden name first, so that nobody sees half a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

StrPath = str | os.PathLike[str]
"""The path of a file. Modules that every command imports use strings: pathlib takes
longer to import than many a command to run."""

_CREATE_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY
"""Create a file, and fail if the name is taken, also by a link that somebody laid."""


@contextmanager
def draft(path: StrPath, *, like: StrPath | None = None) -> Iterator[str]:
    """Create a hidden file in the folder of `path`, and provide its path.

    The caller writes to it and renames it. If it still has its hidden name afterwards,
    it is removed.
    like: a file whose permissions the new file gets. Until then only its owner may read
    the new file.
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
    """Rename a file, but never replace another one.

    Raise FileExistsError if something has the name.
    """
    try:
        os.link(draft_path, path)
    except FileExistsError:
        raise
    # Some systems and disks have no links. There an empty file reserves the name.
    except (AttributeError, OSError):
        handle = os.open(path, _CREATE_NEW)
        os.close(handle)
        os.replace(draft_path, path)
    else:
        os.unlink(draft_path)


def flush_to_disk(path: StrPath) -> None:
    """Have the system write a file, or the names in a folder, to the disk itself."""
    is_folder = os.path.isdir(path)
    if is_folder and os.name == "nt":
        return  # Windows cannot open folders
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_within(folder: StrPath, home: StrPath) -> bool:
    """Return whether a folder is `home` or lies in it, after following links."""
    real_folder = os.path.realpath(folder)
    real_home = os.path.realpath(home)
    if real_folder == real_home:
        return True
    # With a separator at its end: /home/ann does not lie in /home/an.
    return real_folder.startswith(os.path.join(real_home, ""))
