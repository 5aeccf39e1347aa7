CREATE VIEW _rule_changed (
  -- Insert a rule that was changed: once a round is paired it is put on record,
  -- with the tables as they were.

  -- tournament.id.
  tournament_id,
  -- As keizer rules names it.
  rule,
  -- Its value before.
  before,
  -- Its value since.
  after
) AS
SELECT tournament_id, rule, before, after FROM rule_change WHERE 0;

CREATE TRIGGER _rule_change_recorded INSTEAD OF INSERT ON _rule_changed
WHEN (SELECT round_number FROM _last_round WHERE tournament_id = NEW.tournament_id) > 0
BEGIN
  INSERT INTO rule_change (tournament_id, round_number, rule, before, after)
    SELECT NEW.tournament_id, round_number, NEW.rule, NEW.before, NEW.after
    FROM _last_round WHERE tournament_id = NEW.tournament_id;
  -- Of several changes at once, the first sees what was on the wall.
  INSERT INTO published
    SELECT (SELECT max(id) FROM rule_change), tournament_id, round_number,
      player_id, rank, value, score
    FROM ranking
    WHERE tournament_id = NEW.tournament_id AND in_list
      AND round_number <= (SELECT round_number FROM _current_round
        WHERE tournament_id = NEW.tournament_id)
      AND (SELECT COALESCE(stale_from, 1000) FROM tournament
        WHERE id = NEW.tournament_id) > 1;
END;
