CREATE VIEW ranking (
  -- A row per player and round: the value in force in it, as in the original SQLite
  -- Keizer project; also for the round that follows the last. Queries of the original
  -- read it, and its INSERT of the next values is taken where they are the right ones.
  -- Ranks and scores are in ranking_list and standings.

  tournament_id, player_id, round_number,
  -- What a win against the player is worth in that round, and the own value in it.
  score
) AS
SELECT tournament_id, player_id, round_number, value_before
FROM ranking_list
WHERE value_before_units IS NOT NULL
UNION ALL
-- The value of the place; a column and no CAST, for clients would print 50.0 here, and 50 above.
SELECT r.tournament_id, r.player_id, CAST(r.round_number + 1 AS INTEGER),
  (SELECT p.value FROM ranking_list AS p
    WHERE p.tournament_id = r.tournament_id AND p.round_number = r.round_number
      AND p.player_id = CASE WHEN s.value_units IS NULL THEN r.player_id
        ELSE (SELECT o.player_id FROM ranking_list AS o WHERE o.tournament_id = r.tournament_id
          AND o.round_number = r.round_number AND o.rank = s.rank) END)
FROM tournament AS l
CROSS JOIN ranking_list AS r
  ON r.tournament_id = l.id AND r.round_number = l.last_round
LEFT JOIN z_restart AS s ON s.tournament_id = l.id
  AND s.round_number = l.last_round + 1 AND s.player_id = r.player_id;

CREATE TRIGGER ranking_followed INSTEAD OF INSERT ON ranking
WHEN NOT EXISTS (SELECT 1 FROM ranking WHERE tournament_id = NEW.tournament_id
  AND player_id = NEW.player_id AND round_number = NEW.round_number AND score = NEW.score)
BEGIN
  SELECT RAISE(ABORT, 'the values in force are computed by the file, and this is not one of them: see view ranking (to hand out 50, 49, ..., type UPDATE rules SET top_value = 50 first)');
END;
CREATE TRIGGER ranking_kept INSTEAD OF DELETE ON ranking BEGIN
  SELECT RAISE(ABORT, 'the values in force are computed by the file: correct the game, the unplayed round or the rule');
END;
CREATE TRIGGER ranking_stays INSTEAD OF UPDATE ON ranking
WHEN NEW.score IS NOT OLD.score OR NEW.tournament_id IS NOT OLD.tournament_id
  OR NEW.player_id IS NOT OLD.player_id OR NEW.round_number IS NOT OLD.round_number
BEGIN
  SELECT RAISE(ABORT, 'the values in force are computed by the file: correct the game, the unplayed round or the rule');
END;
