CREATE VIEW _current_round (
  -- A row per tournament: the round whose table is worth looking at, the last
  -- with a result, or without any open board (a bye alone).

  -- tournament.id.
  tournament_id,
  -- 0 before the first result.
  round_number
) AS
SELECT l.tournament_id,
  CASE WHEN EXISTS (SELECT 1 FROM round AS g
      WHERE g.tournament_id = l.tournament_id
        AND g.round_number = l.round_number AND g.result IS NULL)
    THEN max(
      COALESCE((SELECT max(g.round_number) FROM round AS g
        WHERE g.tournament_id = l.tournament_id AND g.result IS NOT NULL), 0),
      COALESCE((SELECT max(n.round_number) FROM unplayed AS n
        WHERE n.tournament_id = l.tournament_id AND n.kind = 'bye'
          AND NOT EXISTS (SELECT 1 FROM round AS g
            WHERE g.tournament_id = n.tournament_id
              AND g.round_number = n.round_number)), 0))
    ELSE l.round_number END
FROM _last_round AS l;
