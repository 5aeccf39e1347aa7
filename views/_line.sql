CREATE VIEW _line (
  -- A row per line of a Keizer score: player, table (the ranking after
  -- round_number) and what he is credited for. All lines of a table, the game
  -- of round 1 as much as the last, are valued at ranking.value_before of that
  -- table: this is the revaluation. (Unless rules.recalculation is 'frozen' or
  -- 'lagged', which take it from an earlier table.) Their sum is the score, by
  -- construction, but for ranking.adjustment_units.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- The round the line is for; NULL for lines of the entry.
  played_in,
  -- A kind of scoring, or 'correction'; NULL for an open game.
  kind,
  -- The kind it brings the amount of; NULL for nothing.
  credited_as,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- player.id of the other side; NULL without a game.
  opponent_id,
  -- A result of table outcome; NULL while open or without a game.
  result,
  -- How many times it counts: rounds missed for a late start, helpings of the
  -- Aalsmeer bonus, else 1.
  times,
  -- How often the amount is halved.
  halvings,
  -- 1 when the opponent is out, and withdrawn_factor counts.
  withdrawn,
  -- The value the factor is applied to, in units.
  value_units,
  -- times x (factor x value + fixed), halved, and rounded half up to
  -- rules.line_decimals, else to a unit; in units.
  units,
  -- Classical points, in units.
  points_units,
  -- 1 for a game that counts as played and has its result.
  played
) AS
-- The own value, Aalsmeer's helpings of it, and rounds missed by a late start.
SELECT tournament_id, round_number, player_id, NULL AS played_in, kind,
  kind AS credited_as, NULL AS colour, NULL AS opponent_id, NULL AS result,
  times, 0 AS halvings, 0 AS withdrawn, value_units,
  COALESCE((2 * times * (factor_units * value_units + 6000 * fixed_units)
    + 6000 * line_unit) / (12000 * line_unit) * line_unit, 0) AS units,
  0 AS points_units, 0 AS played
FROM (
  SELECT me.tournament_id, me.round_number, me.player_id, s.kind,
    CASE s.kind
      WHEN 'own value' THEN 1
      WHEN 'late start' THEN e.first_round - me.counts_from
      ELSE min(u.bonus, u.bonus + u.bonus_rounds
        - (me.round_number - me.counts_from + 1)) END AS times,
    CASE WHEN s.kind = 'own value' AND u.own_value_at = 'start'
        AND me.value_before_units IS NOT NULL
      THEN (SELECT first.value_units FROM ranking AS first
        WHERE first.tournament_id = me.tournament_id
          AND first.round_number = e.first_round - 1
          AND first.player_id = me.player_id)
      ELSE me.value_before_units END AS value_units,
    s.factor_units,
    CASE WHEN me.rank_before IS NOT NULL THEN s.fixed_units END AS fixed_units,
    u.line_unit
  FROM ranking AS me
  CROSS JOIN x_player_tournament AS e
    ON e.tournament_id = me.tournament_id AND e.player_id = me.player_id
  CROSS JOIN rules AS u ON u.tournament_id = me.tournament_id
  CROSS JOIN scoring AS s
    ON s.tournament_id = me.tournament_id
    AND s.kind IN ('own value', 'aalsmeer', 'late start')
  WHERE s.kind = 'own value'
    OR (s.kind = 'late start' AND e.first_round > me.counts_from)
    OR (s.kind = 'aalsmeer' AND u.bonus + u.bonus_rounds
      > me.round_number - me.counts_from + 1 AND u.bonus > 0)
)
UNION ALL
-- Every game so far, at the opponent's value: as White, as Black.
SELECT g.tournament_id, source.round_number, g.white, g.round_number,
  o.white_kind, o.white_kind, 'white', g.black, g.result, 1, 0, 0,
  source.value_before_units,
  COALESCE((2 * (s.factor_units * source.value_before_units + 6000 * s.fixed_units)
    + 6000 * u.line_unit) / (12000 * u.line_unit) * u.line_unit, 0),
  COALESCE(s.points_units, 0),
  COALESCE(s.counts_as_game, 0)
FROM rules AS u
CROSS JOIN ranking AS source ON source.tournament_id = u.tournament_id
CROSS JOIN round AS g
  ON g.tournament_id = source.tournament_id AND g.black = source.player_id
  AND g.round_number BETWEEN source.counts_from AND source.round_number
LEFT JOIN outcome AS o ON o.result = g.result
LEFT JOIN scoring AS s
  ON s.tournament_id = g.tournament_id AND s.kind = o.white_kind
WHERE source.in_list AND u.recalculation NOT IN ('frozen', 'lagged')
UNION ALL
SELECT g.tournament_id, source.round_number, g.black, g.round_number,
  o.black_kind, o.black_kind, 'black', g.white, g.result, 1, 0, 0,
  source.value_before_units,
  COALESCE((2 * (s.factor_units * source.value_before_units + 6000 * s.fixed_units)
    + 6000 * u.line_unit) / (12000 * u.line_unit) * u.line_unit, 0),
  COALESCE(s.points_units, 0),
  COALESCE(s.counts_as_game, 0)
