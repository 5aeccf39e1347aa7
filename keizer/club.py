"""A season to use from Python: each method is one transaction, as the command of its name."""

import os.path
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from keizer.errors import KeizerError
from keizer.season import meant, members, presence, publication, roster, tournaments, views
from keizer.season.queries import Conn
from keizer.store import commands, connection, database

if TYPE_CHECKING:
    from sqlite_utils import Database

    from keizer.season.results import Entered
    from keizer.season.rounds import Round

Open = tuple[Conn, int]
"""A file in a transaction, and the id of the tournament meant."""

Who = int | str
"""A player: their id, or their name as typed."""


def matched(conn: Conn, tournament: int, who: Iterable[Who]) -> dict[int, str]:
    """The players meant, each once: id and name as the file has it; KeizerError for nobody."""
    entered = roster.players(conn, tournament)
    typed = (f"#{player}" if isinstance(player, int) else player for player in who)
    found = [meant.player(player, entered) for player in typed]
    if not found:
        raise KeizerError("name at least one player.")
    return {player: entered[player] for player in found}


def member(conn: Conn, tournament: int, who: Who) -> tuple[int, str]:
    """The player meant: id and name as the file has it."""
    ((player, name),) = matched(conn, tournament, [who]).items()
    return player, name


def person(conn: Conn, tournament: int, who: Who) -> tuple[int, str]:
    """The player meant, or the person of the file who did not enter this tournament."""
    try:
        return member(conn, tournament, who)
    except meant.SeveralError:
        raise
    except KeizerError:
        everybody = dict(conn.execute("SELECT id, name FROM player").fetchall())
        player = meant.player(f"#{who}" if isinstance(who, int) else who, everybody)
        return player, everybody[player]


def two(conn: Conn, tournament: int, who: Iterable[Who], what: str) -> dict[int, str]:
    """Two players, id and name; what: they are to do with each other."""
    both = matched(conn, tournament, who)
    if len(both) == 1:
        raise KeizerError(f"a player cannot {what} themselves.")
    return both


def round_meant(conn: Conn, tournament: int, number: int | None, first: int) -> int:
    """The round asked for, KeizerError where there is none; by default the current one.

    first: 0 of standings, and 1 of boards, where the last one is the default.
    """
    last = tournaments.last_round(conn, tournament)
    if number is None:
        number = last if first else tournaments.current_round(conn, tournament)
    if not first <= number <= last:
        choices = f"there are {first} to {last}" if last >= first else "none is paired yet"
        raise KeizerError(f"there is no round {number}: {choices}.")
    return number


def listed(conn: Conn, tournament: int, number: int, who: Who) -> tuple[int, str, int, float]:
    """A player in the list after a round: id, name, rank and score; KeizerError if not in it."""
    player, name = member(conn, tournament, who)
    place = views.place(conn, tournament, number, player)
    if place is None:
        raise KeizerError(f"{name} is not in the list after round {number} yet.")
    return player, name, *place


def pair(
    conn: Conn,
    tournament: int,
    *,
    fixed: Iterable[Iterable[Who]] = (),
    bye: Who | None = None,
    again: bool = False,
    keep: Collection[int] | None = (),
    allow_open: bool = False,
    beyond: bool = False,
) -> "Round":
    """Pair the next round: as `rounds.next_round` does, with players as typed."""
    from keizer.season import rounds

    pairs = [two(conn, tournament, both, "meet") for both in fixed]
    boards = [(white, black) for white, black in pairs]
    free = None if bye is None else member(conn, tournament, bye)[0]
    return rounds.next_round(
        conn, tournament, fixed=boards, bye=free, again=again, keep=keep, allow_open=allow_open,
        beyond=beyond,
    )  # fmt: skip


