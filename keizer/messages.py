"""What keizer says: an English template and facts, so that any face can say it in any language.

English stands once, in the code and the SQL; it is the key of the catalogues in
keizer/languages. In a template `{name}` is a fact. `{points:+}` is a number with its sign,
`{number:,}` one with its thousands marked, `{day:date}` and `{moment:time}` what the file has as
YYYY-MM-DD and as UTC. A fact is a text that somebody typed or is called, a number, a message
again, or several of these, which are listed.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

from keizer import texts

Fact = Any
"""str, int, float, None, Message, or a list of these."""

_DEEPEST = 12
"""No message of ours has parts of parts so deep."""
_PLACE = re.compile(r"\{(\w+)(?::([+,]|date|time))?\}")


class Message:
    """A sentence, or a part of one, by its template in English and its facts.

    many: the template where the fact `number` is not 1.
    """

    __slots__ = ("facts", "many", "template")

    def __init__(
        self, template: str, many: str = "", facts: Mapping[str, Fact] | None = None
    ) -> None:
        self.template, self.many = template, many
        self.facts: Mapping[str, Fact] = facts or {}

    def __str__(self) -> str:
        return ENGLISH.said(self)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.data() == other.data()

    def __hash__(self) -> int:
        return hash(self.template)

    def data(self) -> dict[str, Any]:
        """What JSON keeps of it; `read` makes a message of that again."""
        many = {"many": self.many} if self.many else {}
        return {"message": self.template, **many, "facts": _each(self.facts, _data)}

    def renamed(self, before: str, after: Fact) -> "Message":
        """The same message, about something that is called otherwise."""

        def called(fact: Fact) -> Fact:
            if isinstance(fact, Message):
                return fact.renamed(before, after)
            return after if fact == before else fact

        return Message(self.template, self.many, _each(self.facts, called))


def printable(fact: Fact) -> Fact:
    """A message or a fact without characters that nobody sees: these are written as \\u200b."""
    if isinstance(fact, Message):
        shown = texts.visible
        return Message(
            shown(fact.template), shown(fact.many), _each(fact.facts, printable)
        )
    return texts.visible(fact) if isinstance(fact, str) else fact


def say(template: str | Message, /, **facts: Fact) -> Message:
    """A message; the template is a literal text, for the catalogues are made of those."""
    return template if isinstance(template, Message) else Message(template, facts=facts)


def plural(one: str, many: str, number: int, /, **facts: Fact) -> Message:
    """A message about a number of things, the fact {number}; one: where that is 1."""
    return Message(one, many, {"number": number, **facts})


def term(word: str) -> Message:
    """A word that the file has, such as a kind; one of the club's own is in no catalogue."""
    return Message(word)


def or_none(value: Fact) -> Fact:
    """A value in a sentence about a change; the word none where there is none."""
    return say("none") if value is None else value


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], names: Iterable[str]
) -> list[Message]:
    """Return what differs between two rows, as in `rating 1790 → 1820`."""
    return [
        say(
            "{what} {before} → {after}",
            what=term(name.replace("_", " ")),
            before=or_none(before[name]),
            after=or_none(after[name]),
        )
        for name in names
        if before[name] != after[name]
    ]


def listed(items: Sequence[Fact], last: str = "and") -> Fact:
    """Some of them in a sentence: a, b and c; last: and, or."""
    if len(items) < 2:  # noqa: PLR2004
        return items[0] if items else ""
    parts = {"some": [*items[:-1]], "last": items[-1]}
    return (
        say("{some} or {last}", **parts)
        if last == "or"
        else say("{some} and {last}", **parts)
    )


def first(items: Sequence[Fact], most: int) -> Fact:
    """The first of them, and how many more there are: a, b and 3 more."""
    if len(items) <= most:
        return [*items]
    return say(
        "{some} and {number:,} more", some=[*items[:most]], number=len(items) - most
    )


