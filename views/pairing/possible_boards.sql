CREATE VIEW possible_boards (
  -- A row per two who are present for the coming round of a running tournament, with the
  -- colours that they would have, and per player, for the bye: what speaks against
  -- it. This is what the rules of pairing mean. keizer next-round and view
  -- proposal only choose among these rows.

  tournament_id, round_number,
  -- player.id of White, or of the player with the bye; and the name.
  white_id, white,
  -- player.id of Black, NULL for a bye; and the name.
  black_id, black,
  -- Places among those present, from 1, in the order of pairing (view presence), and how far apart;
  -- NULL for a bye.
  white_place, black_place, distance,
  -- Earlier games of the two; the round of the last, and player.id of White in it, NULL where
  -- there is none.
  meetings, last_meeting, last_white,
  -- The colours that each had, from the last game back: W and B.
  white_colours, black_colours,
  -- 1 when no hard rule is broken.
  legal,
  -- By how much each rule is broken, from the one given up last to the one given up first;
  -- 0 when it is kept, or off. 1 when the two share a prohibited pairing.
  prohibited,
  -- In a Swiss, earlier meetings.
  rematch,
  -- In a Swiss where rules.stuck is 'leave' or 'refuse', 1 for two who have met or are prohibited:
  -- keizer lets neither play. Then of the columns that follow only those on byes count, with
  -- what they are for the two together.
  left_over,
  -- 1: a bye in the round in which a late entry starts.
  bye_at_start,
  -- 1: a bye in two rounds in a row.
  bye_again,
  -- Byes more than the fewest of those who may have the next.
  fewest_byes,
  -- Meetings more than that in the season.
  max_meetings,
  -- Meetings more than that in the period.
  max_meetings_period,
  -- Rounds missing between the two meetings.
  rematch_gap,
  -- How many of the two have one colour more often in a row than rules.max_colour_run.
  colour_run,
  -- How many have a greater difference than rules.max_colour_difference, and than before.
  colour_difference,
  -- Groups beyond rules.max_group_distance.
  group_distance,
  -- What gives White the colour, as in table round; NULL for a bye.
  colour_by,
  -- The two rules on colours if they were the other way round.
  reversed_run, reversed_difference,
  -- The round of the last meeting where a rule on meetings is broken, else 0.
  repeated,
  -- Of a bye, how many of those present are ranked lower, in a Swiss have a lower score; else 0.
  bye_place,
  -- Of a bye, how many rounds the player has had without a game.
  bye_unplayed,
  -- In a Swiss, score groups of the higher score, 1 = top, and how many groups down the
  -- lower one is.
  score_group, floats,
  -- How many of the two do not have the colour they had less often or, if equal, not last;
  -- how many of these had one colour more often.
  unwanted_colour, strongly_unwanted,
  -- In a Swiss, 1 when the higher one floats down as in the last round, the lower one up; and
  -- as in the round before it.
  down_again, up_again, down_before, up_before,
  -- Sum of the squares of the colour differences after the round.
  colour_squares,
  -- How many have the colour of their last game again.
  colour_again,
  -- Where halves meet: how far the two are from the widest distance in their group, or who
  -- leaves it from its end. The sum is least where no board lies within one half.
  spread,
  -- Squared distance in the order for pairing.
  squared,
  -- Which choice the opponent is for the player who comes first in that order, 0 = best.
  choice,
  -- Places in the order for pairing: in a random first round by lot. Of a bye both are the
  -- player's own.
  white_line, black_line,
  -- Where halves of a group meet that both are in, the line of its last; else 0.
  halves_to,
  -- The class of White. Any two of the same two classes break the rules on colours and groups
  -- alike; in a Swiss they also get unwanted colours alike.
  white_class
) AS
WITH
  here AS MATERIALIZED (
    SELECT * FROM z_present
  )
