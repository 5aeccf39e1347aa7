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
  -- What the formula alone does not show: the cap or condition by which it is not credited as
  -- its kind, exception, halving, opponent who has withdrawn, rounding, the reason of a
  -- correction; else NULL.
  note,
  -- The table of the fact that the line comes from, and the id there; NULL for a
  -- limit.
  fact, fact_id,
  -- player.id of the opponent; NULL without a game.
  opponent_id,
  -- The note as an English template, in which {name} is a fact, and the facts as JSON. One that
  -- is a message itself, or several, is an object of these two again.
  message, facts
) AS
SELECT tournament_id, round_number, player_id, name, CAST(played_in AS INTEGER),
  CAST(kind AS TEXT), CAST(colour AS TEXT), opponent, result, CAST(times AS INTEGER), factor,
  CAST(value AS REAL), CAST(fixed AS REAL), CAST(points AS REAL),
  CAST(CASE WHEN odd THEN NULLIF(substr(
    COALESCE(', ' || reason, '') || COALESCE(', counts as ' || other, '')
      -- What kinds are called is put in last, for nothing may be put in that.
      || COALESCE(', ' || substr('not credited: ', 1 + 14 * credited)
        || replace(replace(barred, '{number}', most), '{kinds}', replace(kinds, char(10), ', ')),
        '')
      || COALESCE(', ' || replace(halved, '{number}', halvings), '')
      || COALESCE(', ' || share, '') || COALESCE(', ' || replace(rounded, '{unit}', unit), ''),
    3), '') END AS TEXT),
  CAST(fact AS TEXT), fact_id, CAST(opponent_id AS INTEGER),
  CAST(CASE WHEN odd AND COALESCE(reason, other, barred, halved, share, rounded) IS NOT NULL
    THEN '{notes}' END AS TEXT),
  CAST(CASE WHEN odd AND COALESCE(reason, other, barred, halved, share, rounded) IS NOT NULL
    THEN '{"notes":[' || substr(
      COALESCE(',{"message":"{reason}","facts":{"reason":"'
        || replace(replace(reason, '\', '\\'), '"', '\"') || '"}}', '')
      || COALESCE(',{"message":"counts as {kind}","facts":{"kind":{"message":"'
        || replace(replace(other, '\', '\\'), '"', '\"') || '","facts":{}}}}', '')
      || COALESCE(CASE WHEN credited THEN ','
          ELSE ',{"message":"not credited: {why}","facts":{"why":' END || '{"message":"'
        || barred || '","facts":{"number":' || most || ',"kinds":[{"message":"'
        || replace(replace(replace(kinds, '\', '\\'), '"', '\"'), char(10),
          '","facts":{}},{"message":"')
        || '","facts":{}}]}}' || CASE WHEN credited THEN '' ELSE '}}' END, '')
      || COALESCE(',{"message":"' || halved || '","facts":{"number":' || halvings || '}}', '')
      || COALESCE(',{"message":"' || share || '","facts":{}}', '')
      || COALESCE(',{"message":"' || rounded || '","facts":{"unit":'
        || CASE typeof(unit) WHEN 'text' THEN '"' || unit || '"' ELSE unit END || '}}', ''), 2)
    || ']}' END AS TEXT)
FROM (
  SELECT line.tournament_id, line.round_number, line.player_id, player.name,
    line.played_in,
    COALESCE(line.kind, g.result, 'open') AS kind,
    CASE line.player_id WHEN g.white THEN 'white' WHEN g.black THEN 'black' END AS colour,
    opponent.name AS opponent, g.result, line.times,
    CASE line.withdrawn WHEN 1 THEN s.withdrawn_factor ELSE s.factor END AS factor,
    line.value_units / 6000000.0 AS value, s.fixed, line.units / 6000000.0 AS points,
    line.fact, line.fact_id, opponent.id AS opponent_id,
    -- Only then is there anything to say.
    line.kind IS NOT line.credited_as OR line.halvings OR line.withdrawn
      OR rules.line_rounding IS NOT NULL AS odd,
    CASE line.kind WHEN 'correction'
      THEN (SELECT c.reason FROM correction AS c WHERE c.id = line.fact_id) END AS reason,
    NULLIF(line.credited_as, line.kind) AS other, line.credited_as IS NOT NULL AS credited,
    CASE WHEN line.kind IS NOT line.credited_as THEN CASE n.capped_by
      WHEN 'season_cap' THEN CASE cap.season_cap
        WHEN 1 THEN 'the cap of {number} {kinds} round in the season is reached'
        ELSE 'the cap of {number} {kinds} rounds in the season is reached' END
      WHEN 'period_cap' THEN CASE cap.period_cap
        WHEN 1 THEN 'the cap of {number} {kinds} round in the period is reached'
        ELSE 'the cap of {number} {kinds} rounds in the period is reached' END
      WHEN 'first_rounds' THEN '{kinds} rounds count only up to round {number}'
      WHEN 'last_rounds' THEN CASE cap.last_rounds
        WHEN 1 THEN '{kinds} rounds do not count in the last round'
        ELSE '{kinds} rounds do not count in the last {number} rounds' END
      WHEN 'after_game' THEN '{kinds} rounds count only after the first game' END END AS barred,
    CASE n.capped_by WHEN 'season_cap' THEN cap.season_cap WHEN 'period_cap' THEN cap.period_cap
      WHEN 'first_rounds' THEN cap.first_rounds WHEN 'last_rounds' THEN cap.last_rounds
      ELSE cap.after_game END AS most,
    -- For a cap, those that count together.
    (SELECT group_concat(kind, char(10)) FROM (SELECT k.kind FROM scoring AS k
      WHERE k.tournament_id = cap.tournament_id AND CASE WHEN n.capped_by GLOB '*_cap'
        THEN COALESCE(k.counts_with, k.kind) = COALESCE(cap.counts_with, cap.kind)
        ELSE k.kind = cap.kind END
      ORDER BY k.kind)) AS kinds,
    CASE line.halvings WHEN 0 THEN NULL WHEN 1 THEN 'halved {number} time'
      ELSE 'halved {number} times' END AS halved, line.halvings,
    CASE WHEN line.withdrawn AND line.credited_as IS NOT NULL
      THEN 'opponent has withdrawn: share of the own value' END AS share,
    CASE WHEN rules.line_rounding IS NOT NULL AND line.kind <> 'correction'
        AND line.units <> (line.times * (COALESCE(CASE line.withdrawn
            WHEN 1 THEN s.withdrawn_factor_units ELSE s.factor_units END
            * line.value_units / 6000, 0) + COALESCE(s.fixed_units, 0)) >> line.halvings)
      THEN 'rounded' END AS rounded, rules.line_rounding AS unit
  FROM z_line AS line
  JOIN player ON player.id = line.player_id
  JOIN rules ON rules.tournament_id = line.tournament_id
  LEFT JOIN round AS g ON g.id = line.fact_id AND line.fact = 'round'
  LEFT JOIN player AS opponent
    ON opponent.id = CASE line.player_id WHEN g.white THEN g.black ELSE g.white END
  LEFT JOIN scoring AS s
    ON s.tournament_id = line.tournament_id AND s.kind = line.credited_as
  LEFT JOIN unplayed AS n ON n.id = CASE WHEN line.kind IS NOT line.credited_as
    AND line.fact = 'unplayed' THEN line.fact_id END
  LEFT JOIN scoring AS cap ON cap.tournament_id = n.tournament_id
    AND cap.kind = COALESCE((SELECT e.counts_as FROM exception AS e
      WHERE e.tournament_id = n.tournament_id AND e.player_id = n.player_id
        AND e.kind = n.kind), n.kind)
  WHERE EXISTS (SELECT 1 FROM ranking_list AS r WHERE r.tournament_id = line.tournament_id
    AND r.round_number = line.round_number AND r.player_id = line.player_id)
  UNION ALL
  SELECT r.tournament_id, r.round_number, r.player_id, player.name,
    NULL, 'limit', NULL, NULL, NULL, 1, CAST(NULL AS NUMERIC), NULL, NULL,
    r.adjustment_units / 6000000.0, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0,
    CASE WHEN s.cycle > 1 AND rules.cycle_takes = 'scores'
      THEN 'the mean of standings that repeat' END,
    CASE WHEN rules.score_rounding IS NOT NULL
      THEN 'the score is rounded to a multiple of {unit}' END, rules.score_rounding
  FROM ranking_list AS r
  JOIN player ON player.id = r.player_id
  JOIN rules ON rules.tournament_id = r.tournament_id
  LEFT JOIN settling AS s
    ON s.tournament_id = r.tournament_id AND s.round_number = r.round_number
  WHERE r.adjustment_units <> 0
);
