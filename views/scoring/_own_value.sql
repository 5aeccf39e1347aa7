CREATE VIEW _own_value (
  -- Insert a row to add the own value of the new place to the scores of a list whose order
  -- they have made (rules.own_value_at 'new').

  tournament_id, round_number
) AS
SELECT tournament_id, round_number FROM ranking_list WHERE 0;

CREATE TRIGGER _own_value_added INSTEAD OF INSERT ON _own_value BEGIN
  UPDATE ranking_list
    SET score_units = score_units + own.units
    FROM (
      SELECT player_id, units FROM _line
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
        AND fact = 'x_player_tournament' AND kind = 'own value'
    ) AS own
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = own.player_id;
END;
