CREATE VIEW _logged_x_player_tournament (
  -- A row per entry, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'player_id=' || player_id
  || ', tournament_id=' || tournament_id
  || ', status=' || quote(status)
  || ifnull(', start_rank=' || start_rank, '')
  || ifnull(', rating=' || rating, '')
  || ', first_round=' || first_round
  || ifnull(', last_round=' || last_round, '')
  || ifnull(', absent_as=' || NULLIF(quote(absent_as), 'NULL'), '')
FROM x_player_tournament;

CREATE TRIGGER x_player_tournament_logged_new AFTER INSERT ON x_player_tournament BEGIN
  INSERT INTO _log SELECT 'x_player_tournament', row, state FROM _logged_x_player_tournament
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER x_player_tournament_logged AFTER UPDATE
OF player_id, tournament_id, status, start_rank, rating, first_round, last_round,
  absent_as
ON x_player_tournament BEGIN
  INSERT INTO _log SELECT 'x_player_tournament', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'x_player_tournament', row, state FROM _logged_x_player_tournament
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER x_player_tournament_logged_gone AFTER DELETE ON x_player_tournament BEGIN
  INSERT INTO _log VALUES ('x_player_tournament', OLD.rowid, NULL);
END;
