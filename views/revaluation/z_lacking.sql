CREATE VIEW z_lacking (
  -- A row per tournament whose rules ask for what the file does not compute: something of view
  -- on_demand that is not in it. (Triggers on every fact ask this, and SQLite would have to
  -- prepare all of on_demand for them.)

  tournament_id
) AS
SELECT u.tournament_id
FROM rules AS u
WHERE (u.own_value_at = 'new'
    AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'own_value_asked'))
  OR (u.recalculation IN ('settled', 'latest')
    AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'settling_asked'))
  OR (u.tiebreaks <> 'score,previous' AND EXISTS (
    SELECT 'order_asked' AS name
    UNION ALL
    SELECT t.view || '_asked' FROM tiebreak_order AS o
    JOIN tiebreak AS t ON t.name = o.name
    WHERE o.tournament_id = u.tournament_id AND o.position > 0
    EXCEPT SELECT name FROM sqlite_master));
