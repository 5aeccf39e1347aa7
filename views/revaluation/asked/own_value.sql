-- [needed where own_value_at = 'new']

-- The own value of the new place, once the scores have made the order.
CREATE TRIGGER own_value_asked INSTEAD OF INSERT ON z_step
WHEN NEW.step = 'values' AND (SELECT own_value_at FROM rules
  WHERE tournament_id = NEW.tournament_id) = 'new'
BEGIN
  UPDATE ranking_list
    SET score_units = score_units + own.units
    FROM (
      SELECT player_id, units FROM z_line
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
        AND fact = 'x_player_tournament' AND kind = 'own value'
    ) AS own
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = own.player_id;
END;
