CREATE VIEW z_seating (
  -- Insert the rows of a pairing, in this order, to write it with its reasons and to revalue
  -- once: 'begin', 'draft' (board: how many are proved to be the best), each 'board', each
  -- player 'out' (with a bye, or absent by default), 'end'; where nobody plays, 'publish' for
  -- 'draft'. One statement does it all, because preparing one that can revalue takes as long as
  -- running it.

  -- 'begin', 'draft', 'publish', 'board', 'out' or 'end'.
  what,
  tournament_id,
  -- The round to be paired.
  round_number,
  -- As in table round; without a game, white is the player, and white_place their place.
  board, white, black, white_place, black_place, colour_by,
  -- Of a player without a game, the kind of scoring.
  kind
) AS
SELECT 'board', tournament_id, round_number, board, white, black,
  white_place, black_place, colour_by, NULL
FROM round WHERE 0;

CREATE TRIGGER z_seating_switched INSTEAD OF INSERT ON z_seating
WHEN NEW.what IN ('begin', 'end')
BEGIN
  UPDATE tournament
    SET revaluation = CASE NEW.what WHEN 'begin' THEN 'suspended' ELSE 'on' END
    WHERE id = NEW.tournament_id;
  INSERT INTO z_reasons (tournament_id) SELECT NEW.tournament_id WHERE NEW.what = 'end';
END;

CREATE TRIGGER z_seating_drafted INSTEAD OF INSERT ON z_seating
WHEN NEW.what IN ('draft', 'publish')
BEGIN
  INSERT INTO schedule (tournament_id, round_number)
    SELECT NEW.tournament_id, NEW.round_number
    WHERE NOT EXISTS (SELECT 1 FROM schedule
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number);
  UPDATE schedule
    SET proved = NEW.board,
      published_at = CASE NEW.what WHEN 'publish' THEN CURRENT_TIMESTAMP END,
      date = CASE NEW.what WHEN 'publish' THEN COALESCE(date, date('now', 'localtime'))
        ELSE date END
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
END;

CREATE TRIGGER z_seating_at_a_board INSTEAD OF INSERT ON z_seating
WHEN NEW.what = 'board'
BEGIN
  INSERT INTO round (tournament_id, round_number, board, white, black,
      white_place, black_place, colour_by, last_updated)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.board, NEW.white, NEW.black,
      NEW.white_place, NEW.black_place, NEW.colour_by, NULL);
END;

CREATE TRIGGER z_seating_out INSTEAD OF INSERT ON z_seating
WHEN NEW.what = 'out'
BEGIN
  INSERT INTO unplayed (tournament_id, round_number, player_id, kind, place)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.white, NEW.kind, NEW.white_place);
END;
