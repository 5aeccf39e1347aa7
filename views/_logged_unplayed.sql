CREATE VIEW _logged_unplayed (
  -- A row per unplayed round, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', player_id=' || player_id
  || ', kind=' || quote(kind)
  || ifnull(', place=' || place, '')
FROM unplayed;

CREATE TRIGGER unplayed_logged_new AFTER INSERT ON unplayed BEGIN
  INSERT INTO _log SELECT 'unplayed', row, state FROM _logged_unplayed
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER unplayed_logged AFTER UPDATE
OF tournament_id, round_number, player_id, kind, place
ON unplayed BEGIN
  INSERT INTO _log SELECT 'unplayed', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'unplayed', row, state FROM _logged_unplayed
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER unplayed_logged_gone AFTER DELETE ON unplayed BEGIN
  INSERT INTO _log VALUES ('unplayed', OLD.rowid, NULL);
END;
