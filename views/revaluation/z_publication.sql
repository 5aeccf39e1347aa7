CREATE VIEW z_publication (
  -- Insert a round that has just been published, or no longer is, to have the standings
  -- follow: only where it has no game, for then it is a round by this alone.

  -- schedule.id; NULL when it is no longer published.
  id,
  tournament_id, round_number
) AS
SELECT id, tournament_id, round_number FROM schedule WHERE 0;

CREATE TRIGGER z_publication_noted INSTEAD OF INSERT ON z_publication
WHEN EXISTS (SELECT 1 FROM round
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number)
BEGIN
  UPDATE tournament SET coming_round = 0 WHERE id = NEW.tournament_id;
END;

CREATE TRIGGER z_publication_followed INSTEAD OF INSERT ON z_publication
WHEN NOT EXISTS (SELECT 1 FROM round
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number)
BEGIN
  SELECT RAISE(ABORT, 'this tournament is finished: set its status to running first')
    FROM tournament
    WHERE id = NEW.tournament_id AND status = 'finished' AND revaluation = 'on';
  INSERT INTO z_sequence SELECT 'schedule', NEW.id, NEW.tournament_id, NEW.round_number
    WHERE NEW.id IS NOT NULL;
  INSERT INTO revalue (tournament_id, from_round)
    SELECT NEW.tournament_id, NEW.round_number
    WHERE EXISTS (SELECT 1 FROM unplayed
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number);
END;
