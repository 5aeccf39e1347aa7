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
      json_extract(l.state, '$.tournament_id') AS tournament_id
    FROM log AS l
    JOIN log AS past ON past.id = (SELECT max(b.id) FROM log AS b
      WHERE b.fact = l.fact AND b.row = l.row AND b.id < l.id)
    LEFT JOIN command ON command.id = l.command_id
    WHERE l.fact IN ('rules', 'scoring') AND l.state IS NOT NULL
      AND command.undoes IS NULL
      AND NOT EXISTS (SELECT 1 FROM command AS undo WHERE undo.undoes = l.command_id)
  )
SELECT c.id, CAST(c.tournament_id AS INTEGER), CAST(c.round_number AS INTEGER),
  CAST(CASE c.fact WHEN 'rules' THEN c.name
    ELSE replace(json_extract(c.state, '$.kind'), ' ', '-')
      || CASE c.name WHEN 'factor' THEN '' ELSE '.' || c.name END END AS TEXT),
  CAST(c.before AS TEXT), CAST(c.after AS TEXT), c.changed_at
FROM (
  SELECT c.id, c.fact, c.state, c.changed_at, c.tournament_id, name.key AS name,
    json_extract(c.state_before, name.fullkey) AS before,
    json_extract(c.state, name.fullkey) AS after,
    (SELECT max(json_extract(game.state, '$.round_number')) FROM log AS game
      WHERE game.fact = 'round' AND game.id < c.id
        AND json_extract(game.state, '$.tournament_id') = c.tournament_id) AS round_number
  FROM change AS c
  JOIN json_each(json_patch(c.state_before, c.state)) AS name
) AS c
WHERE c.before IS NOT c.after AND c.round_number > 0;
