CREATE VIEW relaxations (
  -- A row per rule that was given up in a pairing that still stands, because no
  -- pairing kept all rules (or because a person set it).

  tournament_id, round_number,
  -- NULL for a bye.
  board,
  -- Name of White, or of the player with the bye.
  white,
  -- NULL for a bye.
  black,
  -- A column of rules; or 'prohibited' (table prohibited_pairing) or 'rematch' or 'left_over'
  -- (a Swiss).
  rule,
  -- By how much: see reason.amount.
  amount,
  -- What is not as the rules ask.
  sentence,
  -- Why it could not be avoided.
  why,
  -- player.id of White, or of the player with the bye; and of Black, NULL for a bye.
  white_id, black_id
) AS
SELECT x.tournament_id, x.round_number, g.board, white.name, black.name,
  x.rule, x.amount,
  CAST(white.name || COALESCE(' and ' || black.name, '') || COALESCE(CASE x.rule
    WHEN 'prohibited' THEN ' meet, a prohibited pairing'
    WHEN 'rematch' THEN ' meet again'
    WHEN 'left_over' THEN ' is left over'
    WHEN 'max_meetings' THEN ' meet again, ' || x.amount || ' more than allowed'
    WHEN 'max_meetings_period' THEN ' meet again in this period, ' || x.amount
      || ' more than allowed'
    WHEN 'rematch_gap' THEN ' met in round ' || seat.last_meeting || ': '
      || (x.round_number - 1 - seat.last_meeting)
      || CASE x.round_number - 1 - seat.last_meeting WHEN 1 THEN ' round' ELSE ' rounds' END
      || ' between instead of '
      || (x.round_number - 1 - seat.last_meeting + x.amount)
    WHEN 'colour_run' THEN ' meet, and '
      || CASE x.amount WHEN 1 THEN 'one of them has' ELSE 'both have' END
      || ' one colour too often in a row'
    WHEN 'colour_difference' THEN ' meet, and '
      || CASE x.amount WHEN 1 THEN 'one of them has' ELSE 'both have' END
      || ' one colour too often'
    WHEN 'group_distance' THEN ' meet across groups'
    WHEN 'fewest_byes' THEN ' has the bye although another player has had fewer byes'
    WHEN 'bye_again' THEN ' has the bye although the last round was one, or counts as one'
    WHEN 'bye_at_start' THEN ' has the bye in the round in which they join'
    END, ': ' || x.rule) AS TEXT),
  CAST((SELECT y.sentence FROM z_because AS y WHERE y.id = x.id) AS TEXT), x.white, x.black
FROM reason AS x
LEFT JOIN reason AS seat ON seat.tournament_id = x.tournament_id
  AND seat.round_number = x.round_number AND seat.white = x.white AND seat.about = 'seat'
JOIN player AS white ON white.id = x.white
LEFT JOIN player AS black ON black.id = x.black
LEFT JOIN round AS g ON g.tournament_id = x.tournament_id AND g.white = x.white
  AND g.round_number = x.round_number AND g.black = x.black
WHERE x.about = 'given up';
