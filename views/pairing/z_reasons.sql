CREATE VIEW z_reasons (
  -- Insert the id of a tournament to put on record what the boards and byes of its draft are
  -- based on, those that have no reasons yet. Open boards that a person seated get their places.

  tournament_id
) AS
SELECT id FROM tournament WHERE 0;

CREATE TRIGGER z_reasons_found INSTEAD OF INSERT ON z_reasons BEGIN
  UPDATE round SET colour_by = 'fixed', white_place = here.white_place,
      black_place = here.black_place
    FROM (
      WITH here AS MATERIALIZED (
        SELECT player_id, row_number() OVER (ORDER BY pairing_rank) AS place
        -- likely: SQLite expects many, and makes an index to find them by.
        FROM presence WHERE likely(tournament_id = NEW.tournament_id) AND absence IS NULL
      )
      SELECT g.id, w.place AS white_place, b.place AS black_place
      FROM tournament AS t
      CROSS JOIN round AS g ON g.tournament_id = t.id AND g.round_number = t.coming_round
        AND g.colour_by IS NULL AND g.result IS NULL
      CROSS JOIN here AS w ON w.player_id = g.white
      CROSS JOIN here AS b ON b.player_id = g.black
      WHERE t.id = NEW.tournament_id
    ) AS here
    WHERE round.id = here.id;
  INSERT INTO reason (tournament_id, round_number, white, black, about, rule, player_id, amount,
      last_meeting, white_colours, black_colours, because)
    WITH RECURSIVE
      -- One row. SQLite expects many of what recurses: see likely, above.
      many (one) AS (
        SELECT 1
        UNION ALL
        SELECT one FROM many WHERE 0
      ),
      -- A row per board and bye without reasons; the higher place of the two first.
      seat AS MATERIALIZED (
        SELECT g.round_number, g.white, g.black, g.colour_by AS rule, g.colour_by = 'fixed' AS hand,
          min(g.white_place, g.black_place) AS high, max(g.white_place, g.black_place) AS low,
          CASE WHEN g.white_place < g.black_place THEN g.white ELSE g.black END AS upper,
          CASE WHEN g.white_place < g.black_place THEN g.black ELSE g.white END AS lower
        FROM tournament AS t
        CROSS JOIN round AS g ON g.tournament_id = t.id AND g.round_number = t.coming_round
        WHERE t.id = NEW.tournament_id AND g.white_place IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM reason AS r WHERE r.tournament_id = t.id
            AND r.round_number = g.round_number AND r.white = g.white AND r.about = 'seat')
        UNION ALL
        SELECT u.round_number, u.player_id, NULL, 'bye', u.place IS NULL, u.place, NULL,
          u.player_id, u.player_id
        FROM tournament AS t
        CROSS JOIN unplayed AS u ON u.tournament_id = t.id AND u.round_number = t.coming_round
        WHERE t.id = NEW.tournament_id AND u.kind = 'bye'
          AND NOT EXISTS (SELECT 1 FROM reason AS r WHERE r.tournament_id = t.id
            AND r.round_number = u.round_number AND r.white = u.player_id AND r.about = 'seat')
      ),
      free AS MATERIALIZED (
        SELECT upper AS player_id, high AS place, low AS opposite FROM seat
        WHERE NOT hand AND black IS NOT NULL
        UNION ALL SELECT lower, low, high FROM seat WHERE NOT hand AND black IS NOT NULL
      ),
      -- Where each player is in the order for pairing, and in that for White.
      present AS MATERIALIZED (
        SELECT player_id, line, claim FROM z_present CROSS JOIN many
        WHERE likely(tournament_id = NEW.tournament_id)
      ),
      -- Where neighbours are to meet, the places between the two of each board.
      nearer (white, place, low) AS (
        SELECT white, high + 1, low FROM seat
        CROSS JOIN rules AS u ON u.tournament_id = NEW.tournament_id
        WHERE NOT hand AND high + 1 < low AND CASE round_number WHEN 1 THEN u.first_round = 'adjacent'
          ELSE u.system = 'keizer' OR u.swiss_within = 'adjacent' END
        UNION ALL
        SELECT white, place + 1, low FROM nearer WHERE place + 1 < low
      ),
      -- The seats, and meetings with those who were nearer.
      asked AS MATERIALIZED (
        SELECT lower AS other, white AS seated, NULL AS player_id, seat.*
        FROM seat
        UNION ALL
        SELECT player_id, NULL, player_id, round_number, white,
          black, rule, hand, high, low, upper, lower
        FROM (
          SELECT seat.*, free.player_id,
            row_number() OVER (PARTITION BY seat.white ORDER BY free.place) AS turn
          FROM seat
          CROSS JOIN nearer ON nearer.white = seat.white
          CROSS JOIN free ON free.place = nearer.place AND free.opposite > seat.high
        )
        WHERE turn <= 5
      ),
      seen AS MATERIALIZED (
        SELECT a.*, p.meetings, p.last_meeting, p.last_white, p.prohibited, p.rematch,
          p.bye_at_start, p.bye_again, p.fewest_byes, p.max_meetings, p.max_meetings_period,
          p.rematch_gap, p.group_distance,
          CASE WHEN p.white_id <> a.seated THEN p.reversed_run ELSE p.colour_run END AS colour_run,
          CASE WHEN p.white_id <> a.seated THEN p.reversed_difference
            ELSE p.colour_difference END AS colour_difference,
          NULLIF(CASE p.white_id WHEN a.seated THEN p.white_colours ELSE p.black_colours END, '')
            AS white_had,
          NULLIF(CASE p.white_id WHEN a.seated THEN p.black_colours ELSE p.white_colours END, '')
            AS black_had,
          CASE p.white_id = a.seated WHEN p.white_line < p.black_line THEN 'first'
            ELSE 'later' END AS comes,
          a.rule = 'bye' AND NOT hand AND 1 < (SELECT count(*) FROM seat
            WHERE rule = 'bye' AND NOT hand) AS over
        FROM asked AS a
        CROSS JOIN present AS one ON one.player_id = a.upper
        CROSS JOIN present AS two ON two.player_id = a.other
        -- White is who has the lower claim; if it is the same, possible_boards has one of both ways.
        CROSS JOIN (VALUES (0), (1)) AS turned
          ON CASE turned.column1 WHEN 0 THEN one.claim <= two.claim ELSE one.claim >= two.claim END
            AND (a.upper <> a.other OR turned.column1 = 0)
        CROSS JOIN possible_boards AS p ON p.tournament_id = NEW.tournament_id
          AND p.white_line = CASE WHEN turned.column1 THEN two.line ELSE one.line END
          AND p.black_line = CASE WHEN turned.column1 THEN one.line ELSE two.line END
      )
    SELECT NEW.tournament_id, round_number, white, black,
      CASE WHEN step = 0 THEN 'seat' WHEN seated THEN 'given up' ELSE 'nearer' END,
      CASE step WHEN 0 THEN rule ELSE kept END,
      CASE WHEN step THEN player_id WHEN rule <> 'bye' THEN last_white
        ELSE (SELECT player_id FROM free WHERE place > high ORDER BY place DESC LIMIT 1) END,
      CASE WHEN step THEN amount * (kept <> 'fit') WHEN rule <> 'bye' THEN meetings
        ELSE COALESCE((SELECT count(*) OVER () FROM z_bye_had AS o
          WHERE o.tournament_id = NEW.tournament_id AND o.player_id = white
            AND o.round_number < first.round_number LIMIT 1), 0) END,
      CASE step WHEN 0 THEN last_meeting END, CASE step WHEN 0 THEN white_had END,
      CASE step WHEN 0 THEN black_had END,
      CASE WHEN step = 0 AND rule <> 'bye'
        THEN CASE rule WHEN 'rank' THEN system || ', ' || comes END
        WHEN seated THEN CASE WHEN hand THEN 'hand'
          WHEN CASE step WHEN 0 THEN over ELSE kept = 'left_over' END THEN 'over'
          WHEN step OR high < (SELECT max(place) FROM free) THEN 'found' ELSE 'last' END END
    FROM (
      SELECT *, min(step) OVER (PARTITION BY white, player_id) AS first_step
      FROM (
        SELECT s.*, u.system, kept.column1 AS step, kept.column2 AS kept,
          CASE kept.column2
            WHEN 'seat' THEN seated
            WHEN 'prohibited' THEN s.prohibited
            WHEN 'rematch' THEN s.rematch
            WHEN 'left_over' THEN s.over
            WHEN 'bye_at_start' THEN (u.bye_at_start = 'hard' AND rule = 'bye') * s.bye_at_start
            WHEN 'bye_again' THEN (u.bye_again = 'hard' AND rule = 'bye') * s.bye_again
            WHEN 'fewest_byes' THEN (u.fewest_byes = 'hard' AND rule = 'bye') * s.fewest_byes
            WHEN 'max_meetings' THEN s.max_meetings
            WHEN 'max_meetings_period' THEN s.max_meetings_period
            WHEN 'rematch_gap' THEN s.rematch_gap
            WHEN 'colour_run' THEN (u.colour_run = 'hard') * s.colour_run
            WHEN 'colour_difference' THEN (u.colour_difference = 'hard') * s.colour_difference
            WHEN 'group_distance' THEN s.group_distance
            ELSE seated IS NULL END AS amount
        FROM seen AS s
        CROSS JOIN rules AS u ON u.tournament_id = NEW.tournament_id
        CROSS JOIN (
          VALUES (0, 'seat'), (1, 'prohibited'), (2, 'rematch'), (3, 'left_over'),
            (4, 'bye_at_start'), (5, 'bye_again'), (6, 'fewest_byes'), (7, 'max_meetings'),
            (8, 'max_meetings_period'), (9, 'rematch_gap'), (10, 'colour_run'),
            (11, 'colour_difference'), (12, 'group_distance'), (13, 'fit')
        ) AS kept
      )
      WHERE amount > 0
    ) AS first
    WHERE seated OR step = first_step;
END;
