CREATE VIEW pairing_reasons (
  -- A row per board and reason for its pairing, in words: the places of the two in the order of
  -- pairing, when they had met, why White has White, and which nearer opponents were skipped;
  -- for a bye, why this player has it. All as it was when the round was paired, whatever is
  -- corrected later. A game that keizer did not see paired has none.

  tournament_id, round_number,
  -- round.board; NULL for a bye.
  board,
  -- Name of White, or of the player with the bye.
  white,
  -- Name of Black; NULL for a bye.
  black,
  -- 'rank', 'meeting', 'colour' or 'nearer'; 'bye' of a bye.
  about,
  -- One sentence.
  sentence,
  -- player.id of White, or of the player with the bye; and of Black, NULL for a bye.
  white_id, black_id,
  -- The sentence as an English template, in which {white} is column white; {why} is why_message.
  message, why_message,
  -- Places between the two, meetings or byes before, games too many, rounds missing, or colours
  -- too often: whatever the sentence counts.
  number,
  -- The places of the two in the order of pairing, White's also of a bye.
  white_place, black_place,
  -- The round in which the two had met last.
  last_meeting,
  -- Who had White then; the nearer opponent; of a bye, the last of those who could have had it.
  other,
  -- Who of the two comes first in the order of pairing.
  upper,
  -- Games with White and with Black before: of White, and of Black.
  whites, blacks, other_whites, other_blacks,
  -- What decided (reason.rule), and for a bye why (reason.because).
  rule, because,
  -- For a bye: a word of keizer's for what there would be more of if other had it, and how much
  -- there would be, and is (reason.there, reason.here).
  what, there, here
) AS
WITH
  known AS (
    SELECT reason.*, COALESCE(white_colours, '') AS whites_had,
      COALESCE(black_colours, '') AS blacks_had
    FROM reason
    WHERE black IS NOT NULL AND about <> 'given up'
  ),
  told AS (
    SELECT r.*, t.column1 AS topic, w.name AS white_name, b.name AS black_name, o.name AS other,
      g.board, g.white_place, g.black_place,
      CAST(length(replace(whites_had, 'B', '')) AS INTEGER) AS whites,
      CAST(length(replace(whites_had, 'W', '')) AS INTEGER) AS blacks,
      CAST(length(replace(blacks_had, 'B', '')) AS INTEGER) AS other_whites,
      CAST(length(replace(blacks_had, 'W', '')) AS INTEGER) AS other_blacks,
      length(whites_had) - length(ltrim(whites_had, 'B')) + 1 AS black_run,
      length(blacks_had) - length(ltrim(blacks_had, 'W')) + 1 AS white_run,
      -- Where the colours of the two first differ, 1 being the last game.
      (WITH RECURSIVE counted (number) AS (
          SELECT 1 UNION ALL SELECT number + 1 FROM counted
          WHERE number <= max(length(whites_had), length(blacks_had))
        )
        SELECT min(number) FROM counted
        WHERE substr(whites_had, number, 1) <> substr(blacks_had, number, 1)) AS differ
    FROM known AS r
    JOIN (VALUES ('rank'), ('meeting'), ('colour'), ('nearer')) AS t
      ON CASE r.about WHEN 'nearer' THEN t.column1 = 'nearer' WHEN 'seat'
        THEN t.column1 <> 'nearer' AND (t.column1 <> 'meeting' OR r.amount > 0) END
    JOIN round AS g ON g.tournament_id = r.tournament_id AND g.white = r.white
      AND g.round_number = r.round_number AND g.black = r.black
    JOIN player AS w ON w.id = r.white
    JOIN player AS b ON b.id = r.black
    LEFT JOIN player AS o ON o.id = r.player_id
  ),
  worded AS (
    SELECT *, CAST(CASE topic WHEN 'rank' THEN abs(white_place - black_place)
        WHEN 'colour' THEN CASE rule WHEN 'colour_run' THEN max(black_run, white_run)
          ELSE 1 + max(blacks - whites, other_whites - other_blacks) END
        ELSE amount END AS INTEGER) AS number,
      CASE WHEN white_place < black_place THEN white_name ELSE black_name END AS upper,
      CASE topic
        WHEN 'rank' THEN CASE abs(white_place - black_place)
          WHEN 1 THEN 'Neighbours in the order of pairing: {white_place} and {black_place}.'
          ELSE '{number} places apart in the order of pairing: {white_place} and {black_place}.'
          END
        WHEN 'meeting' THEN CASE amount
          WHEN 1
          THEN 'They had met once, in round {last_meeting}, when {other} had the white pieces.'
          ELSE 'They had met {number} times, last in round {last_meeting}, when {other} had the'
            || ' white pieces.' END
        WHEN 'nearer' THEN '{other} is nearer to {upper}, but {why}'
        ELSE '{white} has the white pieces: {why}' END AS message,
      CASE topic WHEN 'nearer' THEN CASE rule
          WHEN 'fit' THEN 'the round as a whole comes out better like this.'
          WHEN 'prohibited' THEN 'their pairing is prohibited.'
          WHEN 'rematch' THEN 'they had met.'
          WHEN 'max_meetings' THEN 'that would be {number} more than they may meet in a season.'
          WHEN 'max_meetings_period'
          THEN 'that would be {number} more than they may meet in a period.'
          WHEN 'rematch_gap' THEN CASE amount
            WHEN 1 THEN 'they had met too recently: {number} round was missing.'
            ELSE 'they had met too recently: {number} rounds were missing.' END
          WHEN 'group_distance'
          THEN 'their groups are {number} further apart than they may be.'
          WHEN 'colour_run' THEN CASE amount
            WHEN 1 THEN 'one of them would have one colour too often in a row.'
            ELSE 'both of them would have one colour too often in a row.' END
          WHEN 'colour_difference' THEN CASE amount
            WHEN 1 THEN 'one of them would have one colour too often.'
            ELSE 'both of them would have one colour too often.' END
          ELSE '{rule}.' END
        WHEN 'colour' THEN CASE rule
          WHEN 'difference' THEN CASE blacks
            WHEN 1 THEN '{white} had had them {whites} and the black ones {blacks} time, {black}'
              || ' {other_whites} and {other_blacks}.'
            ELSE '{white} had had them {whites} and the black ones {blacks} times, {black}'
              || ' {other_whites} and {other_blacks}.' END
          WHEN 'last' THEN CASE
            WHEN substr(whites_had, differ, 1) <> 'B'
            THEN 'counting back from the last game, their colours first differ where {black} had'
              || ' white and {white} no game yet.'
            WHEN substr(blacks_had, differ, 1) = 'W'
            THEN 'counting back from the last game, their colours first differ where {white} had'
              || ' black and {black} white.'
            ELSE 'counting back from the last game, their colours first differ where {white} had'
              || ' black and {black} no game yet.' END
          WHEN 'meeting' THEN '{black} had them when the two last met, in round {last_meeting}.'
          WHEN 'colour_difference' THEN CASE
            WHEN blacks - whites < other_whites - other_blacks THEN CASE other_whites
              WHEN other_blacks
              THEN 'the other way round, {black} would have had white {number} time more than'
                || ' black.'
              ELSE 'the other way round, {black} would have had white {number} times more than'
                || ' black.' END
            WHEN blacks = whites
            THEN 'the other way round, {white} would have had black {number} time more than white.'
            ELSE 'the other way round, {white} would have had black {number} times more than white.'
            END
          WHEN 'colour_run' THEN CASE
            WHEN black_run < white_run AND white_run = 1
            THEN 'the other way round, {black} would have had white {number} time in a row.'
            WHEN black_run < white_run
            THEN 'the other way round, {black} would have had white {number} times in a row.'
            WHEN black_run = 1
            THEN 'the other way round, {white} would have had black {number} time in a row.'
            ELSE 'the other way round, {white} would have had black {number} times in a row.' END
          WHEN 'rank' THEN CASE
            WHEN because LIKE 'keizer%'
            THEN 'nothing else decides, and {white} comes later in the order of pairing.'
            WHEN because LIKE '%first' THEN CASE whites_had
              WHEN ''
              THEN 'nothing else decides, and {white}, who comes before {black} in the order'
                || ' of pairing, has an odd place there.'
              ELSE 'nothing else decides, and {white}, who comes before {black} in the order'
                || ' of pairing, had black last.' END
            ELSE CASE blacks_had
              WHEN ''
              THEN 'nothing else decides, and {black}, who comes before {white} in the order'
                || ' of pairing, has an even place there.'
              ELSE 'nothing else decides, and {black}, who comes before {white} in the order'
                || ' of pairing, had white last.' END END
          ELSE 'the board was settled by hand.' END END AS why_message
    FROM told
  )
