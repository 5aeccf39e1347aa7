CREATE VIEW tiebreak_fore_buchholz (
  -- A row per player, standings and name (fb, fb-c1, ...): Buchholz as if all games of
  -- the last round had been drawn. FIDE C.07 8.3, 14, 16.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(total / 1000.0 AS REAL),
  CAST(total AS INTEGER)
FROM z_buchholz
WHERE fore = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('fb', 'tiebreak_fore_buchholz', 'fore Buchholz (FB)', 0, 0, 0, 'FIDE C.07 8.3'),
  ('fb-c1', 'tiebreak_fore_buchholz', 'fore Buchholz, cut 1', 0, 1, 0, 'FIDE C.07 8.3, 14'),
  ('fb-c2', 'tiebreak_fore_buchholz', 'fore Buchholz, cut 2', 0, 2, 0, 'FIDE C.07 8.3, 14'),
  ('fb-m1', 'tiebreak_fore_buchholz', 'fore Buchholz, median 1', 0, 1, 1, 'FIDE C.07 8.3, 14'),
  ('fb-m2', 'tiebreak_fore_buchholz', 'fore Buchholz, median 2', 0, 2, 2, 'FIDE C.07 8.3, 14');
