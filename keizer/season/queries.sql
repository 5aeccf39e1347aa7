-- What the season asks of the file and writes to it, by name: `File.run` in queries.py.
-- :tournament is tournament.id, :player player.id.

-- state: of a season, as class SeasonState has it
SELECT description, status, revaluation, stale_from, last_round, coming_round, current_round,
  COALESCE((SELECT max(round_number) FROM round WHERE tournament_id = t.id), 0)
FROM tournament AS t WHERE id = :tournament;

-- details: of a tournament, for reports and game headers
SELECT city, federation, arbiter, time_control FROM tournament WHERE id = :tournament;

-- seats: White and Black at each board of a round, by player.id
SELECT board, white, black FROM round
WHERE tournament_id = :tournament AND round_number = :round
ORDER BY board;

-- games: each board of a round: the names, the result, and the games won and drawn in a match
SELECT g.board, white.name, black.name, g.result, g.white_wins, g.black_wins, g.drawn
FROM round AS g
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
WHERE g.tournament_id = :tournament AND g.round_number = :round;

-- own_board: a player's board in a round
SELECT id, round_number, board, result FROM round
WHERE tournament_id = :tournament AND round_number = :round AND :player IN (white, black);

-- open_boards: the boards without a result up to a round, the latest round first
SELECT round_number, board FROM round
WHERE tournament_id = :tournament AND round_number <= :round AND result IS NULL
ORDER BY round_number DESC, board;

-- boards_and_byes: of a round; the board of a bye is the id of the player with a minus
SELECT board, result, white, black FROM round
WHERE tournament_id = :tournament AND round_number = :round
UNION ALL
SELECT -player_id, NULL, player_id, NULL FROM unplayed
WHERE tournament_id = :tournament AND round_number = :round AND kind = 'bye';

-- seated_players: who has a board or the bye in a round
SELECT player_id FROM player_round
WHERE tournament_id = :tournament AND round_number = :round AND (kind IS NULL OR kind = 'bye')
ORDER BY player_id;

-- seated_in: the rounds in which a player has an opponent or the bye
SELECT round_number FROM player_round
WHERE tournament_id = :tournament AND player_id = :player
  AND (opponent_id IS NOT NULL OR kind = 'bye')
ORDER BY round_number;

-- clear_byes: remove the byes and default absences that the pairing of a round wrote
DELETE FROM unplayed
WHERE tournament_id = :tournament AND round_number = :round
  AND (kind = 'bye' OR EXISTS (SELECT 1 FROM z_by_default WHERE id = unplayed.id));

-- count_held_apart: on how many boards of a round a nearer opponent was met too recently
SELECT count(DISTINCT white) FROM reason
WHERE tournament_id = :tournament AND round_number = :round
  AND about = 'nearer' AND rule = 'rematch_gap';

-- broken_rules: the rules that two boards or byes break; :one and :two have White there
SELECT * FROM relaxations
WHERE tournament_id = :tournament AND round_number = :round AND white_id IN (:one, :two);

-- draft_changes: what has changed since the draft was paired
SELECT * FROM draft_changes
WHERE tournament_id = :tournament
ORDER BY about, sentence;

-- presence_in_pairing_order: who can play in the coming round, and who is absent from it
SELECT player_id, name, absence, by_default FROM presence
WHERE tournament_id = :tournament
ORDER BY pairing_rank;

-- members: and how many games they have with a result; if :every, also who did not enter; :player
-- is the only one, or NULL for all
SELECT e.tournament_id, p.id AS player_id, p.id AS number, p.name, p.category, p.rating, p.title,
  p.fide_id, p.national_id, p.federation, p.sex, p.born, e.start_rank, e.rating AS start_rating,
  e.first_round, e.last_round, e.absent_as, e.status AS state,
  (SELECT count(*) FROM player_round AS r WHERE r.tournament_id = :tournament
    AND r.player_id = p.id AND r.opponent_id IS NOT NULL AND r.kind IS NOT NULL) AS games
FROM player AS p
LEFT JOIN x_player_tournament AS e ON e.tournament_id = :tournament AND e.player_id = p.id
WHERE (:every OR e.status IS NOT NULL) AND p.id = COALESCE(:player, p.id);

-- tournaments_of: the tournaments of a player
SELECT t.id, t.description
FROM x_player_tournament AS e
JOIN tournament AS t ON t.id = e.tournament_id
WHERE e.player_id = :player
ORDER BY t.id;

