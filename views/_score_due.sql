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
SELECT tournament_id, round_number, player_id,
  CASE WHEN score_decimals IS NULL THEN units
    -- Half up below 0 too, where whole-number division cuts towards 0.
    ELSE (units + half) / (2 * half) * (2 * half)
      - ((units + half) % (2 * half) < 0) * (2 * half) END
FROM (
  SELECT *, max(capped, COALESCE(lowest, capped)) AS units
  FROM (
    SELECT r.tournament_id, r.round_number, r.player_id, u.score_decimals,
      CASE u.score_decimals WHEN 0 THEN 3000000 WHEN 1 THEN 300000
        WHEN 2 THEN 30000 ELSE 3000 END AS half,
      CAST(round(u.min_score * 1000) AS INTEGER) * 6000 AS lowest,
      min(r.score_units - r.adjustment_units,
        COALESCE(CAST(round(u.max_score * 1000) AS INTEGER) * 6000,
          r.score_units - r.adjustment_units)) AS capped
    FROM rules AS u
    CROSS JOIN ranking AS r ON r.tournament_id = u.tournament_id
    WHERE r.in_list AND r.rank_before IS NOT NULL
      AND (u.min_score IS NOT NULL OR u.max_score IS NOT NULL
        OR u.score_decimals IS NOT NULL)
  )
);
