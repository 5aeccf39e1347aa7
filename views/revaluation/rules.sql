-- Whatever counts in a score revalues when it changes, from the first round that it changes.

CREATE TRIGGER correction_inserted AFTER INSERT ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, max(1, NEW.round_number));
  INSERT INTO z_logged (fact, row) VALUES ('correction', NEW.id);
END;
CREATE TRIGGER correction_updated AFTER UPDATE ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, max(1, OLD.round_number) UNION SELECT NEW.tournament_id, max(1, NEW.round_number);
  INSERT INTO z_logged (fact, row) VALUES ('correction', NEW.id);
END;
CREATE TRIGGER correction_deleted AFTER DELETE ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, max(1, OLD.round_number));
  INSERT INTO z_logged (fact, row) VALUES ('correction', OLD.id);
END;

CREATE TRIGGER exception_inserted AFTER INSERT ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
  INSERT INTO z_logged (fact, row) VALUES ('exception', NEW.id);
END;
CREATE TRIGGER exception_updated AFTER UPDATE ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
  INSERT INTO z_logged (fact, row) VALUES ('exception', NEW.id);
END;
CREATE TRIGGER exception_deleted AFTER DELETE ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, 1);
  INSERT INTO z_logged (fact, row) VALUES ('exception', OLD.id);
END;

CREATE TRIGGER period_inserted AFTER INSERT ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
  INSERT INTO z_logged (fact, row) VALUES ('period', NEW.id);
END;
CREATE TRIGGER period_updated AFTER UPDATE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
  INSERT INTO z_logged (fact, row) VALUES ('period', NEW.id);
END;
CREATE TRIGGER period_deleted AFTER DELETE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, 1);
  INSERT INTO z_logged (fact, row) VALUES ('period', OLD.id);
END;

CREATE TRIGGER rules_changed AFTER UPDATE ON rules BEGIN
  INSERT INTO z_tiebreaks_due (tournament_id) VALUES (NEW.tournament_id);
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 0);
  INSERT INTO z_logged (fact, row) VALUES ('rules', NEW.tournament_id);
END;
CREATE TRIGGER scoring_changed AFTER UPDATE ON scoring BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
  INSERT INTO z_logged (fact, row) VALUES ('scoring', NEW.id);
END;
