-- Generated from schema.sql by views/generate.py: do not edit.

CREATE TRIGGER player_guarded BEFORE INSERT ON player BEGIN
  INSERT INTO z_text VALUES
    (NEW.name, 200),
    (NEW.category, 200),
    (NEW.national_id, 200);
END;

CREATE TRIGGER player_kept_guarded
BEFORE UPDATE OF id, name, category, national_id, rowid, oid, _rowid_ ON player BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'an id cannot be changed: other rows refer to it')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.name, OLD.name), 200),
    (NULLIF(NEW.category, OLD.category), 200),
    (NULLIF(NEW.national_id, OLD.national_id), 200);
END;

CREATE TRIGGER tournament_guarded BEFORE INSERT ON tournament BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM tournament WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
  END;
  INSERT INTO z_text VALUES
    (NEW.description, 200),
    (NEW.city, 200),
    (NEW.arbiter, 200),
    (NEW.time_control, 200);
END;

CREATE TRIGGER tournament_kept_guarded
BEFORE UPDATE OF id, description, city, arbiter, time_control, rowid, oid, _rowid_ ON tournament BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'an id cannot be changed: other rows refer to it')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.description, OLD.description), 200),
    (NULLIF(NEW.city, OLD.city), 200),
    (NULLIF(NEW.arbiter, OLD.arbiter), 200),
    (NULLIF(NEW.time_control, OLD.time_control), 200);
END;

CREATE TRIGGER x_player_tournament_guarded BEFORE INSERT ON x_player_tournament BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.player_id)
    THEN RAISE(ABORT, 'unknown player')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player has already entered the tournament: update that entry')
    WHEN NEW.absent_as IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.absent_as AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
END;

CREATE TRIGGER x_player_tournament_kept_guarded
BEFORE UPDATE OF id, player_id, tournament_id, status, start_rank, rating, first_round, last_round, absent_as, rowid, oid, _rowid_ ON x_player_tournament BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.player_id)
    THEN RAISE(ABORT, 'unknown player')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id AND id <> OLD.id)
    THEN RAISE(ABORT, 'this player has already entered the tournament: update that entry')
    WHEN NEW.absent_as IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.absent_as AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
END;

CREATE TRIGGER x_player_tournament_is_computed BEFORE UPDATE OF score ON x_player_tournament
  WHEN (NEW.score IS NOT OLD.score)
  AND (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'score is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER attendance_guarded BEFORE INSERT ON attendance BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM attendance WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM attendance WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player has already said that they come to this round')
  END;
END;

CREATE TRIGGER attendance_kept_guarded
BEFORE UPDATE OF id, tournament_id, player_id, round_number, rowid, oid, _rowid_ ON attendance BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM attendance WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND player_id = NEW.player_id AND id <> OLD.id)
    THEN RAISE(ABORT, 'this player has already said that they come to this round')
  END;
END;

CREATE TRIGGER schedule_guarded BEFORE INSERT ON schedule BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM schedule WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM schedule WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number)
    THEN RAISE(ABORT, 'the schedule already has this round: update that row')
  END;
END;

CREATE TRIGGER schedule_kept_guarded
BEFORE UPDATE OF id, tournament_id, round_number, rowid, oid, _rowid_ ON schedule BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM schedule WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND id <> OLD.id)
    THEN RAISE(ABORT, 'the schedule already has this round: update that row')
  END;
END;

