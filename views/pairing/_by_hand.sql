CREATE VIEW _by_hand (
  -- Insert a game of the coming round that a person seated, to have the places of the two
  -- and each rule that the board breaks put on record.

  -- round.id.
  id
) AS
SELECT id FROM round WHERE 0;

CREATE TRIGGER _by_hand_noted INSTEAD OF INSERT ON _by_hand BEGIN
  INSERT INTO _broken
    SELECT b.*
    FROM round AS g
    JOIN _broken AS b ON b.tournament_id = g.tournament_id AND b.round_number = g.round_number
      AND b.white_id = g.white AND b.black_id = g.black
    WHERE g.id = NEW.id;
END;
