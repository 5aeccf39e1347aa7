CREATE TRIGGER _log_written INSTEAD OF INSERT ON _logged BEGIN
  INSERT INTO log (step_id, fact, row, state)
    SELECT (SELECT id FROM step WHERE made_at IS NULL), NEW.fact, NEW.row, now.state
    -- One row: of a row that is gone, with NULL.
    FROM (SELECT max(state) AS state FROM _logged
      WHERE fact = NEW.fact AND row = NEW.row) AS now
    WHERE now.state IS NOT (SELECT state FROM log
      WHERE fact = NEW.fact AND row = NEW.row ORDER BY id DESC LIMIT 1);
END;

-- The id is -1 before SQLite has given one. A line is news, and true: so nobody can add
-- one that is not, for at rest the log says already how every row is.
CREATE TRIGGER log_follows BEFORE INSERT ON log
WHEN NEW.id <> -1 OR NEW.step_id IS NOT (SELECT id FROM step WHERE made_at IS NULL)
  OR NEW.changed_at IS NOT CURRENT_TIMESTAMP
  OR NEW.state IS (SELECT state FROM log
    WHERE fact = NEW.fact AND row = NEW.row ORDER BY id DESC LIMIT 1)
  OR NEW.state IS NOT (SELECT state FROM _logged WHERE fact = NEW.fact AND row = NEW.row)
BEGIN
  SELECT RAISE(ABORT, 'the log is written by the file, line behind line');
END;
CREATE TRIGGER log_stays BEFORE UPDATE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;
CREATE TRIGGER log_kept BEFORE DELETE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;

CREATE TRIGGER step_follows BEFORE INSERT ON step
WHEN NEW.id <> -1 OR EXISTS (SELECT 1 FROM step WHERE made_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'steps are written by keizer, one behind the other');
END;
CREATE TRIGGER step_ends_once BEFORE UPDATE ON step WHEN OLD.made_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;
CREATE TRIGGER step_kept BEFORE DELETE ON step
WHEN OLD.made_at IS NOT NULL OR EXISTS (SELECT 1 FROM log WHERE step_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;

CREATE TRIGGER backup_is_one_row BEFORE INSERT ON backup WHEN EXISTS (SELECT 1 FROM backup)
BEGIN
  SELECT RAISE(ABORT, 'there is one row on backups: update it');
END;
