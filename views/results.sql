CREATE VIEW results (
  -- A row per entry: his classical points (scoring.points of every round so
  -- far); 0 for who has not played.

  -- tournament.id.
  tournament_id,
  -- player.id.
  player_id,
  -- player.name.
  name,
  -- In points.
  score
) AS
SELECT e.tournament_id, e.player_id, player.name, COALESCE(r.points, 0.0)
FROM x_player_tournament AS e
JOIN player ON player.id = e.player_id
JOIN _last_round AS l ON l.tournament_id = e.tournament_id
LEFT JOIN ranking AS r
  ON r.tournament_id = e.tournament_id AND r.round_number = l.round_number
  AND r.player_id = e.player_id;
