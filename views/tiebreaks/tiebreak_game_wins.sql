CREATE VIEW tiebreak_game_wins (
  -- A row per player, standings and name: the game-win percentage (gw), as mw from the games
  -- of each match; its mean over the opponents (ogw; NULL without any); the mean of
  -- that over the opponents (oogw). Magic Tournament Rules, appendix C.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, CAST(player_id AS INTEGER), CAST(name AS TEXT),
  CAST(value AS REAL), CAST(key AS INTEGER)
FROM z_percentage
WHERE base = 'gw';

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('gw', 'tiebreak_game_wins', 'game-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('ogw', 'tiebreak_game_wins', 'opponents'' game-win percentage', 0, 0, 0, 'Magic Tournament Rules 3.1'),
  ('oogw', 'tiebreak_game_wins', 'opponents'' OGW%', 0, 0, 0, 'second order, as Pokémon');
