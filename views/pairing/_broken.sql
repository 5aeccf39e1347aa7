CREATE VIEW _broken (
  -- A row per board of possible_boards, with its colours or with these reversed, and hard
  -- rule that it breaks; and one without a rule. Insert the rows of a board that a person
  -- seated to put its places and what it breaks on record.

  tournament_id, round_number,
  -- player.id of White, or of the player with the bye; and of Black, NULL for a bye.
  white_id, black_id,
  -- Places of the two among those present by rank, from 1.
  white_place, black_place,
  -- 1 with the colours reversed.
  reversed,
  -- The order in which rules are kept, from 1; 0 without a rule.
  step,
  -- As in relaxation.
  rule, amount
) AS
SELECT * FROM (
  SELECT p.tournament_id, p.round_number,
    CASE seating.column1 WHEN 0 THEN p.white_id ELSE p.black_id END,
    CASE seating.column1 WHEN 0 THEN p.black_id ELSE p.white_id END,
    CASE seating.column1 WHEN 0 THEN p.white_place ELSE p.black_place END,
    CASE seating.column1 WHEN 0 THEN p.black_place ELSE p.white_place END,
    seating.column1, kept.column1 AS step, kept.column2,
    CASE kept.column2
      WHEN 'prohibited' THEN p.prohibited
      WHEN 'rematch' THEN p.rematch
      WHEN 'bye_at_start' THEN (u.bye_at_start = 'hard') * p.bye_at_start
      WHEN 'bye_again' THEN (u.bye_again = 'hard') * p.bye_again
      WHEN 'fewest_byes' THEN (u.fewest_byes = 'hard') * p.fewest_byes
      WHEN 'max_meetings' THEN p.max_meetings
      WHEN 'max_meetings_period' THEN p.max_meetings_period
      WHEN 'rematch_gap' THEN p.rematch_gap
      WHEN 'colour_run' THEN (u.colour_run = 'hard')
        * CASE seating.column1 WHEN 0 THEN p.colour_run ELSE p.reversed_run END
      WHEN 'colour_difference' THEN (u.colour_difference = 'hard')
        * CASE seating.column1 WHEN 0 THEN p.colour_difference ELSE p.reversed_difference END
      ELSE p.group_distance END AS amount
  FROM (VALUES (0), (1)) AS seating
  CROSS JOIN possible_boards AS p
  CROSS JOIN rules AS u ON u.tournament_id = p.tournament_id
  CROSS JOIN (
    VALUES (0, NULL), (1, 'prohibited'), (2, 'rematch'), (3, 'bye_at_start'), (4, 'bye_again'),
      (5, 'fewest_byes'), (6, 'max_meetings'), (7, 'max_meetings_period'),
      (8, 'rematch_gap'), (9, 'colour_run'), (10, 'colour_difference'), (11, 'group_distance')
  ) AS kept
  WHERE seating.column1 = 0 OR p.black_id IS NOT NULL
)
WHERE amount > 0 OR step = 0;

CREATE TRIGGER _broken_noted INSTEAD OF INSERT ON _broken BEGIN
  UPDATE round
    SET white_place = NEW.white_place, black_place = NEW.black_place, colour_by = 'fixed'
    WHERE NEW.step = 0 AND tournament_id = NEW.tournament_id
      AND round_number = NEW.round_number AND white = NEW.white_id;
  INSERT INTO relaxation (tournament_id, round_number, white, black, rule, amount, why)
    SELECT NEW.tournament_id, NEW.round_number, NEW.white_id, NEW.black_id, NEW.rule,
      NEW.amount, 'Settled by hand.'
    WHERE NEW.step > 0;
END;
