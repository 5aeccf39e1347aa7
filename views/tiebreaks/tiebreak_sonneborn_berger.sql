CREATE VIEW tiebreak_sonneborn_berger (
  -- A row per player, standings and name (sb, sb-c1, sb-c2): Sonneborn-Berger, the points
  -- of each round times the adjusted score of the opponent, or the dummy. A cut
  -- takes the product with the lowest score, or the least of a voluntarily unplayed
  -- round if that is no smaller. FIDE C.07 9.1, 14, 16.5.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT s.tournament_id, s.round_number, s.player_id, t.name,
  CAST((s.total - s.cut * (t.low_cuts > 0) - s.next_cut * (t.low_cuts > 1)) / 1000000.0
    AS REAL),
  CAST(s.total - s.cut * (t.low_cuts > 0) - s.next_cut * (t.low_cuts > 1) AS INTEGER)
FROM (
  SELECT *, COALESCE(CASE WHEN rest_unplayed >= rest_least THEN rest_unplayed
    ELSE rest_least END, 0) AS next_cut
  FROM (
    SELECT *, COALESCE(CASE WHEN unplayed >= least THEN unplayed ELSE least END, 0) AS cut,
      CASE WHEN unplayed >= least AND NOT least_unplayed THEN least
        ELSE next_least END AS rest_least,
      CASE WHEN unplayed >= least THEN next_unplayed ELSE unplayed END AS rest_unplayed
    FROM (
      SELECT tournament_id, round_number, player_id, number,
        COALESCE(sum(product) OVER of_player, 0) AS total,
        max(CASE rank WHEN 1 THEN product END) OVER of_player AS least,
        max(CASE rank WHEN 2 THEN product END) OVER of_player AS next_least,
        max(CASE rank WHEN 1 THEN unplayed END) OVER of_player AS least_unplayed,
        max(CASE WHEN number = 1 AND unplayed THEN product END) OVER of_player AS unplayed,
        max(CASE WHEN number = 2 AND unplayed THEN product END) OVER of_player AS next_unplayed
      FROM (
        SELECT *, row_number() OVER (PARTITION BY tournament_id, round_number, player_id
          ORDER BY unplayed DESC, product IS NULL, product, score) AS number
        FROM (
          SELECT tournament_id, round_number, player_id, score, points * score AS product,
            voluntary AS unplayed,
            row_number() OVER (PARTITION BY tournament_id, round_number, player_id
              ORDER BY score IS NULL, score, points, NOT voluntary) AS rank
          FROM z_buchholz_round
          WHERE fore = 0
        )
      )
      WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id)
    )
  )
  WHERE number = 1
) AS s
CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_sonneborn_berger';

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('sb', 'tiebreak_sonneborn_berger', 'Sonneborn-Berger (SB)', 0, 0, 0, 'FIDE C.07 9.1'),
  ('sb-c1', 'tiebreak_sonneborn_berger', 'Sonneborn-Berger, cut 1', 0, 1, 0, 'FIDE C.07 9.1, 14'),
  ('sb-c2', 'tiebreak_sonneborn_berger', 'Sonneborn-Berger, cut 2', 0, 2, 0, 'FIDE C.07 9.1, 14');
