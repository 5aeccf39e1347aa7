"""Files into an archive: in a hidden file beside it, which takes its name when all are in.

The content is a function of the files and of the numbers they have, never of the hour
or of who was read first: the files go in in the order of their paths, so many in a
transaction. Whoever is stopped loses no more than the last of these.
"""

import gc
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from keizer.archive import clubs, readers
from keizer.archive.clubs import Found
from keizer.archive.layout import layout
from keizer.errors import KeizerError
from keizer.store import connection, database, folders, refresh, sql
from keizer.store.atomic import to_disk
from keizer.store.definitions import quoted

TOGETHER = 16
"""So many files are one transaction."""

_CACHE = 65536
"""KiB of the archive that are kept in memory while it is written."""

Said = tuple[str, str]
"""The path of a file, and a sentence about it."""


class Outcome(NamedTuple):
    """What was done: how many files are in the archive, and which are said something of."""

    files: int
    new: int
    changed: int
    refused: list[Said]
    passed_over: list[Said]
    gone: list[str]
    written: bool


def merge(folder: Path, out: Path, *, jobs: int, report: Callable[[int, int], object]) -> Outcome:
    """Bring an archive up to the files in a folder, or make it.

    jobs: how many processes read. report: called with the files that are done, of how many.
    Raises KeizerError where nothing can be written, or another merge is at it.
    """
    if not folder.is_dir():
        raise KeizerError(f"{folder} is no folder.")
    gc.enable()  # a command does without, but not thousands of files
    out = out.absolute()
    _free(out)
    found = clubs.paths(folder, out)
    with _translated(out), closing(_Archive(out, found)) as archive:
        with closing(readers.in_order(folder, found, archive.known(), jobs)) as reading:
            for at, (path, it) in enumerate(zip(found, reading, strict=True), 1):
                archive.take(path, it, partial(clubs.read, folder, path, ()))
                if at % TOGETHER == 0:
                    archive.save()
                report(at, len(found))
        archive.finish()
        return archive.outcome()


def _free(out: Path) -> None:
    """Refuse a name that something else has."""
    if out.is_dir() or not out.parent.is_dir():
        raise KeizerError(f"{out} cannot be an archive: name a file in a folder that is there.")
    if not out.exists():
        return
    with database.reading(out) as conn:
        if not connection.is_archive(conn):
            raise KeizerError(f"{out} is a club's file: name another one for the archive.")
        holds = _holds(conn)
    if not holds:
        raise KeizerError(
            f"{out} is not as this keizer makes an archive: move it elsewhere and make it anew."
        )
    if any(out.with_name(out.name + it).exists() for it in ("-journal", "-wal")):
        raise KeizerError(f"another program has {out} open to write: close it there.")


def _holds(conn: sqlite3.Connection) -> bool:
    """Whether the tables and indexes are those of an archive that this keizer makes."""
    there = refresh.objects(conn)
    made = {it: text for it, text in layout().made.items() if it[0] in ("table", "index")}
    return {it: there.get(it) for it in made} == made


