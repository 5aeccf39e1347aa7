CREATE VIEW explanation (
  -- A row per line of a Keizer score, in words and figures. It brings
  --   points = times x (factor x value + fixed), halved, and rounded.
  -- The lines of one player and round_number add up to the score after it,
  -- whatever the rules: what a cap, a limit or rounding did has its own line or
  -- stands in the note.

  tournament_id, round_number, player_id, name,
  -- The round that the line is for; NULL for lines of the entry, corrections and limits.
  played_in,
  -- A kind of scoring; 'open' for a game without a result, 'void', 'correction', or
  -- 'limit' for what rules.score_rounding added, or the mean of the scores of standings that
  -- repeat.
  kind,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- Name of the other side; NULL without a game.
  opponent,
  -- As on the score sheet, White first.
  result,
  -- How many times the line counts.
  times,
  -- As stored in scoring, of the kind credited; withdrawn_factor where that counts.
  factor,
  -- What the factor is applied to: the opponent's value for a game, else the own value
  -- (also against an opponent who is out).
  value,
  -- In points, from scoring.
  fixed,
  -- What the line brings, in points.
  points,
  -- What the formula alone does not show: cap, halving, exception, opponent who has
  -- withdrawn, rounding, the reason of a correction; else NULL.
  note,
  -- The table of the fact that the line comes from, and the id there; NULL for a
  -- limit.
  fact, fact_id,
  -- player.id of the opponent; NULL without a game.
  opponent_id
) AS
SELECT tournament_id, round_number, player_id, name, CAST(played_in AS INTEGER),
  CAST(kind AS TEXT), CAST(colour AS TEXT), opponent, result, CAST(times AS INTEGER), factor,
  CAST(value AS REAL), CAST(fixed AS REAL), CAST(points AS REAL), CAST(note AS TEXT),
  CAST(fact AS TEXT), fact_id, CAST(opponent_id AS INTEGER)
FROM (
  SELECT line.tournament_id, line.round_number, line.player_id, player.name,
    line.played_in,
    COALESCE(line.kind, g.result, 'open') AS kind,
    CASE line.player_id WHEN g.white THEN 'white' WHEN g.black THEN 'black' END AS colour,
    opponent.name AS opponent, g.result, line.times,
    CASE line.withdrawn WHEN 1 THEN s.withdrawn_factor ELSE s.factor END AS factor,
    line.value_units / 6000000.0 AS value, s.fixed, line.units / 6000000.0 AS points,
    NULLIF(ltrim(
      CASE
        WHEN line.kind = 'correction' THEN COALESCE((SELECT c.reason
          FROM correction AS c WHERE c.id = line.fact_id), '')
        WHEN line.kind IS NULL OR line.kind = line.credited_as THEN ''
        WHEN line.credited_as IS NULL THEN 'not credited: a cap or condition applies'
        ELSE 'counts as ' || line.credited_as END
      || CASE WHEN line.halvings > 0
        THEN ', halved ' || line.halvings
          || CASE line.halvings WHEN 1 THEN ' time' ELSE ' times' END
        ELSE '' END
      || CASE WHEN line.withdrawn AND line.credited_as IS NOT NULL
        THEN ', opponent has withdrawn: share of the own value' ELSE '' END
      || CASE WHEN rules.line_rounding IS NOT NULL AND line.kind <> 'correction'
          AND line.units <> (line.times * (COALESCE(CASE line.withdrawn
              WHEN 1 THEN s.withdrawn_factor_units ELSE s.factor_units END
              * line.value_units / 6000, 0) + COALESCE(s.fixed_units, 0)) >> line.halvings)
        THEN ', rounded' ELSE '' END, ', '), '') AS note,
    line.fact, line.fact_id, opponent.id AS opponent_id
  FROM z_line AS line
  JOIN player ON player.id = line.player_id
  JOIN rules ON rules.tournament_id = line.tournament_id
  LEFT JOIN round AS g ON g.id = line.fact_id AND line.fact = 'round'
  LEFT JOIN player AS opponent
    ON opponent.id = CASE line.player_id WHEN g.white THEN g.black ELSE g.white END
  LEFT JOIN scoring AS s
    ON s.tournament_id = line.tournament_id AND s.kind = line.credited_as
  WHERE EXISTS (SELECT 1 FROM ranking_list AS r WHERE r.tournament_id = line.tournament_id
    AND r.round_number = line.round_number AND r.player_id = line.player_id)
  UNION ALL
  SELECT r.tournament_id, r.round_number, r.player_id, player.name,
    NULL, 'limit', NULL, NULL, NULL, 1, CAST(NULL AS NUMERIC), NULL, NULL,
    r.adjustment_units / 6000000.0,
    CASE WHEN s.cycle > 1 AND rules.cycle_takes = 'scores'
      THEN 'the mean of standings that repeat' ELSE 'the score is rounded' END,
    NULL, NULL, NULL
  FROM ranking_list AS r
  JOIN player ON player.id = r.player_id
  JOIN rules ON rules.tournament_id = r.tournament_id
  LEFT JOIN settling AS s
    ON s.tournament_id = r.tournament_id AND s.round_number = r.round_number
  WHERE r.adjustment_units <> 0
);