-- namesakes: the players of exactly this name, and whether they entered. The first condition is
-- for the index of names, which ignores capitals
SELECT id, EXISTS (SELECT 1 FROM x_player_tournament
  WHERE tournament_id = :tournament AND player_id = player.id)
FROM player WHERE name = :name COLLATE NOCASE AND name = :name AND name <> '';

-- entry: the name of a player, and the last round before they withdrew
SELECT name, last_round FROM members WHERE tournament_id = :tournament AND player_id = :player;

-- come_back: let a player who has withdrawn take part again
UPDATE x_player_tournament SET last_round = NULL
WHERE tournament_id = :tournament AND player_id = :player AND last_round IS NOT NULL;

-- start_late: let a player begin after round :after, if they would begin in it or before
UPDATE x_player_tournament SET first_round = :after + 1
WHERE tournament_id = :tournament AND player_id = :player AND first_round <= :after;

-- forget_absences: delete the absences that a player announced for rounds after round :after
DELETE FROM unplayed
WHERE tournament_id = :tournament AND player_id = :player AND round_number > :after;

-- absences_so_far: how often each player was absent, by kind of absence
SELECT * FROM absences WHERE tournament_id = :tournament AND times > 0 ORDER BY kind;

-- absences: the rounds from :first on from which a player has signed off
SELECT round_number FROM unplayed
WHERE tournament_id = :tournament AND player_id = :player AND round_number >= :first
  AND kind <> 'bye'
ORDER BY round_number;

-- by_last_standings: who entered, in the order of the current standings
SELECT e.player_id, e.name, e.last_round, e.absent_as
FROM members AS e
LEFT JOIN ranking_list AS r
  ON r.tournament_id = e.tournament_id AND r.player_id = e.player_id
  AND r.round_number = (SELECT current_round FROM tournament WHERE id = e.tournament_id)
WHERE e.tournament_id = :tournament
ORDER BY r.rank NULLS LAST, e.player_id;

-- prohibited_pairings: the players who are never paired together, by the name that they share,
-- such as that of a family or team
SELECT a.name, player.name AS player
FROM prohibited_pairing AS a
JOIN player ON player.id = a.player_id
WHERE a.tournament_id = :tournament
ORDER BY 1, 2;

-- players_sharing: the players who share the name :shared, and so are never paired together
SELECT player.id, player.name
FROM prohibited_pairing AS a
JOIN player ON player.id = a.player_id
WHERE a.tournament_id = :tournament AND a.name = :shared
ORDER BY player.id;

-- corrections: the points that were added to players or taken from them, and why
SELECT c.player_id, player.name, c.points, c.reason, c.round_number, c.last_round
FROM correction AS c
JOIN player ON player.id = c.player_id
WHERE c.tournament_id = :tournament
ORDER BY c.round_number, player.name;

-- current_standings: the current standings, from the top
SELECT player_id, name, rank, score FROM current_standings WHERE tournament_id = :tournament;

-- points_by_kind: the points of each player after a round, by kind of line in their explanation
SELECT player_id, kind, sum(points) FROM explanation
WHERE tournament_id = :tournament AND round_number = :round
GROUP BY player_id, kind;

-- ranks: the ranks and names of players after the last round, from the top
SELECT r.player_id, r.rank, player.name
FROM tournament AS l
CROSS JOIN ranking_list AS r ON r.tournament_id = l.id AND r.round_number = l.last_round
JOIN player ON player.id = r.player_id
WHERE l.id = :tournament
ORDER BY r.rank;

-- extra_tiebreaks: the tie-breaks that are not already a column of the standings
SELECT name FROM tiebreak_order
WHERE tournament_id = :tournament AND position > 0
  AND name NOT IN ('score', 'points', 'played', 'previous', 'rating')
ORDER BY position;

-- values_count: a row if the values of players bring points
SELECT 1 FROM scoring
WHERE tournament_id = :tournament AND factor_units > 0
  AND kind IN ('own value', 'win', 'draw', 'loss');

-- cycle_of_values: if the values of standings did not converge, the cycle in which they repeat
SELECT cycle, cycle_takes
FROM settling
JOIN rules USING (tournament_id)
WHERE tournament_id = :tournament AND round_number = :round AND cycle <> 1;

-- suspend_unfinished: let revaluations that were broken off begin again, from the first round
UPDATE tournament SET revaluation = 'suspended', stale_from = 0
WHERE revaluation = 'running';

