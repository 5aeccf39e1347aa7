-- What is on record of a pairing is about the players of that board.

CREATE TRIGGER reason_seated AFTER INSERT ON reason BEGIN
  SELECT CASE
    WHEN NEW.black IS NULL AND NOT EXISTS (SELECT 1 FROM unplayed
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
        AND player_id = NEW.white)
    THEN RAISE(ABORT, 'this player does not have the bye in this round')
    WHEN NEW.black IS NOT NULL AND NOT EXISTS (SELECT 1 FROM round
      WHERE tournament_id = NEW.tournament_id AND white = NEW.white
        AND round_number = NEW.round_number AND black = NEW.black)
    THEN RAISE(ABORT, 'these two do not meet in this round')
  END;
END;

CREATE TRIGGER reason_stays
BEFORE UPDATE OF tournament_id, round_number, white, black ON reason
WHEN NEW.tournament_id <> OLD.tournament_id OR NEW.round_number <> OLD.round_number
  OR NEW.white <> OLD.white OR NEW.black IS NOT OLD.black
BEGIN
  SELECT RAISE(ABORT, 'this row belongs to another board: delete it and insert a new row');
END;

