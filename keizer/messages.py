"""What keizer says: an English template and facts, to be said in any language.

The English text stands once, in the code or the SQL, and is the key of the catalogues
in keizer/languages. In a template `{name}` is the place of a fact:

    {name}         the fact as it is
    {points:+}     a number with its sign
    {number:,}     a number with a mark between its thousands
    {day:date}     a date, which the file has as YYYY-MM-DD
    {moment:time}  a moment, which the file has in UTC

A fact is a text that somebody typed or is called, a number, another message, or several
of these, which are written as a list.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from keizer import texts

Fact = Any
"""str, int, float, None, Message, or a list of these."""

_DEEPEST = 12
"""The most levels of messages within messages. None of keizer's own has as many."""
_PLACE = re.compile(r"\{(\w+)(?::([+,]|date|time))?\}")
_SENTENCE_ENDS = (".", "!", "?", ":")


class Message:
    """A sentence, or a part of one: its template in English, and its facts.

    many: the template for the plural, used if the fact `number` is not 1.
    """

    __slots__ = ("facts", "many", "template")

    def __init__(
        self, template: str, many: str = "", facts: Mapping[str, Fact] | None = None
    ) -> None:
        self.template = template
        self.many = many
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
        """Return the message as values for JSON; `from_data` turns them back."""
        data: dict[str, Any] = {"message": self.template}
        if self.many:
            data["many"] = self.many
        data["facts"] = _change_each(self.facts, _fact_data)
        return data

    def renamed(self, before: str, after: Fact) -> "Message":
        """Return this message with another name for what it calls `before`."""

        def rename(fact: Fact) -> Fact:
            if isinstance(fact, Message):
                return fact.renamed(before, after)
            return after if fact == before else fact

        return Message(self.template, self.many, _change_each(self.facts, rename))


def printable(fact: Fact) -> Fact:
    """Return a message or a fact with invisible characters written out, as \\u200b."""
    if isinstance(fact, Message):
        return Message(
            texts.visible(fact.template),
            texts.visible(fact.many),
            _change_each(fact.facts, printable),
        )
    return texts.visible(fact) if isinstance(fact, str) else fact


def say(template: str | Message, /, **facts: Fact) -> Message:
    """Make a message of a template and its facts; a message stays as it is.

    Write the template as a literal: the catalogues are made from those in the code.
    """
    if isinstance(template, Message):
        return template
    return Message(template, facts=facts)


def plural(singular: str, many: str, number: int, /, **facts: Fact) -> Message:
    """Make a message about a number of things, which is its fact `number`.

    singular: the template if the number is 1. many: the one for any other number.
    """
    return Message(singular, many, {"number": number, **facts})


def term(word: str) -> Message:
    """Make a message of a word that the file uses, such as the name of a kind.

    A word of the club's own is in no catalogue, and is shown as it is.
    """
    return Message(word)


def or_none(value: Fact) -> Fact:
    """Return a value for a sentence about a change, or the word none in its place."""
    return say("none") if value is None else value


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], names: Iterable[str]
) -> list[Message]:
    """Return what differs between two rows, as in `rating 1790 → 1820`.

    names: the columns that are compared, in the order of the messages.
    """
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
    """Return items as they stand in a sentence: a, b and c.

    last: the word before the last item, `and` or `or`.
    """
    if not items:
        return ""
    if len(items) == 1:
        return items[0]
    facts = {"some": [*items[:-1]], "last": items[-1]}
    if last == "or":
        return say("{some} or {last}", **facts)
    return say("{some} and {last}", **facts)


def first(items: Sequence[Fact], most: int) -> Fact:
    """Return at most so many items, and the number of the others: a, b and 3 more."""
    if len(items) <= most:
        return [*items]
    return say(
        "{some} and {number:,} more", some=[*items[:most]], number=len(items) - most
    )


def joined(parts: Sequence[Message]) -> Message | None:
    """Return parts of a sentence as one message: a; b; c. None if there are none."""
    if not parts:
        return None
    sentence = parts[0]
    for part in parts[1:]:
        sentence = say("{some}; {one}", some=sentence, one=part)
    return sentence


def boards(numbers: Sequence[Fact]) -> Message:
    """Name boards in a sentence: board 3; boards 3 and 7."""
    which = listed(numbers)
    return plural("board {which}", "boards {which}", len(numbers), which=which)


def rounds(numbers: Sequence[Fact]) -> Message:
    """Name rounds in a sentence: round 3; rounds 3 and 7."""
    which = listed(numbers)
    return plural("round {which}", "rounds {which}", len(numbers), which=which)


