CREATE VIEW _logged_scoring (
  -- A row per kind of scoring, as the log has it. Its triggers keep the log.

  -- Its rowid.
  row,
  -- Its columns, as in table log.
  state
) AS
SELECT rowid, 'tournament_id=' || tournament_id
  || ', kind=' || quote(kind)
  || ', applies_to=' || quote(applies_to)
  || ', factor=' || quote(factor)
  || ', fixed=' || quote(fixed)
  || ', points=' || quote(points)
  || ', counts_as_game=' || counts_as_game
  || ', counts_as_bye=' || counts_as_bye
  || ', withdrawn_factor=' || quote(withdrawn_factor)
  || ifnull(', season_cap=' || season_cap, '')
  || ifnull(', period_cap=' || period_cap, '')
  || ifnull(', first_rounds=' || first_rounds, '')
  || ifnull(', last_rounds=' || last_rounds, '')
  || ifnull(', counts_with=' || NULLIF(quote(counts_with), 'NULL'), '')
  || ', after_game=' || after_game
  || ', halving=' || halving
  || ifnull(', instead=' || NULLIF(quote(instead), 'NULL'), '')
FROM scoring;

CREATE TRIGGER scoring_logged_new AFTER INSERT ON scoring BEGIN
  INSERT INTO _log SELECT 'scoring', row, state FROM _logged_scoring
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER scoring_logged AFTER UPDATE ON scoring BEGIN
  INSERT INTO _log SELECT 'scoring', OLD.rowid, NULL WHERE OLD.rowid <> NEW.rowid;
  INSERT INTO _log SELECT 'scoring', row, state FROM _logged_scoring
    WHERE row = NEW.rowid;
END;
CREATE TRIGGER scoring_logged_gone AFTER DELETE ON scoring BEGIN
  INSERT INTO _log VALUES ('scoring', OLD.rowid, NULL);
END;
