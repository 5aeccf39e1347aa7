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

-- Only while the rules are others than the log has them: that is while they are changed.
CREATE TRIGGER rule_change_is_the_latest BEFORE INSERT ON rule_change
WHEN NEW.id <> -1 OR NEW.before IS NEW.after
  OR NEW.command_id IS NOT (SELECT id FROM command WHERE made_at IS NULL)
  OR NEW.changed_at IS NOT CURRENT_TIMESTAMP
  OR NEW.log_id IS NOT (SELECT max(id) + 1 FROM log)
  OR NEW.round_number IS NOT (SELECT last_round FROM tournament
    WHERE id = NEW.tournament_id AND last_round > 0)
  OR NOT EXISTS (SELECT 1 FROM _logged AS now
    WHERE now.fact IN ('rules', 'scoring')
      AND now.state IS NOT (SELECT state FROM log
        WHERE fact = now.fact AND row = now.row ORDER BY id DESC LIMIT 1))
BEGIN
  SELECT RAISE(ABORT, 'changes of rules are put on record by the file: change the rule');
END;
CREATE TRIGGER rule_change_stays BEFORE UPDATE ON rule_change BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;
CREATE TRIGGER rule_change_kept BEFORE DELETE ON rule_change
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = OLD.tournament_id)
BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;
CREATE TRIGGER rule_change_gone AFTER DELETE ON rule_change BEGIN
  DELETE FROM published WHERE rule_change_id = OLD.id;
END;

CREATE TRIGGER published_was_on_the_wall BEFORE INSERT ON published
WHEN NEW.rule_change_id IS NOT (SELECT max(id) FROM rule_change)
  -- Its line in the log follows when all is done.
  OR (SELECT log_id FROM rule_change WHERE id = NEW.rule_change_id)
    <= (SELECT max(id) FROM log)
  OR NEW.tournament_id IS NOT (SELECT tournament_id FROM rule_change WHERE id = NEW.rule_change_id)
  OR NOT EXISTS (SELECT 1 FROM ranking_list WHERE tournament_id = NEW.tournament_id
    AND round_number = NEW.round_number AND player_id = NEW.player_id
    AND rank IS NEW.rank AND value IS NEW.value AND score IS NEW.score)
  OR EXISTS (SELECT 1 FROM published WHERE rule_change_id = NEW.rule_change_id
    AND tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'published standings are put on record by the file when a rule is changed: do not add or change them');
END;
CREATE TRIGGER published_stays BEFORE UPDATE ON published BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;
CREATE TRIGGER published_kept BEFORE DELETE ON published
WHEN EXISTS (SELECT 1 FROM rule_change WHERE id = OLD.rule_change_id)
  AND EXISTS (SELECT 1 FROM x_player_tournament
    WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id)
BEGIN
  SELECT RAISE(ABORT, 'what was changed and what had been published stay as they are');
END;
