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

from conformance.seasons import Chain, Season, Settling, chain
from keizer.season import views
from keizer.store import tiebreaks
from tests.support.files import campaign, empty
from tests.support.lists import UNITS, expected, settled, stored
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


def cyclic(rng: random.Random) -> Season:
    """A season whose latest standings repeat with a long period."""
    season = random_season(rng, players=range(6, 25))
    season.rules.recalculation = "latest"
    season.scoring["own value"].factor *= 0
    if rng.random() < 0.5:
        season.rules.ladder = "score" if rng.random() < 0.5 else "range"
    return season


@pytest.mark.seeds
@pytest.mark.parametrize(("seed", "passes", "cycle"), [(2126, 70, 23), (1886, 347, 118)])
def test_a_cycle_can_be_long(seed: int, passes: int, cycle: int) -> None:
    """Passes are made by hundreds: until a cycle is found, and once more through all of it."""
    season = cyclic(random.Random(seed))
    found = chain(season)
    assert [*found.settling.values()] == [Settling(passes, cycle)]
    with closing(empty()) as conn:
        agrees(conn, write(conn, season), season, found)


def test_the_smallest_cycle(conn: sqlite3.Connection) -> None:
    """Two players, own value not counted, a draw: they swap for ever.

    Values 2 and 1 make scores 1/2 and 1, and those values 1 and 2. The mean,
    1.5 each, is put in force, and the list before decides.
    """
    tiebreaks.compute_all(conn)
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
    assert settled(conn, 1) == {1: Settling(2, 2)}


def pair(conn: sqlite3.Connection, result: str, **rules: object) -> None:
    """Two players of one game, who are worth 2 and 1."""
    tiebreaks.compute_all(conn)
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        "UPDATE rules SET recalculation = 'settled', top_value = 2;"
        "INSERT INTO player (name) VALUES ('A'), ('B');"
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1);"
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        f" VALUES (1, 1, 1, 2, '{result}');"
    )
    for name, value in rules.items():
        conn.execute(f"UPDATE rules SET {name} = ?", (value,))


def last_list(conn: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Rank, value in force, score and what was added to it, by player."""
    return conn.execute(
        "SELECT rank, value_before, score, adjustment_units / 6e6 FROM ranking_list"
        " WHERE round_number = (SELECT max(round_number) FROM ranking_list) ORDER BY player_id"
    ).fetchall()


WITHOUT_OWN = "UPDATE scoring SET factor = 0 WHERE kind = 'own value'"


def test_of_standings_that_repeat_the_mean_of_the_scores_can_stand(
    conn: sqlite3.Connection,
) -> None:
    """Draws of 1/2 and 1, then 1 and 1/2: the last list with 3/4 for each."""
    pair(conn, "½-½", cycle_takes="scores")
    conn.execute(WITHOUT_OWN)
    assert last_list(conn) == [(1, 1, 0.75, -0.25), (2, 2, 0.75, 0.25)]
    assert settled(conn, 1) == {1: Settling(2, 2)}
    note = "the mean of standings that repeat"
    found = conn.execute("SELECT points, note FROM explanation WHERE kind = 'limit' ORDER BY 1")
    assert found.fetchall() == [(-0.25, note), (0.25, note)]
    assert views.settled(conn, 1, 1) == (
        "the standings repeat with period 2: each score is the mean of theirs"
    )


@pytest.mark.parametrize(
    ("rules", "score"),
    [
        ({"line_rounding": 0.5}, 1),
        ({"score_rounding": 0.5}, 1),
        ({"score_rounding": 0.5, "line_rounding": 0.25}, 1),
        ({"line_rounding": 0.25}, 0.75),
        ({"score_rounding": 0.25, "line_rounding": 0.5}, 0.75),
    ],
)
def test_the_mean_of_scores_is_rounded_as_a_score_or_else_as_a_line(
    conn: sqlite3.Connection, rules: dict[str, float], score: float
) -> None:
    pair(conn, "½-½", cycle_takes="scores", **rules)
    conn.execute(WITHOUT_OWN)
    assert [row[2] for row in last_list(conn)] == [score, score]


@pytest.mark.parametrize(("halves", "due"), [("up", -0.5), ("even", -1)])
def test_the_mean_of_scores_is_rounded_by_the_rule_for_halves_below_0_too(
    conn: sqlite3.Connection, halves: str, due: float
) -> None:
    """Means of 3/4 - 3/2 = -3/4, in halves."""
    pair(conn, "½-½", cycle_takes="scores", line_rounding=0.5, halves=halves)
    conn.execute(WITHOUT_OWN)
    conn.execute("INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 1, -1.5)")
    conn.execute("INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 2, -1.5)")
    assert settled(conn, 1) == {1: Settling(2, 2)}
    assert [row[2] for row in last_list(conn)] == [due, due]


def test_settled_from_start_hands_out_the_values_before_in_the_start_order(
    conn: sqlite3.Connection,
) -> None:
    """After a win for B, 0-0 leaves B ahead, or A where the start order is taken."""
    pair(conn, "0-1")
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 2, 1, 2, '0-0')"
    )
    conn.execute("INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 2, 'reset')")
    assert last_list(conn) == [(2, 1, 1, 0), (1, 2, 2, 0)]
    conn.execute("UPDATE rules SET settled_from = 'start'")
    assert last_list(conn) == [(1, 2, 2, 0), (2, 1, 1, 0)]
    assert settled(conn, 1)[2] == Settling(1, 1)


@pytest.mark.seeds
def test_a_period_that_is_too_long_is_none(conn: sqlite3.Connection) -> None:
    """The list of the last pass that may be made then stands, as if all had been made."""
    season = cyclic(random.Random(2126))
    season.rules.cycle_takes = "scores"
    season.rules.max_passes = 600
    found = chain(season)
    assert [*found.settling.values()] == [Settling(600, 0)]
    agrees(conn, write(conn, season), season, found)
