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
  json_patch('{}', json_object(
    'name', name, 'category', category, 'rating', rating, 'fide_id', fide_id,
    'national_id', national_id, 'title', title, 'federation', federation, 'sex', sex,
    'born', born))
FROM player
UNION ALL SELECT 'tournament', id,
  json_patch('{}', json_object(
    'description', description, 'status', status, 'above', above, 'city', city,
    'federation', federation, 'arbiter', arbiter, 'time_control', time_control))
FROM tournament
UNION ALL SELECT 'x_player_tournament', id,
  json_patch('{}', json_object(
    'player_id', player_id, 'tournament_id', tournament_id, 'status', status,
    'start_rank', start_rank, 'rating', rating, 'first_round', first_round,
    'last_round', last_round, 'absent_as', CAST(absent_as AS TEXT)))
FROM x_player_tournament
UNION ALL SELECT 'attendance', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'round_number', round_number, 'player_id', player_id))
FROM attendance
UNION ALL SELECT 'schedule', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'round_number', round_number, 'date', date,
    'published_at', published_at, 'proved', proved))
FROM schedule
UNION ALL SELECT 'round', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'round_number', round_number, 'board', board,
    'white', white, 'black', black, 'result', CAST(result AS TEXT),
    'last_updated', last_updated, 'white_place', white_place, 'black_place', black_place,
    'colour_by', colour_by, 'white_wins', white_wins, 'black_wins', black_wins, 'drawn', drawn))
FROM round
UNION ALL SELECT 'unplayed', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'round_number', round_number, 'player_id', player_id,
    'kind', CAST(kind AS TEXT), 'place', place))
FROM unplayed
UNION ALL SELECT 'correction', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'player_id', player_id, 'round_number', round_number,
    'last_round', last_round, 'points', points, 'reason', reason))
FROM correction
UNION ALL SELECT 'rules', tournament_id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'ladder', ladder, 'top_value', top_value,
    'bottom_value', bottom_value, 'step', step, 'places_per_step', places_per_step,
    'floor_value', floor_value, 'value_rounding', value_rounding, 'withdrawn', withdrawn,
    'start_order', start_order, 'seed', seed, 'newcomers', newcomers,
    'recalculation', recalculation, 'settled_from', settled_from, 'cycle_takes', cycle_takes,
    'max_passes', max_passes, 'own_value_at', own_value_at, 'bonus', bonus,
    'bonus_rounds', bonus_rounds, 'line_rounding', line_rounding,
    'score_rounding', score_rounding, 'halves', halves, 'tiebreaks', tiebreaks,
    'last_resort', last_resort, 'match_games', match_games,
    'percentage_floor', percentage_floor, 'percentage_byes', percentage_byes, 'rounds', rounds,
    'min_games', min_games, 'promoted', promoted, 'system', system,
    'swiss_within', swiss_within, 'stuck', stuck, 'aim', aim, 'first_round', first_round,
    'rematch_gap', rematch_gap, 'max_meetings', max_meetings,
    'max_meetings_period', max_meetings_period, 'max_colour_run', max_colour_run,
    'colour_run', colour_run, 'max_colour_difference', max_colour_difference,
    'colour_difference', colour_difference, 'fewest_byes', fewest_byes, 'bye_again', bye_again,
    'bye_at_start', bye_at_start, 'max_group_distance', max_group_distance))
FROM rules
UNION ALL SELECT 'scoring', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'kind', kind, 'applies_to', applies_to, 'factor', factor,
    'fixed', fixed, 'points', points, 'counts_as_game', counts_as_game,
    'counts_as_bye', counts_as_bye, 'withdrawn_factor', withdrawn_factor,
    'season_cap', season_cap, 'period_cap', period_cap, 'first_rounds', first_rounds,
    'last_rounds', last_rounds, 'counts_with', CAST(counts_with AS TEXT),
    'after_game', after_game, 'halving', halving, 'instead', CAST(instead AS TEXT)))
FROM scoring
UNION ALL SELECT 'exception', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'player_id', player_id, 'kind', CAST(kind AS TEXT),
    'counts_as', CAST(counts_as AS TEXT)))
FROM exception
UNION ALL SELECT 'period', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'first_round', first_round, 'name', name, 'scores', scores,
    'start', start))
FROM period
UNION ALL SELECT 'inner_group', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'name', name, 'after_round', after_round,
    'from_rank', from_rank, 'to_rank', CAST(to_rank AS INTEGER)))
FROM inner_group
UNION ALL SELECT 'prohibited_pairing', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'name', name, 'player_id', player_id))
FROM prohibited_pairing
UNION ALL SELECT 'relaxation', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'round_number', CAST(round_number AS INTEGER),
    'white', white, 'black', black, 'rule', rule, 'amount', amount, 'why', why))
FROM relaxation
UNION ALL SELECT 'skipped_opponent', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'round_number', CAST(round_number AS INTEGER),
    'player_id', player_id, 'skipped_id', skipped_id, 'obstacle', obstacle, 'amount', amount))
FROM skipped_opponent
UNION ALL SELECT 'backup', id,
  json_patch('{}', json_object(
    'folder', folder, 'kept', kept))
FROM backup
UNION ALL SELECT 'site', id,
  json_patch('{}', json_object(
    'tournament_id', tournament_id, 'folder', folder, 'language', language, 'title', title,
    'colour', colour, 'columns', columns))
FROM site;

CREATE VIEW _pairing_rules (
  -- A row per line of the log on the rules of a tournament: what pairings go by.

  -- log.id.
  id,
  tournament_id,
  -- Their values, a JSON array.
  rules
) AS
SELECT id, row, json_extract(state,
    '$.system', '$.swiss_within', '$.stuck', '$.aim', '$.first_round', '$.rematch_gap',
    '$.max_meetings', '$.max_meetings_period', '$.max_colour_run', '$.colour_run',
    '$.max_colour_difference', '$.colour_difference', '$.fewest_byes', '$.bye_again',
    '$.bye_at_start', '$.max_group_distance')
FROM log WHERE fact = 'rules';

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
