CREATE VIEW z_word (
  -- A row per tournament and word of its rules that may need a trigger: view on_demand.

  tournament_id,
  -- As in rules.tiebreaks or rules.recalculation.
  word
) AS
SELECT tournament_id, name FROM tiebreak_order WHERE position > 0
UNION ALL
SELECT tournament_id, recalculation FROM rules;
