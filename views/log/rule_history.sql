CREATE VIEW rule_history (
  -- A row per rule that was changed after the first round was paired, in any client,
  -- and not taken back by keizer undo. Triggers of rules and scoring insert here what
  -- was changed.

  -- rule_change.id.
  id,
  tournament_id,
  -- The last round when the rule was changed; standings from round 0 on were computed anew.
  round_number,
  -- The rule, as keizer rules names it.
  rule,
  -- Its value before, and since.
  before, after,
  -- When, UTC.
  changed_at
) AS
SELECT c.id, c.tournament_id, c.round_number, c.rule, CAST(c.before AS TEXT),
  CAST(c.after AS TEXT), c.changed_at
FROM rule_change AS c
LEFT JOIN command ON command.id = c.command_id
WHERE command.undoes IS NULL
  AND NOT EXISTS (SELECT 1 FROM command AS undo WHERE undo.undoes = c.command_id);

-- A rule that was changed: once a round is paired it is put on record, with the
-- standings as they were.
CREATE TRIGGER rule_change_recorded INSTEAD OF INSERT ON rule_history
WHEN (SELECT last_round FROM tournament WHERE id = NEW.tournament_id) > 0
BEGIN
  INSERT INTO rule_change
      (command_id, log_id, tournament_id, round_number, rule, before, after)
    SELECT (SELECT id FROM command WHERE made_at IS NULL),
      (SELECT max(id) + 1 FROM log), NEW.tournament_id, last_round,
      NEW.rule, NEW.before, NEW.after
    FROM tournament WHERE id = NEW.tournament_id;
  -- Of several changes at once, the first sees the published standings.
  INSERT INTO published
    SELECT (SELECT max(id) FROM rule_change), tournament_id, round_number,
      player_id, rank, value, score
    FROM ranking_list
    WHERE tournament_id = NEW.tournament_id
      AND round_number <= (SELECT current_round FROM tournament
        WHERE id = NEW.tournament_id)
      AND (SELECT COALESCE(stale_from, 1000) FROM tournament
        WHERE id = NEW.tournament_id) > 1;
END;

CREATE TRIGGER rule_change_gone AFTER DELETE ON rule_change BEGIN
  DELETE FROM published WHERE rule_change_id = OLD.id;
END;
