"""Standings that are made until they agree with their values: long cycles, and what is said.

That they are those of the reference: test_random_rules_agree_with_the_oracle.
"""

import random
from contextlib import closing

import pytest

from conformance.seasons import Season, Settling, chain
from tests.support.files import empty
from tests.support.lists import expected, settled, stored
from tests.support.scenes import scenes
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
@pytest.mark.parametrize(
    ("seed", "passes", "cycle"), [(100452, 99, 5), (101500, 177, 6)]
)
def test_a_cycle_can_be_long(seed: int, passes: int, cycle: int) -> None:
    """Passes are made by hundreds: until a cycle is found, and once more through all of it."""
    season = cyclic(random.Random(seed))
    found = chain(season)
    assert [*found.settling.values()] == [Settling(passes, cycle)]
    with closing(empty()) as conn:
        tournament = write(conn, season)
        assert stored(conn, tournament) == expected(season, found.tables)
        assert settled(conn, tournament) == found.settling


test_a_mean = scenes("""
Of standings that repeat the mean of the scores can stand: draws of 1/2 and 1, then 1 and 1/2.
  players 2 recalculation=settled cycle_takes=scores top_value=2 own-value=0
  next-round && result 1 =
  SELECT points, note FROM explanation WHERE kind = 'limit' ORDER BY 1 =>
    -0.25 the mean of standings that repeat; 0.25 the mean of standings that repeat
  standings => the standings repeat with period 2: each score is the mean of theirs

Standings that settle are no mean of others.
  players 2 recalculation=settled cycle_takes=scores score_rounding=2 top_value=3
  next-round && result 1 1-0
  SELECT cycle FROM settling => 1
  SELECT DISTINCT note FROM explanation WHERE kind = 'limit' =>
    the score is rounded to a multiple of 2
""")
