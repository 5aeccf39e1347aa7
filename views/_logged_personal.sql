CREATE VIEW _logged_personal (
  -- A row per personal exception, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', player_id=' || player_id
  || ', kind=' || quote(kind)
  || ', counts_as=' || quote(counts_as)
FROM personal;

CREATE TRIGGER personal_logged_new AFTER INSERT ON personal BEGIN
  INSERT INTO _log SELECT 'personal', row, state FROM _logged_personal
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER personal_logged AFTER UPDATE ON personal BEGIN
  INSERT INTO _log SELECT 'personal', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'personal', row, state FROM _logged_personal
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER personal_logged_gone AFTER DELETE ON personal BEGIN
  INSERT INTO _log VALUES ('personal', OLD.rowid, NULL);
END;
