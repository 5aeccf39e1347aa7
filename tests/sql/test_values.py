"""What the places of a list are worth, by hand and by every formula."""

import sqlite3
from fractions import Fraction
from itertools import product

import pytest

from conformance.seasons import GRAIN, ZERO, Rules, ladder, lot, rounded
from keizer.store import tiebreaks
from tests.support.lists import UNITS

RATIOS = {
    # (n - 1) q / (q - 1) for n = 1, 2, 3, ...; a half goes to the even number.
    "ratio 3": [0, 2, 3, 4, 6, 8, 9, 10, 12],  # 0, 1.5, 3, 4.5, 6, 7.5, ...
    "ratio 1.5": [0, 3, 6, 9, 12, 15, 18, 21, 24],
    "ratio 1.7": [0, 2, 5, 7, 10, 12, 15, 17, 19],  # 0, 2.43, 4.86, 7.29, 9.71, 12.14, ...
    "ratio 5": [0, 1, 2, 4, 5, 6, 8, 9, 10],  # 0, 1.25, 2.5, 3.75, 5, 6.25, 7.5, 8.75, 10
    "ratio 1.08": [0, 14, 27, 40, 54, 68, 81, 94, 108],  # 0, 13.5, 27, 40.5, 54, 67.5, ...
    "ratio 1.01": [0, 101, 202, 303, 404, 505, 606, 707, 808],
}


def lists(conn: sqlite3.Connection, **rules: object) -> list[list[Fraction]]:
    """The values of the start lists of one, two, ... nine players."""
    added = conn.execute("INSERT INTO tournament (description) VALUES ('Club')").lastrowid
    tiebreaks.compute_all(conn)
    for name, value in rules.items():
        conn.execute(f"UPDATE rules SET {name} = ? WHERE tournament_id = ?", (value, added))
    found = []
    for player in range(1, 10):
        conn.execute(
            "INSERT OR IGNORE INTO player (id, name) VALUES (?, ?)", (player, f"P{player}")
        )
        conn.execute(
            "INSERT INTO x_player_tournament (tournament_id, player_id) VALUES (?, ?)",
            (added, player),
        )
        values = conn.execute(
            "SELECT value_units FROM ranking_list WHERE tournament_id = ? ORDER BY rank", (added,)
        )
        found.append([Fraction(units, UNITS) for (units,) in values])
    return found


@pytest.mark.parametrize("rule", RATIOS)
def test_the_top_by_a_ratio(conn: sqlite3.Connection, rule: str) -> None:
    assert [line[0] for line in lists(conn, top_value=rule, floor_value=0)] == RATIOS[rule]


@pytest.mark.parametrize("halves", ["up", "even"])
@pytest.mark.parametrize("rounding", [None, "1/10", "1/100", "1/3", "1/2", "1", "3"])
@pytest.mark.parametrize("name", ["top", "bottom", "range", "score"])
def test_start_lists_of_one_to_nine(
    conn: sqlite3.Connection, name: str, rounding: str | None, halves: str
) -> None:
    """All formulas for the top and the bottom, steps of several places, roundings."""
    tops = ("n", "1.25n", "(n-1)", "3(n-1)", "ratio 3", Fraction("80.125"))
    bottoms = ("n/2", Fraction("0.5"))
    read = {"top": product(tops, bottoms[:1]), "bottom": product(tops[:1], bottoms)}
    for top, bottom in read.get(name, product(tops, bottoms)):
        unit = None if rounding is None else Fraction(rounding)
        step = Fraction("0.333")
        rules = Rules(name, top, bottom, step, 2, ZERO, unit, halves=halves)
        found = lists(
            conn,
            ladder=name,
            floor_value=0,
            top_value=float(top) if isinstance(top, Fraction) else top,
            bottom_value=float(bottom) if isinstance(bottom, Fraction) else bottom,
            step=0.333,
            places_per_step=2,
            value_rounding=rounding,
            halves=halves,
        )
        for count, values in enumerate(found, 1):
            order = list(range(1, count + 1))
            assert values == list(ladder(rules, order, {}).values()), (top, bottom, count)


