CREATE VIEW tiebreak_entry (
  -- A row per player, standings and name: figures at entry. start (rank in the first
  -- list: FIDE's TPN, C.07 7.8), rating (at entry: RTNG, 10.6), lot (the order that
  -- rules.seed draws).

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(key AS INTEGER),
  CAST(key AS INTEGER)
FROM (
  SELECT own.tournament_id, own.round_number, own.player_id, t.name, CASE t.name
      WHEN 'rating' THEN e.rating
      WHEN 'lot' THEN
        (SELECT x * x % 65519 * x % 65519 FROM (
          SELECT (own.player_id % 1000000 * 48271 + u.seed * 16807) % 65519 AS x))
      ELSE (SELECT first.rank FROM ranking_list AS first
        WHERE first.tournament_id = own.tournament_id
          AND first.round_number = e.first_round - 1
          AND first.round_number < own.round_number
          AND first.player_id = own.player_id) END AS key
  FROM tiebreak AS t
  CROSS JOIN rules AS u
  CROSS JOIN ranking_list AS own ON own.tournament_id = u.tournament_id
  CROSS JOIN x_player_tournament AS e
    ON e.tournament_id = own.tournament_id AND e.player_id = own.player_id
  WHERE t.view = 'tiebreak_entry'
);

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('start', 'tiebreak_entry', 'start rank (TPN)', 1, 0, 0, 'FIDE C.07 7.8'),
  ('rating', 'tiebreak_entry', 'rating (RTNG)', 0, 0, 0, 'FIDE C.07 10.6'),
  ('lot', 'tiebreak_entry', 'lot drawn with rules.seed', 1, 0, 0, 'Keizer clubs');
