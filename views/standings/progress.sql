CREATE VIEW progress (
  -- A row per player and round, 0 being the start order: how the player went up and down.

  tournament_id, round_number, player_id, name,
  -- 1 = top.
  rank,
  -- Places gained since the list before (negative: lost); NULL in the player's first.
  change,
  -- Keizer total; NULL in the start order.
  score,
  -- Classical points.
  points,
  -- What a win over this player is worth in the next round.
  value
) AS
SELECT r.tournament_id, r.round_number, r.player_id, player.name, r.rank,
  CAST((SELECT before.rank FROM ranking_list AS before
    WHERE before.tournament_id = r.tournament_id
      AND before.round_number = r.round_number - 1
      AND before.player_id = r.player_id) - r.rank AS INTEGER), r.score, r.points, r.value
FROM ranking_list AS r
JOIN player ON player.id = r.player_id;
