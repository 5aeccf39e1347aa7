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
from keizer.messages import Message, listed, plural, say, shortened_list
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
    """The device, such as a phone, from which a member reports results.

    This is only an interface. The add-on web implements it: it lets members in, and
    records which result came from which device.
    """

    def rights_over_result(self, conn: Conn, game: int) -> tuple[bool, bool]:
        """Return whether this device may correct, and may confirm, a reported result.

        This is an interface without a body: a class that implements it decides this.

        conn: the connection to the season file.
        game: the id of the game in table round, which has a row for each board.
        """

    def record_device(self, conn: Conn, game: int) -> None:
        """Record that the result of a game came from this device.

        This is an interface without a body: a class that implements it, such as that of
        the web pages, stores the device in a file of its own, not in the season file.

        conn: the connection to the season file, which tells which season it is.
        game: the id of the game in table round, which has a row for each board.
        """

    def record_dispute(
        self, conn: Conn, game: int, reported: str, player: int, claimed: str
    ) -> None:
        """Record, for the director, that a player claims another result for a game.

        This is an interface without a body: a class that implements it stores the claim
        in a file of its own. The result in the season file stays as it is.

        conn: the connection to the season file.
        game: the id of the game in table round, which has a row for each board.
        reported: the result that the file has, as the opponent reported it.
        player: the player.id of the member who claims another result.
        claimed: the result that this member claims.
        """


class Writing(Tournament):
    """A tournament inside the transaction of an act, which may change it.

    tell: a function that takes a message for the user, such as a warning. The front end
        (the command line, the web pages or a Python program) shows it.
    witness: the device of the member who does the act; None if no device is known.
    """

    def __init__(self, tournament: Tournament, session: "Session") -> None:
        """Take the tournament, and from the session who uses it and how to tell them.

        tournament: the tournament, read by the connection of the transaction.
        session: the season file and the person who does the act.
        """
        super().__init__(tournament.conn, tournament.id, tournament.now)
        self.tell = session.tell
        self.witness = session.witness
        self._member = session.member

    @property
    def myself(self) -> int:
        """The player.id of the member who does the act.

        Raises KeizerError if the user has not said which member they are.
        """
        if self._member is None:
            raise KeizerError("choose your name first.")
        return self._member

    def warn_of_players_without_seat(self) -> None:
        """Warn the user of players who are present but have no seat in the draft.

        A draft is a pairing that is not published yet; a seat is a board or the bye.
        Without a draft, or if everybody has a seat, nothing is said.
        """
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
        """Tell the user, after the block, which players start a round later.

        The block publishes the draft. Players who entered the tournament after the
        draft was paired have no seat in it, and so they start in the next round.
        """
        # Both are read before the block, which publishes the draft.
        late = publication.late_entries_message(self)
        drafted = self.now.last_round
        yield
        if late:
            self.tell(
                say(
                    "{late}: round {round} was paired before.", late=late, round=drafted
                )
            )


class Outcome(NamedTuple):
    """The outcome of an act that was done, or that was tried on a copy of the file.

    returned: the return value of the act.
    moves: the players whose rank or score the act changes; empty if the standings were
        not compared.
    in_season: True if the season has begun: a round has a result. Front ends ask a
        person about changes of the standings only then. False also if the standings
        were not compared.
    """

    returned: Any
    moves: "list[rules.Move]"
    in_season: bool


