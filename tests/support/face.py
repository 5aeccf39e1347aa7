"""A person in front of the face who reads and presses, without script; or a program.

A `Page` is read from its HTML alone, and a form sends what a browser would send.
Nothing of keizer's forms or templates is asked.
"""

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
    "white": "1", "black": "2", "name": "Zoe", "file": "x", "number": "1",
    "what": "pin", "boards": "1", "tournament": "1", "points": "5",
    "other": "2", "kind": "excused", "on": "2026-01-02",
    "counts_as": "bye", "settings": "top_value=9", "date": "2026-01-01", "comes": "1",
    "sure": "1", "city": "Delft", "federation": "NED",
    "arbiter": "Zoe", "time_control": "90 min",
}  # fmt: skip
"""A value for each field of a form."""


@dataclass
class Field:
    """An element of a page: a field or button of a form, a link, a note."""

    tag: str
    name: str
    value: str
    sent: bool = True
    """Whether the form sends it, whichever button is pressed."""
    to: str = ""
    """The address to which a button sends its form, if not the form's own."""
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text that people read."""
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
        """Return what the browser sends when a button is pressed.

        typed: by field, in place of what the page has; several values in a list.
        """
        data: MultiDict[str, Any] = MultiDict()
        for element in self.fields:
            is_sent = element.sent or element is pressed
            if not is_sent or not element.name or element.name in typed:
                continue
            is_text = element.tag == "textarea"
            data.add(element.name, "".join(element.words) if is_text else element.value)
        for name, value in typed.items():
            for each in value if isinstance(value, list) else [value]:
                data.add(name, each)
        return data


class Page(HTMLParser):
    """The forms, links and notes of a page."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self.url = url
        self.html = html
        self.forms: list[Form] = []
        self.links: list[tuple[Field, str]] = []
        self.notes: list[Field] = []
        self._form_by_id: dict[str, Form] = {}
        self._outside: list[tuple[str, Field]] = []
        """Fields outside of the form that they name by its id."""
        self._form: Form | None = None
        self._select = Field("", "", "")
        self._open: list[Field] = []
        """Elements that get the text."""
        self.feed(html)
        for form_id, element in self._outside:
            self._form_by_id[form_id].fields.append(element)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        element = Field(
            tag,
            attributes.get("name", ""),
            attributes.get("value", ""),
            sent=tag != "button",
            to=attributes.get("formaction", ""),
        )
        if tag == "form":
            self._begin_form(attributes)
        elif tag in ("input", "button", "select", "textarea"):
            self._add_field(element, attributes)
        elif tag == "option":
            self._add_option(element, attributes)
        elif tag == "a":
            self.links.append((element, attributes.get("href", "")))
        elif tag == "p" and attributes.get("class", "").startswith("note-"):
            self.notes.append(element)
        if tag in ("button", "textarea", "a", "p"):
            self._open.append(element)

    def _begin_form(self, attributes: dict[str, str]) -> None:
        form = Form(attributes.get("action", ""), attributes.get("method", "get"))
        self.forms.append(form)
        self._form_by_id[attributes.get("id", "")] = form
        self._form = form

    def _add_field(self, element: Field, attributes: dict[str, str]) -> None:
        if attributes.get("type") in ("checkbox", "radio"):
            element.value = attributes.get("value", "on")
            element.sent = "checked" in attributes
        if "form" in attributes:
            self._outside.append((attributes["form"], element))
        elif self._form:
            self._form.fields.append(element)
        if element.tag == "select":
            element.sent = False  # until it has an option
            self._select = element

    def _add_option(self, option: Field, attributes: dict[str, str]) -> None:
        """Choose the first option of a select, or the one that is selected."""
        if "selected" in attributes or not self._select.sent:
            self._select.value = option.value
            self._select.sent = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif self._open and self._open[-1].tag == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words.append(data)

    def buttons(self) -> Iterator[tuple[Form, Field]]:
        """Yield every button, with the form that it sends."""
        for form in self.forms:
            for element in form.fields:
                if element.tag == "button":
                    yield form, element

    @property
    def token(self) -> str:
        """The token that its forms have to bring along; empty if it has no form."""
        for form in self.forms:
            for element in form.fields:
                if element.name == "token":
                    return element.value
        return ""


class Person:
    """A person who reads pages, follows links and presses buttons.

    Every answer must be one that works.
    """

    def __init__(self, client: FlaskClient, first: str = "/") -> None:
        self.client = client
        self.status = 0
        self.page = self.read("GET", urljoin(BASE, first))

    def go(self, path: str) -> Page:
        """Open an address; return the page that it leads to."""
        return self.read("GET", urljoin(self.page.url, path))

    def read(self, method: str, url: str, **sent: Any) -> Page:
        """Send a request, and go where the answers lead; return the page there."""
        for _ in range(5):
            parts = urlsplit(url)
            path = f"{parts.path}?{parts.query}" if parts.query else parts.path
            answer = self.client.open(path, method=method, base_url=BASE, **sent)
            assert answer.status_code < 500, answer.text
            if answer.status_code != 303:
                self.status = answer.status_code
                self.page = Page(url, answer.text)
                return self.page
            url = urljoin(url, answer.headers["Location"])
            method = "GET"
            sent = {}
        raise AssertionError(f"{url} leads nowhere")

    def follow(self, text: str) -> Page:
        """Follow the link whose text begins so."""
        links = self.page.links
        return self.go(next(href for link, href in links if link.text.startswith(text)))

    def press(self, text: str, value: str | None = None, /, **typed: Any) -> Page:
        """Press the button whose text begins so, and whose form has the fields typed.

        value: of the button, if several have one text.
        """
        form, button = next(
            (form, button)
            for form, button in self.page.buttons()
            if button.text.startswith(text)
            and value in (None, button.value)
            and {*typed} <= {element.name for element in form.fields}
        )
        url = urljoin(self.page.url, button.to or form.action)
        sent = form.sent(button, typed)
        if form.method == "get":
            return self.read("GET", f"{url}?{urlencode([*sent.items(multi=True)])}")
        return self.read("POST", url, data=sent, content_type="multipart/form-data")

    @property
    def said(self) -> list[str]:
        """The notes above the page."""
        return [note.text for note in self.page.notes]

    @property
    def text(self) -> str:
        """The page without its tags."""
        return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", self.page.html))


def face_of(db: Path, **settings: Any) -> Face:
    """Return the face of a season file."""
    return Face(db.parent, db, **settings)


@lru_cache(maxsize=8)
def _application(face: Face) -> FaceApplication:
    return application(face)


def client(face: Face) -> FlaskClient:
    """Return a browser, or a program, that has no rights yet."""
    return _application(face).test_client()


def director(face: Face) -> Person:
    """Return the director, signed in by the start-up key."""
    return Person(client(face), f"/in/{face.keys.director}")


def phone(face: Face, link: str) -> Person:
    """Return a person with a phone who has come by a link."""
    return Person(client(face), f"/join/{link}")


def ask(browser: FlaskClient, path: str, method: str = "GET", **more: Any) -> Any:
    """Return an answer that is no failure of the server's; more: of the request."""
    more.setdefault("base_url", BASE)
    answer = browser.open(path, method=method, **more)
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    return answer


def as_director(face: Face) -> dict[str, str]:
    """Return the headers of a program of the director's."""
    return {
        "Accept": "application/json",
        "Authorization": f"Bearer {face.keys.director}",
    }


def done(face: Face, action: str, **fields: Any) -> Any:
    """Do an action as a program of the director's; return the answer."""
    headers = as_director(face)
    return ask(client(face), f"/do/{action}", "POST", data=fields, headers=headers)
