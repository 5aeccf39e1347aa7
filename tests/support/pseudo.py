"""A language in which every message stands between ⟦ and ⟧: what stands outside is no message.

Nor is what no catalogue could have: a text that is not among those for translators.
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
    """That language."""

    def __init__(self) -> None:
        self.code, self._texts = CODE, _Bracketed()
        self.mark, self.thousands = ".", ","


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be one of the languages."""
    known, of, pseudo = languages.known(), languages.of, Pseudo()
    names = languages.names() | {CODE: CODE}
    monkeypatch.setattr(languages, "known", lambda: [*known, CODE])
    monkeypatch.setattr(languages, "names", lambda: names)
    monkeypatch.setattr(
        languages, "of", lambda code: pseudo if code == CODE else of(code)
    )


class _Text(HTMLParser):
    """What people see or hear of a page."""

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
    """The words of a page for people; what is typed (code) is left out."""
    return "\n".join(_Text(html).parts)


def outside(text: str, allowed: set[str] = frozenset()) -> list[str]:  # type: ignore[assignment]
    """The words outside the brackets that nobody allowed."""
    left, before = text, ""
    while left != before:
        before, left = left, re.sub(r"⟦[^⟦⟧]*⟧", " ", left)
    whole = re.sub(r"\w+…", " ", left)  # a name that was cut
    return [word for word in re.findall(r"[^\W\d_]{2,}", whole) if word not in allowed]
