CREATE VIEW _board_guard (
  -- Insert what is said of a game beside who met and how it ended, to have it
  -- refused with a sentence if it makes no sense.

  -- round.board.
  board,
  -- round.last_updated.
  last_updated
) AS
SELECT board, last_updated FROM round WHERE 0;

CREATE TRIGGER _board_guarded INSTEAD OF INSERT ON _board_guard BEGIN
  SELECT CASE
    WHEN NEW.board IS NULL OR NEW.board > 99999
    THEN RAISE(ABORT, 'a board is 1 to 99999')
    WHEN NEW.last_updated IS NOT NULL AND (typeof(NEW.last_updated) <> 'text'
      OR NEW.last_updated NOT GLOB '[12][0-9][0-9][0-9]-*'
      OR date(substr(NEW.last_updated, 1, 10), '+0 days') IS NOT substr(NEW.last_updated, 1, 10)
      OR datetime(NEW.last_updated) IS NULL)
    THEN RAISE(ABORT, 'last_updated is a moment, YYYY-MM-DD HH:MM:SS in UTC')
  END;
END;
