CREATE VIEW _draft (
  -- A row per tournament whose last round is a draft: paired, but neither published
  -- nor begun. Who comes and who meets whom can still change.

  tournament_id,
  -- That round.
  round_number
) AS
SELECT l.tournament_id, l.round_number
FROM _last_round AS l
WHERE l.round_number > 0
  -- Every game has a board: named, so that only those of the round are looked at.
  AND NOT EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = l.tournament_id
    AND g.round_number = l.round_number AND g.board > 0 AND g.result IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM schedule AS s WHERE s.tournament_id = l.tournament_id
    AND s.round_number = l.round_number AND s.published_at IS NOT NULL);
