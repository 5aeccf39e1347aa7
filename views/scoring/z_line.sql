CREATE VIEW z_line (
  -- A row per line of a Keizer score: player, list (the ranking after round_number)
  -- and what the player is credited for. All games of a list, that of round 1 as much
  -- as the last, are valued at ranking_list.value_before of that list: this is the
  -- revaluation. (With rules.recalculation 'frozen' or 'lagged', at that of an earlier
  -- list; the own value, with own_value_at 'start', is the first, and with 'new' that of the
  -- new place.) Their sum is the score, by construction, but for ranking_list.adjustment_units.

  tournament_id, round_number, player_id,
  -- The round the line is for; NULL for lines of the entry and corrections.
  played_in,
  -- A kind of scoring, or 'correction'; NULL for a game that is open or void.
  kind,
  -- The kind whose amount it brings; NULL for nothing, and for corrections.
  credited_as,
  -- The table of the fact that the line comes from, and the id there.
  fact, fact_id,
  -- How many times it counts: rounds missed for a late start, multiples of the
  -- Aalsmeer bonus, else 1.
  times,
  -- How often the amount is halved.
  halvings,
  -- 1 when the opponent is out, and withdrawn_factor counts.
  withdrawn,
  -- The value the factor is applied to, in units.
  value_units,
  -- times x (factor x value + fixed), halved, and rounded to rules.line_rounding by
  -- rules.halves, else half up to a unit; in units. (With scoring.halving 'down' it is rounded,
  -- then halved, and rounded down.)
  units,
  -- Classical points, in units.
  points_units,
  -- 1 for a game that counts as played and has its result.
  played
) AS
SELECT tournament_id, round_number, player_id, played_in, kind, credited_as, fact, fact_id,
  times, halvings, withdrawn, value_units,
  -- In half multiples of line_unit, rounded down, this is as near as rounding needs; for a
  -- half to the even one, one less where nothing was cut off and the multiple below is even.
  COALESCE((2 * times * (factor_units * value_units + 6000 * fixed_units) / (6000 * line_unit)
      + (1 << halvings - halved_down)
      - CASE even_lines WHEN 1
        THEN 2 * times * (factor_units * value_units + 6000 * fixed_units)
            % (6000 * line_unit) = 0
          AND 2 * times * (factor_units * value_units + 6000 * fixed_units)
            / (6000 * line_unit) >> halvings - halved_down + 1 & 1 = 0
        ELSE 0 END
      >> halvings - halved_down + 1 >> halved_down) * line_unit,
    given_units),
  COALESCE(points_units, 0), COALESCE(counts_as_game, 0)