class Season:
    """A tournament in a season file; `tournament` names it where the file has several.

    A player is given by id, or by name as one would type it. Rounds are numbers from 1.
    Rows are those that the command of the same name prints with --json. Every method
    raises KeizerError, with the sentence of that command and nothing changed, for what
    makes no sense, and when the file is missing, locked or damaged.
    """

    def __init__(self, path: str, tournament: str | None = None) -> None:
        from keizer.store.warm import Connections

        self.path = path
        self.tournament = tournament
        self.warm: Connections | None = Connections()
        self.said: list[str] = []

    @classmethod
    def create(
        cls,
        path: str,
        name: str,
        *,
        preset: str | None = None,
        last: "Season | None" = None,
        order: str = "ranking",
        same_rules: bool = False,
    ) -> "Season":
        """Make a season file, or add a tournament to one; preset: the rules of a club.

        last: the season that this one follows, in the same file or another: its members who
        have not withdrawn are entered. order: the start order, by `ranking` or `rating`.
        same_rules: with the rules of last season. Attribute `said` has what came over.
        """
        from keizer.season import presets, succession

        if preset:
            presets.find(preset)
        season = cls(path, name)
        with ExitStack() as other:
            there = os.path.exists(path)
            former = None
            if last and not (
                there and os.path.exists(last.path) and os.path.samefile(path, last.path)
            ):
                former = other.enter_context(database.reading(last.path))

            def set_up(conn: Conn) -> None:
                follows = succession.former(former or conn, last.tournament) if last else None
                tournament = tournaments.add_tournament(conn, name)
                if preset:
                    presets.apply(conn, tournament, preset)
                if follows:
                    season.said = succession.follow(
                        conn, tournament, follows, order=order, same_rules=same_rules
                    )

            if there:
                set_up(other.enter_context(database.writing(path)))
            else:
                database.create(path, set_up)
        return season

    def tell(self, sentence: str) -> None:
        """Say what did not stop a command; here it is a Python warning."""
        import warnings

        warnings.warn(sentence, stacklevel=4)

    # ----------------------------------------------------------- transactions

    @contextmanager
    def reading(self) -> Iterator[Open]:
        """The open file, to read; KeizerError where it cannot be."""
        with database.reading(self.path, self.warm) as conn:
            yield conn, tournaments.find_tournament(conn, self.tournament)

    @contextmanager
    def writing(self, *, before: str | None = None, finished: bool = False) -> Iterator[Open]:
        """The open file in one transaction, to change; its rankings are up to the facts.

        before: what is being done, where a snapshot is to be kept. finished: a season that
        is finished can be changed so, too.
        """
        keep = partial(self._snapshot, before=before) if before else None
        with database.writing(self.path, self.warm, keep=keep) as conn:
            chosen = tournaments.find_tournament(conn, self.tournament)
            tournaments.settle(conn)
            if not finished:
                tournaments.check_running(conn, chosen)
            yield conn, chosen

    @contextmanager
    def trying(self) -> Iterator[Open]:
        """A copy of the file, to see what a change would do."""
        with self.reading() as (conn, chosen), connection.trial(conn) as copy:
            yield copy, chosen

    def _snapshot(self, conn: Conn, previous: BinaryIO, *, before: str) -> None:
        """Keep the file as it was; a club night does not wait for a copy that cannot be made."""
        from keizer.store import snapshots

        try:
            snapshots.keep(conn, previous, self.path, f"before {before}")
        except KeizerError as error:
            self.tell(f"Warning: {error}")

    def tell_unseated(self, conn: Conn, tournament: int) -> None:
        """Say which players have no seat in the draft, if there is one."""
        standing = publication.unseated(conn, tournament)
        if standing:
            late = publication.start_later(conn, tournament)
            self.tell(
                f"The pairing is a draft: {publication.have_no_seat(standing, ' now.')}"
                + (f" Otherwise {late}." if late else "")
            )

    @contextmanager
    def fixing(self, conn: Conn, tournament: int) -> Iterator[None]:
        """What fixes the draft, if there is one; then says who starts in the next round."""
        late = publication.start_later(conn, tournament)
        number = tournaments.last_round(conn, tournament)
        yield
        if late:
            self.tell(f"{late}: round {number} was paired before.")

    def tell_seated(self, conn: Conn, tournament: int, players: Collection[int]) -> None:
        """Say which boards of tonight stand all the same for players who signed off."""
        for sentence in presence.seated(conn, tournament, players):
            self.tell(sentence)

    @contextmanager
    def database(self, sentence: str = "") -> Iterator["Database"]:
        """A sqlite_utils.Database of the file in one transaction, for queries and for writing.

        What is written there is one command on the log; sentence: what it says there. Never
        use transform(), which drops the triggers of a table, nor `with db.conn`, which ends
        the transaction.
        """
        from sqlite_utils import Database

        apart = Season(self.path, self.tournament)  # what is set there is for this once
        with apart.writing() as (conn, _):
            if sentence:
                commands.describe(conn, sentence)
            yield Database(conn)

    # ------------------------------------------------------------- the season

    def enter(
        self,
        name: str,
        *,
        rating: int | None = None,
        category: str | None = None,
        from_round: int | None = None,
        new: bool = False,
    ) -> int:
        """Enter a player, or take back a withdrawal; the player's id.

        rating: 0 to 4000. from_round: their first round, by default the next one. new: somebody
        else than a player of the same name; both are then meant by their ids.
        """
        with self.writing() as (conn, chosen):
            player = roster.enter(
                conn, chosen, name, rating=rating, category=category, from_round=from_round, new=new
            )
            self.tell_unseated(conn, chosen)
        return player

    def players(self, *, every: bool = False) -> list[views.Row]:
        """The members by name, and what the file has of each; every: of all in the file."""
        with self.reading() as (conn, chosen):
            return members.listed(conn, chosen, every=every)

    def correct_player(self, who: Who, **changes: str | int | None) -> list[str]:
        """Correct what the file has of a player; what changed, such as "rating 1790 → 1820".

        changes: name, a detail such as rating or fide_id, start_rating, start_rank or
        first_round; None removes what is there.
        """
        with self.writing() as (conn, chosen):
            player, _ = person(conn, chosen, who)
            return members.correct(conn, chosen, player, changes)

    def withdraw(self, who: Who) -> int:
        """Withdraw a player; the number of the round after which. Their games stay."""
        with self.writing() as (conn, chosen):
            player, _ = member(conn, chosen, who)
            last = roster.withdraw(conn, chosen, player)
            self.tell_unseated(conn, chosen)
        return last

    def absent(self, *who: Who, kind: str = "excused", rounds: Sequence[int] = ()) -> list[int]:
        """Sign players off from rounds, the coming one by default; the numbers of the rounds.

        kind: a kind of unplayed round, such as "club duty".
        """
        with self.writing() as (conn, chosen):
            players = matched(conn, chosen, who)
            numbers = list(rounds) or [tournaments.coming_round(conn, chosen)]
            presence.sign_off(conn, chosen, players, kind=kind, rounds=numbers)
            self.tell_unseated(conn, chosen)
            if not rounds:
                self.tell_seated(conn, chosen, players)
        return numbers

    def present(self, *who: Who, rounds: Sequence[int] = ()) -> list[int]:
        """Sign players on for rounds, the coming one by default; the numbers of the rounds."""
        with self.writing() as (conn, chosen):
            numbers = list(rounds) or [tournaments.coming_round(conn, chosen)]
            presence.sign_on(conn, chosen, matched(conn, chosen, who), rounds=rounds)
            self.tell_unseated(conn, chosen)
        return numbers

    def pair(
        self,
        *,
        fixed: Sequence[tuple[Who, Who]] = (),
        bye: Who | None = None,
        again: bool = False,
        allow_open: bool = False,
        beyond: bool = False,
    ) -> list[views.Row]:
        """Pair the next round; its boards from the top, and the bye.

        fixed: boards that are settled, White first. bye: who is to have it. again: pair
        the draft anew. allow_open: although the latest round is a draft or has open boards.
        beyond: although the last round of the plan (rule rounds) is paired.
        """
        with self.writing(before="next round") as (conn, chosen):
            paired = pair(
                conn, chosen, fixed=fixed, bye=bye, again=again, allow_open=allow_open,
                beyond=beyond,
            )  # fmt: skip
            return views.pairings(conn, chosen, paired.number)

    def publish(self) -> int:
        """Publish the pairing of the latest round, which is no draft any more; its number."""
        with self.writing() as (conn, chosen), self.fixing(conn, chosen):
            return publication.publish(conn, chosen)

    def results(
        self, results: Mapping[int, str] | Mapping[str, str], *, round_number: int | None = None
    ) -> "list[Entered]":
        """Enter or correct results, as they are typed: "1-0", "=", "+-", "open".

        results: by board (a number), or by a player who sits there: "1" and "0" are then that
        player's score. round_number: by default the latest round. Each comes back with what
        was there before.
        """
        from keizer.season import results as entering

        with self.writing() as (conn, chosen), self.fixing(conn, chosen):
            if not results:
                raise KeizerError("name at least one board with its result.")
            sheet = entering.Sheet(conn, chosen, round_number)
            found = [sheet.result(where, typed) for where, typed in results.items()]
            return entering.enter_results(conn, chosen, found, round_number=round_number)[1]

    def rules(
        self, changes: Mapping[str, object] | None = None, *, preset: str | None = None
    ) -> dict[str, str | float | None]:
        """Change rules, if any are given; all rules as they then are, by key.

        changes: by key as in docs/rules.md; None takes a limit away. preset: the rules of a
        club or program, before the changes.
        """
        from keizer.season import regulations, rules

        words = {None: "none", True: "yes", False: "no"}
        settings = tuple(
            f"{key}={words[value] if value is None or isinstance(value, bool) else value}"
            for key, value in (changes or {}).items()
        )
        if settings or preset:
            with self.writing() as (conn, chosen):
                regulations.decide(conn, chosen, regulations.Decision(settings, preset))
        with self.reading() as (conn, chosen):
            return dict(rules.listed(conn, chosen))

    def pairings(self, round_number: int | None = None) -> list[views.Row]:
        """The boards of a round with results, and the bye; by default of the latest round."""
        with self.reading() as (conn, chosen):
            return views.pairings(conn, chosen, round_meant(conn, chosen, round_number, 1))

    def standings(self, round_number: int | None = None) -> list[views.Row]:
        """The standings after a round; by default the latest with a result. 0: the start order."""
        with self.reading() as (conn, chosen):
            return views.standings(conn, chosen, round_meant(conn, chosen, round_number, 0))

    def explain(self, who: Who, round_number: int | None = None) -> list[views.Row]:
        """Every line that adds up to a player's score after a round, in points."""
        with self.reading() as (conn, chosen):
            number = round_meant(conn, chosen, round_number, 0)
            player, *_ = listed(conn, chosen, number, who)
            return views.explanation(conn, chosen, number, player)

    def finish(self) -> list[views.Row]:
        """Close the season, so that nothing of it changes any more; the prizes."""
        from keizer.season import succession

        with self.writing(finished=True) as (conn, chosen):
            if not tournaments.is_finished(conn, chosen):
                succession.finish(conn, chosen)
            return succession.prizes(conn, chosen, tournaments.last_round(conn, chosen))

    def reopen(self) -> None:
        """Let a season that is finished be changed again."""
        from keizer.season import succession

        with self.writing(finished=True) as (conn, chosen):
            succession.reopen(conn, chosen)

    def undo(self) -> str:
        """Take back the last command that changed the file; what it was, a sentence."""
        from keizer.store import undo

        with database.writing(self.path, self.warm) as conn:
            tournaments.settle(conn)
            return undo.undo(conn)
