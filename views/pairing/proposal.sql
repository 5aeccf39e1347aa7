CREATE VIEW proposal (
  -- A row per board, and per bye, of a pairing of the coming round, from the top down: the first
  -- in the order for pairing meets the nearest with whom all others can still be paired by the
  -- rules, then the next of those left, and so on; where halves meet, the first of the other
  -- half. Where none was found soon, rules are given up, the last in possible_boards first.
  -- keizer next-round finds the best pairing; insert into view next_round to write this one.

  tournament_id, round_number,
  -- The board, from 1 at the top; NULL for a bye.
  board,
  -- player.id of White, or of the player with the bye; and the name.
  white_id, white,
  -- player.id of Black, NULL for a bye; and the name.
  black_id, black,
  -- Places among those present, from 1; as in possible_boards.
  white_place, black_place,
  -- What gives White the colour, as in table round.
  colour_by
) AS
WITH
  could AS MATERIALIZED (
    SELECT p.tournament_id, p.round_number, white_id, white, black_id, black, white_place,
      black_place, colour_by, left_over, floats, choice, halves_to,
      (u.system = 'swiss') * (unwanted_colour + strongly_unwanted) AS wish,
      min(white_line, black_line) AS line, max(white_line, black_line) AS other,
      row_number() OVER (PARTITION BY p.tournament_id, black_id IS NULL
        ORDER BY p.bye_at_start, p.bye_again, p.fewest_byes, bye_place, choice) AS turn,
      -- The weightiest rule that is broken, from 1 for the one that is given up first. From 10
      -- on one more pair may be left over each time.
      CASE WHEN legal THEN 0 WHEN left_over THEN 10 WHEN prohibited THEN 11 WHEN rematch THEN 10
        WHEN p.bye_at_start AND u.bye_at_start = 'hard' THEN 9
        WHEN p.bye_again AND u.bye_again = 'hard' THEN 8
        WHEN p.fewest_byes AND u.fewest_byes = 'hard' THEN 7
        WHEN p.max_meetings THEN 6 WHEN p.max_meetings_period THEN 5
        WHEN p.rematch_gap THEN 4 WHEN p.colour_run AND u.colour_run = 'hard' THEN 3
        WHEN p.colour_difference AND u.colour_difference = 'hard' THEN 2 ELSE 1 END AS given_up
    FROM possible_boards AS p
    CROSS JOIN rules AS u ON u.tournament_id = p.tournament_id
  ),
  found AS MATERIALIZED (
    SELECT t.id AS tournament_id, (
      WITH RECURSIVE attempt (given_up, boards) AS (
        SELECT -1, NULL
        UNION ALL
        SELECT a.given_up + 1, (
          -- Depth first: a row is who is still free, a 1 or 0 for each in the order for
          -- pairing, and the boards so far.
          WITH RECURSIVE search (depth, choice, free, boards, over) AS (
            SELECT 0, b.turn, CASE WHEN odd
                THEN substr(ones, 1, b.line - 1) || '0' || substr(ones, b.line + 1) ELSE ones END,
              CASE WHEN odd THEN ',' || b.line || '-' || b.other || ',' ELSE ',' END, 0
            FROM (
              SELECT replace(hex(zeroblob(count(*))), '00', '1') AS ones, count(*) % 2 AS odd
              FROM could AS b
              WHERE b.tournament_id = t.id AND b.black_id IS NULL
            ) JOIN could AS b ON b.tournament_id = t.id AND b.black_id IS NULL
              AND CASE WHEN odd THEN b.given_up <= a.given_up + 1 ELSE b.turn = 1 END
            UNION ALL
            SELECT s.depth + 1,
              1000000 * c.given_up + 10000 * c.floats + 2000 * c.wish
                + CASE WHEN c.halves_to = 0 THEN c.choice
                ELSE (length(replace(substr(s.free, c.line, c.other - c.line), '0', ''))
                  - length(replace(substr(s.free, c.line, c.halves_to - c.line + 1), '0', '')) / 2
                  + 1000) % 1000 END,
              substr(s.free, 1, c.line - 1) || '0'
                || substr(s.free, c.line + 1, c.other - c.line - 1) || '0'
                || substr(s.free, c.other + 1),
              s.boards || c.line || '-' || c.other || ',', s.over + c.left_over
            FROM search AS s
            CROSS JOIN could AS c ON c.tournament_id = t.id AND c.line = instr(s.free, '1')
              AND c.black_id IS NOT NULL AND substr(s.free, c.other, 1) = '1'
              AND c.given_up <= a.given_up + 1 AND s.over + c.left_over <= max(a.given_up - 8, 0)
            ORDER BY 1 DESC, 2
            LIMIT 20000
          )
          SELECT boards FROM search WHERE instr(free, '1') = 0 LIMIT 1)
        FROM attempt AS a
        WHERE a.boards IS NULL AND a.given_up < 500
      )
      SELECT boards FROM attempt WHERE boards IS NOT NULL
    ) AS boards
    FROM tournament AS t
    WHERE t.status = 'running'
  )
SELECT tournament_id, CAST(round_number AS INTEGER),
  CAST(CASE WHEN two THEN row_number() OVER (PARTITION BY tournament_id
    ORDER BY NOT two, min(white_place, black_place)) END AS INTEGER),
  CAST(white_id AS INTEGER), CAST(white AS TEXT), CAST(CASE WHEN two THEN black_id END AS INTEGER),
  CAST(CASE WHEN two THEN black END AS TEXT), CAST(white_place AS INTEGER),
  CAST(CASE WHEN two THEN black_place END AS INTEGER),
  CAST(CASE WHEN two THEN colour_by END AS TEXT)
FROM (
  SELECT c.*, c.black_id IS NOT NULL AND NOT c.left_over AS two
  FROM found AS f
  JOIN could AS c ON c.tournament_id = f.tournament_id
    AND instr(f.boards, ',' || c.line || '-' || c.other || ',')
  UNION ALL
  -- Of two who are left over the other one.
  SELECT b.*, 0
  FROM found AS f
  JOIN could AS c ON c.tournament_id = f.tournament_id AND c.left_over
    AND instr(f.boards, ',' || c.line || '-' || c.other || ',')
  JOIN could AS b ON b.tournament_id = c.tournament_id AND b.black_id IS NULL
    AND b.white_id = c.black_id
);
