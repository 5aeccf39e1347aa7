"""What members look up: standings in full, crosstable, card, progress and so on.

The figures are worked out by hand. Values are 10 for first place and one less
for each next; a bye brings 2/3 and an excused absence 1/3 of the own value, an
adjourned game half the opponent's:

    round 1   Anna-Boris 1-0    Clara-Daan 0-1    Eva has the bye
    round 2   Daan-Anna 1-0     Eva-Boris adj     Clara is excused
    round 3   Anna-Clara +-     Boris-Daan ½-½    Eva-Fred 1-0 (Fred is new)
    round 4   Boris-Eva 0-0     Fred-Daan 0-1     Anna on duty, Clara away; a new period

    after 1   Anna 19, Daan 15, Eva 10, Boris 9, Clara 8
    after 2   Daan 25, Anna 17, Eva 16.833, Boris 11, Clara 8; Fred joins
    after 3   Daan 28.5, Anna 22, Eva 21.833, Boris 16, Clara 8, Fred 5
"""

import csv
import io
import json
import os
import random
import sqlite3
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from keizer.cli import main, output
from keizer.store import sql
from tests.support.files import Keizer, Oldest, campaign, rows
from tests.support.oracle import OVER_THE_BOARD, SIDES
from tests.support.seasons import random_season, write

PEOPLE = (
    ("Anna", 2000, "A", 1),
    ("Boris", 1900, "A", 1),
    ("Clara", 1800, "B", 1),
    ("Daan", 1700, "B", 1),
    ("Eva", None, None, 1),
    ("Fred", 1600, None, 3),
)
GAMES = (
    (1, "Anna", "Boris", "1-0"),
    (1, "Clara", "Daan", "0-1"),
    (2, "Daan", "Anna", "1-0"),
    (2, "Eva", "Boris", "adj"),
    (3, "Anna", "Clara", "+-"),
    (3, "Boris", "Daan", "½-½"),
    (3, "Eva", "Fred", "1-0"),
    (4, "Boris", "Eva", "0-0"),
    (4, "Fred", "Daan", "0-1"),
)
AWAY = (
    (1, "Eva", "bye"),
    (2, "Clara", "excused"),
    (4, "Anna", "club duty"),
    (4, "Clara", "unexcused"),
)
COMMANDS = (
    ["standings"],
    ["crosstable"],
    ["card", "Anna"],
    ["progress"],
    ["progress", "Anna"],
    ["head-to-head", "Anna"],
    ["head-to-head", "Anna", "Daan"],
    ["performance"],
    ["statistics"],
    ["categories"],
)


@pytest.fixture
def db(tmp_path: Path, keizer: Keizer) -> Path:
    """The season above."""
    path = tmp_path / "club.db"
    keizer("init", path, "--name", "Club")
    keizer("rules", path, "top_value=10", "step=1", "floor_value=1")
    conn = sqlite3.connect(path, isolation_level=None)
    ids = {name: at for at, (name, *_) in enumerate(PEOPLE, 1)}
    for name, rating, category, first in PEOPLE:
        conn.execute(
            "INSERT INTO player (id, name, rating, category) VALUES (?, ?, ?, ?)",
            (ids[name], name, rating, category),
        )
        conn.execute(
            "INSERT INTO x_player_tournament (player_id, tournament_id, rating, first_round)"
            " VALUES (?, 1, ?, ?)",
            (ids[name], rating, first),
        )
    conn.execute("INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 4, 'reset')")
    conn.executemany(
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, ?, ?, ?, ?)",
        [(number, ids[white], ids[black], result) for number, white, black, result in GAMES],
    )
    conn.executemany(
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, ?, ?, ?)",
        [(number, ids[name], kind) for number, name, kind in AWAY],
    )
    conn.close()
    return path


COUNTED = "won, drawn, lost, byes, absences, duty, balance"


def counted(db: Path, number: int) -> dict[str, tuple[int, ...]]:
    found = rows(db, f"SELECT name, {COUNTED} FROM standings WHERE round_number = {number}")
    return {name: tuple(figures) for name, *figures in found}


