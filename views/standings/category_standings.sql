CREATE VIEW category_standings (
  -- A row per player with a category and round: the place within the category, in the
  -- order of the whole standings (the shadow ranking of a group A, B, ...).

  tournament_id, round_number,
  -- player.category.
  category,
  -- Within the category, 1 = top.
  rank,
  player_id, name,
  -- Keizer total, in points.
  score,
  -- Classical points.
  points,
  -- Rank in the whole standings.
  overall
) AS
SELECT r.tournament_id, r.round_number, player.category,
  CAST(row_number() OVER (
    PARTITION BY r.tournament_id, r.round_number, player.category
    ORDER BY r.rank, r.player_id) AS INTEGER),
  r.player_id, player.name, r.score, r.points, r.rank
FROM ranking_list AS r
JOIN player ON player.id = r.player_id
WHERE player.category IS NOT NULL;
