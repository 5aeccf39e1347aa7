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
  white_id, black_id
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
      length(replace(whites_had, 'B', '')) AS whites,
      length(replace(whites_had, 'W', '')) AS blacks,
      length(replace(blacks_had, 'B', '')) AS other_whites,
      length(replace(blacks_had, 'W', '')) AS other_blacks,
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
  )
SELECT tournament_id, round_number, board, white_name, black_name, CAST(topic AS TEXT),
  CAST(CASE topic
    WHEN 'rank' THEN CASE abs(white_place - black_place) WHEN 1 THEN 'Neighbours'
        ELSE abs(white_place - black_place) || ' places apart' END
      || ' in the order of pairing: ' || white_place || ' and ' || black_place || '.'
    WHEN 'meeting' THEN 'They had met ' || CASE amount WHEN 1 THEN 'once, in'
        ELSE amount || ' times, last in' END
      || ' round ' || last_meeting || ', when ' || other || ' had the white pieces.'
    WHEN 'nearer' THEN other || ' is nearer to '
      || CASE WHEN white_place < black_place THEN white_name ELSE black_name END || ', but '
      || CASE rule
        WHEN 'fit' THEN 'the round as a whole comes out better like this.'
        WHEN 'prohibited' THEN 'their pairing is prohibited.'
        WHEN 'rematch' THEN 'they had met.'
        WHEN 'max_meetings' THEN 'that would be ' || amount
          || ' more than they may meet in a season.'
        WHEN 'max_meetings_period' THEN 'that would be ' || amount
          || ' more than they may meet in a period.'
        WHEN 'rematch_gap' THEN 'they had met too recently: ' || amount
          || CASE amount WHEN 1 THEN ' round was' ELSE ' rounds were' END || ' missing.'
        WHEN 'group_distance' THEN 'their groups are ' || amount
          || ' further apart than they may be.'
        WHEN 'colour_run' THEN CASE amount WHEN 1 THEN 'one' ELSE 'both' END
          || ' of them would have one colour too often in a row.'
        WHEN 'colour_difference' THEN CASE amount WHEN 1 THEN 'one' ELSE 'both' END
          || ' of them would have one colour too often.'
        ELSE rule || '.' END
    ELSE white_name || ' has the white pieces: ' || CASE rule
      WHEN 'difference' THEN white_name || ' had had them ' || whites || ' and the black ones '
        || blacks || CASE blacks WHEN 1 THEN ' time, ' ELSE ' times, ' END || black_name || ' '
        || other_whites || ' and ' || other_blacks || '.'
      WHEN 'last' THEN 'counting back from the last game, their colours first differ where '
        || CASE substr(whites_had, differ, 1)
          WHEN 'B' THEN white_name || ' had black and ' || black_name
            || CASE substr(blacks_had, differ, 1) WHEN 'W' THEN ' white.' ELSE ' no game yet.' END
          ELSE black_name || ' had white and ' || white_name || ' no game yet.' END
      WHEN 'meeting' THEN black_name || ' had them when the two last met, in round ' || last_meeting
        || '.'
      WHEN 'colour_difference' THEN 'the other way round, ' || CASE
        WHEN blacks - whites >= other_whites - other_blacks
        THEN white_name || ' would have had black ' || (blacks + 1 - whites)
          || CASE blacks WHEN whites THEN ' time' ELSE ' times' END || ' more than white.'
        ELSE black_name || ' would have had white ' || (other_whites + 1 - other_blacks)
          || CASE other_whites WHEN other_blacks THEN ' time' ELSE ' times' END
          || ' more than black.' END
      WHEN 'colour_run' THEN 'the other way round, ' || CASE WHEN black_run >= white_run
        THEN white_name || ' would have had black ' || black_run
        ELSE black_name || ' would have had white ' || white_run END
        || CASE max(black_run, white_run) WHEN 1 THEN ' time in a row.' ELSE ' times in a row.' END
      WHEN 'rank' THEN 'nothing else decides, and ' || CASE
        WHEN because LIKE 'keizer%' THEN white_name || ' comes later in the order of pairing.'
        WHEN because LIKE '%first' THEN white_name || ', who comes before ' || black_name
          || ' in the order of pairing, '
          || CASE whites_had WHEN '' THEN 'has an odd place there.' ELSE 'had black last.' END
        ELSE black_name || ', who comes before ' || white_name || ' in the order of pairing, '
          || CASE blacks_had WHEN '' THEN 'has an even place there.' ELSE 'had white last.' END
        END
      ELSE 'the board was settled by hand.' END END AS TEXT), white, black
FROM told
UNION ALL
SELECT r.tournament_id, r.round_number, NULL, player.name, NULL, CAST('bye' AS TEXT),
  CAST(CASE r.because WHEN 'hand' THEN 'This bye was given by hand.'
    WHEN 'over' THEN 'Left over: no pairing in which only those meet who may has more boards.'
    ELSE CASE r.because WHEN 'last' THEN 'The last of those to be paired'
        ELSE 'Place ' || u.place || ' in the order of pairing' END || ', with ' || r.amount
      || CASE r.amount WHEN 1 THEN ' bye' ELSE ' byes' END || ' before.'
      || CASE r.because WHEN 'last' THEN ''
        WHEN 'found' THEN ' By the rules on byes, or because no pairing of the others was found,'
          || ' not ' || last.name || ', who comes last.'
        ELSE ' ' || (SELECT y.sentence FROM z_because AS y WHERE y.id = r.id) END END AS TEXT),
  r.white, NULL
FROM reason AS r
JOIN unplayed AS u ON u.tournament_id = r.tournament_id AND u.player_id = r.white
  AND u.round_number = r.round_number AND u.kind = 'bye'
JOIN player ON player.id = r.white
LEFT JOIN player AS last ON last.id = r.player_id
WHERE r.about = 'seat' AND r.black IS NULL;
