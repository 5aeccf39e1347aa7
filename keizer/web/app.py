"""All of it as one WSGI application, without sockets, threads or addresses of its own."""

import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.resources import files
from io import BytesIO
from pathlib import PurePath
from secrets import token_urlsafe
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import quote_plus, unquote_to_bytes

import flask
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from keizer import languages, texts
from keizer.acts import declare, lists
from keizer.acts.declare import DIRECTOR, GUEST, PHONE
from keizer.errors import DeclinedError, KeizerError, UnclearError
from keizer.formats import limits
from keizer.messages import Message, as_sentence, say
from keizer.season.lookups import LOOKUPS
from keizer.season.people import roster
from keizer.store import connection
from keizer.store.log import history
from keizer.web import files as downloads
from keizer.web import (
    members,
    pages,
    people,
    plan,
    reports,
    results,
    rights,
    rules,
    tonight,
)
from keizer.web.actions import (
    ACTIONS,
    act_of,
    carried_out,
    preview,
    said,
    shown_by,
    unread,
)
from keizer.web.answers import HEADERS, RefusedError, language_of, wants_json
from keizer.web.bodies import ANYBODY, FILES, FORM, forget_copied
from keizer.web.form import Form
from keizer.web.site import build
from keizer.web.site.pages import SINGLE
from keizer.web.uploads import HELD
from keizer.web.visit import Face, Note, Notes, Visit

MODULES = (downloads, members, people, plan, results, rules, tonight)
"""What declares pages and actions."""
_SITE_OF = ("round", "sheet", "standings", "player")
_BIGGEST = 10**9
"""No number of a round or a player is larger."""
_PATH = 100
"""Characters of a path that a page says again, in each of its links. No page has a longer one."""
_FILES = 3
"""Files that come with a form. Ours have one."""
_PARTS = 10_000
"""Of a form, if it is not the director's: fields, and signs that are written as %61. Each takes
much more memory than its bytes."""
_TYPED = 50_000
"""Bytes of what is kept of a refused form, so that it stands there again."""
REFUSED = 409
"""The status of what makes no sense as things are."""


_WRONG = {
    404: say("there is no such page."),
    405: say("that is done by a form."),
    413: say("that is too much at once."),
}


class _Request(flask.Request):
    """A request. What anybody may upload stays in memory; more is on the disk once or twice."""

    _files_so_far = 0

    def _get_file_stream(
        self, total_content_length: int | None, *_: Any, **__: Any
    ) -> Any:
        self._files_so_far += 1
        if self._files_so_far > _FILES:
            raise RequestEntityTooLarge
        if total_content_length is not None and total_content_length <= ANYBODY:
            return BytesIO()
        return SpooledTemporaryFile(ANYBODY)

    def _load_form_data(self) -> None:
        super()._load_form_data()
        if self.files:  # which are copies of parts of the body
            forget_copied(self.environ)


class FaceApplication(flask.Flask):
    """The application of a face, and what a door asks of it before it lets a request in."""

    request_class = _Request

    def __init__(self, face: Face, cookie: str, path: str) -> None:
        super().__init__(
            import_name="keizer.web", static_folder=None, template_folder=None
        )
        self._face = face
        self.secret_key = face.keys.secret
        self.config.update(
            MAX_CONTENT_LENGTH=FILES,
            MAX_FORM_MEMORY_SIZE=FORM,
            SESSION_COOKIE_NAME=cookie,
            SESSION_COOKIE_SAMESITE="Lax",
            SESSION_COOKIE_SECURE=face.public,
            SESSION_COOKIE_PATH=path,
            SESSION_REFRESH_EACH_REQUEST=False,
        )

    def is_director(self, environ: dict[str, Any]) -> bool:
        """Return whether the director asks, by the headers alone: no body is read."""
        request = self.request_class(environ)
        session = self.session_interface.open_session(self, request)
        return self._face.is_director(session or {}, rights.key(request.headers))

    def club(self, environ: dict[str, Any]) -> str:  # noqa: ARG002
        """Return in whose line a request waits: there is one season."""
        return ""

    def kept(self, environ: dict[str, Any]) -> None:
        """Return no answer: none is kept for the next reader."""


