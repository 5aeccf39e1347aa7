CREATE VIEW tiebreak_game_wins (
  -- A row per player, table and name: the game-win percentage (gw), as mw from the games
  -- of each match; its mean over the opponents (ogw; NULL without any); the mean of
  -- that over the opponents (oogw). Magic Tournament Rules, appendix C.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- tiebreak.name.
  name,
  -- For reading.
  value,
  -- What orders exactly.
  key
) AS
SELECT tournament_id, round_number, player_id, name, value, key
FROM _percentage
WHERE base = 'gw';
