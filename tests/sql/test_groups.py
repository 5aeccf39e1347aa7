"""Tables within the table: categories, periods, final lists, promotion.

All on the worked example, whose games and totals are in test_published.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def db(sample: Path) -> Iterator[sqlite3.Connection]:
    conn = sqlite3.connect(sample, isolation_level=None)
    yield conn
    conn.close()


def test_categories_have_tables_of_their_own(db: sqlite3.Connection) -> None:
    """The order of the whole table, counted within A and within B."""
    db.execute("UPDATE player SET category = CASE WHEN rating >= 2000 THEN 'A' ELSE 'B' END")
    found = db.execute(
        "SELECT category, rank, name, overall FROM category_standings"
        " WHERE round_number = 2 AND rank <= 2 ORDER BY category, rank"
    )
    assert found.fetchall() == [
        ("A", 1, "Johnson", 3), ("A", 2, "Butcher", 4),
        ("B", 1, "Harrison", 1), ("B", 2, "Brown", 2),
    ]  # fmt: skip


def test_the_final_list_needs_games(db: sqlite3.Connection) -> None:
    """Carter's second game was a forfeit: who has one is not in the list."""
    db.execute("UPDATE rules SET min_games = 2")
    db.execute("UPDATE round SET result = '+-' WHERE round_number = 2 AND white = 5")
    final = db.execute("SELECT name FROM final_standings WHERE round_number = 2")
    names = {name for (name,) in final}
    assert len(names) == 8
    assert not {"Carter", "White"} & names


@pytest.mark.parametrize("scores", ["carry", "reset"])
def test_a_ranking_of_the_period(db: sqlite3.Connection, scores: str) -> None:
    """Round 2 alone at 6-3-1 (systeem Boon), whether or not the main table goes on."""
    db.executescript(
        "UPDATE scoring SET points = CASE kind WHEN 'win' THEN 6 WHEN 'draw' THEN 3 ELSE 1 END"
        " WHERE kind IN ('win', 'draw', 'loss');"
        f"INSERT INTO period (tournament_id, first_round, name, scores)"
        f" VALUES (1, 1, 'First', 'carry'), (1, 2, 'Second', '{scores}');"
    )
    found = dict(db.execute("SELECT name, points FROM period_standings WHERE first_round = 2"))
    assert found == {
        "Harrison": 6, "Brown": 6, "Petersen": 6, "Butcher": 3, "Smith": 3, "Carter": 3,
        "White": 3, "Johnson": 1, "Baker": 1, "Higgins": 1,
    }  # fmt: skip
    first = dict(db.execute("SELECT name, points FROM period_standings WHERE first_round = 1"))
    assert (first["Johnson"], first["Baker"], first["Petersen"]) == (6, 3, 1)


def test_promotion_and_relegation(db: sqlite3.Connection) -> None:
    """Two up from the lower group (V 3 + 4, U 4 + 0), two down from the one above."""
    db.executescript(
        "INSERT INTO tournament (id, description, above) VALUES (2, 'B', 1);"
        "INSERT INTO player (id, name, rating) VALUES (11, 'U', 1300), (12, 'V', 1200),"
        " (13, 'W', 1100), (14, 'X', 1000);"
        "INSERT INTO x_player_tournament (player_id, tournament_id)"
        " VALUES (11, 2), (12, 2), (13, 2), (14, 2);"
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (2, 1, 11, 12, '0-1'), (2, 1, 13, 14, '0-1');"
        "UPDATE rules SET promoted = 2 WHERE tournament_id = 2;"
    )
    found = db.execute("SELECT name, direction, to_tournament_id FROM promotions").fetchall()
    assert sorted(found) == [
        ("Carter", "down", 2), ("U", "up", 1), ("V", "up", 1), ("White", "down", 2),
    ]  # fmt: skip
