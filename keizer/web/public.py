"""Season files at a public address: a folder of them in one process, each at a path of its own.

`Clubs` is the WSGI application, for `keizer serve FOLDER --host-name` and for any other server.
What stands before it speaks https. Nothing of one file is of use at another: each has links,
cookies, a secret and a password of its own, in FOLDER/.keizer.
"""

import hashlib
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from hmac import compare_digest
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from time import localtime, time
from typing import Any
from urllib.parse import quote
from wsgiref.util import shift_path_info

from werkzeug import Request, Response

from keizer import languages
from keizer.errors import KeizerError
from keizer.store import folders, warm
from keizer.web.app import HEADERS, application
from keizer.web.keys import Keys
from keizer.web.visit import Face, environment, plain

_KEPT, _SETTLED = 1000, 2.0
"""Pages that are kept for the next reader; seconds after which a clock tells a change for sure."""
_WARM = 40
"""Files with connections that stay open."""
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_GROUPS, _LONG = 5, 5
"""Of a password: 125 bits, which nobody guesses, however often they may try."""


class Password(Keys):
    """The secrets of one file; its director has a password, which outlives the run.

    season: tells which season the file has, as another under its name has another director.
    """

    def __init__(self, file: Path, season: Callable[[], str]) -> None:
        super().__init__(file.parent / ".keizer" / file.name)
        self._season = season

    def renew(self) -> str:
        """Make another password; the one before, and who came by it, count no more."""
        made = ["".join(map(secrets.choice, [_LETTERS] * _LONG)) for _ in range(_GROUPS)]
        self.links.new_password(self._season(), _hashed("".join(made)))
        return "-".join(made)

    def _known(self) -> str:
        """The hash of the password; nothing where there is none, or the file cannot be read."""
        with suppress(KeizerError, OSError, sqlite3.Error):
            return self.links.password(self._season())
        return ""

    def is_director(self, typed: str) -> bool:
        """Whether this is the password, with small letters or without hyphens, too."""
        letters = "".join(letter for letter in typed.upper() if letter.isalnum())
        return compare_digest(_hashed(letters), self._known())

    def lets_in(self, typed: str) -> bool:  # noqa: ARG002
        """Nobody: an address is on the log of who forwards it."""
        return False

    def is_pin(self, typed: str, address: str, now: float | None = None) -> bool:  # noqa: ARG002
        """Whether this is the password; who is wrong need not wait, as no number of tries helps."""
        return self.is_director(typed)

    def marks(self) -> tuple[str, ...]:
        """What the cookie of a director has."""
        known = self._known()
        return (_hashed(known),) if known else ()


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


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


class Clubs:
    """The season files that are in a folder when they are asked for, as one WSGI application.

    hosts: the names by which it is reached. It is for one process, with threads, as what a page
    has to say after a click is kept in memory.
    """

    def __init__(self, folder: str | Path, *hosts: str) -> None:
        self.folder, self.hosts = Path(folder).resolve(), hosts
        self._open: dict[str, tuple[Club, Any]] = {}
        self._kept: dict[tuple[str | None, ...], tuple[object, Response]] = {}
        self._turn = Lock()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request, as PEP 3333 has it."""
        request = Request(environ)
        if request.host.partition(":")[0].lower() not in self.hosts:
            return _answer("this address is not known here.", 400)(environ, start)
        if request.path == "/":
            return self._listed(request)(environ, start)
        shift_path_info(environ)
        name = request.path.split("/")[1]
        found = self._club(name)
        if found is None:
            return _answer("there is no such page.", 404)(environ, start)
        if not environ["PATH_INFO"]:
            there = Response(status=308, headers={"Location": f"{quote(name)}/"})
            return there(environ, start)
        made = self._kept_for_all if _is_anybody(request) else self._made
        return made(name, found, request)(environ, start)

    def _made(self, _: str, app: Any, request: Request) -> Response:
        """What an application says, without the folder that its files are in."""
        answer = Response.from_app(app, request.environ, buffered=True)
        if answer.mimetype in ("text/html", "application/json"):
            answer.data = answer.data.replace(f"{self.folder}{os.sep}".encode(), b"")
        return answer

    def _kept_for_all(self, name: str, app: Any, request: Request) -> Response:
        """What everybody gets at an address, made once for each state of the file."""
        file = self.folder / f"{name}.db"
        now = warm.state(file), localtime()[:3]
        key = name, request.path, request.accept_languages.best_match(languages.known())
        before, answer = self._kept.get(key, (None, None))
        if before == now and answer:
            return answer
        still = time() - file.stat().st_mtime > _SETTLED
        answer = self._made(name, app, request)
        own = "Set-Cookie" in answer.headers  # with what its form has to bring along
        if still and not own and answer.status_code == HTTPStatus.OK:
            self._kept[key] = now, answer
            for old in [*self._kept][:-_KEPT]:
                self._kept.pop(old, None)
        return answer

    def _file(self, name: str) -> Path | None:
        """The season file of a name; None where there is none that is ours."""
        with suppress(KeizerError, OSError, ValueError):
            file = self.folder / f"{plain(name)}.db"
            return file if file.resolve() == file and folders.is_season(file) else None
        return None

    def _club(self, name: str) -> Any:
        """The application of a file; None where there is none, or none any more."""
        file = self._file(name)
        with self._turn:
            if file is None:
                self._open.pop(name, None)
                return None
            if name not in self._open:
                club = Club(file, f"https://{self.hosts[0]}/")
                self._open[name] = club, application(club, path=f"/{quote(name)}/")
            self._open[name] = self._open.pop(name)  # the latest is the last
            for other in [*self._open][-_WARM - 1 : -_WARM]:
                self._open[other][0].gate.warm.rest()
            return self._open[name][1]

    def _listed(self, request: Request) -> Response:
        """The page that names them all."""
        names = [one.stem for one in sorted(self.folder.glob("*.db")) if self._file(one.stem)]
        if len(names) == 1:
            return Response(status=303, headers={"Location": f"{quote(names[0])}/"})
        language = request.accept_languages.best_match(languages.known()) or "en"
        _, made = environment(language)
        text = made.get_template("clubs.html").render(names=names, language=language)
        return _headed(Response(text, mimetype="text/html"))


def _is_anybody(request: Request) -> bool:
    """Whether a page is read by somebody of whom nothing is known, and who asks for nothing."""
    known = request.cookies or "Authorization" in request.headers or request.query_string
    return request.method == "GET" and not known


def _answer(said: str, status: int) -> Response:
    return _headed(Response(f"{said}\n", status))


def _headed(answer: Response) -> Response:
    answer.headers.update(HEADERS)
    return answer
