CREATE VIEW z_touched (
  -- A row per command and row of a fact that it touched.

  -- As in table log.
  command_id, fact, row,
  -- The states of the row before it and after it.
  before, after,
  -- log.id of its first line about the row.
  first
) AS
SELECT command_id, fact, row,
  (SELECT state FROM log AS l WHERE l.fact = touched.fact AND l.row = touched.row
    AND l.id < touched.first ORDER BY l.id DESC LIMIT 1),
  (SELECT state FROM log AS l WHERE l.id = touched.last), first
FROM (
  SELECT command_id, fact, row, min(id) AS first, max(id) AS last FROM log
  GROUP BY command_id, fact, row
) AS touched;
