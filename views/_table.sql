CREATE VIEW _table (
  -- Insert a row to compute scores, ranks and new values of the ranking after a
  -- round from the values in force that stand in it.

  -- tournament.id.
  tournament_id,
  -- The ranking after this round.
  round_number
) AS
SELECT tournament_id, round_number FROM ranking WHERE 0;

CREATE TRIGGER _table_made INSTEAD OF INSERT ON _table BEGIN
  -- Every game and unplayed round so far, at these values.
  UPDATE ranking
    SET score_units = total.units, points_units = total.points_units,
      played = total.played, adjustment_units = 0
    FROM (
      SELECT player_id, sum(units) AS units, sum(points_units) AS points_units,
        sum(played) AS played
      FROM _line
      WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      GROUP BY player_id
    ) AS total
    WHERE ranking.tournament_id = NEW.tournament_id
      AND ranking.round_number = NEW.round_number
      AND ranking.player_id = total.player_id
      AND ranking.in_list;
  UPDATE ranking
    SET adjustment_units = due.units - score_units, score_units = due.units
    FROM _score_due AS due
    WHERE due.tournament_id = NEW.tournament_id
      AND due.round_number = NEW.round_number
      AND ranking.tournament_id = NEW.tournament_id
      AND ranking.round_number = NEW.round_number
      AND ranking.player_id = due.player_id
      AND ranking.score_units <> due.units;
  -- What decides between equal scores.
  UPDATE ranking
    SET tie_1 = tie.key_1, tie_2 = tie.key_2, tie_3 = tie.key_3
    FROM (
      SELECT t.player_id,
        max(CASE t.name WHEN u.tiebreak_1 THEN t.key END) AS key_1,
        max(CASE t.name WHEN u.tiebreak_2 THEN t.key END) AS key_2,
        max(CASE t.name WHEN u.tiebreak_3 THEN t.key END) AS key_3
      FROM _tiebreak AS t JOIN rules AS u ON u.tournament_id = t.tournament_id
      WHERE t.tournament_id = NEW.tournament_id
        AND t.round_number = NEW.round_number
      GROUP BY t.player_id
    ) AS tie
    WHERE ranking.tournament_id = NEW.tournament_id
      AND ranking.round_number = NEW.round_number AND NEW.round_number > 0
      AND ranking.player_id = tie.player_id;
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
