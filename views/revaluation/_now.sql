CREATE VIEW _now (
  -- A row per tournament: where its season is.

  tournament_id,
  -- The last round. A round is there once it has a game or a bye; or, where nobody plays,
  -- once it is published and somebody is absent from it. Absences announced for later
  -- rounds do not make one. 0 before the first.
  last_round,
  -- The round whose standings are shown by default: the last with a result, or without
  -- games. 0 before the first.
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
  SELECT tournament_id,
    max(COALESCE((SELECT max(round_number) FROM round
        WHERE tournament_id = decided.tournament_id), 0),
      COALESCE((SELECT max(round_number) FROM unplayed
        WHERE tournament_id = decided.tournament_id AND kind = 'bye'), 0),
      COALESCE(unplayed_round, 0)) AS last_round,
    max(round_number, COALESCE(unplayed_round, 0),
      COALESCE((SELECT max(n.round_number) FROM unplayed AS n
        WHERE n.tournament_id = decided.tournament_id AND n.kind = 'bye'
          AND NOT EXISTS (SELECT 1 FROM round AS g
            WHERE g.tournament_id = n.tournament_id
              AND g.round_number = n.round_number)), 0)) AS current_round
  FROM (
    SELECT tournament_id, round_number,
      -- The last round in which nobody plays, where one follows it.
      (SELECT max(s.round_number) FROM schedule AS s
        WHERE s.tournament_id = played.tournament_id AND s.round_number > played.round_number
          AND s.published_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM round AS g
            WHERE g.tournament_id = s.tournament_id AND g.round_number = s.round_number)
          AND EXISTS (SELECT 1 FROM unplayed AS n
            WHERE n.tournament_id = s.tournament_id AND n.round_number = s.round_number)
      ) AS unplayed_round
    FROM (
      -- The last round with a result, looked for from the last round back.
      SELECT id AS tournament_id,
        COALESCE((SELECT g.round_number FROM round AS g
          WHERE g.tournament_id = tournament.id AND g.board > 0 AND g.result IS NOT NULL
          ORDER BY g.round_number DESC LIMIT 1), 0) AS round_number
      FROM tournament
    ) AS played
  ) AS decided
) AS season;
