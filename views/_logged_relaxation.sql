CREATE VIEW _logged_relaxation (
  -- A row per rule given up in a pairing, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', white=' || white
  || ifnull(', black=' || black, '')
  || ', rule=' || quote(rule)
  || ', amount=' || amount
  || ', why=' || quote(why)
FROM relaxation;

CREATE TRIGGER relaxation_logged_new AFTER INSERT ON relaxation BEGIN
  INSERT INTO _log SELECT 'relaxation', row, state FROM _logged_relaxation
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER relaxation_logged AFTER UPDATE ON relaxation BEGIN
  INSERT INTO _log SELECT 'relaxation', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'relaxation', row, state FROM _logged_relaxation
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER relaxation_logged_gone AFTER DELETE ON relaxation BEGIN
  INSERT INTO _log VALUES ('relaxation', OLD.rowid, NULL);
END;
