"""Find and load the SQL that is the program: schema.sql and views/*/*.sql."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID = 1264937338
"""`PRAGMA application_id` of a Keizer file: the letters "Keiz"."""

ARCHIVE_ID = 1264937281
"""`PRAGMA application_id` of an archive of many files: the letters "KeiA"."""

READABLE = (APPLICATION_ID, ARCHIVE_ID)
"""What every command that shows something takes."""

LAYOUT = 1
"""`PRAGMA user_version`: the layout of the tables that this version reads and writes."""


def script() -> str:
    """Everything a new file is made of, as `cat schema.sql views/*/*.sql` has it."""
    with _home() as home:
        return _joined([home / "schema.sql", *sorted((home / "views").glob("*/*.sql"))])


def schema_script() -> str:
    """The tables of a file, and the rows that are the same in every one: schema.sql."""
    with _home() as home:
        return _joined([home / "schema.sql"])


def code_script() -> str:
    """The views and triggers of a file: views/*/*.sql."""
    with _home() as home:
        return _joined(sorted((home / "views").glob("*/*.sql")))


def archive_script() -> str:
    """What an archive has beside the tables and views of a file: keizer/archive/views/*.sql."""
    from importlib.resources import as_file, files

    with as_file(files("keizer.archive") / "views") as room:
        return _joined(sorted(room.glob("*.sql")))


@contextmanager
def _home() -> Iterator["Path"]:
    """Where the SQL lies: in the package (wheel) or one folder up (checkout)."""
    from importlib.resources import as_file, files

    with as_file(files("keizer")) as package:
        yield package if (package / "schema.sql").is_file() else package.parent


def _joined(sources: "list[Path]") -> str:
    return "".join(source.read_text(encoding="utf-8") for source in sources)
