CREATE VIEW z_before (
  -- A row per player in the list after a round: what is shown beside the names of the next draft.

  tournament_id, round_number, player_id,
  -- As in table ranking_list.
  rank,
  -- Keizer points.
  score,
  -- Of the games so far: W and B, the last one last.
  colours
) AS
SELECT r.tournament_id, r.round_number, r.player_id, r.rank,
  COALESCE(r.score_units, 0) / 6e6,
  COALESCE((SELECT group_concat(colour, '') FROM (SELECT colour FROM z_colour AS c
    WHERE c.tournament_id = r.tournament_id AND c.player_id = r.player_id
      AND c.round_number <= r.round_number ORDER BY c.round_number)), '')
FROM ranking_list AS r;

CREATE VIEW z_open_seat (
  -- A row per player and board of the last round, which is published, that has no result.

  tournament_id, round_number, player_id, name,
  -- As in table round.
  board,
  -- The result if the player does not come.
  forfeit
) AS
SELECT g.tournament_id, g.round_number, p.id, p.name, g.board,
  CASE p.id WHEN g.white THEN '-+' ELSE '+-' END
FROM tournament AS now
JOIN round AS g ON g.tournament_id = now.id AND g.round_number = now.last_round
JOIN player AS p ON p.id IN (g.white, g.black)
WHERE now.coming_round > now.last_round AND g.result IS NULL;
