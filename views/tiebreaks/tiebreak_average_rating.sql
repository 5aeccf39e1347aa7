CREATE VIEW tiebreak_average_rating (
  -- A row per player, standings and name (aro, aro-c1, ...): the mean rating of the rated
  -- opponents met over the board, half up; NULL without any. Cuts leave out the
  -- lowest, medians also the highest. FIDE C.07 10.1, 14.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(mean AS INTEGER),
  CAST(mean AS INTEGER)
FROM (
  SELECT tournament_id, round_number, player_id, name, row_number() OVER of_player AS number,
    (2 * sum(taken * rating) OVER of_player + sum(taken) OVER of_player)
      / (2 * NULLIF(sum(taken) OVER of_player, 0)) AS mean
  FROM (
    SELECT tournament_id, round_number, player_id, name, rating,
      rating IS NOT NULL AND low > low_cuts AND low <= games - high_cuts AS taken
    FROM (
      SELECT p.tournament_id, p.round_number, p.player_id, p.rating, t.name, t.low_cuts,
        t.high_cuts, count(p.rating) OVER of_player AS games, row_number() OVER of_player AS low
      FROM z_tiebreak_round AS p
      CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_average_rating'
      WINDOW of_player AS (PARTITION BY p.tournament_id, p.round_number, p.player_id, t.name
        ORDER BY p.rating IS NULL, p.rating
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    )
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id, name)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('aro', 'tiebreak_average_rating', 'average rating of opponents (ARO)', 0, 0, 0, 'FIDE C.07 10.1'),
  ('aro-c1', 'tiebreak_average_rating', 'average rating, cut 1', 0, 1, 0, 'FIDE C.07 10.1, 14'),
  ('aro-c2', 'tiebreak_average_rating', 'average rating, cut 2', 0, 2, 0, 'FIDE C.07 10.1, 14'),
  ('aro-m1', 'tiebreak_average_rating', 'average rating, median 1', 0, 1, 1, 'FIDE C.07 10.1, 14'),
  ('aro-m2', 'tiebreak_average_rating', 'average rating, median 2', 0, 2, 2, 'FIDE C.07 10.1, 14');