SELECT tournament_id, CAST(round_number AS INTEGER), CAST(white_id AS INTEGER),
  CAST(white AS TEXT), CAST(CASE WHEN two THEN black_id END AS INTEGER),
  CAST(CASE WHEN two THEN black END AS TEXT), CAST(white_place AS INTEGER),
  CAST(CASE WHEN two THEN black_place END AS INTEGER),
  CAST(CASE WHEN two THEN abs(white_place - black_place) END AS INTEGER),
  CAST(COALESCE(meetings, 0) AS INTEGER), CAST(last_meeting AS INTEGER),
  CAST(last_white AS INTEGER), CAST(rtrim(colours, 'N') AS TEXT),
  CAST(CASE WHEN two THEN rtrim(black_colours, 'N') END AS TEXT),
  CAST(CASE WHEN two THEN white_legal AND black_legal AND NOT (COALESCE(prohibited, 0)
    OR repeated OR group_distance) ELSE bye_legal END AS INTEGER),
  CAST(COALESCE(prohibited, 0) AS INTEGER), CAST(COALESCE(rematch, 0) AS INTEGER),
  CAST(left_over AS INTEGER), CAST(byes * bye_at_start AS INTEGER),
  CAST(byes * bye_again AS INTEGER), CAST(byes * fewest_byes AS INTEGER),
  CAST(COALESCE(max_meetings, 0) AS INTEGER),
  CAST(COALESCE(max_meetings_period, 0) AS INTEGER),
  CAST(rematch_gap AS INTEGER), CAST(two * colour_run AS INTEGER),
  CAST(two * colour_difference AS INTEGER), CAST(group_distance AS INTEGER),
  CAST(CASE WHEN two THEN colour_by END AS TEXT), CAST(two * reversed_run AS INTEGER),
  CAST(two * reversed_difference AS INTEGER),
  CAST(CASE WHEN repeated THEN last_meeting ELSE 0 END AS INTEGER),
  CAST(byes * below AS INTEGER),
  CAST((1 - two) * (round_number - length(colours)) AS INTEGER), CAST(score_group AS INTEGER),
  CAST(floats AS INTEGER),
  CAST(two * unwanted_colour AS INTEGER), CAST(two * strongly_unwanted AS INTEGER),
  CAST((floats OR NOT two) AND high_last > 0 AS INTEGER),
  CAST(floats AND low_last < 0 AS INTEGER),
  CAST((floats OR NOT two) AND high_before > 0 AS INTEGER),
  CAST(floats AND low_before < 0 AS INTEGER),
  CAST(two * colour_squares AS INTEGER), CAST(two * colour_again AS INTEGER),
  CAST(halves * spread AS INTEGER), CAST(apart * apart AS INTEGER),
  CAST(CASE WHEN two THEN apart - 1 ELSE present - white_line END AS INTEGER),
  white_line, black_line, CAST(CASE WHEN halves AND NOT floats THEN to_line ELSE 0 END AS INTEGER),
  CAST(white_class AS INTEGER)
