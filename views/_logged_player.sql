CREATE VIEW _logged_player (
  -- A row per player, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'id=' || id
  || ', name=' || quote(name)
  || ifnull(', category=' || NULLIF(quote(category), 'NULL'), '')
  || ifnull(', rating=' || rating, '')
  || ifnull(', fide_id=' || fide_id, '')
  || ifnull(', national_id=' || NULLIF(quote(national_id), 'NULL'), '')
  || ifnull(', title=' || NULLIF(quote(title), 'NULL'), '')
  || ifnull(', federation=' || NULLIF(quote(federation), 'NULL'), '')
  || ifnull(', sex=' || NULLIF(quote(sex), 'NULL'), '')
  || ifnull(', born=' || NULLIF(quote(born), 'NULL'), '')
FROM player;

CREATE TRIGGER player_logged_new AFTER INSERT ON player BEGIN
  INSERT INTO _log SELECT 'player', row, state FROM _logged_player
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER player_logged AFTER UPDATE ON player BEGIN
  INSERT INTO _log SELECT 'player', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'player', row, state FROM _logged_player
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER player_logged_gone AFTER DELETE ON player BEGIN
  INSERT INTO _log VALUES ('player', OLD.rowid, NULL);
END;
