CREATE VIEW _follow_up (
  -- A row per tournament: the round that follows the last, unless the scores begin anew
  -- in it, so that no game counts there.

  tournament_id, round_number,
  -- The round before it.
  last_round
) AS
SELECT l.tournament_id, CAST(l.round_number + 1 AS INTEGER), l.round_number
FROM _last_round AS l
WHERE NOT EXISTS (SELECT 1 FROM period AS p WHERE p.tournament_id = l.tournament_id
  AND p.first_round = l.round_number + 1 AND p.scores = 'reset');
