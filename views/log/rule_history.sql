CREATE VIEW rule_history (
  -- A row per rule that was changed after the first round was paired, in any client,
  -- and not taken back by keizer undo; by the log.

  -- log.id of the change.
  id,
  tournament_id,
  -- The last round that had boards then; standings from round 0 on were computed anew.
  round_number,
  -- The rule, as keizer rules names it.
  rule,
  -- Its value before, and since.
  before, after,
  -- When, UTC.
  changed_at
) AS
WITH
  change AS MATERIALIZED (
    SELECT l.id, l.fact, l.changed_at, l.state, past.state AS state_before,
      (SELECT value FROM json_each(l.state) WHERE key = 'tournament_id') AS tournament_id
    FROM log AS l
    JOIN log AS past ON past.id = (SELECT max(b.id) FROM log AS b
      WHERE b.fact = l.fact AND b.row = l.row AND b.id < l.id)
    LEFT JOIN command ON command.id = l.command_id
    WHERE l.fact IN ('rules', 'scoring') AND l.state IS NOT NULL
      AND command.undoes IS NULL
      AND NOT EXISTS (SELECT 1 FROM command AS undo WHERE undo.undoes = l.command_id)
  ),
  -- The columns that differ, with both values.
  cell AS (
    SELECT c.id, both.key AS name,
      max(CASE both.path WHEN '$[0]' THEN both.value END) AS before,
      max(CASE both.path WHEN '$[1]' THEN both.value END) AS after
    FROM change AS c
    JOIN json_tree('[' || c.state_before || ',' || c.state || ']') AS both ON both.path <> '$'
    GROUP BY c.id, both.key
    HAVING before IS NOT after
  )
SELECT c.id, CAST(c.tournament_id AS INTEGER), CAST(c.round_number AS INTEGER),
  CAST(CASE c.fact WHEN 'rules' THEN cell.name
    ELSE (SELECT replace(value, ' ', '-') FROM json_each(c.state) WHERE key = 'kind')
      || CASE cell.name WHEN 'factor' THEN '' ELSE '.' || cell.name END END AS TEXT),
  CAST(cell.before AS TEXT), CAST(cell.after AS TEXT), c.changed_at
FROM cell
JOIN (
  SELECT *, (SELECT max(number.value)
    FROM log AS game
    JOIN json_each(game.state) AS number ON number.key = 'round_number'
    JOIN json_each(game.state) AS owner ON owner.key = 'tournament_id'
    WHERE game.fact = 'round' AND game.id < change.id
      AND owner.value = change.tournament_id) AS round_number
  FROM change
) AS c ON c.id = cell.id
WHERE c.round_number > 0;
