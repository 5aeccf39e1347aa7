CREATE VIEW _logged_period (
  -- A row per period, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', first_round=' || first_round
  || ifnull(', name=' || NULLIF(quote(name), 'NULL'), '')
  || ', scores=' || quote(scores)
  || ', start=' || quote(start)
FROM period;

CREATE TRIGGER period_logged_new AFTER INSERT ON period BEGIN
  INSERT INTO _log SELECT 'period', row, state FROM _logged_period
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER period_logged AFTER UPDATE ON period BEGIN
  INSERT INTO _log SELECT 'period', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'period', row, state FROM _logged_period
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER period_logged_gone AFTER DELETE ON period BEGIN
  INSERT INTO _log VALUES ('period', OLD.rowid, NULL);
END;
