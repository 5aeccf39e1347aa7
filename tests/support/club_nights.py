"""A club that lives through a season at random, by keizer's own commands.

It judges nothing. Tests recount what the commands have written, from the games and the
rules alone, by the oracle in tests/support/pairings.py or by sums of their own.
"""

import random
import sqlite3
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from keizer.errors import KeizerError
from keizer.season import tournaments
from keizer.season.club_night import presence, publication, results, rounds
from keizer.season.club_night.swap import swap
from keizer.season.people import roster
from keizer.season.queries import Tournament

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

STRENGTHS = ["hard", "soft", "off"]
RULES: dict[str, list[Any]] = {
    "system": ["keizer", "keizer", "keizer", "swiss"],
    "swiss_within": ["halves", "adjacent"],
    "stuck": ["leave", "rematch", "refuse"],
    "aim": ["closest", "top-down"],
    "first_round": ["adjacent", "halves", "random"],
    "rematch_gap": [None, 0, 1, 2, 3, 5, 99],
    "max_meetings": [None, 1, 2, 3],
    "max_meetings_period": [None, None, 1, 2],
    "max_colour_run": [1, 2, 3],
    "colour_run": STRENGTHS,
    "max_colour_difference": [1, 2, 3],
    "colour_difference": STRENGTHS,
    "fewest_byes": STRENGTHS,
    "bye_again": STRENGTHS,
    "bye_at_start": STRENGTHS,
    "max_group_distance": [None, None, 0, 1],
}
"""The values that a club can give each rule of pairing, the usual more often."""


class Club:
    """A club: a tournament, its members and a lot; conn is inside a transaction."""

    def __init__(
        self, conn: sqlite3.Connection, seed: int, members: int | None = None
    ) -> None:
        self.rng = random.Random(seed)
        self.conn = conn
        self.tournament = tournaments.add_tournament(self.conn, "Club")
        self.id = self.tournament.id
        if members is None:
            members = self.rng.randint(2, 14)
        with tournaments.revaluation_suspended(self.tournament):
            self.members = [self.enter(number) for number in range(members)]

    def enter(self, number: int) -> int:
        """Enter a new member; return their id."""
        return roster.enter(
            self.tournament,
            f"P{number}",
            rating=self.rng.choice([None, 1500, 1600, self.rng.randint(1000, 2000)]),
            category=self.rng.choice([None, "A", "B", "C"]),
        )

    def often(self, share: float) -> bool:
        """Return True in this share of the cases."""
        return self.rng.random() < share

    def change_rules(self) -> None:
        """Draw every rule of pairing, and whether excused absences count as byes."""
        for rule, values in RULES.items():
            value = self.rng.choice(values)
            self.conn.execute(f"UPDATE rules SET {rule} = ?", (value,))
        self.conn.execute(
            "UPDATE scoring SET counts_as_bye = ? WHERE kind = 'excused'",
            (self.often(0.5),),
        )

    def between_rounds(self, number: int) -> None:
        """Publish a draft; change rules, members, families, periods and presence."""
        if self.tournament.now.draft:
            publication.publish(self.tournament)
        if number == 1 or self.often(0.15):
            self.change_rules()
        if self.often(0.1) and len(self.members) > 1:
            couple = self.rng.sample(self.members, 2)
            roster.prohibit(self.tournament, self.rng.choice("xyz"), couple)
        if self.often(0.1):
            self.members.append(self.enter(len(self.members)))
        if self.often(0.05):
            self.attempt(roster.withdraw, self.rng.choice(self.members))
        if self.often(0.1):
            self.tournament.insert(
                "period", tournament_id=self.tournament.id, first_round=number
            )
        for member in self.members:
            if self.often(0.15):
                kind = self.rng.choice(["excused", "unexcused", "club duty"])
                self.attempt(presence.sign_off, [member], kind=kind, rounds=[number])

    def present(self) -> list[int]:
        """Return the members who are there for the coming round."""
        query = "SELECT player_id FROM presence WHERE absence IS NULL"
        return [row[0] for row in self.conn.execute(query)]

    def attempt(
        self,
        command: Callable[Concatenate[Tournament, Arguments], Answer],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Answer | str:
        """Run a command whole or not at all; return its answer, or why it refuses."""
        self.conn.execute("SAVEPOINT command")
        try:
            return command(self.tournament, *args, **kwargs)
        except KeizerError as error:
            self.conn.execute("ROLLBACK TO command")
            self.tournament.forget_state()
            return str(error)
        finally:
            self.conn.execute("RELEASE command")

    def pair(self) -> rounds.Paired | str:
        """Pair the next round, now and then with a board or the bye settled by hand."""
        present = self.present()
        free = present
        fixed = []
        if len(present) > 1 and self.often(0.15):
            white, black = self.rng.sample(present, 2)
            fixed.append((white, black))
            free = [player for player in present if player not in (white, black)]
        bye = None
        if len(present) % 2 and self.often(0.15):
            bye = self.rng.choice(free)
        return self.attempt(rounds.next_round, allow_open=True, fixed=fixed, bye=bye)

    def change_places(self, present: list[int]) -> object:
        """Let two players change places, mostly even against the rules."""
        first, second = self.rng.sample(present, 2)
        return self.attempt(swap, first, second, anyway=self.often(0.7))

    def results(self, number: int) -> None:
        """Enter a result for most boards of a round."""
        known = ["1-0", "0-1", "½-½", "+-", "-+", "--"]
        boards = self.tournament.open_boards(number)
        entered = [
            (board, self.rng.choice(known)) for board in boards if self.often(0.95)
        ]
        if entered:
            results.enter_results(self.tournament, entered, round_number=number)
