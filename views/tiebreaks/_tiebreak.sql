CREATE VIEW _tiebreak (
  -- Insert a row to have a tie-break of one table in tiebreak_value. The triggers
  -- that do it, one a view of tie-breaks, are in the file only for those in use
  -- (view tiebreak_trigger): all of them would have to be prepared with every result
  -- that is entered.

  tournament_id, round_number,
  -- Its place in the order.
  position,
  -- tiebreak.name.
  name,
  -- tiebreak.view.
  view
) AS
SELECT v.tournament_id, v.round_number, v.position, o.name, t.view
FROM tiebreak_value AS v
JOIN tiebreak_order AS o
  ON o.tournament_id = v.tournament_id AND o.position = v.position
JOIN tiebreak AS t ON t.name = o.name;

-- Some trigger there must be, where no other is in use.
CREATE TRIGGER _tiebreak_asked INSTEAD OF INSERT ON _tiebreak
WHEN NEW.view IS NULL
BEGIN
  SELECT RAISE(ABORT, 'there is no such tie-break');
END;
