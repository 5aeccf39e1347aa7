CREATE VIEW z_settling (
  -- Insert a row to settle a list. It is made again with the values that it gave, pass after
  -- pass, until these are values that a pass was made with: those of the last pass when the
  -- values have converged, else of the first pass of a cycle. What then stands: rules.cycle_takes.
  -- Every pass is remembered in settling_pass until then.

  tournament_id,
  -- The ranking after this round, made once with the values before it.
  round_number,
  -- NULL: settle the list as above. 0: only look whether its values were there. 1: make it once
  -- more, unless it is settled; 100: up to a hundred times. Below 0: add up scores.
  passes
) AS
SELECT tournament_id, round_number, passes FROM settling WHERE 0;
