CREATE VIEW z_tiebreak (
  -- Insert a row to let one tie-break decide between players who share a place; where
  -- nobody does, nothing happens. The triggers that do so, and those that write its figures
  -- to tiebreak_value, one for each view of tie-breaks, are in the file for those in use only
  -- (view rule_trigger).

  tournament_id, round_number,
  -- Its place in the order.
  position,
  -- tiebreak.name.
  name,
  -- 1 when the lower number is ahead.
  lower_first,
  -- tiebreak.view, for the trigger of that view; else left out.
  view
) AS
SELECT v.tournament_id, v.round_number, v.position, o.name, o.lower_first, t.view
FROM tiebreak_value AS v
JOIN tiebreak_order AS o
  ON o.tournament_id = v.tournament_id AND o.position = v.position
JOIN tiebreak AS t ON t.name = o.name;
