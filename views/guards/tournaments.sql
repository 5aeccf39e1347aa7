-- A tournament, and the state of its revaluation.

CREATE TRIGGER tournament_kept BEFORE DELETE ON tournament
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'this tournament has players: delete its entries first');
END;

CREATE TRIGGER tournament_above_others BEFORE UPDATE OF above ON tournament
WHEN NEW.above IS NOT NULL AND (NEW.id IN (
    WITH RECURSIVE higher (id) AS (
      SELECT NEW.above
      UNION
      SELECT t.above FROM higher JOIN tournament AS t ON t.id = higher.id
    )
    SELECT id FROM higher WHERE id IS NOT NULL)
  OR NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.above))
BEGIN
  SELECT RAISE(ABORT, 'above must be the id of another tournament that is not below this one, or NULL');
END;

-- A person switches between 'on' and 'suspended'; and says which rounds are behind
-- the facts, but never that fewer are.
CREATE TRIGGER tournament_is_computed
BEFORE UPDATE OF last_round, current_round, coming_round, revaluation, stale_from ON tournament
BEGIN
  SELECT CASE
    WHEN OLD.coming_round <> 0 AND NEW.coming_round IS NOT 0
      AND (NEW.last_round, NEW.current_round, NEW.coming_round)
        IS NOT (OLD.last_round, OLD.current_round, OLD.coming_round)
    THEN RAISE(ABORT, 'last_round, current_round and coming_round are computed: they follow from games, unplayed rounds and what is published')
    WHEN (OLD.revaluation = 'suspended' AND NEW.revaluation = 'running')
      OR (OLD.revaluation = 'running' AND NEW.revaluation = 'suspended')
      OR (NEW.stale_from IS NOT OLD.stale_from
        AND NOT (OLD.revaluation = 'running' AND NEW.stale_from IS NULL)
        AND NOT COALESCE((NEW.revaluation = 'suspended'
            OR (OLD.revaluation = 'on' AND NEW.revaluation = 'running'))
          AND NEW.stale_from BETWEEN 0 AND min(999, COALESCE(OLD.stale_from, 999)), 0))
    THEN RAISE(ABORT, 'the state of the revaluation is kept by the file: set revaluation to suspended or on')
  END;
END;
