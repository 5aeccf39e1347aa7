"""A season file, for one who asks: what they read, and what they do, is one transaction each."""

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

from keizer.acts.declare import Act, of
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
"""Of what changed meanwhile so many are named."""


class Witness(Protocol):
    """From where a member reports a result, as an add-on that lets members in knows it."""

    def may(self, conn: Conn, game: int) -> tuple[bool, bool]:
        """Whether they may correct, or confirm, what was reported of a game (round.id)."""

    def note(self, conn: Conn, game: int) -> None:
        """Keep from where the result of a game came."""

    def dispute(
        self, conn: Conn, game: int, reported: str, player: int, says: str
    ) -> None:
        """Keep that a player says another result than was reported."""


class Writing(Tournament):
    """A tournament while an act changes it; `tell` takes what there is to say beside."""

    def __init__(self, there: Tournament, session: "Session") -> None:
        super().__init__(there.conn, there.id, there.now)
        self.tell, self.witness, self._member = (
            session.tell,
            session.witness,
            session.member,
        )

    @property
    def myself(self) -> int:
        """The member who asks (player.id); KeizerError where it is nobody."""
        if self._member is None:
            raise KeizerError("say first who you are.")
        return self._member

    def tell_unseated(self) -> None:
        """Warn of players who are here and have no seat in the draft, if there is one."""
        standing = publication.unseated(self)
        if standing:
            no_seat = plural(
                "{names} has no seat now. `keizer next-round DB --again --keep all` pairs anew and"
                " keeps the other boards.",
                "{names} have no seat now. `keizer next-round DB --again --keep all` pairs anew and"
                " keeps the other boards.",
                len(standing),
                names=listed(standing),
            )
            said = say("The pairing is a draft: {no_seat}", no_seat=no_seat)
            late = publication.start_later(self)
            self.tell(
                say("{said} Otherwise {late}.", said=said, late=late) if late else said
            )

    @contextmanager
    def announcing_late_entries(self) -> Iterator[None]:
        """Say who starts in the next round, after what fixes the draft, if there is one."""
        late, last = publication.start_later(self), self.now.last_round
        yield
        if late:
            self.tell(
                say("{late}: round {round} was paired before.", late=late, round=last)
            )


class Considered(NamedTuple):
    """What an act did or would do, and who moves in the standings by it."""

    done: Any
    moves: "list[rules.Move]"
    in_season: bool
    """Whether a round has a result."""


class Session:
    """A tournament in a season file; `tournament` names it where the file has several.

    told: what was said beside, which `tell` takes. member: the player.id of one who is not the
    director; witness: from where.
    """

    latest = False
    """Whether of several tournaments, where none is named, it is the last."""
    warm: "Connections | None" = None
    member: int | None = None
    witness: Witness | None = None

    def __init__(self, path: str, tournament: str | None = None) -> None:
        self.path, self.tournament = path, tournament
        self.told: list[Message] = []

    # ------------------------------------------------- what a face may do otherwise

    def tell(self, said: Message) -> None:
        """Take what did not stop an act."""
        self.told.append(said)

    def turn(self) -> AbstractContextManager[None]:
        """While this lasts nobody else has the file, where several use it at once."""
        return nullcontext()

    def sign(self, conn: Conn, tournament: Tournament | None) -> None:
        """Say on the log who does it, where that is not the account."""

    # ----------------------------------------------------------- transactions

    @contextmanager
    def reading(self) -> Iterator[Tournament]:
        """The tournament, to read; KeizerError where the file cannot be."""
        with self.turn(), database.reading(self.path, self.warm) as conn:
            yield tournaments.find_tournament(conn, self.tournament, latest=self.latest)

    @contextmanager
    def opened(self) -> Iterator[Conn]:
        """The whole file, to change."""
        with self.turn(), database.writing(self.path, self.warm) as conn:
            self.sign(conn, None)
            yield conn

    @contextmanager
    def writing(self, act: Act, seen: int | None = None) -> Iterator[Writing]:
        """The tournament, to change by an act; seen: log.id that a page was shown with."""
        keep = partial(self._snapshot, before=act.before) if act.before else None
        with self.turn(), database.writing(self.path, self.warm, keep=keep) as conn:
            found = tournaments.find_tournament(
                conn, self.tournament, latest=self.latest
            )
            self.sign(conn, found)
            tournaments.revalue_suspended(conn)
            if not act.finished:
                tournaments.check_running(found)
            if seen is not None and act.rests_on:
                _check_seen(conn, act, seen)
            yield Writing(found, self)

    @contextmanager
    def trying(self, act: Act) -> Iterator[Writing]:
        """A copy of the tournament, to see what an act would do."""
        with self.reading() as found, connection.trial(found.conn) as copy:
            tournaments.revalue_suspended(copy)
            if not act.finished:
                tournaments.check_running(found)
            yield Writing(Tournament(copy, found.id), self)

    def _snapshot(self, conn: Conn, previous: BinaryIO, *, before: str) -> None:
        """Keep the file as it was; a club night does not wait for a copy that cannot be made."""
        from keizer.store.backup import snapshots

        try:
            snapshots.keep(conn, previous, self.path, f"before {before}")
        except KeizerError as error:
            self.tell(say("Warning: {wrong}", wrong=error.said))

    # ------------------------------------------------------------------- acts

    def do(
        self,
        run: Callable[Concatenate[Any, P], Result],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Result:
        """Do an act; KeizerError, with nothing changed, for what makes no sense."""
        act = of(run)
        done: Result = self.consider(act, act.read_arguments(args, kwargs)).done
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
        """Do an act, or with dry_run do it to a copy, and say who moves by it.

        values: by parameter; `*`: those behind one another. seen: log.id that a page was shown
        with; check: looks at the tournament before, and agree, where an act shows first what it
        does, at what was done before that is written; both may raise KeizerError.
        """
        values = dict(values)
        args = values.pop("*", ())
        if act.whole:
            return Considered(act.run(self, *args, **values), [], in_season=False)
        if act.prepare:
            args, values = (), act.prepare(self, *args, **values)
        with self.trying(act) if dry_run else self.writing(act, seen) as tournament:
            if check:
                check(tournament)
            if act.shows_first is None or not (dry_run or agree):
                return Considered(
                    act.run(tournament, *args, **values), [], in_season=False
                )
            from keizer.season import rules

            before = rules.standings(tournament)
            done = act.run(tournament, *args, **values)
            moves = [*rules.moves(before, rules.standings(tournament))]
            found = Considered(done, moves, tournament.now.current_round > 0)
            if agree:
                agree(found)
        return found


def _check_seen(conn: sqlite3.Connection, act: Act, seen: int) -> None:
    """Refuse a form whose page was shown before something that it rests on changed."""
    from keizer.store.log import history

    found = history.entries(conn, after=seen, facts=act.rests_on)
    if found:
        said = [entry.what or first(entry.changes, _NAMED) for entry in found[-_NAMED:]]
        raise KeizerError(
            "something changed since the page was shown: {changes}. Look again, then decide.",
            changes=said,
        )
