CREATE VIEW final_standings (
  -- A row per player and round who has played rules.min_games games: the list
  -- for the prizes, in the order of the whole standings.

  tournament_id, round_number,
  -- Among those in this list, 1 = top.
  rank,
  player_id, name,
  -- Games played.
  played,
  -- Keizer total, in points.
  score,
  -- Rank in the whole standings.
  overall
) AS
SELECT r.tournament_id, r.round_number,
  CAST(row_number() OVER (
    PARTITION BY r.tournament_id, r.round_number ORDER BY r.rank) AS INTEGER),
  r.player_id, player.name, r.played, r.score, r.rank
FROM ranking_list AS r
JOIN player ON player.id = r.player_id
JOIN rules ON rules.tournament_id = r.tournament_id
WHERE COALESCE(r.played, 0) >= rules.min_games;
