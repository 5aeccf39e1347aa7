CREATE VIEW _performance_round (
  -- A row per player, table and round up to it: his performance rating so far, for
  -- himself and for who met him.

  tournament_id, round_number, player_id,
  -- player.id of who was to be met; himself without a game.
  opponent,
  -- 1 when it is a game for rating tie-breaks.
  met,
  -- Tournament performance rating; NULL without rated opponents.
  tpr
) AS
SELECT tournament_id, round_number, player_id, opponent, met,
  (2 * ratings + games) / (2 * games)
    + CASE WHEN share >= 50 THEN 1 ELSE -1 END * (SELECT f.difference
      FROM fide_expectation AS f WHERE f.hundredths = max(share, 100 - share))
FROM (
  SELECT *, (100 * halves + games) / (2 * games) AS share
  FROM (
    SELECT tournament_id, round_number, player_id,
      COALESCE(opponent_id, player_id) AS opponent, met,
      NULLIF(count(rating) OVER his, 0) AS games, sum(rating) OVER his AS ratings,
      sum(halves) OVER his AS halves
    FROM _rated_round
    WINDOW his AS (PARTITION BY tournament_id, round_number, player_id)
  )
);
