"""What the places of a list are worth, by hand and by every formula."""

import sqlite3
from fractions import Fraction
from itertools import product

import pytest

from conformance.seasons import GRAIN, ZERO, Rules, ladder, rounded
from keizer.store import tiebreaks
from tests.support.lists import UNITS, check

RATIOS = {
    # (n - 1) q / (q - 1) for n = 1, 2, 3, ...; a half goes to the even number.
    "ratio 3": [0, 2, 3, 4, 6, 8, 9, 10, 12],  # 0, 1.5, 3, 4.5, 6, 7.5, ...
    "ratio 1.5": [0, 3, 6, 9, 12, 15, 18, 21, 24],
    # 0, 2.43, 4.86, 7.29, 9.71, 12.14, ...
    "ratio 1.7": [0, 2, 5, 7, 10, 12, 15, 17, 19],
    # 0, 1.25, 2.5, 3.75, 5, 6.25, 7.5, 8.75, 10.
    "ratio 5": [0, 1, 2, 4, 5, 6, 8, 9, 10],
    # 0, 13.5, 27, 40.5, 54, 67.5, ...
    "ratio 1.08": [0, 14, 27, 40, 54, 68, 81, 94, 108],
    "ratio 1.01": [0, 101, 202, 303, 404, 505, 606, 707, 808],
}


def lists(conn: sqlite3.Connection, **rules: object) -> list[list[Fraction]]:
    """The values of the start lists of one, two, ... nine players."""
    added = conn.execute(
        "INSERT INTO tournament (description) VALUES ('Club')"
    ).lastrowid
    tiebreaks.create_all_triggers(conn)
    for name, value in rules.items():
        conn.execute(
            f"UPDATE rules SET {name} = ? WHERE tournament_id = ?", (value, added)
        )
    found = []
    for player in range(1, 10):
        conn.execute(
            "INSERT OR IGNORE INTO player (id, name) VALUES (?, ?)",
            (player, f"P{player}"),
        )
        conn.execute(
            "INSERT INTO x_player_tournament (tournament_id, player_id) VALUES (?, ?)",
            (added, player),
        )
        values = conn.execute(
            "SELECT value_units FROM ranking_list WHERE tournament_id = ? ORDER BY rank",
            (added,),
        )
        found.append([Fraction(units, UNITS) for (units,) in values])
    return found


@pytest.mark.parametrize("rule", RATIOS)
def test_the_top_by_a_ratio(conn: sqlite3.Connection, rule: str) -> None:
    assert [line[0] for line in lists(conn, top_value=rule, floor_value=0)] == RATIOS[
        rule
    ]


@pytest.mark.parametrize(
    ("halves", "values"),
    [("even", [8, 8, 8, 6, 4, 4, 4, 2, 0]), ("up", [10, 8, 8, 6, 6, 4, 4, 2, 2])],
)
def test_an_odd_value_is_rounded_to_twos(
    conn: sqlite3.Connection, halves: str, values: list[int]
) -> None:
    """By hand: from 9 down to 1, each odd value lies halfway between two multiples of 2."""
    rules = {"ladder": "bottom", "bottom_value": 1, "step": 1, "value_rounding": 2}
    assert lists(conn, **rules, halves=halves)[-1] == values


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
            assert values == list(ladder(rules, order, {}).values()), (
                top,
                bottom,
                count,
            )


