CREATE VIEW tiebreak_koya (
  -- A row per player and standings (ks): the points from games with those who have half
  -- of all points. For round robins: forfeits count. FIDE C.07 9.2.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, CAST('ks' AS TEXT),
  CAST(total / 1000.0 AS REAL), CAST(total AS INTEGER)
FROM (
  SELECT tournament_id, round_number, player_id,
    sum(CASE WHEN opponent_id IS NOT NULL AND 2 * other >= win * rounds THEN points
      ELSE 0 END) OVER of_player AS total,
    row_number() OVER of_player AS number
  FROM (
    -- Of the two who have a game, one has the lower id.
    SELECT *, sum(own) OVER (PARTITION BY tournament_id, round_number, played_in,
      COALESCE(min(player_id, opponent_id), player_id)) - own AS other
    FROM (
      SELECT *, sum(points) OVER player AS own, count(*) OVER player AS rounds
      FROM z_tiebreak_round
      WINDOW player AS (PARTITION BY tournament_id, round_number, player_id)
    )
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('ks', 'tiebreak_koya', 'Koya (KS)', 0, 0, 0, 'FIDE C.07 9.2');
