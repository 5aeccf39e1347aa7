-- Where a season is, in table tournament, which has the words: last_round, current_round and
-- coming_round follow from the games, the unplayed rounds and what is published. Whoever
-- changes these facts sets coming_round to 0: then all three are found anew.

CREATE TRIGGER season_state_found AFTER UPDATE OF coming_round ON tournament
WHEN NEW.coming_round = 0
BEGIN
  -- The last with a game or a bye; or one in which nobody plays, which is there once it is
  -- published and somebody is absent from it. All rounds up to it are rounds that count.
  UPDATE tournament
    SET last_round = max(
      COALESCE((SELECT max(round_number) FROM round WHERE tournament_id = NEW.id), 0),
      COALESCE((SELECT max(round_number) FROM unplayed
        WHERE tournament_id = NEW.id AND kind = 'bye'), 0),
      COALESCE((SELECT max(s.round_number) FROM schedule AS s
        WHERE s.tournament_id = NEW.id AND s.published_at IS NOT NULL
          AND EXISTS (SELECT 1 FROM unplayed AS n
            WHERE n.tournament_id = NEW.id AND n.round_number = s.round_number)), 0))
    WHERE id = NEW.id;
  -- Of these the last in which a game has a result, or which has no games: back from the last.
  UPDATE tournament
    SET current_round = (
      WITH RECURSIVE back (number) AS (
        SELECT last_round
        UNION ALL
        SELECT number - 1 FROM back
        WHERE EXISTS (SELECT 1 FROM round AS g
            WHERE g.tournament_id = NEW.id AND g.round_number = number AND g.board > 0)
          AND NOT EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = NEW.id
            AND g.round_number = number AND g.board > 0 AND g.result IS NOT NULL)
      )
      SELECT min(number) FROM back)
    WHERE id = NEW.id;
  UPDATE tournament
    SET coming_round = last_round + (last_round = 0
      OR EXISTS (SELECT 1 FROM round AS g WHERE g.tournament_id = NEW.id
        AND g.round_number = last_round AND g.board > 0 AND g.result IS NOT NULL)
      OR EXISTS (SELECT 1 FROM schedule AS s WHERE s.tournament_id = NEW.id
        AND s.round_number = last_round AND s.published_at IS NOT NULL))
    WHERE id = NEW.id;
END;
