-- Generated from schema.sql by views/generate.py: do not edit.

CREATE VIEW _logged (
  -- A row per row of a fact, as the log should have it. Insert table and id of a row
  -- that was written, or is gone, to have that logged where it is news.

  -- The table.
  fact,
  -- The id in it.
  row,
  -- As log.state.
  state
) AS
SELECT 'player', id,
  'name=' || quote(name)
  || ifnull(', category=' || NULLIF(quote(category), 'NULL'), '')
  || ifnull(', rating=' || rating, '')
  || ifnull(', fide_id=' || fide_id, '')
  || ifnull(', national_id=' || NULLIF(quote(national_id), 'NULL'), '')
  || ifnull(', title=' || NULLIF(quote(title), 'NULL'), '')
  || ifnull(', federation=' || NULLIF(quote(federation), 'NULL'), '')
  || ifnull(', sex=' || NULLIF(quote(sex), 'NULL'), '')
  || ifnull(', born=' || NULLIF(quote(born), 'NULL'), '')
FROM player
UNION ALL SELECT 'tournament', id,
  'description=' || quote(description)
  || ', status=' || quote(status)
  || ifnull(', above=' || above, '')
  || ifnull(', city=' || NULLIF(quote(city), 'NULL'), '')
  || ifnull(', federation=' || NULLIF(quote(federation), 'NULL'), '')
  || ifnull(', arbiter=' || NULLIF(quote(arbiter), 'NULL'), '')
  || ifnull(', time_control=' || NULLIF(quote(time_control), 'NULL'), '')
FROM tournament
UNION ALL SELECT 'x_player_tournament', id,
  'player_id=' || player_id
  || ', tournament_id=' || tournament_id
  || ', status=' || quote(status)
  || ifnull(', start_rank=' || start_rank, '')
  || ifnull(', rating=' || rating, '')
  || ', first_round=' || first_round
  || ifnull(', last_round=' || last_round, '')
  || ifnull(', absent_as=' || NULLIF(quote(absent_as), 'NULL'), '')
FROM x_player_tournament
UNION ALL SELECT 'attendance', id,
  'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', player_id=' || player_id
FROM attendance
UNION ALL SELECT 'schedule', id,
  'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ifnull(', date=' || NULLIF(quote(date), 'NULL'), '')
  || ifnull(', published_at=' || NULLIF(quote(published_at), 'NULL'), '')
  || ifnull(', proved=' || proved, '')
FROM schedule
UNION ALL SELECT 'round', id,
  'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ifnull(', board=' || board, '')
  || ', white=' || white
  || ', black=' || black
  || ifnull(', result=' || NULLIF(quote(result), 'NULL'), '')
  || ifnull(', last_updated=' || NULLIF(quote(last_updated), 'NULL'), '')
  || ifnull(', white_place=' || white_place, '')
  || ifnull(', black_place=' || black_place, '')
  || ifnull(', colour_by=' || NULLIF(quote(colour_by), 'NULL'), '')
  || ifnull(', white_wins=' || white_wins, '')
  || ifnull(', black_wins=' || black_wins, '')
  || ifnull(', drawn=' || drawn, '')
FROM round
UNION ALL SELECT 'unplayed', id,
  'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', player_id=' || player_id
  || ', kind=' || quote(kind)
  || ifnull(', place=' || place, '')
FROM unplayed
UNION ALL SELECT 'correction', id,
  'tournament_id=' || tournament_id
  || ', player_id=' || player_id
  || ', round_number=' || round_number
  || ifnull(', last_round=' || last_round, '')
  || ', points=' || quote(points)
  || ifnull(', reason=' || NULLIF(quote(reason), 'NULL'), '')
