CREATE VIEW results (
  -- A row per entry: the classical points (scoring.points of every round that counts in
  -- the last list); 0 for a player who has not played, or is out.

  tournament_id, player_id, name,
  -- In points.
  score
) AS
SELECT e.tournament_id, e.player_id, player.name, CAST(COALESCE(r.points, 0.0) AS REAL)
FROM x_player_tournament AS e
JOIN player ON player.id = e.player_id
JOIN tournament AS l ON l.id = e.tournament_id
LEFT JOIN ranking_list AS r
  ON r.tournament_id = e.tournament_id AND r.round_number = l.last_round
  AND r.player_id = e.player_id;
