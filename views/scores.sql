CREATE VIEW scores (
  -- A row per player, table and game with a result: the Keizer points of every
  -- game up to round_number at the values in force in that round. With the own
  -- value and the unplayed rounds (view explanation) they make the score.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- player.name.
  name,
  -- In points.
  score
) AS
SELECT line.tournament_id, line.round_number, line.player_id, player.name,
  line.units / 6000000.0
FROM _line AS line
JOIN player ON player.id = line.player_id
JOIN ranking AS r ON r.tournament_id = line.tournament_id
  AND r.round_number = line.round_number AND r.player_id = line.player_id
  AND r.in_list
WHERE line.result IS NOT NULL;