-- players: the players who entered, with their names
SELECT player_id, name FROM members WHERE tournament_id = :tournament;

-- withdrawn: the players who have withdrawn, with their names
SELECT player_id, name FROM members
WHERE tournament_id = :tournament AND last_round IS NOT NULL;

-- kinds: all kinds of scoring, such as 'win', and the kinds of unplayed rounds
SELECT kind FROM scoring WHERE tournament_id = :tournament ORDER BY id;

-- unplayed_kinds: the kinds of unplayed rounds, such as 'bye'
SELECT kind FROM scoring
WHERE tournament_id = :tournament AND applies_to = 'unplayed'
ORDER BY rowid;

-- clear_boards: remove the boards of a round; :keep is a JSON array of the numbers that stay
DELETE FROM round
WHERE tournament_id = :tournament AND round_number = :round
  AND board NOT IN (SELECT value FROM json_each(:keep));

-- count_absences: how many rows about a round are in table unplayed
SELECT count(*) FROM unplayed WHERE tournament_id = :tournament AND round_number = :round;

-- match_games: how many games a match may have
SELECT match_games FROM rules WHERE tournament_id = :tournament;

-- open_boards_of_round: the boards of a round without a result
SELECT board FROM round
WHERE tournament_id = :tournament AND round_number = :round AND result IS NULL
ORDER BY board;

-- is_paired: a row if a player has an opponent in a round, else no row
SELECT 1 FROM player_round
WHERE tournament_id = :tournament AND player_id = :player AND round_number = :round
  AND opponent_id IS NOT NULL;

-- open_seats: the board of a player in the last round if it is published and the board has no
-- result; and as `forfeit` the result to enter if the player does not come
SELECT g.tournament_id, g.round_number, p.id AS player_id, p.name, g.board,
  CASE p.id WHEN g.white THEN '-+' ELSE '+-' END AS forfeit
FROM tournament AS now
JOIN round AS g ON g.tournament_id = now.id AND g.round_number = now.last_round
JOIN player AS p ON p.id IN (g.white, g.black)
WHERE now.id = :tournament AND p.id = :player
  AND now.coming_round > now.last_round AND g.result IS NULL;

-- forget_absence: delete the absence of a player from a round
DELETE FROM unplayed
WHERE tournament_id = :tournament AND round_number = :round AND player_id = :player
  AND kind <> 'bye';

-- attend: note that a player who is absent by default comes to a round, if not noted before
INSERT INTO attendance (tournament_id, round_number, player_id)
SELECT :tournament, :round, :player
FROM x_player_tournament
WHERE tournament_id = :tournament AND player_id = :player
  AND absent_as IS NOT NULL AND :round BETWEEN first_round AND COALESCE(last_round, 999)
  AND NOT EXISTS (SELECT 1 FROM attendance WHERE tournament_id = :tournament
    AND round_number = :round AND player_id = :player);

-- unseat: delete the board of a player in a round
DELETE FROM round
WHERE tournament_id = :tournament AND round_number = :round AND :player IN (white, black);

-- published_recently: whether a round was published in the last twelve hours
SELECT published_at > datetime('now', '-12 hours') FROM schedule
WHERE tournament_id = :tournament AND round_number = :round;

-- players_without_seat: who is present, and has neither a board nor the bye in the draft
SELECT p.name
FROM tournament AS now
CROSS JOIN presence AS p ON p.tournament_id = now.id
WHERE now.id = :tournament AND now.coming_round = now.last_round AND p.absence IS NULL
  AND NOT EXISTS (SELECT 1 FROM player_round AS r WHERE r.tournament_id = p.tournament_id
    AND r.round_number = p.round_number AND r.player_id = p.player_id)
ORDER BY p.rank;

-- newcomers: who entered after the draft was paired, and has neither a board nor the bye in it
SELECT e.player_id, player.name
FROM tournament AS now
JOIN x_player_tournament AS e ON e.tournament_id = now.id AND e.first_round = now.coming_round
JOIN player ON player.id = e.player_id
WHERE now.id = :tournament AND now.coming_round = now.last_round
  AND NOT EXISTS (SELECT 1 FROM player_round AS r WHERE r.tournament_id = e.tournament_id
    AND r.round_number = now.last_round AND r.player_id = e.player_id)
  AND (SELECT min(id) FROM log WHERE fact = 'x_player_tournament' AND row = e.id) >
    (SELECT min(log.id) FROM round AS g JOIN log ON log.fact = 'round' AND log.row = g.id
      WHERE g.tournament_id = e.tournament_id AND g.round_number = now.last_round)
