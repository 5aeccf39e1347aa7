CREATE VIEW _perfect_round (
  -- A row per player, table and round up to it: his perfect performance so far, for
  -- himself and for who met him.

  tournament_id, round_number, player_id,
  -- player.id of who was to be met; himself without a game.
  opponent,
  -- 1 when it is a game for rating tie-breaks.
  met,
  -- Perfect tournament performance; NULL without rated opponents.
  ptp
) AS
SELECT tournament_id, round_number, player_id, opponent, met,
  max(found) OVER (PARTITION BY tournament_id, round_number, player_id)
FROM (
  SELECT tournament_id, round_number, player_id, opponent, met,
    CASE
      WHEN number > 1 THEN NULL
      WHEN halves = 0 THEN lowest - 800
      -- The highest rating of which less would be expected, in steps of 2048, 1024,
      -- ...; and 1. (Of 737 below the lowest opponent, nothing is.)
      WHEN halves > 0 THEN (
        WITH RECURSIVE search (rating, step) AS (
          SELECT his.lowest - 737, 2048
          UNION ALL
          SELECT rating + step * (COALESCE((SELECT sum((
                SELECT CASE WHEN search.rating + step >= e.rating THEN f.hundredths
                  ELSE 100 - f.hundredths END
                FROM fide_expectation AS f
                WHERE f.from_difference <= abs(search.rating + step - e.rating)
                ORDER BY f.from_difference DESC LIMIT 1))
              FROM (
                SELECT result, black AS opponent FROM round
                WHERE tournament_id = his.tournament_id AND white = his.player_id
                  AND round_number BETWEEN his.counts_from AND his.round_number
                UNION ALL
                SELECT result, white FROM round
                WHERE tournament_id = his.tournament_id AND black = his.player_id
                  AND round_number BETWEEN his.counts_from AND his.round_number
              ) AS g
              CROSS JOIN outcome AS o ON o.result = g.result
              CROSS JOIN x_player_tournament AS e
                ON e.tournament_id = his.tournament_id AND e.player_id = g.opponent
              WHERE o.played OR his.forfeits), 0)
            < 50 * his.halves), step / 2
          FROM search WHERE step > 0
        )
        SELECT rating + 1 FROM search WHERE step = 0)
    END AS found
  FROM (
    SELECT tournament_id, round_number, player_id,
      COALESCE(opponent_id, player_id) AS opponent, met,
      sum(halves) OVER his AS halves, min(rating) OVER his AS lowest,
      row_number() OVER his AS number, min(played_in) OVER his AS counts_from,
      forfeits
    FROM _rated_round
    WINDOW his AS (PARTITION BY tournament_id, round_number, player_id)
  ) AS his
);
