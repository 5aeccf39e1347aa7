CREATE VIEW _line (
  -- A row per line of a Keizer score: player, list (the ranking after round_number)
  -- and what the player is credited for. All lines of a list, the game of round 1 as
  -- much as the last, are valued at ranking_list.value_before of that list: this is
  -- the revaluation. (Unless rules.recalculation is 'frozen' or 'lagged', which take
  -- it from an earlier list.) Their sum is the score, by construction, but for
  -- ranking_list.adjustment_units. Games have lines for the round after the last too.

  tournament_id, round_number, player_id,
  -- The round the line is for; NULL for lines of the entry.
  played_in,
  -- A kind of scoring, or 'correction'; NULL for a game that is open or void.
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
  -- The table of the fact that the line comes from, and the id there.
  fact, fact_id,
  -- times x (factor x value + fixed), halved, and rounded half up to
  -- rules.line_decimals, else to a unit; in units.
  units,
  -- Classical points, in units.
  points_units,
  -- 1 for a game that counts as played and has its result.
  played
) AS
SELECT item.tournament_id, item.round_number, item.player_id, played_in, item.kind,
  credited_as, colour, opponent_id, result, times, halvings, withdrawn,
  CASE WHEN item.kind IS NOT 'correction' THEN value_units END,
  CASE WHEN colour IS NOT NULL THEN 'round' WHEN played_in IS NOT NULL THEN 'unplayed'
    WHEN item.kind = 'correction' THEN 'correction' ELSE 'x_player_tournament' END,
  fact_id,
  -- What a correction gives stands in value_units, and there is no kind to it.
  COALESCE((2 * times * (CASE withdrawn WHEN 1 THEN s.withdrawn_factor_units
        ELSE s.factor_units END * value_units + 6000 * s.fixed_units)
      + (6000 * line_unit << halvings)) / (12000 * line_unit << halvings) * line_unit,
    CASE item.kind WHEN 'correction' THEN value_units ELSE 0 END),
  CASE WHEN played_in IS NULL THEN 0 ELSE COALESCE(s.points_units, 0) END,
  CASE WHEN played_in IS NULL THEN 0 ELSE COALESCE(s.counts_as_game, 0) END
