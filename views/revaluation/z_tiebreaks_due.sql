CREATE VIEW z_tiebreaks_due (
  -- A row per tournament and tie-break: table tiebreak_order as rules.tiebreaks asks.
  -- Insert a tournament to have the table follow.

  tournament_id,
  -- In this order; 0 is the score or the points that the standings go by.
  position,
  -- tiebreak.name.
  name,
  -- 1 when the lower number is ahead.
  lower_first,
  -- 1 when rules.tiebreaks names it; 0 for the score, put first where nothing is.
  listed
) AS
SELECT item.tournament_id, item.number - item.led, t.name,
  CASE item.direction WHEN 'asc' THEN 1 WHEN 'desc' THEN 0 ELSE t.lower_first END, 1
FROM (
  WITH RECURSIVE part (tournament_id, led, number, text, rest) AS (
    -- What the standings go by in the first place is position 0.
    SELECT tournament_id, typed GLOB 'score,*' OR typed GLOB 'points,*', 0, '', typed
    FROM (SELECT tournament_id, lower(replace(tiebreaks, ' ', '')) || ',' AS typed FROM rules)
    UNION ALL
    SELECT tournament_id, led, number + 1, substr(rest, 1, instr(rest, ',') - 1),
      substr(rest, instr(rest, ',') + 1)
    FROM part WHERE rest <> ''
  )
  SELECT tournament_id, led, number, substr(text, 1, instr(text || ':', ':') - 1) AS name,
    substr(text, instr(text || ':', ':') + 1) AS direction
  FROM part WHERE number > 0
) AS item
JOIN tiebreak AS t ON t.name = item.name
WHERE item.direction IN ('', 'asc', 'desc')
UNION ALL
SELECT tournament_id, 0, 'score', 0, 0
FROM (SELECT tournament_id,
    ',' || replace(lower(replace(tiebreaks, ' ', '')), ':', ',') || ',' AS typed FROM rules)
WHERE typed NOT GLOB '*,score,*' AND typed NOT GLOB '*,points,*';

CREATE TRIGGER z_tiebreaks_read INSTEAD OF INSERT ON z_tiebreaks_due BEGIN
  DELETE FROM tiebreak_order
    WHERE tournament_id = NEW.tournament_id AND NOT EXISTS (SELECT 1
      FROM z_tiebreaks_due AS due
      WHERE due.tournament_id = NEW.tournament_id AND due.position = tiebreak_order.position
        AND due.name = tiebreak_order.name AND due.lower_first = tiebreak_order.lower_first);
  SELECT RAISE(ABORT, 'tiebreaks has a name that table tiebreak does not have, or has one twice')
    FROM rules AS u
    WHERE u.tournament_id = NEW.tournament_id
      AND (SELECT count(DISTINCT name) FROM z_tiebreaks_due
        WHERE tournament_id = NEW.tournament_id AND listed)
      <> 1 + length(u.tiebreaks) - length(replace(u.tiebreaks, ',', ''));
  INSERT INTO tiebreak_order (tournament_id, position, name, lower_first)
    SELECT tournament_id, position, name, lower_first FROM z_tiebreaks_due AS due
    WHERE tournament_id = NEW.tournament_id AND NOT EXISTS (SELECT 1 FROM tiebreak_order AS o
      WHERE o.tournament_id = NEW.tournament_id AND o.position = due.position);
  SELECT RAISE(ABORT, 'this file lacks the trigger for that rule: set the rule with keizer rules, or first run the sql that view on_demand has for its word')
    FROM tournament AS t
    JOIN z_word AS w ON w.tournament_id = t.id
    JOIN on_demand AS d ON d.word = w.word
    WHERE t.id = NEW.tournament_id AND t.revaluation <> 'suspended' AND NOT d.present;
END;
