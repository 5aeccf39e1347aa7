"""A page of the site, as a reader sees it."""

from html.parser import HTMLParser
from typing import Any

NAMES = (
    '<script>alert("x")</script>', "O'Neill & \"Sons\"", "♟ Judit", "דוד שחמט", "Ångström, Zoë",
    "Maximiliana Wolkenstein-Hohenzollern-Sigmaringen von und zu Z", "Anna", "{name}",
)  # fmt: skip


VOID = {"meta", "link", "br"}


class Page(HTMLParser):
    """What a page holds: tables of views, links, texts by element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.starts: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.tables: list[dict[str, Any]] = []
        self._open: list[str] = []
        self._lists: dict[str, list[str]] = {}
        self._list = ""
        self.feed(text)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        assert len(found) == len(attrs), "no attribute stands twice"
        self.starts.append((tag, found))
        if tag not in VOID:
            self._open.append(tag)
        if tag in ("ul", "ol"):
            self._list = found.get("class", "")
        elif tag == "li":
            self._lists.setdefault(self._list, []).append("")
        elif tag == "table":
            self.tables.append({**found, "rows": [], "tiebreaks": set()})
        elif tag == "tr":
            self.tables[-1]["rows"].append(
                {"player": found.get("data-player"), "cells": []}
            )
        elif "data-tiebreak" in found:
            self.tables[-1]["tiebreaks"].add(found["data-tiebreak"])
        elif "data-column" in found:
            self.tables[-1]["rows"][-1]["cells"].append(found)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "li" in self._open:
            self._lists[self._list][-1] += data

    def items(self, css: str) -> list[str]:
        return [" ".join(text.split()) for text in self._lists[css]]

    def all(self, tag: str, attribute: str) -> list[str]:
        return [
            found[attribute]
            for name, found in self.starts
            if name == tag and attribute in found
        ]