SELECT tournament_id, round_number, board, white_name, black_name, CAST(topic AS TEXT),
  -- A brace in a name waits as char(1) until all is put in.
  CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(message, '{why}', COALESCE(why_message, '')),
    '{number}', number), '{white_place}', COALESCE(white_place, '')),
    '{black_place}', COALESCE(black_place, '')), '{last_meeting}', COALESCE(last_meeting, '')),
    '{whites}', whites), '{blacks}', blacks), '{other_whites}', other_whites),
    '{other_blacks}', other_blacks), '{rule}', replace(rule, '{', char(1))),
    '{white}', replace(white_name, '{', char(1))), '{black}', replace(black_name, '{', char(1))),
    '{upper}', replace(upper, '{', char(1))), '{other}', COALESCE(other, '')), char(1), '{')
    AS TEXT), white, black,
  CAST(message AS TEXT), CAST(why_message AS TEXT), number, white_place, black_place, last_meeting,
  other, CAST(upper AS TEXT), whites, blacks, other_whites, other_blacks, rule, because,
  CAST(NULL AS TEXT), there, here
FROM worded
UNION ALL
SELECT tournament_id, round_number, NULL, white_name, NULL, CAST('bye' AS TEXT),
  CAST(replace(replace(replace(message, '{number}', number),
    '{white_place}', COALESCE(white_place, '')), '{why}', COALESCE(CASE because
      WHEN 'found' THEN replace(why_message, '{other}', COALESCE(other, ''))
      ELSE (SELECT y.sentence FROM z_because AS y WHERE y.id = bye.id) END, '')) AS TEXT),
  player_id, NULL, CAST(message AS TEXT), CAST(CASE because WHEN 'found' THEN why_message
    WHEN 'hand' THEN NULL WHEN 'over' THEN NULL WHEN 'last' THEN NULL
    ELSE (SELECT y.message FROM z_because AS y WHERE y.id = bye.id) END AS TEXT),
  number, white_place, NULL, NULL, other, NULL, NULL, NULL, NULL, NULL, rule, because,
  CAST((SELECT y.what FROM z_because AS y WHERE y.id = bye.id) AS TEXT), there, here
