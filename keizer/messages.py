"""Messages of keizer: an English template and its facts, for any language.

The English template stands once, in the code or the SQL. The catalogues in
keizer/languages have its translations. In a template `{name}` is a placeholder, which
is filled in with the *fact* of this name:

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
_PLACEHOLDER = re.compile(r"\{(\w+)(?::([+,]|date|time))?\}")
"""A placeholder in a template: the name of a fact, and the format after the colon."""
_SENTENCE_ENDS = (".", "!", "?", ":")


class Message:
    """A sentence or a part of a sentence: an English template and its facts.

    Facts are the values that fill in the placeholders of the template. Example: the
    template "round {round} has no board {board}." with the facts round=3, board=7.

    template: the text, in the singular if there is a plural. many: the template in the
    plural, which counts if the fact `number` is not 1; "" if there is none. facts: by
    the names of the placeholders.
    """

    __slots__ = ("facts", "many", "template")

    def __init__(
        self, template: str, many: str = "", facts: Mapping[str, Fact] | None = None
    ) -> None:
        """Make a message. In the code, `say` and `plural` are shorter."""
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
        """Return the message as a dictionary for JSON, which `from_data` reads again.

        Example: {"message": "there is no {name}.", "facts": {"name": "Ada"}}.
        """
        data: dict[str, Any] = {"message": self.template}
        if self.many:
            data["many"] = self.many
        data["facts"] = _change_each(self.facts, _fact_data)
        return data

    def with_fact_replaced(self, old: str, new: Fact) -> "Message":
        """Return a copy of this message in which a fact, such as a name, is replaced.

        Facts are the values in a message. Each fact that equals the text `old` becomes
        `new`, also in messages that are facts of this message. A fact that only
        contains this text stays.
        """

        def replace(fact: Fact) -> Fact:
            """Return what a fact becomes: `new` if it is the text `old`.

            A fact that is a message has facts itself: a copy of the message is
            returned, in which these are replaced. Any other fact stays as it is.
            """
            if isinstance(fact, Message):
                return fact.with_fact_replaced(old, new)
            if fact == old:
                return new
            return fact

        return Message(self.template, self.many, _change_each(self.facts, replace))


def printable(fact: Fact) -> Fact:
    """Return a message or a value with escapes, as \\u200b, for invisible characters.

    Other values than texts and messages are returned as they are.
    """
    if isinstance(fact, Message):
        return Message(
            texts.visible(fact.template),
            texts.visible(fact.many),
            _change_each(fact.facts, printable),
        )
    return texts.visible(fact) if isinstance(fact, str) else fact


def say(template: str | Message, /, **facts: Fact) -> Message:
    """Make a message of an English template and facts, which fill in its placeholders.

    Example: say("round {round} has no board {board}.", round=3, board=7).

    template: a literal text, since the list of texts to translate is made from the
    literals in the code. A message, which has its facts already, is returned as it is.
    """
    if isinstance(template, Message):
        return template
    return Message(template, facts=facts)


def plural(singular: str, many: str, number: int, /, **facts: Fact) -> Message:
    """Make a message about a number of things, in the singular or the plural.

    The templates can have the placeholder {number}, and those of the other facts.

    singular: the template if the number is 1. many: the template for other numbers.
    """
    return Message(singular, many, {"number": number, **facts})


def ignore(message: Message) -> None:
    """Do nothing with a message: for callers that tell it to nobody."""


def term(word: str) -> Message:
    """Make a message of a word in the file, so that it can be translated.

    Such a word is a kind of absence, for example. A word that a club chose itself has
    no translation, and is shown as it is.
    """
    return Message(word)


def or_none(value: Fact) -> Fact:
    """Return the word "none", which can be translated, if a value is None.

    Any other value is returned as it is.
    """
    return say("none") if value is None else value


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], names: Iterable[str]
) -> list[Message]:
    """Return a message for each column that differs: `rating 1790 → 1820`.

    before, after: a row before and after a change. names: the columns to compare, in
    the order that the messages are to have.
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
    """Return items joined for a sentence: a message such as "a, b and c".

    A single item is returned as it is, and "" if there are no items. last: the word
    before the last item, "and" or "or".
    """
    if not items:
        return ""
    if len(items) == 1:
        return items[0]
    facts = {"some": [*items[:-1]], "last": items[-1]}
    # Two literals, since the list of texts to translate is made from the literals.
    if last == "or":
        return say("{some} or {last}", **facts)
    return say("{some} and {last}", **facts)


