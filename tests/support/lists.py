"""A season's lists by the oracle, beside those in a file; and cases by hand, for both."""

import sqlite3
from fractions import Fraction

from conformance import adapter, notation, reference
from conformance import seasons as oracle
from conformance.checking import verdict
from conformance.seasons import Season, Settling, Table, chain

UNITS = oracle.UNITS


def stored(
    conn: sqlite3.Connection, tournament: int
) -> list[dict[int, tuple[object, ...]]]:
    """The rankings of a file, exact: rank, value, score, points, value in force and games."""
    found: dict[int, dict[int, tuple[object, ...]]] = {}
    for number, player, rank, played, *units in conn.execute(
        "SELECT round_number, player_id, rank, played, value_units, score_units, points_units,"
        " value_before_units FROM ranking_list WHERE tournament_id = ?",
        (tournament,),
    ):
        exact = (
            None if amount is None else Fraction(amount, UNITS) for amount in units
        )
        found.setdefault(number, {})[player] = (rank, played, *exact)
    return [found.get(number, {}) for number in range(max(found, default=0) + 1)]


def expected(
    season: Season, found: list[Table] | None = None
) -> list[dict[int, tuple[object, ...]]]:
    return [
        {
            player: (
                row.rank,
                row.played,
                row.value,
                row.score,
                row.points,
                row.value_before,
            )
            for player, row in table.items()
        }
        for table in (found or chain(season).tables)
    ]


def settled(conn: sqlite3.Connection, tournament: int) -> dict[int, Settling]:
    """How every table that was iterated was found: passes, cycle."""
    return {
        number: Settling(*found)
        for number, *found in conn.execute(
            "SELECT round_number, passes, cycle FROM settling WHERE tournament_id = ?",
            (tournament,),
        )
    }


def check(text: str) -> None:
    """Assert that a case, its lines as conformance/notation.py reads them, is right in both."""
    case = notation.read(text, text.splitlines()[0])
    for answer in (reference.answer, adapter.season):
        assert verdict(case, answer(case)).wrong == [], answer.__module__
