CREATE VIEW z_meeting (
  -- A row per game that counts as a meeting and a colour when the next round is
  -- paired: those over the board, open ones included, and forfeits that the club
  -- counts as games.

  tournament_id, round_number,
  -- player.id of White.
  white,
  -- player.id of Black.
  black
) AS
SELECT g.tournament_id, g.round_number, g.white, g.black
FROM round AS g LEFT JOIN outcome AS o ON o.result = g.result
WHERE COALESCE(o.played, 1) OR EXISTS (SELECT 1 FROM scoring AS s
  WHERE s.tournament_id = g.tournament_id AND s.counts_as_game
    AND s.kind IN (o.white_kind, o.black_kind));
