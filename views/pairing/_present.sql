CREATE VIEW _present (
  -- A row per player who is present for the coming round of a running tournament: what
  -- counts of the player whoever they are paired with.

  tournament_id, round_number, player_id, name,
  -- Place among those present by rank, from 1, and how many there are.
  place, present,
  -- As in presence.
  group_number,
  -- What a bye breaks, as in possible_boards; bye_legal: 1 when no hard rule.
  bye_at_start, bye_again, fewest_byes, bye_legal,
  -- In a Swiss, the place of their score among the scores, 1 = highest; else 1.
  score_group,
  -- The order for pairing, from 1: the place; by lot in a random first round; in a Swiss by
  -- score, then rank.
  line,
  -- Where those among whom neighbours or halves are formed begin and end in that order: all
  -- players, or a score group.
  from_line, to_line,
  -- How far down the ideal opponent is: 1 of neighbours; with halves, half of them.
  ideal,
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
  claim
) AS
SELECT tournament_id, round_number, player_id, name, place, present, group_number,
  bye_at_start, bye_again, fewest_byes,
  NOT (bye_barred OR fewest_byes AND fewest_rule = 'hard'),
  score_group, line, from_line, to_line,
  CASE WHEN halves THEN max(1, (to_line + 1 - from_line) / 2) ELSE 1 END,
  colour_difference, run, CASE WHEN colour_difference THEN -colour_difference ELSE -run END,
  white_run, white_difference,
  NOT (white_run AND run_rule = 'hard' OR white_difference AND difference_rule = 'hard'),
  black_run, black_difference,
  NOT (black_run AND run_rule = 'hard' OR black_difference AND difference_rule = 'hard'),
  colour_limit, colours,
  dense_rank() OVER (PARTITION BY tournament_id
    ORDER BY colour_limit, colour_difference, colours)
FROM (
  -- One partition a level: so a query for one tournament reads no other.
  SELECT *,
    min(line) OVER part + (min(line) OVER part + 1) % 2 AS from_line,
    max(line) OVER part AS to_line,
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
        CASE WHEN round_number = 1 AND first_round = 'random'
          THEN ((player_id % 1000000 * 48271 + seed * 16807) % 65521 * 40014 + seed) % 65519
          END, place) AS line
    FROM (
      SELECT *,
        row_number() OVER (PARTITION BY tournament_id ORDER BY rank) AS place,
        count(*) OVER (PARTITION BY tournament_id) AS present,
        CASE system WHEN 'swiss' THEN dense_rank() OVER (PARTITION BY tournament_id
          ORDER BY score_units DESC) ELSE 1 END AS score_group,
        CASE round_number WHEN 1 THEN first_round = 'halves'
          ELSE system = 'swiss' AND swiss_within = 'halves' END AS halves,
        length(replace(colours, 'B', '')) - length(replace(colours, 'W', ''))
          AS colour_difference,
        length(ltrim(colours, 'B')) - length(ltrim(colours, 'W')) AS run
      FROM (
        SELECT p.tournament_id, p.round_number, p.player_id, p.name, p.rank, p.group_number,
          p.score_units, u.system, u.first_round, u.swiss_within, u.seed,
          u.colour_run AS run_rule, u.max_colour_run,
          u.colour_difference AS difference_rule, u.max_colour_difference,
          p.starts AND u.bye_at_start <> 'off' AS bye_at_start,
          p.bye_last_round AND u.bye_again <> 'off' AS bye_again,
          p.starts AND u.bye_at_start = 'hard' OR p.bye_last_round AND u.bye_again = 'hard'
            AS bye_barred,
          u.fewest_byes AS fewest_rule,
          p.byes,
          COALESCE((SELECT group_concat(m.colour, '') OVER (ORDER BY m.round_number DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
              FROM _colour AS m WHERE m.tournament_id = p.tournament_id
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
);
