CREATE VIEW scores (
  -- A row per player, list and game that counts, so none open or void: the Keizer points
  -- of every game up to round_number at the values in force in that round. With the own
  -- value and the unplayed rounds (view explanation) they make the score.

  tournament_id, round_number, player_id, name,
  -- In points.
  score
) AS
SELECT line.tournament_id, line.round_number, line.player_id, player.name,
  CAST(line.units / 6000000.0 AS REAL)
FROM z_line AS line
JOIN player ON player.id = line.player_id
WHERE line.fact = 'round' AND line.kind IS NOT NULL
  AND EXISTS (SELECT 1 FROM ranking AS own WHERE own.tournament_id = line.tournament_id
    AND own.player_id = line.player_id AND own.round_number = line.round_number);