FROM (
  SELECT r.id, r.tournament_id, r.round_number, r.amount AS number, r.because, r.there, r.here,
    r.rule, r.white AS player_id, player.name AS white_name, u.place AS white_place,
    last.name AS other,
    'By the rules on byes, or because no pairing of the others was found, not {other}, who comes'
      || ' last.' AS why_message,
    CASE r.because
      WHEN 'hand' THEN 'This bye was given by hand.'
      WHEN 'over' THEN 'Left over: no pairing in which only those meet who may has more boards.'
      WHEN 'last' THEN CASE r.amount
        WHEN 1 THEN 'The last of those to be paired, with {number} bye before.'
        ELSE 'The last of those to be paired, with {number} byes before.' END
      ELSE CASE r.amount
        WHEN 1 THEN 'Place {white_place} in the order of pairing, with {number} bye before. {why}'
        ELSE 'Place {white_place} in the order of pairing, with {number} byes before. {why}' END
      END AS message
  FROM reason AS r
  JOIN unplayed AS u ON u.tournament_id = r.tournament_id AND u.player_id = r.white
    AND u.round_number = r.round_number AND u.kind = 'bye'
  JOIN player ON player.id = r.white
  LEFT JOIN player AS last ON last.id = r.player_id
  WHERE r.about = 'seat' AND r.black IS NULL
) AS bye;