def shortened_list(items: Sequence[Fact], most: int) -> Fact:
    """Return a list of items for a sentence, which names only the first of many.

    With most=2 the items a, b, c, d and e give the message "a, b and 3 more". If there
    are at most 2 items, the result is a list of them, which a sentence shows as "a, b".
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


def placeholder_names(template: str) -> list[str]:
    """Return the names of the placeholders in a template: "day" for {day:date}."""
    return [name for name, _ in _PLACEHOLDER.findall(template)]


def as_sentence(fact: Fact, text: str) -> str:
    """Return the text of a message with a capital letter and a full stop.

    Only the first word of a template gets a capital letter. A name or another value at
    the beginning stays as it is. After “!”, “?” or “:” there is no full stop.

    fact: the message. text: its text in some language.
    """
    if _begins_with_words(fact):
        text = text[:1].upper() + text[1:]
    if text.endswith(_SENTENCE_ENDS):
        return text
    return f"{text}."


def _begins_with_words(fact: Fact) -> bool:
    """Return whether a message begins with words of a template.

    A name or a number at its beginning is not words of a template. If the template
    begins with a placeholder, the fact that fills it in is looked at in the same way.
    """
    if isinstance(fact, list):
        return bool(fact) and _begins_with_words(fact[0])
    if not isinstance(fact, Message):
        return False
    placeholder = _PLACEHOLDER.match(fact.template)  # only at the beginning
    if placeholder is None:
        return True
    first_fact = fact.facts.get(placeholder[1])
    return _begins_with_words(first_fact)


def from_data(data: Any, _depth: int = 0) -> Fact:
    """Turn the dictionary that `Message.data` returned back into the message.

    Other values that a message can contain, such as a text or a number, are returned as
    they are. The data may come from a file that somebody edited. A list or dictionary
    that is not a message, or is nested more deeply than messages of keizer are, becomes
    the text "?".

    _depth: how many messages this one lies in.
    """
    if isinstance(data, list):
        # A fact of a message may be a list, but it does not come here: _change_each
        # calls this function for each item of the list. A list that comes here is not
        # in a message, or is itself an item of a list. Neither is in data of keizer.
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
    plural_template = ""  # for a message that has no plural
    # The fact `number` chooses between singular and plural. In an edited file it may be
    # a text, with which gettext would fail. Then the message is left without plural.
    if isinstance(inner_facts.get("number"), int):
        plural_template = str(data.get("many") or "")
    return Message(template, plural_template, inner_facts)


def _change_each(
    facts: Mapping[str, Fact], change: Callable[[Any], Any]
) -> dict[str, Fact]:
    """Return a copy of facts, in which a function has changed each of them.

    Facts are the values of a message by name. If a fact is a list, each of its items is
    changed.
    """
    changed: dict[str, Fact] = {}
    for name, fact in facts.items():
        if isinstance(fact, list | tuple):
            changed[name] = [change(item) for item in fact]
        else:
            changed[name] = change(fact)
    return changed


def _fact_data(fact: Fact) -> Any:
    """Return a fact (a value in a message) for JSON: a message as a dictionary."""
    return fact.data() if isinstance(fact, Message) else fact


class English:
    """A language that turns messages into texts: English, and the base of the others.

    Another language overrides `text` and `date`, and has other marks in numbers.

    decimal_mark: the sign before decimals. thousands_mark: the sign between thousands.
    """

    decimal_mark = "."
    thousands_mark = ","

    def text(self, template: str, many: str = "", number: int = 1) -> str:
        """Return the text for a number: in English one of the two that are given.

        Other languages override this, and return its translation.
        template: the English text in the singular, or for any number. many: that in the
        plural, which is used if the number is not 1; "" if there is none.
        """
        if many and number != 1:
            return many
        return template

    def date(self, day: str) -> str:
        """Return a date as people write it: in English as the file has it, YYYY-MM-DD.

        Other languages override this.
        """
        return day

    def said(self, fact: Fact) -> str:
        """Return the text of a message, or of any value in one, in this language."""
        if isinstance(fact, Message):
            number = fact.facts.get("number", 1)
            text = self.text(fact.template, fact.many, number)
            return _PLACEHOLDER.sub(
                lambda placeholder: self._fill_in(placeholder, fact.facts), text
            )
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

    def _fill_in(self, placeholder: re.Match[str], facts: Mapping[str, Fact]) -> str:
        """Return the text that replaces a placeholder, such as {name} or {day:date}.

        That is the value of this name among the facts, in the format after the colon. A
        placeholder without such a fact stays as it is.
        """
        name, value_format = placeholder.groups()
        if name not in facts:
            return placeholder[0]
        fact = facts[name]
        # A message from an edited file may have a text where a number should be.
        is_number = isinstance(fact, int | float)
        match value_format:
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
        """Return a moment as date and time of day in the time zone of this machine.

        moment: in UTC, YYYY-MM-DD HH:MM or with seconds. Any other text is returned as
        it is.
        """
        # Imported late: few messages have a moment, and the import takes time.
        from datetime import datetime

        try:
            local = datetime.fromisoformat(f"{moment}+00:00").astimezone()
        except ValueError:
            return moment
        day = self.date(f"{local:%Y-%m-%d}")
        has_seconds = len(moment) > len("YYYY-MM-DD HH:MM")
        clock = f"{local:%H:%M:%S}" if has_seconds else f"{local:%H:%M}"
        return f"{day} {clock}"


ENGLISH = English()
