-- Makes one list from the values in force that stand in it: scores, their limits, ties,
-- ranks and the new values.
CREATE TRIGGER ranking_updated INSTEAD OF INSERT ON ranking_update BEGIN
  -- Every game and unplayed round so far, at these values. No own value of a place that
  -- is not known yet.
  UPDATE ranking_list SET value_units = NULL
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND (SELECT own_value_at FROM rules WHERE tournament_id = NEW.tournament_id) = 'new';
  UPDATE ranking_list
    SET score_units = total.units, points_units = total.points_units,
      played = total.played, adjustment_units = 0, place = NULL
    FROM (
      SELECT player_id, sum(units) AS units, sum(points_units) AS points_units,
        sum(played) AS played
      -- LIMIT -1 keeps SQLite from computing any other column.
      FROM (SELECT player_id, units, points_units, played FROM z_line
        WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
        LIMIT -1)
      GROUP BY player_id
    ) AS total
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = total.player_id;
  -- Rounded to rules.score_rounding: below 0 too, where whole-number division cuts towards
  -- 0, hence an even multiple more before.
  UPDATE ranking_list
    SET adjustment_units = due.units - score_units, score_units = due.units
    FROM (
      SELECT player_id, (total + unit / 2 - (even AND total / unit % 2 = 0)) / unit * unit - more
        AS units
      FROM (SELECT r.player_id, u.score_unit AS unit, u.halves = 'even' AS even,
        3000000000000000 / u.score_unit * 2 * u.score_unit AS more,
        r.score_units + 3000000000000000 / u.score_unit * 2 * u.score_unit AS total
      FROM rules AS u
      CROSS JOIN ranking_list AS r ON r.tournament_id = u.tournament_id
      WHERE u.tournament_id = NEW.tournament_id AND r.round_number = NEW.round_number
        AND r.rank_before IS NOT NULL
        AND u.score_rounding IS NOT NULL)
    ) AS due
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = due.player_id
      AND ranking_list.score_units <> due.units;
  INSERT INTO z_asked VALUES (NEW.tournament_id, NEW.round_number, 'scores');
  -- Score, then the list before, needs no tie-break: it is the order anyway.
  DELETE FROM tiebreak_value
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  INSERT INTO z_asked VALUES (NEW.tournament_id, NEW.round_number, 'order');
  -- The new order, and values handed out from the top.
  UPDATE ranking_list
    SET rank = due.rank, place = COALESCE(place, due.rank), value_units = due.value_units
    FROM ranking_update AS due
    WHERE due.tournament_id = NEW.tournament_id
      AND due.round_number = NEW.round_number
      AND ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = due.player_id;
  INSERT INTO z_asked VALUES (NEW.tournament_id, NEW.round_number, 'values');
END;
