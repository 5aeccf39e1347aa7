-- [needed where recalculation IN ('settled', 'complete', 'latest')]

-- Of the standings shown by default alone: do others agree with their values?
CREATE TRIGGER another_asked INSTEAD OF INSERT ON _asked WHEN NEW.step = 'standings' BEGIN
  UPDATE settling SET another = NULL
    WHERE tournament_id = NEW.tournament_id AND another IS NOT NULL
      AND round_number <> NEW.round_number;
  INSERT INTO _another (tournament_id, round_number)
    SELECT tournament_id, round_number FROM settling
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND cycle = 1 AND another IS NULL;
END;

CREATE TRIGGER _another_looked_for INSTEAD OF INSERT ON _another WHEN NEW.another IS NULL BEGIN
  INSERT INTO settling_value (tournament_id, player_id, units, other_units)
    SELECT NEW.tournament_id, own.player_id, own.units, opposite.units
    FROM (SELECT player_id, value_before_units AS units, row_number() OVER (ORDER BY rank) AS place
      FROM ranking_list
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
        AND value_before_units IS NOT NULL) AS own
    JOIN (SELECT value_before_units AS units, row_number() OVER (ORDER BY rank DESC) AS place
      FROM ranking_list
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
        AND value_before_units IS NOT NULL) AS opposite ON opposite.place = own.place;
  INSERT INTO _first_value (tournament_id, round_number, start_units)
    SELECT tournament_id, NEW.round_number, settled_from = 'before' FROM rules
    WHERE tournament_id = NEW.tournament_id;
  INSERT INTO _another (tournament_id, round_number, another)
    VALUES (NEW.tournament_id, NEW.round_number, 49);
  -- What was found, upside down.
  UPDATE ranking_list SET value_before_units = v.other_units
    FROM settling_value AS v, settling AS s
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND v.tournament_id = NEW.tournament_id AND v.player_id = ranking_list.player_id
      AND s.tournament_id = NEW.tournament_id AND s.round_number = NEW.round_number
      AND s.another IS NULL;
  INSERT INTO ranking_update (tournament_id, round_number)
    SELECT tournament_id, round_number FROM settling
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND another IS NULL;
  INSERT INTO _another (tournament_id, round_number, another)
    SELECT tournament_id, round_number, 49 FROM settling
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND another IS NULL;
  -- What was found, back again.
  UPDATE ranking_list SET value_before_units = v.units
    FROM settling_value AS v
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND v.tournament_id = NEW.tournament_id AND v.player_id = ranking_list.player_id;
  INSERT INTO ranking_update (tournament_id, round_number)
    VALUES (NEW.tournament_id, NEW.round_number);
  UPDATE settling SET another = COALESCE(another, 0)
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  DELETE FROM settling_value WHERE tournament_id = NEW.tournament_id;
END;

-- As many passes, and what they came to.
CREATE TRIGGER _another_settled INSTEAD OF INSERT ON _another WHEN NEW.another > 0 BEGIN
  INSERT INTO _another (tournament_id, round_number, another)
    SELECT NEW.tournament_id, NEW.round_number, 0
    FROM (WITH RECURSIVE pass (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM pass WHERE n < NEW.another)
      SELECT n FROM pass);
  UPDATE settling SET another = 1
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND NOT EXISTS (SELECT 1 FROM ranking_list
        WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
          AND value_before_units <> value_units)
      AND EXISTS (SELECT 1 FROM settling_value AS v
        JOIN ranking_list AS r ON r.tournament_id = v.tournament_id
          AND r.round_number = NEW.round_number AND r.player_id = v.player_id
        WHERE v.tournament_id = NEW.tournament_id AND v.units <> r.value_before_units);
END;

CREATE TRIGGER _another_pass_made INSTEAD OF INSERT ON _another
WHEN NEW.another = 0 AND EXISTS (SELECT 1 FROM ranking_list
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND value_before_units <> value_units)
BEGIN
  UPDATE ranking_list SET value_before_units = value_units
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND value_before_units IS NOT NULL;
  INSERT INTO ranking_update (tournament_id, round_number)
    VALUES (NEW.tournament_id, NEW.round_number);
END;
