CREATE VIEW proposal (
  -- A row per board, and for the bye, of a pairing of the coming round in which no rule is
  -- broken: by aim top-down, whatever rules.aim says. The highest-ranked meets the nearest
  -- with whom all others can still be paired, then the next of those left, and so on. No
  -- row where there is none, where it was not found soon, and in a Swiss: then
  -- keizer next-round finds the best one. Insert into view next_round to write it.

  tournament_id, round_number,
  -- The board, from 1 at the top; NULL for a bye.
  board,
  -- player.id of White, or of the player with the bye; and the name.
  white_id, white,
  -- player.id of Black, NULL for a bye; and the name.
  black_id, black,
  -- Places among those present by rank, from 1; as in possible_boards.
  white_place, black_place,
  -- What gives White the colour, as in table round.
  colour_by
) AS
WITH
  legal AS MATERIALIZED (
    SELECT *, min(white_line, black_line) AS line, max(white_line, black_line) AS other,
      row_number() OVER (PARTITION BY tournament_id, black_id IS NULL
        ORDER BY bye_at_start, bye_again, fewest_byes, bye_place) AS turn
    FROM possible_boards
    WHERE legal
  ),
  -- Depth first: a row is who is still free, a 1 or 0 for each in the order for pairing, and
  -- the boards so far.
  found AS MATERIALIZED (
    SELECT t.id AS tournament_id, (
      WITH RECURSIVE search (depth, choice, free, boards) AS (
        SELECT 0, 0, replace(hex(zeroblob(count(*))), '00', '1'), ','
        FROM presence AS p
        WHERE p.tournament_id = t.id AND p.absence IS NULL
        GROUP BY p.tournament_id
        HAVING count(*) % 2 = 0
        UNION ALL
        SELECT 0, b.turn, substr(ones, 1, b.line - 1) || '0' || substr(ones, b.line + 1),
          ',' || b.line || '-' || b.other || ','
        FROM (
          SELECT replace(hex(zeroblob(count(*))), '00', '1') AS ones
          FROM presence AS p
          WHERE p.tournament_id = t.id AND p.absence IS NULL
          GROUP BY p.tournament_id
          HAVING count(*) % 2
        ) JOIN legal AS b ON b.tournament_id = t.id AND b.black_id IS NULL
        UNION ALL
        SELECT s.depth + 1, c.choice, substr(s.free, 1, c.line - 1) || '0'
            || substr(s.free, c.line + 1, c.other - c.line - 1) || '0'
            || substr(s.free, c.other + 1),
          s.boards || c.line || '-' || c.other || ','
        FROM search AS s
        CROSS JOIN legal AS c ON c.tournament_id = t.id AND c.line = instr(s.free, '1')
          AND c.black_id IS NOT NULL AND substr(s.free, c.other, 1) = '1'
        ORDER BY 1 DESC, 2
        LIMIT 20000
      )
      SELECT boards FROM search WHERE instr(free, '1') = 0 LIMIT 1
    ) AS boards
    FROM tournament AS t
    JOIN rules AS u ON u.tournament_id = t.id
    WHERE t.status = 'running' AND u.system = 'keizer'
  )
SELECT c.tournament_id, CAST(c.round_number AS INTEGER),
  CAST(CASE WHEN c.black_id IS NOT NULL THEN row_number() OVER (PARTITION BY c.tournament_id
    ORDER BY c.black_id IS NULL, min(c.white_place, c.black_place)) END AS INTEGER),
  CAST(c.white_id AS INTEGER), CAST(c.white AS TEXT), CAST(c.black_id AS INTEGER),
  CAST(c.black AS TEXT), CAST(c.white_place AS INTEGER), CAST(c.black_place AS INTEGER),
  CAST(c.colour_by AS TEXT)
FROM found AS f
JOIN legal AS c ON c.tournament_id = f.tournament_id
  AND instr(f.boards, ',' || c.line || '-' || c.other || ',');
