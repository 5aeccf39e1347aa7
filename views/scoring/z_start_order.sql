CREATE VIEW z_start_order (
  -- A row per entry: what puts it in the start order. Behind start_rank, NULLs last, comes
  -- start_key, NULLs last, and then player_id.

  tournament_id, player_id,
  -- As in x_player_tournament.
  start_rank, rating,
  -- By rules.start_order: the rating, the highest first, the entry, or the lot.
  start_key
) AS
SELECT e.tournament_id, e.player_id, e.start_rank, e.rating,
  CASE u.start_order WHEN 'rating' THEN -e.rating WHEN 'entry' THEN e.id
    ELSE (SELECT x * x % 65519 * x % 65519
      FROM (SELECT (e.player_id % 1000000 * 48271 + u.seed * 16807) % 65519 AS x)) END
FROM x_player_tournament AS e
JOIN rules AS u ON u.tournament_id = e.tournament_id;