def joined(parts: Sequence[Message]) -> Message | None:
    """Parts of a sentence: a; b; c. None where there are none."""
    return (
        reduce(lambda a, b: say("{some}; {one}", some=a, one=b), parts)
        if parts
        else None
    )


def boards(numbers: Sequence[Fact]) -> Message:
    """Boards in a sentence: board 3; boards 3 and 7."""
    return plural(
        "board {which}", "boards {which}", len(numbers), which=listed(numbers)
    )


def rounds(numbers: Sequence[Fact]) -> Message:
    """Rounds in a sentence: round 3; rounds 3 and 7."""
    return plural(
        "round {which}", "rounds {which}", len(numbers), which=listed(numbers)
    )


def places(template: str) -> list[str]:
    """Return the names of the facts that a template has places for."""
    return [name for name, _ in _PLACE.findall(template)]


def as_sentence(said: Fact, text: str) -> str:
    """A message, said as this text, as a sentence: a capital and a full stop.

    A name or a number that it begins with stays as it is written.
    """
    while isinstance(said, Message | list):
        if isinstance(said, list):
            said = said[0] if said else None
            continue
        place = _PLACE.match(said.template)
        if place is None:
            text = f"{text[:1].upper()}{text[1:]}"
            break
        said = said.facts.get(place[1])
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def read(data: Any, _deep: int = 0) -> Fact:
    """A message from its `data`; what is none, or is deeper than any of ours, is a text."""
    if isinstance(data, list):
        return "?"
    if not isinstance(data, dict):
        return data
    template, facts = data.get("message"), data.get("facts")
    if _deep > _DEEPEST or not isinstance(template, str) or not isinstance(facts, dict):
        return "?"
    known = _each(facts, partial(read, _deep=_deep + 1))
    many = str(data.get("many") or "") if isinstance(known.get("number"), int) else ""
    return Message(template, many, known)


def _each(facts: Mapping[str, Fact], change: Any) -> dict[str, Fact]:
    return {
        name: [change(one) for one in fact]
        if isinstance(fact, list | tuple)
        else change(fact)
        for name, fact in facts.items()
    }


def _data(fact: Fact) -> Any:
    return fact.data() if isinstance(fact, Message) else fact


class English:
    """English, and what other languages change of it: the texts, and how numbers are written."""

    mark, thousands = ".", ","

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """A template as this language has it."""
        return many if many and number != 1 else template

    def date(self, day: str) -> str:
        """A date, YYYY-MM-DD in the file."""
        return day

    def said(self, what: Fact) -> str:
        """A message, or another fact, as text."""
        if isinstance(what, Message):
            number = what.facts.get("number", 1)
            text = self.text(what.template, what.many, number)
            return _PLACE.sub(lambda place: self._put(what.facts, place), text)
        if type(what) in (list, tuple):
            commas = any(
                isinstance(one, str) and "," in one for one in what
            )  # Müller, Hans
            return ("; " if commas else ", ").join(map(self.said, what))
        return (
            texts.shown(what).replace(".", self.mark)
            if isinstance(what, float)
            else str(what)
        )

    def _put(self, facts: Mapping[str, Fact], place: re.Match[str]) -> str:
        name, form = place.groups()
        if name not in facts:
            return place[0]
        fact = facts[name]
        if form in ("+", ",") and not isinstance(fact, int | float):
            form = None
        match form:
            case "+":
                return f"{'-' if fact < 0 else '+'}{self.said(abs(fact))}"
            case ",":
                return f"{fact:,}".replace(",", self.thousands)
            case "date":
                return self.date(str(fact))
            case "time":
                return self.time(str(fact))
        return self.said(fact)

    def time(self, moment: str) -> str:
        """A moment in UTC, to the second or minute, as the clock here shows it; else as it is."""
        from datetime import datetime

        try:
            here = datetime.fromisoformat(f"{moment}+00:00").astimezone()
        except ValueError:
            return moment
        return (
            f"{self.date(f'{here:%Y-%m-%d}')} {f'{here:%H:%M:%S}'[: len(moment) - 11]}"
        )


ENGLISH = English()
