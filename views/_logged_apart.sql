CREATE VIEW _logged_apart (
  -- A row per member of those kept apart, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', name=' || quote(name)
  || ', player_id=' || player_id
FROM apart;

CREATE TRIGGER apart_logged_new AFTER INSERT ON apart BEGIN
  INSERT INTO _log SELECT 'apart', row, state FROM _logged_apart
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER apart_logged AFTER UPDATE ON apart BEGIN
  INSERT INTO _log SELECT 'apart', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'apart', row, state FROM _logged_apart
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER apart_logged_gone AFTER DELETE ON apart BEGIN
  INSERT INTO _log VALUES ('apart', OLD.rowid, NULL);
END;
