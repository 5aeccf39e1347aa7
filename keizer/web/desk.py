"""A season file that several people use at once, one after the other."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import RLock

from keizer.acts.session import Session
from keizer.errors import KeizerError
from keizer.messages import say
from keizer.season.club_night import confirmation
from keizer.season.people import roster
from keizer.season.queries import Conn, Tournament
from keizer.store.log import journal
from keizer.store.warm import Connections
from keizer.web.links import Witness

DIRECTOR = str(say("director, browser"))
"""Who the director is on the log."""
PATIENCE = 20.0
"""Seconds that somebody waits for those before them."""


class BusyError(KeizerError):
    """Others have the file, and somebody has waited long enough."""


class Gate:
    """Lets one request at a time have the file, which takes some hundredths of a second.

    It guards more than order: POSIX takes all locks of a process off a file as soon as any
    handle on it is closed, so that nobody may copy or look into the file while it is written.
    """

    def __init__(self) -> None:
        self._turn = RLock()
        self.connections = Connections()

    @contextmanager
    def turn(self, patience: float = PATIENCE) -> Iterator[None]:
        """While this lasts nobody else reads or writes.

        Raises BusyError where it is not one's turn after so many seconds.
        """
        if not self._turn.acquire(timeout=patience):
            raise BusyError("too many people want the file at once: try again.")
        try:
            yield
        finally:
            self._turn.release()


class Desk(Session):
    """A tournament, for one who asks: what they do is on the log under their name.

    member: the player.id of one for whom is asked; witness: None where the director asks.
    """

    latest = True  # a page lets choose another

    def __init__(
        self,
        path: str,
        tournament: str | None,
        gate: Gate,
        member: int | None = None,
        witness: Witness | None = None,
    ) -> None:
        super().__init__(path, tournament)
        self.gate, self.member, self.connections, self.witness = (
            gate,
            member,
            gate.connections,
            witness,
        )

    def wait_for_turn(self) -> AbstractContextManager[None]:
        """Wait until it is this one's turn."""
        return self.gate.turn()

    def write_author_on_log(self, conn: Conn, tournament: Tournament | None) -> None:
        """Put on the log who asks."""
        if self.witness is None or self.member is None or tournament is None:
            journal.set_author(conn, DIRECTOR)
            return
        name = roster.players(tournament).get(self.member)
        if name is None:
            raise KeizerError("you did not enter this tournament.")
        journal.set_author(
            conn, confirmation.signature_of(self.member, name), self.member
        )
