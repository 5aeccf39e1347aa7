"""Messages of keizer: an English template and its facts, for any language.

The English template stands once, in the code or the SQL. The catalogues in
keizer/languages have its translations. In a template `{name}` is the place of a fact:

    {name}         the fact as it is
    {points:+}     a number with its sign
    {number:,}     a number with a mark between its thousands
    {day:date}     a date, which the file has as YYYY-MM-DD
    {moment:time}  a moment, which the file has in UTC

A fact is a name, another text that somebody typed, a number, another message, or a list
of these.
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
"""The place of a fact in a template: the name of the fact, and its form."""
_SENTENCE_ENDS = (".", "!", "?", ":")


class Message:
    """A sentence or a part of a sentence: an English template and its facts.

    template: the text, in the singular if there is a plural.
    many: the template in the plural, for any fact `number` but 1; "" if there is none.
    facts: by the names that the template has for them.
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
        return hash(self.template)  # the facts may be lists, which have no hash

    def data(self) -> dict[str, Any]:
        """Return the message as values for JSON; `from_data` makes it of them again."""
        data: dict[str, Any] = {"message": self.template}
        if self.many:
            data["many"] = self.many
        data["facts"] = _change_each(self.facts, _fact_data)
        return data

    def renamed(self, old: str, new: Fact) -> "Message":
        """Return this message with the fact `new` wherever the fact `old` was.

        Facts of messages within this one are replaced, too.
        """

        def rename(fact: Fact) -> Fact:
            if isinstance(fact, Message):
                return fact.renamed(old, new)
            return new if fact == old else fact

        return Message(self.template, self.many, _change_each(self.facts, rename))


def printable(fact: Fact) -> Fact:
    """Return a message or fact with escapes, as \\u200b, for invisible characters."""
    if isinstance(fact, Message):
        return Message(
            texts.visible(fact.template),
            texts.visible(fact.many),
            _change_each(fact.facts, printable),
        )
    return texts.visible(fact) if isinstance(fact, str) else fact


def say(template: str | Message, /, **facts: Fact) -> Message:
    """Make a message of a template and its facts.

    template: a literal text, since the catalogues are made from the literals in the
    code. A message, which has its facts already, is returned as it is.
    """
    if isinstance(template, Message):
        return template
    return Message(template, facts=facts)


def plural(singular: str, many: str, number: int, /, **facts: Fact) -> Message:
    """Make a message about a number of things; the number becomes the fact `number`.

    singular: the template if the number is 1. many: the template for other numbers.
    """
    return Message(singular, many, {"number": number, **facts})


def term(word: str) -> Message:
    """Make a message of a word in the file, such as a kind of absence, to translate it.

    A word that a club chose itself is in no catalogue, and is shown as it is.
    """
    return Message(word)


def or_none(value: Fact) -> Fact:
    """Return a value for a sentence, or the word "none" if the value is None."""
    return say("none") if value is None else value


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], names: Iterable[str]
) -> list[Message]:
    """Return a message for each column that differs: `rating 1790 → 1820`.

    before, after: two states of a row. names: the columns to compare, in the order of
    the messages.
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
    """Return items as one fact for a sentence: a, b and c.

    last: the word before the last item, "and" or "or".
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
    """Return the first items as one fact for a sentence: a, b and 3 more.

    most: the number of items that are named at most.
    """
    if len(items) <= most:
        return [*items]
    return say(
        "{some} and {number:,} more", some=[*items[:most]], number=len(items) - most
    )


def joined(parts: Sequence[Message]) -> Message | None:
    """Join parts of a sentence to one message: a; b; c. None if there are no parts."""
    if not parts:
        return None
    sentence = parts[0]
    for part in parts[1:]:
        sentence = say("{some}; {one}", some=sentence, one=part)
    return sentence


def boards(numbers: Sequence[Fact]) -> Message:
    """Return boards as a sentence names them: "board 3" or "boards 3 and 7"."""
    which = listed(numbers)
    return plural("board {which}", "boards {which}", len(numbers), which=which)


def rounds(numbers: Sequence[Fact]) -> Message:
    """Return rounds as a sentence names them: "round 3" or "rounds 3 and 7"."""
    which = listed(numbers)
    return plural("round {which}", "rounds {which}", len(numbers), which=which)


def places(template: str) -> list[str]:
    """Return the names of the facts that a template has places for."""
    return [name for name, _ in _PLACE.findall(template)]


def as_sentence(fact: Fact, text: str) -> str:
    """Return the text of a message with a capital letter and a full stop.

    If the message begins with a name or a number, that is not changed.
    fact: the message. text: its text in some language.
    """
    if _begins_with_words(fact):
        text = text[:1].upper() + text[1:]
    if text.endswith(_SENTENCE_ENDS):
        return text
    return f"{text}."


