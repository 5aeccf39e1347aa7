CREATE VIEW z_expected (
  -- A row per player who is entered for the coming round, and whether they come: view
  -- presence without what only a pairing asks.

  tournament_id,
  -- The coming round: the draft there is, else the one after the last.
  round_number,
  player_id,
  -- Rank in the list in force, which the pairing uses.
  rank,
  -- NULL when present, else why not: a kind of scoring.
  absence,
  -- 1 when that is the default presence of the player (x_player_tournament.absent_as).
  by_default,
  -- 1 when the coming round is the player's first, and not the tournament's.
  starts,
  -- Keizer total so far, in units.
  score_units
) AS
SELECT r.tournament_id, r.round_number + 1, r.player_id,
  COALESCE((SELECT rank FROM z_restart AS s WHERE s.tournament_id = r.tournament_id
    AND s.round_number = r.round_number + 1 AND s.player_id = r.player_id), r.rank),
  CASE
    WHEN u.kind IS NOT NULL THEN NULLIF(u.kind, 'bye')
    WHEN attendance.player_id IS NULL THEN e.absent_as END,
  u.kind IS NULL AND attendance.player_id IS NULL,
  e.first_round = r.round_number + 1 AND e.first_round > 1,
  COALESCE(r.score_units, 0)
FROM tournament AS c
CROSS JOIN ranking_list AS r
  ON r.tournament_id = c.id AND r.round_number = c.coming_round - 1
CROSS JOIN x_player_tournament AS e
  ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
LEFT JOIN unplayed AS u
  ON u.tournament_id = r.tournament_id AND u.round_number = r.round_number + 1
  AND u.player_id = r.player_id
LEFT JOIN attendance
  ON attendance.tournament_id = r.tournament_id AND attendance.round_number = r.round_number + 1
  AND attendance.player_id = r.player_id
WHERE e.first_round <= r.round_number + 1
  AND (e.last_round IS NULL OR e.last_round >= r.round_number + 1);
