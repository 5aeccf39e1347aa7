CREATE VIEW z_round_revaluation (
  -- Insert a row to compute the ranking after one round from the one before.

  tournament_id,
  -- The round to compute, 0 for the start order.
  round_number
) AS
SELECT tournament_id, round_number FROM ranking_list WHERE 0;

CREATE TRIGGER z_round_revalued INSTEAD OF INSERT ON z_round_revaluation BEGIN
  DELETE FROM ranking_list
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  DELETE FROM settling
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  -- The players in the list, with rank and value in force. Late entries join the
  -- list before their first round, without either.
  INSERT INTO ranking_list (tournament_id, round_number, player_id, counts_from, rank_before, value_before_units, score_units, points_units,
      played)
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
  INSERT INTO ranking_update (tournament_id, round_number)
    VALUES (NEW.tournament_id, NEW.round_number);
  INSERT INTO z_asked VALUES (NEW.tournament_id, NEW.round_number, 'list');
END;
