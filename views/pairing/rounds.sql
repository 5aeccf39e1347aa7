CREATE VIEW rounds (
  -- A row per round that counts (up to tournament.last_round), has a date or is planned
  -- (rules.rounds).

  tournament_id, round_number,
  -- When it is played, 'YYYY-MM-DD'; NULL where not known.
  date,
  -- 'planned' (not paired yet), 'draft' (paired, neither published nor begun),
  -- 'published' (being played) or 'complete'; so is a round in which nobody plays.
  state,
  -- Games.
  boards,
  -- Those without a result yet.
  open_boards,
  -- Players with a bye.
  byes,
  -- Other rounds without a game.
  absences,
  -- 1 when it was proved, as it was paired, that no pairing of those present is better.
  proved
) AS
SELECT listed.tournament_id, CAST(listed.round_number AS INTEGER),
  (SELECT date FROM schedule AS s WHERE s.tournament_id = listed.tournament_id
    AND s.round_number = listed.round_number),
  CAST(CASE
    WHEN listed.round_number > (SELECT l.last_round FROM tournament AS l
      WHERE l.id = listed.tournament_id) THEN 'planned'
    WHEN listed.round_number = (SELECT now.coming_round FROM tournament AS now
      WHERE now.id = listed.tournament_id) THEN 'draft'
    WHEN EXISTS (SELECT 1 FROM round AS g INDEXED BY open_boards
      WHERE g.tournament_id = listed.tournament_id AND g.round_number = listed.round_number
        AND g.result IS NULL) THEN 'published'
    ELSE 'complete' END AS TEXT),
  CAST((SELECT count(*) FROM round AS g WHERE g.tournament_id = listed.tournament_id
    AND g.round_number = listed.round_number) AS INTEGER),
  -- SQLite would go through all games of the tournament instead, and all unplayed rounds.
  CAST((SELECT count(*) FROM round AS g INDEXED BY open_boards
    WHERE g.tournament_id = listed.tournament_id AND g.round_number = listed.round_number
      AND g.result IS NULL) AS INTEGER),
  CAST((SELECT count(*) FROM unplayed AS u INDEXED BY byes
    WHERE u.tournament_id = listed.tournament_id AND u.round_number = listed.round_number
      AND u.kind = 'bye') AS INTEGER),
  CAST((SELECT count(*) FROM unplayed AS u WHERE u.tournament_id = listed.tournament_id
      AND u.round_number = listed.round_number)
    - (SELECT count(*) FROM unplayed AS u INDEXED BY byes
      WHERE u.tournament_id = listed.tournament_id AND u.round_number = listed.round_number
        AND u.kind = 'bye') AS INTEGER),
  -- A board that a person seats or changes has another colour_by.
  CAST(COALESCE((SELECT s.proved FROM schedule AS s WHERE s.tournament_id = listed.tournament_id
    AND s.round_number = listed.round_number)
    = (SELECT count(*) * min(COALESCE(g.colour_by, 'fixed') <> 'fixed') FROM round AS g
      WHERE g.tournament_id = listed.tournament_id AND g.round_number = listed.round_number), 0)
    AS INTEGER)
FROM (
  SELECT DISTINCT tournament_id, round_number FROM (
    SELECT tournament_id, round_number FROM schedule
    UNION ALL SELECT rules.tournament_id, planned.number
    FROM rules
    CROSS JOIN tournament ON tournament.id = rules.tournament_id
    CROSS JOIN (
      WITH RECURSIVE counted (number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 999
      )
      SELECT number FROM counted
    ) AS planned ON planned.number <= max(tournament.last_round, COALESCE(rules.rounds, 0))
  )
) AS listed;
