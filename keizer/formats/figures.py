"""The standings that another program's file brings, held beside those that come out here."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import NamedTuple

from keizer.messages import Fact, Message, plural, say
from keizer.season import roster
from keizer.season.queries import UNITS, Tournament

_FIGURES = {"rank": say("rank"), "value": say("value"), "score": say("score")}
_NAMED = 5
"""So many figures that differ are named."""


class Standings:
    """Every list of a tournament, as it is computed here."""

    def __init__(self, tournament: Tournament) -> None:
        self._of = tournament

    @cached_property
    def _rows(self) -> dict[tuple[int, int], dict[str, Fraction]]:
        """Rank, value and score, by round and player.id; a newcomer's score is 0."""
        listed = (
            "SELECT round_number, player_id, rank, value_units, COALESCE(score_units, 0)"
            " FROM ranking_list WHERE tournament_id = ?"
        )
        return {
            (number, player): {
                "rank": Fraction(rank),
                "value": Fraction(value, UNITS),
                "score": Fraction(score, UNITS),
            }
            for number, player, rank, value, score in self._of.conn.execute(listed, (self._of.id,))
        }

    @cached_property
    def _names(self) -> dict[int, str]:
        return roster.players(self._of)

    def differs(
        self, number: int, player: int, figure: str, there: float | Fraction, within: float = 0
    ) -> Message | None:
        """Return how our figure differs from one of the file; None where it is the same.

        number: after which round. player: player.id. figure: rank, value or score. within: how
        far the two may be apart.
        """
        row = self._rows.get((number, player))
        if row and isfinite(there) and abs(row[figure] - Fraction(there)) <= Fraction(within):
            return None
        facts: dict[str, Fact] = {
            "name": self._names[player],
            "figure": _FIGURES[figure],
            "there": float(there),
            "here": float(row[figure]) if row else "–",
        }
        if number == 0:
            return say(
                "{name}, {figure} in the start list: {there} in the file, {here} here", **facts
            )
        return say(
            "{name}, {figure} after round {round}: {there} in the file, {here} here",
            round=number,
            **facts,
        )


class Comparison(NamedTuple):
    """How many figures of a file were compared, and how those differ that are others here."""

    figures: int
    different: list[Message]

    def sentences(self, reason: Message | None) -> list[Message]:
        """Say how many differ, why that may be, and the first of them; or that none does."""
        if not self.figures:
            return []
        if not self.different:
            return [
                plural(
                    "the one figure of the file’s own standings is the same here",
                    "all {number:,} figures of the file’s own standings are the same here",
                    self.figures,
                )
            ]
        what = plural(
            "{number:,} of the {all:,} figures in the file’s own standings comes out differently",
            "{number:,} of the {all:,} figures in the file’s own standings come out differently",
            len(self.different),
            all=self.figures,
        )
        why = [reason] if reason else []
        left = len(self.different) - _NAMED
        more = [say("... and {number:,} more.", number=left)] if left > 0 else []
        return [what, *why, *self.different[:_NAMED], *more]


def compare(compared: Iterable[Message | None]) -> Comparison:
    """Count what was compared. compared: of each figure what `Standings.differs` has."""
    figures = [*compared]
    return Comparison(len(figures), [*filter(None, figures)])
