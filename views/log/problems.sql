CREATE VIEW problems (
  -- A row per problem in the file that SQL can find quickly; empty in a sound file.
  -- keizer check finds the rest: it writes the facts into an empty file, through its
  -- triggers, and compares.

  tournament_id,
  -- The round it shows in; NULL for the whole tournament.
  round_number,
  -- One sentence.
  problem
) AS
SELECT id, stale_from, CAST(CASE revaluation
    WHEN 'suspended' THEN 'the revaluation is suspended: set tournament.revaluation to ''on'''
    ELSE 'a revaluation was left unfinished: set tournament.revaluation to ''on'' and correct any result'
    END AS TEXT)
FROM tournament WHERE revaluation <> 'on'
UNION ALL
SELECT NULL, NULL, 'row ' || now.row || ' of table ' || now.fact
  || ' was changed past the rules of the file: it is ' || now.state || '; by the log it is '
  || COALESCE((SELECT COALESCE(state, 'gone') FROM log WHERE fact = now.fact AND row = now.row
    ORDER BY id DESC LIMIT 1), 'not there')
FROM z_logged AS now
WHERE now.state IS NOT (SELECT state FROM log
  WHERE fact = now.fact AND row = now.row ORDER BY id DESC LIMIT 1)
UNION ALL
SELECT NULL, NULL, 'row ' || row || ' of table ' || fact
  || ' went past the rules of the file: by the log it is ' || state
FROM log
WHERE state IS NOT NULL
  AND id IN (SELECT max(id) FROM log GROUP BY fact, row)
  AND (fact, row) NOT IN (SELECT fact, row FROM z_logged)
UNION ALL
SELECT DISTINCT NULL, NULL, 'the file lacks the trigger ' || trigger_name || ' that its rules need: set a rule again by keizer rules'
FROM on_demand
WHERE needed AND NOT present;
