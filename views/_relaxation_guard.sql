CREATE VIEW _relaxation_guard (
  -- Insert a rule given up that was just written to have it refused with a sentence
  -- where nobody sits like that.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- player.id of White; or of who sits out.
  white,
  -- player.id of Black; NULL for a bye.
  black,
  -- As in relaxation.
  amount
) AS
SELECT tournament_id, round_number, white, black, amount FROM relaxation WHERE 0;

CREATE TRIGGER _relaxation_guarded INSTEAD OF INSERT ON _relaxation_guard BEGIN
  SELECT CASE
    WHEN typeof(NEW.amount) <> 'integer'
    THEN RAISE(ABORT, 'the amount of a relaxation is a whole number')
    WHEN NEW.black IS NULL AND NOT EXISTS (SELECT 1 FROM unplayed
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
        AND player_id = NEW.white)
    THEN RAISE(ABORT, 'this player does not sit out in this round')
    WHEN NEW.black IS NOT NULL AND NOT EXISTS (SELECT 1 FROM round
      WHERE tournament_id = NEW.tournament_id AND white = NEW.white
        AND round_number = NEW.round_number AND black = NEW.black)
    THEN RAISE(ABORT, 'these two do not meet in this round')
  END;
END;
