CREATE TRIGGER scoring_of_a_tournament BEFORE INSERT ON scoring
WHEN NEW.applies_to <> 'unplayed' AND NOT EXISTS (SELECT 1 FROM z_usual_kind
  WHERE kind = NEW.kind AND applies_to = NEW.applies_to)
BEGIN
  SELECT RAISE(ABORT, 'only a new kind of unplayed rounds can be added: update the kinds that are there');
END;

CREATE TRIGGER scoring_keeps_its_kind
BEFORE UPDATE OF tournament_id, kind, applies_to ON scoring
WHEN NEW.tournament_id IS NOT OLD.tournament_id OR NEW.kind IS NOT OLD.kind
  OR NEW.applies_to IS NOT OLD.applies_to
BEGIN
  SELECT RAISE(ABORT, 'a kind keeps its name and what it applies to: change its factor, fixed amount or points');
END;

CREATE TRIGGER scoring_kept BEFORE DELETE ON scoring
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = OLD.tournament_id)
  AND (OLD.kind IN (SELECT kind FROM z_usual_kind)
    OR EXISTS (SELECT 1 FROM scoring WHERE tournament_id = OLD.tournament_id
      AND kind <> OLD.kind AND OLD.kind IN (counts_with, instead))
    OR EXISTS (SELECT 1 FROM exception
      WHERE tournament_id = OLD.tournament_id AND OLD.kind IN (kind, counts_as))
    OR EXISTS (SELECT 1 FROM x_player_tournament
      WHERE tournament_id = OLD.tournament_id AND absent_as = OLD.kind)
    OR EXISTS (SELECT 1 FROM unplayed
      WHERE tournament_id = OLD.tournament_id AND kind = OLD.kind))
BEGIN
  SELECT RAISE(ABORT, 'this kind is in use: first change the unplayed rounds, exceptions and entries that have it');
END;

CREATE TRIGGER rules_kept BEFORE DELETE ON rules
WHEN EXISTS (SELECT 1 FROM tournament WHERE id = OLD.tournament_id)
BEGIN
  SELECT RAISE(ABORT, 'a tournament has rules: update them');
END;

CREATE TRIGGER fewer_games_in_a_match BEFORE UPDATE OF match_games ON rules
WHEN NEW.match_games < OLD.match_games AND EXISTS (SELECT 1 FROM round
  WHERE tournament_id = NEW.tournament_id
    AND white_wins + black_wins + drawn > NEW.match_games)
BEGIN
  SELECT RAISE(ABORT, 'a match has more games than that: correct that match first');
END;

CREATE TRIGGER tiebreak_has_a_view BEFORE INSERT ON tiebreak
WHEN EXISTS (SELECT 1 FROM tiebreak WHERE name = NEW.name)
  OR NEW.name <> lower(NEW.name) OR NEW.name GLOB '*[^-_a-z0-9]*' OR NEW.name = ''
  OR instr(NEW.name, char(0))
  OR NEW.lower_first NOT IN (0, 1) OR typeof(NEW.low_cuts) <> 'integer'
  OR typeof(NEW.high_cuts) <> 'integer' OR NEW.low_cuts < 0 OR NEW.high_cuts < 0
  OR typeof(NEW.title) <> 'text' OR typeof(NEW.source) <> 'text'
  OR NEW.view GLOB '*[^_A-Za-z0-9]*' -- it becomes part of a trigger
  OR NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = NEW.view)
BEGIN
  SELECT RAISE(ABORT, 'a tie-break must have a new name, in lower case and without spaces, and a view that exists (lower_first must be 0 or 1, cuts 0 or more)');
END;
CREATE TRIGGER tiebreak_guarded BEFORE INSERT ON tiebreak BEGIN
  INSERT INTO z_text VALUES (NEW.title, 200), (NEW.source, 1000);
END;

-- What rules.tiebreaks says stands there, and nothing else: whoever writes it.
CREATE TRIGGER tiebreak_order_follows_on_insert BEFORE INSERT ON tiebreak_order
WHEN NOT EXISTS (SELECT 1 FROM z_tiebreaks_due
  WHERE tournament_id = NEW.tournament_id AND position = NEW.position
    AND name = NEW.name AND lower_first = NEW.lower_first)
BEGIN
  SELECT RAISE(ABORT, 'the order of the standings is set in rules.tiebreaks');
END;
CREATE TRIGGER tiebreak_order_follows_on_update BEFORE UPDATE ON tiebreak_order BEGIN
  SELECT RAISE(ABORT, 'the order of the standings is set in rules.tiebreaks');
END;
CREATE TRIGGER tiebreak_order_follows_on_delete BEFORE DELETE ON tiebreak_order
WHEN EXISTS (SELECT 1 FROM z_tiebreaks_due
  WHERE tournament_id = OLD.tournament_id AND position = OLD.position
    AND name = OLD.name AND lower_first = OLD.lower_first)
BEGIN
  SELECT RAISE(ABORT, 'the order of the standings is set in rules.tiebreaks');
END;
