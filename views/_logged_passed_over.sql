CREATE VIEW _logged_passed_over (
  -- A row per player passed over in a pairing, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', player_id=' || player_id
  || ', nearer=' || nearer
  || ', obstacle=' || quote(obstacle)
FROM passed_over;

CREATE TRIGGER passed_over_logged_new AFTER INSERT ON passed_over BEGIN
  INSERT INTO _log SELECT 'passed_over', row, state FROM _logged_passed_over
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER passed_over_logged AFTER UPDATE ON passed_over BEGIN
  INSERT INTO _log SELECT 'passed_over', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'passed_over', row, state FROM _logged_passed_over
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER passed_over_logged_gone AFTER DELETE ON passed_over BEGIN
  INSERT INTO _log VALUES ('passed_over', OLD.rowid, NULL);
END;
