CREATE VIEW on_demand (
  -- A row per word of the rules and trigger that it needs. A file has these triggers only while
  -- a rule has the word: a tie-break that is computed from games, or recalculation 'settled' or
  -- 'latest'. (SQLite prepares all triggers with every result that is entered, and these would
  -- take it longer than the rest.) keizer rules puts them there. In another program run the
  -- sql, then set the rule.

  -- As in rules.tiebreaks or rules.recalculation.
  word,
  -- CREATE TRIGGER ...; some words share it, and settling has two.
  sql,
  -- The name of that trigger.
  trigger_name,
  -- 1 when it is in the file.
  present,
  -- 1 when a rule of some tournament has the word.
  needed
) AS
SELECT CAST(word AS TEXT), CAST(sql AS TEXT), CAST(trigger_name AS TEXT),
  CAST(EXISTS (SELECT 1 FROM sqlite_master AS m WHERE m.name = trigger_name) AS INTEGER),
  CAST(word IN (SELECT word FROM z_word) AS INTEGER)
FROM (
  SELECT name AS word, view || '_asked' AS trigger_name,
    'CREATE TRIGGER ' || view || '_asked INSTEAD OF INSERT ON z_step
WHEN NEW.view = ''' || view || '''
BEGIN
  INSERT INTO tiebreak_value
    (tournament_id, round_number, player_id, position, value, key)
    SELECT tournament_id, round_number, player_id, NEW.number, value, key
    FROM ' || view || '
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND name = NEW.name;' || CASE view WHEN 'tiebreak_direct_encounter' THEN '
  INSERT INTO z_direct_encounter (tournament_id, round_number, position)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.number);' ELSE '' END || '
END' AS sql
  FROM tiebreak
  WHERE view NOT IN ('tiebreak_standings', 'tiebreak_entry')
  UNION ALL
  -- Two, since a list is settled by lists whose scores are taken: no trigger runs within itself.
  SELECT word, 'settling_' || step || '_asked',
    'CREATE TRIGGER settling_' || step || '_asked INSTEAD OF INSERT ON z_step
WHEN NEW.step = ''' || step || '''
BEGIN
  INSERT INTO z_settling (tournament_id, round_number, step)
    VALUES (NEW.tournament_id, NEW.round_number, NEW.step);
END'
  FROM (SELECT 'settled' AS word UNION ALL SELECT 'latest')
  CROSS JOIN (SELECT 'list' AS step UNION ALL SELECT 'scores')
);
