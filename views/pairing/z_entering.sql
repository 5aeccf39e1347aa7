CREATE VIEW z_entering (
  -- Insert the results of a round to write them; of several, in this order, to revalue
  -- once: 'begin', each 'result', 'end'. One statement, as in z_seating.

  -- 'begin', 'result' or 'end'.
  what,
  tournament_id, round_number,
  -- round.board.
  board,
  -- As in table round; of a match it follows from the games won.
  result,
  -- Of a match.
  white_wins, black_wins, drawn
) AS
SELECT 'result', tournament_id,
  round_number, board, result, white_wins, black_wins, drawn
FROM round WHERE 0;

CREATE TRIGGER z_entering_switched INSTEAD OF INSERT ON z_entering
WHEN NEW.what IN ('begin', 'end')
BEGIN
  UPDATE tournament
    SET revaluation = CASE NEW.what WHEN 'begin' THEN 'suspended' ELSE 'on' END
    WHERE id = NEW.tournament_id;
END;

CREATE TRIGGER z_entering_a_result INSTEAD OF INSERT ON z_entering
WHEN NEW.what = 'result'
BEGIN
  UPDATE round
    SET result = CASE WHEN NEW.white_wins IS NULL THEN NEW.result ELSE result END,
      white_wins = NEW.white_wins, black_wins = NEW.black_wins, drawn = NEW.drawn,
      last_updated = CURRENT_TIMESTAMP
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND board = NEW.board;
END;
