CREATE VIEW z_logged (
  -- A row per row of a fact, as the log should have it. Insert table and id of a row
  -- that was written, or is gone, to have that logged where it is news.

  -- The table.
  fact,
  -- The id in it.
  row,
  -- As log.state.
  state
) AS
-- By views/generate.py: [generated]
SELECT 'player', id,
  '{' || substr(',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') || '"' ||
    ifnull(',"category":"' || replace(replace(category, '\', '\\'), '"', '\"') || '"', '') ||
    ifnull(',"rating":' || rating, '') || ifnull(',"fide_id":' || fide_id, '') ||
    ifnull(',"national_id":"' || replace(replace(national_id, '\', '\\'), '"', '\"') || '"', '')
    || ifnull(',"title":"' || title || '"', '') ||
    ifnull(',"federation":"' || federation || '"', '') || ifnull(',"sex":"' || sex || '"', '') ||
    ifnull(',"born":"' || born || '"', ''), 2) || '}'
FROM player
UNION ALL SELECT 'tournament', id,
  '{' || substr(',"description":"' || replace(replace(description, '\', '\\'), '"', '\"') || '"' ||
    ',"status":"' || status || '"' || ifnull(',"above":' || above, '') ||
    ifnull(',"city":"' || replace(replace(city, '\', '\\'), '"', '\"') || '"', '') ||
    ifnull(',"federation":"' || federation || '"', '') ||
    ifnull(',"arbiter":"' || replace(replace(arbiter, '\', '\\'), '"', '\"') || '"', '') ||
    ifnull(',"time_control":"' || replace(replace(time_control, '\', '\\'), '"', '\"') || '"', ''), 2) || '}'
FROM tournament
UNION ALL SELECT 'x_player_tournament', id,
  '{' || substr(',"player_id":' || player_id || ',"tournament_id":' || tournament_id ||
    ',"status":"' || status || '"' || ifnull(',"start_rank":' || start_rank, '') ||
    ifnull(',"rating":' || rating, '') || ',"first_round":' || first_round ||
    ifnull(',"last_round":' || last_round, '') ||
    ifnull(',"absent_as":"' || replace(replace(absent_as, '\', '\\'), '"', '\"') || '"', ''), 2) || '}'
FROM x_player_tournament
UNION ALL SELECT 'attendance', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"round_number":' || round_number ||
    ',"player_id":' || player_id, 2) || '}'
FROM attendance
UNION ALL SELECT 'schedule', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"round_number":' || round_number ||
    ifnull(',"date":"' || date || '"', '') ||
    ifnull(',"published_at":"' || published_at || '"', '') || ifnull(',"proved":' || proved, ''), 2) || '}'
FROM schedule
UNION ALL SELECT 'round', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"round_number":' || round_number ||
    ifnull(',"board":' || board, '') || ',"white":' || white || ',"black":' || black ||
    ifnull(',"result":"' || result || '"', '') ||
    ifnull(',"last_updated":"' || last_updated || '"', '') ||
    ifnull(',"white_place":' || white_place, '') || ifnull(',"black_place":' || black_place, '')
    || ifnull(',"colour_by":"' || replace(replace(colour_by, '\', '\\'), '"', '\"') || '"', '') ||
    ifnull(',"white_wins":' || white_wins, '') || ifnull(',"black_wins":' || black_wins, '') ||
    ifnull(',"drawn":' || drawn, '') || ifnull(',"date":"' || date || '"', ''), 2) || '}'
FROM round
UNION ALL SELECT 'unplayed', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"round_number":' || round_number ||
    ',"player_id":' || player_id ||
    ',"kind":"' || replace(replace(kind, '\', '\\'), '"', '\"') || '"' ||
    ifnull(',"place":' || place, ''), 2) || '}'
FROM unplayed
UNION ALL SELECT 'correction', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"player_id":' || player_id ||
    ',"round_number":' || round_number || ifnull(',"last_round":' || last_round, '') ||
    ',"points":' || CASE typeof(points) WHEN 'text' THEN '"' || replace(replace(points, '\', '\\'), '"', '\"') || '"' ELSE points END
    || ifnull(',"reason":"' || replace(replace(reason, '\', '\\'), '"', '\"') || '"', ''), 2) || '}'
FROM correction
UNION ALL SELECT 'rules', tournament_id,
  '{' || substr(ifnull(',"tournament_id":' || tournament_id, '') || ',"ladder":"' || ladder || '"' ||
    ',"top_value":' || CASE typeof(top_value) WHEN 'text' THEN '"' || replace(replace(top_value, '\', '\\'), '"', '\"') || '"' ELSE top_value END
    ||
    ',"bottom_value":' || CASE typeof(bottom_value) WHEN 'text' THEN '"' || replace(replace(bottom_value, '\', '\\'), '"', '\"') || '"' ELSE bottom_value END
    ||
    ',"step":' || CASE typeof(step) WHEN 'text' THEN '"' || replace(replace(step, '\', '\\'), '"', '\"') || '"' ELSE step END
    || ',"places_per_step":' || places_per_step ||
    ',"floor_value":' || CASE typeof(floor_value) WHEN 'text' THEN '"' || replace(replace(floor_value, '\', '\\'), '"', '\"') || '"' ELSE floor_value END
    ||
    ifnull(',"value_rounding":' || CASE typeof(value_rounding) WHEN 'text' THEN '"' || replace(replace(value_rounding, '\', '\\'), '"', '\"') || '"' ELSE value_rounding END, '')
    || ',"withdrawn":"' || withdrawn || '"' || ',"start_order":"' || start_order || '"' ||
    ',"seed":' || seed || ',"newcomers":"' || newcomers || '"' ||
    ',"recalculation":"' || recalculation || '"' || ',"settled_from":"' || settled_from || '"' ||
    ',"cycle_takes":"' || cycle_takes || '"' || ',"max_passes":' || max_passes ||
    ',"own_value_at":"' || own_value_at || '"' || ',"bonus":' || bonus ||
    ',"bonus_rounds":' || bonus_rounds ||
    ifnull(',"line_rounding":' || CASE typeof(line_rounding) WHEN 'text' THEN '"' || replace(replace(line_rounding, '\', '\\'), '"', '\"') || '"' ELSE line_rounding END, '')
    ||
    ifnull(',"score_rounding":' || CASE typeof(score_rounding) WHEN 'text' THEN '"' || replace(replace(score_rounding, '\', '\\'), '"', '\"') || '"' ELSE score_rounding END, '')
    || ',"halves":"' || halves || '"' || ',"tiebreaks":"' || tiebreaks || '"' ||
    ',"last_resort":"' || last_resort || '"' || ',"match_games":' || match_games ||
    ',"percentage_floor":' || CASE typeof(percentage_floor) WHEN 'text' THEN '"' || replace(replace(percentage_floor, '\', '\\'), '"', '\"') || '"' ELSE percentage_floor END
    || ',"percentage_byes":' || percentage_byes || ifnull(',"rounds":' || rounds, '') ||
    ',"min_games":' || min_games || ',"promoted":' || promoted || ',"system":"' || system || '"'
    || ',"swiss_within":"' || swiss_within || '"' || ',"stuck":"' || stuck || '"' ||
    ',"aim":"' || aim || '"' || ',"first_round":"' || first_round || '"' ||
    ',"pair_by":"' || pair_by || '"' || ifnull(',"rematch_gap":' || rematch_gap, '') ||
    ifnull(',"max_meetings":' || max_meetings, '') ||
    ifnull(',"max_meetings_period":' || max_meetings_period, '') ||
    ',"max_colour_run":' || max_colour_run || ',"colour_run":"' || colour_run || '"' ||
    ',"max_colour_difference":' || max_colour_difference ||
    ',"colour_difference":"' || colour_difference || '"' ||
    ',"fewest_byes":"' || fewest_byes || '"' || ',"bye_again":"' || bye_again || '"' ||
    ',"bye_at_start":"' || bye_at_start || '"' ||
    ifnull(',"max_group_distance":' || max_group_distance, '') ||
    ifnull(',"categories":"' || categories || '"', ''), 2) || '}'
FROM rules
UNION ALL SELECT 'scoring', id,
  '{' || substr(',"tournament_id":' || tournament_id ||
    ',"kind":"' || replace(replace(kind, '\', '\\'), '"', '\"') || '"' ||
    ',"applies_to":"' || applies_to || '"' ||
    ',"factor":' || CASE typeof(factor) WHEN 'text' THEN '"' || replace(replace(factor, '\', '\\'), '"', '\"') || '"' ELSE factor END
    ||
    ',"fixed":' || CASE typeof(fixed) WHEN 'text' THEN '"' || replace(replace(fixed, '\', '\\'), '"', '\"') || '"' ELSE fixed END
    ||
    ',"points":' || CASE typeof(points) WHEN 'text' THEN '"' || replace(replace(points, '\', '\\'), '"', '\"') || '"' ELSE points END
    || ',"counts_as_game":' || counts_as_game || ',"counts_as_bye":' || counts_as_bye ||
    ',"withdrawn_factor":' || CASE typeof(withdrawn_factor) WHEN 'text' THEN '"' || replace(replace(withdrawn_factor, '\', '\\'), '"', '\"') || '"' ELSE withdrawn_factor END
    || ifnull(',"season_cap":' || season_cap, '') || ifnull(',"period_cap":' || period_cap, '') ||
    ifnull(',"first_rounds":' || first_rounds, '') || ifnull(',"last_rounds":' || last_rounds, '')
    ||
    ifnull(',"counts_with":"' || replace(replace(counts_with, '\', '\\'), '"', '\"') || '"', '')
    || ',"after_game":' || after_game ||
    ',"halving":' || CASE typeof(halving) WHEN 'text' THEN '"' || replace(replace(halving, '\', '\\'), '"', '\"') || '"' ELSE halving END
    || ifnull(',"instead":"' || replace(replace(instead, '\', '\\'), '"', '\"') || '"', ''), 2) || '}'
FROM scoring
UNION ALL SELECT 'exception', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"player_id":' || player_id ||
    ',"kind":"' || replace(replace(kind, '\', '\\'), '"', '\"') || '"' ||
    ',"counts_as":"' || replace(replace(counts_as, '\', '\\'), '"', '\"') || '"', 2) || '}'
FROM exception
UNION ALL SELECT 'period', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"first_round":' || first_round ||
    ifnull(',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') || '"', '') ||
    ',"scores":"' || scores || '"' || ',"start":"' || start || '"', 2) || '}'
FROM period
UNION ALL SELECT 'prohibited_pairing', id,
  '{' || substr(',"tournament_id":' || tournament_id ||
    ',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') || '"' ||
    ',"player_id":' || player_id, 2) || '}'
FROM prohibited_pairing
UNION ALL SELECT 'reason', id,
  '{' || substr(',"tournament_id":' || tournament_id || ',"round_number":' || round_number ||
    ',"white":' || white || ifnull(',"black":' || black, '') || ',"about":"' || about || '"' ||
    ',"rule":"' || replace(replace(rule, '\', '\\'), '"', '\"') || '"' ||
    ifnull(',"player_id":' || player_id, '') || ',"amount":' || amount ||
    ifnull(',"last_meeting":' || last_meeting, '') ||
    ifnull(',"white_colours":"' || replace(replace(white_colours, '\', '\\'), '"', '\"') || '"', '')
    ||
    ifnull(',"black_colours":"' || replace(replace(black_colours, '\', '\\'), '"', '\"') || '"', '')
    || ifnull(',"because":"' || replace(replace(because, '\', '\\'), '"', '\"') || '"', '') ||
    ifnull(',"there":' || there, '') || ifnull(',"here":' || here, ''), 2) || '}'
FROM reason
UNION ALL SELECT 'backup', id,
  '{' || substr(ifnull(',"folder":"' || replace(replace(folder, '\', '\\'), '"', '\"') || '"', '') ||
    ',"kept":' || kept, 2) || '}'
FROM backup
UNION ALL SELECT 'site', id,
  '{' || substr(',"tournament_id":' || tournament_id ||
    ifnull(',"folder":"' || replace(replace(folder, '\', '\\'), '"', '\"') || '"', '') ||
    ',"language":"' || language || '"' ||
    ifnull(',"title":"' || replace(replace(title, '\', '\\'), '"', '\"') || '"', '') ||
    ifnull(',"colour":"' || colour || '"', '') ||
    ifnull(',"columns":"' || replace(replace(columns, '\', '\\'), '"', '\"') || '"', '') ||
    ifnull(',"address":"' || address || '"', '') || ifnull(',"mail":"' || mail || '"', '') ||
    ifnull(',"phone":"' || phone || '"', '') || ifnull(',"starts":"' || starts || '"', ''), 2) || '}'
FROM site;
-- [to here]

CREATE TRIGGER z_log_written INSTEAD OF INSERT ON z_logged BEGIN
  INSERT INTO log (command_id, fact, row, state)
    SELECT (SELECT id FROM command WHERE made_at IS NULL), NEW.fact, NEW.row, now.state
    -- One row: of a row that is gone, with NULL.
    FROM (SELECT max(state) AS state FROM z_logged
      WHERE fact = NEW.fact AND row = NEW.row) AS now
    WHERE now.state IS NOT (SELECT state FROM log
      WHERE fact = NEW.fact AND row = NEW.row ORDER BY id DESC LIMIT 1);
END;
