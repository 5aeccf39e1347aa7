CREATE VIEW z_present (
  -- A row per player who is present for the coming round of a running tournament: what counts of
  -- the player whoever they are paired with.

  tournament_id, round_number, player_id, name,
  -- Place among those present, from 1, in the order of pairing (view presence), and how many
  -- there are.
  place, present,
  -- As in presence.
  group_number,
  -- What a bye breaks, as in possible_boards; bye_legal: 1 when no hard rule.
  bye_at_start, bye_again, fewest_byes, bye_legal,
  -- How many have a lower place; in a Swiss, a lower score.
  below,
  -- In a Swiss, the place of their score among the scores, 1 = highest; else 1.
  score_group,
  -- The order for pairing, from 1: the place; by lot in a random first round.
  line,
  -- 1 when the upper half is to meet the lower, of all or of a score group; how many they are,
  -- and the line of the last.
  halves, size, to_line,
  -- In a Swiss, the float of the last round, and of the one before it (view z_float).
  float_last, float_before,
  -- Games with White less games with Black before the round.
  colour_difference,
  -- Length of the last run of one colour; of Black negative.
  colour_run,
  -- Above 0 for a player who had White less often, or not last; below 0 likewise for Black.
  preference,
  -- 1 when White would break rules.colour_run, or rules.colour_difference; 0 when that rule is
  -- off. white_legal: 1 when White would break no hard rule.
  white_run, white_difference, white_legal,
  -- Likewise with Black.
  black_run, black_difference, black_legal,
  -- What the two rules say against White less what they say against Black, the hard ones
  -- first: thousands, hundreds, tens, ones.
  colour_limit,
  -- The colours from the last game back, W and B, then N.
  colours,
  -- The order by these three: of two players the one with the lower number has White.
  claim,
  -- As in possible_boards.
  class
) AS
WITH RECURSIVE
  -- One row. SQLite expects many of what recurses, and makes an index to find the players by.
  many (one) AS (
    SELECT 1
    UNION ALL
    SELECT one FROM many WHERE 0
  )
SELECT tournament_id, round_number, player_id, name, place, present, group_number,
  bye_at_start, bye_again, fewest_byes,
  NOT (bye_barred OR fewest_byes AND fewest_rule = 'hard'),
  present - CASE WHEN swiss THEN to_line ELSE place END,
  score_group, CAST(line AS INTEGER), halves, size, to_line, float_last, float_before,
  colour_difference, run, CASE WHEN colour_difference THEN -colour_difference ELSE -run END,
  white_run, white_difference,
  NOT (white_run AND run_rule = 'hard' OR white_difference AND difference_rule = 'hard'),
  black_run, black_difference,
  NOT (black_run AND run_rule = 'hard' OR black_difference AND difference_rule = 'hard'),
  colour_limit, colours,
  dense_rank() OVER (PARTITION BY tournament_id
    ORDER BY colour_limit, colour_difference, colours),
  dense_rank() OVER (PARTITION BY tournament_id ORDER BY colour_limit,
    swiss * colour_difference, swiss * ((run > 0) - (run < 0)),
    CASE WHEN max_group_distance IS NOT NULL THEN group_number END)
FROM (
  -- One partition a level: so a query for one tournament reads no other.
  SELECT *,
    count(*) OVER part AS size, max(line) OVER part AS to_line,
    CASE run_rule WHEN 'hard' THEN 1000 ELSE 10 END * (white_run - black_run)
      + CASE difference_rule WHEN 'hard' THEN 100 ELSE 1 END
        * (white_difference - black_difference) AS colour_limit
  FROM (
    SELECT *,
      (fewest_rule <> 'off') * max(byes - COALESCE(
        min(CASE WHEN NOT bye_barred THEN byes END) OVER (PARTITION BY tournament_id),
        min(byes) OVER (PARTITION BY tournament_id)), 0) AS fewest_byes,
      run >= max_colour_run AND run_rule <> 'off' AS white_run,
      -run >= max_colour_run AND run_rule <> 'off' AS black_run,
      colour_difference >= 0 AND colour_difference + 1 > max_colour_difference
        AND difference_rule <> 'off' AS white_difference,
      colour_difference <= 0 AND 1 - colour_difference > max_colour_difference
        AND difference_rule <> 'off' AS black_difference,
      row_number() OVER (PARTITION BY tournament_id ORDER BY score_group,
        CASE WHEN drawn THEN (SELECT x * x % 65519 * x % 65519
          FROM (SELECT (player_id % 1000000 * 48271 + seed * 16807) % 65519 AS x)) END,
        CASE WHEN drawn THEN player_id ELSE place END) AS line
    FROM (
      SELECT *,
        row_number() OVER (PARTITION BY tournament_id ORDER BY pairing_rank) AS place,
        count(*) OVER (PARTITION BY tournament_id) AS present,
        dense_rank() OVER (PARTITION BY tournament_id ORDER BY swiss * score_units DESC)
          AS score_group,
        round_number = 1 AND first_round = 'random' AS drawn,
        CASE round_number WHEN 1 THEN first_round = 'halves'
          ELSE swiss AND swiss_within = 'halves' END AS halves,
        length(replace(colours, 'B', '')) - length(replace(colours, 'W', ''))
          AS colour_difference,
        length(ltrim(colours, 'B')) - length(ltrim(colours, 'W')) AS run
      FROM (
        SELECT p.tournament_id, p.round_number, p.player_id, p.name, p.pairing_rank, p.group_number,
          u.system = 'swiss' AS swiss, p.score_units, u.first_round, u.swiss_within, u.seed,
          u.max_group_distance,
          u.colour_run AS run_rule, u.max_colour_run,
          u.colour_difference AS difference_rule, u.max_colour_difference,
          p.starts AND u.bye_at_start <> 'off' AS bye_at_start,
          p.bye_last_round AND u.bye_again <> 'off' AS bye_again,
          p.starts AND u.bye_at_start = 'hard' OR p.bye_last_round AND u.bye_again = 'hard'
            AS bye_barred,
          u.fewest_byes AS fewest_rule,
          p.byes,
          CASE u.system WHEN 'swiss' THEN COALESCE((SELECT f.way FROM z_float AS f
            WHERE f.tournament_id = p.tournament_id AND f.player_id = p.player_id
              AND f.round_number = p.round_number - 1), 0) ELSE 0 END AS float_last,
          CASE u.system WHEN 'swiss' THEN COALESCE((SELECT f.way FROM z_float AS f
            WHERE f.tournament_id = p.tournament_id AND f.player_id = p.player_id
              AND f.round_number = p.round_number - 2), 0) ELSE 0 END AS float_before,
          COALESCE((SELECT group_concat(m.colour, '') OVER (ORDER BY m.round_number DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
              FROM z_colour AS m WHERE m.tournament_id = p.tournament_id
                AND m.player_id = p.player_id
                AND m.round_number < p.round_number LIMIT 1), '') || 'N' AS colours
        FROM tournament AS t
        CROSS JOIN presence AS p ON p.tournament_id = t.id
        CROSS JOIN rules AS u ON u.tournament_id = t.id
        WHERE t.status = 'running' AND p.absence IS NULL
      )
    )
  )
  WINDOW part AS (PARTITION BY tournament_id, score_group)
)
CROSS JOIN many;