FROM correction
UNION ALL SELECT 'rules', tournament_id,
  'tournament_id=' || tournament_id
  || ', ladder=' || quote(ladder)
  || ', top_value=' || quote(top_value)
  || ', bottom_value=' || quote(bottom_value)
  || ', step=' || quote(step)
  || ', places_per_step=' || places_per_step
  || ', floor_value=' || quote(floor_value)
  || ifnull(', value_rounding=' || value_rounding, '')
  || ', withdrawn=' || quote(withdrawn)
  || ', start_order=' || quote(start_order)
  || ', seed=' || seed
  || ', newcomers=' || quote(newcomers)
  || ', recalculation=' || quote(recalculation)
  || ', settled_from=' || quote(settled_from)
  || ', cycle_takes=' || quote(cycle_takes)
  || ifnull(', longest_cycle=' || longest_cycle, '')
  || ', max_passes=' || max_passes
  || ', own_value_at=' || quote(own_value_at)
  || ', bonus=' || bonus
  || ', bonus_rounds=' || bonus_rounds
  || ifnull(', line_rounding=' || line_rounding, '')
  || ifnull(', score_rounding=' || score_rounding, '')
  || ', halves=' || quote(halves)
  || ifnull(', min_score=' || NULLIF(quote(min_score), 'NULL'), '')
  || ifnull(', max_score=' || NULLIF(quote(max_score), 'NULL'), '')
  || ', tiebreaks=' || quote(tiebreaks)
  || ', last_resort=' || quote(last_resort)
  || ', fide=' || quote(fide)
  || ', forfeits=' || quote(forfeits)
  || ', match_games=' || match_games
  || ', koya=' || koya
  || ', percentage_floor=' || quote(percentage_floor)
  || ', percentage_byes=' || percentage_byes
  || ifnull(', rounds=' || rounds, '')
  || ', min_games=' || min_games
  || ', promoted=' || promoted
  || ', system=' || quote(system)
  || ', swiss_within=' || quote(swiss_within)
  || ', stuck=' || quote(stuck)
  || ', aim=' || quote(aim)
  || ', first_round=' || quote(first_round)
  || ', rematch_gap=' || rematch_gap
  || ifnull(', max_meetings=' || max_meetings, '')
  || ifnull(', max_meetings_period=' || max_meetings_period, '')
  || ', meet_all_first=' || meet_all_first
  || ', max_colour_run=' || max_colour_run
  || ', colour_run=' || quote(colour_run)
  || ', max_colour_difference=' || max_colour_difference
  || ', colour_difference=' || quote(colour_difference)
  || ', fewest_byes=' || quote(fewest_byes)
  || ifnull(', bye_rounds=' || bye_rounds, '')
  || ', bye_again=' || quote(bye_again)
  || ', bye_at_start=' || quote(bye_at_start)
  || ifnull(', max_group_distance=' || max_group_distance, '')
FROM rules
UNION ALL SELECT 'scoring', id,
  'tournament_id=' || tournament_id
  || ', kind=' || quote(kind)
  || ', applies_to=' || quote(applies_to)
  || ', factor=' || quote(factor)
  || ', fixed=' || quote(fixed)
  || ', points=' || quote(points)
  || ', counts_as_game=' || counts_as_game
  || ', counts_as_bye=' || counts_as_bye
  || ', withdrawn_factor=' || quote(withdrawn_factor)
  || ifnull(', season_cap=' || season_cap, '')
  || ifnull(', period_cap=' || period_cap, '')
  || ifnull(', first_rounds=' || first_rounds, '')
  || ifnull(', last_rounds=' || last_rounds, '')
  || ifnull(', counts_with=' || NULLIF(quote(counts_with), 'NULL'), '')
  || ', after_game=' || after_game
  || ', halving=' || quote(halving)
  || ifnull(', instead=' || NULLIF(quote(instead), 'NULL'), '')
FROM scoring
UNION ALL SELECT 'exception', id,
  'tournament_id=' || tournament_id
  || ', player_id=' || player_id
  || ', kind=' || quote(kind)
  || ', counts_as=' || quote(counts_as)
FROM exception
UNION ALL SELECT 'period', id,
  'tournament_id=' || tournament_id
  || ', first_round=' || first_round
  || ifnull(', name=' || NULLIF(quote(name), 'NULL'), '')
  || ', scores=' || quote(scores)
  || ', start=' || quote(start)
