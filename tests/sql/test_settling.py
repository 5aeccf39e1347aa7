"""Standings that are made until they agree with their values: long cycles, and what is said.

That they are those of the reference: test_random_rules_agree_with_the_oracle.
"""

import random
import sqlite3
from contextlib import closing
from fractions import Fraction

import pytest

from conformance.seasons import (
    Entry,
    Game,
    Rules,
    Scoring,
    Season,
    Settling,
    chain,
    usual_scoring,
)
from keizer.season import views
from tests.support.files import empty
from tests.support.lists import expected, settled, stored
from tests.support.seasons import random_season, write


def cyclic(rng: random.Random) -> Season:
    """A season whose latest standings repeat with a long period."""
    season = random_season(rng, players=range(6, 25))
    season.rules.recalculation = "latest"
    season.scoring["own value"].factor *= 0
    if rng.random() < 0.5:
        season.rules.ladder = "score" if rng.random() < 0.5 else "range"
    return season


@pytest.mark.seeds
@pytest.mark.parametrize(("seed", "passes", "cycle"), [(100452, 99, 5), (101500, 177, 6)])
def test_a_cycle_can_be_long(seed: int, passes: int, cycle: int) -> None:
    """Passes are made by hundreds: until a cycle is found, and once more through all of it."""
    season = cyclic(random.Random(seed))
    found = chain(season)
    assert [*found.settling.values()] == [Settling(passes, cycle)]
    with closing(empty()) as conn:
        tournament = write(conn, season)
        assert stored(conn, tournament) == expected(season, found.tables)
        assert settled(conn, tournament) == found.settling


def test_of_standings_that_repeat_the_mean_of_the_scores_can_stand(
    conn: sqlite3.Connection,
) -> None:
    """Draws of 1/2 and 1, then 1 and 1/2: 3/4 for each, as standings and explanation say."""
    scoring = usual_scoring() | {"own value": Scoring(applies_to="entry")}
    rules = Rules(recalculation="settled", cycle_takes="scores", top_value=Fraction(2))
    games = [Game(1, 1, 2, "½-½")]
    write(conn, Season([Entry(1), Entry(2)], games, scoring=scoring, rules=rules))
    note = "the mean of standings that repeat"
    found = conn.execute("SELECT points, note FROM explanation WHERE kind = 'limit' ORDER BY 1")
    assert found.fetchall() == [(-0.25, note), (0.25, note)]
    assert views.settled(conn, 1, 1) == (
        "the standings repeat with period 2: each score is the mean of theirs"
    )
