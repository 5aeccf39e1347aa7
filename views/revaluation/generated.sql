-- Generated from schema.sql by views/generate.py: do not edit.

CREATE TRIGGER correction_inserted AFTER INSERT ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT NEW.tournament_id, max(1, NEW.round_number);
END;

CREATE TRIGGER correction_updated AFTER UPDATE ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, max(1, OLD.round_number) UNION SELECT NEW.tournament_id, max(1, NEW.round_number);
END;

CREATE TRIGGER correction_deleted AFTER DELETE ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, max(1, OLD.round_number);
END;

CREATE TRIGGER exception_inserted AFTER INSERT ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER exception_updated AFTER UPDATE ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER exception_deleted AFTER DELETE ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1;
END;

CREATE TRIGGER period_inserted AFTER INSERT ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER period_updated AFTER UPDATE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER period_deleted AFTER DELETE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1;
END;

CREATE TRIGGER rules_changed AFTER UPDATE ON rules BEGIN
  INSERT INTO rule_history (tournament_id, rule, before, after)
    SELECT NEW.tournament_id, column1, column2, column3 FROM (VALUES
      ('', 0, 0),
      ('ladder', OLD.ladder, NEW.ladder),
      ('top_value', OLD.top_value, NEW.top_value),
      ('bottom_value', OLD.bottom_value, NEW.bottom_value),
      ('step', OLD.step, NEW.step),
      ('places_per_step', OLD.places_per_step, NEW.places_per_step),
      ('floor_value', OLD.floor_value, NEW.floor_value),
      ('value_rounding', OLD.value_rounding, NEW.value_rounding),
      ('withdrawn', OLD.withdrawn, NEW.withdrawn),
      ('start_order', OLD.start_order, NEW.start_order),
      ('seed', OLD.seed, NEW.seed),
      ('newcomers', OLD.newcomers, NEW.newcomers),
      ('recalculation', OLD.recalculation, NEW.recalculation),
      ('settled_from', OLD.settled_from, NEW.settled_from),
      ('cycle_takes', OLD.cycle_takes, NEW.cycle_takes),
      ('longest_cycle', OLD.longest_cycle, NEW.longest_cycle),
      ('max_passes', OLD.max_passes, NEW.max_passes),
      ('own_value_at', OLD.own_value_at, NEW.own_value_at),
      ('bonus', OLD.bonus, NEW.bonus),
      ('bonus_rounds', OLD.bonus_rounds, NEW.bonus_rounds),
      ('line_rounding', OLD.line_rounding, NEW.line_rounding),
      ('score_rounding', OLD.score_rounding, NEW.score_rounding),
      ('halves', OLD.halves, NEW.halves),
      ('min_score', OLD.min_score, NEW.min_score),
      ('max_score', OLD.max_score, NEW.max_score),
      ('tiebreaks', OLD.tiebreaks, NEW.tiebreaks),
      ('last_resort', OLD.last_resort, NEW.last_resort),
      ('match_games', OLD.match_games, NEW.match_games),
      ('percentage_floor', OLD.percentage_floor, NEW.percentage_floor),
      ('percentage_byes', OLD.percentage_byes, NEW.percentage_byes),
      ('rounds', OLD.rounds, NEW.rounds),
      ('min_games', OLD.min_games, NEW.min_games),
      ('promoted', OLD.promoted, NEW.promoted)
    ) WHERE column2 IS NOT column3;
  INSERT INTO _tiebreaks_due (tournament_id) VALUES (NEW.tournament_id);
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 0);
END;

CREATE TRIGGER scoring_changed AFTER UPDATE ON scoring BEGIN
  INSERT INTO rule_history (tournament_id, rule, before, after)
    SELECT NEW.tournament_id, column1, column2, column3 FROM (VALUES
      ('', 0, 0),
      (replace(NEW.kind, ' ', '-'), OLD.factor, NEW.factor),
      (replace(NEW.kind, ' ', '-') || '.fixed', OLD.fixed, NEW.fixed),
      (replace(NEW.kind, ' ', '-') || '.points', OLD.points, NEW.points),
      (replace(NEW.kind, ' ', '-') || '.counts_as_game', OLD.counts_as_game, NEW.counts_as_game),
      (replace(NEW.kind, ' ', '-') || '.counts_as_bye', OLD.counts_as_bye, NEW.counts_as_bye),
      (replace(NEW.kind, ' ', '-') || '.withdrawn_factor', OLD.withdrawn_factor, NEW.withdrawn_factor),
      (replace(NEW.kind, ' ', '-') || '.season_cap', OLD.season_cap, NEW.season_cap),
      (replace(NEW.kind, ' ', '-') || '.period_cap', OLD.period_cap, NEW.period_cap),
      (replace(NEW.kind, ' ', '-') || '.first_rounds', OLD.first_rounds, NEW.first_rounds),
      (replace(NEW.kind, ' ', '-') || '.last_rounds', OLD.last_rounds, NEW.last_rounds),
      (replace(NEW.kind, ' ', '-') || '.counts_with', OLD.counts_with, NEW.counts_with),
      (replace(NEW.kind, ' ', '-') || '.after_game', OLD.after_game, NEW.after_game),
      (replace(NEW.kind, ' ', '-') || '.halving', OLD.halving, NEW.halving),
      (replace(NEW.kind, ' ', '-') || '.instead', OLD.instead, NEW.instead)
    ) WHERE column2 IS NOT column3;
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;
