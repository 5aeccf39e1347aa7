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
from threading import BoundedSemaphore, Lock
from time import localtime, time
from typing import Any, NamedTuple
from urllib.parse import quote
from wsgiref.util import shift_path_info

from markupsafe import escape
from werkzeug import Request, Response

from keizer import languages
from keizer.errors import KeizerError
from keizer.store import folders, snapshots, warm
from keizer.web.app import HEADERS, application
from keizer.web.keys import Keys
from keizer.web.visit import Face, environment, plain

_KEPT, _LARGE, _SETTLED = 1000, 1 << 20, 2.0
"""Pages that are kept for the next reader, none of so many bytes, of a file that has not changed
for so many seconds, as the clock tells a change then."""
_SEATS, _PATIENCE = 4, 2.0
"""Requests of a club at once, so that others have threads; seconds that one more waits."""
UPLOAD = 1 << 20
"""Bytes that somebody of whom nothing is known may send."""
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


class _Open(NamedTuple):
    """A club that somebody has asked for; seats: of those who wait for it at once."""

    club: Club
    app: Any
    seats: BoundedSemaphore


class Clubs:
    """The season files that are in a folder when they are asked for, as one WSGI application.

    hosts: the names by which it is reached. It is for one process, with threads, as what a page
    has to say after a click is kept in memory.
    """

    def __init__(self, folder: str | Path, *hosts: str) -> None:
        self.folder, self.hosts = Path(folder).resolve(), [host.lower() for host in hosts]
        snapshots.APART.add(str(self.folder))
        self._open: dict[str, _Open] = {}
        self._kept: dict[tuple[str | None, ...], tuple[object, Response]] = {}
        self._turn = Lock()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request, as PEP 3333 has it."""
        try:
            answer = self._answer(Request(environ))
        except (KeizerError, OSError, LookupError, ValueError):  # a file that has just gone, say
            answer = _plain("this cannot be answered now: try again.", 503)
        return answer(environ, start)

    def _answer(self, request: Request) -> Response:
        if request.host.partition(":")[0].lower() not in self.hosts:
            return _plain("this address is not known here.", 400)
        if request.path == "/":
            return self._listed(request)
        name = request.path.split("/")[1]
        there = self._club(name)
        if there is None:
            return _plain("there is no such page.", 404)
        shift_path_info(request.environ)
        if not request.environ["PATH_INFO"]:
            return Response(status=308, headers={"Location": f"{quote(name)}/"})
        if _is_anybody(request):
            return self._for_anybody(there, request)
        return self._made(there, request)

    def _made(self, there: "_Open", request: Request) -> Response:
        """What an application says, without the folder that its files are in."""
        if not there.seats.acquire(timeout=_PATIENCE):
            answer = _plain("too many people want this at once: try again.", 503)
            answer.headers["Retry-After"] = "2"
            return answer
        try:
            answer = Response.from_app(there.app, request.environ, buffered=True)
        finally:
            there.seats.release()
        if answer.mimetype in ("text/html", "application/json"):
            for path in {f"{self.folder}{os.sep}", escape(f"{self.folder}{os.sep}")}:
                answer.data = answer.data.replace(path.encode(), b"")
        return answer

    def _for_anybody(self, there: "_Open", request: Request) -> Response:
        """What everybody gets at an address, made once for each state of the file."""
        if (request.content_length or 0) > UPLOAD:
            return _plain("that is too much at once.", 413)
        club = there.club
        now = warm.state(club.there), club.tournament, localtime()[:3]
        key = str(club.there), request.path, request.accept_languages.best_match(languages.known())
        before, answer = self._kept.get(key, (None, None))
        if before == now and answer:
            return answer
        still = time() - club.there.stat().st_mtime > _SETTLED
        answer = self._made(there, request)
        # Not with what its form has to bring along; nor one page under many a name.
        own = request.method != "GET" or "Set-Cookie" in answer.headers or "/0" in request.path
        if still and not own and answer.status_code == HTTPStatus.OK and len(answer.data) < _LARGE:
            self._kept[key] = now, answer
            for old in [*self._kept][:-_KEPT]:
                self._kept.pop(old, None)
        return answer

    def _club(self, name: str) -> "_Open | None":
        """The club of a name; None where there is none, or none any more."""
        with suppress(KeizerError, ValueError), self._turn:
            file = self.folder / f"{name}.db"
            if plain(name) != name or not file.is_file() or file.is_symlink():
                self._open.pop(name, None)
                return None
            # Who opens and closes a file takes all locks of this process off it: only before.
            if name not in self._open:
                if not folders.is_season(file):
                    return None
                club = Club(file, f"https://{self.hosts[0]}/")
                app = application(club, path=f"/{quote(name)}/")
                self._open[name] = _Open(club, app, BoundedSemaphore(_SEATS))
            self._open[name] = self._open.pop(name)  # the latest is the last
            for other in [*self._open][-_WARM - 1 : -_WARM]:
                self._open[other].club.gate.warm.rest()
            return self._open[name]
        return None

    def _listed(self, request: Request) -> Response:
        """The page that names them all."""
        files = (one for one in sorted(self.folder.glob("*.db")) if not one.is_symlink())
        names = [one.stem for one in files if one.is_file()]
        if len(names) == 1:
            return Response(status=303, headers={"Location": f"{quote(names[0])}/"})
        language = request.accept_languages.best_match(languages.known()) or "en"
        _, made = environment(language)
        text = made.get_template("clubs.html").render(names=names, language=language)
        return _headed(Response(text, mimetype="text/html"))


def _is_anybody(request: Request) -> bool:
    """Whether somebody asks of whom nothing is known."""
    known = request.cookies or "Authorization" in request.headers or request.query_string
    return not known


def _plain(said: str, status: int) -> Response:
    return _headed(Response(f"{said}\n", status))


def _headed(answer: Response) -> Response:
    answer.headers.update(HEADERS)
    return answer