ORDER BY player.name;

-- start_one_later: let a player begin one round later
UPDATE x_player_tournament SET first_round = first_round + 1
WHERE tournament_id = :tournament AND player_id = :player;

-- rounds_with_date: the rounds that have a date
SELECT round_number FROM schedule WHERE tournament_id = :tournament AND date IS NOT NULL;

-- days_of_rounds: the date of each round or, if it has none, the day on which it was published
SELECT round_number, COALESCE(date, date(published_at)) AS day FROM schedule
WHERE tournament_id = :tournament AND day IS NOT NULL;

-- mark_published: note that a round is published, if it is not noted yet
UPDATE schedule SET published_at = CURRENT_TIMESTAMP
WHERE tournament_id = :tournament AND round_number = :round AND published_at IS NULL;

-- set_times_of_results: of the demo season, let results be entered on the evening of their round
UPDATE round SET last_updated = (SELECT date || ' 21:30:00' FROM schedule AS s
  WHERE s.round_number = round.round_number)
WHERE result IS NOT NULL;

-- set_times_of_publication: of the demo season, let each round be published on its day, at 18:00
UPDATE schedule SET published_at = date || ' 18:00:00'
WHERE round_number <= (SELECT last_round FROM tournament WHERE id = :tournament);

-- reporters: the boards of a round whose result a member entered, and player.id of this member.
-- The log says who it was: the command that first wrote the present result with its present time
-- of entry (last_updated). If somebody else enters or confirms the result, the time is another. A
-- result that an undo brings back has its old time, and so its old author; if the players of a
-- board are corrected, its author stays.
SELECT g.board, command.player_id
FROM round AS g
JOIN command ON command.id = (SELECT l.command_id
  FROM log AS l JOIN command AS c ON c.id = l.command_id
  WHERE l.fact = 'round' AND l.row = g.id
    AND (SELECT value FROM json_each(l.state) WHERE key = 'result') = g.result
    AND (SELECT value FROM json_each(l.state) WHERE key = 'last_updated') = g.last_updated
    AND c.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM command WHERE undoes = c.id)
  ORDER BY l.id LIMIT 1)
WHERE g.tournament_id = :tournament AND g.round_number = :round
  AND g.result IS NOT NULL AND command.player_id IS NOT NULL;

-- results_of_round: the game (round.id), the result and the board number of each board
SELECT id, result, board FROM round WHERE tournament_id = :tournament AND round_number = :round;

-- rule_history: the changes of rules after the first round
SELECT round_number, rule, before, after, changed_at FROM rule_history
WHERE tournament_id = :tournament
ORDER BY id;

-- is_suspended: 1 if standings are not computed until all is written, else 0
SELECT revaluation = 'suspended' FROM tournament WHERE id = :tournament;

-- revalue: with :when 'suspended', let standings wait; with 'on', compute them
UPDATE tournament SET revaluation = :when WHERE id = :tournament;

-- periods: the periods of a season, first period first
SELECT first_round, name, scores, start FROM period
WHERE tournament_id = :tournament
ORDER BY first_round;

-- prohibited: the players who are never paired together, by player.id, and the name they share
SELECT name, player_id FROM prohibited_pairing WHERE tournament_id = :tournament;

-- forget_default_absence: make a player present who is absent from a draft only by default
DELETE FROM unplayed
WHERE tournament_id = :tournament AND player_id = :player AND round_number = :round
  AND EXISTS (SELECT 1 FROM z_by_default WHERE id = unplayed.id);

-- change_default_absence: change the kind of an absence from a draft that is only by default
UPDATE unplayed SET kind = :kind
WHERE tournament_id = :tournament AND player_id = :player AND round_number = :round
  AND EXISTS (SELECT 1 FROM z_by_default WHERE id = unplayed.id);

-- set_default_absence: set the kind of absence of a player by default; NULL for present
UPDATE x_player_tournament SET absent_as = :kind
WHERE tournament_id = :tournament AND player_id = :player;

-- result_by_spelling: the result that has this spelling
SELECT result FROM result_spelling WHERE typed = :typed;

-- published: when a round was published, or NULL
SELECT published_at FROM schedule WHERE tournament_id = :tournament AND round_number = :round;

