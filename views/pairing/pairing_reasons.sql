CREATE VIEW pairing_reasons (
  -- A row per board and reason for its pairing, in words: how far apart the two are in
  -- rank, when they met, why White has White, and which opponents nearer in rank were
  -- skipped; for a bye, why this player has it. A game that keizer did not pair has
  -- only the second reason.

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
SELECT tournament_id, round_number, board, white, black, CAST('rank' AS TEXT),
  CAST(CASE abs(white_place - black_place) WHEN 1 THEN 'Neighbours'
    ELSE abs(white_place - black_place) || ' places apart' END || ' among those present: '
    || min(white_place, black_place) || ' and ' || max(white_place, black_place) || '.' AS TEXT),
  white_id, black_id
FROM _before
WHERE white_place IS NOT NULL AND black_place IS NOT NULL
UNION ALL
SELECT tournament_id, round_number, board, white, black, CAST('meeting' AS TEXT),
  CAST('They have met ' || CASE meetings WHEN 1 THEN 'once, in' ELSE meetings || ' times, last in' END
    || ' round ' || last_meeting || ', when ' || CASE WHEN EXISTS (SELECT 1 FROM round AS m
      WHERE m.tournament_id = g.tournament_id AND m.round_number = last_meeting
        AND m.white = white_id) THEN white ELSE black END || ' had White.' AS TEXT),
  white_id, black_id
FROM _before AS g
WHERE meetings > 0
UNION ALL
SELECT tournament_id, round_number, board, white, black, CAST('colour' AS TEXT),
  CAST(white || ' has White: ' || CASE colour_by
    WHEN 'difference' THEN 'so far ' || white || ' had White ' || whites || ' and Black ' || blacks
      || CASE blacks WHEN 1 THEN ' time, ' ELSE ' times, ' END || black || ' ' || other_whites
      || ' and ' || other_blacks || '.'
    WHEN 'last' THEN 'counting back from the last game, their colours first differ where '
      || CASE substr(colours, differ, 1) WHEN 'B' THEN white || ' had Black and ' || black
        || CASE substr(other_colours, differ, 1) WHEN 'W' THEN ' White.' ELSE ' no game yet.' END
        ELSE black || ' had White and ' || white || ' no game yet.' END
    WHEN 'meeting' THEN black || ' had it when they last met, in round ' || last_meeting || '.'
    WHEN 'colour_difference' THEN 'the other way round, ' || CASE
      WHEN blacks - whites >= other_whites - other_blacks
      THEN white || ' would have had Black ' || (blacks + 1 - whites)
        || CASE blacks WHEN whites THEN ' time' ELSE ' times' END || ' more than White.'
      ELSE black || ' would have had White ' || (other_whites + 1 - other_blacks)
        || CASE other_whites WHEN other_blacks THEN ' time' ELSE ' times' END
        || ' more than Black.' END
    WHEN 'colour_run' THEN 'the other way round, ' || CASE
      WHEN length(ltrim(colours, 'B')) - length(colours)
        <= length(ltrim(other_colours, 'W')) - length(other_colours)
      THEN white || ' would have had Black ' || (1 + length(colours) - length(ltrim(colours, 'B')))
      ELSE black || ' would have had White '
        || (1 + length(other_colours) - length(ltrim(other_colours, 'W'))) END
      || CASE max(length(colours) - length(ltrim(colours, 'B')),
          length(other_colours) - length(ltrim(other_colours, 'W')))
        WHEN 0 THEN ' time in a row.' ELSE ' times in a row.' END
    WHEN 'rank' THEN CASE
      WHEN system = 'keizer' THEN 'nothing else decides, and ' || white || ' is lower in the list.'
      WHEN white_place < black_place THEN 'nothing else decides, and ' || white
        || CASE colours WHEN '' THEN ', ranked higher, has an odd place.'
          ELSE ', ranked higher, had Black last.' END
      ELSE 'nothing else decides, and ' || black
        || CASE colours WHEN '' THEN ', ranked higher, has an even place.'
          ELSE ', ranked higher, had White last.' END END
    ELSE 'the board was settled by hand.' END AS TEXT), white_id, black_id
FROM (
  SELECT *,
    length(replace(colours, 'B', '')) AS whites, length(replace(colours, 'W', '')) AS blacks,
    length(replace(other_colours, 'B', '')) AS other_whites,
    length(replace(other_colours, 'W', '')) AS other_blacks,
    -- Where the colours of the two first differ, 1 being the last game.
    (WITH RECURSIVE counted (number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM counted
        WHERE number <= max(length(colours), length(other_colours))
      )
      SELECT min(number) FROM counted
      WHERE substr(colours, number, 1) <> substr(other_colours, number, 1)) AS differ
  FROM _before
)
WHERE colour_by IS NOT NULL
UNION ALL
SELECT g.tournament_id, g.round_number, g.board, g.white, g.black, CAST('nearer' AS TEXT),
  CAST(nearer.name || ' is nearer to ' || upper.name || ', but ' || CASE p.obstacle
    WHEN 'fit' THEN 'the round as a whole comes out better like this.'
    WHEN 'prohibited' THEN 'their pairing is prohibited.'
    WHEN 'rematch' THEN 'they have met.'
    WHEN 'max_meetings' THEN 'that would be ' || p.amount || ' more than they may meet in a season.'
    WHEN 'max_meetings_period' THEN 'that would be ' || p.amount
      || ' more than they may meet in a period.'
    WHEN 'rematch_gap' THEN 'they met too recently: ' || p.amount
      || CASE p.amount WHEN 1 THEN ' round is' ELSE ' rounds are' END || ' missing.'
    WHEN 'group_distance' THEN 'their groups are ' || p.amount || ' further apart than they may be.'
    WHEN 'colour_run' THEN CASE p.amount WHEN 1 THEN 'one' ELSE 'both' END
      || ' of them would have one colour too often in a row.'
    ELSE CASE p.amount WHEN 1 THEN 'one' ELSE 'both' END
      || ' of them would have one colour too often.' END AS TEXT), g.white_id, g.black_id
FROM skipped_opponent AS p
JOIN _before AS g ON g.tournament_id = p.tournament_id
  AND g.round_number = p.round_number AND p.player_id IN (g.white_id, g.black_id)
  AND g.white_place IS NOT NULL
JOIN player AS upper ON upper.id = p.player_id
JOIN player AS nearer ON nearer.id = p.skipped_id
UNION ALL
SELECT b.tournament_id, b.round_number, NULL, player.name, NULL, CAST('bye' AS TEXT),
  CAST(CASE WHEN b.over THEN 'Left over: no pairing without a rematch has more boards.'
  WHEN b.place IS NULL THEN 'This bye was given by hand.'
  ELSE CASE b.below WHEN 0 THEN 'The last' ELSE 'Place ' || b.place END
    || ' of the ' || b.present || ' present, with ' || b.byes
    || CASE b.byes WHEN 1 THEN ' bye' ELSE ' byes' END || ' so far'
    || CASE WHEN b.below = 0 THEN '.'
      WHEN b.more_byes = b.below THEN '; all lower-ranked players had more.'
      ELSE '; of the ' || b.below || ' lower-ranked players, ' || b.more_byes
        || ' had more, and a rule that comes first was against the others.' END
  END AS TEXT), b.player_id, NULL
FROM (
  SELECT u.tournament_id, u.round_number, u.player_id, u.place,
    (SELECT 2 * count(*) FROM round AS g
      WHERE g.tournament_id = u.tournament_id AND g.round_number = u.round_number)
      + (SELECT count(*) FROM unplayed AS o WHERE o.tournament_id = u.tournament_id
        AND o.round_number = u.round_number AND o.kind = 'bye') AS present,
    EXISTS (SELECT 1 FROM relaxation AS x WHERE x.tournament_id = u.tournament_id
      AND x.round_number = u.round_number AND x.white = u.player_id
      AND x.rule = 'rematch') AS over,
    (SELECT count(*) FROM _bye_had AS o WHERE o.tournament_id = u.tournament_id
      AND o.player_id = u.player_id AND o.round_number < u.round_number) AS byes,
    (SELECT COALESCE(sum((g.white_place > u.place) + (g.black_place > u.place)), 0)
      FROM round AS g
      WHERE g.tournament_id = u.tournament_id AND g.round_number = u.round_number) AS below,
    (SELECT count(*) FROM round AS g
      JOIN player AS lower ON lower.id IN (g.white, g.black)
      WHERE g.tournament_id = u.tournament_id AND g.round_number = u.round_number
        AND CASE lower.id WHEN g.white THEN g.white_place ELSE g.black_place END > u.place
        AND (SELECT count(*) FROM _bye_had AS o WHERE o.tournament_id = u.tournament_id
            AND o.player_id = lower.id AND o.round_number < u.round_number)
          > (SELECT count(*) FROM _bye_had AS o WHERE o.tournament_id = u.tournament_id
            AND o.player_id = u.player_id AND o.round_number < u.round_number)) AS more_byes
  FROM unplayed AS u
  WHERE u.kind = 'bye'
) AS b
JOIN player ON player.id = b.player_id;
