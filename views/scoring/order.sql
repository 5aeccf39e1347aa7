-- Who is ahead by rules.tiebreaks: by the first of them, then by one after the other.
CREATE TRIGGER order_made INSTEAD OF INSERT ON z_step
WHEN NEW.step = 'order' AND NEW.round_number > 0 AND (SELECT tiebreaks FROM rules
  WHERE tournament_id = NEW.tournament_id) <> 'score,previous'
BEGIN
  UPDATE ranking_list
    SET place = head.place
    FROM (
      SELECT r.player_id, rank() OVER (ORDER BY CASE o.name
        WHEN 'score' THEN r.score_units WHEN 'points' THEN r.points_units END DESC)
        AS place
      FROM rules AS u
      JOIN ranking_list AS r ON r.tournament_id = u.tournament_id
        AND r.round_number = NEW.round_number
      LEFT JOIN tiebreak_order AS o
        ON o.tournament_id = u.tournament_id AND o.position = 0
      WHERE u.tournament_id = NEW.tournament_id
        AND r.rank_before IS NOT NULL
    ) AS head
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = head.player_id;
  INSERT INTO z_step (tournament_id, round_number, step, number, name, lower_first)
    SELECT NEW.tournament_id, NEW.round_number, 'tie-break', o.position, o.name, o.lower_first
    FROM rules AS u
    JOIN tiebreak_order AS o ON o.tournament_id = u.tournament_id AND o.position > 0
    WHERE u.tournament_id = NEW.tournament_id
    ORDER BY o.position;
END;

CREATE TRIGGER ties_broken INSTEAD OF INSERT ON z_step
WHEN NEW.step = 'tie-break' AND EXISTS (SELECT 1 FROM ranking_list
  WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
    AND place IS NOT NULL
  GROUP BY place HAVING count(*) > 1)
BEGIN
  INSERT INTO z_step (tournament_id, round_number, step, number, name, view)
    SELECT NEW.tournament_id, NEW.round_number, 'figures', NEW.number, name, view
    FROM tiebreak WHERE name = NEW.name;
  UPDATE ranking_list
    SET place = parted.place
    FROM (
      SELECT r.player_id, rank() OVER (ORDER BY r.place, v.key IS NULL,
        CASE NEW.lower_first WHEN 1 THEN v.key ELSE -v.key END) AS place
      FROM ranking_list AS r
      LEFT JOIN tiebreak_value AS v
        ON v.tournament_id = r.tournament_id AND v.round_number = r.round_number
        AND v.player_id = r.player_id AND v.position = NEW.number
      WHERE r.tournament_id = NEW.tournament_id
        AND r.round_number = NEW.round_number AND r.place IS NOT NULL
    ) AS parted
    WHERE ranking_list.tournament_id = NEW.tournament_id
      AND ranking_list.round_number = NEW.round_number
      AND ranking_list.player_id = parted.player_id;
END;

-- Figures that stand in the list or with the entry. A tie-break that is computed from games has
-- such a trigger in the file where a rule names it: view on_demand.
CREATE TRIGGER standings_compared INSTEAD OF INSERT ON z_step
WHEN NEW.view = 'tiebreak_standings'
BEGIN
  INSERT INTO tiebreak_value
    (tournament_id, round_number, player_id, position, value, key)
    SELECT tournament_id, round_number, player_id, NEW.number, value, key
    FROM tiebreak_standings
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND name = NEW.name;
END;

CREATE TRIGGER entries_compared INSTEAD OF INSERT ON z_step
WHEN NEW.view = 'tiebreak_entry'
BEGIN
  INSERT INTO tiebreak_value
    (tournament_id, round_number, player_id, position, value, key)
    SELECT tournament_id, round_number, player_id, NEW.number, value, key
    FROM tiebreak_entry
    WHERE tournament_id = NEW.tournament_id AND round_number = NEW.round_number
      AND name = NEW.name;
END;
