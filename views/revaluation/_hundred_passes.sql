CREATE VIEW _hundred_passes (
  -- Insert a row to make a table up to a hundred times more, until it settles.

  tournament_id, round_number
) AS
SELECT tournament_id, round_number FROM settling WHERE 0;

CREATE TRIGGER _hundred_passes_made INSTEAD OF INSERT ON _hundred_passes
WHEN EXISTS (SELECT 1 FROM settling
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND (cycle IS NULL OR (cycle > 1 AND wait > 0)))
BEGIN
  INSERT INTO _pass (tournament_id, round_number, passes)
    SELECT NEW.tournament_id, NEW.round_number, 1
    FROM (WITH RECURSIVE hundred (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM hundred WHERE n < 100)
      SELECT n FROM hundred);
END;
