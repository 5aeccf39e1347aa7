CREATE VIEW _exception_guard (
  -- Insert who a correction or a personal exception is for to have it refused
  -- with a sentence if he is not there.

  -- tournament.id.
  tournament_id,
  -- player.id.
  player_id
) AS
SELECT tournament_id, player_id FROM x_player_tournament WHERE 0;

CREATE TRIGGER _exception_guarded INSTEAD OF INSERT ON _exception_guard BEGIN
  SELECT RAISE(ABORT, 'this player did not enter this tournament')
    WHERE NOT EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id);
END;
