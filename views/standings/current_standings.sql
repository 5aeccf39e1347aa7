CREATE VIEW current_standings (
  -- A row per player: the standings after the current round (tournament.current_round: the last
  -- in which a game has a result, or which has no games); the start order before the first.

  tournament_id, round_number,
  -- 1 = top.
  rank,
  player_id, name,
  -- What a win over this player is worth in the next round, in points.
  value,
  -- Keizer total, in points.
  score,
  -- Classical points.
  points,
  -- Boards of rounds so far that still lack a result: above 0, the standings are
  -- provisional.
  open_boards
) AS
SELECT s.tournament_id, s.round_number, s.rank, s.player_id, s.name, s.value,
  s.score, s.points,
  CAST((SELECT count(*) FROM round AS g
    WHERE g.tournament_id = s.tournament_id
      AND g.round_number <= s.round_number AND g.result IS NULL) AS INTEGER)
FROM tournament
CROSS JOIN standings AS s
  ON s.tournament_id = tournament.id
  AND s.round_number = tournament.current_round
ORDER BY s.tournament_id, s.rank;
