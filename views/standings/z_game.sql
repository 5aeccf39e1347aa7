CREATE VIEW z_game (
  -- A row per standings, player and game of that player up to them that has a result: the
  -- views on games count these. Read it for the standings of one round: all standings
  -- times all games are many rows.

  tournament_id, round_number, player_id,
  -- player.id of the other side.
  opponent_id,
  -- The round it was played in.
  played_in,
  -- 1 when the player had White.
  white,
  -- What it was for the player: a kind of scoring.
  kind,
  -- 1 when it was played over the board.
  played,
  -- The player's classical points, in units.
  points_units
) AS
SELECT r.tournament_id, r.round_number, r.player_id, g.black, g.round_number, 1,
  o.white_kind, o.played, s.points_units
FROM ranking_list AS r
CROSS JOIN round AS g ON g.tournament_id = r.tournament_id
  AND g.white = r.player_id AND g.round_number <= r.round_number
CROSS JOIN outcome AS o ON o.result = g.result
CROSS JOIN scoring AS s ON s.tournament_id = g.tournament_id AND s.kind = o.white_kind
UNION ALL
SELECT r.tournament_id, r.round_number, r.player_id, g.white, g.round_number, 0,
  o.black_kind, o.played, s.points_units
FROM ranking_list AS r
CROSS JOIN round AS g ON g.tournament_id = r.tournament_id
  AND g.black = r.player_id AND g.round_number <= r.round_number
CROSS JOIN outcome AS o ON o.result = g.result
CROSS JOIN scoring AS s ON s.tournament_id = g.tournament_id AND s.kind = o.black_kind;
