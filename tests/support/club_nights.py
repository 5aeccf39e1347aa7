"""A club that plays as clubs do, at random."""

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

Asked = ParamSpec("Asked")
Done = TypeVar("Done")

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
"""What a club can ask of its pairings, the usual more often."""


class Club:
    """A tournament that lives through a season at random; conn is inside a transaction."""

    def __init__(
        self, conn: sqlite3.Connection, seed: int, members: int | None = None
    ) -> None:
        self.rng = random.Random(seed)
        self.conn = conn
        self.tournament = tournaments.add_tournament(self.conn, "Club")
        self.id = self.tournament.id
        count = self.rng.randint(2, 14) if members is None else members
        with tournaments.suspended(self.tournament):
            self.members = [self.enter(number) for number in range(count)]

    def enter(self, number: int) -> int:
        return roster.enter(
            self.tournament,
            f"P{number}",
            rating=self.rng.choice([None, 1500, 1600, self.rng.randint(1000, 2000)]),
            category=self.rng.choice([None, "A", "B", "C"]),
        )

    def often(self, share: float) -> bool:
        return self.rng.random() < share

    def change_rules(self) -> None:
        for rule, values in RULES.items():
            self.conn.execute(
                f"UPDATE rules SET {rule} = ?", (self.rng.choice(values),)
            )
        self.conn.execute(
            "UPDATE scoring SET counts_as_bye = ? WHERE kind = 'excused'",
            (self.often(0.5),),
        )

    def between_rounds(self, number: int) -> None:
        """A draft is published, members come and go, families, periods and absences are named."""
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
        query = "SELECT player_id FROM presence WHERE absence IS NULL"
        return [row[0] for row in self.conn.execute(query)]

    def attempt(
        self,
        command: Callable[Concatenate[Tournament, Asked], Done],
        *args: Asked.args,
        **kwargs: Asked.kwargs,
    ) -> Done | str:
        """What a command, whole or not at all, gives back; or the sentence that refuses it."""
        self.conn.execute("SAVEPOINT command")
        try:
            return command(self.tournament, *args, **kwargs)
        except KeizerError as error:
            self.conn.execute("ROLLBACK TO command")
            self.tournament.forget()
            return str(error)
        finally:
            self.conn.execute("RELEASE command")

    def pair(self) -> rounds.Paired | str:
        """The next round, now and then with a board or the bye settled by hand."""
        present = self.present()
        by_hand = len(present) > 1 and self.often(0.15)
        board = tuple(self.rng.sample(present, 2)) if by_hand else ()
        free = [player for player in present if player not in board]
        bye = self.rng.choice(free) if len(present) % 2 and self.often(0.15) else None
        fixed = [(board[0], board[1])] if board else []
        return self.attempt(rounds.next_round, allow_open=True, fixed=fixed, bye=bye)

    def change_places(self, present: list[int]) -> object:
        one, two = self.rng.sample(present, 2)
        return self.attempt(swap, one, two, anyway=self.often(0.7))

    def results(self, number: int) -> None:
        known = ["1-0", "0-1", "½-½", "+-", "-+", "--"]
        boards = self.tournament.open_boards(number)
        entered = [
            (board, self.rng.choice(known)) for board in boards if self.often(0.95)
        ]
        if entered:
            results.enter_results(self.tournament, entered, round_number=number)