@pytest.mark.parametrize("seed", [1, 2, 66, 77])
def test_a_start_list_by_lot(conn: sqlite3.Connection, seed: int) -> None:
    """The lowest number drawn comes first."""
    lists(conn, start_order="lot", seed=seed)
    drawn = conn.execute("SELECT player_id FROM ranking_list ORDER BY rank").fetchall()
    assert [player for (player,) in drawn] == sorted(
        range(1, 10), key=lambda player: lot(player, seed)
    )


def after_one_open_game(conn: sqlite3.Connection, factor: str, **rules: object) -> None:
    """Five players who have nothing but a share of their own values: 10, 9, 8, 7, 6."""
    lists(conn, top_value=10, **rules)
    conn.execute("DELETE FROM x_player_tournament WHERE player_id > 5")
    conn.execute("UPDATE scoring SET factor = ? WHERE kind = 'own value'", (factor,))
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 1, 1, 2)"
    )


def absent(conn: sqlite3.Connection, player: int, kinds: dict[int, str]) -> None:
    """Rounds that a player is away from."""
    conn.executemany(
        f"INSERT INTO unplayed (tournament_id, player_id, round_number, kind)"
        f" VALUES (1, {player}, ?, ?)",
        kinds.items(),
    )


def scores(conn: sqlite3.Connection) -> list[Fraction]:
    rows = conn.execute(
        "SELECT score_units FROM ranking_list WHERE round_number = 1 ORDER BY player_id"
    )
    return [Fraction(units, UNITS) for (units,) in rows]


SCORES = """
1/6 | line_rounding=1               | | 2 2 1 1 1
1/6 | line_rounding=.1              | | 1.7 1.5 1.3 1.2 1
1/6 | line_rounding=.01             | | 1.67 1.5 1.33 1.17 1
1/6 | line_rounding=.001            | | 1.667 1.5 1.333 1.167 1
1/6 | line_rounding=1/3             | | 5/3 5/3 4/3 4/3 1
1/6 | line_rounding=1/3 halves=even | | 5/3 4/3 4/3 4/3 1
1/6 | line_rounding=1/2             | | 1.5 1.5 1.5 1 1
1/2 | line_rounding=1 halves=even   | | 5 4 4 4 3
1/2 | line_rounding=3               | | 6 6 3 3 3
1   | line_rounding=1000            | | 0 0 0 0 0
1/6 | score_rounding=1              | | 2 2 1 1 1
1/6 | score_rounding=.1             | | 1.7 1.5 1.3 1.2 1
1/6 | score_rounding=.01            | | 1.67 1.5 1.33 1.17 1
1/6 | score_rounding=.001           | | 1.667 1.5 1.333 1.167 1
1/2 | score_rounding=1 halves=even  | | 5 4 4 4 3
0   | score_rounding=1              | 1:-0.6 2:-1.5 3:-0.5 4:-2.4 5:-3 | -1 -1 0 -2 -3
0   | score_rounding=1 halves=even  | 1:-0.6 2:-1.5 3:-0.5 4:-2.5 5:-3.5 | -1 -2 0 -2 -4
0   | score_rounding=7/6            | 1:-.583 2:-.584 3:-1.75 4:-1.751 5:2 | 0 -7/6 -7/6 -7/3 7/3
1   | score_rounding=1 withdrawn=out| 5:out | 10 9 8 7
1   |                               | 3:-0.5 3:-0.5 | 10 9 7 7 6
"""
"""Of own values of 10, 9, 8, 7 and 6: factor, rules, corrections, and the scores.

A half goes up, also below 0; who is out has no score; the same correction made twice counts
twice.
"""
CORRECT = (
    "INSERT INTO correction (tournament_id, player_id, round_number, points) VALUES (1, ?, 1, ?)"
)
WITHDRAW = "UPDATE x_player_tournament SET status = 'withdrawn' WHERE player_id = ?"


