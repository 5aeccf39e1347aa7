CREATE VIEW tiebreak_match_wins (
  -- A row per player, standings and name: the match-win percentage (mw), the points divided by
  -- those of a win in every match, at least rules.percentage_floor; its mean over the opponents (omw;
  -- NULL without any); the mean of that over the opponents (oomw). Magic Tournament
  -- Rules, appendix C.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, CAST(player_id AS INTEGER), CAST(name AS TEXT),
  CAST(value AS REAL), CAST(key AS INTEGER)
FROM z_percentage
WHERE base = 'mw';

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('mw', 'tiebreak_match_wins', 'match-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('omw', 'tiebreak_match_wins', 'opponents'' match-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('oomw', 'tiebreak_match_wins', 'opponents'' OMW%', 0, 0, 0, 'second order, as Pokémon');
