"""A season's lists by the oracle, beside those in a file; and cases by hand, for both.

The oracle is conformance/seasons.py: conformance/specification.md in plain Python, slow
and on exact fractions, with nothing of keizer's SQL. `expected` gives its lists and
`stored` those that the triggers of a file have made, in the same shape.
"""

import sqlite3
from fractions import Fraction

from conformance import adapter, notation, reference
from conformance import seasons as oracle
from conformance.checking import verdict
from conformance.seasons import Season, Settling, Table, chain

UNITS = oracle.UNITS

Ranking = dict[int, tuple[object, ...]]
"""By player: rank, games, value, score, points and value in force, exact."""


def stored(conn: sqlite3.Connection, tournament: int) -> list[Ranking]:
    """Return the rankings of a file after each round, that of the start in front."""
    rankings: dict[int, Ranking] = {}
    for number, player, rank, played, *units in conn.execute(
        "SELECT round_number, player_id, rank, played, value_units, score_units,"
        " points_units, value_before_units FROM ranking_list WHERE tournament_id = ?",
        (tournament,),
    ):
        amounts = [None if each is None else Fraction(each, UNITS) for each in units]
        rankings.setdefault(number, {})[player] = (rank, played, *amounts)
    last = max(rankings, default=0)
    return [rankings.get(number, {}) for number in range(last + 1)]


def expected(season: Season, tables: list[Table] | None = None) -> list[Ranking]:
    """Return the rankings of the oracle; tables: if they are made already."""
    rankings = []
    for table in tables or chain(season).tables:
        ranking: Ranking = {}
        for player, row in table.items():
            amounts = (row.value, row.score, row.points, row.value_before)
            ranking[player] = (row.rank, row.played, *amounts)
        rankings.append(ranking)
    return rankings


def settled(conn: sqlite3.Connection, tournament: int) -> dict[int, Settling]:
    """Return how each table that was iterated came to rest: passes and cycle."""
    rows = conn.execute(
        "SELECT round_number, passes, cycle FROM settling WHERE tournament_id = ?",
        (tournament,),
    )
    return {number: Settling(passes, cycle) for number, passes, cycle in rows}


def check(text: str) -> None:
    """Assert that a case in the lines of conformance/notation.py is right in both."""
    case = notation.read(text, text.splitlines()[0])
    for answer in (reference.answer, adapter.season):
        assert verdict(case, answer(case)).wrong == [], answer.__module__