def test_standings_count_games_byes_absences_duty_and_colours(db: Path, keizer: Keizer) -> None:
    """A forfeit and an adjourned game are neither won, drawn nor lost; a forfeit is no colour."""
    assert counted(db, 0) == dict.fromkeys(("Anna", "Boris", "Clara", "Daan", "Eva"), (0,) * 7)
    assert counted(db, 3) == {
        "Anna": (1, 0, 1, 0, 0, 0, 0),
        "Boris": (0, 1, 1, 0, 0, 0, -1),
        "Clara": (0, 0, 1, 0, 1, 0, 1),
        "Daan": (2, 1, 0, 0, 0, 0, -1),
        "Eva": (1, 0, 0, 1, 0, 0, 2),
        "Fred": (0, 0, 1, 0, 0, 0, -1),
    }
    keizer("rules", db, "excused.counts_as_bye=1")
    assert counted(db, 3)["Clara"] == (0, 0, 1, 1, 0, 0, 1)


def test_standings_of_a_new_period_count_from_its_first_round(db: Path) -> None:
    assert counted(db, 4) == {
        "Anna": (0, 0, 0, 0, 0, 1, 0),
        "Boris": (0, 0, 1, 0, 0, 0, 1),
        "Clara": (0, 0, 0, 0, 1, 0, 0),
        "Daan": (1, 0, 0, 0, 0, 0, -1),
        "Eva": (0, 0, 1, 0, 0, 0, -1),
        "Fred": (0, 0, 1, 0, 0, 0, 1),
    }


def test_standings_as_shown(db: Path, keizer: Keizer) -> None:
    assert keizer("standings", db, "-r", 3).stdout.splitlines() == [
        "Club, after round 3",
        "Rank    Name   Value   Score  Points  Games  +  =  -  Byes  Abs  Duty  Col",
        "   1    Daan      10    28.5     2.5      3  2  1  0     0    0     0  B1",
        "   2    Anna       9      22       2      2  1  0  1     0    0     0  0",
        "   3    Eva        8  21.833     1.5      2  1  0  0     1    0     0  W2",
        "   4    Boris      7      16       1      3  0  1  1     0    0     0  B1",
        "   5    Clara      6       8       0      1  0  0  1     0    1     0  W1",
        "   6    Fred       5       5       0      1  0  0  1     0    0     0  B1",
    ]


CELLS = {
    "Daan": ["5b1", "2w1", "4b½"],
    "Anna": ["4w1", "1b0", "5w+"],
    "Eva": ["bye", "4wadj", "6w1"],
    "Boris": ["2b0", "3badj", "1w½"],
    "Clara": ["1w0", "exc", "2b-"],
    "Fred": ["", "", "3b0"],
}


def test_the_crosstable_names_opponents_by_their_rank_in_that_table(
    db: Path, keizer: Keizer
) -> None:
    found = json.loads(keizer("crosstable", db, "-r", 3, "--json").stdout)
    cells = defaultdict(list)
    for row in found:
        cells[row["name"]].append(row["cell"])
    assert cells == CELLS
    assert list(cells) == list(CELLS)
    assert [row["result"] for row in found if row["name"] == "Anna"] == ["1", "0", "+"]
    assert keizer("crosstable", db, "-r", 3).stdout.splitlines()[1:4] == [
        "           1     2   3",
        "1  Daan  5b1   2w1 4b½",
        "2  Anna  4w1   1b0 5w+",
    ]


def test_the_crosstable_of_a_past_round_has_the_ranks_of_then(db: Path) -> None:
    """After round 1: Anna, Daan, Eva, Boris, Clara."""
    found = rows(db, "SELECT name, cell FROM crosstable WHERE round_number = 1 ORDER BY rank")
    assert found == [
        ("Anna", "4w1"),
        ("Daan", "5b1"),
        ("Eva", "bye"),
        ("Boris", "1b0"),
        ("Clara", "2w0"),
    ]


