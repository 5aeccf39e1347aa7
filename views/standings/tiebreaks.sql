CREATE VIEW tiebreaks (
  -- A row per player, standings and tie-break that was needed to separate equal players in
  -- them: why one is ahead of another with the same score. (The view that tiebreak.view names
  -- has it for everybody.)

  tournament_id, round_number, player_id, name,
  -- In this order.
  position,
  -- tiebreak.name.
  tiebreak,
  -- What people call it.
  title,
  -- The player's figure; NULL where there is none, which comes last.
  value
) AS
SELECT v.tournament_id, v.round_number, v.player_id, player.name, v.position, o.name,
  t.title, CAST(v.value AS REAL)
FROM tiebreak_value AS v
JOIN tiebreak_order AS o
  ON o.tournament_id = v.tournament_id AND o.position = v.position
JOIN tiebreak AS t ON t.name = o.name
JOIN player ON player.id = v.player_id;
