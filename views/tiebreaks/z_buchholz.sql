CREATE VIEW z_buchholz (
  -- A row per player, standings and name of the two families of Buchholz: the sum of
  -- z_buchholz_round without what is cut. Low cuts take voluntarily unplayed rounds
  -- first (FIDE C.07 16.5), then the least.

  tournament_id, round_number, player_id,
  -- 1 for fore-Buchholz.
  fore,
  -- tiebreak.name.
  name,
  -- In thousandths of a point.
  total
) AS
SELECT b.tournament_id, b.round_number, b.player_id, b.fore, t.name,
  b.total - CASE t.low_cuts WHEN 0 THEN 0 WHEN 1 THEN b.least ELSE b.two_least END
    - CASE t.high_cuts WHEN 0 THEN 0 WHEN 1 THEN b.most ELSE b.two_most END
FROM (
  SELECT tournament_id, round_number, player_id, fore, row_number() OVER mine AS number,
    COALESCE(sum(score) OVER mine, 0) AS total,
    COALESCE(sum(CASE low WHEN 1 THEN score END) OVER mine, 0) AS least,
    COALESCE(sum(CASE WHEN low <= 2 THEN score END) OVER mine, 0) AS two_least,
    -- Of what the low cuts left.
    COALESCE(max(CASE WHEN low > 1 THEN score END) OVER mine, 0) AS most,
    COALESCE(sum(CASE WHEN low > 2 AND high <= 2 THEN score END) OVER mine, 0) AS two_most
  FROM (
    SELECT tournament_id, round_number, player_id, fore, score, low, row_number() OVER (
        PARTITION BY tournament_id, round_number, player_id, fore
        ORDER BY low <= 2, score DESC) AS high
    FROM (
      SELECT tournament_id, round_number, player_id, fore, score, row_number() OVER (
          PARTITION BY tournament_id, round_number, player_id, fore
          ORDER BY score IS NULL, voluntary DESC, score) AS low
      FROM z_buchholz_round
    )
  )
  WINDOW mine AS (PARTITION BY tournament_id, round_number, player_id, fore)
) AS b
CROSS JOIN tiebreak AS t ON t.view
  = CASE b.fore WHEN 1 THEN 'tiebreak_fore_buchholz' ELSE 'tiebreak_buchholz' END
WHERE b.number = 1;
