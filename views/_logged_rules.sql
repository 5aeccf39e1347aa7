CREATE VIEW _logged_rules (
  -- A row per tournament's rules, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', ladder=' || quote(ladder)
  || ', top_value=' || quote(top_value)
  || ', bottom_value=' || quote(bottom_value)
  || ', step=' || quote(step)
  || ', places_per_step=' || places_per_step
  || ', floor_value=' || quote(floor_value)
  || ifnull(', value_decimals=' || value_decimals, '')
  || ', withdrawn=' || quote(withdrawn)
  || ', start_order=' || quote(start_order)
  || ', seed=' || seed
  || ', newcomers=' || quote(newcomers)
  || ', recalculation=' || quote(recalculation)
  || ', max_passes=' || max_passes
  || ', own_value_at=' || quote(own_value_at)
  || ', bonus=' || bonus
  || ', bonus_rounds=' || bonus_rounds
  || ifnull(', line_decimals=' || line_decimals, '')
  || ifnull(', score_decimals=' || score_decimals, '')
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
  || ', bye_again=' || quote(bye_again)
  || ', bye_at_start=' || quote(bye_at_start)
  || ifnull(', max_group_distance=' || max_group_distance, '')
FROM rules;

CREATE TRIGGER rules_logged_new AFTER INSERT ON rules BEGIN
  INSERT INTO _log SELECT 'rules', row, state FROM _logged_rules
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER rules_logged AFTER UPDATE ON rules BEGIN
  INSERT INTO _log SELECT 'rules', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'rules', row, state FROM _logged_rules
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER rules_logged_gone AFTER DELETE ON rules BEGIN
  INSERT INTO _log VALUES ('rules', OLD.rowid, NULL);
END;