def application(face: Face, cookie: str = "keizer", path: str = "/") -> FaceApplication:
    """Make the application of a face.

    cookie: its name, one for each that a browser may meet; path: where it is of use.
    """
    app = FaceApplication(face, cookie, path)
    asked = Requests(face)
    app.before_request(asked.check)
    app.after_request(_headers)
    for wrong in (KeizerError, HTTPException, OSError, sqlite3.Error):
        app.register_error_handler(wrong, asked.refuse)

    def rule(path: str, view: Callable[..., Any], method: str = "GET") -> None:
        app.add_url_rule(path, f"{method} {path}", view, methods=[method])

    number = f"<int(max={_BIGGEST}):number>"
    for place in (one for one in pages.PAGES if one.path not in face.without):
        rule(f"/{place.path.replace('<n>', number)}", partial(asked.page, place))
    rule("/", asked.home)
    rule("/in/<key>", asked.enter)
    rule("/join/<link>", asked.join)
    rule("/join/<link>", asked.become, "POST")
    rule("/pin", asked.ask_pin)
    rule("/pin", asked.take_pin, "POST")
    rule("/leave", asked.leave, "POST")
    rule("/i-am", asked.claim_identity, "POST")
    rule("/do/<name>", asked.do, "POST")
    rule("/changes", asked.changes)
    rule("/<any(" + ",".join((*SINGLE, "standings")) + "):kind>.html", asked.site)
    of = f"<int(signed=True, max={_BIGGEST}):number>"
    rule("/<any(" + ",".join(_SITE_OF) + f"):kind>/{of}.html", asked.site)
    rule(f"/sheet/{number}.css", asked.sheet_style)
    rule("/calendar.ics", partial(asked.site, "calendar"))
    rule("/style.css", asked.style)
    shipped = {
        "face.css": "text/css",
        "face.js": "text/javascript",
        "icon.svg": "image/svg+xml",
    }
    for name, kind in shipped.items():
        rule(f"/{name}", partial(_shipped, name, kind))
    rule("/<name>.json", asked.report)
    rule("/export/<name>", asked.export)
    return app


def _shipped(name: str, kind: str) -> flask.Response:
    return _kept(
        files("keizer.web").joinpath(f"static/{name}").read_text(encoding="utf-8"), kind
    )


def _kept(text: str, kind: str) -> flask.Response:
    """What a browser may keep for a while."""
    answer = flask.Response(text, mimetype=kind)
    answer.headers["Cache-Control"] = "private, max-age=300"
    return answer


def _headers(answer: flask.Response) -> flask.Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    return answer


