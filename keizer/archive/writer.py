"""Files into an archive: in a hidden draft beside it, which takes its name when all are in.

The content is a function of the files and of the numbers they have, never of the hour
or of who was read first: the files go in in the order of their paths.
"""

import gc
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from keizer.archive import clubs, readers
from keizer.archive.clubs import Found
from keizer.archive.layout import layout
from keizer.errors import KeizerError
from keizer.store import connection, database, folders, refresh
from keizer.store.atomic import draft, to_disk
from keizer.store.definitions import quoted

SETTINGS = {
    "cache_size": -65536,  # KiB that are kept in memory
    "ignore_check_constraints": "ON",  # they were proven
    "journal_mode": "OFF",  # who is stopped begins anew
    "synchronous": "OFF",
}
"""Of the draft, while it is written."""

Said = tuple[str, str]
"""The path of a file, and a sentence about it."""


@dataclass
class Outcome:
    """What was done: numbers of files, and the files there is a sentence to say about."""

    written: bool = False
    files: int = 0
    new: int = 0
    changed: int = 0
    refused: list[Said] = field(default_factory=list)
    skipped: list[Said] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def merge(folder: Path, out: Path, *, jobs: int, report: Callable[[int, int], object]) -> Outcome:
    """Bring an archive up to the files in a folder, or make it.

    jobs: how many processes read. report: called with the files that are done, of how many.
    Raises KeizerError where nothing can be written.
    """
    if not folder.is_dir():
        raise KeizerError(f"{folder} is no folder.")
    gc.enable()  # a command does without, but not thousands of files
    out = out.absolute()
    _free(out)
    found = clubs.paths(folder, out)
    try:
        with draft(out) as work, closing(_Archive(out, work, found)) as archive:
            known = {path: digest for path, (_, digest) in archive.files.items()}
            with closing(readers.in_order(folder, found, known, jobs)) as reading:
                for number, (path, read) in enumerate(zip(found, reading, strict=True), 1):
                    archive.take(path, read)
                    report(number, len(found))
            archive.finish()
            return archive.done
    except sqlite3.Error as error:
        hint = folders.hint(out, error)
        raise KeizerError(f"{out}: {connection.sentence(error)}{hint}") from error


def _free(out: Path) -> None:
    """Refuse a name that something else has."""
    if out.is_dir() or not out.parent.is_dir():
        raise KeizerError(f"{out} cannot be an archive: name a file in a folder that is there.")
    if not out.exists():
        return
    with database.reading(out) as conn:
        if not connection.is_archive(conn):
            raise KeizerError(f"{out} is a club's file: name another one for the archive.")
        made = {item: text for item, text in layout().made.items() if item[0] in ("table", "index")}
        if not made.items() <= refresh.objects(conn).items():
            raise KeizerError(
                f"{out} is not as this keizer makes an archive: move it elsewhere and make it anew."
            )
    if any(out.with_name(out.name + ending).exists() for ending in ("-journal", "-wal")):
        raise KeizerError(f"another program has {out} open to write: close it there.")


class _Archive:
    """An archive while files are taken into it, and what is to be said at the end.

    As long as nothing is to change it is only read; from then on there is the draft.
    """

    def __init__(self, out: Path, work: str, found: Sequence[str]) -> None:
        self.out, self.work = out, work
        if out.exists():
            self.conn = connection.connect(out, "ro")
        else:
            self.conn = sqlite3.connect(":memory:")
            self.conn.deserialize(layout().empty)
        rows = self.conn.execute("SELECT id, path, sha256 FROM archived").fetchall()
        self.files: dict[str, tuple[int, str]] = {
            path: (number, digest) for number, path, digest in rows
        }
        self.last = max((number for number, _ in self.files.values()), default=0)
        self.done = Outcome(gone=sorted(self.files.keys() - set(found)))
        self.seen: dict[str, str] = {}

    def close(self) -> None:
        """Let go of the file; what is not finished is lost."""
        self.conn.close()

    def _change(self) -> None:
        """From here on there is the draft, and nothing refuses to be written there."""
        if self.done.written:
            return
        self.done.written = True
        new = sqlite3.connect(self.work, isolation_level=None)
        self.conn.backup(new)
        self.conn.close()
        self.conn = new
        for setting, value in SETTINGS.items():
            new.execute(f"PRAGMA {setting} = {value}")
        new.execute("BEGIN")
        for kind, name in refresh.objects(new):
            if kind in ("view", "trigger"):
                new.execute(f"DROP {kind} {quoted(name)}")

    def finish(self) -> None:
        """With all files in it: who is who, the views, nothing that changes, and its name."""
        for path in [
            path for path, (_, sha) in self.files.items() if self.seen.get(sha, path) != path
        ]:
            self._drop(path)  # gone or unsound, and there as another file
        self.done.files = len(self.files)
        if layout().made.items() <= refresh.objects(self.conn).items():
            return
        self._change()
        self._make("view")
        for table in ("person", "people"):  # the second follows from the first
            self.conn.execute(f"DELETE FROM {table}")
            self.conn.execute(f"INSERT INTO {table} SELECT * FROM _{table} ORDER BY 1")
        self._make("trigger")
        self.conn.execute("COMMIT")
        self.conn.close()
        to_disk(self.work)
        Path(self.work).replace(self.out)
        to_disk(self.out.parent)

    def _make(self, kind: str) -> None:
        for item, text in layout().made.items():
            if item[0] == kind:
                self.conn.execute(text)

    def take(self, path: str, found: Found) -> None:
        """Have the archive say of a path what was found there."""
        kept = " The archive keeps what it has of it." if path in self.files else ""
        if found.refused:
            self.done.refused.append((path, found.refused + kept))
        elif found.skipped:
            self.done.skipped.append((path, found.skipped + kept))
        elif found.sha256 in self.seen:
            first = self.seen[found.sha256]
            self.done.skipped.append((path, f"it is the same as {first}."))
            self._drop(path)
        else:
            self.seen[found.sha256] = path
            if found.rows is not None and not self._moved(path, found.sha256):
                self._merge(path, found.sha256, found.rows)

    def _merge(self, path: str, digest: str, rows: clubs.Rows) -> None:
        """Have the rows of a file in the place of those it had, or under the next number."""
        self._change()
        if path in self.files:
            number = self._drop(path)
            self.done.changed += 1
        else:
            self.last = number = self.last + 1
            self.done.new += 1
        for table in layout().tables:
            self.conn.executemany(table.insert(number), rows[table.name])
        self.conn.execute(
            "INSERT INTO archived (id, path, club, sha256) VALUES (?, ?, ?, ?)",
            (number, path, clubs.club(path), digest),
        )
        self.files[path] = number, digest

    def _moved(self, path: str, digest: str) -> bool:
        """Whether it is a file that had another name before; then the archive has the new one."""
        old = next((path for path in self.done.gone if self.files[path][1] == digest), None)
        if old is None or path in self.files:
            return False
        self._change()
        self.conn.execute(
            "UPDATE archived SET path = ?, club = ? WHERE path = ?", (path, clubs.club(path), old)
        )
        self.done.gone.remove(old)
        self.files[path] = self.files.pop(old)
        self.done.changed += 1
        return True

    def _drop(self, path: str) -> int:
        """Take out the rows of a path, if it has any; the number it had."""
        if path not in self.files:
            return 0
        self._change()
        number, _ = self.files.pop(path)
        for table in layout().tables:
            self.conn.execute(table.delete(number))
        self.conn.execute("DELETE FROM archived WHERE id = ?", (number,))
        self.done.gone = [other for other in self.done.gone if other != path]
        return number
