CREATE VIEW player_round (
  -- A row per player and round: the game from that player's side of the board,
  -- or the unplayed round. Everything that counts rounds reads this view.

  tournament_id, round_number, player_id,
  -- 'white' or 'black'; NULL without a game.
  colour,
  -- NULL without a game.
  opponent_id,
  -- As on the score sheet, White first; NULL while open or without a game.
  result,
  -- What it was for the player: a kind of scoring; NULL while the game is open.
  kind,
  -- What the player is credited for: the same kind, unless a cap or an exception made it
  -- another; NULL for nothing.
  credited_as,
  -- How often the amount is halved.
  halvings,
  -- 1 for a game over the board, open ones included; 0 for anything else.
  played
) AS
SELECT tournament_id, round_number, player_id, CAST(colour AS TEXT), opponent_id, result,
  kind, credited_as, halvings, CAST(played AS INTEGER)
FROM (
  SELECT g.tournament_id, g.round_number, g.white AS player_id, 'white' AS colour,
    g.black AS opponent_id, g.result, o.white_kind AS kind, o.white_kind AS credited_as,
    0 AS halvings, COALESCE(o.played, 1) AS played
  FROM round AS g LEFT JOIN outcome AS o ON o.result = g.result
  UNION ALL
  SELECT g.tournament_id, g.round_number, g.black, 'black', g.white,
    g.result, o.black_kind, o.black_kind, 0, COALESCE(o.played, 1)
  FROM round AS g LEFT JOIN outcome AS o ON o.result = g.result
  UNION ALL
  SELECT u.tournament_id, u.round_number, u.player_id, NULL, NULL,
    NULL, u.kind, u.credited_as, u.halvings, 0
  FROM unplayed AS u
);
