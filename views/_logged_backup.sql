CREATE VIEW _logged_backup (
  -- A row per setting of backups, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'id=' || id
  || ifnull(', folder=' || NULLIF(quote(folder), 'NULL'), '')
  || ', kept=' || kept
FROM backup;

CREATE TRIGGER backup_logged_new AFTER INSERT ON backup BEGIN
  INSERT INTO _log SELECT 'backup', row, state FROM _logged_backup
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER backup_logged AFTER UPDATE ON backup BEGIN
  INSERT INTO _log SELECT 'backup', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'backup', row, state FROM _logged_backup
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER backup_logged_gone AFTER DELETE ON backup BEGIN
  INSERT INTO _log VALUES ('backup', OLD.rowid, NULL);
END;
