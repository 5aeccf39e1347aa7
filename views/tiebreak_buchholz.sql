CREATE VIEW tiebreak_buchholz (
  -- A row per player, table and name (bh, bh-c1, ...): Buchholz, the sum of the
  -- opponents' adjusted scores, an unplayed round being a game with a dummy. Cuts
  -- take the least, but first those of voluntarily unplayed rounds; medians also
  -- the greatest. FIDE C.07 8.1, 14, 16.

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
SELECT tournament_id, round_number, player_id, name, total / 1000.0, total
FROM _buchholz
WHERE fore = 0;