def test_an_open_game_and_other_kinds_in_the_crosstable(db: Path) -> None:
    conn = sqlite3.connect(db, isolation_level=None)
    conn.execute("UPDATE round SET result = NULL WHERE round_number = 4 AND white = 6")
    found = dict(
        conn.execute("SELECT name, cell FROM crosstable WHERE round_number = 4 AND played_in = 4")
    )
    ranks = dict(conn.execute("SELECT name, rank FROM standings WHERE round_number = 4"))
    conn.close()
    assert found == {
        "Anna": "duty",
        "Boris": f"{ranks['Eva']}w0",
        "Clara": "unex",
        "Daan": f"{ranks['Fred']}b",
        "Eva": f"{ranks['Boris']}b0",
        "Fred": f"{ranks['Daan']}w",
    }


def cards(db: Path, name: str, number: int) -> list[tuple[Any, ...]]:
    return rows(
        db,
        "SELECT opponent, opponent_rank, result, kind, value_then, value_now, keizer_then,"
        f" keizer_now, points FROM player_card WHERE name = '{name}' AND round_number = {number}"
        " ORDER BY played_in",
    )


def test_a_card_has_values_and_points_then_and_now(db: Path) -> None:
    assert cards(db, "Anna", 3) == [
        ("Boris", 4, "1", None, 9, 7, 9, 7, 1),
        ("Daan", 1, "0", None, 9, 10, 0, 0, 0),
        ("Clara", 5, "+", None, 6, 6, 6, 6, 1),
    ]
    assert cards(db, "Clara", 3) == [
        ("Daan", 1, "0", None, 7, 10, 0, 0, 0),
        (None, None, None, "excused", 6, 6, 2, 2, 0),
        ("Anna", 2, "-", None, 9, 9, 0, 0, 0),
    ]
    assert cards(db, "Boris", 3)[1] == ("Eva", 3, "adj", None, 8, 8, 4, 4, 0.5)
    nothing = (None,) * 9
    assert cards(db, "Fred", 3) == [nothing, nothing, ("Eva", 3, "0", None, 8, 8, 0, 0, 0)]


def test_rounds_of_an_earlier_period_bring_nothing_now(db: Path) -> None:
    """They stay on the card, with what they brought then."""
    first = cards(db, "Anna", 4)[0]
    assert (first[0], first[4], first[6], first[7], first[8]) == ("Boris", 9, 9, None, None)


def test_a_card_as_shown(db: Path, keizer: Keizer) -> None:
    assert keizer("card", db, "clara", "-r", 3).stdout.splitlines() == [
        "Club, after round 3: Clara, rank 5",
        "Score 8, points 0, +0 =0 -1, rating 1800, performance 900",
        "Round  Opponent  Rank  Col  Res  Value  now  Keizer  now  Points",
        "    1  Daan         1  W    0        7   10       0    0       0",
        "    2  excused                       6    6       2    2       0",
        "    3  Anna         2  B    -        9    9       0    0       0",
    ]
    assert "unrated, performance 2400" in keizer("card", db, "Eva", "-r", 3).stdout


def test_progress_round_by_round(db: Path, keizer: Keizer) -> None:
    found = json.loads(keizer("progress", db, "Daan", "-r", 3, "--json").stdout)
    assert [(it["round_number"], it["rank"], it["change"], it["value"]) for it in found] == [
        (0, 4, None, 7),
        (1, 2, 2, 9),
        (2, 1, 1, 10),
        (3, 1, 0, 10),
    ]
    assert [it["score"] for it in found][1:] == [15, 25, 28.5]
    assert keizer("progress", db, "-r", 3).stdout.splitlines() == [
        "Club, up to round 3: rank after each round",
        "         0 1 2 3",
        "1  Daan  4 2 1 1",
        "2  Anna  1 1 2 2",
        "3  Eva   5 3 3 3",
        "4  Boris 2 4 4 4",
        "5  Clara 3 5 5 5",
        "6  Fred      6 6",
    ]


