"""Where a season file lies: a network folder, a synced one, one that cannot be written to."""

import os
import re
import sqlite3
from pathlib import Path

from keizer.messages import Message, say
from keizer.store import sql
from keizer.store.atomic import StrPath
from keizer.store.connection import MAGIC

_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "fuse.sshfs"}

_COPY = re.compile(r"conflict|conflit|konflikt|\(\d+\)", re.IGNORECASE)
"""In the names that programs which sync folders give to the copy of who came second."""

_TROUBLE = ("locked", "locking", "disk i/o", "unable to open", "busy", "readonly")


def network(path: StrPath, mounts: Path = Path("/proc/self/mounts")) -> str | None:
    """The kind of network folder a file lies in, where the system says so; else None."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    there = Path(path).absolute().parent
    best, kind = Path("/"), ""
    for line in lines:
        _, where, what = line.split(" ")[:3]
        mount = Path(where.replace("\\040", " "))
        if (there == mount or mount in there.parents) and len(mount.parts) >= len(best.parts):
            best, kind = mount, what
    return kind if kind in _NETWORK else None


def is_season(path: Path) -> bool:
    """Whether a file says of itself that it is a season file, by the header SQLite gives it."""
    try:
        if not path.is_file():  # a pipe would wait for somebody to write
            return False
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    application = int.from_bytes(header[68:], "big")
    return header.startswith(MAGIC) and application == sql.APPLICATION_ID


def copies(path: StrPath) -> list[Path]:
    """What looks like the file of somebody who changed it elsewhere at the same time."""
    mine = Path(path).absolute()
    return sorted(
        file
        for file in mine.parent.glob(f"*{mine.suffix}")
        if file.name != mine.name and file.stem.startswith(mine.stem) and _COPY.search(file.stem)
    )


def hint(path: StrPath, error: sqlite3.Error) -> Message | None:
    """What may be behind an error that SQLite has with a file; None where nobody knows."""
    if not any(words in str(error).lower() for words in _TROUBLE):
        return None
    folder = Path(path).absolute().parent
    if not os.access(folder, os.W_OK):
        return say("Its folder {folder} must be writable, and is not.", folder=str(folder))
    kind = network(path)
    if kind:
        return say(
            "It is in a network folder ({kind}), where two programs can be in each other's way:"
            " work on a copy on this machine, one at a time.",
            kind=kind,
        )
    return None
