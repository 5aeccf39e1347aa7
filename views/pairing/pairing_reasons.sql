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
SELECT g.tournament_id, g.round_number, g.board, white.name, black.name, CAST('rank' AS TEXT),
  CAST(CASE abs(g.white_place - g.black_place)
    WHEN 1 THEN 'Neighbours among those present'
    ELSE abs(g.white_place - g.black_place) || ' places apart among those present' END
  || ': ' || min(g.white_place, g.black_place) || ' and '
  || max(g.white_place, g.black_place) || '.' AS TEXT), g.white, g.black
FROM round AS g
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
WHERE g.white_place IS NOT NULL AND g.black_place IS NOT NULL
UNION ALL
SELECT g.tournament_id, g.round_number, g.board, white.name, black.name, CAST(about.name AS TEXT),
  CAST(CASE about.name
    WHEN 'meeting' THEN CASE b.meetings
        WHEN 0 THEN 'They have not met before.'
        ELSE 'They have met ' || CASE b.meetings WHEN 1 THEN 'once, in'
            ELSE b.meetings || ' times, last in' END
          || ' round ' || b.last_meeting || ', when '
          || CASE WHEN EXISTS (SELECT 1 FROM round AS m
              WHERE m.tournament_id = g.tournament_id
                AND m.round_number = b.last_meeting AND m.white = g.white)
            THEN white.name ELSE black.name END || ' had White.' END
    ELSE white.name || ' has White: ' || CASE g.colour_by
      WHEN 'difference' THEN 'so far ' || white.name || ' had White '
        || b.whites || ' and Black ' || b.blacks || ' times, '
        || black.name || ' ' || b.other_whites || ' and ' || b.other_blacks || '.'
      WHEN 'last' THEN 'where their colours last differed, ' || white.name
        || ' had Black.'
      WHEN 'meeting' THEN black.name || ' had it when they last met, in round '
        || b.last_meeting || '.'
      WHEN 'rank' THEN 'nothing else decides, and ' || white.name
        || ' is lower in the list.'
      WHEN 'limit' THEN 'the other way round, ' || CASE
        WHEN b.blacks + 1 - b.whites > max(u.max_colour_difference,
          abs(b.blacks - b.whites))
        THEN white.name || ' would have had Black ' || (b.blacks + 1 - b.whites)
          || ' times more than White.'
        WHEN b.other_whites + 1 - b.other_blacks > max(u.max_colour_difference,
          abs(b.other_whites - b.other_blacks))
        THEN black.name || ' would have had White ' || (b.other_whites + 1 - b.other_blacks)
          || ' times more than Black.'
        ELSE 'one of them would have a colour more than ' || u.max_colour_run
          || ' times in a row.' END
      ELSE 'the board was settled by hand.' END
  END AS TEXT), g.white, g.black
FROM (SELECT 'meeting' AS name UNION ALL SELECT 'colour') AS about
CROSS JOIN round AS g
JOIN rules AS u ON u.tournament_id = g.tournament_id
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
JOIN _before AS b ON b.tournament_id = g.tournament_id
  AND b.round_number = g.round_number AND b.board = g.board
WHERE about.name = 'meeting' OR g.colour_by IS NOT NULL
UNION ALL
SELECT g.tournament_id, g.round_number, g.board, white.name, black.name, CAST('nearer' AS TEXT),
  CAST(nearer.name || ' is nearer to ' || upper.name || ', but ' || CASE p.obstacle
    WHEN 'fit' THEN CASE u.aim
      WHEN 'top-down' THEN 'then the others could not all be paired by the rules.'
      ELSE 'the round as a whole comes out better like this.' END
    WHEN 'prohibited' THEN 'their pairing is prohibited.'
    WHEN 'rematch' THEN 'they have met.'
    WHEN 'max_meetings' THEN 'they have met as often as they may in a season.'
    WHEN 'max_meetings_period' THEN 'they have met as often as they may in a period.'
    WHEN 'meet_all_first' THEN 'they have met, and not yet everybody else.'
    WHEN 'rematch_gap' THEN 'they have met too recently.'
    WHEN 'group_distance' THEN 'their groups are too far apart.'
    ELSE 'the rules on colours are against it.' END AS TEXT), g.white, g.black
FROM skipped_opponent AS p
JOIN round AS g ON g.tournament_id = p.tournament_id
  AND g.round_number = p.round_number AND p.player_id IN (g.white, g.black)
  AND g.white_place IS NOT NULL
JOIN rules AS u ON u.tournament_id = p.tournament_id
JOIN player AS white ON white.id = g.white
JOIN player AS black ON black.id = g.black
JOIN player AS upper ON upper.id = p.player_id
JOIN player AS nearer ON nearer.id = p.skipped_id
UNION ALL
SELECT b.tournament_id, b.round_number, NULL, player.name, NULL, CAST('bye' AS TEXT),
  CAST(CASE WHEN b.place IS NULL THEN 'This bye was given by hand.'
  ELSE CASE b.below WHEN 0 THEN 'The last' ELSE 'Place ' || b.place END
    || ' of the ' || b.present || ' present, with ' || b.byes
    || CASE b.byes WHEN 1 THEN ' bye' ELSE ' byes' END || ' so far'
    || CASE WHEN b.below = 0 THEN '.'
      WHEN b.more_byes = b.below THEN '; all lower-ranked players had more.'
      ELSE '; of the ' || b.below || ' lower-ranked players, ' || b.more_byes
        || ' had more, and a bye for another one would break a rule.' END
  END AS TEXT), b.player_id, NULL
FROM (
  SELECT u.tournament_id, u.round_number, u.player_id, u.place,
    (SELECT 2 * count(*) + 1 FROM round AS g
      WHERE g.tournament_id = u.tournament_id AND g.round_number = u.round_number) AS present,
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
