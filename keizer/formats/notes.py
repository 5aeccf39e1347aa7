"""Messages of which only the first are kept: a file may be the reason for any number of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ParamSpec

from keizer.formats.carried import carry
from keizer.messages import Message

Given = ParamSpec("Given")

NOTES = 100
"""So many notes about a file are printed."""


@carry
@dataclass
class Notes:
    """The first of some messages, and how many there are. most: how many are kept."""

    most: int = NOTES
    first: list[Message] = field(default_factory=list)
    number: int = 0

    @property
    def left(self) -> int:
        """How many were not kept."""
        return self.number - len(self.first)

    def add(self, message: Message) -> None:
        """Count a message, and keep it if there is room."""
        self.make(lambda: message)

    def make(
        self,
        message: Callable[Given, Message],
        *given: Given.args,
        **more: Given.kwargs,
    ) -> None:
        """Count a message, which is made only if there is room."""
        self.number += 1
        if len(self.first) < self.most:
            self.first.append(message(*given, **more))

    def extend(self, others: "Notes") -> None:
        """Count other messages, and keep of these as many as there is room for."""
        for message in others.first:
            self.add(message)
        self.number += others.left
