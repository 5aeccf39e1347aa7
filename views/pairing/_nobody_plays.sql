CREATE VIEW _nobody_plays (
  -- A row per tournament in whose coming round nobody plays: all are absent, and somebody has
  -- said so. Insert it to have that round published: who is absent by default is absent from
  -- it, as in a pairing, and the absences count.

  tournament_id
) AS
SELECT c.tournament_id FROM _now AS c
WHERE EXISTS (SELECT 1 FROM unplayed AS n WHERE n.tournament_id = c.tournament_id
    AND n.round_number = c.coming_round)
  AND NOT EXISTS (SELECT 1 FROM _expected AS e WHERE e.tournament_id = c.tournament_id
    AND e.absence IS NULL);

CREATE TRIGGER _nobody_plays_published INSTEAD OF INSERT ON _nobody_plays BEGIN
  INSERT INTO _seating (what, tournament_id) VALUES ('begin', NEW.tournament_id);
  INSERT INTO unplayed (tournament_id, round_number, player_id, kind)
    SELECT tournament_id, round_number, player_id, absence
    FROM presence WHERE tournament_id = NEW.tournament_id AND by_default
      AND absence IS NOT NULL;
  INSERT INTO schedule (tournament_id, round_number)
    SELECT tournament_id, coming_round FROM _now
    WHERE tournament_id = NEW.tournament_id
      AND NOT EXISTS (SELECT 1 FROM schedule AS s WHERE s.tournament_id = _now.tournament_id
        AND s.round_number = _now.coming_round);
  UPDATE schedule
    SET published_at = CURRENT_TIMESTAMP, date = COALESCE(date, date('now', 'localtime')),
      proved = NULL
    WHERE tournament_id = NEW.tournament_id
      AND round_number = (SELECT coming_round FROM _now
        WHERE tournament_id = NEW.tournament_id);
  INSERT INTO _seating (what, tournament_id) VALUES ('end', NEW.tournament_id);
END;
