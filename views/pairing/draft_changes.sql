CREATE VIEW draft_changes (
  -- A row per thing that has changed since the draft of a running tournament was paired, and
  -- on which its pairing rests: ranks, presence, rules of pairing, earlier games. Empty
  -- while a draft is what pairing anew would start from.

  tournament_id, round_number,
  -- 'rank', 'presence', 'rules' or 'game'.
  about,
  -- One sentence.
  sentence,
  -- The sentence as an English template, in which {name} is a fact, and the facts as JSON.
  message, facts
) AS
WITH
  draft AS MATERIALIZED (
    SELECT t.id AS tournament_id, CAST(t.coming_round AS INTEGER) AS round_number,
      -- The line of the log with the last board that was seated; ids of boards come again.
      (SELECT max((SELECT min(l.id) FROM log AS l WHERE l.fact = 'round' AND l.row = g.id
          AND l.id > COALESCE((SELECT max(gone.id) FROM log AS gone WHERE gone.fact = 'round'
            AND gone.row = g.id AND gone.state IS NULL), 0)))
        FROM round AS g WHERE g.tournament_id = t.id
          AND g.round_number = t.coming_round) AS paired
    FROM tournament AS t
    WHERE t.status = 'running' AND t.coming_round = t.last_round
  ),
  seated AS MATERIALIZED (
    SELECT d.tournament_id, d.round_number, g.white AS player_id, g.white_place AS place
    FROM draft AS d
    CROSS JOIN round AS g ON g.tournament_id = d.tournament_id
      AND g.round_number = d.round_number
    UNION ALL
    SELECT d.tournament_id, d.round_number, g.black, g.black_place
    FROM draft AS d
    CROSS JOIN round AS g ON g.tournament_id = d.tournament_id
      AND g.round_number = d.round_number
    UNION ALL
    SELECT d.tournament_id, d.round_number, u.player_id, u.place
    FROM draft AS d
    CROSS JOIN unplayed AS u ON u.tournament_id = d.tournament_id
      AND u.round_number = d.round_number AND u.kind = 'bye'
  ),
  here AS MATERIALIZED (
    SELECT p.tournament_id, p.player_id, p.name, p.pairing_rank
    FROM draft AS d
    CROSS JOIN presence AS p ON p.tournament_id = d.tournament_id
    WHERE p.absence IS NULL
  ),
  -- The rules that only pairings go by, and their values, by line of the log.
  paired_by AS (
    SELECT id, row AS tournament_id, (SELECT group_concat(key || '=' || value)
      FROM json_each(state) WHERE key IN (
    -- By views/generate.py: [generated]
    'system', 'swiss_within', 'stuck', 'aim', 'first_round', 'pair_by', 'rematch_gap',
    'max_meetings', 'max_meetings_period', 'max_colour_run', 'colour_run',
    'max_colour_difference', 'colour_difference', 'fewest_byes', 'bye_again', 'bye_at_start',
    'max_group_distance', 'categories'
    -- [to here]
      )) AS rules
    FROM log WHERE fact = 'rules'
  )
SELECT tournament_id, round_number, CAST('rank' AS TEXT),
  CAST(name || ' was number ' || before || ' in the order of pairing, and is number '
    || now || '.' AS TEXT),
  CAST('{name} was number {before} in the order of pairing, and is number {now}.' AS TEXT),
  CAST('{"name":"' || replace(replace(name, '\', '\\'), '"', '\"') || '","before":' || before
    || ',"now":' || now || '}' AS TEXT)
FROM (
  SELECT s.tournament_id, s.round_number, h.name,
    row_number() OVER (PARTITION BY s.tournament_id ORDER BY s.place) AS before,
    row_number() OVER (PARTITION BY s.tournament_id ORDER BY h.pairing_rank) AS now
  FROM seated AS s
  JOIN here AS h ON h.tournament_id = s.tournament_id AND h.player_id = s.player_id
  WHERE s.place IS NOT NULL
)
WHERE before <> now
UNION ALL
SELECT d.tournament_id, d.round_number, CAST('presence' AS TEXT),
  CAST(h.name || ' is present and has no seat.' AS TEXT),
  CAST('{name} is present and has no seat.' AS TEXT),
  CAST('{"name":"' || replace(replace(h.name, '\', '\\'), '"', '\"') || '"}' AS TEXT)
FROM draft AS d
CROSS JOIN here AS h ON h.tournament_id = d.tournament_id
WHERE (h.tournament_id, h.player_id) NOT IN (SELECT tournament_id, player_id FROM seated)
UNION ALL
SELECT s.tournament_id, s.round_number, CAST('presence' AS TEXT),
  CAST(player.name || ' has a seat and is not present.' AS TEXT),
  CAST('{name} has a seat and is not present.' AS TEXT),
  CAST('{"name":"' || replace(replace(player.name, '\', '\\'), '"', '\"') || '"}' AS TEXT)
FROM seated AS s
CROSS JOIN player ON player.id = s.player_id
WHERE (s.tournament_id, s.player_id) NOT IN (SELECT tournament_id, player_id FROM here)
UNION ALL
SELECT d.tournament_id, d.round_number, CAST('rules' AS TEXT),
  CAST('The rules of pairing have changed.' AS TEXT),
  CAST('The rules of pairing have changed.' AS TEXT), CAST('{}' AS TEXT)
FROM draft AS d
WHERE EXISTS (SELECT 1 FROM log AS l WHERE l.fact = 'prohibited_pairing' AND l.id > d.paired)
  OR (SELECT u.rules FROM paired_by AS u
    WHERE u.tournament_id = d.tournament_id AND u.id < d.paired ORDER BY u.id DESC LIMIT 1)
  <> (SELECT u.rules FROM paired_by AS u
    WHERE u.tournament_id = d.tournament_id ORDER BY u.id DESC LIMIT 1)
UNION ALL
SELECT d.tournament_id, d.round_number, CAST('game' AS TEXT),
  CAST('Board ' || g.board || ' of round ' || g.round_number
    || ' has other players, or counts otherwise as a meeting.' AS TEXT),
  CAST('Board {board} of round {round} has other players, or counts otherwise as a meeting.'
    AS TEXT), CAST('{"board":' || g.board || ',"round":' || g.round_number || '}' AS TEXT)
FROM draft AS d
CROSS JOIN log AS l ON l.id > d.paired AND l.fact = 'round'
CROSS JOIN round AS g ON g.id = l.row
  AND g.tournament_id = d.tournament_id AND g.round_number < d.round_number
CROSS JOIN log AS past ON past.id = (SELECT max(b.id) FROM log AS b
  WHERE b.fact = 'round' AND b.row = g.id AND b.id < d.paired)
WHERE (SELECT value FROM json_each(past.state) WHERE key = 'white') <> g.white
  OR (SELECT value FROM json_each(past.state) WHERE key = 'black') <> g.black
  OR EXISTS (SELECT 1 FROM z_meeting AS m WHERE m.tournament_id = g.tournament_id
      AND m.white = g.white AND m.round_number = g.round_number AND m.black = g.black)
    = EXISTS (SELECT 1 FROM outcome AS o
    WHERE NOT o.played
      AND o.result = (SELECT value FROM json_each(past.state) WHERE key = 'result')
      AND NOT EXISTS (SELECT 1 FROM scoring AS s WHERE s.tournament_id = g.tournament_id
        AND s.counts_as_game AND s.kind IN (o.white_kind, o.black_kind)))
GROUP BY g.id;
