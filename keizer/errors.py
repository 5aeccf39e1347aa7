"""The errors that people get to see. Each is a KeizerError, with one clear sentence."""

import sys
from typing import Any

from keizer.messages import Fact, Message, say


class KeizerError(Exception):
    """An error that a person can put right: it says what is wrong in one sentence.

    messages: that sentence, and perhaps further ones, such as one for each fault of a
    file.
    """

    def __init__(
        self, sentence: str | Message, /, *more: Message, **facts: Fact
    ) -> None:
        """Make an error from a sentence, and perhaps further messages.

        sentence: a message; or a literal template with placeholders such as {round},
        which the facts fill in: KeizerError("there is no round {round}.", round=3).
        """
        first = say(sentence, **facts)
        super().__init__(first, *more)
        self.messages: tuple[Message, ...] = (first, *more)

    def __str__(self) -> str:
        return "\n".join(map(str, self.messages))

    @property
    def message(self) -> Message:
        """The whole error as one message, to be a part of another message."""
        if len(self.messages) == 1:
            return self.messages[0]
        return Message(str(self))  # the whole text in English: it is not translated

    def replace_fact(self, old: str, new: Fact) -> None:
        """Replace a name in the messages, such as that of a copy by that of the file.

        Each value in a message that is the text `old` becomes `new`.
        """
        self.messages = tuple(
            message.with_fact_replaced(old, new) for message in self.messages
        )


class DeclinedError(KeizerError):
    """The refusal of something that a person can do anyway, by insisting on it.

    Example: a list would change results of a round that nobody has named. With the
    option `round`, which names this round, it does.

    what: the reason for the refusal. option: the parameter to insist with. typed: a
    message that says what to type at a terminal to insist; a dialog does not show it.
    more: further lines, such as the names of the people concerned.
    """

    def __init__(
        self, what: Message, option: str, typed: Message, *more: Message
    ) -> None:
        """Make the refusal, whose first message is the reason and what to type."""
        super().__init__("{what}: {typed}", *more, what=what, typed=typed)
        self.what = what
        self.option = option
        self.more = more


class UnclearError(KeizerError):
    """The refusal of an imported list in which something is wrong or unclear.

    done: the outcome that the import would have without the lines that are wrong. A web
    page shows it, so that a person can answer what is unclear.
    """

    def __init__(self, done: Any, *messages: Message) -> None:
        """Make the refusal.

        done: the outcome of the import, of which the class is in keizer.acts.lists. It
        is only kept here, for whoever catches the error.
        messages: a sentence that says what is wrong, and perhaps further messages, such
        as one for each line.
        """
        super().__init__(*messages)
        self.done = done


def require_packages(template: str, *packages: str) -> None:
    """Raise KeizerError if one of these Python packages is not installed.

    If all are, do nothing.

    template: a sentence that says how to install them, with the placeholders {python}
    for the command that runs this Python, and {names} for the missing packages.
    packages: their names as pip knows them, such as python-calamine.
    """
    from importlib.util import find_spec

    # A package is imported by its name with _ instead of -.
    missing = [name for name in packages if find_spec(name.replace("-", "_")) is None]
    if missing:
        python = sys.executable
        if " " in python:  # a shell would take it for two words
            python = f'"{python}"'
        raise KeizerError(template, python=python, names=" ".join(missing))


Faults = list[tuple[int, Message]]
"""The faults of a list that somebody wrote: each a number of a line and a message."""

_MOST_SHOWN = 100
"""The most faults that are shown at once."""


def refuse_if_any(
    source: str | Message, faults: Faults, undone: Message, unit: str = "line"
) -> None:
    """Raise one KeizerError with the faults of a list; do nothing if there are none.

    source: the name of the list. faults: the number of a line, and what is wrong in it.
    undone: what keizer has not done because of the faults, such as "nothing was
    imported". unit: the word for a line of the list.
    """
    # By line, and then by the text, so that the same list always has the same message.
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
