CREATE VIEW tiebreak_standings (
  -- A row per player, standings and name: what stands in them as it is. score (Keizer),
  -- points (classical), played (games), previous (rank in the list before).

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT own.tournament_id, own.round_number, own.player_id, t.name,
  CAST(CASE t.name WHEN 'score' THEN own.score WHEN 'points' THEN own.points
    WHEN 'played' THEN own.played ELSE own.rank_before END AS REAL),
  CAST(CASE t.name WHEN 'score' THEN own.score_units WHEN 'points' THEN own.points_units
    WHEN 'played' THEN own.played ELSE own.rank_before END AS INTEGER)
FROM tiebreak AS t
CROSS JOIN ranking_list AS own
WHERE t.view = 'tiebreak_standings';

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('score', 'tiebreak_standings', 'Keizer score', 0, 0, 0, 'Keizer clubs'),
  ('points', 'tiebreak_standings', 'classical points', 0, 0, 0, 'Keizer clubs'),
  ('played', 'tiebreak_standings', 'games played', 0, 0, 0, 'Keizer clubs'),
  ('previous', 'tiebreak_standings', 'rank in the list before', 1, 0, 0, 'Keizer clubs');
