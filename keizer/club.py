"""A season to use from Python: each method is one transaction, as the command of its name.

Players are named by id or as typed; bad input raises KeizerError.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from keizer.errors import KeizerError
from keizer.season import names, publication, roster, tournaments, views
from keizer.store import connection, database, steps

if TYPE_CHECKING:
    from sqlite_utils import Database

    from keizer.season.results import Entered

Open = tuple[sqlite3.Connection, int]
"""A file in a transaction, and the tournament meant."""

Who = int | str
"""A player: their id, or their name as typed."""


def matched(conn: sqlite3.Connection, tournament: int, who: Iterable[Who]) -> dict[int, str]:
    """The players meant, each once: id and name as the file has it."""
    entered = roster.players(conn, tournament)
    found = [names.match(f"#{it}" if isinstance(it, int) else it, entered) for it in who]
    return {player: entered[player] for player in found}


def round_meant(conn: sqlite3.Connection, tournament: int, number: int | None, first: int) -> int:
    """The round asked for, KeizerError where there is none; by default the current one.

    first: 0 of standings, and 1 of boards, where the last one is the default.
    """
    last = tournaments.last_round(conn, tournament)
    if number is None:
        number = last if first else tournaments.current_round(conn, tournament)
    if not first <= number <= last:
        there = f"there are {first} to {last}" if last >= first else "none is paired yet"
        raise KeizerError(f"there is no round {number}: {there}.")
    return number


class Season:
    """A tournament in a season file; which one is named where the file has several."""

    def __init__(self, path: str, tournament: str | None = None) -> None:
        self.path = path
        self.tournament = tournament

    @classmethod
    def create(cls, path: str, name: str, *, preset: str | None = None) -> "Season":
        """Make a new file with one tournament, with the rules of a preset where one is named."""
        from keizer.season import presets

        def set_up(conn: sqlite3.Connection) -> None:
            tournament = tournaments.add_tournament(conn, name)
            if preset:
                presets.apply(conn, tournament, preset)

        database.create(path, set_up)
        return cls(path)

    def warn(self, sentence: str) -> None:
        """Say what did not stop a command: here, a Python warning."""
        import warnings

        warnings.warn(sentence, stacklevel=2)

    @contextmanager
    def reading(self) -> Iterator[Open]:
        """To look at."""
        with database.reading(self.path) as conn:
            yield conn, tournaments.find_tournament(conn, self.tournament)

    @contextmanager
    def writing(self, *, before: str | None = None) -> Iterator[Open]:
        """To change; its rankings are up to the facts.

        before: what is being done, where a snapshot is to be kept.
        """
        keep = partial(self._snapshot, before=before) if before else None
        with database.writing(self.path, keep=keep) as conn:
            chosen = tournaments.find_tournament(conn, self.tournament)
            tournaments.settle(conn)
            yield conn, chosen

    @contextmanager
    def trying(self) -> Iterator[Open]:
        """A copy of the file, to see what a change would do."""
        with self.reading() as (conn, chosen), connection.trial(conn) as copy:
            yield copy, chosen

    def _snapshot(self, conn: sqlite3.Connection, was: BinaryIO, *, before: str) -> None:
        """Keep the file as it was; a club night does not wait for a copy that cannot be made."""
        from keizer.store import snapshots

        try:
            snapshots.keep(conn, was, self.path, f"before {before}")
        except KeizerError as error:
            self.warn(str(error))

    @contextmanager
    def database(self) -> Iterator["Database"]:
        """A sqlite_utils.Database in one transaction, on the log as one command."""
        from sqlite_utils import Database

        with self.writing() as (conn, _):
            steps.describe(conn, "a change from Python")
            yield Database(conn)

    def enter(
        self,
        name: str,
        *,
        rating: int | None = None,
        category: str | None = None,
        from_round: int | None = None,
    ) -> int:
        """Enter a player, or take back that they withdrew; their id."""
        with self.writing() as (conn, chosen):
            player = roster.enter(
                conn, chosen, name, rating=rating, category=category, from_round=from_round
            )
            steps.describe(conn, f"{roster.players(conn, chosen)[player]} entered")
        return player

    def withdraw(self, who: Who) -> int:
        """Take a player out; the number of the round after which."""
        with self.writing() as (conn, chosen):
            ((player, name),) = matched(conn, chosen, [who]).items()
            last = roster.withdraw(conn, chosen, player)
            steps.describe(conn, f"{name} withdrawn")
        return last

    def absent(self, *who: Who, kind: str = "excused", rounds: Sequence[int] = ()) -> list[int]:
        """Sign players off from rounds, the coming one by default; their numbers."""
        from keizer.season import presence

        with self.writing() as (conn, chosen):
            players = matched(conn, chosen, who)
            numbers = presence.sign_off(conn, chosen, players, kind=kind, rounds=rounds)
            steps.describe(conn, presence.said(numbers, names.kind(kind), players.values()))
        return numbers

    def present(self, *who: Who, rounds: Sequence[int] = ()) -> list[int]:
        """Say that players come after all; the numbers of the rounds."""
        from keizer.season import presence

        with self.writing() as (conn, chosen):
            players = matched(conn, chosen, who)
            numbers = presence.sign_on(conn, chosen, players, rounds=rounds)
            steps.describe(conn, presence.said(numbers, "present", players.values()))
        return numbers

    def pair(self, *, allow_open: bool = False) -> list[views.Row]:
        """Pair the next round; its boards, and the bye last."""
        from keizer.season import rounds

        with self.writing(before="next round") as (conn, chosen):
            number = rounds.next_round(conn, chosen, allow_open=allow_open).number
            steps.describe(conn, f"pairing of round {number}")
            return views.pairings(conn, chosen, number)

    def publish(self) -> int:
        """Fix the pairing of the last round; its number."""
        with self.writing() as (conn, chosen):
            number = publication.publish(conn, chosen)
            steps.describe(conn, f"round {number} published")
        return number

    def results(
        self,
        results: Mapping[int, str],
        round: int | None = None,  # noqa: A002
    ) -> "list[Entered]":
        """Enter results by board, of the last round by default; what was entered."""
        from keizer.season import results as entering

        with self.writing() as (conn, chosen):
            most = entering.match_games(conn, chosen)
            meant = [(board, names.result(typed, most)) for board, typed in results.items()]
            number, entered = entering.enter_results(conn, chosen, meant, round_number=round)
            steps.describe(conn, entering.said(number, meant))
        return entered

    def rules(self, **changes: str | float | None) -> dict[str, str | float | None]:
        """Change rules, if any are given; all rules as they then are, by key."""
        from keizer.season import rules

        if changes:
            settings = [f"{key}={'none' if it is None else it}" for key, it in changes.items()]
            with self.writing() as (conn, chosen):
                with tournaments.suspended(conn, chosen):
                    for text in sorted(settings, key=lambda text: text.startswith("ladder")):
                        rules.change(conn, chosen, text)
                steps.describe(conn, " ".join(["rules", *settings]))
        with self.reading() as (conn, chosen):
            return dict(rules.listed(conn, chosen))

    def pairings(self, round: int | None = None) -> list[views.Row]:  # noqa: A002
        """The boards of a round with results, and the bye; the last one by default."""
        with self.reading() as (conn, chosen):
            return views.pairings(conn, chosen, round_meant(conn, chosen, round, 1))

    def standings(self, round: int | None = None) -> list[views.Row]:  # noqa: A002
        """The standings after a round; the last with a result by default."""
        with self.reading() as (conn, chosen):
            return views.standings(conn, chosen, round_meant(conn, chosen, round, 0))

    def explain(self, who: Who, round: int | None = None) -> list[views.Row]:  # noqa: A002
        """Every line that adds up to a player's score."""
        with self.reading() as (conn, chosen):
            (player,) = matched(conn, chosen, [who])
            return views.explanation(conn, chosen, round_meant(conn, chosen, round, 0), player)

    def undo(self) -> str:
        """Take back the last command; what it was."""
        from keizer.store import undo

        with database.writing(self.path) as conn:
            return undo.undo(conn)