@pytest.mark.parametrize("case", SCORES.strip().splitlines())
def test_a_score_is_rounded_limited_and_corrected(conn: sqlite3.Connection, case: str) -> None:
    factor, settings, corrections, due = case.split("|")
    rules = dict(setting.split("=") for setting in settings.split())
    after_one_open_game(conn, factor.strip(), **rules)
    for player, points in (each.split(":") for each in corrections.split()):
        if points == "out":
            conn.execute(WITHDRAW, (player,))
        else:
            conn.execute(CORRECT, (player, points))
    assert scores(conn) == [Fraction(score) for score in due.split()]


def test_the_ladder_by_scores_goes_by_who_was_in_the_list(conn: sqlite3.Connection) -> None:
    """Of five the fifth is out, a sixth is new: 10, 26/3, 22/3, 6 for scores of -90 to -94."""
    after_one_open_game(conn, "1", ladder="score", bottom_value=6, withdrawn="out")
    conn.execute(WITHDRAW, (5,))
    conn.execute(
        "INSERT INTO x_player_tournament (tournament_id, player_id, first_round) VALUES (1, 6, 2)"
    )
    due = [Fraction(10), Fraction(26, 3), Fraction(22, 3), Fraction(6)]
    values = "SELECT value_units FROM ranking_list WHERE round_number = 1 AND player_id < 5"
    for less in (0, 100):
        conn.execute("DELETE FROM correction")
        conn.executemany(CORRECT, [(player, -less) for player in range(1, 5)])
        assert scores(conn)[:4] == [Fraction(round(value * UNITS), UNITS) - less for value in due]
        assert [
            Fraction(value, UNITS) for (value,) in conn.execute(f"{values} ORDER BY player_id")
        ] == [Fraction(round(value * UNITS), UNITS) for value in due]


def test_the_ladder_by_scores_of_those_who_all_have_the_same(conn: sqlite3.Connection) -> None:
    """Nobody is ahead by score: the places of the list, as with ladder range."""
    after_one_open_game(conn, "0", ladder="score", bottom_value=6)
    values = conn.execute(
        "SELECT value_units FROM ranking_list WHERE round_number = 1 ORDER BY rank"
    )
    assert [units for (units,) in values] == [value * UNITS for value in (10, 9, 8, 7, 6)]


def test_an_absence_that_counts_after_a_game_only(conn: sqlite3.Connection) -> None:
    """1 and 2 have played, 3 and 4 have not; that a forfeit is a game elsewhere is no matter."""
    lists(conn)
    lists(conn)
    conn.execute("UPDATE scoring SET after_game = tournament_id = 1 WHERE kind = 'excused'")
    conn.execute("UPDATE scoring SET counts_as_game = 1 WHERE kind LIKE 'f%' AND tournament_id = 2")
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 1, 1, 2, '1-0'), (1, 1, 3, 4, '+-'), (1, 2, 5, 6, '1-0')"
    )
    for player in (1, 2, 3, 4):
        absent(conn, player, {2: "excused"})
    found = conn.execute("SELECT player_id, credited_as FROM unplayed ORDER BY player_id")
    assert found.fetchall() == [(1, "excused"), (2, "excused"), (3, None), (4, None)]


def test_an_absence_can_count_as_a_game(conn: sqlite3.Connection) -> None:
    """Of the three who have no game, the fourth of all is excused."""
    after_one_open_game(conn, "1")
    conn.execute("UPDATE scoring SET counts_as_game = 1 WHERE kind = 'excused'")
    absent(conn, 4, {1: "excused"})
    played = conn.execute(
        "SELECT played FROM ranking_list WHERE round_number = 1 ORDER BY player_id"
    )
    assert [games for (games,) in played] == [0, 0, 0, 1, 0]


