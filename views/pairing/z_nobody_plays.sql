CREATE VIEW z_nobody_plays (
  -- A row per tournament in whose coming round nobody plays: all are absent, and somebody has
  -- said so. Insert it to have that round published: who is absent by default is absent from
  -- it, as in a pairing, and the absences count.

  tournament_id
) AS
SELECT c.id FROM tournament AS c
WHERE EXISTS (SELECT 1 FROM unplayed AS n WHERE n.tournament_id = c.id
    AND n.round_number = c.coming_round)
  AND NOT EXISTS (SELECT 1 FROM z_expected AS e WHERE e.tournament_id = c.id
    AND e.absence IS NULL);

CREATE TRIGGER z_nobody_plays_published INSTEAD OF INSERT ON z_nobody_plays BEGIN
  INSERT INTO z_seating (what, tournament_id) VALUES ('begin', NEW.tournament_id);
  INSERT INTO unplayed (tournament_id, round_number, player_id, kind)
    SELECT tournament_id, round_number, player_id, absence
    FROM presence WHERE tournament_id = NEW.tournament_id AND by_default
      AND absence IS NOT NULL;
  INSERT INTO schedule (tournament_id, round_number)
    SELECT t.id, t.coming_round FROM tournament AS t
    WHERE t.id = NEW.tournament_id
      AND NOT EXISTS (SELECT 1 FROM schedule AS s WHERE s.tournament_id = t.id
        AND s.round_number = t.coming_round);
  UPDATE schedule
    SET published_at = CURRENT_TIMESTAMP, date = COALESCE(date, date('now', 'localtime')),
      proved = NULL
    WHERE tournament_id = NEW.tournament_id
      AND round_number = (SELECT coming_round FROM tournament
        WHERE id = NEW.tournament_id);
  INSERT INTO z_seating (what, tournament_id) VALUES ('end', NEW.tournament_id);
END;