def _begins_with_words(fact: Fact) -> bool:
    """Return whether a message begins with words of a template, not with a fact."""
    if isinstance(fact, list):
        return bool(fact) and _begins_with_words(fact[0])
    if not isinstance(fact, Message):
        return False
    place = _PLACE.match(fact.template)
    if place is None:
        return True
    first_fact = fact.facts.get(place[1])
    return _begins_with_words(first_fact)


def from_data(data: Any, _depth: int = 0) -> Fact:
    """Turn the result of `Message.data`, or of another fact, back into what it was.

    The data may come from a file that somebody edited. What cannot be a message, or is
    nested more deeply than messages of keizer's are, becomes the text "?".
    """
    if isinstance(data, list):  # no message has a list within a list
        return "?"
    if not isinstance(data, dict):
        return data
    template = data.get("message")
    facts = data.get("facts")
    if not isinstance(template, str) or not isinstance(facts, dict):
        return "?"
    if _depth > _DEEPEST:
        return "?"
    inner_facts = _change_each(facts, partial(from_data, _depth=_depth + 1))
    many = ""
    if isinstance(inner_facts.get("number"), int):  # no other value has a plural
        many = str(data.get("many") or "")
    return Message(template, many, inner_facts)


def _change_each(
    facts: Mapping[str, Fact], change: Callable[[Any], Any]
) -> dict[str, Fact]:
    """Return facts after a function has changed each fact, or each item of a list."""
    changed: dict[str, Fact] = {}
    for name, fact in facts.items():
        if isinstance(fact, list | tuple):
            changed[name] = [change(item) for item in fact]
        else:
            changed[name] = change(fact)
    return changed


def _fact_data(fact: Fact) -> Any:
    """Return a fact as a value for JSON."""
    return fact.data() if isinstance(fact, Message) else fact


class English:
    """English, and the base of other languages, which say texts and dates otherwise.

    decimal_mark: the sign before decimals. thousands_mark: the sign between thousands.
    """

    decimal_mark = "."
    thousands_mark = ","

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """Return a template in this language.

        many: the template in the plural, which counts if the number is not 1.
        """
        if many and number != 1:
            return many
        return template

    def date(self, day: str) -> str:
        """Return a date as people write it. day: YYYY-MM-DD, as the file has it."""
        return day

    def said(self, fact: Fact) -> str:
        """Return the text of a message, or of any other fact, in this language."""
        if isinstance(fact, Message):
            number = fact.facts.get("number", 1)
            text = self.text(fact.template, fact.many, number)
            return _PLACE.sub(lambda place: self._fill_place(place, fact.facts), text)
        if type(fact) in (list, tuple):
            return self._said_list(fact)
        if isinstance(fact, float):
            return texts.shown(fact).replace(".", self.decimal_mark)
        return str(fact)

    def _said_list(self, items: Sequence[Fact]) -> str:
        """Return the text of a list: "a, b", or "Müller, Hans; b" with commas in it."""
        has_comma = any(isinstance(item, str) and "," in item for item in items)
        separator = "; " if has_comma else ", "
        return separator.join(map(self.said, items))

    def _fill_place(self, place: re.Match[str], facts: Mapping[str, Fact]) -> str:
        """Return the text for a place of a template: its fact, in the form it asks for.

        A place stays as it is if there is no such fact.
        """
        name, form = place.groups()
        if name not in facts:
            return place[0]
        fact = facts[name]
        is_number = isinstance(fact, int | float)  # from an edited file it may be none
        match form:
            case "+" if is_number:
                sign = "-" if fact < 0 else "+"
                return sign + self.said(abs(fact))
            case "," if is_number:
                return f"{fact:,}".replace(",", self.thousands_mark)
            case "date":
                return self.date(str(fact))
            case "time":
                return self.time(str(fact))
        return self.said(fact)

    def time(self, moment: str) -> str:
        """Return a moment in the time zone of this machine.

        moment: in UTC, YYYY-MM-DD HH:MM or with seconds. Any other text stays as it is.
        """
        from datetime import datetime

        try:
            local = datetime.fromisoformat(f"{moment}+00:00").astimezone()
        except ValueError:
            return moment
        day = self.date(f"{local:%Y-%m-%d}")
        # With seconds if the moment has them.
        clock_length = len(moment) - len("YYYY-MM-DD ")
        clock = f"{local:%H:%M:%S}"[:clock_length]
        return f"{day} {clock}"


ENGLISH = English()
