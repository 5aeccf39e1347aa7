CREATE VIEW tiebreak_match_wins (
  -- A row per player, table and name: the match-win percentage (mw), points by those of
  -- as many wins, at least rules.percentage_floor; its mean over the opponents (omw;
  -- NULL without any); the mean of that over the opponents (oomw). Magic Tournament
  -- Rules, appendix C.

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
WHERE base = 'mw';
