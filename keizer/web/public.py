"""Season files at a public address: a folder of them in one process, each at a path of its own.

`Clubs` is the WSGI application, for `keizer serve FOLDER --host-name` and for any other server.
What stands before it speaks https. Nothing of one file is of use at another: each has links,
cookies, a secret and a password of its own, in FOLDER/.keizer.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import BoundedSemaphore
from time import localtime, time
from typing import Any
from urllib.parse import quote
from wsgiref.util import shift_path_info

from markupsafe import escape
from werkzeug import Request, Response
from werkzeug.exceptions import HTTPException
from werkzeug.wsgi import get_path_info

from keizer.errors import KeizerError
from keizer.season.names import spelling
from keizer.store import warm
from keizer.web.answers import HEADERS, RefusedError, language_of, refusal
from keizer.web.bodies import LET_IN, received
from keizer.web.folder import Asked, Club, Folder, Open
from keizer.web.lines import SEATS, Seats
from keizer.web.rendering import environment
from keizer.web.site import build
from keizer.web.site.decided import Page

_SETTLED = 2.0
"""A page is kept if the file has not changed for so many seconds: then the clock tells a change."""
_MOUNTED = re.compile(r"(/[\w.~-]+)*")
"""Where a server says that the clubs are. Links begin with it: “//elsewhere” leads elsewhere."""
_SHIPPED = ("/face.css", "/face.js", "/icon.svg")
"""What is the same for everybody, whoever they are."""


