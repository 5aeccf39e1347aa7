CREATE VIEW pairings (
  -- A row per board, and per bye, of every round.

  tournament_id, round_number,
  -- NULL for a bye.
  board,
  -- Name of White, or of the player with the bye.
  white,
  -- NULL for a bye.
  black,
  -- NULL while the game is open; 'bye' for a bye.
  result,
  -- player.id of White, or of the player with the bye; and of Black, NULL for a bye.
  white_id, black_id,
  -- When it is played, where that is another day than its round; else NULL.
  date
) AS
SELECT g.tournament_id, g.round_number, g.board, white.name, black.name, g.result,
  g.white, g.black,
  CAST(NULLIF(g.date, (SELECT s.date FROM schedule AS s
    WHERE s.tournament_id = g.tournament_id AND s.round_number = g.round_number)) AS TEXT)
FROM round AS g
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
UNION ALL
SELECT u.tournament_id, u.round_number, NULL, player.name, NULL, u.kind,
  u.player_id, NULL, NULL
FROM unplayed AS u
JOIN player ON player.id = u.player_id
WHERE u.kind = 'bye';