CASES = """
the ladder by scores goes by who was in the list: the fifth of five is out, the sixth new
6 players top_value=10 ladder=score bottom_value=6 withdrawn=out
player 5: last_round=1
player 6: first_round=2
correction 1: 1 -100
correction 1: 2 -100
correction 1: 3 -100
correction 1: 4 -100
round 1: 1 v 2 0-0
scores 1: 1 -90; 2 -274/3; 3 -278/3; 4 -94; 6 0
values 1: 10, 26/3, 22/3, 6, 6

the ladder by scores of those who all have the same: the places of the list, as with ladder range
5 players top_value=10 ladder=score bottom_value=6 own-value=0
round 1: 1 v 2 0-0
values 1: 10 to 6

an absence that counts after a game only: a forfeit is none
4 players top_value=60 excused.after_game=1
round 1: 1 v 2 1-0; 3 v 4 +-
round 2: 1 excused; 2 excused; 3 excused; 4 excused
lines 2: 1 own value 60, win 58, excused 20; 2 own value 58, excused 58/3
lines 2: 3 own value 59, forfeit win 57; 4 own value 57

whatever the values are those of, a halved amount is rounded half up
4 players top_value=9 step=0 line_rounding=1 excused=1 excused.halving=1 recalculation=frozen
rounds 1-2: 3 excused
lines 2: 3 own value 9, excused 9, excused 5

one absence in rounds 1 to 3, one in 4 to 6, one from 7 on, of two kinds that count as one
4 players top_value=9 step=0 excused.period_cap=1 unexcused.period_cap=1 unexcused.counts_with=excused unexcused=1/3
period 4: carry
period 7: carry
round 1: 3 unexcused
round 2: 3 excused
round 5: 3 unexcused
round 6: 3 excused
round 7: 3 unexcused
round 8: 3 excused
lines 8: 3 own value 9, 3x unexcused 3

a period by rating starts with another list, but the first: nobody scores, the list before decides
3 players own-value=0 bye=0
player 1: rating=1500 start_rank=1
player 2: rating=1600 start_rank=2
player 3: rating=1700 start_rank=3
period 1: reset rating
period 2: reset rating
rounds 1-2: 1 bye
order 0: 1, 2, 3
order 1: 1, 2, 3
order 2: 3, 2, 1

the own value of the new place is added when the order is made; who is new has none yet
4 players top_value=9 own_value_at=new score_rounding=1
player 4: first_round=2
round 1: 1 v 2 1-0; 3 excused
order 1: 1, 3, 2, 4
lines 1: 1 own value 9, win 8; 2 own value 7; 3 own value 8, excused 7/3, limit -1/3; 4

absences that count together are halved together: the amount
3 players top_value=7 step=0 line_rounding=1 excused=1 unexcused=1 unexcused.counts_with=excused excused.halving=1 unexcused.halving=1
round 1: 3 excused
rounds 2-3: 3 unexcused
round 4: 3 excused
lines 4: 3 own value 7, excused 7, unexcused 4, unexcused 2, excused 1

likewise the line, which then is rounded down
3 players top_value=7 step=0 line_rounding=1 excused=1 unexcused=1 unexcused.counts_with=excused excused.halving=down unexcused.halving=down
round 1: 3 excused
rounds 2-3: 3 unexcused
round 4: 3 excused
lines 4: 3 own value 7, excused 7, unexcused 3, unexcused 1

who has no round left after a win for the other is ahead by the list before
2 players top_value=2 recalculation=settled
round 1: 1 v 2 0-1
period 2: reset
round 2: 1 v 2 0-0
order 2: 2, 1
scores 2: 2 2; 1 1

the values before, handed out in the start order
2 players top_value=2 recalculation=settled settled_from=start
round 1: 1 v 2 0-1
period 2: reset
round 2: 1 v 2 0-0
order 2: 1, 2
scores 2: 1 2; 2 1
settled 2: 1 passes, period 1

the mean of scores is rounded as a score or else as a line
2 players top_value=2 recalculation=settled own-value=0 cycle_takes=scores score_rounding=1/2 line_rounding=1/4
round 1: 1 v 2 ½-½
scores 1: 1 1; 2 1

likewise
2 players top_value=2 recalculation=settled own-value=0 cycle_takes=scores score_rounding=1/4 line_rounding=1/2
round 1: 1 v 2 ½-½
scores 1: 1 .75; 2 .75

a mean of -3/4 in halves: up
2 players top_value=2 recalculation=settled own-value=0 cycle_takes=scores line_rounding=1/2
correction 0: 1 -1.5
correction 0: 2 -1.5
round 1: 1 v 2 ½-½
scores 1: 1 -.5; 2 -.5
settled 1: 2 passes, period 2

likewise, to the even one
2 players top_value=2 recalculation=settled own-value=0 cycle_takes=scores line_rounding=1/2 halves=even
correction 0: 1 -1.5
correction 0: 2 -1.5
round 1: 1 v 2 ½-½
scores 1: 1 -1; 2 -1
settled 1: 2 passes, period 2

a newcomer stands behind whoever has the same rating
4 players newcomers=rating
player 1: rating=1800
player 2: rating=1700
player 3: rating=1600
player 4: rating=1700 first_round=2
round 1: 1 v 3 1-0; 2 excused
order 1: 1, 2, 4, 3

a win as Black against who is out brings half of the own value of that round, where values lag
4 players top_value=9 step=2 recalculation=lagged withdrawn=out win.withdrawn_factor=1/2
player 2: last_round=1
round 1: 2 v 1 0-1; 3 excused; 4 excused
round 2: 1 v 3 0-1; 4 excused
round 3: 3 v 1 1-0; 4 excused
values 2: 9, 7, 5
lines 3: 1 own value 7, win 9/2
"""
"""Each a claim and a case of it; those of the rules themselves are in conformance/."""


def test_by_hand() -> None:
    for case in CASES.strip().split("\n\n"):
        check(case.partition("\n")[2])


@pytest.mark.seeds
@pytest.mark.parametrize("halves", ["up", "even"])
def test_a_line_halved_forty_times_is_right_whatever_it_is_rounded_to(
    halves: str,
) -> None:
    """Up to 60 halvings of 100,000 points fit into whole numbers."""
    for unit in (None, Fraction(1, 6000), Fraction(1), Fraction(7, 6), Fraction(1000)):
        due = [
            rounded(Fraction(100000, 2**times), unit or GRAIN, halves if unit else "up")
            for times in range(61)
        ]
        check(
            f"3 players top_value=1 own-value=0 halves={halves} line_rounding={unit or 'none'}"
            " excused=0 excused.fixed=100000 excused.halving=1\n"
            f"rounds 1-61: 3 excused\nlines 61: 3 {', '.join(f'excused {each}' for each in due)}"
        )