def test_an_open_game_against_who_is_out_counts_for_nothing_yet(conn: sqlite3.Connection) -> None:
    """It is a line of 0; the four who are left have nothing but their own values."""
    after_one_open_game(conn, "1", withdrawn="out")
    conn.execute(WITHDRAW, (1,))
    line = "SELECT player_id, points FROM explanation WHERE kind = 'open'"
    assert [tuple(row) for row in conn.execute(line)] == [(2, 0)]
    found = conn.execute(
        "SELECT score_units, points_units, played FROM ranking_list"
        " WHERE round_number = 1 AND player_id > 1 ORDER BY rank"
    )
    assert found.fetchall() == [(value * UNITS, 0, 0) for value in (10, 9, 8, 7)]


@pytest.mark.parametrize("recalculation", ["frozen", "lagged", "latest"])
def test_a_halved_amount_is_rounded_half_up(conn: sqlite3.Connection, recalculation: str) -> None:
    """Everybody is worth 9: the first absence brings 9, the second 4.5."""
    lists(conn, top_value=9, step=0, line_rounding=1, recalculation=recalculation)
    conn.execute("UPDATE scoring SET factor = 1, halving = 1 WHERE kind = 'excused'")
    absent(conn, 3, {1: "excused", 2: "excused"})
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 2, 1, 2)"
    )
    found = (
        "SELECT points FROM explanation WHERE kind = 'excused' AND round_number = 2"
        " ORDER BY played_in"
    )
    assert conn.execute(found).fetchall() == [(9,), (5,)]
    conn.execute("DELETE FROM unplayed WHERE round_number = 1")
    assert conn.execute(found).fetchall() == [(9,)]


def credited(conn: sqlite3.Connection) -> list[tuple[int, str]]:
    """In which rounds of tournament 1 which absence of player 3 brings something."""
    return conn.execute(
        "SELECT round_number, credited_as FROM unplayed"
        " WHERE tournament_id = 1 AND credited_as IS NOT NULL ORDER BY round_number"
    ).fetchall()


def test_a_cap_for_each_period(conn: sqlite3.Connection) -> None:
    """One absence in rounds 1-3, one in 4-6, one from 7 on, of two kinds that count as one."""
    for _ in range(2):
        lists(conn)
    conn.execute("UPDATE scoring SET period_cap = 1 WHERE kind IN ('excused', 'unexcused')")
    conn.execute("UPDATE scoring SET counts_with = 'excused' WHERE kind = 'unexcused'")
    conn.execute("INSERT INTO period (tournament_id, first_round) VALUES (1, 4), (1, 7), (2, 2)")
    absent(conn, 3, {number: ["excused", "unexcused"][number % 2] for number in (1, 2, 5, 6, 7, 8)})
    assert credited(conn) == [(1, "unexcused"), (5, "unexcused"), (7, "unexcused")]
    conn.execute("UPDATE scoring SET counts_with = NULL")
    assert [number for number, _ in credited(conn)] == [1, 2, 5, 6, 7, 8]
    conn.execute("DELETE FROM period")
    assert [number for number, _ in credited(conn)] == [1, 2]


def test_a_period_by_rating_starts_with_another_list(conn: sqlite3.Connection) -> None:
    """Nobody scores: the list before decides. The first period has the start list."""
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        "UPDATE scoring SET factor = 0;"
        "INSERT INTO player (name, rating) VALUES ('A', 1500), ('B', 1600), ('C', 1700);"
        "INSERT INTO x_player_tournament (tournament_id, player_id, start_rank)"
        " VALUES (1, 1, 1), (1, 2, 2), (1, 3, 3);"
        "INSERT INTO period (tournament_id, first_round, scores, start)"
        " VALUES (1, 1, 'reset', 'rating'), (1, 2, 'reset', 'rating');"
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " VALUES (1, 1, 1, 'bye'), (1, 2, 1, 'bye');"
    )
    found = conn.execute(
        "SELECT round_number, group_concat(player_id), group_concat(rank_before) FROM"
        " (SELECT * FROM ranking_list ORDER BY round_number, rank) GROUP BY round_number"
    )
    assert found.fetchall() == [(0, "1,2,3", None), (1, "1,2,3", "1,2,3"), (2, "3,2,1", "1,2,3")]


