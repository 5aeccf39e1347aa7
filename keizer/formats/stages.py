"""The two stages of an import: facts are written, then the standings are computed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from keizer.messages import Message, say
from keizer.season import tournaments
from keizer.season.queries import Tournament

Tell = Callable[[Message], object]
"""Takes a message about what is being done."""


@contextmanager
def in_stages(tournament: Tournament, tell: Tell) -> Iterator[None]:
    """Write facts inside; the standings are computed at the end. tell: takes both stages."""
    tell(say("1 of 2: the file is read"))
    with tournaments.revaluation_suspended(tournament):
        yield
        tell(say("2 of 2: the standings are computed"))