FROM (
 SELECT *, left_over OR NOT two AS byes,
   COALESCE(rematch OR max_meetings OR max_meetings_period OR rematch_gap, 0) AS repeated
 FROM (
  SELECT w.tournament_id, w.round_number, w.player_id <> b.player_id AS two,
    u.system = 'swiss' AND u.stuck <> 'rematch' AND w.player_id <> b.player_id
      AND COALESCE(m.rematch OR m.prohibited, 0) AS left_over,
    w.player_id AS white_id, w.name AS white, w.colours, b.player_id AS black_id, b.name AS black,
    b.colours AS black_colours,
    w.place AS white_place, b.place AS black_place, w.present,
    m.meetings, m.last_meeting, m.last_white, m.prohibited, m.rematch, m.max_meetings,
    m.max_meetings_period,
    COALESCE(max(COALESCE(u.rematch_gap, min(5, (w.present - 1) / 3))
      - (w.round_number - 1 - m.last_meeting), 0), 0) AS rematch_gap,
    w.bye_at_start + b.bye_at_start * (w.player_id <> b.player_id) AS bye_at_start,
    w.bye_again + b.bye_again * (w.player_id <> b.player_id) AS bye_again,
    w.fewest_byes + b.fewest_byes * (w.player_id <> b.player_id) AS fewest_byes, w.bye_legal,
    w.white_run + b.black_run AS colour_run,
    w.white_difference + b.black_difference AS colour_difference,
    w.white_legal, b.black_legal,
    w.black_run + b.white_run AS reversed_run,
    w.black_difference + b.white_difference AS reversed_difference,
    COALESCE(max(abs(w.group_number - b.group_number) - u.max_group_distance, 0), 0)
      AS group_distance,
    CASE WHEN abs(w.colour_limit - b.colour_limit) > 500 THEN 'colour_run'
      WHEN abs(w.colour_limit - b.colour_limit) > 50 THEN 'colour_difference'
      WHEN abs(w.colour_limit - b.colour_limit) > 5 THEN 'colour_run'
      WHEN w.colour_limit <> b.colour_limit THEN 'colour_difference'
      WHEN w.colour_difference <> b.colour_difference THEN 'difference'
      WHEN w.claim <> b.claim THEN 'last'
      WHEN m.meetings THEN 'meeting'
      ELSE 'rank' END AS colour_by,
    w.below + b.below * (w.player_id <> b.player_id) AS below,
    min(w.score_group, b.score_group) AS score_group,
    abs(w.score_group - b.score_group) AS floats,
    (w.preference < 0) + (b.preference > 0) AS unwanted_colour,
    (w.colour_difference > 0) + (b.colour_difference < 0) AS strongly_unwanted,
    CASE WHEN w.score_group <= b.score_group THEN w.float_last ELSE b.float_last END AS high_last,
    CASE WHEN w.score_group > b.score_group THEN w.float_last ELSE b.float_last END AS low_last,
    CASE WHEN w.score_group <= b.score_group THEN w.float_before ELSE b.float_before END
      AS high_before,
    CASE WHEN w.score_group > b.score_group THEN w.float_before ELSE b.float_before END
      AS low_before,
    (w.colour_difference + 1) * (w.colour_difference + 1)
      + (b.colour_difference - 1) * (b.colour_difference - 1) AS colour_squares,
    (w.colour_run > 0) + (b.colour_run < 0) AS colour_again,
    abs(w.line - b.line) AS apart, w.halves, w.to_line,
    CASE WHEN w.player_id <> b.player_id AND w.score_group = b.score_group
      THEN w.size - abs(w.line - b.line)
      WHEN w.score_group <= b.score_group THEN w.to_line - w.line
      ELSE b.to_line - b.line END AS spread,
    w.line AS white_line, b.line AS black_line, w.class AS white_class
  FROM rules AS u
  CROSS JOIN here AS w ON w.tournament_id = u.tournament_id
  CROSS JOIN here AS b ON b.tournament_id = u.tournament_id AND b.claim >= w.claim
  LEFT JOIN z_met AS m ON m.tournament_id = w.tournament_id
    AND m.low = min(w.player_id, b.player_id) AND m.high = max(w.player_id, b.player_id)
  -- The bye; then two. If their games do not decide: who had Black in their last meeting; in
  -- Keizer who is ranked lower; in a Swiss the higher-ranked alternates, and odd places begin.
  WHERE w.player_id = b.player_id OR w.claim < b.claim OR CASE
    WHEN m.meetings THEN m.last_white = b.player_id
    WHEN u.system = 'keizer' THEN w.place > b.place
    WHEN w.colour_run THEN (w.colour_run < 0) = (w.line < b.line)
    ELSE (min(w.line, b.line) % 2 = 1) = (w.line < b.line) END
 )
);
