"""Somebody in front of the face who can only read and press: no script runs for them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from keizer.web.app import application
from keizer.web.visit import Face

BASE = "http://localhost"


@dataclass
class Field:
    """An input, select, textarea or button of a form."""

    tag: str
    name: str
    value: str
    kind: str = ""
    on: bool = False
    text: str = ""
    label: str = ""


@dataclass
class Form:
    """A form of a page, with what it would send."""

    action: str
    method: str
    fields: list[Field] = field(default_factory=list)

    def sent(self, pressed: Field | None, typed: dict[str, Any]) -> "MultiDict[str, Any]":
        """What the browser sends when a button is pressed."""
        found: MultiDict[str, Any] = MultiDict()
        for one in self.fields:
            if one.tag == "button" and one is not pressed:
                continue
            if one.kind in ("checkbox", "radio") and not one.on:
                continue
            if one.name and one.name not in typed:
                found.add(one.name, one.value)
        for name, value in typed.items():
            for one in value if isinstance(value, list) else [value]:
                found.add(name, one)
        return found


class Page(HTMLParser):
    """The forms, buttons, links and texts of a page."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self.url, self.html = url, html
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []
        self.notes: list[tuple[str, str]] = []
        self._by_id: dict[str, Form] = {}
        self._loose: list[tuple[str, Field]] = []
        self._form: Form | None = None
        self._button: Field | None = None
        self._select: Field | None = None
        self._area: Field | None = None
        self._link: list[str] | None = None
        self._note: str | None = None
        self.feed(html)
        for id_, one in self._loose:
            self._by_id[id_].fields.append(one)

    def _add(self, one: Field, form: str | None) -> None:
        if form:
            self._loose.append((form, one))
        elif self._form:
            self._form.fields.append(one)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(at.get("action", ""), at.get("method", "get"))
            self.forms.append(self._form)
            if "id" in at:
                self._by_id[at["id"]] = self._form
        elif tag in ("input", "button", "select", "textarea"):
            one = Field(tag, at.get("name", ""), at.get("value", ""), at.get("type", ""))
            one.on = "checked" in at
            if one.kind == "checkbox" and "value" not in at:
                one.value = "on"
            self._add(one, at.get("form"))
            if tag == "button":
                self._button = one
            elif tag == "select":
                self._select = one
            elif tag == "textarea":
                self._area = one
        elif tag == "option" and self._select and ("selected" in at or not self._select.on):
            self._select.value, self._select.on = at.get("value", ""), "selected" in at or True
            if "selected" not in at:
                self._select.on = True
        elif tag == "a":
            self._link = [at.get("href", ""), ""]
        elif tag == "p" and at.get("class", "").startswith("note-"):
            self._note = at["class"].removeprefix("note-")
            self.notes.append((self._note, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "button":
            self._button = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._area = None
        elif tag == "a" and self._link:
            self.links.append((" ".join(self._link[1].split()), self._link[0]))
            self._link = None
        elif tag == "p":
            self._note = None

    def handle_data(self, data: str) -> None:
        if self._button:
            self._button.text += data
        if self._area:
            self._area.value += data
        if self._link:
            self._link[1] += data
        if self._note is not None:
            kind, said = self.notes[-1]
            self.notes[-1] = kind, said + data

    def buttons(self) -> Iterator[tuple[Form, Field]]:
        """Every button, and the form that it sends."""
        for form in self.forms:
            for one in form.fields:
                if one.tag == "button":
                    yield form, one


class Person:
    """Reads pages, follows links, presses buttons; every answer must be one that works."""

    def __init__(self, client: FlaskClient, first: str = "/") -> None:
        self.client = client
        self.page = self.go(first)

    def go(self, path: str) -> Page:
        """Open an address, and where it leads to."""
        return self.read("GET", urljoin(self.page.url if hasattr(self, "page") else BASE, path))

    def read(self, method: str, url: str, **sent: Any) -> Page:
        for _ in range(5):
            parts = urlsplit(url)
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            answer = self.client.open(path, method=method, base_url=BASE, **sent)
            assert answer.status_code < 500, answer.text
            if answer.status_code != 303:
                self.status = answer.status_code
                self.page = Page(url, answer.text)
                return self.page
            url, method, sent = urljoin(url, answer.headers["Location"]), "GET", {}
        raise AssertionError(f"{url} leads nowhere")

    def follow(self, text: str) -> Page:
        """Follow the link of that text."""
        found = next((href for said, href in self.page.links if said == text), None)
        assert found is not None, f"no link {text} among {[said for said, _ in self.page.links]}"
        return self.read("GET", urljoin(self.page.url, found))

    def press(self, text: str, value: str | None = None, **typed: Any) -> Page:
        """Press the button whose text begins so, or that has this value."""

        def fits(one: Field) -> bool:
            said = " ".join(one.text.split())
            return one.value == value if value is not None else said.startswith(text)

        found = next(
            (
                (form, one)
                for form, one in self.page.buttons()
                if fits(one)
                and (not text or " ".join(one.text.split()).startswith(text))
                and self._has(form, typed)
            ),
            None,
        )
        listed = [" ".join(one.text.split()) for _, one in self.page.buttons()]
        assert found is not None, f"no button {text or value} among {listed}"
        form, one = found
        url = urljoin(self.page.url, form.action)
        sent = form.sent(one, typed)
        if form.method == "get":
            query = "&".join(f"{name}={value}" for name, value in sent.items(multi=True))
            return self.read("GET", f"{url}?{query}")
        return self.read("POST", url, data=sent, content_type="multipart/form-data")

    @staticmethod
    def _has(form: Form, typed: dict[str, Any]) -> bool:
        return {*typed} <= {one.name for one in form.fields}

    @property
    def said(self) -> list[str]:
        """What stands above the page."""
        return [" ".join(said.split()) for _, said in self.page.notes]

    @property
    def text(self) -> str:
        """The page without its tags."""
        return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", self.page.html))


def face_of(db: Path, **settings: Any) -> Face:
    """The face of a season file."""
    return Face(db.parent, db, **settings)


def director(face: Face) -> Person:
    """The director in front of it."""
    return Person(application(face).test_client(), f"/in/{face.keys.director}")


def phone(face: Face, link: str) -> Person:
    """Somebody with a phone, who has come by a link."""
    return Person(application(face).test_client(), f"/join/{link}")
