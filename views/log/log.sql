-- Against slips, not against forgers: who can forge can drop a trigger.
-- A line may get its seal, once.
CREATE TRIGGER log_stays BEFORE UPDATE ON log
WHEN OLD.seal IS NOT NULL
  OR (NEW.id, NEW.command_id, NEW.changed_at, NEW.fact, NEW.row, NEW.state)
    IS NOT (OLD.id, OLD.command_id, OLD.changed_at, OLD.fact, OLD.row, OLD.state)
BEGIN
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
CREATE TRIGGER command_stays BEFORE UPDATE ON command WHEN OLD.seal IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'what was done stays as it is: keizer undo takes it back');
END;
