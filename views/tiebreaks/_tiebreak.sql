CREATE VIEW _tiebreak (
  -- Insert a row to let one tie-break decide between players who share a place; where
  -- nobody does, nothing happens. The triggers that write its figures to tiebreak_value,
  -- one for each view of tie-breaks, are in the file only for those in use (view
  -- tiebreak_trigger): SQLite would have to prepare all of them with every result that is
  -- entered.

  tournament_id, round_number,
  -- Its place in the order.
  position,
  -- tiebreak.name.
  name,
  -- 1 when the lower number is ahead.
  lower_first,
  -- tiebreak.view, for the trigger of that view; else left out.
  view
) AS
SELECT v.tournament_id, v.round_number, v.position, o.name, o.lower_first, t.view
FROM tiebreak_value AS v
JOIN tiebreak_order AS o
  ON o.tournament_id = v.tournament_id AND o.position = v.position
JOIN tiebreak AS t ON t.name = o.name;

CREATE TRIGGER _tiebreak_computed INSTEAD OF INSERT ON _tiebreak
WHEN NEW.view IS NULL AND EXISTS (SELECT 1 FROM ranking_list
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND place IS NOT NULL
  GROUP BY place HAVING count(*) > 1)
BEGIN
  INSERT INTO _tiebreak (tournament_id, round_number, position, name, view)
    SELECT NEW.tournament_id, NEW.round_number, NEW.position, name, view
    FROM tiebreak WHERE name = NEW.name;
  UPDATE ranking_list
    SET place = parted.place
    FROM (
      SELECT r.player_id, rank() OVER (ORDER BY r.place, v.key IS NULL,
        CASE NEW.lower_first WHEN 1 THEN v.key ELSE -v.key END) AS place
      FROM ranking_list AS r
      LEFT JOIN tiebreak_value AS v
        ON v.tournament_id = r.tournament_id AND v.round_number = r.round_number
        AND v.player_id = r.player_id AND v.position = NEW.position
      WHERE r.tournament_id = NEW.tournament_id
        AND r.round_number = NEW.round_number AND r.place IS NOT NULL
    ) AS parted
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = parted.player_id;
END;
