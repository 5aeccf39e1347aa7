CREATE VIEW _logged (
  -- A row per row of a fact, as the log should have it.

  -- The table.
  fact,
  -- Its rowid there.
  row,
  -- As log.state.
  state
) AS
SELECT 'tournament', row, state FROM _logged_tournament
UNION ALL SELECT 'player', row, state FROM _logged_player
UNION ALL SELECT 'x_player_tournament', row, state FROM _logged_x_player_tournament
UNION ALL SELECT 'rules', row, state FROM _logged_rules
UNION ALL SELECT 'scoring', row, state FROM _logged_scoring
UNION ALL SELECT 'personal', row, state FROM _logged_personal
UNION ALL SELECT 'period', row, state FROM _logged_period
UNION ALL SELECT 'inner_group', row, state FROM _logged_inner_group
UNION ALL SELECT 'apart', row, state FROM _logged_apart
UNION ALL SELECT 'correction', row, state FROM _logged_correction
UNION ALL SELECT 'schedule', row, state FROM _logged_schedule
UNION ALL SELECT 'coming', row, state FROM _logged_coming
UNION ALL SELECT 'round', row, state FROM _logged_round
UNION ALL SELECT 'unplayed', row, state FROM _logged_unplayed
UNION ALL SELECT 'relaxation', row, state FROM _logged_relaxation
UNION ALL SELECT 'passed_over', row, state FROM _logged_passed_over
UNION ALL SELECT 'rule_change', row, state FROM _logged_rule_change
UNION ALL SELECT 'backup', row, state FROM _logged_backup;
