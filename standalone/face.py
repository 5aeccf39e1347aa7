"""The face in a browser's memory: what the worker calls."""

import gc
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

from werkzeug.test import Client

from keizer.errors import KeizerError
from keizer.formats import apart
from keizer.store import database
from keizer.store.atomic import StrPath
from keizer.store.backup import snapshots
from keizer.store.log import undo
from keizer.web.app import application
from keizer.web.pages import Parts, page
from keizer.web.visit import Face, Visit

FOLDER = Path("/season")
"""In the browser's memory: the season that is open, and its snapshots."""
_WAL = 2
"""What a file says in its 19th byte of which the last changes may be beside it."""


_beside = snapshots.folder_of


def _home(path: StrPath, folder: str | None = None) -> str:  # noqa: ARG001
    """Where snapshots are: a folder that the club has for them is none of the browser's."""
    return _beside(path)


snapshots.folder_of = _home


class Kept(Face):
    """A face of one season, beside which the browser keeps others."""

    kept: list[dict[str, Any]]

    def __init__(self) -> None:
        super().__init__(FOLDER)
        self.kept = []

    def seasons(self) -> list[str]:
        """The season files that the browser keeps."""
        return [one["name"] for one in self.kept]

    def within(self, name: str) -> Path:
        """A new season file; KeizerError where the browser keeps one of that name."""
        file = super().within(name)
        if file.name in self.seasons():
            raise KeizerError(
                f"{file.name} is there already: open it, or choose another name."
            )
        return file


class Answer(NamedTuple):
    """Of the application: path is where it led to, name what to save it as, if it is no page."""

    status: int
    path: str
    kind: str
    name: str
    data: bytes


class Club:
    """The application, and its one visitor: the director, or who looks at a season as a guest."""

    def __init__(self) -> None:
        FOLDER.mkdir()
        self.face = Kept()
        self._application = application(self.face)
        self._director = self._client = Client(self._application)
        self._client.get(f"/in/{self.face.keys.director}")

    def watch(self, tell: Callable[[float], object]) -> None:
        """Tell how many seconds a file may take when one is read, and 0 when it was."""

        @contextmanager
        def watched(seconds: float) -> Iterator[None]:
            tell(seconds)
            try:
                yield
            finally:
                tell(0)

        apart.watched = watched

    def ask(
        self, path: str, kept: str, body: bytes | None = None, kind: str = ""
    ) -> Answer:
        """Get a page, or with a body of a kind post a form; kept: the seasons, as JSON."""
        self.face.kept = json.loads(kept)
        answer = (
            self._client.get(path) if body is None
            else self._client.post(path, data=bytes(body), content_type=kind)
        )  # fmt: skip
        while answer.location:
            path = urljoin(path, answer.location)
            answer = self._client.get(path)
        if answer.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
            gc.collect()  # what was being read when it happened is still open, and locks the file
        name = ""
        if "Content-Disposition" in answer.headers:
            name = path.partition("?")[0].rpartition("/")[2]
        return Answer(
            answer.status_code, path, answer.mimetype or "", name, answer.data
        )

    def wrong(self, name: str, there: str) -> tuple[str, bool]:
        """What is wrong with a file of the folder as a season, or nothing; if it may be a list.

        name: what it is called where it comes from.
        """
        file = FOLDER / there
        if not database.is_season(file):
            why = "If it is a list of members, or a season of another program, begin with it here."
            return f"{name} is no season of keizer. {why}", True
        if file.read_bytes()[18:20] == bytes((_WAL, _WAL)):
            why = (
                "another program can have changes beside it (WAL). Close it there, then"
            )
            command = f"`sqlite3 {name} 'PRAGMA journal_mode = DELETE'`"
            return f"{name} may not be whole: {why}: {command}.", False
        try:
            with database.reading(file):
                return "", False
        except (KeizerError, sqlite3.Error) as error:
            return str(error).replace(str(file), name), False

    def lacks(self, found: str, mine: str) -> tuple[bool, str]:
        """Whether a file that was found lacks some of a season's log; the last command of that.

        Both are in the folder.
        """
        last = ""
        with suppress(sqlite3.Error), closing(sqlite3.connect(FOLDER / mine)) as conn:
            conn.row_factory = sqlite3.Row
            last = str((undo.last_command(conn) or (0, ""))[1])
        try:
            log = _log(FOLDER / mine)
            return _log(FOLDER / found)[: len(log)] != log, last
        except sqlite3.Error:
            return True, last

    def take(self, name: str) -> None:
        """Open a sound season that was put into the folder."""
        self._be_director()
        self.face.file, self.face.tournament = FOLDER / name, None

    def leave(self) -> None:
        """Close the season."""
        self._be_director()
        self.face.file = None

    def look(self) -> None:
        """Have the season that is open seen as guests see it, who change nothing."""
        self.face.lan, self._client = True, Client(self._application)

    def _be_director(self) -> None:
        self.face.lan, self._client = False, self._director

    def opened(self) -> str:
        """The name of the season that is open for the director, or nothing."""
        return self.face.file.name if self.face.file and not self.face.lan else ""


def _log(file: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as conn:
        return conn.execute(
            "SELECT command_id, fact, state FROM log ORDER BY id"
        ).fetchall()


@page("about", "about.html", alone=True)
def about(_: Visit) -> Parts:
    """What is in keizer.html, by whom, under which licence."""
    found: Parts = json.loads(
        Path(__file__).with_name("about.json").read_text(encoding="utf-8")
    )
    return found
