"""What a club decides on its page: a row of table site."""

import os
from pathlib import Path
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.season.names import spelling
from keizer.season.queries import Tournament
from keizer.store import atomic

MANIFEST = "keizer-site.txt"
"""Says whose the site in a folder is, and lists its files: only these are replaced or removed."""

COLUMNS = (
    "value", "points", "tiebreaks", "played", "won", "drawn", "lost", "byes", "absences", "duty",
    "balance",
)  # fmt: skip
"""The columns of the standings that can be left out."""
_ALWAYS = {"rank", "name", "score"}


class Page(NamedTuple):
    """The columns of table site, each as it is where nothing was decided."""

    folder: str | None = None
    language: str = "en"
    title: str | None = None
    colour: str | None = None
    columns: str | None = None
    address: str | None = None
    mail: str | None = None
    phone: str | None = None
    starts: str | None = None

    @property
    def shown(self) -> frozenset[str]:
        """Which of COLUMNS are shown."""
        if self.columns is None:
            return frozenset(COLUMNS)
        return self._named() & frozenset(COLUMNS)

    def check(self) -> None:
        """Refuse columns that there are not."""
        for column in sorted(self._named() - _ALWAYS - {*COLUMNS, "all"}):
            raise KeizerError(
                "“{column}” is no column of the page: there are {columns}.",
                column=spelling.shortened(column), columns=COLUMNS,
            )  # fmt: skip

    def _named(self) -> frozenset[str]:
        return frozenset(
            column.strip() for column in (self.columns or "").split(",")
        ) - {""}

    def there(self, file: Path) -> Path:
        """The folder, seen from here; file: the season file. KeizerError where there is none.

        Likewise for one that leads out of the file's own and has no site yet: a file can name
        any folder, and its sender may have.
        """
        if self.folder is None:
            raise KeizerError(
                "say where the page goes: `keizer site DB DIR`. From then on `keizer site DB`"
                " makes it again."
            )
        there = file.parent / self.folder
        if not (atomic.is_within(there, file.parent) or (there / MANIFEST).is_file()):
            raise KeizerError(
                "the file names {folder} for its page, where none is: `keizer site {file} {folder}`"
                " writes it there.",
                folder=str(there),
                file=str(file),
            )
        return there


def seen_from(file: Path, folder: Path) -> str:
    """A folder as the file has it: from its own folder on, where there is a way."""
    try:
        return Path(os.path.relpath(folder, file.parent)).as_posix()
    except ValueError:  # another drive
        return str(folder.absolute())


def page(tournament: Tournament) -> Page:
    """What is decided on the page of a tournament."""
    query = f"SELECT {', '.join(Page._fields)} FROM site WHERE tournament_id = ?"
    return next(
        (Page(**found) for found in tournament.records(query, tournament.id)), Page()
    )
