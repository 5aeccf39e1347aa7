CREATE VIEW tiebreak_trigger (
  -- A row per view of tie-breaks: the trigger that keeps its values up to date, for a
  -- file where rules.tiebreaks has one of them. keizer rules puts it there; in
  -- another program, run sql before setting rules.tiebreaks.

  -- tiebreak.view.
  view,
  -- The name of the trigger.
  name,
  -- CREATE TRIGGER ...
  sql,
  -- 1 when it is in the file.
  present,
  -- 1 when some tournament has such a tie-break in its order.
  needed
) AS
SELECT view, CAST(view || '_asked' AS TEXT),
  CAST('CREATE TRIGGER ' || view || '_asked INSTEAD OF INSERT ON _tiebreak
WHEN NEW.view = ''' || view || '''
BEGIN
  INSERT INTO tiebreak_value
    (tournament_id, round_number, player_id, position, value, key)
    SELECT tournament_id, round_number, player_id, NEW.position, value, key
    FROM ' || view || '
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND name = NEW.name;' || CASE view WHEN 'tiebreak_direct_encounter' THEN '
  -- Again for those still tied, until nothing changes.
  INSERT INTO _direct_encounter (tournament_id, round_number, position, pass)
    SELECT NEW.tournament_id, NEW.round_number, NEW.position, pass
    FROM (WITH RECURSIVE passes (pass) AS
      (SELECT 1 UNION ALL SELECT pass + 1 FROM passes WHERE pass < 50)
      SELECT pass FROM passes);' ELSE '' END || '
END' AS TEXT),
  CAST(EXISTS (SELECT 1 FROM sqlite_master AS m
    WHERE m.type = 'trigger' AND m.name = tiebreak.view || '_asked') AS INTEGER),
  CAST(EXISTS (SELECT 1 FROM tiebreak AS t
    JOIN tiebreak_order AS o ON o.name = t.name AND o.position > 0
    JOIN rules AS u ON u.tournament_id = o.tournament_id
      AND u.tiebreaks <> 'score,previous'
    WHERE t.view = tiebreak.view) AS INTEGER)
FROM tiebreak
GROUP BY view;