class Requests:
    """What the application does with each request."""

    def __init__(self, face: Face) -> None:
        self.face = face

    # ------------------------------------------------------------------ who asks

    def check(self) -> None:
        """Let nobody in by another name of this machine, nor by another page's form."""
        HELD.let_go_of_old()
        request = flask.request
        if not self.face.is_here(request.host):
            raise RefusedError(
                "this address is not known here: type that of the laptop.", 400
            )
        if request.is_json:
            raise RefusedError("send the fields of a form, not JSON.", 415)
        if request.mimetype == "application/x-www-form-urlencoded":
            self._check_typed()
        if request.method != "GET" and not rights.is_our_form(
            request.headers, request.host
        ):
            raise RefusedError("this form is not from here.")

    def _check_typed(self) -> None:
        """Refuse a form that is not UTF-8, or has more parts than any of ours."""
        request = flask.request
        request.max_content_length = FORM
        typed = request.get_data()
        parts = typed.count(b"&") + typed.count(b"%")
        if parts > limits.TYPED or (parts > _PARTS and not self._is_director()):
            raise RefusedError(_WRONG[413], 413)
        try:
            unquote_to_bytes(typed).decode()
        except UnicodeDecodeError:
            raise RefusedError("what was sent is not UTF-8 text.", 400) from None

    def _is_director(self) -> bool:
        return self.face.is_director(flask.session, rights.key(flask.request.headers))

    def _person(self) -> rights.Person:
        return self.face.person(flask.session, rights.key(flask.request.headers))

    def _notes(self) -> list[Note]:
        """What the page that comes has to say."""
        return self._pool().take(flask.session.pop("notes", ""))

    def _pool(self) -> Notes:
        """Where notes are kept: those of directors apart from those that anybody can have."""
        own = flask.session.get("director")
        return self.face.notes if own else self.face.notes_of_others

    def visit(self, least: int = GUEST, *, shown: bool = False) -> Visit:
        """The request, of somebody who has at least these rights; RefusedError else.

        shown: it gives a page, with what there is to say.
        """
        session = flask.session
        person = self._person()
        if not self.face.lan and person.rights < DIRECTOR:
            raise RefusedError(
                "open the address that keizer printed when it was started."
            )
        if person.rights < least:
            if least == DIRECTOR:
                raise RefusedError("only the director can do that.")
            raise RefusedError(
                "scan the code that the director shows, or use your own link."
            )
        token = rights.token(session) if person.rights and not person.by_key else ""
        notes = self._notes() if shown else []
        return self._of(person, token=token, notes=notes)

    def _of(self, person: rights.Person, **more: Any) -> Visit:
        """The request, of a person who may or may not be somebody, in a language they chose."""
        request, session = flask.request, flask.session
        language = request.args.get("lang") or session.get("language")
        if language not in languages.codes():
            language = None
        elif session.get("language") != language:
            session["language"] = language
        path = request.path.lstrip("/")[:_PATH]
        browser = language_of(request)
        return Visit(
            self.face, person, path, Form(request.args), language, browser, **more
        )

    def enter(self, key: str) -> flask.Response:
        """The director's address: the key goes into the cookie and out of sight."""
        if not self.face.keys.lets_in(key):
            raise RefusedError(
                "this key is of an earlier start: open the address printed last."
            )
        _become(director=self.face.keys.run)
        return _to("../")

    def join(self, link: str) -> flask.Response | str:
        """A phone comes with the code of the hall, or with the link of a member.

        The director of this browser is asked first, who may only want to see where it leads.
        """
        player = self._bearer(link)
        visit = self._stranger()
        if not visit.is_director:
            return self._joined(link)
        with visit.reading():
            name = roster.players(visit.tournament).get(player or 0)
            return visit.render("join.html", link=link, name=name, root="../")

    def become(self, link: str) -> flask.Response:
        """The director lets a browser be of whom a link is for."""
        self._bearer(link)
        self._check_token(self._stranger())
        answer = self._joined(link)
        self._note(Note("done", [say("this browser is not the director’s any more")]))
        return answer

    def _bearer(self, link: str) -> int | None:
        """Return the member (player.id) whose link it is; RefusedError where it is nobody's."""
        if not self.face.lan or self.face.file is None:
            raise RefusedError(
                "phones are not let in: the director starts keizer with --lan."
            )
        bearer = self.face.bearer(link)
        if bearer is None:
            raise RefusedError(
                "this link does not work any more: ask the director for another."
            )
        return bearer[1]

    @staticmethod
    def _joined(link: str) -> flask.Response:
        """Make this browser that of a link; who said before who they are need not say it again."""
        me = flask.session.get("me") if flask.session.get("link") == link else None
        _become(link=link, me=me)
        flask.session.setdefault("device", token_urlsafe(12))
        flask.session.permanent = True
        return _to("../me")

    def claim_identity(self) -> flask.Response:
        """A phone with the code of the hall says whose it is."""
        visit = self.visit(PHONE)
        self._check_token(visit)
        player = Form(flask.request.form).number("player")
        flask.session["me"] = player and (player, self.face.entry(player))
        return _to("me")

    def ask_pin(self) -> str:
        """Where a PIN is typed."""
        return _rendered(self._stranger(), "pin.html")

    def take_pin(self) -> flask.Response:
        """Take a PIN; who is wrong too often waits."""
        visit = self._stranger()
        self._check_token(visit)
        typed, address = (
            flask.request.form.get("pin", ""),
            flask.request.remote_addr or "",
        )
        if not self.face.lan or not self.face.keys.is_pin(typed, address):
            password = self.face.public
            wrong = (
                say("that is not the password.")
                if password
                else say("that is not the PIN.")
            )
            self._note(Note("refused", [wrong]))
            return _to("pin")
        _become(director=self.face.keys.marks()[-1])
        return _to("./")

    def leave(self) -> flask.Response:
        """A director signs out of a browser."""
        self._check_token(self.visit())
        flask.session.clear()
        return _to("./")

    def _stranger(self) -> Visit:
        token = rights.token(flask.session)
        return self._of(self._person(), token=token, notes=self._notes())

    def _check_token(self, visit: Visit) -> None:
        if visit.person.by_key:
            return
        if not rights.is_token(flask.session, flask.request.form.get("token", "")):
            raise RefusedError("the page was open for too long: load it again.")

    # -------------------------------------------------------------------- pages

    def home(self) -> flask.Response:
        """The page that somebody begins with."""
        visit = self.visit()
        if not visit.is_director:
            return _to("me" if visit.person.rights else "index.html")
        return _to("tonight" if self.face.file else "start")

    def page(
        self, place: pages.Page, number: int | None = None
    ) -> str | flask.Response:
        """A page of the face."""
        if self.face.file is None and not place.alone:
            self.visit(place.rights)  # what there is to say is for the page that comes
            return _to("start" if "/" not in place.path else "../start")
        visit = self.visit(place.rights, shown=True)
        numbers = [] if number is None else [number]
        if place.alone:
            return _rendered(visit, place.template, **place.find(visit, *numbers))
        with visit.reading():
            parts = place.find(visit, *numbers)
            answer = flask.Response(visit.render(place.template, **parts))
        if "refresh" in parts:  # a page that nobody touches
            answer.headers["Refresh"] = parts["refresh"]
        return answer

    def site(self, kind: str, number: int | None = None) -> flask.Response:
        """A page of the club's site, as it is now, or what calendars take."""
        visit = self.visit(shown=True)
        if kind == "player" and number is not None:
            visit.only = number
        with visit.reading():
            try:
                path, text = visit.shown().page(kind, number)
                return flask.Response(
                    text,
                    mimetype=f"text/{'calendar' if path.endswith('ics') else 'html'}",
                )
            except LookupError:
                raise KeizerError(
                    "there is no such page: the round is not published, or nobody has that number."
                ) from None

    def sheet_style(self, number: int) -> flask.Response:
        """The sizes of the sheet of a round."""
        with self.visit().reading() as visit:
            known = number in visit.season.rounds
            text = visit.shown().render("sheet.css", "", number=number) if known else ""
        return flask.Response(text, mimetype="text/css")

    def style(self) -> flask.Response:
        """The style sheet of the site, in the club's colour."""
        visit = self._of(self._person())
        with suppress(KeizerError), visit.reading():  # damaged, or none is open
            pass
        return _kept(build.style(visit.season.page), "text/css")

    # ----------------------------------------------------------------- programs

    def report(self, name: str) -> flask.Response:
        """Rows for programs."""
        if name not in LOOKUPS:
            raise RefusedError(say("there is no {name}.json.", name=name), 404)
        with self.visit(reports.rights(name)).reading() as visit:
            rows = reports.rows(visit, name)
        return _json(rows)

    def changes(self) -> flask.Response:
        """How far the file is: pages look whether there is something new."""
        self.visit()  # refused to who may not
        with self.face.reading() as conn:
            return _json({"seen": history.last_id(conn)})

    def export(self, name: str) -> flask.Response:
        """A file to download."""
        if not re.fullmatch(r"[A-Za-z0-9_ -]{1,80}\.[a-z]{2,4}", name):
            raise RefusedError("there is no such file.", 404)
        with self.visit(DIRECTOR).reading() as visit:
            data, kind = downloads.export(visit, name)
        answer = flask.Response(data, mimetype=kind)
        answer.headers.set("Content-Disposition", "attachment", filename=name)
        return answer

    # -------------------------------------------------------------------- forms

    def do(self, name: str) -> flask.Response | tuple[str, int]:
        """Do what a form says, and go back to its page."""
        act = act_of(name)
        if (act is None and name not in ACTIONS) or name in self.face.without:
            raise RefusedError(say("nothing is called {name} here.", name=name), 404)
        visit = self.visit(act.rights if act else DIRECTOR)
        self._check_token(visit)
        form = Form(MultiDict(flask.request.form), flask.request.files, self.face)
        result: Any = {}
        try:
            if act is None:
                done = ACTIONS[name].run(visit, form)
            else:
                first = not (form.flag("sure") or wants_json(flask.request))
                if first and (found := preview(visit, act, form)):
                    page = shown_by(act, found.returned)
                    return self._show(visit, page, form, act=act, found=found, done=found.returned,
                                      said=said(visit, act, found.returned)), 200  # fmt: skip
                result, done = carried_out(visit, act, form)
            form.let_go()
        except (UnclearError, DeclinedError) as error:
            if wants_json(flask.request):
                raise
            if isinstance(error, DeclinedError):
                return self._show(
                    visit, "insist.html", form, act=act, error=error
                ), REFUSED
            listed, of = visit.brought or form, act or declare.act_of(lists.import_)
            return self._show(
                visit, shown_by(of, error.done), listed, done=error.done
            ), REFUSED
        if wants_json(flask.request):
            sentences = [as_sentence(one, visit.english(one)) for one in done]
            return _json({**_data(visit, result), "said": sentences})
        at = _place(form)
        self._note(
            *(
                Note("warning" if one in visit.told else "done", [one], at)
                for one in done
            )
        )
        return _to(f"../{_back(form)}{_anchor(at)}")

    @staticmethod
    def _show(visit: Visit, template: str, form: Form, **parts: Any) -> str:
        visit.path = _back(form)
        form.hold()
        # What was uploaded is held by its key.
        left = ("token", "sure", "back", "list_text")
        fields = [one for one in form.fields.items(multi=True) if one[0] not in left]
        with visit.reading():
            return visit.render(
                template, fields=fields, back=visit.path, root="../", **parts
            )

    def _note(self, *notes: Note) -> None:
        earlier = flask.session.get("notes", "")
        flask.session["notes"] = self._pool().add(earlier, [*notes])

    # -------------------------------------------------------------------- errors

    def refuse(self, error: Exception) -> Any:
        """Say what went wrong, whatever it was; nothing is half done."""
        status = (
            getattr(error, "status", None) or getattr(error, "code", None) or REFUSED
        )
        if isinstance(error, HTTPException) and status in (301, 302, 303, 307, 308):
            return error
        if isinstance(error, HTTPException):
            said = [_WRONG.get(status, say("that could not be understood."))]
        elif isinstance(error, sqlite3.Error):
            said = [connection.error_message(error)]
        elif isinstance(error, OSError):
            why = error.strerror or str(error)
            said, status = [say("{why}: nothing was changed.", why=why)], REFUSED
        else:
            said = [*error.messages]  # type: ignore[attr-defined]  # the others are ours
        visit = self._of(self._person())
        field = getattr(error, "field", "")
        if wants_json(flask.request) or flask.request.path.endswith(".json"):
            answer = {"error": "\n".join(map(visit.english, said))}
            if isinstance(error, DeclinedError):
                answer["insist"] = error.option
            if field:
                answer["field"] = field
            return _json(answer, status)
        if flask.request.method == "POST" and status == REFUSED:
            form = Form(flask.request.form)
            at = _place(form)
            note = Note("refused", said, at, field, _typed_again(visit.person))
            self._note(note if note.size <= _TYPED else note._replace(typed={}))
            there = "../" * (flask.request.path.count("/") - 1) + _back(form)
            return _to(f"{there}{_anchor(at)}")
        return _rendered(visit, "wrong.html", said=said), status