-- A column has the same affinity in all of these, hence the + and the CASTs: SQLite then
-- does the sum above in each of their loops.
FROM (
  -- The own value, its multiples of the Aalsmeer bonus, and rounds missed by a late
  -- start.
  SELECT listed.tournament_id, listed.round_number, listed.player_id, CAST(NULL AS INTEGER) AS played_in,
    s.kind, s.kind AS credited_as, 'x_player_tournament' AS fact, e.id AS fact_id,
    CASE s.kind
      WHEN 'own value' THEN 1
      WHEN 'late start' THEN e.first_round - listed.counts_from
      ELSE min(u.bonus, u.bonus + u.bonus_rounds
        - (listed.round_number - listed.counts_from + 1)) END AS times,
    0 AS halvings, 0 AS withdrawn,
    CASE WHEN s.kind <> 'own value' OR u.own_value_at = 'current'
        OR listed.value_before_units IS NULL
      THEN listed.value_before_units
      -- NULL until the place is known: such a line brings nothing yet.
      WHEN u.own_value_at = 'new' THEN listed.value_units
      ELSE (SELECT first.value_units FROM ranking_list AS first
        WHERE first.tournament_id = listed.tournament_id
          AND first.round_number = e.first_round - 1
          AND first.player_id = listed.player_id) END AS value_units,
    u.line_unit, u.even_lines, 0 AS halved_down, +s.factor_units AS factor_units, s.fixed_units,
    CAST(0 AS INTEGER) AS points_units, CAST(0 AS INTEGER) AS counts_as_game,
    0 AS given_units
  FROM ranking_list AS listed
  CROSS JOIN x_player_tournament AS e
    ON e.tournament_id = listed.tournament_id AND e.player_id = listed.player_id
  CROSS JOIN rules AS u ON u.tournament_id = listed.tournament_id
  CROSS JOIN scoring AS s
    ON s.tournament_id = listed.tournament_id
    AND s.kind IN ('own value', 'aalsmeer', 'late start')
  WHERE s.kind = 'own value'
    OR (s.kind = 'late start' AND e.first_round > listed.counts_from)
    OR (s.kind = 'aalsmeer' AND u.bonus + u.bonus_rounds
      > listed.round_number - listed.counts_from + 1 AND u.bonus > 0)
  UNION ALL
  -- Every game so far as White, at the opponent's value; against a player who is out, a share of
  -- the own value.
  SELECT listed.tournament_id, listed.round_number, listed.player_id, g.round_number,
    o.white_kind, o.white_kind, 'round', g.id, 1, 0, other.player_id IS NULL,
    COALESCE(other.value_before_units, (SELECT own.value_before_units
      FROM ranking_list AS own
      WHERE own.tournament_id = listed.tournament_id AND own.player_id = listed.player_id
        AND own.round_number = max(g.round_number, listed.round_number - u.lag))),
    u.line_unit, u.even_lines, 0, CASE WHEN other.player_id IS NULL
      THEN s.withdrawn_factor_units
      ELSE s.factor_units END, s.fixed_units, s.points_units, s.counts_as_game, 0
  FROM rules AS u
  CROSS JOIN ranking_list AS listed ON listed.tournament_id = u.tournament_id
  CROSS JOIN round AS g ON g.tournament_id = listed.tournament_id AND g.white = listed.player_id
    AND g.round_number BETWEEN listed.counts_from AND listed.round_number
  LEFT JOIN ranking_list AS other ON other.tournament_id = g.tournament_id
    AND other.round_number = max(g.round_number, listed.round_number - u.lag)
    AND other.player_id = g.black
  LEFT JOIN outcome AS o ON o.result = g.result
  LEFT JOIN scoring AS s ON s.tournament_id = g.tournament_id AND s.kind = o.white_kind
  UNION ALL
  -- The same as Black.
  SELECT listed.tournament_id, listed.round_number, listed.player_id, g.round_number,
    o.black_kind, o.black_kind, 'round', g.id, 1, 0, other.player_id IS NULL,
    COALESCE(other.value_before_units, (SELECT own.value_before_units
      FROM ranking_list AS own
      WHERE own.tournament_id = listed.tournament_id AND own.player_id = listed.player_id
        AND own.round_number = max(g.round_number, listed.round_number - u.lag))),
    u.line_unit, u.even_lines, 0, CASE WHEN other.player_id IS NULL
      THEN s.withdrawn_factor_units
      ELSE s.factor_units END, s.fixed_units, s.points_units, s.counts_as_game, 0
  FROM rules AS u
  CROSS JOIN ranking_list AS listed ON listed.tournament_id = u.tournament_id
  CROSS JOIN round AS g ON g.tournament_id = listed.tournament_id AND g.black = listed.player_id
    AND g.round_number BETWEEN listed.counts_from AND listed.round_number
  LEFT JOIN ranking_list AS other ON other.tournament_id = g.tournament_id
    AND other.round_number = max(g.round_number, listed.round_number - u.lag)
    AND other.player_id = g.white
  LEFT JOIN outcome AS o ON o.result = g.result
  LEFT JOIN scoring AS s ON s.tournament_id = g.tournament_id AND s.kind = o.black_kind
  UNION ALL
  -- Games with a result in the round that follows the last, of which there is no list yet,
  -- from both sides: for view scores. (None where the scores begin anew in it.)
  SELECT l.id, CAST(l.last_round + 1 AS INTEGER), listed.player_id, g.round_number,
    s.kind, s.kind, 'round', g.id, 1, 0, other.player_id IS NULL,
    (SELECT CASE u.lag WHEN 0 THEN source.value_units ELSE source.value_before_units END
      FROM ranking_list AS source
      WHERE source.tournament_id = l.id
        AND source.player_id = COALESCE(other.player_id, listed.player_id)
        AND source.round_number = max(g.round_number, l.last_round - max(0, u.lag - 1))),
    u.line_unit, u.even_lines, 0, CASE WHEN other.player_id IS NULL
      THEN s.withdrawn_factor_units
      ELSE s.factor_units END, s.fixed_units, s.points_units, s.counts_as_game, 0
  FROM tournament AS l
  CROSS JOIN rules AS u ON u.tournament_id = l.id
  CROSS JOIN round AS g ON g.tournament_id = l.id
  CROSS JOIN outcome AS o ON o.result = g.result
  CROSS JOIN ranking_list AS listed
    ON listed.tournament_id = l.id AND listed.round_number = l.last_round
    AND listed.player_id IN (g.white, g.black) AND listed.counts_from <= g.round_number
  CROSS JOIN scoring AS s ON s.tournament_id = l.id
    AND s.kind = CASE listed.player_id WHEN g.white THEN o.white_kind ELSE o.black_kind END
  LEFT JOIN ranking_list AS other
    ON other.tournament_id = l.id AND other.round_number = l.last_round
    AND other.player_id = CASE listed.player_id WHEN g.white THEN g.black ELSE g.white END
  WHERE NOT EXISTS (SELECT 1 FROM period AS p WHERE p.tournament_id = l.id
    AND p.first_round = l.last_round + 1 AND p.scores = 'reset')
  UNION ALL
  -- Every round so far without a game, at the own value.
  SELECT listed.tournament_id, listed.round_number, listed.player_id, n.round_number,
    n.kind, n.credited_as, 'unplayed', n.id, 1, +n.halvings, 0,
    CASE u.lag WHEN 0 THEN listed.value_before_units ELSE (SELECT own.value_before_units
      FROM ranking_list AS own
      WHERE own.tournament_id = listed.tournament_id AND own.player_id = listed.player_id
        AND own.round_number = max(n.round_number, listed.round_number - u.lag)) END,
    u.line_unit, u.even_lines, CASE s.halving WHEN 'down' THEN n.halvings ELSE 0 END,
    +s.factor_units, s.fixed_units, s.points_units, s.counts_as_game, 0
  FROM rules AS u
  CROSS JOIN ranking_list AS listed ON listed.tournament_id = u.tournament_id
  CROSS JOIN unplayed AS n
    ON n.tournament_id = listed.tournament_id AND n.player_id = listed.player_id
    AND n.round_number BETWEEN listed.counts_from AND listed.round_number
  LEFT JOIN scoring AS s ON s.tournament_id = n.tournament_id AND s.kind = n.credited_as
  UNION ALL
  -- What the director gave or took: not by the formula.
  SELECT c.tournament_id, listed.round_number, c.player_id, CAST(NULL AS INTEGER),
    CAST('correction' AS TEXT), CAST(NULL AS TEXT), 'correction', c.id, 1, 0, 0, NULL,
    CAST(NULL AS INTEGER), CAST(NULL AS INTEGER), 0, NULL, CAST(NULL AS INTEGER), CAST(0 AS INTEGER),
    CAST(0 AS INTEGER), CAST(round(c.points * 1000) AS INTEGER) * 6000
  FROM correction AS c
  CROSS JOIN ranking_list AS listed
    ON listed.tournament_id = c.tournament_id AND listed.player_id = c.player_id
    AND listed.round_number >= c.round_number
    AND listed.round_number <= COALESCE(c.last_round, 999)
    AND listed.counts_from <= max(1, c.round_number)
    AND listed.rank_before IS NOT NULL
);
