CREATE VIEW _logged_rule_change (
  -- A row per rule changed, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'id=' || id
  || ', tournament_id=' || tournament_id
  || ', round_number=' || round_number
  || ', rule=' || quote(rule)
  || ifnull(', before=' || NULLIF(quote(before), 'NULL'), '')
  || ifnull(', after=' || NULLIF(quote(after), 'NULL'), '')
  || ', changed_at=' || quote(changed_at)
FROM rule_change;

CREATE TRIGGER rule_change_logged_new AFTER INSERT ON rule_change BEGIN
  INSERT INTO _log SELECT 'rule_change', row, state FROM _logged_rule_change
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER rule_change_logged AFTER UPDATE ON rule_change BEGIN
  INSERT INTO _log SELECT 'rule_change', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'rule_change', row, state FROM _logged_rule_change
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER rule_change_logged_gone AFTER DELETE ON rule_change BEGIN
  INSERT INTO _log VALUES ('rule_change', OLD.rowid, NULL);
END;
