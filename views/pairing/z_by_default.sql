CREATE VIEW z_by_default (
  -- A row per unplayed round that is there because the player is absent by default.

  -- unplayed.id.
  id
) AS
SELECT u.id
FROM unplayed AS u
JOIN x_player_tournament AS e ON e.tournament_id = u.tournament_id AND e.player_id = u.player_id
  AND e.absent_as = u.kind
WHERE NOT EXISTS (SELECT 1 FROM attendance AS c WHERE c.tournament_id = u.tournament_id
  AND c.round_number = u.round_number AND c.player_id = u.player_id);
