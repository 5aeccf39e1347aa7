CREATE VIEW _log (
  -- Insert a row of a fact as it is now to have it logged, if that is news.

  -- The table.
  fact,
  -- The rowid in it.
  row,
  -- As log.state.
  state
) AS
SELECT fact, row, state FROM log WHERE 0;

CREATE TRIGGER _log_written INSTEAD OF INSERT ON _log
WHEN NEW.state IS NOT (SELECT state FROM log
  WHERE fact = NEW.fact AND row = NEW.row ORDER BY id DESC LIMIT 1)
BEGIN
  INSERT INTO log (step, fact, row, state)
    VALUES ((SELECT id FROM step WHERE made_at IS NULL), NEW.fact, NEW.row, NEW.state);
END;
