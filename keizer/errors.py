"""The errors that people get to see. Each is a KeizerError, with one clear sentence."""

import sys
from typing import Any

from keizer.messages import Fact, Message, say


class KeizerError(Exception):
    """Something that a person can put right, in one clear sentence.

    messages: that sentence; and a message for each fault if a file has several.
    """

    def __init__(
        self, sentence: str | Message, /, *more: Message, **facts: Fact
    ) -> None:
        """Make the error of a message, or of a literal template and its facts.

        more: further messages, such as one for each fault of a file.
        """
        first = say(sentence, **facts)
        super().__init__(first, *more)
        self.messages: tuple[Message, ...] = (first, *more)

    def __str__(self) -> str:
        return "\n".join(map(str, self.messages))

    @property
    def message(self) -> Message:
        """The whole error as one message, which another message can have as a fact."""
        if len(self.messages) == 1:
            return self.messages[0]
        return Message(str(self))

    def rename(self, old: str, new: Fact) -> None:
        """Put the fact `new` into the messages wherever they have the fact `old`."""
        self.messages = tuple(message.renamed(old, new) for message in self.messages)


class DeclinedError(KeizerError):
    """The refusal of an act that a person can insist on.

    what: the reason, a sentence. option: the parameter of the act that insists. typed:
    what to type to insist at a terminal, which a dialog does not show. more: further
    lines, such as the names of the people concerned.
    """

    def __init__(
        self, what: Message, option: str, typed: Message, *more: Message
    ) -> None:
        super().__init__("{what}: {typed}", *more, what=what, typed=typed)
        self.what = what
        self.option = option
        self.more = more


class UnclearError(KeizerError):
    """An imported text in which something is wrong or unclear.

    done: the outcome of the import without the lines that are wrong.
    """

    def __init__(self, done: Any, *messages: Message) -> None:
        super().__init__(*messages)
        self.done = done


def need(template: str, *packages: str) -> None:
    """Raise KeizerError if one of these packages is not installed.

    template: the sentence how to install them, with {python} for the command of this
    Python and {names} for the packages that are missing.
    """
    from importlib.util import find_spec

    missing = [name for name in packages if find_spec(name.replace("-", "_")) is None]
    if missing:
        python = sys.executable
        if " " in python:
            python = f'"{python}"'
        raise KeizerError(template, python=python, names=" ".join(missing))


Faults = list[tuple[int, Message]]
"""The faults of a list that somebody wrote: each a number of a line and a message."""

_MOST_SHOWN = 100
"""The most faults that are shown at once."""


def refuse(
    source: str | Message, faults: Faults, undone: Message, unit: str = "line"
) -> None:
    """Raise one KeizerError with the faults of a list, if it has any.

    source: the name of the list. undone: what keizer has not done because of the
    faults, such as "nothing was imported". unit: the word for a line of the list.
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
