"""The one exception a person gets to see."""

import sys
from typing import Any

from keizer.messages import Fact, Message, say


class KeizerError(Exception):
    """Something a person can put right: one clear sentence, an English template and its facts.

    messages: that sentence; of a file with several faults, and then one for each.
    """

    def __init__(self, said: str | Message, /, *more: Message, **facts: Fact) -> None:
        """said: a message, or the template of one (a literal text) for these facts."""
        first = say(said, **facts)
        super().__init__(first, *more)
        self.messages: tuple[Message, ...] = (first, *more)

    def __str__(self) -> str:
        return "\n".join(map(str, self.messages))

    @property
    def said(self) -> Message:
        """All of it as one message, a part of another."""
        return self.messages[0] if len(self.messages) == 1 else Message(str(self))

    def rename(self, before: str, after: Fact) -> None:
        """Call something that it is about otherwise."""
        self.messages = tuple(one.renamed(before, after) for one in self.messages)


class DeclinedError(KeizerError):
    """What is refused unless the person insists; `option` is the parameter that says so.

    what: the sentence without what to type, for who can be asked. more: what belongs to it,
    such as whom it is about, a line each.
    """

    def __init__(
        self, what: Message, option: str, typed: Message, *more: Message
    ) -> None:
        super().__init__("{what}: {typed}", *more, what=what, typed=typed)
        self.what, self.option, self.more = what, option, more


class UnclearError(KeizerError):
    """What was typed has something wrong, or to be said; `done` is what it would bring."""

    def __init__(self, done: Any, *messages: Message) -> None:
        super().__init__(*messages)
        self.done = done


def need(template: str, *packages: str) -> None:
    """Raise KeizerError where packages are missing.

    template: how to install them, by this {python}, with their {names}.
    """
    from importlib.util import find_spec

    missing = [name for name in packages if find_spec(name.replace("-", "_")) is None]
    if missing:
        python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
        raise KeizerError(template, python=python, names=" ".join(missing))


Faults = list[tuple[int, Message]]
"""What is wrong with a list: the number of the line, and a sentence."""

_SHOWN = 100
"""Faults that are told at once."""


def refuse(
    source: str | Message, faults: Faults, undone: Message, unit: str = "line"
) -> None:
    """Raise all faults of a list, in its order; nothing where there are none.

    source: what the list is called; undone: what was not done for them.
    """
    lines = [
        say("{unit} {line}: {fault}", unit=Message(unit), line=line, fault=fault)
        for line, fault in sorted(faults, key=lambda fault: (fault[0], str(fault[1])))
    ]
    if len(lines) == 1:
        raise KeizerError("{source}, {fault}", source=source, fault=lines[0])
    if lines:
        left = len(lines) - _SHOWN
        more = [say("... and {number:,} more.", number=left)] if left > 0 else []
        raise KeizerError(
            say(
                "{source} has {number:,} faults, {undone}:",
                source=source,
                number=len(lines),
                undone=undone,
            ),
            *lines[:_SHOWN],
            *more,
        )