FROM (
  -- The own value, Aalsmeer's helpings of it, and rounds missed by a late start.
  SELECT me.tournament_id, me.round_number, me.player_id, NULL AS played_in,
    s.kind, s.kind AS credited_as, NULL AS colour, NULL AS opponent_id, NULL AS result,
    CASE s.kind
      WHEN 'own value' THEN 1
      WHEN 'late start' THEN e.first_round - me.counts_from
      ELSE min(u.bonus, u.bonus + u.bonus_rounds
        - (me.round_number - me.counts_from + 1)) END AS times,
    0 AS halvings, 0 AS withdrawn,
    CASE WHEN s.kind = 'own value' AND u.own_value_at = 'start'
        AND me.value_before_units IS NOT NULL
      THEN (SELECT first.value_units FROM ranking_list AS first
        WHERE first.tournament_id = me.tournament_id
          AND first.round_number = e.first_round - 1
          AND first.player_id = me.player_id)
      ELSE me.value_before_units END AS value_units,
    e.id AS fact_id, u.line_unit
  FROM ranking_list AS me
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
  UNION ALL
  -- Every game so far, at the opponent's value: as White, as Black.
  SELECT g.tournament_id, source.round_number, g.white, g.round_number,
    o.white_kind, o.white_kind, 'white', g.black, g.result, 1, 0, 0,
    source.value_before_units, g.id, u.line_unit
  FROM rules AS u
  CROSS JOIN ranking_list AS source ON source.tournament_id = u.tournament_id
  CROSS JOIN round AS g
    ON g.tournament_id = source.tournament_id AND g.black = source.player_id
    AND g.round_number BETWEEN source.counts_from AND source.round_number
  LEFT JOIN outcome AS o ON o.result = g.result
  WHERE u.recalculation NOT IN ('frozen', 'lagged')
  UNION ALL
  SELECT g.tournament_id, source.round_number, g.black, g.round_number,
    o.black_kind, o.black_kind, 'black', g.white, g.result, 1, 0, 0,
    source.value_before_units, g.id, u.line_unit
  FROM rules AS u
  CROSS JOIN ranking_list AS source ON source.tournament_id = u.tournament_id
  CROSS JOIN round AS g
    ON g.tournament_id = source.tournament_id AND g.white = source.player_id
    AND g.round_number BETWEEN source.counts_from AND source.round_number
  LEFT JOIN outcome AS o ON o.result = g.result
  WHERE u.recalculation NOT IN ('frozen', 'lagged')
  UNION ALL
  -- The same for the round that follows, of which there is no list yet: for view scores.
  SELECT g.tournament_id, n.round_number, g.white, g.round_number,
    o.white_kind, o.white_kind, 'white', g.black, g.result, 1, 0, 0,
    source.value_units, g.id, u.line_unit
  FROM _follow_up AS n
  CROSS JOIN rules AS u ON u.tournament_id = n.tournament_id
  CROSS JOIN ranking_list AS source
    ON source.tournament_id = n.tournament_id AND source.round_number = n.last_round
  CROSS JOIN round AS g
    ON g.tournament_id = source.tournament_id AND g.black = source.player_id
    AND g.round_number BETWEEN source.counts_from AND source.round_number
  LEFT JOIN outcome AS o ON o.result = g.result
  WHERE u.recalculation NOT IN ('frozen', 'lagged')
  UNION ALL
  SELECT g.tournament_id, n.round_number, g.black, g.round_number,
    o.black_kind, o.black_kind, 'black', g.white, g.result, 1, 0, 0,
    source.value_units, g.id, u.line_unit
  FROM _follow_up AS n
  CROSS JOIN rules AS u ON u.tournament_id = n.tournament_id
  CROSS JOIN ranking_list AS source
    ON source.tournament_id = n.tournament_id AND source.round_number = n.last_round
  CROSS JOIN round AS g
    ON g.tournament_id = source.tournament_id AND g.white = source.player_id
    AND g.round_number BETWEEN source.counts_from AND source.round_number
  LEFT JOIN outcome AS o ON o.result = g.result
  WHERE u.recalculation NOT IN ('frozen', 'lagged')
  UNION ALL
  SELECT p.tournament_id, n.round_number, p.player_id, p.round_number,
    p.kind, p.kind, p.colour, p.opponent_id, p.result, 1, 0, 0,
    source.value_before_units, p.fact_id, u.line_unit
  FROM _follow_up AS n
  CROSS JOIN rules AS u ON u.tournament_id = n.tournament_id
  CROSS JOIN _dated_round AS p ON p.tournament_id = n.tournament_id
  CROSS JOIN ranking_list AS me
    ON me.tournament_id = n.tournament_id AND me.round_number = n.last_round
    AND me.player_id = p.player_id AND me.counts_from <= p.round_number
  CROSS JOIN ranking_list AS source
    ON source.tournament_id = n.tournament_id AND source.player_id = p.opponent_id
    AND source.round_number = max(p.round_number, n.round_number - p.lag)
  UNION ALL
  SELECT p.tournament_id, n.round_number, p.player_id, p.round_number,
    p.kind, p.kind, p.colour, p.opponent_id, p.result, 1, 0, 1,
    CASE WHEN u.recalculation IN ('frozen', 'lagged') THEN own.value_before_units
      ELSE own.value_units END, p.id, u.line_unit
  FROM _follow_up AS n
  CROSS JOIN rules AS u ON u.tournament_id = n.tournament_id
  CROSS JOIN _game_with_withdrawn AS p ON p.tournament_id = n.tournament_id
  CROSS JOIN ranking_list AS me
    ON me.tournament_id = n.tournament_id AND me.round_number = n.last_round
    AND me.player_id = p.player_id AND me.counts_from <= p.round_number
  CROSS JOIN ranking_list AS own
    ON own.tournament_id = n.tournament_id AND own.player_id = p.player_id
    AND own.round_number = CASE p.recalculation WHEN 'frozen' THEN p.round_number
      ELSE n.last_round END
  UNION ALL
  -- Every round so far without a game, at the player's own.
  SELECT n.tournament_id, source.round_number, n.player_id, n.round_number,
    n.kind, n.credited_as, NULL, NULL, NULL, 1, n.halvings, 0,
    source.value_before_units, n.id, u.line_unit
  FROM rules AS u
  CROSS JOIN unplayed AS n ON n.tournament_id = u.tournament_id
  CROSS JOIN ranking_list AS source
    ON source.tournament_id = n.tournament_id
    AND source.round_number >= n.round_number
    AND source.player_id = n.player_id
    AND source.counts_from <= n.round_number
  WHERE u.recalculation NOT IN ('frozen', 'lagged')
  UNION ALL
  -- The same at the values of an earlier list.
  SELECT p.tournament_id, me.round_number, p.player_id, p.round_number,
    p.kind, p.credited_as, p.colour, p.opponent_id, p.result, 1, p.halvings, 0,
    source.value_before_units, p.fact_id, u.line_unit
  FROM _dated_round AS p
  CROSS JOIN rules AS u ON u.tournament_id = p.tournament_id
  CROSS JOIN ranking_list AS me
    ON me.tournament_id = p.tournament_id
    AND me.round_number >= p.round_number AND me.player_id = p.player_id
    AND me.counts_from <= p.round_number
  CROSS JOIN ranking_list AS source
    ON source.tournament_id = p.tournament_id
    AND source.round_number = max(p.round_number, me.round_number - p.lag)
    AND source.player_id = COALESCE(p.opponent_id, p.player_id)
  UNION ALL
  -- Games against who has withdrawn and is out: a share of the own value.
  SELECT p.tournament_id, me.round_number, p.player_id, p.round_number,
    p.kind, p.kind, p.colour, p.opponent_id, p.result, 1, 0, 1,
    own.value_before_units, p.id, u.line_unit
  FROM _game_with_withdrawn AS p
  CROSS JOIN rules AS u ON u.tournament_id = p.tournament_id
  CROSS JOIN ranking_list AS me
    ON me.tournament_id = p.tournament_id
    AND me.round_number >= p.round_number AND me.player_id = p.player_id
    AND me.counts_from <= p.round_number
  CROSS JOIN ranking_list AS own
    ON own.tournament_id = p.tournament_id
    AND own.round_number = CASE p.recalculation WHEN 'frozen' THEN p.round_number
      WHEN 'lagged' THEN max(p.round_number, me.round_number - 1)
      ELSE me.round_number END
    AND own.player_id = p.player_id
  UNION ALL
  -- What the director gave or took.
  SELECT c.tournament_id, me.round_number, c.player_id, NULL, 'correction', NULL, NULL,
    NULL, NULL, 1, 0, 0, CAST(round(c.points * 1000) AS INTEGER) * 6000, c.id, 1
  FROM correction AS c
  CROSS JOIN ranking_list AS me
    ON me.tournament_id = c.tournament_id AND me.player_id = c.player_id
    AND me.round_number >= c.round_number
    AND me.round_number <= COALESCE(c.last_round, 999)
    AND me.counts_from <= max(1, c.round_number)
    AND me.rank_before IS NOT NULL
) AS item
LEFT JOIN scoring AS s
  ON s.tournament_id = item.tournament_id AND s.kind = item.credited_as;
