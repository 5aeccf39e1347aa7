-- What the pages of a tournament read beside its views, by name: `Season.read` in data.py.
-- :tournament is tournament.id.

-- tournament: its row
SELECT * FROM tournament WHERE id = :tournament;

-- players: everybody entered
SELECT player.*, e.rating AS start_rating, e.status, e.first_round
FROM x_player_tournament AS e JOIN player ON player.id = e.player_id
WHERE e.tournament_id = :tournament
ORDER BY player.id;

-- calendar: every round that has a date, but for those that a finished season left out: what tells
-- it from any other, for ever; a number that grows, and when it was, as its date was set
SELECT r.round_number, replace(r.date, '-', '') AS day,
  strftime('%Y%m%dT%H%M%SZ', COALESCE((SELECT changed_at FROM log
    WHERE fact = 'tournament' AND row = t.id ORDER BY id LIMIT 1), '2000-01-01'))
    || '-' || t.id || '-' || r.round_number || '@keizer' AS uid,
  COALESCE(max(l.id), 0) AS sequence,
  strftime('%Y%m%dT%H%M%SZ', COALESCE(max(l.changed_at), r.date)) AS stamp
FROM tournament AS t
CROSS JOIN rounds AS r ON r.tournament_id = t.id
CROSS JOIN schedule AS s ON s.tournament_id = t.id AND s.round_number = r.round_number
LEFT JOIN log AS l ON l.fact = 'schedule' AND l.row = s.id
WHERE t.id = :tournament AND r.date IS NOT NULL AND (t.status = 'running' OR r.round_number <= t.last_round)
GROUP BY r.round_number
ORDER BY r.round_number;

-- games: of round :round, by board
SELECT round_number, board, white, black, result, date, white_id, black_id FROM pairings
WHERE tournament_id = :tournament AND round_number = :round AND board IS NOT NULL
ORDER BY board;

-- moved: games on another day than their round
SELECT round_number, date, white_id, black_id FROM pairings
WHERE tournament_id = :tournament AND date IS NOT NULL;

-- without_game: who has a bye or is absent in round :round
SELECT u.round_number, u.player_id, player.name, u.kind
FROM player_round AS u JOIN player ON player.id = u.player_id
WHERE u.tournament_id = :tournament AND u.round_number = :round AND u.colour IS NULL;

-- tiebreaks: what each is called
SELECT name, title FROM tiebreak;

-- cycles: the tables that are not settled, and how many go round in a cycle
SELECT round_number, cycle FROM settling WHERE tournament_id = :tournament AND cycle <> 1;