def test_head_to_head_counts_forfeits_apart(db: Path, keizer: Keizer) -> None:
    def between(one: str, other: str, number: int) -> tuple[Any, ...]:
        (found,) = rows(
            db,
            "SELECT games, won, drawn, lost, forfeits, points, first_round, last_round, whites,"
            f" blacks FROM head_to_head WHERE round_number = {number} AND name = '{one}'"
            f" AND opponent = '{other}'",
        )
        return found

    assert between("Boris", "Eva", 3) == (1, 0, 0, 0, 0, 0.5, 2, 2, 0, 1)
    assert between("Boris", "Eva", 4) == (2, 0, 0, 1, 0, 0.5, 2, 4, 1, 1)
    assert between("Anna", "Clara", 4) == (0, 0, 0, 0, 1, 1, 3, 3, 0, 0)
    assert between("Clara", "Anna", 4) == (0, 0, 0, 0, 1, 0, 3, 3, 0, 0)
    assert between("Daan", "Fred", 4) == (1, 1, 0, 0, 0, 1, 4, 4, 0, 1)
    met = json.loads(keizer("head-to-head", db, "Anna", "--json").stdout)
    assert [row["opponent"] for row in met] == ["Boris", "Clara", "Daan"]


def test_the_games_of_two(db: Path, keizer: Keizer) -> None:
    shown = keizer("head-to-head", db, "Eva", "Boris").stdout.splitlines()
    assert shown[0] == "Club, up to round 4: Eva against Boris"
    assert shown[-3:] == [
        "Round  White  Black  Result",
        "    2  Eva    Boris  adj",
        "    4  Boris  Eva    0-0",
    ]
    assert "They have not met." in keizer("head-to-head", db, "Eva", "Anna").stdout


def test_performance_by_hand(db: Path) -> None:
    """Daan: 2½ of 3 against 1800, 2000, 1900; 83 % is 273; expected .36 + .15 + .24.

    Anna: 1 of 2 (no forfeit) against 1900 and 1700; expected .64 + .85. Fred has
    only met Eva, who is unrated.
    """
    found = rows(
        db,
        "SELECT name, games, score, opponents, performance, expected, k, rating_change"
        " FROM performance WHERE round_number = 3 ORDER BY rank",
    )
    assert found == [
        ("Daan", 3, 2.5, 1900, 2173, 0.75, 20, 35.0),
        ("Anna", 2, 1.0, 1800, 1800, 1.49, 20, -9.8),
        ("Eva", 1, 1.0, 1600, 2400, None, None, None),
        ("Boris", 2, 0.5, 1850, 1657, 1.12, 20, -12.4),
        ("Clara", 1, 0.0, 1700, 900, 0.64, 20, -12.8),
    ]


def met(conn: sqlite3.Connection, rating: int | None, opponents: list[int], halves: int) -> int:
    """A player who met these and made so many half points; his id."""

    def entered(rated: int | None) -> int:
        at = conn.execute("SELECT count(*) + 1 FROM player").fetchone()[0]
        conn.execute("INSERT INTO player (id, name) VALUES (?, ?)", (at, f"Player {at}"))
        conn.execute(
            "INSERT INTO x_player_tournament (player_id, tournament_id, rating) VALUES (?, 1, ?)",
            (at, rated),
        )
        return int(at)

    player = entered(rating)
    for number, opponent in enumerate(opponents, 1):
        made = min(2, halves)
        halves -= made
        conn.execute(
            "INSERT INTO round (tournament_id, round_number, white, black, result)"
            " VALUES (1, ?, ?, ?, ?)",
            (number, player, entered(opponent), ["0-1", "½-½", "1-0"][made]),
        )
    return player


