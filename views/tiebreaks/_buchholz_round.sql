CREATE VIEW _buchholz_round (
  -- A row per player, standings and round up to them: the score of the opponent, adjusted,
  -- or of the dummy that an unplayed round is a game with. In thousandths of a
  -- point.

  tournament_id, round_number, player_id,
  -- The round.
  played_in,
  -- 1 as fore-Buchholz takes it: games of the last round as draws (FIDE C.07 8.3).
  fore,
  -- player.id of the paired opponent; NULL without a game.
  opponent_id,
  -- 1 for a game with the opponent; 0 for one with the dummy.
  counted,
  -- 1 when it was one indeed, also where fore-Buchholz only takes it as one.
  met,
  -- 1 for a voluntarily unplayed round: what cuts take first (16.5).
  voluntary,
  -- Points it brought.
  points,
  -- What the opponent, or the dummy, scored; NULL for an open game.
  score
) AS
SELECT tournament_id, round_number, player_id, played_in, fore, opponent_id,
  counted, met, voluntary, points,
  CASE
    WHEN open THEN NULL
    WHEN counted THEN other
    -- Until August 2023, the virtual opponent (Svon): the player's score before the round,
    -- what the player did not get in it, and a draw in each later round.
    WHEN fide = '2022' THEN CASE WHEN played_in > round_number - rounds + 1 THEN
        COALESCE((SELECT before.points_units / 6000 FROM ranking_list AS before
          WHERE before.tournament_id = met.tournament_id
            AND before.round_number = met.played_in - 1
            AND before.player_id = met.player_id), 0) ELSE 0 END
      + win - points + draw * (round_number - played_in)
    WHEN fide = '2023' THEN own
    -- From March 2026: the player's own score, but at most what is said here (16.4).
    WHEN opponent_id IS NOT NULL THEN min(own, other)
    ELSE min(own, draw * rounds)
  END
FROM (
  -- The other side of the board.
  SELECT *, CASE WHEN opponent_id IS NOT NULL THEN sum(adjusted) OVER pair - adjusted END
    AS other
  FROM (
    SELECT *, sum(points) OVER player AS own, count(*) OVER player AS rounds,
      sum(CASE
        WHEN open THEN 0
        WHEN fide = '2022' AND NOT counted THEN draw
        WHEN fide <> '2022' AND voluntary AND opponent_id IS NULL AND NOT later THEN draw
        ELSE points END) OVER player AS adjusted
    FROM (
      SELECT tournament_id, round_number, player_id, played_in, opponent_id, open,
        win, draw, fide, fore,
        CASE WHEN last_game THEN draw ELSE points END AS points,
        counted AS met, counted OR last_game AS counted,
        voluntary AND NOT last_game AS voluntary,
        COALESCE(max(NOT voluntary OR last_game) OVER (
          PARTITION BY tournament_id, round_number, player_id, fore
          ORDER BY played_in ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0) AS later
      FROM (
        SELECT p.*, f.fore, f.fore AND p.played_in = p.round_number
          AND p.opponent_id IS NOT NULL AND NOT p.open AS last_game
        FROM _tiebreak_round AS p
        CROSS JOIN (SELECT 0 AS fore UNION ALL SELECT 1) AS f
      )
    )
    WINDOW player AS (PARTITION BY tournament_id, round_number, player_id, fore)
  )
  WINDOW pair AS (PARTITION BY tournament_id, round_number, fore, played_in,
    min(player_id, COALESCE(opponent_id, player_id)),
    max(player_id, COALESCE(opponent_id, player_id)))
) AS met;