def _rendered(visit: Visit, template: str, **parts: Any) -> str:
    """A page as of the season; without one where there is none, or it is damaged or gone."""
    with suppress(KeizerError, OSError, sqlite3.Error), visit.reading():
        return visit.render(template, **parts)
    return visit.render(template, **parts)


def _become(**who: Any) -> None:
    """Make this browser somebody's, who is no longer whoever they were there before."""
    for name in ("director", "link", "me"):
        flask.session.pop(name, None)
    flask.session.permanent = False
    flask.session.update(who)


def _to(there: str) -> flask.Response:
    """On to a page, seen from here."""
    return flask.Response(status=303, headers={"Location": there})


def _data(visit: Visit, found: Any) -> Any:
    """What an act returned, as JSON has it: its parts by name."""
    if isinstance(found, Message):
        return visit.english(found)
    if isinstance(found, PurePath):
        return str(found)
    if hasattr(found, "_asdict"):
        found = found._asdict()
    if isinstance(found, Mapping):
        return {name: _data(visit, one) for name, one in found.items()}
    if isinstance(found, list | tuple | set | frozenset):
        return [_data(visit, one) for one in found]
    return found


def _json(found: Any, status: int = 200) -> flask.Response:
    return flask.Response(texts.json(found), status, mimetype="application/json")


