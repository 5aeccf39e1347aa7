"""A language in which every message stands between ⟦ and ⟧.

A word outside of them is not a message. Neither is a text that is not among those for
translators, since no catalogue could have it.
"""

import gettext
import re
from html.parser import HTMLParser

import pytest

from keizer import languages
from quality import missing

CODE = "xx"


class _Bracketed(gettext.NullTranslations):
    def __init__(self) -> None:
        self.known = missing.said()

    def gettext(self, message: str) -> str:
        known = (message,) in self.known or not re.search(r"[^\W\d_]", message)
        return f"⟦{message}⟧" if known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        text = msgid1 if n == 1 else msgid2
        return f"⟦{text}⟧" if (msgid1, msgid2) in self.known else text


class Pseudo(languages.Language):
    """The language of brackets."""

    def __init__(self) -> None:
        self.code = CODE
        self._texts = _Bracketed()
        self.mark = "."
        self.thousands = ","


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be one of the languages of keizer."""
    codes = [*languages.codes(), CODE]
    names = languages.names_of_languages() | {CODE: CODE}
    real_language = languages.load
    pseudo = Pseudo()

    def language(code: str) -> languages.Language:
        return pseudo if code == CODE else real_language(code)

    monkeypatch.setattr(languages, "codes", lambda: [*codes])
    monkeypatch.setattr(languages, "names_of_languages", lambda: names)
    monkeypatch.setattr(languages, "load", language)


class _Text(HTMLParser):
    """The text of a page that people see or hear."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style", "code", "pre")
        heard = ("title", "aria-label", "placeholder", "alt", "data-ask")
        self.parts += [value for name, value in attrs if name in heard and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style", "code", "pre")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)


def seen(html: str) -> str:
    """Return the text of a page for people, without code."""
    return "\n".join(_Text(html).parts)


def outside(text: str, allowed: set[str] = frozenset()) -> list[str]:  # type: ignore[assignment]
    """Return the words outside of brackets that are not allowed."""
    brackets = 1
    while brackets:  # some stand inside of others
        text, brackets = re.subn(r"⟦[^⟦⟧]*⟧", " ", text)
    text = re.sub(r"\w+…", " ", text)  # a name that was cut
    words = re.findall(r"[^\W\d_]{2,}", text)
    return [word for word in words if word not in allowed]
