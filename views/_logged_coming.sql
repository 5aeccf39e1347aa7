CREATE VIEW _logged_coming (
  -- A row per round somebody said he will come to, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', player_id=' || player_id
FROM coming;

CREATE TRIGGER coming_logged_new AFTER INSERT ON coming BEGIN
  INSERT INTO _log SELECT 'coming', row, state FROM _logged_coming
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER coming_logged AFTER UPDATE ON coming BEGIN
  INSERT INTO _log SELECT 'coming', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'coming', row, state FROM _logged_coming
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER coming_logged_gone AFTER DELETE ON coming BEGIN
  INSERT INTO _log VALUES ('coming', OLD.rowid, NULL);
END;
