CREATE TRIGGER _log_written INSTEAD OF INSERT ON _logged BEGIN
  INSERT INTO log (command_id, fact, row, state)
    SELECT (SELECT id FROM command WHERE made_at IS NULL), NEW.fact, NEW.row, now.state
    -- One row: of a row that is gone, with NULL.
    FROM (SELECT max(state) AS state FROM _logged
      WHERE fact = NEW.fact AND row = NEW.row) AS now
    WHERE now.state IS NOT (SELECT state FROM log
      WHERE fact = NEW.fact AND row = NEW.row ORDER BY id DESC LIMIT 1);
END;

-- The id is -1 before SQLite has given one. A new line is of the open command and of now, and
-- differs from the last one of its row. View problems finds one that is not true.
CREATE TRIGGER log_follows BEFORE INSERT ON log
WHEN NEW.id <> -1 OR NEW.command_id IS NOT (SELECT id FROM command WHERE made_at IS NULL)
  OR NEW.changed_at IS NOT CURRENT_TIMESTAMP
  OR NEW.state IS (SELECT state FROM log
    WHERE fact = NEW.fact AND row = NEW.row ORDER BY id DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'the log is written by the file, line behind line');
END;
CREATE TRIGGER log_stays BEFORE UPDATE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;
CREATE TRIGGER log_kept BEFORE DELETE ON log BEGIN
  SELECT RAISE(ABORT, 'the log stays as it is');
END;

CREATE TRIGGER command_follows BEFORE INSERT ON command
WHEN NEW.id <> -1 OR EXISTS (SELECT 1 FROM command WHERE made_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'commands are written by keizer, one after the other');
END;
CREATE TRIGGER command_ends_once BEFORE UPDATE ON command WHEN OLD.made_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;
CREATE TRIGGER command_kept BEFORE DELETE ON command
WHEN OLD.made_at IS NOT NULL OR EXISTS (SELECT 1 FROM log WHERE command_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;

CREATE TRIGGER backup_is_one_row BEFORE INSERT ON backup WHEN EXISTS (SELECT 1 FROM backup)
BEGIN
  SELECT RAISE(ABORT, 'there is one row on backups: update it');
END;
