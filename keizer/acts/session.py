"""A season file and who uses it: each act, and each reading, is one transaction."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    BinaryIO,
    Concatenate,
    NamedTuple,
    ParamSpec,
    Protocol,
    TypeVar,
)

from keizer.acts.declare import Act, act_of
from keizer.errors import KeizerError
from keizer.messages import Message, first, listed, plural, say
from keizer.season import tournaments
from keizer.season.club_night import publication
from keizer.season.queries import Conn, Tournament
from keizer.store import connection, database

if TYPE_CHECKING:
    from keizer.season import rules
    from keizer.store.warm import Connections

P = ParamSpec("P")
Result = TypeVar("Result")

_NAMED = 3
"""The most changes that a refused form names."""


class Witness(Protocol):
    """The device that a member reports a result from.

    An add-on that lets members in keeps what came from which device.
    """

    def may(self, conn: Conn, game: int) -> tuple[bool, bool]:
        """Return two rights over the result that was reported of a game (round.id).

        The first is to correct it, the second to confirm it.
        """

    def note(self, conn: Conn, game: int) -> None:
        """Note that the result of a game came from this device."""

    def dispute(
        self, conn: Conn, game: int, reported: str, player: int, claimed: str
    ) -> None:
        """Note that a player says another result than was reported."""


class Writing(Tournament):
    """A tournament inside the transaction of an act, which may change it.

    tell: takes messages about what did not stop the act.
    """

    def __init__(self, tournament: Tournament, session: "Session") -> None:
        super().__init__(tournament.conn, tournament.id, tournament.now)
        self.tell = session.tell
        self.witness = session.witness
        self._member = session.member

    @property
    def myself(self) -> int:
        """The player.id of the member who does the act.

        Raises KeizerError if no member does it.
        """
        if self._member is None:
            raise KeizerError("say first who you are.")
        return self._member

    def tell_unseated(self) -> None:
        """Warn that players who are present have no seat in the draft."""
        unseated = publication.players_without_seat(self)
        if not unseated:
            return
        no_seat = plural(
            "{names} has no seat now. `keizer next-round DB --again --keep all` pairs"
            " anew and keeps the other boards.",
            "{names} have no seat now. `keizer next-round DB --again --keep all` pairs"
            " anew and keeps the other boards.",
            len(unseated),
            names=listed(unseated),
        )
        warning = say("The pairing is a draft: {no_seat}", no_seat=no_seat)
        late = publication.late_entries_message(self)
        if late:
            warning = say("{said} Otherwise {late}.", said=warning, late=late)
        self.tell(warning)

    @contextmanager
    def announcing_late_entries(self) -> Iterator[None]:
        """Tell who starts in the next round, after a block that ends the draft."""
        # Both are read first: after the block there is no draft to be late for.
        late = publication.late_entries_message(self)
        drafted = self.now.last_round
        yield
        if late:
            self.tell(
                say(
                    "{late}: round {round} was paired before.", late=late, round=drafted
                )
            )


class Considered(NamedTuple):
    """An act that was done, or tried on a copy.

    returned: the value that the act returned.
    moves: the moves of players in the standings, if they were to be shown.
    in_season: whether any round has a result.
    """

    returned: Any
    moves: "list[rules.Move]"
    in_season: bool


class Session:
    """A season file and one of its tournaments, as somebody uses it.

    tournament: its name, or None if the file has only one.
    latest: if none is named and the file has several, take the last one.
    messages: the messages that `tell` took.
    warm: connections that stay open between transactions.
    member: the player.id of a member, or None for the director.
    witness: the device of the member.
    """

    latest = False
    warm: "Connections | None" = None
    member: int | None = None
    witness: Witness | None = None

    def __init__(self, path: str, tournament: str | None = None) -> None:
        self.path = path
        self.tournament = tournament
        self.messages: list[Message] = []

    # ------------------------------------------------- what a face may do otherwise

    def tell(self, message: Message) -> None:
        """Take a message, such as a warning, that does not stop the act."""
        self.messages.append(message)

    def turn(self) -> AbstractContextManager[None]:
        """Wait for the file and keep others from it, if several use it at once."""
        return nullcontext()

    def sign(self, conn: Conn, tournament: Tournament | None) -> None:
        """Write on the log who does the act, if that is not the account."""

    # ----------------------------------------------------------- transactions

    @contextmanager
    def reading(self) -> Iterator[Tournament]:
        """Open the tournament to read; raise KeizerError if the file cannot be read."""
        with self.turn(), database.reading(self.path, self.warm) as conn:
            yield self._find_tournament(conn)

    @contextmanager
    def writing_file(self) -> Iterator[Conn]:
        """Open the whole file to change."""
        with self.turn(), database.writing(self.path, self.warm) as conn:
            self.sign(conn, None)
            yield conn

    @contextmanager
    def writing(self, act: Act, seen: int | None = None) -> Iterator[Writing]:
        """Open the tournament for an act.

        seen: the log.id that the page of the form was shown with.
        """
        keep = None
        if act.before:
            keep = partial(self._snapshot, before=act.before)
        file = database.writing(self.path, self.warm, before_commit=keep)
        with self.turn(), file as conn:
            tournament = self._find_tournament(conn)
            self.sign(conn, tournament)
            tournaments.revalue_suspended(conn)
            if not act.finished:
                tournaments.check_running(tournament)
            if seen is not None and act.rests_on:
                _check_seen(conn, act, seen)
            yield Writing(tournament, self)

    @contextmanager
    def trying(self, act: Act) -> Iterator[Writing]:
        """Open a copy of the tournament, to see what an act would do."""
        with (
            self.reading() as tournament,
            connection.trial_copy(tournament.conn) as conn,
        ):
            tournaments.revalue_suspended(conn)
            if not act.finished:
                tournaments.check_running(tournament)
            copy = Tournament(conn, tournament.id)
            yield Writing(copy, self)

    def _find_tournament(self, conn: Conn) -> Tournament:
        return tournaments.find_tournament(conn, self.tournament, latest=self.latest)

    def _snapshot(self, conn: Conn, previous: BinaryIO, *, before: str) -> None:
        """Keep a snapshot of the file as it was; only warn if that cannot be.

        A club night does not wait for a copy.
        """
        from keizer.store.backup import snapshots

        try:
            snapshots.make_during_command(conn, previous, self.path, f"before {before}")
        except KeizerError as error:
            self.tell(say("Warning: {wrong}", wrong=error.message))

    # ------------------------------------------------------------------- acts

    def do(
        self,
        run: Callable[Concatenate[Any, P], Result],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Result:
        """Do an act and return what it returns.

        Raises KeizerError, with nothing changed, if that makes no sense.
        """
        act = act_of(run)
        arguments = act.read_arguments(args, kwargs)
        done: Result = self.consider(act, arguments).returned
        return done

    def consider(
        self,
        act: Act,
        values: dict[str, Any],
        *,
        seen: int | None = None,
        check: Callable[[Tournament], object] | None = None,
        dry_run: bool = False,
        agree: Callable[[Considered], object] | None = None,
    ) -> Considered:
        """Do an act, or try it on a copy, and find who moves in the standings by it.

        values: the arguments by name, and as `*` the positional ones.
        seen: the log.id that the page of the form was shown with.
        check: called with the tournament before the act is done.
        dry_run: do it on a copy.
        agree: called with what was done, before it is committed. It is called only for
            an act that shows first what would change.
        Both may raise KeizerError: then nothing is changed.
        """
        keywords = dict(values)
        args = keywords.pop("*", ())
        if act.whole:
            done = act.run(self, *args, **keywords)
            return Considered(done, [], in_season=False)
        if act.prepare:
            keywords = act.prepare(self, *args, **keywords)
            args = ()
        transaction = self.trying(act) if dry_run else self.writing(act, seen)
        with transaction as tournament:
            if check:
                check(tournament)
            run = partial(act.run, tournament, *args, **keywords)
            # If nobody looks at who moves, the two standings are not read.
            if act.shows_first is None or not (dry_run or agree):
                return Considered(run(), [], in_season=False)
            considered = _run_and_compare(tournament, run)
            if agree:
                agree(considered)
            return considered


def _run_and_compare(tournament: Writing, run: Callable[[], Any]) -> Considered:
    """Run an act, and compare the standings before and after it."""
    from keizer.season import rules

    before = rules.standings(tournament)
    done = run()
    after = rules.standings(tournament)
    moves = [*rules.moves(before, after)]
    return Considered(done, moves, in_season=tournament.now.current_round > 0)


def _check_seen(conn: sqlite3.Connection, act: Act, seen: int) -> None:
    """Refuse a form if what it rests on changed after its page was shown."""
    from keizer.store.log import history

    entries = history.entries(conn, after=seen, facts=act.rests_on)
    if not entries:
        return
    changes = [
        entry.what or first(entry.changes, _NAMED) for entry in entries[-_NAMED:]
    ]
    raise KeizerError(
        "something changed since the page was shown: {changes}. Look again, then"
        " decide.",
        changes=changes,
    )
