CREATE VIEW _settling (
  -- Insert a row to settle a list. The list is made again with the values that it gave,
  -- until they converge: a list gives the values that it was made with. The lists may
  -- instead repeat with period n. Then the mean of each player's n values is in force,
  -- and the list is made with that, wherever the cycle was entered. Brent's algorithm
  -- finds the period: it remembers one list, and then a later one after 2, 4, 8, ... passes.

  tournament_id,
  -- The ranking after this round, made once with the values before it.
  round_number,
  -- NULL: settle the list as above. 0: only test whether it has converged. 1: make it once
  -- more, unless it has; 100: up to a hundred times.
  passes
) AS
SELECT tournament_id, round_number, passes FROM settling WHERE 0;

CREATE TRIGGER _settled INSTEAD OF INSERT ON _settling WHEN NEW.passes IS NULL BEGIN
  DELETE FROM settling_value WHERE tournament_id = NEW.tournament_id;
  INSERT INTO settling_value (tournament_id, player_id, units)
    SELECT tournament_id, player_id, value_before_units FROM ranking_list
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND value_before_units IS NOT NULL;
  INSERT INTO settling (tournament_id, round_number, passes)
    VALUES (NEW.tournament_id, NEW.round_number, 0);
  INSERT INTO _settling (tournament_id, round_number, passes)
    VALUES (NEW.tournament_id, NEW.round_number, 0);
  -- A trigger cannot loop, but it can insert many rows, which do nothing once all is done:
  -- 201 rows of 100 passes, for 10,000 passes and as many again for the mean.
  INSERT INTO _settling (tournament_id, round_number, passes)
    SELECT NEW.tournament_id, NEW.round_number, 100
    FROM (WITH RECURSIVE hundred (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM hundred WHERE n < 201)
      SELECT n FROM hundred);
  DELETE FROM settling_value WHERE tournament_id = NEW.tournament_id;
END;

CREATE TRIGGER _hundred_passes_made INSTEAD OF INSERT ON _settling
WHEN NEW.passes = 100 AND EXISTS (SELECT 1 FROM settling
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND (cycle IS NULL OR (cycle > 1 AND wait > 0)))
BEGIN
  INSERT INTO _settling (tournament_id, round_number, passes)
    SELECT NEW.tournament_id, NEW.round_number, 1
    FROM (WITH RECURSIVE hundred (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM hundred WHERE n < 100)
      SELECT n FROM hundred);
END;

-- One pass: make the list with the values it gave last, then test whether the values that
-- it gives now were there before.
CREATE TRIGGER _pass_made INSTEAD OF INSERT ON _settling
WHEN NEW.passes <= 1 AND EXISTS (SELECT 1 FROM settling
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND cycle IS NULL)
BEGIN
  UPDATE settling_value
    SET units = r.value_units
    FROM ranking_list AS r, settling AS s
    WHERE NEW.passes = 1
      AND settling_value.tournament_id = NEW.tournament_id
      AND r.tournament_id = NEW.tournament_id
      AND r.round_number = NEW.round_number
      AND r.player_id = settling_value.player_id
      AND s.tournament_id = NEW.tournament_id
      AND s.round_number = NEW.round_number AND s.since = s.wait;
  UPDATE settling SET wait = 2 * wait, since = 0
    WHERE NEW.passes = 1 AND tournament_id = NEW.tournament_id
      AND round_number = NEW.round_number AND since = wait;
  UPDATE ranking_list SET value_before_units = value_units
    WHERE NEW.passes = 1 AND tournament_id = NEW.tournament_id
      AND round_number = NEW.round_number
      AND value_before_units IS NOT NULL;
  INSERT INTO ranking_update (tournament_id, round_number)
    SELECT NEW.tournament_id, NEW.round_number WHERE NEW.passes = 1;
  UPDATE settling
    SET passes = passes + 1, since = since + 1,
      cycle = CASE
        WHEN NOT EXISTS (SELECT 1 FROM ranking_list AS r
          WHERE r.tournament_id = NEW.tournament_id
            AND r.round_number = NEW.round_number
            AND r.value_before_units <> r.value_units) THEN 1
        WHEN NOT EXISTS (SELECT 1 FROM settling_value AS v
          JOIN ranking_list AS r ON r.tournament_id = v.tournament_id
            AND r.round_number = NEW.round_number AND r.player_id = v.player_id
          WHERE v.tournament_id = NEW.tournament_id
            AND r.value_units <> v.units) THEN since + 1
        WHEN passes + 1 >= (SELECT max_passes FROM rules
          WHERE tournament_id = NEW.tournament_id) THEN 0
      END
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  -- A cycle was found: go through it once more and add up the values of its lists.
  UPDATE settling SET wait = cycle
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND cycle > 1;
  UPDATE settling_value SET units = 0
    WHERE tournament_id = NEW.tournament_id AND EXISTS (SELECT 1 FROM settling
      WHERE tournament_id = NEW.tournament_id
        AND round_number = NEW.round_number AND cycle > 1);
END;

-- In a cycle: make its next list or, after the last, the list with the mean of all.
CREATE TRIGGER _pass_added INSTEAD OF INSERT ON _settling
WHEN NEW.passes = 1 AND EXISTS (SELECT 1 FROM settling
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND cycle > 1 AND wait > 0)
BEGIN
  UPDATE settling_value SET units = units + r.value_units
    FROM ranking_list AS r
    WHERE settling_value.tournament_id = NEW.tournament_id
      AND r.tournament_id = NEW.tournament_id
      AND r.round_number = NEW.round_number
      AND r.player_id = settling_value.player_id;
  UPDATE settling SET wait = wait - 1
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  UPDATE ranking_list
    SET value_before_units = CASE s.wait WHEN 0
      THEN (2 * v.units + s.cycle) / (2 * s.cycle) ELSE ranking_list.value_units END
    FROM settling_value AS v, settling AS s
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND v.tournament_id = NEW.tournament_id
      AND v.player_id = ranking_list.player_id
      AND s.tournament_id = NEW.tournament_id
      AND s.round_number = NEW.round_number;
  INSERT INTO ranking_update (tournament_id, round_number)
    VALUES (NEW.tournament_id, NEW.round_number);
END;
