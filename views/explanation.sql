CREATE VIEW explanation (
  -- A row per line of a Keizer score: points = times x (factor x value + fixed).
  -- The lines of one player and round_number add up to his score after it.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- player.name.
  name,
  -- The round that the line is for; NULL for own value and late start.
  played_in,
  -- A kind of scoring; 'open' for a game without a result.
  kind,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- Name of the other side; NULL without a game.
  opponent,
  -- As on the score sheet, White first.
  result,
  -- How many times the line counts.
  times,
  -- As stored in scoring.
  factor,
  -- In force for this table: the opponent's for a game, else the player's own.
  value,
  -- In points, from scoring.
  fixed,
  -- What the line brings, in points.
  points
) AS
SELECT line.tournament_id, line.round_number, line.player_id, player.name,
  line.played_in, COALESCE(line.kind, 'open'), line.colour, opponent.name,
  line.result, line.times, s.factor, line.value_units / 6000000.0, s.fixed,
  line.units / 6000000.0
FROM _line AS line
JOIN player ON player.id = line.player_id
LEFT JOIN player AS opponent ON opponent.id = line.opponent_id
LEFT JOIN scoring AS s
  ON s.tournament_id = line.tournament_id AND s.kind = line.kind;
