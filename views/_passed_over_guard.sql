CREATE VIEW _passed_over_guard (
  -- Insert who was passed over, just written, to have it refused with a sentence
  -- where the other has no game or he is not in the tournament.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- player.id of who has a game.
  player_id,
  -- player.id of who was nearer.
  nearer
) AS
SELECT tournament_id, round_number, player_id, nearer FROM passed_over WHERE 0;

CREATE TRIGGER _passed_over_guarded INSTEAD OF INSERT ON _passed_over_guard BEGIN
  SELECT CASE
    WHEN NEW.nearer = NEW.player_id OR NOT EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.nearer)
    THEN RAISE(ABORT, 'who was passed over is another player of this tournament')
    WHEN NOT EXISTS (SELECT 1 FROM round WHERE tournament_id = NEW.tournament_id
        AND white = NEW.player_id AND round_number = NEW.round_number)
      AND NOT EXISTS (SELECT 1 FROM round WHERE tournament_id = NEW.tournament_id
        AND black = NEW.player_id AND round_number = NEW.round_number)
    THEN RAISE(ABORT, 'this player has no game in this round')
  END;
END;
