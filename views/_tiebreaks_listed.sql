CREATE VIEW _tiebreaks_listed (
  -- Insert the text of rules.tiebreaks to have it in table tiebreak_order.

  -- tournament.id.
  tournament_id,
  -- As rules.tiebreaks.
  tiebreaks
) AS
SELECT tournament_id, tiebreaks FROM rules;

CREATE TRIGGER _tiebreaks_read INSTEAD OF INSERT ON _tiebreaks_listed BEGIN
  DELETE FROM tiebreak_order WHERE tournament_id = NEW.tournament_id;
  INSERT INTO tiebreak_order (tournament_id, position, name, lower_first)
    -- What the table goes by in the first place is position 0.
    SELECT NEW.tournament_id, item.number - (lower(replace(NEW.tiebreaks, ' ', '')) || ','
        GLOB 'score,*' OR lower(replace(NEW.tiebreaks, ' ', '')) || ',' GLOB 'points,*'),
      t.name,
      CASE item.direction WHEN 'asc' THEN 1 WHEN 'desc' THEN 0 ELSE t.lower_first END
    FROM (
      WITH RECURSIVE part (number, text, rest) AS (
        SELECT 0, '', lower(replace(NEW.tiebreaks, ' ', '')) || ','
        UNION ALL
        SELECT number + 1, substr(rest, 1, instr(rest, ',') - 1),
          substr(rest, instr(rest, ',') + 1)
        FROM part WHERE rest <> ''
      )
      SELECT number, substr(text, 1, instr(text || ':', ':') - 1) AS name,
        substr(text, instr(text || ':', ':') + 1) AS direction
      FROM part WHERE number > 0
    ) AS item
    JOIN tiebreak AS t ON t.name = item.name
    WHERE item.direction IN ('', 'asc', 'desc');
  SELECT RAISE(ABORT, 'tiebreaks has a name that table tiebreak does not have, or has one twice')
    WHERE (SELECT count(DISTINCT name) FROM tiebreak_order
        WHERE tournament_id = NEW.tournament_id)
      <> 1 + length(NEW.tiebreaks) - length(replace(NEW.tiebreaks, ',', ''));
  INSERT INTO tiebreak_order (tournament_id, position, name, lower_first)
    SELECT NEW.tournament_id, 0, 'score', 0
    WHERE NOT EXISTS (SELECT 1 FROM tiebreak_order
      WHERE tournament_id = NEW.tournament_id AND name IN ('score', 'points'));
  SELECT RAISE(ABORT, 'this file does not compute all of these: set tiebreaks by keizer rules, or first run what view tiebreak_trigger has')
    WHERE NEW.tiebreaks <> 'score,previous' AND EXISTS (SELECT 1 FROM tiebreak_order AS o
      JOIN tiebreak AS t ON t.name = o.name
      WHERE o.tournament_id = NEW.tournament_id AND o.position > 0
        AND NOT EXISTS (SELECT 1 FROM sqlite_master AS m
          WHERE m.type = 'trigger' AND m.name = t.view || '_asked'));
END;
