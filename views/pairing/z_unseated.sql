CREATE VIEW z_unseated (
  -- A row per player who is present and has neither a board nor the bye in the draft.

  tournament_id, player_id, name,
  -- In the list in force.
  rank
) AS
SELECT p.tournament_id, p.player_id, p.name, p.rank
FROM tournament AS now
CROSS JOIN presence AS p ON p.tournament_id = now.id
WHERE now.coming_round = now.last_round AND p.absence IS NULL
  AND NOT EXISTS (SELECT 1 FROM player_round AS r WHERE r.tournament_id = p.tournament_id
    AND r.round_number = p.round_number AND r.player_id = p.player_id);

CREATE VIEW z_newcomer (
  -- A row per player who entered after the draft was paired, and has no seat in it.

  tournament_id, player_id, name
) AS
SELECT e.tournament_id, e.player_id, player.name
FROM tournament AS now
JOIN x_player_tournament AS e ON e.tournament_id = now.id AND e.first_round = now.coming_round
JOIN player ON player.id = e.player_id
WHERE now.coming_round = now.last_round
  AND NOT EXISTS (SELECT 1 FROM player_round AS r WHERE r.tournament_id = e.tournament_id
    AND r.round_number = now.last_round AND r.player_id = e.player_id)
  AND (SELECT min(id) FROM log WHERE fact = 'x_player_tournament' AND row = e.id) >
    (SELECT min(log.id) FROM round AS g JOIN log ON log.fact = 'round' AND log.row = g.id
      WHERE g.tournament_id = e.tournament_id AND g.round_number = now.last_round);
