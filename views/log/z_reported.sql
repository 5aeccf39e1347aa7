CREATE VIEW z_reported (
  -- A row per board whose result a member entered, as the log has it, until somebody else enters
  -- or confirms one, each of which has a moment of its own: what undo brings back is as it was,
  -- and who sits there may be corrected.

  tournament_id, round_number,
  -- round.board.
  board,
  -- Who entered it.
  player_id
) AS
SELECT g.tournament_id, g.round_number, g.board, command.player_id
FROM round AS g
JOIN command ON command.id = (SELECT l.command_id
  FROM log AS l JOIN command AS c ON c.id = l.command_id
  WHERE l.fact = 'round' AND l.row = g.id
    AND (SELECT value FROM json_each(l.state) WHERE key = 'result') = g.result
    AND (SELECT value FROM json_each(l.state) WHERE key = 'last_updated') = g.last_updated
    AND c.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM command WHERE undoes = c.id)
  ORDER BY l.id LIMIT 1)
WHERE g.result IS NOT NULL AND command.player_id IS NOT NULL;
