CREATE VIEW z_performed (
  -- A row per player and game over the board with a rated opponent: what they performed in it.

  tournament_id, round_number, player_id,
  -- The opponent's rating, and 400 more for a win, less for a loss.
  performance
) AS
SELECT g.tournament_id, g.round_number, g.white,
  o.rating + CASE g.result WHEN '1-0' THEN 400 WHEN '0-1' THEN -400 ELSE 0 END
FROM round AS g
JOIN x_player_tournament AS o ON o.tournament_id = g.tournament_id AND o.player_id = g.black
WHERE g.result IN ('1-0', '½-½', '0-1') AND o.rating IS NOT NULL
UNION ALL
SELECT g.tournament_id, g.round_number, g.black,
  o.rating + CASE g.result WHEN '0-1' THEN 400 WHEN '1-0' THEN -400 ELSE 0 END
FROM round AS g
JOIN x_player_tournament AS o ON o.tournament_id = g.tournament_id AND o.player_id = g.white
WHERE g.result IN ('1-0', '½-½', '0-1') AND o.rating IS NOT NULL;