CREATE TRIGGER about_stays_on_update BEFORE UPDATE ON about
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER about_stays_on_delete BEFORE DELETE ON about
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER outcome_stays_on_insert BEFORE INSERT ON outcome
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER outcome_stays_on_update BEFORE UPDATE ON outcome
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER outcome_stays_on_delete BEFORE DELETE ON outcome
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER result_spelling_stays_on_insert BEFORE INSERT ON result_spelling
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER result_spelling_stays_on_update BEFORE UPDATE ON result_spelling
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER result_spelling_stays_on_delete BEFORE DELETE ON result_spelling
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER fide_expectation_stays_on_insert BEFORE INSERT ON fide_expectation
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER fide_expectation_stays_on_update BEFORE UPDATE ON fide_expectation
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER fide_expectation_stays_on_delete BEFORE DELETE ON fide_expectation
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER round_guarded BEFORE INSERT ON round BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.white)
    THEN RAISE(ABORT, 'White did not enter this tournament')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.black)
    THEN RAISE(ABORT, 'Black did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM round WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM round WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND board = NEW.board)
    THEN RAISE(ABORT, 'this board already has a game in this round: update that game, or take another board (to swap two boards, move one to a free board first)')
  END;
  INSERT INTO z_text VALUES
    (NEW.colour_by, 200);
END;

CREATE TRIGGER round_kept_guarded
BEFORE UPDATE OF id, tournament_id, round_number, board, white, black, result, last_updated, white_place, black_place, colour_by, white_wins, black_wins, drawn, date, rowid, oid, _rowid_ ON round BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.white)
    THEN RAISE(ABORT, 'White did not enter this tournament')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.black)
    THEN RAISE(ABORT, 'Black did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM round WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND board = NEW.board AND id <> OLD.id)
    THEN RAISE(ABORT, 'this board already has a game in this round: update that game, or take another board (to swap two boards, move one to a free board first)')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.colour_by, OLD.colour_by), 200);
END;

CREATE TRIGGER unplayed_guarded BEFORE INSERT ON unplayed BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM unplayed WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM unplayed WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player already has an unplayed round in this round: update that row')
    WHEN NEW.kind IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
END;

CREATE TRIGGER unplayed_kept_guarded
BEFORE UPDATE OF id, tournament_id, round_number, player_id, kind, place, rowid, oid, _rowid_ ON unplayed BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM unplayed WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND player_id = NEW.player_id AND id <> OLD.id)
    THEN RAISE(ABORT, 'this player already has an unplayed round in this round: update that row')
    WHEN NEW.kind IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
END;

CREATE TRIGGER unplayed_is_computed BEFORE UPDATE OF credited_as, halvings, capped_by ON unplayed
  WHEN (NEW.credited_as IS NOT OLD.credited_as OR NEW.halvings IS NOT OLD.halvings OR NEW.capped_by IS NOT OLD.capped_by)
  AND (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'credited_as and halvings and capped_by are computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER correction_guarded BEFORE INSERT ON correction BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM correction WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
  END;
  INSERT INTO z_text VALUES
    (NEW.reason, 200);
END;

CREATE TRIGGER correction_kept_guarded
BEFORE UPDATE OF id, tournament_id, player_id, round_number, last_round, points, reason, rowid, oid, _rowid_ ON correction BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.reason, OLD.reason), 200);
END;

CREATE TRIGGER rules_guarded BEFORE INSERT ON rules BEGIN
  SELECT CASE
    WHEN NEW.tournament_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM rules WHERE tournament_id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
  END;
END;

CREATE TRIGGER rules_kept_guarded
BEFORE UPDATE OF tournament_id, ladder, top_value, bottom_value, step, places_per_step, floor_value, value_rounding, withdrawn, start_order, seed, newcomers, recalculation, settled_from, cycle_takes, max_passes, own_value_at, bonus, bonus_rounds, line_rounding, score_rounding, halves, tiebreaks, last_resort, match_games, percentage_floor, percentage_byes, rounds, min_games, promoted, system, swiss_within, stuck, aim, first_round, pair_by, rematch_gap, max_meetings, max_meetings_period, max_colour_run, colour_run, max_colour_difference, colour_difference, fewest_byes, bye_again, bye_at_start, max_group_distance, categories, rowid, oid, _rowid_ ON rules BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.tournament_id <> OLD.tournament_id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NEW.tournament_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
  END;
END;

