CREATE VIEW tiebreak_performance (
  -- A row per player, standings and name: the performance rating (tpr), the mean rating of
  -- the opponents and what FIDE's table adds for the share of the points, in
  -- hundredths half up; and the mean of the opponents' (apro), half up. NULL without
  -- rated opponents. FIDE C.07 10.2, 10.4; B.02 8.1.1.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(value AS INTEGER),
  CAST(value AS INTEGER)
FROM (
  SELECT m.tournament_id, m.round_number, t.name,
    CAST(CASE t.name WHEN 'tpr' THEN m.player_id ELSE m.opponent END AS INTEGER)
      AS player_id,
    CASE t.name WHEN 'tpr' THEN m.tpr ELSE m.mean END AS value,
    row_number() OVER (PARTITION BY m.tournament_id, m.round_number, t.name,
      CASE t.name WHEN 'tpr' THEN m.player_id ELSE m.opponent END) AS number
  FROM (
    -- Of all who met the opponent, half up.
    SELECT tournament_id, round_number, player_id, opponent, tpr,
      (2 * sum(CASE WHEN met THEN tpr END) OVER theirs
        + sum(met AND tpr IS NOT NULL) OVER theirs)
        / (2 * NULLIF(sum(met AND tpr IS NOT NULL) OVER theirs, 0)) AS mean
    FROM (
      -- The player's own so far, for the player and each opponent.
      SELECT tournament_id, round_number, player_id, opponent, met,
        (2 * ratings + games) / (2 * games)
          + CASE WHEN share >= 50 THEN 1 ELSE -1 END * (SELECT f.difference
            FROM fide_expectation AS f WHERE f.hundredths = max(share, 100 - share)) AS tpr
      FROM (
        SELECT *, (100 * halves + games) / (2 * games) AS share
        FROM (
          SELECT tournament_id, round_number, player_id,
            COALESCE(opponent_id, player_id) AS opponent, played AS met,
            NULLIF(count(rating) OVER of_player, 0) AS games, sum(rating) OVER of_player AS ratings,
            sum(halves) OVER of_player AS halves
          FROM (
            -- halves: what the player scored, in half points.
            SELECT *, CASE WHEN rating IS NOT NULL
              THEN CASE kind WHEN 'win' THEN 2 ELSE kind <> 'loss' END END AS halves
            FROM z_tiebreak_round
          )
          WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id)
        )
      )
    )
    WINDOW theirs AS (PARTITION BY tournament_id, round_number, opponent)
  ) AS m
  CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_performance'
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('tpr', 'tiebreak_performance', 'performance rating (TPR)', 0, 0, 0, 'FIDE C.07 10.2'),
  ('apro', 'tiebreak_performance', 'average TPR of opponents (APRO)', 0, 0, 0, 'FIDE C.07 10.4');
