CREATE VIEW standings (
  -- A row per player and round: the table after that round, 0 being the start
  -- order; the latest round first. current_standings has the one to look at.

  -- tournament.id.
  tournament_id,
  -- The table after this round.
  round_number,
  -- 1 = top.
  rank,
  -- player.id.
  player_id,
  -- player.name.
  name,
  -- player.category.
  category,
  -- Today's rating.
  rating,
  -- What a win over him is worth in the next round.
  value,
  -- Keizer total.
  score,
  -- Classical points.
  points,
  -- Games with a result, forfeits left out.
  played,
  -- Places gained since the list before (negative: lost); NULL in his first.
  change,
  -- Own value that went into score.
  value_before
) AS
SELECT r.tournament_id, r.round_number, r.rank, r.player_id, player.name,
  player.category, player.rating, r.value, r.score,
  r.points, r.played,
  r.rank_before - r.rank, r.value_before
FROM ranking AS r
JOIN player ON player.id = r.player_id
ORDER BY r.tournament_id, r.round_number DESC, r.rank;