def test_performance_of_fides_exercise(conn: sqlite3.Connection) -> None:
    """Four players of the 16-player exercise FIDE trains arbiters with: average and TPR."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Exercise')")
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    published = {
        met(conn, None, [1750, 1900, 2200, 1450, 2100], 8): (1880, 2120),
        met(conn, 2050, [1650, 1600, 2100, 2200], 6): (1888, 2081),
        met(conn, None, [1550, 2100, 1750, 1850], 4): (1813, 1813),
        met(conn, None, [2050], 0): (2050, 1250),
    }
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    found = {
        player: (average, performed)
        for player, average, performed in conn.execute(
            "SELECT player_id, opponents, performance FROM performance WHERE round_number = 5"
        )
        if player in published
    }
    assert found == published


def test_400_points_are_the_most_that_counts_and_k_is_10_from_2400(
    conn: sqlite3.Connection,
) -> None:
    """2400 against 1800: .92 is expected of him (400 points), .08 of the other; K 10 and 20."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    player = met(conn, 2400, [1800], 0)
    found = conn.execute(
        "SELECT player_id = ?, expected, k, rating_change FROM performance"
        " WHERE round_number = 1 ORDER BY player_id",
        (player,),
    ).fetchall()
    assert found == [(1, 0.92, 10, -9.2), (0, 0.08, 20, 18.4)]


def figures(db: Path, number: int) -> dict[str, tuple[int, str | None]]:
    found = rows(
        db,
        f"SELECT topic, value, about FROM statistics WHERE round_number = {number} ORDER BY line",
    )
    return {topic: (value, about) for topic, value, about in found}


def test_statistics_by_hand(db: Path) -> None:
    assert figures(db, 3) == {
        "games over the board": (6, None),
        "won by White": (3, "50%"),
        "drawn": (1, "17%"),
        "won by Black": (1, "17%"),
        "forfeits": (1, None),
        "byes": (1, None),
        "absences": (1, None),
        "club duty": (0, None),
        "most wins": (2, "Daan"),
        "longest unbeaten run": (3, "Daan (rounds 1 to 3)"),
        "longest winning run": (2, "Daan (rounds 1 to 2)"),
        "biggest upset": (300, "Daan (1700) beat Anna (2000), round 2"),
        "biggest climb in a round": (
            2,
            "Daan (round 1, from 4 to 2), Eva (round 1, from 5 to 3)",
        ),
    }


def test_statistics_name_all_who_share_a_feat_and_know_only_their_table(db: Path) -> None:
    found = figures(db, 1)
    assert found["most wins"] == (1, "Anna, Daan")
    assert found["longest unbeaten run"] == (1, "Anna (round 1), Daan (round 1)")
    assert found["biggest upset"] == (100, "Daan (1700) beat Clara (1800), round 1")
    assert figures(db, 4)["longest unbeaten run"] == (4, "Daan (rounds 1 to 4)")
    assert figures(db, 4)["club duty"] == (1, None)
    assert "most wins" not in figures(db, 0)


def test_runs_end_with_a_loss_and_pass_over_forfeits_and_absences(
    conn: sqlite3.Connection,
) -> None:
    """One player: win, loss, win, (forfeit lost), (away), draw, win, (adjourned), win, loss.

    Unbeaten from round 3 to round 9, four games; two wins in a row, from 7 to 9.
    """
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    conn.executemany("INSERT INTO player (id, name) VALUES (?, ?)", [(1, "Hero"), (2, "Other")])
    conn.execute("INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1)")
    results = ["1-0", "0-1", "1-0", "-+", None, "½-½", "1-0", "adj", "1-0", "0-1"]
    for number, result in enumerate(results, 1):
        if result:
            conn.execute(
                "INSERT INTO round (tournament_id, round_number, white, black, result)"
                " VALUES (1, ?, 1, 2, ?)",
                (number, result),
            )
        else:
            conn.execute(
                "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                " VALUES (1, ?, 1, 'excused')",
                (number,),
            )
    found = {
        topic: (value, about)
        for topic, value, about in conn.execute(
            "SELECT topic, value, about FROM statistics WHERE round_number = 10"
        )
    }
    assert found["longest unbeaten run"] == (4, "Hero (rounds 3 to 9)")
    assert found["longest winning run"] == (2, "Hero (rounds 7 to 9)")


