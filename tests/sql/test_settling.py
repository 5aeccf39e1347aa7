"""Tables that are made until they agree with their values: always the same one.

`pytest -m campaign tests/sql/test_settling.py -s` runs 10,000 seasons and prints how
many tables cycle, and how long.
"""

import random
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from fractions import Fraction

import pytest

from conformance.seasons import (
    Chain,
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
from tests.support.files import campaign, empty
from tests.support.lists import UNITS, expected, settled, stored
from tests.support.seasons import random_season, write

SEASONS = 25
"""In one test."""


def simulated(rng: random.Random) -> Season:
    """A small club, as it comes or without the own value, which cycles most."""
    season = random_season(rng, players=range(4, 13), most_rounds=6)
    season.rules.recalculation = "settled"
    if rng.random() < 0.5:
        season.scoring["own value"].factor *= 0
    return season


def in_force(conn: sqlite3.Connection, tournament: int) -> list[dict[int, Fraction]]:
    """The values by which each table was made, of those who had one."""
    found: dict[int, dict[int, Fraction]] = defaultdict(dict)
    for number, player, units in conn.execute(
        "SELECT round_number, player_id, value_before_units FROM ranking_list"
        " WHERE tournament_id = ? AND value_before_units IS NOT NULL",
        (tournament,),
    ):
        found[number][player] = Fraction(units, UNITS)
    return [found[number] for number in range(max(found, default=0) + 1)]


def agrees(conn: sqlite3.Connection, tournament: int, season: Season, found: Chain) -> None:
    """The file has the tables of the oracle, and came to them in as many passes."""
    assert stored(conn, tournament) == expected(season, found.tables)
    assert in_force(conn, tournament) == found.in_force
    assert settled(conn, tournament) == found.settling


@pytest.mark.parametrize("chunk", [0, *campaign(1, 400)])
def test_settled_tables_do_not_depend_on_the_order_of_rows(
    chunk: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Written twice in other orders: the same table, cycle and values as the oracle.

    One file has them all, and each player plays in most: computed once more when all
    are there they are the same.
    """
    cycles: Counter[tuple[bool, int]] = Counter()
    conn = empty()
    for seed in range(chunk * SEASONS, (chunk + 1) * SEASONS):
        rng = random.Random(seed)
        season = simulated(rng)
        own = season.scoring["own value"].factor > 0
        found = chain(season)
        for _ in range(2):
            tournament = write(conn, season, rng=rng)
            agrees(conn, tournament, season, found)
        cycles.update((own, settling.cycle) for settling in found.settling.values())
    tables = "SELECT * FROM ranking_list LEFT JOIN settling USING (tournament_id, round_number)"
    made = conn.execute(tables).fetchall()
    conn.execute("INSERT INTO revalue SELECT id, 0 FROM tournament")
    assert conn.execute(tables).fetchall() == made
    conn.close()
    assert cycles[True, 0] == cycles[False, 0] == 0, "all settle within 10,000 passes"
    with capsys.disabled():
        if chunk:
            print(f"\ncycles {dict(sorted(cycles.items()))}", end="")  # noqa: T201


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
        agrees(conn, write(conn, season), season, found)


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
