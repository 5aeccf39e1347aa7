-- Whatever counts in a score revalues when it changes, from the first round that it changes.

CREATE TRIGGER correction_inserted AFTER INSERT ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, max(1, NEW.round_number));
END;
CREATE TRIGGER correction_updated AFTER UPDATE ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, max(1, OLD.round_number) UNION SELECT NEW.tournament_id, max(1, NEW.round_number);
END;
CREATE TRIGGER correction_deleted AFTER DELETE ON correction BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, max(1, OLD.round_number));
END;

CREATE TRIGGER exception_inserted AFTER INSERT ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;
CREATE TRIGGER exception_updated AFTER UPDATE ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
END;
CREATE TRIGGER exception_deleted AFTER DELETE ON exception BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, 1);
END;

CREATE TRIGGER period_inserted AFTER INSERT ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;
CREATE TRIGGER period_updated AFTER UPDATE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round)
    SELECT OLD.tournament_id, 1 UNION SELECT NEW.tournament_id, 1;
END;
CREATE TRIGGER period_deleted AFTER DELETE ON period BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (OLD.tournament_id, 1);
END;

CREATE TRIGGER rules_changed AFTER UPDATE ON rules BEGIN
  INSERT INTO z_tiebreaks_due (tournament_id) VALUES (NEW.tournament_id);
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 0);
END;
CREATE TRIGGER scoring_changed AFTER UPDATE ON scoring BEGIN
  INSERT INTO revalue (tournament_id, from_round) VALUES (NEW.tournament_id, 1);
END;
