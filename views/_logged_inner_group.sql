CREATE VIEW _logged_inner_group (
  -- A row per inner group, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', name=' || quote(name)
  || ', after_round=' || after_round
  || ', from_rank=' || from_rank
  || ', to_rank=' || to_rank
FROM inner_group;

CREATE TRIGGER inner_group_logged_new AFTER INSERT ON inner_group BEGIN
  INSERT INTO _log SELECT 'inner_group', row, state FROM _logged_inner_group
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER inner_group_logged AFTER UPDATE ON inner_group BEGIN
  INSERT INTO _log SELECT 'inner_group', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'inner_group', row, state FROM _logged_inner_group
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER inner_group_logged_gone AFTER DELETE ON inner_group BEGIN
  INSERT INTO _log VALUES ('inner_group', OLD.rowid, NULL);
END;
