CREATE VIEW z_float (
  -- A row per player and round of a Swiss: whether they floated in it (FIDE C.04.3 1.4), by
  -- meeting a player with another score, or by points without a game.

  tournament_id, round_number, player_id,
  -- 1 down, -1 up, 0 neither.
  way
) AS
SELECT tournament_id, round_number, player_id, (more > 0) - (more < 0)
FROM (
  SELECT l.tournament_id, l.round_number, l.player_id, COALESCE(
    (SELECT own.score_units - (SELECT other.score_units FROM ranking_list AS other
        WHERE other.tournament_id = g.tournament_id
          AND other.round_number = g.round_number - 1 AND other.player_id = g.opponent_id)
      FROM z_colour AS g WHERE g.tournament_id = l.tournament_id
        AND g.player_id = l.player_id AND g.round_number = l.round_number),
    max(l.score_units - own.score_units, 0)) AS more
  FROM ranking_list AS l
  CROSS JOIN ranking_list AS own ON own.tournament_id = l.tournament_id
    AND own.round_number = l.round_number - 1 AND own.player_id = l.player_id
);
