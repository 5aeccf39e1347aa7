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
  white_id, black_id,
  -- The sentence and why as English templates, in which {white} is column white.
  message, why_message,
  -- reason.because: 'hand' where a person set it.
  because,
  -- For rule 'rematch_gap': the round of the last meeting, the rounds between the two meetings,
  -- and how many there should be. Else NULL.
  last_meeting, rounds_between, rounds_due,
  -- For why: a word of keizer's for what there would be more of, and how much there would be,
  -- and is (reason.there, reason.here).
  what, there, here,
  -- For why: the player that it names.
  other
) AS
SELECT tournament_id, round_number, board, white, black, rule, amount,
  -- A brace in a name waits as char(1) until all is put in.
  CAST(replace(replace(replace(replace(replace(replace(replace(replace(message,
    '{amount}', amount), '{rounds_between}', COALESCE(rounds_between, '')),
    '{rounds_due}', COALESCE(rounds_due, '')), '{last_meeting}', COALESCE(last_meeting, '')),
    '{rule}', replace(rule, '{', char(1))), '{white}', replace(white, '{', char(1))),
    '{black}', COALESCE(black, '')), char(1), '{') AS TEXT),
  -- A join would work out z_because for the reasons of all rounds.
  CAST((SELECT y.sentence FROM z_because AS y WHERE y.id = x.id) AS TEXT), white_id, black_id,
  CAST(message AS TEXT), CAST((SELECT y.message FROM z_because AS y WHERE y.id = x.id) AS TEXT),
  because, CAST(last_meeting AS INTEGER), CAST(rounds_between AS INTEGER),
  CAST(rounds_due AS INTEGER),
  CAST((SELECT y.what FROM z_because AS y WHERE y.id = x.id) AS TEXT), there, here,
  CAST((SELECT y.other FROM z_because AS y WHERE y.id = x.id) AS TEXT)
FROM (
  SELECT x.id, x.tournament_id, x.round_number, g.board, white.name AS white, black.name AS black,
    x.rule, x.amount, x.white AS white_id, x.black AS black_id, x.because, x.there, x.here,
    CASE x.rule WHEN 'rematch_gap' THEN seat.last_meeting END AS last_meeting,
    CASE x.rule WHEN 'rematch_gap' THEN x.round_number - 1 - seat.last_meeting
      END AS rounds_between,
    CASE x.rule WHEN 'rematch_gap' THEN x.round_number - 1 - seat.last_meeting + x.amount
      END AS rounds_due,
    CASE x.rule
      WHEN 'prohibited' THEN '{white} and {black} meet, a prohibited pairing'
      WHEN 'rematch' THEN '{white} and {black} meet again'
      WHEN 'left_over' THEN '{white} is left over'
      WHEN 'max_meetings' THEN '{white} and {black} meet again, {amount} more than allowed'
      WHEN 'max_meetings_period'
      THEN '{white} and {black} meet again in this period, {amount} more than allowed'
      WHEN 'rematch_gap' THEN CASE
        WHEN seat.last_meeting IS NULL THEN '{white} and {black}: {rule}'
        WHEN x.round_number - 2 = seat.last_meeting
        THEN '{white} and {black} met in round {last_meeting}: {rounds_between} round between'
          || ' instead of {rounds_due}'
        ELSE '{white} and {black} met in round {last_meeting}: {rounds_between} rounds between'
          || ' instead of {rounds_due}' END
      WHEN 'colour_run' THEN CASE x.amount
        WHEN 1 THEN '{white} and {black} meet, and one of them has one colour too often in a row'
        ELSE '{white} and {black} meet, and both have one colour too often in a row' END
      WHEN 'colour_difference' THEN CASE x.amount
        WHEN 1 THEN '{white} and {black} meet, and one of them has one colour too often'
        ELSE '{white} and {black} meet, and both have one colour too often' END
      WHEN 'group_distance' THEN '{white} and {black} meet across groups'
      WHEN 'fewest_byes' THEN '{white} has the bye although another player has had fewer byes'
      WHEN 'bye_again'
      THEN '{white} has the bye although the last round was one, or counts as one'
      WHEN 'bye_at_start' THEN '{white} has the bye in the round in which they join'
      ELSE CASE WHEN x.black IS NULL THEN '{white}: {rule}'
        ELSE '{white} and {black}: {rule}' END END AS message
  FROM reason AS x
  LEFT JOIN reason AS seat ON seat.tournament_id = x.tournament_id
    AND seat.round_number = x.round_number AND seat.white = x.white AND seat.about = 'seat'
  JOIN player AS white ON white.id = x.white
  LEFT JOIN player AS black ON black.id = x.black
  LEFT JOIN round AS g ON g.tournament_id = x.tournament_id AND g.white = x.white
    AND g.round_number = x.round_number AND g.black = x.black
  WHERE x.about = 'given up'
) AS x;
