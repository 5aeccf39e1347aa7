CREATE VIEW _logged_correction (
  -- A row per correction, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'id=' || id
  || ', tournament_id=' || tournament_id
  || ', player_id=' || player_id
  || ', round_number=' || round_number
  || ifnull(', last_round=' || last_round, '')
  || ', points=' || quote(points)
  || ifnull(', reason=' || NULLIF(quote(reason), 'NULL'), '')
FROM correction;

CREATE TRIGGER correction_logged_new AFTER INSERT ON correction BEGIN
  INSERT INTO _log SELECT 'correction', row, state FROM _logged_correction
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER correction_logged AFTER UPDATE ON correction BEGIN
  INSERT INTO _log SELECT 'correction', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'correction', row, state FROM _logged_correction
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER correction_logged_gone AFTER DELETE ON correction BEGIN
  INSERT INTO _log VALUES ('correction', OLD.rowid, NULL);
END;
