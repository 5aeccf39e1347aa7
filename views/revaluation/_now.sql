CREATE VIEW _now (
  -- A row per tournament: where its season is.

  tournament_id,
  -- The last round. A round is there once it has a game or a bye; absences announced for
  -- later rounds do not make one. 0 before the first.
  last_round,
  -- The round whose standings are shown by default: the last with a result, or with byes
  -- and no games. 0 before the first.
  current_round,
  -- The round that people sign off from and are paired in: the last while it is a draft
  -- (paired, but neither published nor begun), else the one after it.
  coming_round
) AS
SELECT tournament_id, last_round, current_round, last_round + (last_round = 0
  -- Every game has a board: naming it leads SQLite to the index of rounds and boards.
  OR EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = season.tournament_id
    AND g.round_number = last_round AND g.board > 0 AND g.result IS NOT NULL)
  OR EXISTS (SELECT 1 FROM schedule AS s WHERE s.tournament_id = season.tournament_id
    AND s.round_number = last_round AND s.published_at IS NOT NULL))
FROM (
  SELECT id AS tournament_id,
    max(COALESCE((SELECT max(round_number) FROM round
        WHERE tournament_id = tournament.id), 0),
      COALESCE((SELECT max(round_number) FROM unplayed
        WHERE tournament_id = tournament.id AND kind = 'bye'), 0)) AS last_round,
    -- From the last round back.
    max(COALESCE((SELECT g.round_number FROM round AS g
        WHERE g.tournament_id = tournament.id AND g.board > 0 AND g.result IS NOT NULL
        ORDER BY g.round_number DESC LIMIT 1), 0),
      COALESCE((SELECT max(n.round_number) FROM unplayed AS n
        WHERE n.tournament_id = tournament.id AND n.kind = 'bye'
          AND NOT EXISTS (SELECT 1 FROM round AS g
            WHERE g.tournament_id = n.tournament_id
              AND g.round_number = n.round_number)), 0)) AS current_round
  FROM tournament
) AS season;
