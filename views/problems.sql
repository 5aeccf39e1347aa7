CREATE VIEW problems (
  -- A row per thing that is wrong or missing in the file; empty when it is
  -- sound. keizer check reads it. The ranking is proven round by round: each
  -- list follows from the list before it and the facts.

  -- tournament.id.
  tournament_id,
  -- The round it shows in; NULL for the whole tournament.
  round_number,
  -- One sentence.
  problem
) AS
SELECT id, stale_from, CASE revaluation
    WHEN 'suspended' THEN 'the revaluation is suspended: set tournament.revaluation to ''on'''
    ELSE 'a revaluation was left unfinished: set tournament.revaluation to ''on'' and correct any result' END
FROM tournament WHERE revaluation <> 'on'
UNION ALL
SELECT number.tournament_id, number.round_number,
  'round ' || number.round_number || ' has no game although a later round has'
FROM (
  WITH RECURSIVE counted (tournament_id, round_number, last) AS (
    SELECT tournament_id, 1, round_number FROM _last_round WHERE round_number > 0
    UNION ALL
    SELECT tournament_id, round_number + 1, last FROM counted
      WHERE round_number < last
  )
  SELECT tournament_id, round_number FROM counted
) AS number
WHERE NOT EXISTS (SELECT 1 FROM round
    WHERE tournament_id = number.tournament_id
      AND round_number = number.round_number)
  AND NOT EXISTS (SELECT 1 FROM unplayed
    WHERE tournament_id = number.tournament_id
      AND round_number = number.round_number AND kind = 'bye')
UNION ALL
SELECT e.tournament_id, l.round_number,
  player.name || ' is not in the ranking after round ' || l.round_number
FROM x_player_tournament AS e
JOIN player ON player.id = e.player_id
JOIN _last_round AS l
  ON l.tournament_id = e.tournament_id AND e.first_round <= l.round_number + 1
WHERE NOT EXISTS (SELECT 1 FROM ranking AS r
  WHERE r.tournament_id = e.tournament_id AND r.round_number = l.round_number
    AND r.player_id = e.player_id)
UNION ALL
SELECT r.tournament_id, r.round_number,
  'the list before round ' || r.round_number || ' does not lead to that of '
    || COALESCE(player.name, 'player ' || r.player_id)
FROM ranking AS r
LEFT JOIN player ON player.id = r.player_id
LEFT JOIN x_player_tournament AS e
  ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
LEFT JOIN ranking AS before
  ON before.tournament_id = r.tournament_id
  AND before.round_number = r.round_number - 1 AND before.player_id = r.player_id
LEFT JOIN _restart AS restart
  ON restart.tournament_id = r.tournament_id
  AND restart.round_number = r.round_number AND restart.player_id = r.player_id
LEFT JOIN settling AS s
  ON s.tournament_id = r.tournament_id AND s.round_number = r.round_number
WHERE e.first_round IS NULL OR player.id IS NULL
  OR r.rank_before IS NOT COALESCE(restart.rank, before.rank)
  OR CASE
    WHEN s.cycle IS NULL THEN r.value_before_units
      IS NOT COALESCE(restart.value_units, before.value_units)
    -- Settled: the values it was made with are those that it gives.
    WHEN s.cycle = 1 THEN r.in_list AND r.value_before_units <> r.value_units
  END
  OR r.round_number < e.first_round - 1
  OR (r.rank_before IS NULL AND r.round_number <> e.first_round - 1)
UNION ALL
SELECT r.tournament_id, r.round_number,
  'the score of ' || player.name || ' after round ' || r.round_number
    || ' is not the sum of its lines'
FROM ranking AS r
JOIN player ON player.id = r.player_id
LEFT JOIN (
  SELECT tournament_id, round_number, player_id, sum(units) AS units,
    sum(points_units) AS points_units, sum(played) AS played
  FROM _line GROUP BY tournament_id, round_number, player_id
) AS total
  ON total.tournament_id = r.tournament_id
  AND total.round_number = r.round_number AND total.player_id = r.player_id
LEFT JOIN _score_due AS due
  ON due.tournament_id = r.tournament_id
  AND due.round_number = r.round_number AND due.player_id = r.player_id
WHERE CASE WHEN r.in_list
    THEN r.score_units IS NOT total.units + r.adjustment_units
      OR r.score_units IS NOT COALESCE(due.units, total.units)
      OR r.points_units IS NOT total.points_units OR r.played IS NOT total.played
    ELSE r.score_units IS NOT 0 END
UNION ALL
SELECT r.tournament_id, r.round_number,
  'the rank or value of ' || player.name || ' after round ' || r.round_number
    || ' does not follow from the scores'
FROM ranking AS r
JOIN player ON player.id = r.player_id
LEFT JOIN _ranking_due AS due
  ON due.tournament_id = r.tournament_id
  AND due.round_number = r.round_number AND due.player_id = r.player_id
WHERE r.rank IS NOT due.rank OR r.value_units IS NOT due.value_units
UNION ALL
SELECT s.tournament_id, s.round_number,
  'round ' || s.round_number || ' is not as it was sealed'
FROM schedule AS s
LEFT JOIN _seal AS due
  ON due.tournament_id = s.tournament_id AND due.round_number = s.round_number
JOIN tournament ON tournament.id = s.tournament_id AND revaluation = 'on'
WHERE s.seal IS NOT due.seal
UNION ALL
SELECT NULL, NULL, 'row ' || now.row || ' of table ' || now.fact
  || ' was changed past the rules of the file: it is ' || now.state || '; by the log it is '
  || COALESCE((SELECT COALESCE(state, 'gone') FROM log WHERE fact = now.fact AND row = now.row
    ORDER BY id DESC LIMIT 1), 'not there')
FROM _logged AS now
WHERE now.state IS NOT (SELECT state FROM log
  WHERE fact = now.fact AND row = now.row ORDER BY id DESC LIMIT 1)
UNION ALL
SELECT NULL, NULL, 'row ' || row || ' of table ' || fact
  || ' went past the rules of the file: by the log it is ' || state
FROM log
WHERE state IS NOT NULL
  AND id IN (SELECT max(id) FROM log GROUP BY fact, row)
  AND (fact, row) NOT IN (SELECT fact, row FROM _logged)
UNION ALL
SELECT results.tournament_id, NULL,
  'the points of ' || results.name || ' are not those of his games'
FROM results
JOIN x_player_tournament AS e
  ON e.tournament_id = results.tournament_id AND e.player_id = results.player_id
WHERE e.score <> results.score
UNION ALL
SELECT u.tournament_id, NULL,
  'table tiebreak_order is not what rules.tiebreaks says: set rules.tiebreaks again'
FROM rules AS u
WHERE (SELECT count(*) FROM tiebreak_order AS o
    WHERE o.tournament_id = u.tournament_id
      AND instr(',' || replace(lower(replace(u.tiebreaks, ' ', '')), ':', ',') || ',',
        ',' || o.name || ',') > 0)
  <> 1 + length(u.tiebreaks) - length(replace(u.tiebreaks, ',', ''))
UNION ALL
SELECT NULL, NULL, 'the file lacks the trigger ' || name || ' that its order needs: set the rule tiebreaks again by keizer rules'
FROM tiebreak_trigger
WHERE needed AND NOT present;
