CREATE VIEW z_bye_had (
  -- A row per player and round that the club counts as a bye when the next bye is allocated:
  -- of a kind with scoring.counts_as_bye, a forfeit too. By player_round SQLite would read all
  -- games for each player.

  tournament_id, round_number, player_id
) AS
SELECT u.tournament_id, u.round_number, u.player_id
FROM unplayed AS u
JOIN scoring AS s
  ON s.tournament_id = u.tournament_id AND s.kind = u.kind AND s.counts_as_bye
UNION ALL
SELECT g.tournament_id, g.round_number, g.white
FROM round AS g
JOIN outcome AS o ON o.result = g.result
JOIN scoring AS s
  ON s.tournament_id = g.tournament_id AND s.kind = o.white_kind AND s.counts_as_bye
UNION ALL
SELECT g.tournament_id, g.round_number, g.black
FROM round AS g
JOIN outcome AS o ON o.result = g.result
JOIN scoring AS s
  ON s.tournament_id = g.tournament_id AND s.kind = o.black_kind AND s.counts_as_bye;
