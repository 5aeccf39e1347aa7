CREATE VIEW z_settling (
  -- Insert a step of settling a list (rules.recalculation 'settled' and 'latest') to have it done.
  -- Two steps of z_step come here, where a rule asks for it: view on_demand.

  tournament_id, round_number,
  -- The 'list' is made, or its 'scores' are known. What follows: 'settle' a list, 'hundred
  -- passes', a 'pass', and 'mean' adds up scores.
  step,
  -- The passes before, or still to be made.
  number
) AS
SELECT tournament_id, round_number, 'list', NULL FROM ranking_list WHERE 0;

CREATE TRIGGER list_settled INSTEAD OF INSERT ON z_settling WHEN NEW.step = 'list' BEGIN
  INSERT INTO z_settling (tournament_id, round_number, step)
    SELECT u.tournament_id, NEW.round_number, 'settle' FROM rules AS u
    WHERE u.tournament_id = NEW.tournament_id AND NEW.round_number > 0
      AND (u.recalculation = 'settled' OR u.recalculation = 'latest'
        AND NEW.round_number >= (SELECT current_round FROM tournament WHERE id = u.tournament_id));
END;

-- In a cycle whose scores are taken: they are added up, and in the end their mean is taken.
CREATE TRIGGER settling_scores_taken INSTEAD OF INSERT ON z_settling WHEN NEW.step = 'scores' BEGIN
  INSERT INTO z_settling (tournament_id, round_number, step, number)
    SELECT s.tournament_id, s.round_number, 'mean', s.wait FROM settling AS s
    JOIN rules AS u ON u.tournament_id = s.tournament_id
    WHERE s.tournament_id = NEW.tournament_id AND s.round_number = NEW.round_number
      AND s.cycle > 1 AND s.wait > 0 AND u.cycle_takes = 'scores';
END;

-- The list is made again with the values that it gave, pass after pass, until these are values
-- that a pass was made with: those of the last pass when the values have converged, else of the
-- first pass of a cycle. What then stands: rules.cycle_takes. Every pass is remembered in
-- settling_pass until then.
CREATE TRIGGER settling_begun INSTEAD OF INSERT ON z_settling WHEN NEW.step = 'settle' BEGIN
  DELETE FROM settling_pass WHERE tournament_id = NEW.tournament_id;
  DELETE FROM settling_value WHERE tournament_id = NEW.tournament_id;
  -- With settled_from 'start', first with the values that the list before gives the places
  -- that the players have in the start order.
  UPDATE ranking_list
    SET value_before_units = start.value_units
    FROM (
      SELECT r.player_id, row_number() OVER (
          ORDER BY e.start_rank ASC NULLS LAST, e.start_key ASC NULLS LAST, r.player_id) AS place
      FROM rules AS u
      JOIN ranking_list AS r ON r.tournament_id = u.tournament_id
        AND r.round_number = NEW.round_number AND r.rank_before IS NOT NULL
      JOIN z_start_order AS e
        ON e.tournament_id = r.tournament_id AND e.player_id = r.player_id
      WHERE u.tournament_id = NEW.tournament_id AND u.settled_from = 'start'
    ) AS listed
    JOIN ranking_list AS start ON start.tournament_id = NEW.tournament_id
      AND start.round_number = NEW.round_number - 1 AND start.rank = listed.place
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = listed.player_id;
  INSERT INTO z_step (tournament_id, round_number, step)
    SELECT NEW.tournament_id, NEW.round_number, 'made' FROM rules
    WHERE tournament_id = NEW.tournament_id AND settled_from = 'start';
  INSERT INTO settling (tournament_id, round_number, passes)
    VALUES (NEW.tournament_id, NEW.round_number, 0);
  INSERT INTO z_settling (tournament_id, round_number, step, number)
    VALUES (NEW.tournament_id, NEW.round_number, 'pass', 0);
  -- A trigger cannot loop, but it can insert many rows, which do nothing once all is done:
  -- 201 rows of 100 passes, for 10,000 passes and as many again for the mean.
  INSERT INTO z_settling (tournament_id, round_number, step)
    SELECT NEW.tournament_id, NEW.round_number, 'hundred passes'
    FROM (WITH RECURSIVE hundred (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM hundred WHERE n < 201)
      SELECT n FROM hundred);
  DELETE FROM settling_pass WHERE tournament_id = NEW.tournament_id;
  DELETE FROM settling_value WHERE tournament_id = NEW.tournament_id;
END;

CREATE TRIGGER hundred_passes_made INSTEAD OF INSERT ON z_settling
WHEN NEW.step = 'hundred passes' AND EXISTS (SELECT 1 FROM settling
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND (cycle IS NULL OR wait > 0))
BEGIN
  INSERT INTO z_settling (tournament_id, round_number, step, number)
    SELECT NEW.tournament_id, NEW.round_number, 'pass', 1
    FROM (WITH RECURSIVE hundred (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM hundred WHERE n < 100)
      SELECT n FROM hundred);
END;

