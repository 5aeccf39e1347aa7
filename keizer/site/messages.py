"""What the pages say, in the reader's language. The English text is its own key."""

import re
from collections.abc import Mapping
from functools import lru_cache, partial

from markupsafe import Markup, escape

from keizer import languages
from keizer.languages import MONTHS
from keizer.messages import Fact

KINDS = (
    "correction", "limit", "open", "late notice", "long absence", "half-point bye",
    "full-point bye", "league win", "league draw",
    "external win", "external draw", "external loss", "external elsewhere",
)  # fmt: skip
"""Kinds of lines that presets name, beside those in each file; a club's own stay as they are."""

TOPICS = (
    "games over the board", "won by White", "drawn", "won by Black", "forfeits", "byes",
    "absences", "club duty", "most wins", "longest unbeaten run", "longest winning run",
    "biggest upset", "biggest climb in a round",
)  # fmt: skip
"""What view statistics has lines about."""

CELLS = ("bye", "exc", "unex", "duty")
"""What view crosstable has for rounds without a game, of the kinds that are always there."""

REMARKS = (
    "not credited: a cap or condition applies", "opponent has withdrawn: share of the own value",
    "rounded", "the score is rounded",
)  # fmt: skip
NOTES = (
    (r"counts as (?P<kind>.+)", "counts as {kind}"),
    (r"halved (?P<number>\d+) times?", "halved {number} times"),
)
"""What view explanation remarks: a message, or what it is about and the message for it."""

FEATS = (
    (r"\(round (?P<first>\d+)\)", "(round {first})"),
    (r"\(rounds (?P<first>\d+) to (?P<last>\d+)\)", "(rounds {first} to {last})"),
    (
        r"\((?P<mine>\d+)\) beat (?P<name>.+?) \((?P<theirs>\d+)\), round (?P<first>\d+)",
        "({mine}) beat {name} ({theirs}), round {first}",
    ),
    (
        r"\(round (?P<first>\d+), from (?P<before>\d+) to (?P<after>\d+)\)",
        "(round {first}, from {before} to {after})",
    ),
    (r"^(?P<number>\d+)%$", "{number}%"),
)
"""What view statistics says about a line, and the message for it."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Messages:
    """A language on pages: what it says is safe there."""

    def __init__(self, language: str) -> None:
        self.language, self.spoken = language, languages.of(language)

    def text(self, message: str) -> str:
        """A message without placeholders, not escaped; nothing for nothing."""
        return self.spoken.text(message)

    def said(self, what: Fact) -> str:
        """A message of keizer's in this language, not escaped."""
        return self.spoken.said(what)

    def say(self, message: str, **parts: object) -> Markup:
        """A message with its parts put in, safe on a page; parts that are Markup stay so."""
        return _filled(self.text(message), parts)

    def plain(self, message: str, **parts: object) -> str:
        """A message with its parts put in, not escaped."""
        return _put(self.text(message), parts)

    def count(self, one: str, many: str, number: int, **parts: object) -> Markup:
        """A message about a number of things, {number}."""
        return _filled(self.spoken.text(one, many, number), {"number": number, **parts})

    def number(self, value: float | None) -> str:
        """A number for people: at most three decimals."""
        return "" if value is None else self.spoken.said(value)

    def factor(self, value: float | str | None) -> str:
        """A factor as the club prints it: 0.5 or 1/3."""
        return value if isinstance(value, str) else self.number(value)

    def date(self, day: str) -> Markup:
        """A date, 2026-11-21 in the file; what is none as it stands there."""
        parts = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)", str(day))
        if parts is None:
            return escape(day)
        year, month, number = map(int, parts.groups())
        month_name = self.text(MONTHS[month - 1])
        return self.say("{day} {month} {year}", day=number, month=month_name, year=year)

    def note(self, said: str) -> str:
        """A remark of view explanation."""
        return ", ".join(self._matched(part) for part in said.split(", "))

    def _matched(self, part: str) -> str:
        for pattern, message in NOTES:
            found = re.fullmatch(pattern, part)
            if found:
                parts = {name: self.text(value) for name, value in found.groupdict().items()}
                return _put(self.text(message), parts)
        return self.text(part)

    def feat(self, said: str) -> str:
        """What view statistics says about a line."""
        for pattern, message in FEATS:
            said = re.sub(pattern, partial(self._translated, message), said)
        return said

    def _translated(self, message: str, found: re.Match[str]) -> str:
        return self.plain(message, **found.groupdict())


def words() -> set[str]:
    """Messages that no template names."""
    said = {message for _, message in (*NOTES, *FEATS)}
    return {*KINDS, *CELLS, *TOPICS, *MONTHS, *REMARKS, *said, "YYYY-MM-DD", "1.5", "1,000"}


def _put(text: str, parts: Mapping[str, object]) -> str:
    return _PLACEHOLDER.sub(lambda found: str(parts[found[1]]), text)


_safe = lru_cache(2000)(escape)  # a page says the same many times


def _filled(text: str, parts: Mapping[str, object]) -> Markup:
    if not parts and "{" not in text:
        return _safe(text)
    safe = {name: escape(part) for name, part in parts.items()}
    return Markup(_put(str(_safe(text)), safe))  # noqa: S704  # all of it is escaped


def of_language(language: str) -> Messages:
    """The messages of a language, by its code."""
    return Messages(language)
