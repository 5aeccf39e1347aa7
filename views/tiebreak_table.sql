CREATE VIEW tiebreak_table (
  -- A row per player, table and name: what stands in the table itself. score (Keizer),
  -- points (classical), played (games), previous (rank in the list before).

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
SELECT me.tournament_id, me.round_number, me.player_id, t.name,
  CASE t.name WHEN 'score' THEN me.score WHEN 'points' THEN me.points
    WHEN 'played' THEN me.played ELSE me.rank_before END,
  CASE t.name WHEN 'score' THEN me.score_units WHEN 'points' THEN me.points_units
    WHEN 'played' THEN me.played ELSE me.rank_before END
FROM tiebreak AS t
CROSS JOIN ranking AS me
WHERE t.view = 'tiebreak_table';