FROM period
UNION ALL SELECT 'inner_group', id,
  'tournament_id=' || tournament_id
  || ', name=' || quote(name)
  || ', after_round=' || after_round
  || ', from_rank=' || from_rank
  || ', to_rank=' || to_rank
FROM inner_group
UNION ALL SELECT 'prohibited_pairing', id,
  'tournament_id=' || tournament_id
  || ', name=' || quote(name)
  || ', player_id=' || player_id
FROM prohibited_pairing
UNION ALL SELECT 'relaxation', id,
  'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', white=' || white
  || ifnull(', black=' || black, '')
  || ', rule=' || quote(rule)
  || ', amount=' || amount
  || ', why=' || quote(why)
FROM relaxation
UNION ALL SELECT 'skipped_opponent', id,
  'tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', player_id=' || player_id
  || ', skipped_id=' || skipped_id
  || ', obstacle=' || quote(obstacle)
  || ', amount=' || amount
FROM skipped_opponent
UNION ALL SELECT 'backup', id,
  ifnull('folder=' || NULLIF(quote(folder), 'NULL'), '')
  || ', kept=' || kept
FROM backup
UNION ALL SELECT 'site', id,
  'tournament_id=' || tournament_id
  || ifnull(', folder=' || NULLIF(quote(folder), 'NULL'), '')
  || ', language=' || quote(language)
  || ifnull(', title=' || NULLIF(quote(title), 'NULL'), '')
  || ifnull(', colour=' || NULLIF(quote(colour), 'NULL'), '')
  || ifnull(', columns=' || NULLIF(quote(columns), 'NULL'), '')
FROM site;

CREATE TRIGGER player_logged_new AFTER INSERT ON player
  BEGIN INSERT INTO _logged (fact, row) VALUES ('player', NEW.id); END;
CREATE TRIGGER player_logged AFTER UPDATE ON player
  BEGIN INSERT INTO _logged (fact, row) VALUES ('player', NEW.id); END;
CREATE TRIGGER player_logged_gone AFTER DELETE ON player
  BEGIN INSERT INTO _logged (fact, row) VALUES ('player', OLD.id); END;
CREATE TRIGGER tournament_logged_new AFTER INSERT ON tournament
  BEGIN INSERT INTO _logged (fact, row) VALUES ('tournament', NEW.id); END;
CREATE TRIGGER tournament_logged AFTER UPDATE OF description, status, above, city, federation, arbiter, time_control ON tournament
  BEGIN INSERT INTO _logged (fact, row) VALUES ('tournament', NEW.id); END;
CREATE TRIGGER tournament_logged_gone AFTER DELETE ON tournament
  BEGIN INSERT INTO _logged (fact, row) VALUES ('tournament', OLD.id); END;
CREATE TRIGGER x_player_tournament_logged_new AFTER INSERT ON x_player_tournament
  BEGIN INSERT INTO _logged (fact, row) VALUES ('x_player_tournament', NEW.id); END;
CREATE TRIGGER x_player_tournament_logged AFTER UPDATE OF player_id, tournament_id, status, start_rank, rating, first_round, last_round, absent_as ON x_player_tournament
  BEGIN INSERT INTO _logged (fact, row) VALUES ('x_player_tournament', NEW.id); END;
CREATE TRIGGER x_player_tournament_logged_gone AFTER DELETE ON x_player_tournament
  BEGIN INSERT INTO _logged (fact, row) VALUES ('x_player_tournament', OLD.id); END;
CREATE TRIGGER attendance_logged_new AFTER INSERT ON attendance
  BEGIN INSERT INTO _logged (fact, row) VALUES ('attendance', NEW.id); END;
CREATE TRIGGER attendance_logged AFTER UPDATE ON attendance
  BEGIN INSERT INTO _logged (fact, row) VALUES ('attendance', NEW.id); END;
