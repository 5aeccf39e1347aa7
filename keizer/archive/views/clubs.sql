CREATE VIEW clubs (
  -- A row per club: a folder of files, or a file by itself.

  -- archived.club.
  club,
  -- Its files in the archive.
  files,
  -- Tournaments in these.
  tournaments,
  -- People who entered any of them.
  members,
  -- Games with a result, forfeits too.
  games,
  -- The first day with a result, where files have dates.
  first_date,
  -- The last one.
  last_date
) AS
SELECT c.club, c.files, c.tournaments,
  (SELECT count(DISTINCT who.person) FROM archived AS a
    CROSS JOIN person AS who
      ON who.player_id BETWEEN a.id * 1000000 AND a.id * 1000000 + 999999
    CROSS JOIN x_player_tournament AS e ON e.player_id = who.player_id
    WHERE a.club = c.club),
  c.games, c.first_date, c.last_date
FROM (
  SELECT a.club, count(DISTINCT a.id) AS files, count(t.id) AS tournaments,
    COALESCE(sum((SELECT s.games FROM seasons AS s WHERE s.tournament_id = t.id)), 0) AS games,
    min((SELECT s.first_date FROM seasons AS s WHERE s.tournament_id = t.id)) AS first_date,
    max((SELECT s.last_date FROM seasons AS s WHERE s.tournament_id = t.id)) AS last_date
  FROM archived AS a
  LEFT JOIN tournament AS t ON t.id BETWEEN a.id * 1000000 AND a.id * 1000000 + 999999
  GROUP BY a.club
) AS c;
