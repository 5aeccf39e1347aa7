CREATE VIEW _tiebreaks_listed (
  -- Insert what rules.tiebreaks has become to have table tiebreak_order follow.

  tournament_id,
  -- As rules.tiebreaks.
  tiebreaks
) AS
SELECT tournament_id, tiebreaks FROM rules;

CREATE TRIGGER _tiebreaks_read INSTEAD OF INSERT ON _tiebreaks_listed BEGIN
  DELETE FROM tiebreak_order
    WHERE tournament_id = NEW.tournament_id AND NOT EXISTS (SELECT 1
      FROM _tiebreaks_due AS due
      WHERE due.tournament_id = NEW.tournament_id AND due.position = tiebreak_order.position
        AND due.name = tiebreak_order.name AND due.lower_first = tiebreak_order.lower_first);
  SELECT RAISE(ABORT, 'tiebreaks has a name that table tiebreak does not have, or has one twice')
    WHERE (SELECT count(DISTINCT name) FROM _tiebreaks_due
        WHERE tournament_id = NEW.tournament_id AND listed)
      <> 1 + length(NEW.tiebreaks) - length(replace(NEW.tiebreaks, ',', ''));
  INSERT INTO tiebreak_order (tournament_id, position, name, lower_first)
    SELECT tournament_id, position, name, lower_first FROM _tiebreaks_due AS due
    WHERE tournament_id = NEW.tournament_id AND NOT EXISTS (SELECT 1 FROM tiebreak_order AS o
      WHERE o.tournament_id = NEW.tournament_id AND o.position = due.position);
  SELECT RAISE(ABORT, 'this file does not compute all of these: set tiebreaks by keizer rules, or first run what view tiebreak_trigger has')
    WHERE NEW.tiebreaks <> 'score,previous' AND EXISTS (SELECT 1 FROM tiebreak_order AS o
      JOIN tiebreak AS t ON t.name = o.name
      WHERE o.tournament_id = NEW.tournament_id AND o.position > 0
        AND NOT EXISTS (SELECT 1 FROM sqlite_master AS m
          WHERE m.type = 'trigger' AND m.name = t.view || '_asked'));
END;