def test_a_table_per_category(db: Path, keizer: Keizer) -> None:
    assert keizer("categories", db, "-r", 3).stdout.splitlines() == [
        "Club, after round 3",
        "",
        "Category A",
        "Rank  Name   Score  Points  Overall",
        "   1  Anna      22       2        2",
        "   2  Boris     16       1        4",
        "",
        "Category B",
        "Rank  Name   Score  Points  Overall",
        "   1  Daan    28.5     2.5        1",
        "   2  Clara      8       0        5",
    ]


# ------------------------------------------------------------- seasons at random


@pytest.mark.parametrize("seed", range(6))
def test_any_season_is_counted_as_by_a_plain_loop(conn: sqlite3.Connection, seed: int) -> None:
    """Games won, drawn and lost, colours, meetings; a card has the lines of the explanation."""
    season = random_season(random.Random(seed), players=range(6, 13), options=seed > 1)
    season.games = [game for game in season.games if game.round_number <= 9]
    write(conn, season)
    last = conn.execute("SELECT max(round_number) FROM ranking_list").fetchone()[0]
    starts = dict(
        conn.execute(
            "SELECT player_id, counts_from FROM ranking_list WHERE round_number = ?", (last,)
        )
    )
    expected = {player: [0, 0, 0, 0] for player in starts}
    pairs: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for game in season.games:
        if game.result is None:
            continue
        board = game.result in OVER_THE_BOARD
        sides = ((game.white, game.black, 1), (game.black, game.white, -1))
        for (player, opponent, colour), kind in zip(sides, SIDES[game.result], strict=True):
            if player not in starts:  # who is out has no tables and no card
                continue
            pairs[player, opponent][0 if board else 1] += 1
            if not board or game.round_number < starts[player]:
                continue
            expected[player][3] += colour
            if kind in ("win", "draw", "loss"):
                expected[player][("win", "draw", "loss").index(kind)] += 1
    found = conn.execute(
        "SELECT player_id, won, drawn, lost, balance FROM standings WHERE round_number = ?", (last,)
    )
    assert {player: figures for player, *figures in found} == expected
    found = conn.execute(
        "SELECT player_id, opponent_id, games, forfeits FROM head_to_head WHERE round_number = ?",
        (last,),
    )
    assert {(one, other): figures for one, other, *figures in found} == pairs
    lines = {
        (number, player, played_in): points
        for number, player, played_in, points in conn.execute(
            "SELECT round_number, player_id, played_in, points FROM explanation"
            " WHERE played_in IS NOT NULL"
        )
    }
    shown = conn.execute(
        "SELECT player_id, played_in, keizer_then, keizer_now FROM player_card"
        " WHERE round_number = ?",
        (last,),
    ).fetchall()
    assert shown or not last
    assert {player for player, *_ in shown} <= {*starts}
    for player, played_in, _, now in shown:
        assert now == lines.get((last, player, played_in)), (player, played_in)
    then = {(player, played_in): then for player, played_in, then, _ in shown}
    for (number, player, played_in), points in lines.items():
        if number == played_in and (player, played_in) in then:
            assert then[player, played_in] == points


SAME = (
    "SELECT name, won, drawn, lost, byes, absences, duty, balance FROM standings"
    " WHERE tournament_id = 1 AND round_number = 8 ORDER BY rank, player_id",
    "SELECT name, played_in, opponent_rank, cell FROM crosstable"
    " WHERE tournament_id = 1 AND round_number = 8 ORDER BY player_id, played_in",
    "SELECT player_id, played_in, CAST(round(keizer_then * 1000) AS INTEGER),"
    " CAST(round(keizer_now * 1000) AS INTEGER), CAST(round(value_then * 1000) AS INTEGER)"
    " FROM player_card WHERE tournament_id = 1 AND round_number = 8 ORDER BY 1, 2",
    "SELECT player_id, opponent_id, games, forfeits, won, first_round, last_round, whites"
    " FROM head_to_head WHERE tournament_id = 1 AND round_number = 8 ORDER BY 1, 2",
    "SELECT player_id, opponents, performance, CAST(round(expected * 100) AS INTEGER), k"
    " FROM performance WHERE tournament_id = 1 AND round_number = 8 ORDER BY 1",
    "SELECT topic, value, about FROM statistics"
    " WHERE tournament_id = 1 AND round_number = 8 ORDER BY line",
)


