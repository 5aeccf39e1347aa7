CREATE VIEW _coming_round (
  -- A row per tournament: the round that people sign off from and are paired in,
  -- a draft or else the one after the last.

  tournament_id,
  -- From 1.
  round_number
) AS
SELECT l.tournament_id,
  l.round_number + NOT EXISTS (SELECT 1 FROM _draft AS d
    WHERE d.tournament_id = l.tournament_id)
FROM _last_round AS l;
