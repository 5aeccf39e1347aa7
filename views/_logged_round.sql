CREATE VIEW _logged_round (
  -- A row per game, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ifnull(', board=' || board, '')
  || ', white=' || white
  || ', black=' || black
  || ifnull(', result=' || NULLIF(quote(result), 'NULL'), '')
  || ifnull(', last_updated=' || NULLIF(quote(last_updated), 'NULL'), '')
  || ifnull(', white_place=' || white_place, '')
  || ifnull(', black_place=' || black_place, '')
  || ifnull(', colour_by=' || NULLIF(quote(colour_by), 'NULL'), '')
  || ifnull(', white_wins=' || white_wins, '')
  || ifnull(', black_wins=' || black_wins, '')
  || ifnull(', drawn=' || drawn, '')
FROM round;

CREATE TRIGGER round_logged_new AFTER INSERT ON round BEGIN
  INSERT INTO _log SELECT 'round', row, state FROM _logged_round
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER round_logged AFTER UPDATE ON round BEGIN
  INSERT INTO _log SELECT 'round', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'round', row, state FROM _logged_round
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER round_logged_gone AFTER DELETE ON round BEGIN
  INSERT INTO _log VALUES ('round', OLD.rowid, NULL);
END;