def test_the_same_reports_in_the_oldest_sqlite(conn: sqlite3.Connection, oldest: Oldest) -> None:
    season = random_season(random.Random(8), players=range(12, 13))
    write(conn, season)
    script = "\n".join([*conn.iterdump(), "INSERT INTO revalue VALUES (1, 0);"])
    found = [conn.execute(query).fetchall() for query in SAME]
    assert all(found)
    rows = (row for table in found for row in table)
    here = ["\t".join("" if it is None else str(it) for it in row) for row in rows]
    assert oldest(script, "; ".join(SAME)) == here


# ------------------------------------------------------------------ the commands


@pytest.fixture(scope="module")
def long_season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 players with long names, 33 rounds."""
    path = tmp_path_factory.mktemp("long") / "long.db"
    conn = sqlite3.connect(path, isolation_level=None)
    conn.executescript(sql.script())
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    players = list(range(1, 41))
    for player in players:
        name = f"{player:02} Anna Maximiliana van der Hoogenboom-Oldenbarneveldt"
        conn.execute(
            "INSERT INTO player (id, name, rating, category) VALUES (?, ?, ?, 'A')",
            (player, name, 2400 - player),
        )
        conn.execute(
            "INSERT INTO x_player_tournament (player_id, tournament_id, rating) VALUES (?, 1, ?)",
            (player, 2400 - player),
        )
    rng = random.Random(40)
    for number in range(1, 34):
        rng.shuffle(players)
        for player in players[:6]:
            conn.execute(
                "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                " VALUES (1, ?, ?, 'unexcused')",
                (number, player),
            )
        conn.executemany(
            "INSERT INTO round (tournament_id, round_number, white, black, result)"
            " VALUES (1, ?, ?, ?, ?)",
            [
                (number, *pair, rng.choice(["1-0", "½-½", "0-1", "adj", "+-"]))
                for pair in zip(players[6::2], players[7::2], strict=True)
            ],
        )
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    conn.close()
    return path


def in_long(command: list[str]) -> list[str]:
    return [{"Anna": "#1", "Daan": "#2"}.get(word, word) for word in command]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_lines_keep_to_80_characters(long_season: Path, keizer: Keizer, command: list[str]) -> None:
    """Below the heading, which may have names in full; nothing is lost but ends of names."""
    name, *rest = in_long(command)
    _, *lines = keizer(name, long_season, *rest).stdout.splitlines()
    assert lines
    assert [line for line in lines if len(line) > 80] == []
    if name in ("crosstable", "progress") and not rest:
        blocks = [line.split() for line in lines if line.split() and line.split()[1:2] != ["01"]]
        numbers = [int(it) for line in blocks if all(map(str.isdecimal, line)) for it in line]
        assert numbers == list(range(1 if name == "crosstable" else 0, 34))


def test_standings_leave_out_what_matters_least(
    long_season: Path, keizer: Keizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are cut first, not below 14 characters; then colours go, duty, absences, byes."""
    extra = ["Byes", "Abs", "Duty", "Col"]
    shown = []
    for room in (60, 64, 68, 72, 76, 80, 84, 88, 92, 100, 200):
        monkeypatch.setattr(output, "width", lambda room=room: room)
        lines = keizer("standings", long_season).stdout.splitlines()[1:]
        assert max(map(len, lines)) <= room
        titles = lines[0].split()
        assert {"Rank", "Name", "Value", "Score", "Points", "Games", "+", "=", "-"} <= set(titles)
        there = [title for title in extra if title in titles]
        assert there == extra[: len(there)]
        names = lines[0].index("Value") - lines[0].index("Name") - 2
        assert names >= 14 or not there
        assert ("…" in lines[1]) == (room < 200)
        shown.append(len(there))
    assert shown == sorted(shown)
    assert set(shown) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_bold_and_colours_are_for_terminals(db: Path, command: list[str]) -> None:
    args = [command[0], str(db), *command[1:]]
    runner = CliRunner()
    assert "\x1b" not in runner.invoke(main, args).output
    assert "\x1b[1m" in runner.invoke(main, args, color=True).output
    for style in ("--json", "--csv"):
        assert "\x1b" not in runner.invoke(main, [*args, style], color=True).output


