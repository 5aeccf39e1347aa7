"""The season files of a folder: each has a face, secrets and seats of its own."""

import sqlite3
from collections import OrderedDict
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import NamedTuple
from urllib.parse import quote

from werkzeug import Response

from keizer.errors import KeizerError
from keizer.season.tournaments import find_tournament
from keizer.store import database, warm
from keizer.store.backup import snapshots
from keizer.web.app import FaceApplication, application
from keizer.web.desk import BusyError
from keizer.web.keys import Password
from keizer.web.lines import SEATS
from keizer.web.site.data import PublishedSeason
from keizer.web.visit import Face, plain

_WARM = 40
"""Files with connections that stay open."""
_LOCKS = 100
PAGES, BYTES = 60, 2 << 20
"""Pages of a club that are kept for the next reader, and what they take together."""
Asked = tuple[str, str]
"""What a page is kept by: its path, and the language that it is in."""


class Club(Face):
    """The face of one file. What is about the folder, or this machine, is not there."""

    public = True
    without = frozenset({"start", "open", "demo", "publish-page"})

    def __init__(self, file: Path, address: str) -> None:
        super().__init__(file.parent, file, keys=Password(file, self.season), lan=True)
        self.address = f"{address}{quote(file.stem)}/"

    def is_here(self, host: str) -> bool:  # noqa: ARG002
        """It is: `Clubs` has looked."""
        return True

    def title(self) -> str:
        """Return what the club's page is called; BusyError where somebody else has the file."""
        with (
            self.gate.turn(0),
            database.reading(self.there, self.gate.connections) as conn,
        ):
            return PublishedSeason(
                find_tournament(conn, self.tournament, latest=True)
            ).title


class Kept:
    """The pages of a club that are kept for the next reader, all of one state of its file."""

    def __init__(self) -> None:
        self._pages: tuple[object, dict[Asked, Response]] = None, {}

    def find(self, state: object, asked: Asked) -> Response | None:
        """Return what was kept while the file was the same."""
        known, pages = self._pages
        return pages.get(asked) if known == state else None

    def keep(self, state: object, asked: Asked, page: Response) -> None:
        """Keep a page; the earliest go if there are too many, and all of another state."""
        if len(page.data) > BYTES:
            return
        known, pages = self._pages
        if known != state:
            pages = {}
            self._pages = state, pages
        pages[asked] = page
        size = 0
        for number, (name, kept) in enumerate(reversed([*pages.items()]), 1):
            size += len(kept.data)
            if number > PAGES or size > BYTES:
                pages.pop(name, None)


class Open(NamedTuple):
    """A club that somebody has asked for. seats: of the threads that are at work for it."""

    club: Club
    app: FaceApplication
    seats: BoundedSemaphore
    kept: Kept


class Folder:
    """The clubs of a folder: the season files that are in it when they are asked for.

    address: that of their list. Nobody who opens a club, or looks what it is called, keeps those
    of another waiting.
    """

    def __init__(self, path: Path, address: str) -> None:
        self.path, self._address = path, address
        snapshots.SEPARATE_FOLDERS.add(str(path))
        self._open: OrderedDict[str, Open] = OrderedDict()  # the latest is the last
        self._titles: dict[str, tuple[object, str]] = {}
        self._turns, self._order = [Lock() for _ in range(_LOCKS)], Lock()

    def has(self, name: str) -> bool:
        """Return whether the folder has a file of that name, without opening it."""
        file = self._file(name)
        try:
            return plain(name) == name and file.is_file() and not file.is_symlink()
        except (KeizerError, OSError, ValueError):
            return False

    def _file(self, name: str) -> Path:
        return self.path / f"{name}.db"

    def opened(self, name: str) -> Open | None:
        """Return a club that somebody has asked for; its file may have gone since."""
        return self._open.get(name)

    def find(self, name: str) -> Open | None:
        """Return the club of a name; None where there is none, or none any more."""
        with self._turn(name):
            if not self._is_season(name):
                self._open.pop(name, None)
                return None
            if name not in self._open:
                self._open[name] = self._begin(name)
            with self._order:
                self._open.move_to_end(name)
                for other in [*self._open.values()][-_WARM - 1 : -_WARM]:
                    other.club.gate.connections.close_idle()
            return self._open[name]

    def titles(self) -> dict[str, str]:
        """Return what each club calls itself, by the names of those that can be opened."""
        titles = {file.stem: self._title(file.stem) for file in self.path.glob("*.db")}
        return {name: title for name, title in titles.items() if title}

    def _turn(self, name: str) -> Lock:
        """The lock of who opens a file, or looks into one that is not open; few share one."""
        return self._turns[hash(name) % len(self._turns)]

    def _begin(self, name: str) -> Open:
        club = Club(self._file(name), self._address)
        app = application(club, path=f"/{quote(name)}/")
        return Open(club, app, BoundedSemaphore(SEATS), Kept())

    def _is_season(self, name: str) -> bool:
        """Whether a season of the folder has this name; for who has the turn."""
        # Who opens and closes a file takes all locks of this process off it: only before.
        return self.has(name) and (
            name in self._open or database.is_season(self._file(name))
        )

    def _title(self, name: str) -> str | None:
        """What a club calls itself, read once for each state of its file; None: it cannot be."""
        file = self._file(name)
        with self._turn(name):
            there = self._open.get(name)
            state = warm.state_of_file(file), there and there.club.tournament
            before, title = self._titles.get(name, (None, None))
            if before == state:
                return title
            if not self._is_season(name):
                return None
            try:
                title = there.club.title() if there else _title_of(file)
            except BusyError:  # at work: the list does not wait
                return title or name
            except (KeizerError, OSError, sqlite3.Error):
                return None
            self._titles[name] = state, title
            return title


def _title_of(file: Path) -> str:
    with database.reading(file) as conn:
        return PublishedSeason(find_tournament(conn, latest=True)).title
