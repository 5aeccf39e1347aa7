CREATE VIEW _round_revaluation (
  -- Insert a row to compute the ranking after one round from the one before.

  -- tournament.id.
  tournament_id,
  -- The round to compute, 0 for the start order.
  round_number
) AS
SELECT tournament_id, round_number FROM ranking WHERE 0;

CREATE TRIGGER _round_revalued INSTEAD OF INSERT ON _round_revaluation BEGIN
  DELETE FROM ranking
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number;
  -- Who is in the list, with rank and value in force. Late entries join the
  -- list before their first round, without either.
  INSERT INTO ranking
    (tournament_id, round_number, player_id, rank_before, value_before_units)
    SELECT e.tournament_id, NEW.round_number, e.player_id,
      before.rank, before.value_units
    FROM x_player_tournament AS e
    LEFT JOIN ranking AS before
      ON before.tournament_id = e.tournament_id
      AND before.round_number = NEW.round_number - 1
      AND before.player_id = e.player_id
    WHERE e.tournament_id = NEW.tournament_id
      AND e.first_round <= NEW.round_number + 1;
  -- Every game and unplayed round so far, at these values.
  UPDATE ranking
    SET score_units = total.units, points_units = total.points_units,
      played = total.played
    FROM (
      SELECT player_id, sum(units) AS units, sum(points_units) AS points_units,
        sum(played) AS played
      FROM _line
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      GROUP BY player_id
    ) AS total
    WHERE ranking.tournament_id = NEW.tournament_id
      AND ranking.round_number = NEW.round_number
      AND ranking.player_id = total.player_id;
  -- The new order, and values handed out from the top.
  UPDATE ranking
    SET rank = due.rank, value_units = due.value_units
    FROM _ranking_due AS due
    WHERE due.tournament_id = NEW.tournament_id
      AND due.round_number = NEW.round_number
      AND ranking.tournament_id = NEW.tournament_id
      AND ranking.round_number = NEW.round_number
      AND ranking.player_id = due.player_id;
END;
