CREATE TRIGGER z_log_written INSTEAD OF INSERT ON z_logged BEGIN
  INSERT INTO log (command_id, fact, row, state)
    SELECT (SELECT id FROM command WHERE made_at IS NULL), NEW.fact, NEW.row, now.state
    -- One row: of a row that is gone, with NULL.
    FROM (SELECT max(state) AS state FROM z_logged
      WHERE fact = NEW.fact AND row = NEW.row) AS now
    WHERE now.state IS NOT (SELECT state FROM log
      WHERE fact = NEW.fact AND row = NEW.row ORDER BY id DESC LIMIT 1);
END;

-- Against slips, not against forgers: who can forge can drop a trigger.
CREATE TRIGGER log_stays BEFORE UPDATE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;
CREATE TRIGGER log_kept BEFORE DELETE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;
CREATE TRIGGER command_kept BEFORE DELETE ON command
WHEN OLD.made_at IS NOT NULL OR EXISTS (SELECT 1 FROM log WHERE command_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;