def _back(form: Form) -> str:
    """The page that a form is on: one of ours, whatever it says."""
    path, _, query = form.fields.get("back", "").partition("?")
    if not re.fullmatch(r"(?!.*(\.\.|//))\w[\w./-]*", path, re.ASCII):
        return "."
    kept = form.text("remember")
    if kept.isidentifier():  # a choice that stays for the next time
        query = "&".join(filter(None, (query, f"{kept}={quote_plus(form.text(kept))}")))
    return f"{path}?{query}" if re.fullmatch(r"[\w=&+%#-]+", query, re.ASCII) else path


def _typed_again(person: rights.Person) -> dict[str, list[str]]:
    """Return what a form that was refused begins with: the fields that it is known to have.

    There is nothing of whoever may not send it, nor of a form without an act, such as a PIN's.
    """
    name = (flask.request.view_args or {}).get("name", "")
    act = act_of(name)
    may = person.rights >= (act.rights if act else DIRECTOR)
    if not may or not (act or name in ACTIONS):
        return {}
    typed = flask.request.form.to_dict(flat=False)
    for field in unread(act, typed) if act else ():
        del typed[field]
    return typed


def _place(form: Form) -> str:
    """The id of what a form is about on its page; nothing where it says none."""
    place = form.text("at")
    return place if re.fullmatch(r"[a-z][\w-]*", place, re.ASCII) else ""


def _anchor(place: str) -> str:
    """The way to that place, where a browser loads the page anew; a script stays where it is."""
    loads = flask.request.headers.get("Sec-Fetch-Mode") == "navigate"
    return f"#{place}" if place and loads else ""
