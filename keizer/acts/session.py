"""A session: a season file and who uses it, with a transaction for each act."""

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

_MOST_CHANGES = 3
"""The most changes that are named when a form is refused."""


class Witness(Protocol):
    """The device from which a member reports results.

    The add-on that lets members in knows which result came from which device.
    """

    def may(self, conn: Conn, game: int) -> tuple[bool, bool]:
        """Return whether this device may correct, and may confirm, a reported result.

        game: the round.id of the game whose result was reported.
        """

    def note(self, conn: Conn, game: int) -> None:
        """Note that the result of a game (round.id) came from this device."""

    def dispute(
        self, conn: Conn, game: int, reported: str, player: int, claimed: str
    ) -> None:
        """Note that a player claims another result than the one that was reported."""


class Writing(Tournament):
    """A tournament inside the transaction of an act, which may change it.

    tell: takes a message that the face shows, such as a warning.
    witness: the device of the member who does the act, if an add-on knows it.
    """

    def __init__(self, tournament: Tournament, session: "Session") -> None:
        super().__init__(tournament.conn, tournament.id, tournament.now)
        self.tell = session.tell
        self.witness = session.witness
        self._member = session.member

    @property
    def myself(self) -> int:
        """The player.id of the member who does the act.

        Raises KeizerError if nobody has said who they are.
        """
        if self._member is None:
            raise KeizerError("choose your name first.")
        return self._member

    def tell_unseated(self) -> None:
        """Warn of players who are present but have no seat in the draft."""
        unseated = publication.players_without_seat(self)
        if not unseated:
            return
        no_seat = plural(
            "{names} has no seat now. `keizer next-round DB --again --keep all`"
            " pairs again and keeps the other boards.",
            "{names} have no seat now. `keizer next-round DB --again --keep all`"
            " pairs again and keeps the other boards.",
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
        """Name the players who entered too late for the round that the block publishes.

        The block turns the draft into a published round, so that these players start in
        the next round.
        """
        # Both are read before the block: after it there is no draft any more.
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

    returned: the return value of the act.
    moves: the players whose place in the standings changes; empty if nobody looks at
        them.
    in_season: True if a round has a result.
    """

    returned: Any
    moves: "list[rules.Move]"
    in_season: bool


class Session:
    """The use of a season file, and of a tournament in it, by one person.

    path: the season file.
    tournament: the name of the tournament, or None if the file has only one.
    latest: True: if no tournament is named, and the file has several, the last one is
        used.
    messages: the messages that `tell` has taken.
    warm: a pool of connections that stay open between transactions, or None.
    member: the player.id of the member who uses the file, or None for the director.
    witness: the device of the member, if an add-on knows it.
    """

    latest = False
    warm: "Connections | None" = None
    member: int | None = None
    witness: Witness | None = None

    def __init__(self, path: str, tournament: str | None = None) -> None:
        self.path = path
        self.tournament = tournament
        self.messages: list[Message] = []

    # ------------------------------------------------- methods that a face may override

    def tell(self, message: Message) -> None:
        """Take a message for the user, such as a warning; here it is only kept."""
        self.messages.append(message)

    def turn(self) -> AbstractContextManager[None]:
        """Wait until it is this user's turn; for a face that has several users."""
        return nullcontext()

    def sign(self, conn: Conn, tournament: Tournament | None) -> None:
        """Write on the log who does the act, if that is not the computer's account."""

    # ----------------------------------------------------------- transactions

    @contextmanager
    def reading(self) -> Iterator[Tournament]:
        """Open the tournament for reading; KeizerError if the file cannot be read."""
        with self.turn(), database.reading(self.path, self.warm) as conn:
            yield self._find_tournament(conn)

    @contextmanager
    def writing_file(self) -> Iterator[Conn]:
        """Open the whole file for writing, in a transaction."""
        with self.turn(), database.writing(self.path, self.warm) as conn:
            self.sign(conn, None)
            yield conn

    @contextmanager
    def writing(self, act: Act, seen: int | None = None) -> Iterator[Writing]:
        """Open the tournament for an act, in a transaction.

        seen: the last log.id when the page of the form was shown; None: there is none.
        Raises KeizerError if the act is not allowed, as the season is finished, or if
        the tables that the form rests on have changed since.
        """
        make_snapshot = None
        if act.before:
            make_snapshot = partial(self._make_snapshot, before=act.before)
        file = database.writing(self.path, self.warm, before_commit=make_snapshot)
        with self.turn(), file as conn:
            tournament = self._find_tournament(conn)
            self.sign(conn, tournament)
            tournaments.revalue_suspended(conn)
            if not act.finished:
                tournaments.check_running(tournament)
            if seen is not None and act.rests_on:
                _check_unchanged_since(conn, act, seen)
            yield Writing(tournament, self)

    @contextmanager
    def trying(self, act: Act) -> Iterator[Writing]:
        """Open a copy of the tournament, on which an act can be tried.

        Raises KeizerError if the season is finished and the act not allowed then.
        """
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
        """Find the tournament of this session in the file."""
        return tournaments.find_tournament(conn, self.tournament, latest=self.latest)

    def _make_snapshot(self, conn: Conn, previous: BinaryIO, *, before: str) -> None:
        """Make a snapshot of the file as it was before the act.

        If that fails, the user is only warned: a club night does not wait for a copy.

        previous: the file as it was. before: the name of what follows, as in “import”.
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
        """Do an act with these arguments, and return what it returns.

        Raises KeizerError, with nothing changed, if the act is refused.
        """
        act = act_of(run)
        arguments = act.read_arguments(args, kwargs)
        returned: Result = self.consider(act, arguments).returned
        return returned

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
        """Do an act, or try it on a copy, and compare the standings before and after.

        The standings are compared only if the act shows changes first, and somebody
        looks at them: with `dry_run` or `agree`.

        Args:
            act: The act.
            values: The arguments by name, and under "*" the positional ones.
            seen: The last log.id when the page of the form was shown.
            check: Called with the tournament before the act is done. It may raise
                KeizerError to refuse the act.
            dry_run: Try the act on a copy of the file.
            agree: Called with the result before it is committed, if the standings were
                compared. It may raise KeizerError: then nothing is changed.
        """
        keywords = dict(values)
        args = keywords.pop("*", ())
        if act.whole:
            returned = act.run(self, *args, **keywords)
            return Considered(returned, [], in_season=False)
        if act.prepare:
            # It gets the positional arguments, too, and returns all by name.
            keywords = act.prepare(self, *args, **keywords)
            args = ()
        transaction = self.trying(act) if dry_run else self.writing(act, seen)
        with transaction as tournament:
            if check:
                check(tournament)
            run = partial(act.run, tournament, *args, **keywords)
            compares = act.shows_first is not None and (dry_run or agree)
            if not compares:
                return Considered(run(), [], in_season=False)
            considered = _run_and_compare(tournament, run)
            if agree:
                agree(considered)
            return considered


def _run_and_compare(tournament: Writing, run: Callable[[], Any]) -> Considered:
    """Run the function of an act, and compare the standings before and after."""
    from keizer.season import rules

    before = rules.standings(tournament)
    returned = run()
    after = rules.standings(tournament)
    moves = [*rules.moves(before, after)]
    has_result = tournament.now.current_round > 0
    return Considered(returned, moves, in_season=has_result)


def _check_unchanged_since(conn: sqlite3.Connection, act: Act, seen: int) -> None:
    """Refuse an act if the tables that it rests on have changed.

    seen: the last log.id when the page of the form was shown.
    """
    from keizer.store.log import history

    entries = history.entries(conn, after=seen, facts=act.rests_on)
    if not entries:
        return
    # Changes by another program have no description: their rows say what changed.
    changes = [
        entry.what or first(entry.changes, _MOST_CHANGES)
        for entry in entries[-_MOST_CHANGES:]
    ]
    raise KeizerError(
        "something has changed since the page was shown: {changes}. Check again,"
        " then decide.",
        changes=changes,
    )
