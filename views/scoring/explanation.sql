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
  -- The note as English templates, a line each, in which {reason} is column reason; {why} is
  -- why_message. NULL without a note.
  message, why_message,
  -- Of a correction.
  reason,
  -- The kind that the line counts as, where that is another.
  counts_as,
  -- For why_message: the number in it (a cap, or a round), and the kinds, a line each.
  number, kinds,
  -- How many times what the line brings was halved; 0 for not.
  halvings,
  -- What the line or the score is rounded to: a number, or a text such as 1/3.
  unit
) AS
SELECT tournament_id, round_number, player_id, name, CAST(played_in AS INTEGER),
  CAST(kind AS TEXT), CAST(colour AS TEXT), opponent, result, CAST(times AS INTEGER), factor,
  CAST(value AS REAL), CAST(fixed AS REAL), CAST(points AS REAL),
  -- What people typed is put in last, for nothing may be put in that.
  CAST(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(message, char(10), ', '), '{why}', COALESCE(why_message, '')),
    '{number}', COALESCE(number, '')), '{halvings}', halvings), '{unit}', COALESCE(unit, '')),
    '{counts_as}', COALESCE(replace(counts_as, '{', char(1)), '')),
    '{kinds}', COALESCE(replace(replace(kinds, '{', char(1)), char(10), ', '), '')),
    '{reason}', COALESCE(reason, '')), char(1), '{') AS TEXT),
  CAST(fact AS TEXT), fact_id, CAST(opponent_id AS INTEGER), CAST(message AS TEXT),
  CAST(why_message AS TEXT), CAST(reason AS TEXT), CAST(counts_as AS TEXT), CAST(number AS INTEGER),
  CAST(kinds AS TEXT), CAST(halvings AS INTEGER), unit
FROM (
  SELECT *, CASE WHEN odd THEN NULLIF(substr(
      CASE WHEN reason IS NULL THEN '' ELSE char(10) || '{reason}' END
      || CASE WHEN counts_as IS NULL THEN '' ELSE char(10) || 'counts as {counts_as}' END
      || CASE WHEN why_message IS NULL THEN '' WHEN credited THEN char(10) || '{why}'
        ELSE char(10) || 'not credited: {why}' END
      || CASE halvings WHEN 0 THEN '' WHEN 1 THEN char(10) || 'halved {halvings} time'
        ELSE char(10) || 'halved {halvings} times' END
      || COALESCE(char(10) || share, '') || COALESCE(char(10) || rounded, ''), 2), '')
    END AS message
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
      NULLIF(line.credited_as, line.kind) AS counts_as, line.credited_as IS NOT NULL AS credited,
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
        WHEN 'after_game' THEN '{kinds} rounds count only after the first game' END
        END AS why_message,
      CASE n.capped_by WHEN 'season_cap' THEN cap.season_cap WHEN 'period_cap' THEN cap.period_cap
        WHEN 'first_rounds' THEN cap.first_rounds WHEN 'last_rounds' THEN cap.last_rounds
        ELSE cap.after_game END AS number,
      -- For a cap, those that count together.
      (SELECT group_concat(kind, char(10)) FROM (SELECT k.kind FROM scoring AS k
        WHERE k.tournament_id = cap.tournament_id AND CASE WHEN n.capped_by GLOB '*_cap'
          THEN COALESCE(k.counts_with, k.kind) = COALESCE(cap.counts_with, cap.kind)
          ELSE k.kind = cap.kind END
        ORDER BY k.kind)) AS kinds,
      line.halvings,
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
      r.adjustment_units / 6000000.0, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, NULL, NULL, 0,
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
  )
);
