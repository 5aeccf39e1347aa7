CREATE VIEW _logged_schedule (
  -- A row per scheduled round, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ifnull(', date=' || NULLIF(quote(date), 'NULL'), '')
  || ifnull(', published_at=' || NULLIF(quote(published_at), 'NULL'), '')
FROM schedule;

CREATE TRIGGER schedule_logged_new AFTER INSERT ON schedule BEGIN
  INSERT INTO _log SELECT 'schedule', row, state FROM _logged_schedule
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER schedule_logged AFTER UPDATE
OF tournament_id, round_number, date, published_at
ON schedule BEGIN
  INSERT INTO _log SELECT 'schedule', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'schedule', row, state FROM _logged_schedule
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER schedule_logged_gone AFTER DELETE ON schedule BEGIN
  INSERT INTO _log VALUES ('schedule', OLD.rowid, NULL);
END;