@contextmanager
def _translated(out: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if "locked" in str(error):
            raise _busy(out) from error
        hint = folders.hint(out, error)
        raise KeizerError(f"{out}: {connection.sentence(error)}{hint}") from error


def _busy(out: Path) -> KeizerError:
    return KeizerError(f"another `keizer archive` is at work on {out}.")


def opened(work: Path) -> sqlite3.Connection:
    """A connection to write to the hidden file."""
    conn = sqlite3.connect(work, isolation_level=None, timeout=0)
    conn.execute(f"PRAGMA cache_size = -{_CACHE}")
    conn.execute("PRAGMA ignore_check_constraints = ON")  # they were proven
    return conn


class _Archive:
    """An archive while files are taken into it, and what is to be said at the end.

    As long as nothing is to change it is only read; from then on there is the hidden file.
    """

    def __init__(self, out: Path, found: Sequence[str]) -> None:
        self.out, self.work = out, out.with_name(f".{out.name}.work")
        self.written = self.work.exists() or not out.exists()
        self.conn = self._working() if self.written else connection.connect(out, "ro")
        self.acting = True
        rows = self.conn.execute("SELECT id, path, sha256 FROM archived").fetchall()
        self.files: dict[str, tuple[int, str]] = {path: (it, digest) for it, path, digest in rows}
        self.last = max((number for number, _ in self.files.values()), default=0)
        self.gone = sorted(self.files.keys() - set(found))
        self.seen: dict[str, str] = {}
        self.new = self.changed = 0
        self.refused: list[Said] = []
        self.passed_over: list[Said] = []

    def known(self) -> list[str]:
        """The hashes of the files that are in it."""
        return [digest for _, digest in self.files.values()]

    def outcome(self) -> Outcome:
        """What there is to say."""
        return Outcome(
            len(self.files), self.new, self.changed, self.refused, self.passed_over, self.gone,
            self.written,
        )  # fmt: skip

    def close(self) -> None:
        """Let go of the file; what is not saved is lost."""
        self.conn.close()

    # ----------------------------------------------------------- the hidden file

    def _working(self) -> sqlite3.Connection:
        """The hidden file, which nobody else writes to: as it was left, or the archive so far."""
        conn = opened(self.work)
        try:
            conn.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            conn.close()
            raise
        if refresh.objects(conn):
            if _holds(conn):
                return conn
            conn.close()  # an earlier keizer was stopped here
            self.work.unlink()
            return self._working()
        if self.out.exists():
            conn.execute("COMMIT")
            with closing(connection.connect(self.out, "ro")) as so_far:
                so_far.backup(conn, progress=self._impatient)
        else:
            conn.execute(f"PRAGMA application_id = {sql.ARCHIVE_ID}")
            conn.execute(f"PRAGMA user_version = {sql.LAYOUT}")
            for statement in layout().holding:
                conn.execute(statement)
            conn.execute("COMMIT")
        conn.execute("BEGIN IMMEDIATE")
        return conn

    def _impatient(self, status: int, _remaining: int, _total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise _busy(self.out)

    def _change(self) -> None:
        """From here on it is written to, and nothing refuses it."""
        if not self.written:
            try:
                self.work.touch(exist_ok=False)
            except FileExistsError as error:
                raise _busy(self.out) from error
            self.conn.close()
            self.conn = self._working()
            self.written = True
        if self.acting:
            for kind, name in refresh.objects(self.conn):
                if kind in ("view", "trigger"):
                    self.conn.execute(f"DROP {kind} {quoted(name)}")
            self.acting = False

    def save(self) -> None:
        """Have all so far on disk."""
        if self.written:
            self.conn.execute("COMMIT")
            self.conn.execute("BEGIN IMMEDIATE")

    def finish(self) -> None:
        """With all files in it: who is who, the views, nothing that changes, and its name."""
        for path in [it for it, (_, sha) in self.files.items() if self.seen.get(sha, it) != it]:
            self._drop(path)  # gone or unsound, and there as another file
        if not self.files:
            self._remove()
            return
        made, there = layout().made, refresh.objects(self.conn)
        if any(there.get(it) != text for it, text in made.items()):
            self.save()
            self._change()
            self._complete()
        if self.written:
            self.conn.execute("COMMIT")
            self.conn.close()
            with suppress(FileNotFoundError):  # another merge just did
                self.work.replace(self.out)
            to_disk(self.out.parent)

    def _complete(self) -> None:
        for statement in layout().views:
            self.conn.execute(statement)
        for table in ("person", "people"):  # the second follows from the first
            self.conn.execute(f"DELETE FROM {table}")
            self.conn.execute(f"INSERT INTO {table} SELECT * FROM _{table} ORDER BY 1")
        for statement in layout().refusing:
            self.conn.execute(statement)

    def _remove(self) -> None:
        """There is nothing to archive."""
        self.conn.close()
        if self.written and not self.out.exists():
            self.work.unlink(missing_ok=True)
        self.written = False

    # -------------------------------------------------------------------- a file

    def take(self, path: str, found: Found, again: Callable[[], Found]) -> None:
        """Have the archive say of a path what was found there.

        again: reads the file once more, for rows that were not wanted and now are.
        """
        kept = " The archive keeps what it has of it." if path in self.files else ""
        if found.refused:
            self.refused.append((path, found.refused + kept))
        elif found.passed_over:
            self.passed_over.append((path, found.passed_over + kept))
        elif found.sha256 in self.seen:
            first = self.seen[found.sha256]
            self.passed_over.append((path, f"it is the same as {first}."))
            self._drop(path)
        elif self.files.get(path, (0, ""))[1] == found.sha256 or self._moved(path, found.sha256):
            self.seen[found.sha256] = path
        elif found.rows is None:
            self.take(path, again(), again)
        else:
            self.seen[found.sha256] = path
            self._merge(path, found.sha256, found.rows)

    def _merge(self, path: str, digest: str, rows: clubs.Rows) -> None:
        """Have the rows of a file in the place of those it had, or under the next number."""
        self._change()
        if path in self.files:
            number = self._drop(path)
            self.changed += 1
        else:
            self.last = number = self.last + 1
            self.new += 1
        for table in layout().tables:
            self.conn.executemany(table.insert(number), rows[table.name])
        self.conn.execute(
            "INSERT INTO archived (id, path, club, sha256) VALUES (?, ?, ?, ?)",
            (number, path, clubs.club(path), digest),
        )
        self.files[path] = number, digest

    def _moved(self, path: str, digest: str) -> bool:
        """Whether it is a file that had another name before; then the archive has the new one."""
        old = next((it for it in self.gone if self.files[it][1] == digest), None)
        if old is None or path in self.files:
            return False
        self._change()
        self.conn.execute(
            "UPDATE archived SET path = ?, club = ? WHERE path = ?", (path, clubs.club(path), old)
        )
        self.gone.remove(old)
        self.files[path] = self.files.pop(old)
        self.changed += 1
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
        self.gone = [it for it in self.gone if it != path]
        return number