class Session:
    """The use of a season file, and of a tournament in it, by one person.

    Each front end (the command line, the web pages, Python programs) has a subclass.

    path: the path of the season file.
    tournament: the name of the tournament; None for the only one that is running or,
        if none is running, the only one.
    latest: True to use the last tournament if none is named and the file has several;
        False to raise KeizerError if it is not clear which one is meant.
    messages: the messages for the user that `tell` has kept.
    connections: a pool of connections that stay open between transactions; None to open
        the file for each transaction.
    member: the player.id of the member who uses the file; None for the director.
    witness: the device of the member; None if no device is known.
    """

    latest = False
    connections: "Connections | None" = None
    member: int | None = None
    witness: Witness | None = None

    def __init__(self, path: str, tournament: str | None = None) -> None:
        """Keep the path of the file, and the name of the tournament if one is named.

        The file is opened by each transaction, and not here.
        """
        self.path = path
        self.tournament = tournament
        self.messages: list[Message] = []
        """The messages for the user: `tell` adds them, and a front end shows them."""

    # ------------------------------------------------- methods a front end may override

    def tell(self, message: Message) -> None:
        """Keep a message for the user, such as a warning.

        A front end that can show messages at once overrides this.
        """
        self.messages.append(message)

    def wait_for_turn(self) -> AbstractContextManager[None]:
        """Return a context manager that waits until no other user has the file open.

        These are the users of the same program. Here there is only one, and so it does
        not wait. A front end that serves several users at once overrides this.
        """
        return nullcontext()

    def write_author_on_log(self, conn: Conn, tournament: Tournament | None) -> None:
        """Write into the log of the file who does the act, as its author.

        Here nothing is written, since the log has the user's account on the computer
        anyway. A front end such as the web pages overrides this: all its users share
        the account that the server runs under.

        tournament: the tournament of the act, or None if the act is about the file.
        """

    # ----------------------------------------------------------- transactions

    @contextmanager
    def reading(self) -> Iterator[Tournament]:
        """Open the tournament for reading, in a transaction.

        Raises KeizerError if the file cannot be read, or if it is not clear which of
        its tournaments is meant.
        """
        with (
            self.wait_for_turn(),
            database.reading(self.path, self.connections) as conn,
        ):
            yield self._find_tournament(conn)

    @contextmanager
    def writing_file(self) -> Iterator[Conn]:
        """Open the whole file for writing, in a transaction that is on the log.

        Unlike `writing` this is about no tournament, and checks nothing.
        """
        with (
            self.wait_for_turn(),
            database.writing(self.path, self.connections) as conn,
        ):
            self.write_author_on_log(conn, None)
            yield conn

    @contextmanager
    def writing(self, act: Act, seen: int | None = None) -> Iterator[Writing]:
        """Open the tournament for an act, in a transaction that is on the log.

        The log gets the name of who does the act. Standings that are out of date are
        computed before it. If the act asks for a snapshot of the file as it was, that
        is made before the commit.

        seen: if the act comes from a form on a page, the last log.id when the page was
            shown; otherwise None.
        Raises KeizerError if the season is finished and the act is not allowed in such
        a season. Raises it, too, if tables on which the user of the form relied have
        changed since the page was shown.
        """
        make_snapshot = None
        if act.snapshot_before:
            make_snapshot = partial(self._make_snapshot, before=act.snapshot_before)
        file = database.writing(
            self.path, self.connections, before_commit=make_snapshot
        )
        with self.wait_for_turn(), file as conn:
            tournament = self._find_tournament(conn)
            self.write_author_on_log(conn, tournament)
            # Another program may have suspended the revaluation, and left standings out
            # of date. The act may rely on them.
            tournaments.compute_outdated_standings(conn)
            if not act.allowed_when_finished:
                tournaments.check_running(tournament)
            if seen is not None and act.rests_on:
                _check_unchanged_since(conn, act, seen)
            yield Writing(tournament, self)

    @contextmanager
    def trying_on_copy(self, act: Act) -> Iterator[Writing]:
        """Open a copy of the tournament in memory, on which an act can be tried.

        Standings that are out of date are computed in the copy first, as `writing` does
        in the file. The file itself stays as it is.

        Raises KeizerError if the season is finished and the act is not allowed in such
        a season.
        """
        with (
            self.reading() as tournament,
            connection.trial_copy(tournament.conn) as conn,
        ):
            tournaments.compute_outdated_standings(conn)
            copy = Tournament(conn, tournament.id)
            if not act.allowed_when_finished:
                tournaments.check_running(copy)
            yield Writing(copy, self)

    def _find_tournament(self, conn: Conn) -> Tournament:
        """Find the tournament of this session in the file; KeizerError if unclear."""
        return tournaments.find_tournament(conn, self.tournament, latest=self.latest)

    def _make_snapshot(self, conn: Conn, previous: BinaryIO, *, before: str) -> None:
        """Make a snapshot of the file as it was before the act.

        If that fails, the user is only warned, and the act is done without a snapshot:
        a club night has to go on.

        conn: the connection of the act, whose changes are not committed yet.
        previous: the file on disk, which does not have these changes.
        before: what the snapshot is made before: “import” gives “before import”.
        """
        # Imported only here, since few acts make a snapshot.
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
        """Do an act with these arguments in a transaction, and return what it returns.

        run: the function of the act. Its first parameter, the season, is not among the
            arguments. Texts among these are read as if a person had typed them.
        Raises KeizerError, with nothing changed, if the act is refused.
        """
        act = act_of(run)
        arguments = act.read_arguments(args, kwargs)
        returned: Result = self.do_and_compare(act, arguments).returned
        return returned

    def do_and_compare(
        self,
        act: Act,
        values: dict[str, Any],
        *,
        seen: int | None = None,
        check: Callable[[Tournament], object] | None = None,
        dry_run: bool = False,
        agree: Callable[[Outcome], object] | None = None,
    ) -> Outcome:
        """Do an act, or try it on a copy of the file, and return the outcome.

        The outcome has the changes of the standings only if the act is one whose
        changes people are to see first, and if somebody looks at them: with `dry_run`
        or `agree`.

        act: the declaration of the act, which is a function for one thing that a person
            does.
        values: the arguments by name, and under "*" the positional ones.
        seen: if the act comes from a form on a page, the last log.id when the page was
            shown.
        check: called with the tournament before the act is done. It may raise
            KeizerError to refuse the act.
        dry_run: try the act on a copy of the file.
        agree: called with the result before it is committed, if the standings were
            compared. It may raise KeizerError: then nothing is changed.
        """
        keywords = dict(values)
        args = keywords.pop("*", ())
        if act.is_about_file:
            # Such an act opens the file itself.
            returned = act.run(self, *args, **keywords)
            return Outcome(returned, [], in_season=False)
        if act.prepare:
            # It does what takes long, such as reading a file, before the season is
            # locked. It gets the positional arguments, too, and returns all by name.
            keywords = act.prepare(self, *args, **keywords)
            args = ()
        transaction = self.trying_on_copy(act) if dry_run else self.writing(act, seen)
        with transaction as tournament:
            if check:
                check(tournament)
            run = partial(act.run, tournament, *args, **keywords)
            # Reading the standings twice takes time, so it is done only for somebody.
            compares = act.shows_moves_first is not None and (dry_run or agree)
            if not compares:
                return Outcome(run(), [], in_season=False)
            outcome = _run_and_compare(tournament, run)
            if agree:
                agree(outcome)
            return outcome


