CREATE VIEW _another (
  -- Insert a row to look for other standings that agree with their values than those that were
  -- found: from the other first values that rules.settled_from knows and, if that finds none,
  -- from the standings upside down, in at most 50 passes each. The list is left as it was.

  tournament_id,
  -- A list whose values have converged.
  round_number,
  -- NULL: look, as above. 49: make the list so often, and say whether other values have
  -- converged. 0: make it once, unless its values have.
  another
) AS
SELECT tournament_id, round_number, another FROM settling WHERE 0;
