-- Generated from schema.sql by views/generate.py: do not edit.

CREATE TRIGGER player_logged_new AFTER INSERT ON player
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('player', NEW.id); END;
CREATE TRIGGER player_logged AFTER UPDATE ON player
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('player', NEW.id); END;
CREATE TRIGGER player_logged_gone AFTER DELETE ON player
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('player', OLD.id); END;
CREATE TRIGGER tournament_logged AFTER UPDATE OF description, status, above, city, federation, arbiter, time_control ON tournament
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('tournament', NEW.id); END;
CREATE TRIGGER x_player_tournament_logged AFTER UPDATE OF player_id, tournament_id, status, start_rank, rating, first_round, last_round, absent_as ON x_player_tournament
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('x_player_tournament', NEW.id); END;
CREATE TRIGGER attendance_logged_new AFTER INSERT ON attendance
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('attendance', NEW.id); END;
CREATE TRIGGER attendance_logged AFTER UPDATE ON attendance
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('attendance', NEW.id); END;
CREATE TRIGGER attendance_logged_gone AFTER DELETE ON attendance
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('attendance', OLD.id); END;
CREATE TRIGGER schedule_logged AFTER UPDATE ON schedule
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('schedule', NEW.id); END;
CREATE TRIGGER round_logged AFTER UPDATE ON round
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('round', NEW.id); END;
CREATE TRIGGER unplayed_logged AFTER UPDATE OF tournament_id, round_number, player_id, kind, place ON unplayed
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('unplayed', NEW.id); END;
CREATE TRIGGER rules_logged_gone AFTER DELETE ON rules
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('rules', OLD.tournament_id); END;
CREATE TRIGGER scoring_logged_new AFTER INSERT ON scoring
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('scoring', NEW.id); END;
CREATE TRIGGER scoring_logged_gone AFTER DELETE ON scoring
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('scoring', OLD.id); END;
CREATE TRIGGER prohibited_pairing_logged_new AFTER INSERT ON prohibited_pairing
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('prohibited_pairing', NEW.id); END;
CREATE TRIGGER prohibited_pairing_logged AFTER UPDATE ON prohibited_pairing
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('prohibited_pairing', NEW.id); END;
CREATE TRIGGER prohibited_pairing_logged_gone AFTER DELETE ON prohibited_pairing
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('prohibited_pairing', OLD.id); END;
CREATE TRIGGER reason_logged_new AFTER INSERT ON reason
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('reason', NEW.id); END;
CREATE TRIGGER reason_logged AFTER UPDATE ON reason
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('reason', NEW.id); END;
CREATE TRIGGER reason_logged_gone AFTER DELETE ON reason
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('reason', OLD.id); END;
CREATE TRIGGER backup_logged_new AFTER INSERT ON backup
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('backup', NEW.id); END;
CREATE TRIGGER backup_logged AFTER UPDATE ON backup
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('backup', NEW.id); END;
CREATE TRIGGER backup_logged_gone AFTER DELETE ON backup
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('backup', OLD.id); END;
CREATE TRIGGER site_logged_new AFTER INSERT ON site
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('site', NEW.id); END;
CREATE TRIGGER site_logged AFTER UPDATE ON site
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('site', NEW.id); END;
CREATE TRIGGER site_logged_gone AFTER DELETE ON site
  BEGIN INSERT INTO z_logged (fact, row) VALUES ('site', OLD.id); END;
