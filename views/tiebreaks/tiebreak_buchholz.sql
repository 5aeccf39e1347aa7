CREATE VIEW tiebreak_buchholz (
  -- A row per player, standings and name (bh, bh-c1, ...): Buchholz, the sum of the
  -- opponents' adjusted scores, an unplayed round being a game with a dummy. Cuts
  -- take the least, but first those of voluntarily unplayed rounds; medians also
  -- the greatest. FIDE C.07 8.1, 14, 16.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(total / 1000.0 AS REAL),
  CAST(total AS INTEGER)
FROM z_buchholz
WHERE fore = 0;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('bh', 'tiebreak_buchholz', 'Buchholz (BH)', 0, 0, 0, 'FIDE C.07 8.1'),
  ('bh-c1', 'tiebreak_buchholz', 'Buchholz, cut 1', 0, 1, 0, 'FIDE C.07 8.1, 14'),
  ('bh-c2', 'tiebreak_buchholz', 'Buchholz, cut 2', 0, 2, 0, 'FIDE C.07 8.1, 14'),
  ('bh-m1', 'tiebreak_buchholz', 'Buchholz, median 1', 0, 1, 1, 'FIDE C.07 8.1, 14'),
  ('bh-m2', 'tiebreak_buchholz', 'Buchholz, median 2', 0, 2, 2, 'FIDE C.07 8.1, 14');
