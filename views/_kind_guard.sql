CREATE VIEW _kind_guard (
  -- Insert the name of a kind of unplayed round to have it refused with a
  -- sentence if the tournament has none of that name.

  -- tournament.id.
  tournament_id,
  -- A kind of scoring.
  kind
) AS
SELECT tournament_id, kind FROM scoring WHERE 0;

CREATE TRIGGER _kind_guarded INSTEAD OF INSERT ON _kind_guard BEGIN
  SELECT RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
    WHERE NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind
        AND applies_to = 'unplayed');
END;
