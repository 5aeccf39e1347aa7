"""Somebody in front of the face who can only read and press, no script runs; or a program."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from keizer.web.app import FaceApplication, application
from keizer.web.visit import Face

BASE = "http://localhost"
FIELDS = {
    "player": "1", "board": "1", "result": "1-0", "round": "1", "one": "1", "two": "2",
    "white": "1", "black": "2", "name": "Zoe", "file": "x", "number": "1", "what": "pin",
    "boards": "1", "tournament": "1", "points": "5", "other": "2", "kind": "excused",
    "counts_as": "bye", "settings": "top_value=9", "date": "2026-01-01", "comes": "1", "sure": "1",
    "on": "2026-01-02", "city": "Delft", "federation": "NED", "arbiter": "Zoe",
    "time_control": "90 min",
}  # fmt: skip
"""Something for each field of a form."""


@dataclass
class Field:
    """An input, select, textarea or button of a form; sent: whatever is pressed."""

    tag: str
    name: str
    value: str
    sent: bool = True
    to: str = ""
    """Where a button sends its form, if not where that says."""
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


@dataclass
class Form:
    """A form of a page, with what it would send."""

    action: str
    method: str
    fields: list[Field] = field(default_factory=list)

    def sent(
        self, pressed: Field | None, typed: dict[str, Any]
    ) -> "MultiDict[str, Any]":
        """What the browser sends when a button is pressed."""
        found: MultiDict[str, Any] = MultiDict()
        for one in self.fields:
            if (one.sent or one is pressed) and one.name and one.name not in typed:
                found.add(
                    one.name, "".join(one.words) if one.tag == "textarea" else one.value
                )
        for name, value in typed.items():
            for one in value if isinstance(value, list) else [value]:
                found.add(name, one)
        return found


class Page(HTMLParser):
    """The forms, links and notes of a page."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self.url, self.html = url, html
        self.forms: list[Form] = []
        self.links: list[tuple[Field, str]] = []
        self.notes: list[Field] = []
        self._by_id: dict[str, Form] = {}
        self._loose: list[tuple[str, Field]] = []
        self._form: Form | None = None
        self._select = Field("", "", "")
        self._heard: list[Field] = []
        """What is open, and gets the text."""
        self.feed(html)
        for form, one in self._loose:
            self._by_id[form].fields.append(one)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        sent, to = tag != "button", at.get("formaction", "")
        one = Field(tag, at.get("name", ""), at.get("value", ""), sent, to)
        if tag == "form":
            self._form = Form(at.get("action", ""), at.get("method", "get"))
            self.forms.append(self._form)
            self._by_id[at.get("id", "")] = self._form
        elif tag in ("input", "button", "select", "textarea"):
            if at.get("type") in ("checkbox", "radio"):
                one.value, one.sent = at.get("value", "on"), "checked" in at
            if "form" in at:
                self._loose.append((at["form"], one))
            elif self._form:
                self._form.fields.append(one)
            if tag == "select":
                self._select, one.sent = one, False
        elif tag == "option" and ("selected" in at or not self._select.sent):
            self._select.value, self._select.sent = one.value, True
        elif tag == "a":
            self.links.append((one, at.get("href", "")))
        elif tag == "p" and at.get("class", "").startswith("note-"):
            self.notes.append(one)
        if tag in ("button", "textarea", "a", "p"):
            self._heard.append(one)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif self._heard and self._heard[-1].tag == tag:
            self._heard.pop()

    def handle_data(self, data: str) -> None:
        for one in self._heard:
            one.words.append(data)

    def buttons(self) -> Iterator[tuple[Form, Field]]:
        """Every button, and the form that it sends."""
        for form in self.forms:
            for one in form.fields:
                if one.tag == "button":
                    yield form, one

    @property
    def token(self) -> str:
        """What its forms have to bring along; nothing where it has none."""
        fields = (one for form in self.forms for one in form.fields)
        return next((one.value for one in fields if one.name == "token"), "")


class Person:
    """Reads pages, follows links, presses buttons; every answer must be one that works."""

    def __init__(self, client: FlaskClient, first: str = "/") -> None:
        self.client, self.status = client, 0
        self.page = self.read("GET", urljoin(BASE, first))

    def go(self, path: str) -> Page:
        """Open an address, and where it leads to."""
        return self.read("GET", urljoin(self.page.url, path))

    def read(self, method: str, url: str, **sent: Any) -> Page:
        for _ in range(5):
            parts = urlsplit(url)
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            answer = self.client.open(path, method=method, base_url=BASE, **sent)
            assert answer.status_code < 500, answer.text
            if answer.status_code != 303:
                self.status, self.page = answer.status_code, Page(url, answer.text)
                return self.page
            url, method, sent = urljoin(url, answer.headers["Location"]), "GET", {}
        raise AssertionError(f"{url} leads nowhere")

    def follow(self, text: str) -> Page:
        """Follow the link whose text begins so."""
        return self.go(
            next(href for one, href in self.page.links if one.text.startswith(text))
        )

    def press(self, text: str, value: str | None = None, /, **typed: Any) -> Page:
        """Press the button whose text begins so, and that has this value, if one is given."""
        form, one = next(
            (form, one)
            for form, one in self.page.buttons()
            if one.text.startswith(text)
            and value in (None, one.value)
            and {*typed} <= {other.name for other in form.fields}
        )
        url, sent = urljoin(self.page.url, one.to or form.action), form.sent(one, typed)
        if form.method == "get":
            return self.read("GET", f"{url}?{urlencode([*sent.items(multi=True)])}")
        return self.read("POST", url, data=sent, content_type="multipart/form-data")

    @property
    def said(self) -> list[str]:
        """What stands above the page."""
        return [note.text for note in self.page.notes]

    @property
    def text(self) -> str:
        """The page without its tags."""
        return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", self.page.html))


def face_of(db: Path, **settings: Any) -> Face:
    """The face of a season file."""
    return Face(db.parent, db, **settings)


@lru_cache(maxsize=8)
def _application(face: Face) -> FaceApplication:
    return application(face)


def client(face: Face) -> FlaskClient:
    """A browser, or a program, that nobody knows."""
    return _application(face).test_client()


def director(face: Face) -> Person:
    """The director in front of it."""
    return Person(client(face), f"/in/{face.keys.director}")


def phone(face: Face, link: str) -> Person:
    """Somebody with a phone, who has come by a link."""
    return Person(client(face), f"/join/{link}")


def ask(found: FlaskClient, path: str, method: str = "GET", **more: Any) -> Any:
    """An answer that is no failure of ours."""
    answer = found.open(
        path, method=method, base_url=more.pop("base_url", BASE), **more
    )
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    return answer


def as_director(face: Face) -> dict[str, str]:
    """What a program of the director's sends."""
    return {
        "Accept": "application/json",
        "Authorization": f"Bearer {face.keys.director}",
    }


def done(face: Face, action: str, **fields: Any) -> Any:
    """What a program of the director's is answered."""
    data = {"data": fields, "headers": as_director(face)}
    return ask(client(face), f"/do/{action}", "POST", **data)