class Clubs:
    """The season files that are in a folder when they are asked for, as one WSGI application.

    host, more: the names by which it is reached; links have the first. It is for one process,
    with threads, as what a page has to say after a click is kept in memory.
    """

    def __init__(self, folder: str | Path, host: str, *more: str) -> None:
        self.hosts = [name.lower() for name in (host, *more)]
        self.folder = Folder(Path(folder).resolve(), f"https://{self.hosts[0]}/")
        self._seats, self._seats_of_list = Seats(), BoundedSemaphore(SEATS)

    def __call__(
        self, environ: dict[str, Any], start: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer a request, as PEP 3333 has it."""
        # Anybody's header at gunicorn.
        if not _MOUNTED.fullmatch(environ.get("SCRIPT_NAME", "")):
            environ["SCRIPT_NAME"] = ""
        request = Request(environ)
        try:
            answer = self.kept(environ) or self._answer(request)
        except RefusedError as error:
            answer = refusal(request, error)
        # A file that has just gone, say.
        except (KeizerError, OSError, LookupError, ValueError):
            unanswered = RefusedError("this cannot be answered now: try again.", 503)
            answer = refusal(request, unanswered)
        return answer(environ, start)

    # ------------------------------------------- what a door asks before it lets somebody in

    def is_director(self, environ: dict[str, Any]) -> bool:
        """Return whether the director of that club asks, by the headers alone."""
        club = self.folder.find(_name(environ))
        return club is not None and club.app.is_director(environ)

    def club(self, environ: dict[str, Any]) -> str:
        """Return in whose line a request waits: the club's name, nothing if there is no club."""
        name = _name(environ)
        return name if self.folder.has(name) else ""

    def kept(self, environ: dict[str, Any]) -> Response | None:
        """Return what is kept for everybody who asks this: nobody is waited for, no file opened."""
        request = Request(environ)
        there = self.folder.opened(_name(environ))
        if there is None or not self._is_here(request):
            return None
        return self._kept_of(there, request)

    # ---------------------------------------------------------------------- one request

    def _is_here(self, request: Request) -> bool:
        return request.host.partition(":")[0].lower() in self.hosts

    def _answer(self, request: Request) -> Response:
        if not self._is_here(request):
            raise RefusedError("this address is not known here.", 400)
        if request.path == "/":
            with self._seat(request, self._seats_of_list):
                return self._listed(request)
        name = _name(request.environ)
        there = self.folder.find(name)
        if there is None and request.path == "/style.css":  # of pages of no season
            return Response(build.style(Page()), mimetype="text/css", headers=HEADERS)
        if there is None:
            raise RefusedError("there is no such page.", 404)
        with self._received(request, there), self._seat(request, there.seats):
            shift_path_info(request.environ)
            if not request.environ["PATH_INFO"]:
                return Response(status=308, headers={"Location": f"{quote(name)}/"})
            # Whoever had the seat before may have asked the same.
            return self._kept_of(there, request) or self._made(there, request)

    @contextmanager
    def _received(self, request: Request, there: Open) -> Iterator[None]:
        """Have the body, before a seat is taken: nobody who sends slowly has one."""
        if LET_IN in request.environ:
            yield
            return
        is_director = partial(there.app.is_director, request.environ)
        with received(request.environ, there.club.there.stem, is_director):
            yield

    @contextmanager
    def _seat(self, request: Request, club: BoundedSemaphore) -> Iterator[None]:
        """Have a seat of a club; RefusedError (503) where there is none, and others wait."""
        if LET_IN in request.environ:
            yield
            return
        with self._seats.of(club):
            yield

    def _made(self, there: Open, request: Request) -> Response:
        """What the application says, kept for the next reader if it is the same for everybody."""
        if not _is_for_everybody(request):
            return self._said(there, request)
        now = _state(there.club)
        settled = time() - there.club.there.stat().st_mtime > _SETTLED
        answer = self._said(there, request)
        # Not with what its form has to bring along.
        own = request.method != "GET" or "Set-Cookie" in answer.headers
        is_page = answer.status_code == HTTPStatus.OK and _has_this_path(there, request)
        if settled and is_page and not own:
            there.kept.keep(now, _asked(request), answer)
        return answer

    def _said(self, there: Open, request: Request) -> Response:
        """What the application says, without the folder that its files are in."""
        answer = Response.from_app(there.app, request.environ, buffered=True)
        if answer.mimetype in ("text/html", "application/json"):
            folder = f"{self.folder.path}{os.sep}"
            for path in {folder, escape(folder)}:
                answer.data = answer.data.replace(path.encode(), b"")
        return answer

    def _kept_of(self, there: Open, request: Request) -> Response | None:
        if not _is_for_everybody(request):
            return None
        return there.kept.find(_state(there.club), _asked(request))

    def _listed(self, request: Request) -> Response:
        """The page that names all clubs that can be opened, as each calls itself."""
        clubs = [*self.folder.titles().items()]
        if len(clubs) == 1:
            return Response(status=303, headers={"Location": f"{quote(clubs[0][0])}/"})
        clubs.sort(key=lambda club: (spelling.fold(club[1]), club))
        language = language_of(request)
        _, templates = environment(language)
        page = templates.get_template("clubs.html").render(
            clubs=clubs, language=language, root=request.root_path
        )
        return Response(page, mimetype="text/html", headers=HEADERS)


def _is_for_everybody(request: Request) -> bool:
    """Whether everybody gets the same: of whom nothing is known, or of what is shipped."""
    if request.method not in ("GET", "HEAD"):
        return False
    known = {
        "HTTP_COOKIE",
        "HTTP_AUTHORIZATION",
    } & request.environ.keys() or request.query_string
    return not known or request.path.endswith(_SHIPPED)


def _name(environ: dict[str, Any]) -> str:
    """The first part of a path: the name of a club, if there is one."""
    return get_path_info(environ).partition("/")[2].partition("/")[0]


def _has_this_path(there: Open, request: Request) -> bool:
    """Whether this is the one path of a page, of the many that lead to it."""
    paths = there.app.url_map.bind("")
    path = request.path.removeprefix(f"/{there.club.there.stem}")
    try:
        page, parts = paths.match(path)
    except HTTPException:
        return False
    return paths.build(page, parts) == path


def _asked(request: Request) -> Asked:
    return request.path, language_of(request)


def _state(club: Club) -> object:
    """What is the same as long as a page is: the file, what is shown of it, and the day."""
    return warm.state_of_file(club.there), club.tournament, localtime()[:3]