-- One pass: make the list with the values it gave last (not the first, 0), then test whether the
-- values that it gives now were there before.
CREATE TRIGGER pass_made INSTEAD OF INSERT ON z_settling
WHEN NEW.step = 'pass' AND EXISTS (SELECT 1 FROM settling
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND cycle IS NULL)
BEGIN
  UPDATE ranking_list SET value_before_units = value_units
    WHERE NEW.number AND tournament_id = NEW.tournament_id
      AND round_number = NEW.round_number
      AND value_before_units IS NOT NULL;
  INSERT INTO z_step (tournament_id, round_number, step)
    SELECT NEW.tournament_id, NEW.round_number, 'made' WHERE NEW.number;
  INSERT INTO settling_pass (tournament_id, value_list, pass)
    SELECT s.tournament_id, (SELECT COALESCE(group_concat(value_before_units, ' '), '')
        FROM (SELECT value_before_units FROM ranking_list
          WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
            AND value_before_units IS NOT NULL
          ORDER BY player_id)), s.passes + 1
    FROM settling AS s
    WHERE s.tournament_id = NEW.tournament_id AND s.round_number = NEW.round_number;
  -- The period, if these values were there before.
  UPDATE settling
    SET passes = passes + 1, wait = COALESCE(passes + 2 - (SELECT pass FROM settling_pass
        WHERE tournament_id = NEW.tournament_id
          AND value_list = (SELECT COALESCE(group_concat(value_units, ' '), '')
            FROM (SELECT value_units FROM ranking_list
              WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
                AND value_before_units IS NOT NULL
              ORDER BY player_id))), 0)
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  -- In a cycle, once more through it for the mean. One that is too long goes on to
  -- max_passes, of which whole periods need not be made.
  UPDATE settling
    SET cycle = CASE WHEN wait BETWEEN 1 AND u.longest THEN wait
        WHEN wait > 0 OR passes = u.max_passes THEN 0 END,
      passes = CASE WHEN wait > u.longest THEN u.max_passes ELSE passes END,
      wait = CASE WHEN wait > u.longest THEN (u.max_passes - passes) % wait
        WHEN wait = 1 THEN 0 ELSE wait END
    FROM (SELECT max_passes, CASE cycle_takes WHEN 'scores' THEN 2 ELSE 10000 END AS longest
      FROM rules WHERE tournament_id = NEW.tournament_id) AS u
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  INSERT INTO settling_value (tournament_id, player_id, units)
    SELECT r.tournament_id, r.player_id, 0 FROM settling AS s
    JOIN ranking_list AS r ON r.tournament_id = s.tournament_id
      AND r.round_number = s.round_number AND r.value_before_units IS NOT NULL
    WHERE s.tournament_id = NEW.tournament_id AND s.round_number = NEW.round_number
      AND s.cycle > 1 AND s.wait > 0;
END;

-- A pass more, once the period is known. With cycle_takes 'values', the last is made with the
-- mean of all.
CREATE TRIGGER pass_added INSTEAD OF INSERT ON z_settling
WHEN NEW.step = 'pass' AND NEW.number AND EXISTS (SELECT 1 FROM settling
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND cycle IS NOT NULL AND wait > 0)
BEGIN
  UPDATE settling_value SET units = units + r.value_units
    FROM ranking_list AS r
    WHERE settling_value.tournament_id = NEW.tournament_id
      AND r.tournament_id = NEW.tournament_id
      AND r.round_number = NEW.round_number
      AND r.player_id = settling_value.player_id;
  UPDATE ranking_list SET value_before_units = value_units
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND value_before_units IS NOT NULL;
  UPDATE ranking_list
    SET value_before_units = (2 * v.units + s.cycle) / (2 * s.cycle)
    FROM settling_value AS v, settling AS s, rules AS u
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND v.tournament_id = NEW.tournament_id
      AND v.player_id = ranking_list.player_id
      AND s.tournament_id = NEW.tournament_id
      AND s.round_number = NEW.round_number AND s.cycle > 1 AND s.wait = 1
      AND u.tournament_id = NEW.tournament_id AND u.cycle_takes = 'values';
  INSERT INTO z_step (tournament_id, round_number, step)
    VALUES (NEW.tournament_id, NEW.round_number, 'made');
  UPDATE settling SET wait = wait - 1
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
END;

-- The scores of a list of the cycle, before they make an order: added up or, in the last
-- list, their mean, rounded as a score or else as a line is. A multiple more: as in ranking_updated.
CREATE TRIGGER mean_taken INSTEAD OF INSERT ON z_settling WHEN NEW.step = 'mean' BEGIN
  UPDATE settling_value SET other_units = other_units + r.score_units
    FROM ranking_list AS r
    WHERE settling_value.tournament_id = NEW.tournament_id
      AND r.tournament_id = NEW.tournament_id AND r.round_number = NEW.round_number
      AND r.player_id = settling_value.player_id;
  UPDATE ranking_list
    SET adjustment_units = adjustment_units + due.units - score_units, score_units = due.units
    FROM (
      SELECT player_id, ((2 * (total + more) + whole
          - (even AND (total + more) / whole % 2 = 0)) / (2 * whole) - more / whole)
        * unit AS units
      FROM (SELECT v.player_id, v.other_units AS total, unit, even, unit * s.cycle AS whole,
          500000000000000000 / (unit * s.cycle) * 2 * unit * s.cycle AS more
        FROM (SELECT tournament_id, halves = 'even' AND unit > 1 AS even, unit
          FROM (SELECT tournament_id, halves,
              CASE WHEN score_rounding IS NULL THEN line_unit ELSE score_unit END AS unit
            FROM rules WHERE tournament_id = NEW.tournament_id)) AS u
        JOIN settling AS s ON s.tournament_id = u.tournament_id
          AND s.round_number = NEW.round_number
        JOIN settling_value AS v ON v.tournament_id = u.tournament_id)
    ) AS due
    WHERE NEW.number = 1 AND ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = due.player_id;
END;
