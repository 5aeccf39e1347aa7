CREATE VIEW _current_round (
  -- A row per tournament: the round whose table is worth looking at, the last
  -- with a result, or of byes alone.

  tournament_id,
  -- 0 before the first result.
  round_number
) AS
SELECT t.id, max(
  -- From the last round back: a game has a board, which leads to the index of rounds.
  COALESCE((SELECT g.round_number FROM round AS g
    WHERE g.tournament_id = t.id AND g.board > 0 AND g.result IS NOT NULL
    ORDER BY g.round_number DESC LIMIT 1), 0),
  COALESCE((SELECT max(n.round_number) FROM unplayed AS n
    WHERE n.tournament_id = t.id AND n.kind = 'bye'
      AND NOT EXISTS (SELECT 1 FROM round AS g
        WHERE g.tournament_id = n.tournament_id
          AND g.round_number = n.round_number)), 0))
FROM tournament AS t;
