CREATE VIEW _line (
  -- A row per line of a Keizer score: player, table (the ranking after
  -- round_number) and what he is credited for. All lines of a table, the game
  -- of round 1 as much as the last, are valued at ranking.value_before of that
  -- table: this is the revaluation. Their sum is the score, by construction.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- The round the line is for; NULL for lines of the entry.
  played_in,
  -- A kind of scoring; NULL for an open game.
  kind,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- player.id of the other side; NULL without a game.
  opponent_id,
  -- A result of table outcome; NULL while open or without a game.
  result,
  -- How many times it counts: rounds missed for a late start, else 1.
  times,
  -- The value the factor is applied to, in units.
  value_units,
  -- times x (factor x value + fixed), in units.
  units,
  -- Classical points, in units.
  points_units,
  -- 1 for a game over the board that has its result.
  played
) AS
-- The own value, and the rounds missed by a late start.
SELECT me.tournament_id, me.round_number, me.player_id,
  NULL, s.kind, NULL, NULL, NULL,
  CASE s.kind WHEN 'own value' THEN 1 ELSE e.first_round - 1 END,
  me.value_before_units,
  CASE s.kind WHEN 'own value' THEN 1 ELSE e.first_round - 1 END
    * COALESCE(s.factor_units * me.value_before_units / 6000 + s.fixed_units, 0),
  0, 0
FROM ranking AS me
CROSS JOIN scoring AS s
  ON s.tournament_id = me.tournament_id AND s.kind IN ('own value', 'late start')
CROSS JOIN x_player_tournament AS e
  ON e.tournament_id = me.tournament_id AND e.player_id = me.player_id
WHERE s.kind = 'own value' OR e.first_round > 1
UNION ALL
-- Every round so far: a game at the opponent's value, the rest at his own.
SELECT p.tournament_id, source.round_number, p.player_id,
  p.round_number, p.kind, p.colour, p.opponent_id, p.result, 1,
  source.value_before_units,
  COALESCE(s.factor_units * source.value_before_units / 6000 + s.fixed_units, 0),
  COALESCE(s.points_units, 0), p.played AND p.result IS NOT NULL
FROM player_round AS p
CROSS JOIN ranking AS source
  ON source.tournament_id = p.tournament_id
  AND source.round_number >= p.round_number
  AND source.player_id = COALESCE(p.opponent_id, p.player_id)
LEFT JOIN scoring AS s
  ON s.tournament_id = p.tournament_id AND s.kind = p.kind;
