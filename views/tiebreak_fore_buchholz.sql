CREATE VIEW tiebreak_fore_buchholz (
  -- A row per player, table and name (fb, fb-c1, ...): Buchholz as if all games of
  -- the last round had been drawn. FIDE C.07 8.3, 14, 16.

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
WHERE fore = 1;
