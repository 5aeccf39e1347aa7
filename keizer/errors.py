"""The errors that people get to see: each is a KeizerError, one clear sentence."""

import sys
from typing import Any

from keizer.messages import Fact, Message, say


class KeizerError(Exception):
    """Something that a person can put right, in one clear sentence.

    messages: that sentence. If a file has several faults, a message for each follows.
    """

    def __init__(
        self, sentence: str | Message, /, *more: Message, **facts: Fact
    ) -> None:
        """Make the error. sentence: a message, or a literal template for the facts."""
        first = say(sentence, **facts)
        super().__init__(first, *more)
        self.messages: tuple[Message, ...] = (first, *more)

    def __str__(self) -> str:
        return "\n".join(map(str, self.messages))

    @property
    def message(self) -> Message:
        """The whole error as one message, which can be a fact of another."""
        if len(self.messages) == 1:
            return self.messages[0]
        return Message(str(self))

    def rename(self, before: str, after: Fact) -> None:
        """Give something that the messages call `before` another name."""
        self.messages = tuple(
            message.renamed(before, after) for message in self.messages
        )


class DeclinedError(KeizerError):
    """An act that is refused unless the person insists.

    what: the reason, a sentence. option: the parameter that insists. typed: how to
    insist at a terminal, which a dialog leaves out. more: further lines, such as the
    names of those whom it concerns.
    """

    def __init__(
        self, what: Message, option: str, typed: Message, *more: Message
    ) -> None:
        super().__init__("{what}: {typed}", *more, what=what, typed=typed)
        self.what = what
        self.option = option
        self.more = more


class UnclearError(KeizerError):
    """A text in which something is wrong or open; done: what it would bring anyway."""

    def __init__(self, done: Any, *messages: Message) -> None:
        super().__init__(*messages)
        self.done = done


def need(template: str, *packages: str) -> None:
    """Raise KeizerError if one of these packages is not installed.

    template: how to install them, with places for this {python} and for their {names}.
    """
    from importlib.util import find_spec

    missing = [name for name in packages if find_spec(name.replace("-", "_")) is None]
    if missing:
        python = sys.executable
        if " " in python:
            python = f'"{python}"'
        raise KeizerError(template, python=python, names=" ".join(missing))


Faults = list[tuple[int, Message]]
"""What is wrong with a list: the numbers of lines, and a sentence about each."""

_MOST_SHOWN = 100
"""Faults that are shown at once."""


def refuse(
    source: str | Message, faults: Faults, undone: Message, unit: str = "line"
) -> None:
    """Raise the faults of a list in the order of its lines, as one KeizerError.

    Nothing is raised if there are none. source: what the list is called. undone: what
    keizer has not done because of them. unit: what a line of the list is called.
    """
    in_order = sorted(faults, key=lambda fault: (fault[0], str(fault[1])))
    sentences = [
        say("{unit} {line}: {fault}", unit=Message(unit), line=line, fault=fault)
        for line, fault in in_order
    ]
    if not sentences:
        return
    if len(sentences) == 1:
        raise KeizerError("{source}, {fault}", source=source, fault=sentences[0])
    heading = say(
        "{source} has {number:,} faults, {undone}:",
        source=source,
        number=len(sentences),
        undone=undone,
    )
    more = []
    not_shown = len(sentences) - _MOST_SHOWN
    if not_shown > 0:
        more.append(say("... and {number:,} more.", number=not_shown))
    raise KeizerError(heading, *sentences[:_MOST_SHOWN], *more)
