CREATE VIEW ranking_update (
  -- The windowed ranking update: a row per player in the list after a round, with the
  -- rank that the score earns and the value that this rank is worth in the next round.
  --
  -- The Keizer system is this and one sum. A player's score is the sum of the lines in
  -- view z_line: the own value and, for every round so far, a share of the opponent's, or
  -- of the own where there was no game.
  -- Here the scores are put in order (view z_position), each place is numbered by a
  -- window, and is worth its step of a ladder (view z_ladder). The values change the next
  -- scores, those the next order. Insert tournament_id and round_number to have that list
  -- and all later ones made again (with rules.own_value_at 'new' only then are these the ranks).

  tournament_id, round_number, player_id,
  -- 1 = top, each place once.
  rank,
  -- What the place is worth by rules.ladder (the score, with ladder 'score'; the value
  -- there was, with recalculation 'fixed').
  value_units
) AS
SELECT tournament_id, round_number, player_id, CAST(place AS INTEGER),
  CAST(CASE WHEN recalculation = 'fixed' AND value_before_units IS NOT NULL
    THEN value_before_units
    ELSE (laddered + value_unit / 2 - (even AND laddered / value_unit % 2 = 0))
      / value_unit * value_unit END AS INTEGER)
-- Subqueries and no CTE: SQLite 3.35 would compute a CTE for all rounds.
FROM (
  SELECT *, max(floor_units, CASE
      WHEN ladder = 'top' THEN 6000 * top - (place - 1) / places_per_step * step_units
      WHEN ladder = 'bottom' THEN 6000 * bottom + (players - place) / places_per_step * step_units
      WHEN players = 1 THEN 6000 * top
      -- Ladder 'range', a start list, or the same score for all: equal parts.
      WHEN highest IS NULL OR highest = lowest
      THEN (12000 * (top * (players - 1) - (top - bottom) * (place - 1))
        + players - 1) / (2 * (players - 1))
      WHEN rank_before IS NULL THEN 6000 * bottom
      ELSE 6000 * (((bottom * (highest - score_units) + top * (score_units - lowest))
          / (highest - lowest)))
        + (12000 * ((bottom * (highest - score_units) + top * (score_units - lowest))
          % (highest - lowest)) + highest - lowest) / (2 * (highest - lowest))
    END) AS laddered
  FROM (
    SELECT p.*, l.players, l.top, l.bottom, l.highest, l.lowest, u.ladder, u.recalculation,
      u.places_per_step, u.step_units, u.floor_units, u.value_unit,
      u.halves = 'even' AND u.value_unit > 1 AS even,
      row_number() OVER (PARTITION BY p.tournament_id, p.round_number
        ORDER BY COALESCE(p.set_place, p.position), p.position) AS place
    FROM z_position AS p
    CROSS JOIN rules AS u ON u.tournament_id = p.tournament_id
    JOIN z_ladder AS l ON l.tournament_id = p.tournament_id AND l.round_number = p.round_number
  )
);