CREATE TRIGGER tiebreak_stays_on_update BEFORE UPDATE ON tiebreak
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER tiebreak_stays_on_delete BEFORE DELETE ON tiebreak
  BEGIN SELECT RAISE(ABORT, 'this table is the same in every file: rules, scoring and rules.tiebreaks can be set'); END;
CREATE TRIGGER scoring_guarded BEFORE INSERT ON scoring BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM scoring WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM scoring WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind)
    THEN RAISE(ABORT, 'the tournament already has this kind: update that row')
    WHEN NEW.counts_with IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.counts_with AND applies_to = 'unplayed') AND (NEW.counts_with, 'unplayed') <> (NEW.kind, NEW.applies_to)
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
    WHEN NEW.instead IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.instead AND applies_to = 'unplayed') AND (NEW.instead, 'unplayed') <> (NEW.kind, NEW.applies_to)
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
  INSERT INTO z_text VALUES
    (NEW.kind, 200);
END;

CREATE TRIGGER scoring_kept_guarded
BEFORE UPDATE OF id, tournament_id, kind, applies_to, factor, fixed, points, counts_as_game, counts_as_bye, withdrawn_factor, season_cap, period_cap, first_rounds, last_rounds, counts_with, after_game, halving, instead, rowid, oid, _rowid_ ON scoring BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM scoring WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind AND id <> OLD.id)
    THEN RAISE(ABORT, 'the tournament already has this kind: update that row')
    WHEN NEW.counts_with IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.counts_with AND applies_to = 'unplayed') AND (NEW.counts_with, 'unplayed') <> (NEW.kind, NEW.applies_to)
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
    WHEN NEW.instead IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.instead AND applies_to = 'unplayed') AND (NEW.instead, 'unplayed') <> (NEW.kind, NEW.applies_to)
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.kind, OLD.kind), 200);
END;

CREATE TRIGGER exception_guarded BEFORE INSERT ON exception BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM exception WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM exception WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id AND kind = NEW.kind)
    THEN RAISE(ABORT, 'this player already has an exception for this kind: update that row')
    WHEN NEW.kind IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
    WHEN NEW.counts_as IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.counts_as AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
END;

CREATE TRIGGER exception_kept_guarded
BEFORE UPDATE OF id, tournament_id, player_id, kind, counts_as, rowid, oid, _rowid_ ON exception BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM exception WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id AND kind = NEW.kind AND id <> OLD.id)
    THEN RAISE(ABORT, 'this player already has an exception for this kind: update that row')
    WHEN NEW.kind IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.kind AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
    WHEN NEW.counts_as IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring
      WHERE tournament_id = NEW.tournament_id AND kind = NEW.counts_as AND applies_to = 'unplayed')
    THEN RAISE(ABORT, 'unknown kind of unplayed round: use one that table scoring has for this tournament')
  END;
END;

CREATE TRIGGER period_guarded BEFORE INSERT ON period BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM period WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM period WHERE tournament_id = NEW.tournament_id AND first_round = NEW.first_round)
    THEN RAISE(ABORT, 'a period already starts in this round: update that row')
  END;
  INSERT INTO z_text VALUES
    (NEW.name, 200);
END;

CREATE TRIGGER period_kept_guarded
BEFORE UPDATE OF id, tournament_id, first_round, name, scores, start, rowid, oid, _rowid_ ON period BEGIN
  SELECT CASE
    WHEN (SELECT status = 'finished' AND revaluation = 'on' FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament is finished: set its status to running first')
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM period WHERE tournament_id = NEW.tournament_id AND first_round = NEW.first_round AND id <> OLD.id)
    THEN RAISE(ABORT, 'a period already starts in this round: update that row')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.name, OLD.name), 200);
END;

CREATE TRIGGER prohibited_pairing_guarded BEFORE INSERT ON prohibited_pairing BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM prohibited_pairing WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM prohibited_pairing WHERE tournament_id = NEW.tournament_id AND name = NEW.name AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player is already one of them')
  END;
  INSERT INTO z_text VALUES
    (NEW.name, 200);