CREATE TRIGGER attendance_logged_gone AFTER DELETE ON attendance
  BEGIN INSERT INTO _logged (fact, row) VALUES ('attendance', OLD.id); END;
CREATE TRIGGER schedule_logged_new AFTER INSERT ON schedule
  BEGIN INSERT INTO _logged (fact, row) VALUES ('schedule', NEW.id); END;
CREATE TRIGGER schedule_logged AFTER UPDATE ON schedule
  BEGIN INSERT INTO _logged (fact, row) VALUES ('schedule', NEW.id); END;
CREATE TRIGGER schedule_logged_gone AFTER DELETE ON schedule
  BEGIN INSERT INTO _logged (fact, row) VALUES ('schedule', OLD.id); END;
CREATE TRIGGER round_logged_new AFTER INSERT ON round
  BEGIN INSERT INTO _logged (fact, row) VALUES ('round', NEW.id); END;
CREATE TRIGGER round_logged AFTER UPDATE ON round
  BEGIN INSERT INTO _logged (fact, row) VALUES ('round', NEW.id); END;
CREATE TRIGGER round_logged_gone AFTER DELETE ON round
  BEGIN INSERT INTO _logged (fact, row) VALUES ('round', OLD.id); END;
CREATE TRIGGER unplayed_logged_new AFTER INSERT ON unplayed
  BEGIN INSERT INTO _logged (fact, row) VALUES ('unplayed', NEW.id); END;
CREATE TRIGGER unplayed_logged AFTER UPDATE OF tournament_id, round_number, player_id, kind, place ON unplayed
  BEGIN INSERT INTO _logged (fact, row) VALUES ('unplayed', NEW.id); END;
CREATE TRIGGER unplayed_logged_gone AFTER DELETE ON unplayed
  BEGIN INSERT INTO _logged (fact, row) VALUES ('unplayed', OLD.id); END;
CREATE TRIGGER correction_logged_new AFTER INSERT ON correction
  BEGIN INSERT INTO _logged (fact, row) VALUES ('correction', NEW.id); END;
CREATE TRIGGER correction_logged AFTER UPDATE ON correction
  BEGIN INSERT INTO _logged (fact, row) VALUES ('correction', NEW.id); END;
CREATE TRIGGER correction_logged_gone AFTER DELETE ON correction
  BEGIN INSERT INTO _logged (fact, row) VALUES ('correction', OLD.id); END;
CREATE TRIGGER rules_logged_new AFTER INSERT ON rules
  BEGIN INSERT INTO _logged (fact, row) VALUES ('rules', NEW.tournament_id); END;
CREATE TRIGGER rules_logged AFTER UPDATE ON rules
  BEGIN INSERT INTO _logged (fact, row) VALUES ('rules', NEW.tournament_id); END;
CREATE TRIGGER rules_logged_gone AFTER DELETE ON rules
  BEGIN INSERT INTO _logged (fact, row) VALUES ('rules', OLD.tournament_id); END;
CREATE TRIGGER scoring_logged_new AFTER INSERT ON scoring
  BEGIN INSERT INTO _logged (fact, row) VALUES ('scoring', NEW.id); END;
CREATE TRIGGER scoring_logged AFTER UPDATE ON scoring
  BEGIN INSERT INTO _logged (fact, row) VALUES ('scoring', NEW.id); END;
CREATE TRIGGER scoring_logged_gone AFTER DELETE ON scoring
  BEGIN INSERT INTO _logged (fact, row) VALUES ('scoring', OLD.id); END;
CREATE TRIGGER exception_logged_new AFTER INSERT ON exception
  BEGIN INSERT INTO _logged (fact, row) VALUES ('exception', NEW.id); END;
CREATE TRIGGER exception_logged AFTER UPDATE ON exception
  BEGIN INSERT INTO _logged (fact, row) VALUES ('exception', NEW.id); END;
CREATE TRIGGER exception_logged_gone AFTER DELETE ON exception
  BEGIN INSERT INTO _logged (fact, row) VALUES ('exception', OLD.id); END;
