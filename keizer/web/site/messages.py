"""What the pages say, in the reader's language. The English text is its own key."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from functools import lru_cache

from markupsafe import Markup, escape

from keizer import languages
from keizer.languages import MONTHS, WEEKDAYS

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Messages:
    """A language on pages, by its code: what it says is safe there."""

    def __init__(self, language: str) -> None:
        self.language, self.spoken = language, languages.load(language)
        self.text, self.said = self.spoken.text, self.spoken.said
        """A message without placeholders, and one of keizer's, not escaped."""

    def say(self, message: str, **parts: object) -> Markup:
        """A message with its parts put in, safe on a page; parts that are Markup stay so."""
        return _filled(self.text(message), parts)

    def count(self, one: str, many: str, number: int, **parts: object) -> Markup:
        """A message about a number of things, {number}."""
        return _filled(self.spoken.text(one, many, number), {"number": number, **parts})

    def number(self, value: float | str | None) -> str:
        """A number for people: at most three decimals, or as the club prints it, such as 1/3."""
        return "" if value is None else self.spoken.said(value)

    def date(self, day: str) -> Markup:
        """A date, 2026-11-21 in the file; what is none as it stands there."""
        parts = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)", str(day))
        if parts is None:
            return escape(day)
        year, month, number = map(int, parts.groups())
        month_name = self.text(MONTHS[month - 1])
        return self.say("{day} {month} {year}", day=number, month=month_name, year=year)

    def weekday(self, day: str) -> Markup:
        """A date behind the day of the week; what is none as it stands there."""
        with suppress(ValueError):
            weekday = self.text(WEEKDAYS[date.fromisoformat(day).weekday()])
            return self.say("{weekday} {date}", weekday=weekday, date=self.date(day))
        return self.date(day)


_safe = lru_cache(2000)(escape)  # a page says the same many times


def _filled(text: str, parts: Mapping[str, object]) -> Markup:
    if not parts and "{" not in text:
        return _safe(text)
    safe = {name: escape(part) for name, part in parts.items()}
    filled = _PLACEHOLDER.sub(lambda found: safe[found[1]], str(_safe(text)))
    return Markup(filled)  # noqa: S704  # all of it is escaped