-- reasons: what the boards and byes of a round are based on
SELECT * FROM reason WHERE tournament_id = :tournament AND round_number = :round;

-- date_of_round: the date of a round, if it has one
SELECT date FROM schedule
WHERE tournament_id = :tournament AND round_number = :round AND date > '';

-- is_proved: whether it is proved that no pairing of a round is better
SELECT proved FROM rounds WHERE tournament_id = :tournament AND round_number = :round;

-- standing_after: the standings after a round, from which the next round is paired: rank, Keizer
-- points, and the colours so far as W and B, in the order of the games
SELECT r.tournament_id, r.round_number, r.player_id, r.rank,
  COALESCE(r.score_units, 0) / 6e6 AS score,
  COALESCE((SELECT group_concat(colour, '') FROM (SELECT colour FROM z_colour AS c
    WHERE c.tournament_id = r.tournament_id AND c.player_id = r.player_id
      AND c.round_number <= r.round_number ORDER BY c.round_number)), '') AS colours
FROM ranking_list AS r
WHERE r.tournament_id = :tournament AND r.round_number = :round;

-- presence: who can play in the coming round, and who is absent from it
SELECT tournament_id, round_number, player_id, name, absence, by_default, usually
FROM presence WHERE tournament_id = :tournament;

-- columns_with_defaults: the columns of a table, with their defaults as SQL writes them
SELECT name, COALESCE(dflt_value, 'NULL') FROM pragma_table_xinfo(:table) WHERE NOT hidden;

-- forget_bye: delete the bye of a player in a round
DELETE FROM unplayed
WHERE tournament_id = :tournament AND round_number = :round AND player_id = :player
  AND kind = 'bye';

-- withdraw: let :last be the last round in which a player takes part
UPDATE x_player_tournament SET last_round = :last
WHERE tournament_id = :tournament AND player_id = :player;

