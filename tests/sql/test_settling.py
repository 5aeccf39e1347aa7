"""Tables that are made until they agree with their values: always the same one.

`pytest -m campaign tests/sql/test_settling.py -s` runs 10,000 seasons and prints how
many tables cycle, and how long.
"""

import random
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.support.files import campaign, empty
from tests.support.lists import UNITS, expected, settled, stored
from tests.support.oracle import Chain, Season, chain
from tests.support.seasons import random_season, write

SEASONS = 25
"""In one test."""


def simulated(rng: random.Random) -> Season:
    """A small club, as it comes or without the own value, which cycles most."""
    season = random_season(rng, players=range(4, 13))
    last = rng.randint(1, 6)
    season.games = [game for game in season.games if game.round_number <= last]
    season.unplayed = {key: kind for key, kind in season.unplayed.items() if key[0] <= last}
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
    assert settled(conn, tournament) == {
        number: (settling.passes, settling.cycle) for number, settling in found.settling.items()
    }


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


def test_latest_settles_the_last_list_of_each_tournament(conn: sqlite3.Connection) -> None:
    """Whatever round the other tournaments of the file are in."""
    seasons = [simulated(random.Random(seed)) for seed in range(8)]
    for season in seasons:
        season.rules.recalculation = "latest"
    numbers = [write(conn, season) for season in seasons]
    conn.execute("INSERT INTO revalue SELECT id, 0 FROM tournament")
    last = [max(settled(conn, number), default=0) for number in numbers]
    assert last == [max(chain(season).settling, default=0) for season in seasons]
    assert len({*last}) > 2


def test_passes_are_limited_by_the_rules_of_the_tournament(conn: sqlite3.Connection) -> None:
    """The first gives up after one."""
    season = simulated(random.Random(1))
    for made in (replace(season, rules=replace(season.rules, max_passes=1)), season):
        agrees(conn, write(conn, made), made, chain(made))


@pytest.mark.parametrize(("seed", "passes", "cycle"), [(2126, 86, 23), (1886, 373, 118)])
def test_a_cycle_can_be_long(seed: int, passes: int, cycle: int) -> None:
    """Passes are made by hundreds: until a cycle is found, and once more through all of it."""
    rng = random.Random(seed)
    season = random_season(rng, players=range(6, 25))
    season.rules.recalculation = "latest"
    season.scoring["own value"].factor *= 0
    if rng.random() < 0.5:
        season.rules.ladder = "score" if rng.random() < 0.5 else "range"
    found = chain(season)
    (settling,) = found.settling.values()
    assert (settling.passes, settling.cycle) == (passes, cycle)
    with closing(empty()) as conn:
        agrees(conn, write(conn, season), season, found)


def test_the_smallest_cycle(conn: sqlite3.Connection) -> None:
    """Two players, own value not counted, a draw: they swap for ever.

    Values 2 and 1 make scores 1/2 and 1, and those values 1 and 2. The mean,
    1.5 each, is put in force, and the list before decides.
    """
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        "UPDATE rules SET recalculation = 'settled', top_value = 2;"
        "UPDATE scoring SET factor = 0 WHERE kind = 'own value';"
        "INSERT INTO player (name) VALUES ('A'), ('B');"
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1);"
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 1, 1, 2, '½-½');"
    )
    found = conn.execute(
        "SELECT rank, value_before, score, value FROM ranking_list WHERE round_number = 1"
        " ORDER BY player_id"
    )
    assert found.fetchall() == [(1, 1.5, 0.75, 2), (2, 1.5, 0.75, 1)]
    assert settled(conn, 1) == {1: (3, 2)}
