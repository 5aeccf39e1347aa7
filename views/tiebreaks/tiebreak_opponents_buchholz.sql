CREATE VIEW tiebreak_opponents_buchholz (
  -- A row per player, standings and name (aob; aob-f for fore-Buchholz): the mean
  -- Buchholz of the opponents met over the board, each as often as they were met; NULL
  -- when nobody was. FIDE C.07 8.2.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id,
  CAST(CASE fore WHEN 1 THEN 'aob-f' ELSE 'aob' END AS TEXT),
  CAST(total / 1000.0 / games AS REAL),
  -- Fractions of denominators below 1,000 differ by a millionth or more.
  CAST(total * 1000000 / games AS INTEGER)
FROM (
  -- Met by each other: what the opponent's rows have, the player's partition sums.
  SELECT tournament_id, round_number, fore, opponent AS player_id,
    sum(CASE WHEN met THEN buchholz END) OVER of_player AS total,
    NULLIF(sum(met) OVER of_player, 0) AS games, row_number() OVER of_player AS number
  FROM (
    SELECT *, CAST(COALESCE(opponent_id, player_id) AS INTEGER) AS opponent,
      sum(score) OVER (PARTITION BY tournament_id, round_number, fore, player_id)
        AS buchholz
    FROM z_buchholz_round
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, fore, opponent)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('aob', 'tiebreak_opponents_buchholz', 'average Buchholz of opponents (AOB)', 0, 0, 0, 'FIDE C.07 8.2'),
  ('aob-f', 'tiebreak_opponents_buchholz', 'average fore Buchholz of opponents', 0, 0, 0, 'FIDE C.07 8.2');
