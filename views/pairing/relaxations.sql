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
  -- A column of rules; or 'prohibited' (table prohibited_pairing) or 'rematch' (a Swiss).
  rule,
  -- By how much: see relaxation.amount.
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
  CAST(white.name || COALESCE(' and ' || black.name, '') || CASE x.rule
    WHEN 'prohibited' THEN ' meet, a prohibited pairing'
    WHEN 'rematch' THEN CASE WHEN x.black IS NULL THEN ' is left over' ELSE ' meet again' END
    WHEN 'max_meetings' THEN ' meet for the ' || (b.meetings + 1) || CASE
      WHEN (b.meetings + 1) % 100 IN (11, 12, 13) THEN 'th'
      WHEN (b.meetings + 1) % 10 = 1 THEN 'st' WHEN (b.meetings + 1) % 10 = 2 THEN 'nd'
      WHEN (b.meetings + 1) % 10 = 3 THEN 'rd' ELSE 'th' END
      || ' time: ' || (b.meetings + 1 - x.amount) || ' allowed'
    WHEN 'max_meetings_period' THEN ' meet again in this period, ' || x.amount
      || ' more than allowed'
    WHEN 'rematch_gap' THEN ' met in round ' || b.last_meeting || ': '
      || (x.round_number - 1 - b.last_meeting)
      || CASE x.round_number - 1 - b.last_meeting WHEN 1 THEN ' round' ELSE ' rounds' END
      || ' between instead of '
      || (x.round_number - 1 - b.last_meeting + x.amount)
    WHEN 'colour_run' THEN ' meet, and '
      || CASE x.amount WHEN 1 THEN 'one of them has' ELSE 'both have' END
      || ' one colour too often in a row'
    WHEN 'colour_difference' THEN ' meet, and '
      || CASE x.amount WHEN 1 THEN 'one of them has' ELSE 'both have' END
      || ' one colour too often'
    WHEN 'group_distance' THEN ' meet across groups'
    WHEN 'fewest_byes' THEN ' has the bye although another player has had fewer byes'
    WHEN 'bye_again' THEN ' has the bye in two rounds in a row'
    WHEN 'bye_at_start' THEN ' has the bye in the round in which they join'
    ELSE ': ' || x.rule END AS TEXT),
  x.why, x.white, x.black
FROM relaxation AS x
JOIN player AS white ON white.id = x.white
LEFT JOIN player AS black ON black.id = x.black
LEFT JOIN round AS g
  ON g.tournament_id = x.tournament_id AND g.round_number = x.round_number
  AND g.white = x.white AND g.black = x.black
LEFT JOIN unplayed AS bye
  ON bye.tournament_id = x.tournament_id AND bye.round_number = x.round_number
  AND bye.player_id = x.white AND bye.kind = 'bye' AND x.black IS NULL
LEFT JOIN _before AS b ON b.tournament_id = g.tournament_id
  AND b.round_number = g.round_number AND b.board = g.board
WHERE COALESCE(g.board, bye.player_id) IS NOT NULL;
