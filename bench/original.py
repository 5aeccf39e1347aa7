"""The original SQLite Keizer project, made again from its description: original.sql."""

import sqlite3
from pathlib import Path
from typing import Any

from conformance.seasons import Season

UPDATE = """
WITH new_ranking AS (
  SELECT tournament_id, player_id, name, round_number, score,
    51 - row_number() OVER (ORDER BY score DESC) AS new_score
  FROM (
    SELECT rnk1.tournament_id, rnk1.round_number, p.rowid AS player_id, p.name,
      rnk1.score + (
        SELECT sum(s.score) FROM scores s
        WHERE s.player_id = p.rowid
          AND s.round_number = rnk1.round_number
          AND s.tournament_id = rnk1.tournament_id
      ) AS score
    FROM player p, ranking rnk1
    WHERE rnk1.player_id = p.rowid
      AND rnk1.round_number = :round
      AND rnk1.tournament_id = :tournament
  )
)
SELECT tournament_id, player_id, round_number + 1, new_score FROM new_ranking
"""
"""Its update query: the values of the next round."""

POINTS = """
UPDATE x_player_tournament
SET score = (
  SELECT r.score FROM results r
  WHERE r.tournament_id = x_player_tournament.tournament_id
    AND r.player_id = x_player_tournament.player_id
)
WHERE tournament_id = :tournament
"""
"""What it does beside, in every round."""

SCORES = """
SELECT rnk1.player_id, rnk1.score + sum(s.score)
FROM ranking rnk1
JOIN scores s ON s.player_id = rnk1.player_id
  AND s.round_number = rnk1.round_number
WHERE rnk1.round_number = :round AND rnk1.tournament_id = :tournament
GROUP BY rnk1.player_id
"""
"""The totals that its update query orders by."""


def database(
    season: Season, values: list[tuple[int, int, float]], engine: Any = sqlite3
) -> sqlite3.Connection:
    """Its database in memory with a season as tournament 1.

    Players are numbered from 1, and everybody has to have played.
    values: round, player and the value in force.
    """
    conn: sqlite3.Connection = engine.connect(":memory:", isolation_level=None)
    conn.executescript(
        Path(__file__).with_name("original.sql").read_text(encoding="utf-8")
    )
    conn.execute("BEGIN")
    conn.execute("INSERT INTO tournament VALUES ('season', 'running')")
    for entry in season.entries:
        player = (f"Player {entry.player}", entry.rating)
        conn.execute("INSERT INTO player (name, rating) VALUES (?, ?)", player)
        conn.execute(
            "INSERT INTO x_player_tournament VALUES (?, 1, 0, 'active')",
            (entry.player,),
        )
    for game in season.games:
        board = (game.round_number, game.white, game.black, game.result)
        conn.execute("INSERT INTO round VALUES (?, 1, ?, ?, ?, NULL)", board)
    conn.executemany(
        "INSERT INTO ranking (tournament_id, round_number, player_id, score) VALUES (1, ?, ?, ?)",
        values,
    )
    conn.execute("COMMIT")
    return conn
