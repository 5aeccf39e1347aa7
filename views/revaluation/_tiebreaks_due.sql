CREATE VIEW _tiebreaks_due (
  -- A row per tournament and tie-break: table tiebreak_order as rules.tiebreaks asks.

  tournament_id,
  -- In this order; 0 is the score or the points that the table goes by.
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
    -- What the table goes by in the first place is position 0.
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