-- evenings: a plan of the rounds that are not paired yet: a row for each, and one for each evening
-- that is left out. By default the plan follows from the present dates. Parameters change it, and
-- may be NULL or empty: :first, the first evening; :every, the days from one evening to the next;
-- :rounds, how many rounds the season has; :without, dates that are left out too; :again, dates
-- that are no longer left out
WITH RECURSIVE
-- A day is a number here, that of its noon (Julian).
dated (round_number, day, ahead) AS (
  SELECT round_number, CAST(julianday(date) + 0.5 AS INTEGER), round_number > last_round
  FROM tournament AS t CROSS JOIN schedule AS s ON s.tournament_id = t.id
  WHERE t.id = :tournament AND date IS NOT NULL
),
-- The usual number of days from one to the next, and the usual weekday. What is still to come
-- says more of that than what was: it counts twice.
gap (days) AS (
  SELECT day - lag(day) OVER (ORDER BY day) FROM dated
  UNION ALL SELECT day - lag(day) OVER (ORDER BY day) FROM dated WHERE ahead
),
usual (every) AS (
  SELECT COALESCE((SELECT days FROM gap WHERE days > 0 GROUP BY days
    ORDER BY count(*) DESC, days LIMIT 1), 7)
),
phase (every, at) AS (
  SELECT every, day % every
  FROM (SELECT day FROM dated UNION ALL SELECT day FROM dated WHERE ahead) CROSS JOIN usual
  GROUP BY day % every ORDER BY count(*) DESC, max(day) DESC LIMIT 1
),
-- The evening of each day: the nearest. Another day is that of one that was moved.
known (evening, day, round_number, ahead) AS (
  SELECT day + (at - day % every + every + every / 2) % every - every / 2, day, round_number, ahead
  FROM dated CROSS JOIN phase
),
-- The series there is begins after the last round that was paired.
present (first, last, rounds) AS (
  SELECT (SELECT min(evening) FROM (
      SELECT evening FROM known WHERE ahead
      UNION ALL SELECT max(evening) + every FROM known CROSS JOIN usual WHERE NOT ahead)),
    max(evening), max(round_number)
  FROM known WHERE ahead
),
asked (first, every, wanted, same) AS (
  SELECT COALESCE(CAST(julianday(:first) + 0.5 AS INTEGER), first), COALESCE(:every, every),
    COALESCE(:rounds, present.rounds, rules.rounds) - last_round,
    -- Whether it has the evenings of that there is: then those that were moved and left out stay.
    COALESCE(:every, every) = every
      AND (COALESCE(CAST(julianday(:first) + 0.5 AS INTEGER), first) - first) % every = 0
  FROM present CROSS JOIN usual
  CROSS JOIN tournament AS t ON t.id = :tournament CROSS JOIN rules ON rules.tournament_id = t.id
),
kept (evening, day) AS (
  SELECT evening, day FROM known WHERE ahead AND (SELECT same FROM asked)
),
grid (evening, number) AS (
  SELECT first, 1 FROM asked WHERE first IS NOT NULL AND wanted > 0
  UNION ALL
  SELECT evening + every, number + 1 FROM grid CROSS JOIN asked CROSS JOIN present
  WHERE number <= wanted + length(:without) / 11 + COALESCE((last - present.first) / every, 0) + 1
),
marked (evening, day, left_out) AS (
  SELECT g.evening, COALESCE(day, g.evening),
    NOT instr(:again, date(g.evening)) AND (
      instr(:without, date(g.evening)) OR COALESCE(instr(:without, date(day)), 0)
      OR (COALESCE(same, 0) AND day IS NULL AND g.evening BETWEEN present.first AND last))
  FROM grid AS g CROSS JOIN asked CROSS JOIN present LEFT JOIN kept ON kept.evening = g.evening
),
filled (evening, day, left_out, number) AS (
  SELECT evening, day, left_out, sum(NOT left_out) OVER (ORDER BY evening, day ROWS UNBOUNDED PRECEDING)
  FROM marked
),
laid (evening, day, left_out, number, start, finish) AS (
  SELECT evening, day, left_out, last_round + number,
    min(CASE WHEN NOT left_out THEN day END) OVER (), max(day) OVER ()
  FROM filled CROSS JOIN asked CROSS JOIN tournament AS t ON t.id = :tournament
  WHERE number + left_out <= wanted
),
-- What was typed that makes no sense, the first: a key of evenings.toml, and the day that it is about.
typed (number, out, back) AS (
  SELECT 0, substr(:without, 1, 10), substr(:again, 1, 10)
  UNION ALL SELECT number + 1, substr(:without, 11 * number + 12, 10), substr(:again, 11 * number + 12, 10)
  FROM typed WHERE out > '' OR back > ''
),
wrong (key, day) AS (
  SELECT 'planned', NULL FROM asked CROSS JOIN tournament AS t ON t.id = :tournament
    CROSS JOIN rules ON rules.tournament_id = t.id WHERE wanted + last_round > rounds
  UNION ALL SELECT 'paired', date(latest) FROM (SELECT max(day) AS latest FROM dated WHERE NOT ahead)
    WHERE latest >= (SELECT start FROM laid)
  UNION ALL SELECT 'no_evening', out FROM typed WHERE out > '' AND NOT EXISTS (SELECT 1 FROM laid
    WHERE left_out AND out IN (date(evening), date(day)))
  UNION ALL SELECT 'not_left_out', back FROM typed CROSS JOIN present CROSS JOIN usual
    WHERE back > '' AND NOT COALESCE(back BETWEEN date(first) AND date(last)
      AND (CAST(julianday(back) + 0.5 AS INTEGER) - first) % every = 0
      AND back NOT IN (SELECT date(evening) FROM known WHERE ahead), 0)
)
SELECT date(evening) AS evening, date(l.day) AS date, left_out, number AS round_number,
  -- Whether somebody is signed off from a round that had another date.
  NOT left_out AND EXISTS (SELECT 1 FROM dated AS d
    JOIN unplayed AS u ON u.tournament_id = :tournament AND u.round_number = d.round_number
    WHERE d.round_number = number AND d.day <> l.day) AS away,
  -- Of them all: the days from one to the next, and the rounds with the first date and the last.
  every, last_round + 1 AS first, last_round + wanted AS last, date(start) AS start,
  date(finish) AS "end", rules.rounds AS planned,
  (SELECT key FROM wrong LIMIT 1) AS wrong, (SELECT day FROM wrong LIMIT 1) AS day
FROM laid AS l CROSS JOIN asked
CROSS JOIN tournament AS t ON t.id = :tournament CROSS JOIN rules ON rules.tournament_id = t.id
ORDER BY l.evening, l.day;

-- forget_evenings_after: remove the dates of rounds after round :last, of a plan that was longer
DELETE FROM schedule
WHERE tournament_id = :tournament AND round_number > :last AND published_at IS NULL;
