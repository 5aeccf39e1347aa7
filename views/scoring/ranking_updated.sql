-- To ask for a list is to have all lists from it on made again; while that is done, it makes this
-- one: who is in it, and then what z_step 'made' does.

CREATE TRIGGER ranking_update_asked INSTEAD OF INSERT ON ranking_update
WHEN COALESCE((SELECT revaluation FROM tournament WHERE id = NEW.tournament_id), '') <> 'running'
BEGIN
  SELECT RAISE(ABORT, 'there is no such list: name tournament_id and a round_number from 0 to tournament.last_round')
    WHERE NOT EXISTS (SELECT 1 FROM tournament
      WHERE id = NEW.tournament_id AND NEW.round_number BETWEEN 0 AND last_round);
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, NEW.round_number);
END;

CREATE TRIGGER ranking_updated INSTEAD OF INSERT ON ranking_update
WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) = 'running'
BEGIN
  DELETE FROM ranking_list
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  DELETE FROM settling
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  -- The players in the list, with rank and value in force. Late entries join the
  -- list before their first round, without either.
  INSERT INTO ranking_list (tournament_id, round_number, player_id, counts_from, rank_before,
      value_before_units, score_units, points_units, played)
    SELECT e.tournament_id, NEW.round_number, e.player_id,
      COALESCE((SELECT max(first_round) FROM period
        WHERE tournament_id = NEW.tournament_id AND scores = 'reset'
          AND first_round <= NEW.round_number), 1),
      COALESCE(restart.rank, before.rank),
      COALESCE(restart.value_units, before.value_units), 0, 0, 0
    FROM rules
    JOIN x_player_tournament AS e ON e.tournament_id = rules.tournament_id
    LEFT JOIN ranking_list AS before
      ON before.tournament_id = NEW.tournament_id
      AND before.round_number = NEW.round_number - 1
      AND before.player_id = e.player_id
    LEFT JOIN z_restart AS restart
      ON restart.tournament_id = NEW.tournament_id
      AND restart.round_number = NEW.round_number
      AND restart.player_id = e.player_id
    WHERE rules.tournament_id = NEW.tournament_id
      AND e.first_round <= NEW.round_number + 1
      -- Which players are in the list is decided here and nowhere else.
      AND (e.last_round IS NULL OR rules.withdrawn = 'listed');
  INSERT INTO z_step (tournament_id, round_number, step)
    VALUES (NEW.tournament_id, NEW.round_number, 'made'),
      (NEW.tournament_id, NEW.round_number, 'list');
END;

-- A list from the values in force that stand in it: scores, their limits, ties, ranks and the
-- new values.
CREATE TRIGGER list_made INSTEAD OF INSERT ON z_step WHEN NEW.step = 'made' BEGIN
  -- Every game and unplayed round so far, at these values. No own value of a place that
  -- is not known yet.
  UPDATE ranking_list SET value_units = NULL
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND (SELECT own_value_at FROM rules WHERE tournament_id = NEW.tournament_id) = 'new';
  INSERT INTO z_step (tournament_id, round_number, step)
    VALUES (NEW.tournament_id, NEW.round_number, 'lines');
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
  INSERT INTO z_step (tournament_id, round_number, step)
    VALUES (NEW.tournament_id, NEW.round_number, 'scores');
  -- Score, then the list before, needs no tie-break: it is the order anyway.
  DELETE FROM tiebreak_value
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  INSERT INTO z_step (tournament_id, round_number, step)
    VALUES (NEW.tournament_id, NEW.round_number, 'order');
  -- The new order, and values handed out from the top.
  UPDATE ranking_list
    SET rank = due.rank, place = COALESCE(place, due.rank), value_units = due.value_units
    FROM ranking_update AS due
    WHERE due.tournament_id = NEW.tournament_id
      AND due.round_number = NEW.round_number
      AND ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = due.player_id;
  -- The own value of the new place, once the scores have made the order.
  INSERT INTO z_step (tournament_id, round_number, step)
    SELECT tournament_id, NEW.round_number, 'own value' FROM rules
    WHERE tournament_id = NEW.tournament_id AND own_value_at = 'new';
END;

-- The sum of all lines, before any limit; or once more, with what the limits changed, when the
-- own value is among them. (SQLite prepares z_line once for both.)
CREATE TRIGGER lines_added INSTEAD OF INSERT ON z_step WHEN NEW.step IN ('lines', 'own value')
BEGIN
  UPDATE ranking_list
    SET score_units = total.units
        + CASE NEW.step WHEN 'own value' THEN adjustment_units ELSE 0 END,
      points_units = total.points_units, played = total.played,
      adjustment_units = CASE NEW.step WHEN 'own value' THEN adjustment_units ELSE 0 END,
      place = CASE NEW.step WHEN 'own value' THEN place END
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
END;
