"""The files of the clubs: which there are, whether one is sound, and the rows it has.

Nothing is ever written beside a club's file. It is read once, under SQLite's lock; what
is hashed, proven and taken over is that one reading.
"""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from keizer.archive.layout import layout
from keizer.errors import KeizerError
from keizer.store import connection, proof, refresh, sql
from keizer.store.connection import SPAN

_HEADER = 100
_WAL = (b"\x02\x02", b"\x01\x01")
"""Bytes 18 and 19 of a file in WAL mode; and of one that is all there is."""

Rows = dict[str, list[tuple[Any, ...]]]


class Found(NamedTuple):
    """What was read of a file: its hash and rows, or why it is not taken over.

    rows: by table; None where the archive has them already.
    refused: it may be a club's file, and is not sound. skipped: it is none.
    """

    sha256: str = ""
    rows: Rows | None = None
    refused: str = ""
    skipped: str = ""


class _NotOursError(KeizerError):
    """What was found is a database, but not a club's."""


def paths(folder: Path, out: Path) -> list[str]:
    """The files in a folder and those below it, with / between folders, in order.

    What is hidden, snapshots (in NAME.backups), links to folders and the archive itself
    are left out.
    """
    collected = []
    for parent, below, names in os.walk(folder):
        below[:] = [name for name in below if name[0] != "." and not name.endswith(".backups")]
        for name in names:
            path = Path(parent, name)
            if name[0] != "." and path.suffix.lower() == ".db" and path.absolute() != out:
                collected.append(path.relative_to(folder).as_posix())
    return sorted(collected)


def read(folder: Path, path: str, known: Mapping[str, str]) -> Found:
    """A file of a folder; known: by path, the hash of a file that the archive has."""
    try:
        data = _bytes(folder / path)
        digest = sha256(data).hexdigest()
        return Found(digest, None if known.get(path) == digest else _proven(data, folder / path))
    except _NotOursError as reason:
        return Found(skipped=str(reason))
    except KeizerError as reason:
        return Found(refused=str(reason))
    except sqlite3.Error as error:
        return Found(refused=connection.sentence(error))
    except OSError as error:
        return Found(refused=f"it cannot be read: {error.strerror}.")
    except connection.STUMBLES:
        return Found(refused="the file is damaged: `keizer restore` lists its snapshots.")


def _bytes(path: Path) -> bytes:
    """All of a file in one state of it."""
    if str(path).encode(errors="ignore").decode() != str(path):
        raise KeizerError("its name is not UTF-8 text: rename the file.")
    if not path.is_file():
        raise KeizerError("it is not a file that can be read.")
    path = path.resolve()
    with path.open("rb") as file:
        start = file.read(_HEADER)
        _recognised(start, path)
        wal = path.with_name(f"{path.name}-wal")
        if wal.exists() and wal.stat().st_size:
            raise KeizerError(
                f"what is in {wal.name} is not in the file yet: close it in the other program."
            )
        if start[18:20] == _WAL[0]:
            return _at_rest(file, wal)
        with closing(connection.connect(path, "ro")) as conn:
            conn.execute("BEGIN")
            try:
                conn.execute("PRAGMA user_version").fetchone()  # takes the lock
            except sqlite3.Error as error:
                raise KeizerError(_unread(path, error)) from error
            # To close any other handle of the file in this process would let go of it.
            file.seek(0)
            return file.read()


def _recognised(start: bytes, path: Path) -> None:
    """Refuse what is not a club's file of this version."""
    if not start:
        raise KeizerError("it is empty.")
    if not start.startswith(connection.MAGIC):
        raise KeizerError(
            "it is not a SQLite database, so it is no Keizer file (or a damaged one:"
            f" `keizer restore {path}` lists its snapshots)."
        )
    version, application = (
        int.from_bytes(start[offset : offset + 4], "big") for offset in (60, 68)
    )
    if application == sql.ARCHIVE_ID:
        raise _NotOursError("it is an archive itself.")
    if application != sql.APPLICATION_ID:
        raise _NotOursError("it is a SQLite database, but not a Keizer file.")
    if version != sql.LAYOUT:
        newer = f"knows {sql.LAYOUT}: use a newer keizer."
        older = f"reads {sql.LAYOUT}: `keizer migrate {path}` brings it up to date."
        advice = newer if version > sql.LAYOUT else older
        raise KeizerError(f"it has layout {version} and this keizer {advice}")


def _at_rest(file: BinaryIO, wal: Path) -> bytes:
    """A file in WAL mode that nobody has open: SQLite would make files beside it."""
    before = os.fstat(file.fileno())
    file.seek(0)
    data = file.read()
    after = os.fstat(file.fileno())
    if wal.exists() or (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
        raise KeizerError("another program is at work on it: close it there.")
    return data


def _unread(path: Path, error: sqlite3.Error) -> str:
    """Why SQLite does not read a file that is there."""
    if path.with_name(f"{path.name}-journal").exists() and "locked" not in str(error):
        return (
            "a program was stopped while it wrote, and left a journal:"
            f" `keizer check {path}` has SQLite take back what it did."
        )
    return connection.sentence(error)


def _proven(data: bytes, path: Path) -> Rows:
    """The rows of a file that all proofs of `keizer check` find sound."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        alone = data[:18] + _WAL[1] + data[20:] if data[18:20] == _WAL[0] else data
        conn.deserialize(alone)
        if not connection.is_current(conn):
            conn.execute("BEGIN")
            refresh.refresh(conn)
            conn.execute("COMMIT")
        found, changed = proof.proof(conn)
        if changed:
            raise KeizerError(
                f"another program changed its views or triggers ({_said(changed)}):"
                f" `keizer migrate {path}` puts it right."
            )
        tables = layout().tables
        found = found or [
            f"an id in table {table.name} is not 1 to {SPAN - 1:,}: an archive has no other"
            for table in tables
            if conn.execute(table.astray).fetchone()
        ]
        if found:
            raise KeizerError(_said(found))
        return {table.name: conn.execute(table.select).fetchall() for table in tables}


def _said(found: list[str]) -> str:
    """The first thing that is wrong, and how many more there are."""
    return found[0].rstrip(".") + (f" and {len(found) - 1} more" if len(found) > 1 else ".")


def club(path: str) -> str:
    """The club of a path in the archive: its folder or, without one, its name without .db."""
    folder, _, name = path.rpartition("/")
    return folder or name[: -len(".db")]
