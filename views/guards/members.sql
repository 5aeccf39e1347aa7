CREATE TRIGGER entry_holds_its_rounds AFTER UPDATE OF first_round, last_round ON x_player_tournament
BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND round_number < NEW.first_round)
    THEN RAISE(ABORT, 'this player has a game or an unplayed round before that first round')
    WHEN EXISTS (SELECT 1 FROM player_round
      WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id
        AND round_number > NEW.last_round)
    THEN RAISE(ABORT, 'this player has a game or an unplayed round after that last round')
  END;
  DELETE FROM attendance WHERE tournament_id = NEW.tournament_id
    AND player_id = NEW.player_id AND round_number < NEW.first_round;
END;

CREATE TRIGGER entry_kept BEFORE DELETE ON x_player_tournament
WHEN EXISTS (SELECT 1 FROM player_round
  WHERE tournament_id = OLD.tournament_id AND player_id = OLD.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player has games or unplayed rounds in the tournament: withdraw the player instead');
END;

CREATE TRIGGER entry_keeps_its_ids BEFORE UPDATE OF player_id, tournament_id ON x_player_tournament
WHEN NEW.player_id <> OLD.player_id OR NEW.tournament_id <> OLD.tournament_id
BEGIN
  SELECT RAISE(ABORT, 'an entry belongs to one player and one tournament: delete it and enter the other');
END;

CREATE TRIGGER player_kept BEFORE DELETE ON player
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE player_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'this player has entered a tournament: withdraw the player there, or delete the entry first');
END;

-- Not before: an upsert is an insert until it finds the player there.
CREATE TRIGGER player_has_a_new_id AFTER INSERT ON player
WHEN EXISTS (SELECT 1 FROM x_player_tournament WHERE player_id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'this player has entered a tournament: update the player, or leave the id out');
END;

-- Capitals do not make two names different; of other letters that look alike keizer takes care
-- (keizer/season/names). The very same name is one of a namesake: commands ask for the id.
CREATE TRIGGER player_is_no_namesake BEFORE INSERT ON player BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM player WHERE name COLLATE NOCASE = NEW.name
      AND name <> NEW.name AND id IS NOT NEW.id AND name <> '')
    THEN RAISE(ABORT, 'another player has this name in other capitals: add what tells the two apart, such as a year of birth')
    WHEN EXISTS (SELECT 1 FROM player WHERE fide_id = NEW.fide_id AND id IS NOT NEW.id)
    THEN RAISE(ABORT, 'another player has this FIDE ID: correct it there first')
    WHEN EXISTS (SELECT 1 FROM player WHERE national_id = NEW.national_id AND id IS NOT NEW.id)
    THEN RAISE(ABORT, 'another player has this national number: correct it there first')
  END;
END;

CREATE TRIGGER player_becomes_no_namesake BEFORE UPDATE OF name, fide_id, national_id ON player
BEGIN
  SELECT CASE
    WHEN NEW.name <> OLD.name AND EXISTS (SELECT 1 FROM player
      WHERE name COLLATE NOCASE = NEW.name AND name <> NEW.name AND id <> NEW.id AND name <> '')
    THEN RAISE(ABORT, 'another player has this name in other capitals: add what tells the two apart, such as a year of birth')
    WHEN NEW.fide_id IS NOT OLD.fide_id
      AND EXISTS (SELECT 1 FROM player WHERE fide_id = NEW.fide_id AND id <> NEW.id)
    THEN RAISE(ABORT, 'another player has this FIDE ID: correct it there first')
    WHEN NEW.national_id IS NOT OLD.national_id
      AND EXISTS (SELECT 1 FROM player WHERE national_id = NEW.national_id AND id <> NEW.id)
    THEN RAISE(ABORT, 'another player has this national number: correct it there first')
  END;
END;

CREATE TRIGGER attendance_after_the_start AFTER INSERT ON attendance
WHEN NEW.round_number < (SELECT first_round FROM x_player_tournament
  WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
BEGIN
  SELECT RAISE(ABORT, 'this player enters later: see first_round of the entry');
END;

CREATE TRIGGER attendance_stays BEFORE UPDATE OF tournament_id, round_number, player_id ON attendance
WHEN NEW.tournament_id <> OLD.tournament_id OR NEW.round_number <> OLD.round_number
  OR NEW.player_id <> OLD.player_id
BEGIN
  SELECT RAISE(ABORT, 'attendance cannot be changed: delete the row and insert a new one');
END;