def test_a_terminal_has_its_own_width_and_bold_headings(db: Path, installed: str) -> None:
    """With 60 columns there is no room for colours, duty and so on; a pipe has 80."""
    import pty

    ours, theirs = pty.openpty()
    subprocess.run(
        [installed, "standings", str(db), "-r", "3"],
        stdout=theirs,
        check=True,
        env={**os.environ, "COLUMNS": "60", "TERM": "xterm"},
    )
    os.close(theirs)
    heading, titles, *_ = os.read(ours, 10000).decode().splitlines()
    os.close(ours)
    assert heading == "\x1b[1mClub, after round 3\x1b[0m"
    assert titles.startswith("\x1b[1mRank")
    assert "Games" in titles
    assert "Duty" not in titles


def test_who_went_up_is_green_and_who_went_down_red(db: Path) -> None:
    runner = CliRunner()
    shown = runner.invoke(main, ["standings", str(db), "-r", "2"], color=True).output
    assert "\x1b[32m+1\x1b[0m  Daan" in shown
    assert "\x1b[31m-1\x1b[0m  Anna" in shown


@pytest.mark.parametrize("number", [0, 4, *campaign(1, 4)])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_listing_of_every_round_in_every_form(
    db: Path, keizer: Keizer, command: list[str], number: int
) -> None:
    """The same rows as JSON and as CSV; the last table is the default."""
    args = [command[0], db, *command[1:], "-r", number]
    keizer(*args)
    data = json.loads(keizer(*args, "--json").stdout)
    table = list(csv.DictReader(io.StringIO(keizer(*args, "--csv").stdout)))
    assert [
        {key: "" if value is None else str(value) for key, value in row.items()} for row in data
    ] == table
    if number == 4:
        assert json.loads(keizer(*args[:-2], "--json").stdout) == data


REFUSED = {
    "a round that is not there": (["crosstable", "-r", "9"], "there is no round 9"),
    "a stranger": (["card", "Zoe"], "there is no player “Zoe”"),
    "one who comes later": (["card", "Fred", "-r", "1"], "Fred is not in the list after round 1"),
    "his progress": (["progress", "Fred", "-r", "1"], "Fred is not in the list after round 1"),
    "against a stranger": (["head-to-head", "Anna", "Zoe"], "there is no player “Zoe”"),
    "against himself": (["head-to-head", "Anna", "anna"], "does not meet himself"),
    "another tournament": (["statistics", "-t", "Blitz"], "there is no tournament “Blitz”"),
}


@pytest.mark.parametrize(("command", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_makes_no_sense_is_one_sentence(
    db: Path, keizer: Keizer, command: list[str], sentence: str
) -> None:
    said = keizer(command[0], db, *command[1:], fails=True)
    assert sentence in said.stderr
    assert said.exit_code == 1
    assert len(said.stderr.splitlines()) == 1


def test_reports_of_a_season_without_a_round(club: Path, keizer: Keizer) -> None:
    assert "No round has been played yet." in keizer("crosstable", club).stdout
    assert "Nobody yet." in keizer("head-to-head", club, "Anna").stdout
    assert "rated opponent yet" in keizer("performance", club).stdout
    assert "Nobody has a category" in keizer("categories", club).stdout
    assert "games over the board  0" in keizer("statistics", club).stdout