END;

CREATE TRIGGER prohibited_pairing_kept_guarded
BEFORE UPDATE OF id, tournament_id, player_id, name, rowid, oid, _rowid_ ON prohibited_pairing BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM prohibited_pairing WHERE tournament_id = NEW.tournament_id AND name = NEW.name AND player_id = NEW.player_id AND id <> OLD.id)
    THEN RAISE(ABORT, 'this player is already one of them')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.name, OLD.name), 200);
END;

CREATE TRIGGER reason_guarded BEFORE INSERT ON reason BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.white)
    THEN RAISE(ABORT, 'unknown player with White')
    WHEN NEW.black IS NOT NULL AND NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.black)
    THEN RAISE(ABORT, 'unknown player with Black')
    WHEN NEW.player_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM reason WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM reason WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND white = NEW.white AND about = NEW.about AND rule = NEW.rule AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this is already on record: update that row')
  END;
  INSERT INTO z_text VALUES
    (NEW.rule, 200),
    (NEW.white_colours, 2000),
    (NEW.black_colours, 2000),
    (NEW.because, 2000);
END;

CREATE TRIGGER reason_kept_guarded
BEFORE UPDATE OF id, tournament_id, white, black, player_id, round_number, about, rule, white_colours, black_colours, because, rowid, oid, _rowid_ ON reason BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.white)
    THEN RAISE(ABORT, 'unknown player with White')
    WHEN NEW.black IS NOT NULL AND NOT EXISTS (SELECT 1 FROM player WHERE id = NEW.black)
    THEN RAISE(ABORT, 'unknown player with Black')
    WHEN NEW.player_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM x_player_tournament WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
    THEN RAISE(ABORT, 'this player did not enter this tournament')
    WHEN EXISTS (SELECT 1 FROM reason WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number AND white = NEW.white AND about = NEW.about AND rule = NEW.rule AND player_id = NEW.player_id AND id <> OLD.id)
    THEN RAISE(ABORT, 'this is already on record: update that row')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.rule, OLD.rule), 200),
    (NULLIF(NEW.white_colours, OLD.white_colours), 2000),
    (NULLIF(NEW.black_colours, OLD.black_colours), 2000),
    (NULLIF(NEW.because, OLD.because), 2000);
END;