FROM rules AS u
CROSS JOIN ranking AS source ON source.tournament_id = u.tournament_id
CROSS JOIN round AS g
  ON g.tournament_id = source.tournament_id AND g.white = source.player_id
  AND g.round_number BETWEEN source.counts_from AND source.round_number
LEFT JOIN outcome AS o ON o.result = g.result
LEFT JOIN scoring AS s
  ON s.tournament_id = g.tournament_id AND s.kind = o.black_kind
WHERE source.in_list AND u.recalculation NOT IN ('frozen', 'lagged')
UNION ALL
-- Every round so far without a game, at his own.
SELECT n.tournament_id, source.round_number, n.player_id, n.round_number,
  n.kind, n.credited_as, NULL, NULL, NULL, 1, n.halvings, 0,
  source.value_before_units,
  COALESCE((2 * (s.factor_units * source.value_before_units + 6000 * s.fixed_units)
    + (6000 * u.line_unit << n.halvings)) / (12000 * u.line_unit << n.halvings)
    * u.line_unit, 0),
  COALESCE(s.points_units, 0),
  COALESCE(s.counts_as_game, 0)
FROM rules AS u
CROSS JOIN unplayed AS n ON n.tournament_id = u.tournament_id
CROSS JOIN ranking AS source
  ON source.tournament_id = n.tournament_id
  AND source.round_number >= n.round_number
  AND source.player_id = n.player_id
  AND source.counts_from <= n.round_number
LEFT JOIN scoring AS s
  ON s.tournament_id = n.tournament_id AND s.kind = n.credited_as
WHERE source.in_list AND u.recalculation NOT IN ('frozen', 'lagged')
UNION ALL
-- The same at the values of an earlier table.
SELECT p.tournament_id, me.round_number, p.player_id, p.round_number,
  p.kind, p.credited_as, p.colour, p.opponent_id, p.result, 1, p.halvings, 0,
  source.value_before_units,
  COALESCE((2 * (s.factor_units * source.value_before_units + 6000 * s.fixed_units)
    + (6000 * u.line_unit << p.halvings)) / (12000 * u.line_unit << p.halvings)
    * u.line_unit, 0),
  COALESCE(s.points_units, 0),
  COALESCE(s.counts_as_game, 0)
FROM _dated_round AS p
CROSS JOIN rules AS u ON u.tournament_id = p.tournament_id
CROSS JOIN ranking AS me
  ON me.tournament_id = p.tournament_id
  AND me.round_number >= p.round_number AND me.player_id = p.player_id
  AND me.counts_from <= p.round_number
CROSS JOIN ranking AS source
  ON source.tournament_id = p.tournament_id
  AND source.round_number = max(p.round_number, me.round_number - p.lag)
  AND source.player_id = COALESCE(p.opponent_id, p.player_id)
LEFT JOIN scoring AS s
  ON s.tournament_id = p.tournament_id AND s.kind = p.credited_as
WHERE source.in_list
UNION ALL
-- Games against who has withdrawn and is out: a share of the own value.
SELECT p.tournament_id, me.round_number, p.player_id, p.round_number,
  p.kind, p.kind, p.colour, p.opponent_id, p.result, 1, 0, 1,
  own.value_before_units,
  COALESCE((2 * (s.withdrawn_factor_units * own.value_before_units
    + 6000 * s.fixed_units) + 6000 * u.line_unit) / (12000 * u.line_unit)
    * u.line_unit, 0),
  COALESCE(s.points_units, 0),
  COALESCE(s.counts_as_game, 0)
FROM _game_with_withdrawn AS p
CROSS JOIN rules AS u ON u.tournament_id = p.tournament_id
CROSS JOIN ranking AS me
  ON me.tournament_id = p.tournament_id
  AND me.round_number >= p.round_number AND me.player_id = p.player_id
  AND me.counts_from <= p.round_number
CROSS JOIN ranking AS own
  ON own.tournament_id = p.tournament_id
  AND own.round_number = CASE p.recalculation WHEN 'frozen' THEN p.round_number
    WHEN 'lagged' THEN max(p.round_number, me.round_number - 1)
    ELSE me.round_number END
  AND own.player_id = p.player_id
LEFT JOIN scoring AS s
  ON s.tournament_id = p.tournament_id AND s.kind = p.kind
UNION ALL
-- What the director gave or took.
SELECT c.tournament_id, me.round_number, c.player_id, NULL, 'correction',
  'correction', NULL, NULL, NULL, 1, 0, 0, NULL,
  CAST(round(c.points * 1000) AS INTEGER) * 6000, 0, 0
FROM correction AS c
CROSS JOIN ranking AS me
  ON me.tournament_id = c.tournament_id AND me.player_id = c.player_id
  AND me.round_number >= c.round_number
  AND me.round_number <= COALESCE(c.last_round, 999)
  AND me.counts_from <= max(1, c.round_number)
  AND me.rank_before IS NOT NULL;
