CREATE VIEW tiebreak_perfect_performance (
  -- A row per player, standings and name: the perfect performance (ptp), the lowest rating
  -- of which the score would have been expected, by FIDE's table without a limit, or
  -- 800 below the lowest opponent for a score of nothing; and the mean of the
  -- opponents' (appo), half up. NULL without rated opponents. FIDE C.07 10.3, 10.5;
  -- B.02 8.1.2.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(value AS INTEGER),
  CAST(value AS INTEGER)
FROM (
  SELECT m.tournament_id, m.round_number, t.name,
    CAST(CASE t.name WHEN 'ptp' THEN m.player_id ELSE m.opponent END AS INTEGER)
      AS player_id,
    CASE t.name WHEN 'ptp' THEN m.ptp ELSE m.mean END AS value,
    row_number() OVER (PARTITION BY m.tournament_id, m.round_number, t.name,
      CASE t.name WHEN 'ptp' THEN m.player_id ELSE m.opponent END) AS number
  FROM (
    -- Of all who met the opponent, half up.
    SELECT tournament_id, round_number, player_id, opponent, ptp,
      (2 * sum(CASE WHEN met THEN ptp END) OVER theirs
        + sum(met AND ptp IS NOT NULL) OVER theirs)
        / (2 * NULLIF(sum(met AND ptp IS NOT NULL) OVER theirs, 0)) AS mean
    FROM (
      -- The player's own so far, for the player and each opponent.
      SELECT tournament_id, round_number, player_id, opponent, met,
        max(found) OVER (PARTITION BY tournament_id, round_number, player_id) AS ptp
      FROM (
        SELECT tournament_id, round_number, player_id, opponent, met,
          CASE
            WHEN number > 1 THEN NULL
            WHEN halves = 0 THEN lowest - 800
            -- The highest rating of which less would be expected, in steps of 2048, 1024,
            -- ...; and 1. (Of 737 below the lowest opponent, nothing is.)
            WHEN halves > 0 THEN (
              WITH RECURSIVE search (rating, step) AS (
                SELECT player.lowest - 737, 2048
                UNION ALL
                SELECT rating + step * (COALESCE((SELECT sum((
                      SELECT CASE WHEN search.rating + step >= e.rating THEN f.hundredths
                        ELSE 100 - f.hundredths END
                      FROM fide_expectation AS f
                      WHERE f.from_difference <= abs(search.rating + step - e.rating)
                      ORDER BY f.from_difference DESC LIMIT 1))
                    FROM (
                      SELECT result, black AS opponent FROM round
                      WHERE tournament_id = player.tournament_id AND white = player.player_id
                        AND round_number BETWEEN player.counts_from AND player.round_number
                      UNION ALL
                      SELECT result, white FROM round
                      WHERE tournament_id = player.tournament_id AND black = player.player_id
                        AND round_number BETWEEN player.counts_from AND player.round_number
                    ) AS g
                    CROSS JOIN outcome AS o ON o.result = g.result
                    CROSS JOIN x_player_tournament AS e
                      ON e.tournament_id = player.tournament_id AND e.player_id = g.opponent
                    WHERE o.played), 0)
                  < 50 * player.halves), step / 2
                FROM search WHERE step > 0
              )
              SELECT rating + 1 FROM search WHERE step = 0)
          END AS found
        FROM (
          SELECT tournament_id, round_number, player_id,
            COALESCE(opponent_id, player_id) AS opponent, played AS met,
            sum(halves) OVER of_player AS halves, min(rating) OVER of_player AS lowest,
            row_number() OVER of_player AS number, min(played_in) OVER of_player AS counts_from
          FROM (
            -- halves: what the player scored, in half points.
            SELECT *, CASE WHEN rating IS NOT NULL
              THEN CASE kind WHEN 'win' THEN 2 ELSE kind <> 'loss' END END AS halves
            FROM z_tiebreak_round
          )
          WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id)
        ) AS player
      )
    )
    WINDOW theirs AS (PARTITION BY tournament_id, round_number, opponent)
  ) AS m
  CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_perfect_performance'
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('ptp', 'tiebreak_perfect_performance', 'perfect performance (PTP)', 0, 0, 0, 'FIDE C.07 10.3'),
  ('appo', 'tiebreak_perfect_performance', 'average PTP of opponents (APPO)', 0, 0, 0, 'FIDE C.07 10.5');
