-- Where a season is, in table tournament, which has the words: last_round, current_round and
-- coming_round follow from the games, the unplayed rounds and what is published. Whoever
-- changes these facts sets coming_round to 0: then all three are found anew.

CREATE TRIGGER season_state_found AFTER UPDATE OF coming_round ON tournament
WHEN NEW.coming_round = 0
BEGIN
  -- The last round with a result, looked for from the last round back. Every game has a
  -- board: naming it leads SQLite to the index of rounds and boards.
  UPDATE tournament
    SET current_round = COALESCE((SELECT g.round_number FROM round AS g
      WHERE g.tournament_id = NEW.id AND g.board > 0 AND g.result IS NOT NULL
      ORDER BY g.round_number DESC LIMIT 1), 0)
    WHERE id = NEW.id;
  -- Rounds without games that follow it: of byes, or published ones that are not played.
  UPDATE tournament
    SET current_round = max(current_round,
      COALESCE((SELECT max(n.round_number) FROM unplayed AS n
        WHERE n.tournament_id = NEW.id AND n.round_number > current_round AND n.kind = 'bye'
          AND NOT EXISTS (SELECT 1 FROM round AS g
            WHERE g.tournament_id = NEW.id AND g.round_number = n.round_number)), 0),
      COALESCE((SELECT max(s.round_number) FROM schedule AS s
        WHERE s.tournament_id = NEW.id AND s.round_number > current_round
          AND s.published_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM round AS g
            WHERE g.tournament_id = NEW.id AND g.round_number = s.round_number)
          AND EXISTS (SELECT 1 FROM unplayed AS n
            WHERE n.tournament_id = NEW.id AND n.round_number = s.round_number)), 0))
    WHERE id = NEW.id;
  UPDATE tournament
    SET last_round = max(current_round,
      COALESCE((SELECT max(round_number) FROM round WHERE tournament_id = NEW.id), 0),
      COALESCE((SELECT max(round_number) FROM unplayed
        WHERE tournament_id = NEW.id AND kind = 'bye'), 0))
    WHERE id = NEW.id;
  UPDATE tournament
    SET coming_round = last_round + (last_round = 0
      OR EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = NEW.id
        AND g.round_number = last_round AND g.board > 0 AND g.result IS NOT NULL)
      OR EXISTS (SELECT 1 FROM schedule AS s WHERE s.tournament_id = NEW.id
        AND s.round_number = last_round AND s.published_at IS NOT NULL))
    WHERE id = NEW.id;
END;
