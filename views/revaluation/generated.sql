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

CREATE TRIGGER personal_inserted AFTER INSERT ON personal BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER personal_updated AFTER UPDATE ON personal BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
END;

CREATE TRIGGER personal_deleted AFTER DELETE ON personal BEGIN
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
    SELECT NEW.tournament_id, rule, before, after FROM (
    SELECT 'ladder' AS rule, OLD.ladder AS before, NEW.ladder AS after
    UNION ALL SELECT 'top_value', OLD.top_value, NEW.top_value
    UNION ALL SELECT 'bottom_value', OLD.bottom_value, NEW.bottom_value
    UNION ALL SELECT 'step', OLD.step, NEW.step
    UNION ALL SELECT 'places_per_step', OLD.places_per_step, NEW.places_per_step
    UNION ALL SELECT 'floor_value', OLD.floor_value, NEW.floor_value
    UNION ALL SELECT 'value_decimals', OLD.value_decimals, NEW.value_decimals
    UNION ALL SELECT 'withdrawn', OLD.withdrawn, NEW.withdrawn
    UNION ALL SELECT 'start_order', OLD.start_order, NEW.start_order
    UNION ALL SELECT 'seed', OLD.seed, NEW.seed
    UNION ALL SELECT 'newcomers', OLD.newcomers, NEW.newcomers
    UNION ALL SELECT 'recalculation', OLD.recalculation, NEW.recalculation
    UNION ALL SELECT 'max_passes', OLD.max_passes, NEW.max_passes
    UNION ALL SELECT 'own_value_at', OLD.own_value_at, NEW.own_value_at
    UNION ALL SELECT 'bonus', OLD.bonus, NEW.bonus
    UNION ALL SELECT 'bonus_rounds', OLD.bonus_rounds, NEW.bonus_rounds
    UNION ALL SELECT 'line_decimals', OLD.line_decimals, NEW.line_decimals
    UNION ALL SELECT 'score_decimals', OLD.score_decimals, NEW.score_decimals
    UNION ALL SELECT 'min_score', OLD.min_score, NEW.min_score
    UNION ALL SELECT 'max_score', OLD.max_score, NEW.max_score
    UNION ALL SELECT 'tiebreaks', OLD.tiebreaks, NEW.tiebreaks
    UNION ALL SELECT 'last_resort', OLD.last_resort, NEW.last_resort
    UNION ALL SELECT 'fide', OLD.fide, NEW.fide
    UNION ALL SELECT 'forfeits', OLD.forfeits, NEW.forfeits
    UNION ALL SELECT 'match_games', OLD.match_games, NEW.match_games
    UNION ALL SELECT 'koya', OLD.koya, NEW.koya
    UNION ALL SELECT 'percentage_floor', OLD.percentage_floor, NEW.percentage_floor
    UNION ALL SELECT 'percentage_byes', OLD.percentage_byes, NEW.percentage_byes
    UNION ALL SELECT 'rounds', OLD.rounds, NEW.rounds
    UNION ALL SELECT 'min_games', OLD.min_games, NEW.min_games
    UNION ALL SELECT 'promoted', OLD.promoted, NEW.promoted
    UNION ALL SELECT 'colour_run', OLD.colour_run, NEW.colour_run
    UNION ALL SELECT 'colour_difference', OLD.colour_difference, NEW.colour_difference
  ) WHERE before IS NOT after;
  INSERT INTO _tiebreaks_due (tournament_id) VALUES (NEW.tournament_id);
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 0);
END;

CREATE TRIGGER scoring_changed AFTER UPDATE ON scoring BEGIN
  INSERT INTO rule_history (tournament_id, rule, before, after)
    SELECT NEW.tournament_id, rule, before, after FROM (
    SELECT replace(NEW.kind, ' ', '-') || '' AS rule, OLD.factor AS before, NEW.factor AS after
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.fixed', OLD.fixed, NEW.fixed
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.points', OLD.points, NEW.points
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.counts_as_game', OLD.counts_as_game, NEW.counts_as_game
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.counts_as_bye', OLD.counts_as_bye, NEW.counts_as_bye
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.withdrawn_factor', OLD.withdrawn_factor, NEW.withdrawn_factor
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.season_cap', OLD.season_cap, NEW.season_cap
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.period_cap', OLD.period_cap, NEW.period_cap
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.first_rounds', OLD.first_rounds, NEW.first_rounds
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.last_rounds', OLD.last_rounds, NEW.last_rounds
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.counts_with', OLD.counts_with, NEW.counts_with
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.after_game', OLD.after_game, NEW.after_game
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.halving', OLD.halving, NEW.halving
    UNION ALL SELECT replace(NEW.kind, ' ', '-') || '.instead', OLD.instead, NEW.instead
  ) WHERE before IS NOT after;
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;
