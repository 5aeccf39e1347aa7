CREATE VIEW tiebreak_koya (
  -- A row per player and standings (ks): the points from games with those who have half
  -- of all points, or rules.koya half points more. For round robins: forfeits
  -- count. FIDE C.07 9.2, 14.5.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, CAST('ks' AS TEXT),
  CAST(total / 1000.0 AS REAL), CAST(total AS INTEGER)
FROM (
  SELECT tournament_id, round_number, player_id,
    sum(CASE WHEN opponent_id IS NOT NULL AND 2 * other >= limit_twice THEN points
      ELSE 0 END) OVER of_player AS total,
    row_number() OVER of_player AS number
  FROM (
    SELECT o.*, sum(own) OVER pair - own AS other,
      o.win * o.rounds + 2 * o.draw * u.koya AS limit_twice
    FROM (
      SELECT *, sum(points) OVER player AS own, count(*) OVER player AS rounds
      FROM _tiebreak_round
      WINDOW player AS (PARTITION BY tournament_id, round_number, player_id)
    ) AS o
    CROSS JOIN rules AS u ON u.tournament_id = o.tournament_id
    WINDOW pair AS (PARTITION BY o.tournament_id, o.round_number, o.played_in,
      min(o.player_id, COALESCE(o.opponent_id, o.player_id)),
      max(o.player_id, COALESCE(o.opponent_id, o.player_id)))
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('ks', 'tiebreak_koya', 'Koya (KS)', 0, 0, 0, 'FIDE C.07 9.2');
