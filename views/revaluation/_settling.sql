CREATE VIEW _settling (
  -- Insert a row to bring a table to rest: it is made again with the values that
  -- it gave, until these come back. If they do so at once, table and values
  -- agree. If they go round in a cycle, of whatever length, each player's mean
  -- value in it is put in force, and the table made with that: so it does not
  -- matter where the cycle was entered. Brent's algorithm finds it: one table
  -- is remembered, and a later one each time twice as many have passed.

  tournament_id,
  -- The ranking after this round, made once with the values before it.
  round_number
) AS
SELECT tournament_id, round_number FROM settling WHERE 0;

CREATE TRIGGER _settled INSTEAD OF INSERT ON _settling BEGIN
  DELETE FROM settling_value WHERE tournament_id = NEW.tournament_id;
  INSERT INTO settling_value (tournament_id, player_id, units)
    SELECT tournament_id, player_id, value_before_units FROM ranking_list
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND value_before_units IS NOT NULL;
  INSERT INTO settling (tournament_id, round_number, passes)
    VALUES (NEW.tournament_id, NEW.round_number, 0);
  INSERT INTO _pass (tournament_id, round_number, passes)
    VALUES (NEW.tournament_id, NEW.round_number, 0);
  -- A trigger cannot loop, but it can be told to do each of many things unless
  -- all is done: 10,000 passes, and as many again for the mean, by hundreds.
  INSERT INTO _hundred_passes (tournament_id, round_number)
    SELECT NEW.tournament_id, NEW.round_number
    FROM (WITH RECURSIVE hundred (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM hundred WHERE n < 201)
      SELECT n FROM hundred);
  DELETE FROM settling_value WHERE tournament_id = NEW.tournament_id;
END;