CREATE TRIGGER ranking_list_is_computed_on_insert BEFORE INSERT ON ranking_list
  WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
  BEGIN SELECT RAISE(ABORT, 'ranking_list is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER ranking_list_is_computed_on_update BEFORE UPDATE ON ranking_list
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'ranking_list is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER ranking_list_is_computed_on_delete BEFORE DELETE ON ranking_list
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'ranking_list is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER tiebreak_value_is_computed_on_insert BEFORE INSERT ON tiebreak_value
  WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
  BEGIN SELECT RAISE(ABORT, 'tiebreak_value is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER tiebreak_value_is_computed_on_update BEFORE UPDATE ON tiebreak_value
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'tiebreak_value is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER tiebreak_value_is_computed_on_delete BEFORE DELETE ON tiebreak_value
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'tiebreak_value is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_is_computed_on_insert BEFORE INSERT ON settling
  WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
  BEGIN SELECT RAISE(ABORT, 'settling is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_is_computed_on_update BEFORE UPDATE ON settling
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'settling is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_is_computed_on_delete BEFORE DELETE ON settling
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'settling is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_pass_is_computed_on_insert BEFORE INSERT ON settling_pass
  WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
  BEGIN SELECT RAISE(ABORT, 'settling_pass is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_pass_is_computed_on_update BEFORE UPDATE ON settling_pass
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'settling_pass is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_pass_is_computed_on_delete BEFORE DELETE ON settling_pass
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'settling_pass is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_value_is_computed_on_insert BEFORE INSERT ON settling_value
  WHEN (SELECT revaluation FROM tournament WHERE id = NEW.tournament_id) IS NOT 'running'
  BEGIN SELECT RAISE(ABORT, 'settling_value is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_value_is_computed_on_update BEFORE UPDATE ON settling_value
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'settling_value is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER settling_value_is_computed_on_delete BEFORE DELETE ON settling_value
  WHEN (SELECT revaluation FROM tournament WHERE id = OLD.tournament_id) <> 'running'
  BEGIN SELECT RAISE(ABORT, 'settling_value is computed: correct the game, the unplayed round or the rule'); END;
CREATE TRIGGER backup_guarded BEFORE INSERT ON backup BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM backup WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
  END;
  INSERT INTO z_text VALUES
    (NEW.folder, 2000);
END;

CREATE TRIGGER backup_kept_guarded
BEFORE UPDATE OF id, folder, rowid, oid, _rowid_ ON backup BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.folder, OLD.folder), 2000);
END;

CREATE TRIGGER site_guarded BEFORE INSERT ON site BEGIN
  SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM site WHERE id = NEW.id)
    THEN RAISE(ABORT, 'this id is taken: update that row, or leave the id out')
    WHEN EXISTS (SELECT 1 FROM site WHERE tournament_id = NEW.tournament_id)
    THEN RAISE(ABORT, 'this tournament already has a page: update that row')
  END;
  INSERT INTO z_text VALUES
    (NEW.folder, 2000),
    (NEW.title, 200),
    (NEW.columns, 200);
END;

CREATE TRIGGER site_kept_guarded
BEFORE UPDATE OF id, tournament_id, folder, title, columns, rowid, oid, _rowid_ ON site BEGIN
  SELECT CASE
    WHEN NEW.id <> OLD.id
    THEN RAISE(ABORT, 'the id of a row stays')
    WHEN NOT EXISTS (SELECT 1 FROM tournament WHERE id = NEW.tournament_id)
    THEN RAISE(ABORT, 'unknown tournament')
    WHEN EXISTS (SELECT 1 FROM site WHERE tournament_id = NEW.tournament_id AND id <> OLD.id)
    THEN RAISE(ABORT, 'this tournament already has a page: update that row')
  END;
  INSERT INTO z_text VALUES
    (NULLIF(NEW.folder, OLD.folder), 2000),
    (NULLIF(NEW.title, OLD.title), 200),
    (NULLIF(NEW.columns, OLD.columns), 200);
END;

CREATE TRIGGER tournament_deleted AFTER DELETE ON tournament BEGIN
  INSERT INTO z_logged (fact, row) VALUES ('tournament', OLD.id);
  UPDATE tournament SET above = NULL WHERE above = OLD.id;
  DELETE FROM attendance WHERE tournament_id = OLD.id;
  DELETE FROM schedule WHERE tournament_id = OLD.id;
  DELETE FROM correction WHERE tournament_id = OLD.id;
  DELETE FROM rules WHERE tournament_id = OLD.id;
  DELETE FROM tiebreak_order WHERE tournament_id = OLD.id;
  DELETE FROM scoring WHERE tournament_id = OLD.id;
  DELETE FROM exception WHERE tournament_id = OLD.id;
  DELETE FROM period WHERE tournament_id = OLD.id;
  DELETE FROM prohibited_pairing WHERE tournament_id = OLD.id;
  DELETE FROM reason WHERE tournament_id = OLD.id;
  DELETE FROM ranking_list WHERE tournament_id = OLD.id;
  DELETE FROM tiebreak_value WHERE tournament_id = OLD.id;
  DELETE FROM settling WHERE tournament_id = OLD.id;
  DELETE FROM settling_pass WHERE tournament_id = OLD.id;
  DELETE FROM settling_value WHERE tournament_id = OLD.id;
  DELETE FROM site WHERE tournament_id = OLD.id;
END;