def places(template: str) -> list[str]:
    """Return the names of the facts that a template has places for."""
    return [name for name, _ in _PLACE.findall(template)]


def as_sentence(fact: Fact, text: str) -> str:
    """Return the text of a message with a capital letter and a full stop.

    A name or a number that the sentence begins with stays as it is written.
    fact: the message. text: how some language says it.
    """
    if _begins_with_words(fact):
        text = text[:1].upper() + text[1:]
    if text.endswith(_SENTENCE_ENDS):
        return text
    return f"{text}."


def _begins_with_words(fact: Fact) -> bool:
    """Return whether a message begins with words of a template, not with a fact."""
    while True:
        if isinstance(fact, list):
            fact = fact[0] if fact else None
        if not isinstance(fact, Message | list):
            return False
        if isinstance(fact, Message):
            place = _PLACE.match(fact.template)
            if place is None:
                return True
            fact = fact.facts.get(place[1])


def from_data(data: Any, _depth: int = 0) -> Fact:
    """Return the message or the fact of which `data` is the JSON.

    The values may come from a file that somebody edited: whatever cannot be a message,
    or is deeper than any of keizer's own, is read as the text `?`.
    """
    if isinstance(data, list):
        return "?"
    if not isinstance(data, dict):
        return data
    template = data.get("message")
    facts = data.get("facts")
    if not isinstance(template, str) or not isinstance(facts, dict):
        return "?"
    if _depth > _DEEPEST:
        return "?"
    known_facts = _change_each(facts, partial(from_data, _depth=_depth + 1))
    many = ""
    if isinstance(known_facts.get("number"), int):
        many = str(data.get("many") or "")
    return Message(template, many, known_facts)


def _change_each(
    facts: Mapping[str, Fact], change: Callable[[Any], Any]
) -> dict[str, Fact]:
    """Return facts of which each, or each item of a list, is changed by a function."""
    changed: dict[str, Fact] = {}
    for name, fact in facts.items():
        if isinstance(fact, list | tuple):
            changed[name] = [change(item) for item in fact]
        else:
            changed[name] = change(fact)
    return changed


def _fact_data(fact: Fact) -> Any:
    return fact.data() if isinstance(fact, Message) else fact


class English:
    """English, and what other languages change of it: texts, numbers and dates."""

    mark = "."
    thousands = ","

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """Return a template as this language has it: `many` unless the number is 1."""
        if many and number != 1:
            return many
        return template

    def date(self, day: str) -> str:
        """Return a date as people read it. day: YYYY-MM-DD, as the file has it."""
        return day

    def said(self, fact: Fact) -> str:
        """Return a message, or any other fact, as text."""
        if isinstance(fact, Message):
            number = fact.facts.get("number", 1)
            text = self.text(fact.template, fact.many, number)
            return _PLACE.sub(lambda place: self._fill_place(place, fact.facts), text)
        if type(fact) in (list, tuple):
            return self._said_list(fact)
        if isinstance(fact, float):
            return texts.shown(fact).replace(".", self.mark)
        return str(fact)

    def _said_list(self, items: Sequence[Fact]) -> str:
        # A name may have a comma of its own: Müller, Hans.
        has_comma = any(isinstance(item, str) and "," in item for item in items)
        separator = "; " if has_comma else ", "
        return separator.join(map(self.said, items))

    def _fill_place(self, place: re.Match[str], facts: Mapping[str, Fact]) -> str:
        """Return what stands in a place of a template: a fact in the place's form."""
        name, form = place.groups()
        if name not in facts:
            return place[0]
        fact = facts[name]
        is_number = isinstance(fact, int | float)
        match form:
            case "+" if is_number:
                sign = "-" if fact < 0 else "+"
                return sign + self.said(abs(fact))
            case "," if is_number:
                return f"{fact:,}".replace(",", self.thousands)
            case "date":
                return self.date(str(fact))
            case "time":
                return self.time(str(fact))
        return self.said(fact)

    def time(self, moment: str) -> str:
        """Return a moment as the clock of this machine shows it.

        moment: in UTC, `YYYY-MM-DD HH:MM` or with seconds. Any other text stays.
        """
        from datetime import datetime

        try:
            local = datetime.fromisoformat(f"{moment}+00:00").astimezone()
        except ValueError:
            return moment
        day = self.date(f"{local:%Y-%m-%d}")
        clock_length = len(moment) - len("YYYY-MM-DD ")
        clock = f"{local:%H:%M:%S}"[:clock_length]
        return f"{day} {clock}"


ENGLISH = English()
