"""A page of the site, read from its HTML alone; names that its HTML must survive."""

from html.parser import HTMLParser
from typing import Any

NAMES = (
    '<script>alert("x")</script>', "O'Neill & \"Sons\"", "♟ Judit", "דוד שחמט",
    "Ångström, Zoë",
    "Maximiliana Wolkenstein-Hohenzollern-Sigmaringen von und zu Z", "Anna", "{name}",
)  # fmt: skip


VOID = {"meta", "link", "br"}


class Page(HTMLParser):
    """A page: its elements, its text, the tables of views and the items of lists."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.starts: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.tables: list[dict[str, Any]] = []
        self._open: list[str] = []
        """The elements around the place that is read."""
        self._lists: dict[str, list[str]] = {}
        """By class of a list: the texts of its items."""
        self._list = ""
        self.feed(text)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        assert len(attributes) == len(attrs), "no attribute stands twice"
        self.starts.append((tag, attributes))
        if tag not in VOID:
            self._open.append(tag)
        if tag in ("ul", "ol"):
            self._list = attributes.get("class", "")
        elif tag == "li":
            self._lists.setdefault(self._list, []).append("")
        elif tag == "table":
            self.tables.append({**attributes, "rows": [], "tiebreaks": set()})
        elif tag == "tr":
            player = attributes.get("data-player")
            self.tables[-1]["rows"].append({"player": player, "cells": []})
        elif "data-tiebreak" in attributes:
            self.tables[-1]["tiebreaks"].add(attributes["data-tiebreak"])
        elif "data-column" in attributes:
            last_row = self.tables[-1]["rows"][-1]
            last_row["cells"].append(attributes)

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
        """Return the texts of the lists of a class."""
        return [" ".join(text.split()) for text in self._lists[css]]

    def all(self, tag: str, attribute: str) -> list[str]:
        """Return an attribute of all elements that have it."""
        return [
            attributes[attribute]
            for name, attributes in self.starts
            if name == tag and attribute in attributes
        ]
