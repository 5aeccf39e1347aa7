CREATE VIEW draft_changes (
  -- A row per thing that has changed since the draft of a running tournament was paired, and
  -- on which its pairing rests: ranks, presence, rules of pairing, earlier games. Empty
  -- while a draft is what pairing anew would start from.

  tournament_id, round_number,
  -- 'rank', 'presence', 'rules' or 'game'.
  about,
  -- One sentence.
  sentence,
  -- The sentence as an English template, in which {name} is column name.
  message,
  -- The player it is about, and their number in the order of pairing then and now. Else NULL.
  name, before, now,
  -- The game it is about. Else NULL.
  played_in, board
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
SELECT tournament_id, round_number, CAST(about AS TEXT),
  -- The name is put in last, for nothing may be put in that.
  CAST(replace(replace(replace(replace(replace(message, '{before}', COALESCE(before, '')),
    '{now}', COALESCE(now, '')), '{board}', COALESCE(board, '')),
    '{played_in}', COALESCE(played_in, '')), '{name}', COALESCE(name, '')) AS TEXT),
  CAST(message AS TEXT), CAST(name AS TEXT), CAST(before AS INTEGER), CAST(now AS INTEGER),
  CAST(played_in AS INTEGER), board
FROM (
  SELECT tournament_id, round_number, 'rank' AS about,
    '{name} was number {before} in the order of pairing, and is number {now}.' AS message,
    name, before, now, NULL AS played_in, NULL AS board
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
  SELECT d.tournament_id, d.round_number, 'presence', '{name} is present and has no seat.',
    h.name, NULL, NULL, NULL, NULL
  FROM draft AS d
  CROSS JOIN here AS h ON h.tournament_id = d.tournament_id
  WHERE (h.tournament_id, h.player_id) NOT IN (SELECT tournament_id, player_id FROM seated)
  UNION ALL
  SELECT s.tournament_id, s.round_number, 'presence', '{name} has a seat and is not present.',
    player.name, NULL, NULL, NULL, NULL
  FROM seated AS s
  CROSS JOIN player ON player.id = s.player_id
  WHERE (s.tournament_id, s.player_id) NOT IN (SELECT tournament_id, player_id FROM here)
  UNION ALL
  SELECT d.tournament_id, d.round_number, 'rules', 'The rules of pairing have changed.',
    NULL, NULL, NULL, NULL, NULL
  FROM draft AS d
  WHERE EXISTS (SELECT 1 FROM log AS l WHERE l.fact = 'prohibited_pairing' AND l.id > d.paired)
    OR (SELECT u.rules FROM paired_by AS u
      WHERE u.tournament_id = d.tournament_id AND u.id < d.paired ORDER BY u.id DESC LIMIT 1)
    <> (SELECT u.rules FROM paired_by AS u
      WHERE u.tournament_id = d.tournament_id ORDER BY u.id DESC LIMIT 1)
  UNION ALL
  SELECT d.tournament_id, d.round_number, 'game',
    'Board {board} of round {played_in} has other players, or counts otherwise as a meeting.',
    NULL, NULL, NULL, g.round_number, g.board
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
  GROUP BY g.id
);
