CREATE VIEW _logged_tournament (
  -- A row per tournament, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'id=' || id
  || ', description=' || quote(description)
  || ', status=' || quote(status)
  || ifnull(', above=' || above, '')
  || ifnull(', city=' || NULLIF(quote(city), 'NULL'), '')
  || ifnull(', federation=' || NULLIF(quote(federation), 'NULL'), '')
  || ifnull(', arbiter=' || NULLIF(quote(arbiter), 'NULL'), '')
  || ifnull(', time_control=' || NULLIF(quote(time_control), 'NULL'), '')
FROM tournament;

CREATE TRIGGER tournament_logged_new AFTER INSERT ON tournament BEGIN
  INSERT INTO _log SELECT 'tournament', row, state FROM _logged_tournament
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER tournament_logged AFTER UPDATE
OF id, description, status, above, city, federation, arbiter, time_control
ON tournament BEGIN
  INSERT INTO _log SELECT 'tournament', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'tournament', row, state FROM _logged_tournament
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER tournament_logged_gone AFTER DELETE ON tournament BEGIN
  INSERT INTO _log VALUES ('tournament', OLD.rowid, NULL);
END;