def test_the_own_value_of_the_new_place_is_added_when_the_order_is_made(
    conn: sqlite3.Connection,
) -> None:
    """9, 8 and 7 with a win, nothing and a third: 8, 0 and 7/3, then 9, 7 and 8 for the place."""
    lists(conn, top_value=9, own_value_at="new", score_rounding=1)
    conn.execute("DELETE FROM x_player_tournament WHERE player_id > 3")
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 1, 1, 2, '1-0')"
    )
    absent(conn, 3, {1: "excused"})
    found = "SELECT rank, score, adjustment_units FROM ranking_list WHERE round_number = 1"
    assert conn.execute(f"{found} ORDER BY player_id").fetchall() == [
        (1, 17, 0),
        (3, 7, 0),
        (2, 10, -UNITS // 3),
    ]
    own = "SELECT value, points FROM explanation WHERE kind = 'own value' AND round_number = 1"
    assert conn.execute(f"{own} ORDER BY player_id").fetchall() == [(9, 9), (7, 7), (8, 8)]
    conn.execute(
        "INSERT INTO x_player_tournament (tournament_id, player_id, first_round) VALUES (1, 4, 2)"
    )
    assert conn.execute(f"{own} AND player_id = 4").fetchall() == [(None, 0)]


@pytest.mark.parametrize(
    ("halving", "rounding", "due"),
    [
        (1, 1, [7, 4, 2, 1]),
        ("down", 1, [7, 3, 1, 0]),
        ("down", "1/2", [7, 3.5, 1.5, 0.5]),
        (1, None, [7, 3.5, 1.75, 0.875]),
        ("down", None, [7, 3.5, 1.75, 0.875]),
    ],
)
def test_absences_that_count_together_are_halved_together(
    conn: sqlite3.Connection, halving: object, rounding: object, due: list[float]
) -> None:
    """Everybody is worth 7: the amount is halved, or the line and then rounded down."""
    lists(conn, top_value=7, step=0, line_rounding=rounding)
    conn.execute("UPDATE scoring SET factor = 1 WHERE kind IN ('excused', 'unexcused')")
    conn.execute("UPDATE scoring SET counts_with = 'excused' WHERE kind = 'unexcused'")
    conn.execute(
        "UPDATE scoring SET halving = ? WHERE kind IN ('excused', 'unexcused')", (halving,)
    )
    absent(conn, 3, {1: "excused", 2: "unexcused", 3: "unexcused", 4: "excused"})
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 4, 1, 2)"
    )
    found = conn.execute(
        "SELECT points FROM explanation WHERE played_in IS NOT NULL AND round_number = 4"
        " AND player_id = 3 ORDER BY played_in"
    )
    assert [points for (points,) in found] == due


@pytest.mark.parametrize("halves", ["up", "even"])
def test_a_line_halved_forty_times_is_right_whatever_it_is_rounded_to(
    conn: sqlite3.Connection, halves: str
) -> None:
    """Up to 60 halvings of 100,000 points fit into whole numbers."""
    lists(conn, top_value=1, halves=halves)
    conn.execute(
        "UPDATE scoring SET fixed = 100000, factor = 0, halving = 1 WHERE kind = 'excused'"
    )
    absent(conn, 3, dict.fromkeys(range(1, 62), "excused"))
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 61, 1, 2)"
    )
    for rounding in (None, Fraction(1, 6000), Fraction(1), Fraction(7, 6), Fraction(1000)):
        conn.execute("UPDATE rules SET line_rounding = ?", (rounding and str(rounding),))
        found = conn.execute(
            "SELECT units FROM _line WHERE fact = 'unplayed' AND round_number = 61"
            " ORDER BY played_in"
        )
        assert [Fraction(units, UNITS) for (units,) in found] == [
            rounded(Fraction(100000, 2**times), rounding or GRAIN, halves if rounding else "up")
            for times in range(61)
        ]
