CREATE VIEW z_iterated (
  -- A row per tournament whose rules settle standings, and from which round on.

  tournament_id,
  -- 1 or, where only the current standings are settled, the round of these.
  first_round
) AS
SELECT u.tournament_id,
  CASE u.recalculation WHEN 'latest' THEN max(1, (SELECT current_round FROM tournament
    WHERE id = u.tournament_id)) ELSE 1 END
FROM rules AS u
WHERE u.recalculation IN ('settled', 'latest');
