CREATE VIEW seasons (
  -- A row per tournament of the archive: whose it is, and how much was played.

  -- tournament.id, as --tournament '#1000001' takes it.
  tournament_id,
  -- tournament.description.
  tournament,
  -- 'running' or 'finished'.
  status,
  -- archived.club.
  club,
  -- archived.path.
  path,
  -- Who entered.
  players,
  -- The last round with a result, or of byes alone.
  rounds,
  -- Games with a result, forfeits too.
  games,
  -- The first day of the rounds so far, where the file has dates.
  first_date,
  -- The last one.
  last_date
) AS
SELECT t.id, t.description, t.status, a.club, a.path,
  (SELECT count(*) FROM x_player_tournament AS e WHERE e.tournament_id = t.id),
  t.current_round,
  (SELECT count(g.result) FROM round AS g WHERE g.tournament_id = t.id),
  (SELECT min(s.date) FROM schedule AS s WHERE s.tournament_id = t.id
    AND s.round_number <= t.current_round),
  (SELECT max(s.date) FROM schedule AS s WHERE s.tournament_id = t.id
    AND s.round_number <= t.current_round)
FROM tournament AS t
CROSS JOIN archived AS a ON a.id = t.id / 1000000;