def _run_and_compare(tournament: Writing, run: Callable[[], Any]) -> Outcome:
    """Run the function of an act; return the outcome, with the changes of standings.

    The outcome also says whether the season has begun. A front end asks a person about
    the changes only if it has.

    run: the function, with all its arguments.
    """
    # Imported only here, as few acts compare standings.
    from keizer.season import rules

    before = rules.standings(tournament)
    returned = run()
    after = rules.standings(tournament)
    moves = [*rules.moves(before, after)]
    # The current round is the last one with a result, and 0 before the first result.
    in_season = tournament.now.current_round > 0
    return Outcome(returned, moves, in_season=in_season)


def _check_unchanged_since(conn: sqlite3.Connection, act: Act, seen: int) -> None:
    """Raise KeizerError if a table changed on which the user of a form relied.

    act: the act, whose `rests_on` names the tables that a person looks at to decide.
    seen: the last log.id when the page of the form was shown.
    """
    # Imported only here, as only forms have pages that can be out of date.
    from keizer.store.log import history

    entries = history.entries(conn, after=seen, tables=act.rests_on)
    if not entries:
        return
    # A change by another program has no description: `what` is None. The rows that it
    # changed are named instead.
    changes = [
        entry.what or shortened_list(entry.changes, _MOST_CHANGES)
        for entry in entries[-_MOST_CHANGES:]
    ]
    raise KeizerError(
        "something has changed since the page was shown: {changes}. Check again,"
        " then decide.",
        changes=changes,
    )
