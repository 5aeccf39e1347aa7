CREATE VIEW z_buchholz_round (
  -- A row per player, standings and round up to them: the score of the opponent, adjusted,
  -- or of the dummy that an unplayed round is a game with. In thousandths of a
  -- point.

  tournament_id, round_number, player_id,
  -- 1 as fore-Buchholz takes it: games of the last round as draws (FIDE C.07 8.3).
  fore,
  -- player.id of the paired opponent; NULL without a game.
  opponent_id,
  -- 1 for a game over the board.
  met,
  -- 1 for a voluntarily unplayed round: what cuts take first (16.5).
  voluntary,
  -- Points it brought.
  points,
  -- What the opponent, or the dummy, scored; NULL for an open game.
  score
) AS
SELECT tournament_id, round_number, player_id, fore, opponent_id, met, voluntary, points,
  CASE WHEN counted THEN other
    -- The dummy has the player's own score, but at most that of the opponent who was paired,
    -- or draws in all rounds (16.4).
    WHEN NOT open THEN min(own, COALESCE(other, all_drawn)) END
FROM (
  -- The other side of the board: of those who have a game, one of the two has the lower id.
  SELECT *, CASE WHEN opponent_id IS NOT NULL THEN sum(adjusted) OVER (
      PARTITION BY tournament_id, round_number, fore, played_in,
        COALESCE(min(player_id, opponent_id), player_id)) - adjusted END AS other
  FROM (
    SELECT tournament_id, round_number, player_id, played_in, fore, opponent_id, met, counted,
      open, voluntary, points, sum(points) OVER player AS own,
      draw * count(*) OVER player AS all_drawn,
      -- A requested bye is a draw where only voluntarily unplayed rounds follow (16.3).
      sum(CASE WHEN voluntary AND opponent_id IS NULL AND NOT later THEN draw
        ELSE points END) OVER player AS adjusted
    FROM (
      SELECT tournament_id, round_number, player_id, played_in, fore, opponent_id, open, draw,
        played AS met, played OR last_game AS counted, voluntary AND NOT last_game AS voluntary,
        CASE WHEN last_game THEN draw ELSE points END AS points,
        COALESCE(max(NOT voluntary OR last_game) OVER (
          PARTITION BY tournament_id, round_number, player_id, fore
          ORDER BY played_in ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0) AS later
      FROM (
        SELECT p.*, f.fore, f.fore AND p.played_in = p.round_number
          AND p.opponent_id IS NOT NULL AND NOT p.open AS last_game
        FROM z_tiebreak_round AS p
        CROSS JOIN (SELECT 0 AS fore UNION ALL SELECT 1) AS f
      )
    )
    WINDOW player AS (PARTITION BY tournament_id, round_number, player_id, fore)
  )
);