CREATE TRIGGER period_logged_new AFTER INSERT ON period
  BEGIN INSERT INTO _logged (fact, row) VALUES ('period', NEW.id); END;
CREATE TRIGGER period_logged AFTER UPDATE ON period
  BEGIN INSERT INTO _logged (fact, row) VALUES ('period', NEW.id); END;
CREATE TRIGGER period_logged_gone AFTER DELETE ON period
  BEGIN INSERT INTO _logged (fact, row) VALUES ('period', OLD.id); END;
CREATE TRIGGER inner_group_logged_new AFTER INSERT ON inner_group
  BEGIN INSERT INTO _logged (fact, row) VALUES ('inner_group', NEW.id); END;
CREATE TRIGGER inner_group_logged AFTER UPDATE ON inner_group
  BEGIN INSERT INTO _logged (fact, row) VALUES ('inner_group', NEW.id); END;
CREATE TRIGGER inner_group_logged_gone AFTER DELETE ON inner_group
  BEGIN INSERT INTO _logged (fact, row) VALUES ('inner_group', OLD.id); END;
CREATE TRIGGER prohibited_pairing_logged_new AFTER INSERT ON prohibited_pairing
  BEGIN INSERT INTO _logged (fact, row) VALUES ('prohibited_pairing', NEW.id); END;
CREATE TRIGGER prohibited_pairing_logged AFTER UPDATE ON prohibited_pairing
  BEGIN INSERT INTO _logged (fact, row) VALUES ('prohibited_pairing', NEW.id); END;
CREATE TRIGGER prohibited_pairing_logged_gone AFTER DELETE ON prohibited_pairing
  BEGIN INSERT INTO _logged (fact, row) VALUES ('prohibited_pairing', OLD.id); END;
CREATE TRIGGER relaxation_logged_new AFTER INSERT ON relaxation
  BEGIN INSERT INTO _logged (fact, row) VALUES ('relaxation', NEW.id); END;
CREATE TRIGGER relaxation_logged AFTER UPDATE ON relaxation
  BEGIN INSERT INTO _logged (fact, row) VALUES ('relaxation', NEW.id); END;
CREATE TRIGGER relaxation_logged_gone AFTER DELETE ON relaxation
  BEGIN INSERT INTO _logged (fact, row) VALUES ('relaxation', OLD.id); END;
CREATE TRIGGER skipped_opponent_logged_new AFTER INSERT ON skipped_opponent
  BEGIN INSERT INTO _logged (fact, row) VALUES ('skipped_opponent', NEW.id); END;
CREATE TRIGGER skipped_opponent_logged AFTER UPDATE ON skipped_opponent
  BEGIN INSERT INTO _logged (fact, row) VALUES ('skipped_opponent', NEW.id); END;
CREATE TRIGGER skipped_opponent_logged_gone AFTER DELETE ON skipped_opponent
  BEGIN INSERT INTO _logged (fact, row) VALUES ('skipped_opponent', OLD.id); END;
CREATE TRIGGER backup_logged_new AFTER INSERT ON backup
  BEGIN INSERT INTO _logged (fact, row) VALUES ('backup', NEW.id); END;
CREATE TRIGGER backup_logged AFTER UPDATE ON backup
  BEGIN INSERT INTO _logged (fact, row) VALUES ('backup', NEW.id); END;
CREATE TRIGGER backup_logged_gone AFTER DELETE ON backup
  BEGIN INSERT INTO _logged (fact, row) VALUES ('backup', OLD.id); END;
CREATE TRIGGER site_logged_new AFTER INSERT ON site
  BEGIN INSERT INTO _logged (fact, row) VALUES ('site', NEW.id); END;
CREATE TRIGGER site_logged AFTER UPDATE ON site
  BEGIN INSERT INTO _logged (fact, row) VALUES ('site', NEW.id); END;
CREATE TRIGGER site_logged_gone AFTER DELETE ON site
  BEGIN INSERT INTO _logged (fact, row) VALUES ('site', OLD.id); END;
