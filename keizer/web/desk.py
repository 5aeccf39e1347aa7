"""A season file that several people use at once, one after the other."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import RLock
from typing import NamedTuple

from keizer.acts.session import Session
from keizer.errors import KeizerError
from keizer.messages import say
from keizer.season import reporting, roster
from keizer.season.queries import Conn, Tournament
from keizer.store import history, journal
from keizer.store.links import Links
from keizer.store.warm import Connections

DIRECTOR = str(say("director, browser"))
"""Who the director is on the log."""
PATIENCE = 20.0
"""Seconds that somebody waits for those before them."""


class Gate:
    """Lets one request at a time have the file, which takes some hundredths of a second.

    It guards more than order: POSIX takes all locks of a process off a file as soon as any
    handle on it is closed, so that nobody may copy or look into the file while it is written.
    """

    def __init__(self) -> None:
        self._turn = RLock()
        self.warm = Connections()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """While this lasts nobody else reads or writes; KeizerError where it takes too long."""
        if not self._turn.acquire(timeout=PATIENCE):
            raise KeizerError("too many people want the file at once: try again.")
        try:
            yield
        finally:
            self._turn.release()


class Witness(NamedTuple):
    """From where a member reports: a device, and whether by their personal link."""

    links: Links
    device: str
    personal: bool

    def may(self, conn: Conn, game: int) -> tuple[bool, bool]:
        """Whether they may correct, or confirm, what was reported of a game (round.id).

        Who has a personal link is who they say; of others a phone corrects what came from it,
        and confirms what did not.
        """
        device, personal = self.links.reported(history.birth(conn), game) or (None, False)
        same, other = device == self.device, device not in (None, self.device)
        return self.personal or same, other or bool(self.personal and personal)

    def note(self, conn: Conn, game: int) -> None:
        """Keep from where the result of a game came."""
        self.links.note_report(history.birth(conn), game, self.device, personal=self.personal)

    def dispute(self, conn: Conn, game: int, reported: str, player: int, says: str) -> None:
        """Keep that a member says another result than was reported."""
        self.links.note_dispute(history.birth(conn), game, reported, player, says)


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
        self.gate, self.member, self.warm, self.witness = gate, member, gate.warm, witness

    def turn(self) -> AbstractContextManager[None]:
        """Wait until it is this one's turn."""
        return self.gate.turn()

    def sign(self, conn: Conn, tournament: Tournament | None) -> None:
        """Put on the log who asks."""
        if self.witness is None or self.member is None or tournament is None:
            journal.by(conn, DIRECTOR)
            return
        name = roster.players(tournament).get(self.member)
        if name is None:
            raise KeizerError("you did not enter this tournament.")
        journal.by(conn, reporting.reporter(self.member, name), self.member)
