CREATE VIEW _score_due (
  -- A row per row of ranking of a tournament that limits or rounds its scores:
  -- what becomes of the sum of the lines. Empty for all others.

  -- tournament.id.
  tournament_id,
  -- The ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- Held between rules.min_score and max_score, then rounded half up to
  -- score_decimals, in units.
  units
) AS
-- Each figure stands here once: SQLite would compute it anew wherever it is named. Half up
-- below 0 too, where whole-number division cuts towards 0: hence 6e15 units more before it.
SELECT r.tournament_id, r.round_number, r.player_id,
  (max(COALESCE(CAST(round(u.min_score * 1000) AS INTEGER) * 6000, -6000000000000000),
      min(COALESCE(CAST(round(u.max_score * 1000) AS INTEGER) * 6000, 6000000000000000),
        r.score_units - r.adjustment_units))
    + CASE u.score_decimals WHEN 0 THEN 3000000 WHEN 1 THEN 300000 WHEN 2 THEN 30000
      WHEN 3 THEN 3000 ELSE 0 END + 6000000000000000)
    / CASE u.score_decimals WHEN 0 THEN 6000000 WHEN 1 THEN 600000 WHEN 2 THEN 60000
      WHEN 3 THEN 6000 ELSE 1 END
    * CASE u.score_decimals WHEN 0 THEN 6000000 WHEN 1 THEN 600000 WHEN 2 THEN 60000
      WHEN 3 THEN 6000 ELSE 1 END
    - 6000000000000000
FROM rules AS u
CROSS JOIN ranking AS r ON r.tournament_id = u.tournament_id
WHERE r.in_list AND r.rank_before IS NOT NULL
  AND (u.min_score IS NOT NULL OR u.max_score IS NOT NULL
    OR u.score_decimals IS NOT NULL);
