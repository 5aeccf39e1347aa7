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
  -- Places among those present by rank, from 1, and how far apart; NULL for a bye.
  white_place, black_place, distance,
  -- Earlier games of the two, and the round of the last; NULL where there is none.
  meetings, last_meeting,
  -- 1 when no hard rule is broken.
  legal,
  -- By how much each rule is broken, from the one given up last to the one given up first;
  -- 0 when it is kept, or off. 1 when the two share a prohibited pairing.
  prohibited,
  -- In a Swiss, earlier meetings.
  rematch,
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
  -- In a Swiss, score groups of the higher score, 1 = top, and how many groups down the
  -- lower one is.
  score_group, floats,
  -- How many of the two do not have the colour they had less often or, if equal, not last;
  -- how many of these had one colour more often.
  unwanted_colour, strongly_unwanted,
  -- Sum of the squares of the colour differences after the round.
  colour_squares,
  -- How many have the colour of their last game again.
  colour_again,
  -- 1 when both are in one half of the players among whom halves meet.
  same_half,
  -- Squared distance in the order for pairing; with halves, from the ideal opponent there.
  squared,
  -- Which choice the opponent is for the player who comes first in that order, 0 = best.
  choice,
  -- The choice and the root of squared are at least this: rows to look at first.
  off,
  -- Places in the order for pairing: by rank; in a random first round by lot, in a Swiss by
  -- score, then rank. A bye comes behind all.
  white_line, black_line
) AS
WITH
  here AS MATERIALIZED (SELECT * FROM _present),
  met AS MATERIALIZED (SELECT * FROM _met)
SELECT tournament_id, CAST(round_number AS INTEGER), CAST(white_id AS INTEGER),
  CAST(white AS TEXT), CAST(CASE WHEN two THEN black_id END AS INTEGER),
  CAST(CASE WHEN two THEN black END AS TEXT), CAST(white_place AS INTEGER),
  CAST(CASE WHEN two THEN black_place END AS INTEGER),
  CAST(CASE WHEN two THEN abs(white_place - black_place) END AS INTEGER),
  CAST(COALESCE(meetings, 0) AS INTEGER), CAST(last_meeting AS INTEGER),
  CAST(CASE WHEN two THEN white_legal AND black_legal AND NOT (COALESCE(prohibited, 0)
    OR repeated OR group_distance) ELSE bye_legal END AS INTEGER),
  CAST(COALESCE(prohibited, 0) AS INTEGER), CAST(COALESCE(rematch, 0) AS INTEGER),
  CAST((1 - two) * bye_at_start AS INTEGER), CAST((1 - two) * bye_again AS INTEGER),
  CAST((1 - two) * fewest_byes AS INTEGER), CAST(COALESCE(max_meetings, 0) AS INTEGER),
  CAST(COALESCE(max_meetings_period, 0) AS INTEGER),
  CAST(COALESCE(rematch_gap, 0) AS INTEGER), CAST(two * colour_run AS INTEGER),
  CAST(two * colour_difference AS INTEGER), CAST(group_distance AS INTEGER),
  CAST(CASE WHEN two THEN colour_by END AS TEXT), CAST(two * reversed_run AS INTEGER),
  CAST(two * reversed_difference AS INTEGER),
  CAST(CASE WHEN repeated THEN last_meeting ELSE 0 END AS INTEGER),
  CAST((1 - two) * below AS INTEGER), CAST(score_group AS INTEGER), CAST(floats AS INTEGER),
  CAST(two * unwanted_colour AS INTEGER), CAST(two * strongly_unwanted AS INTEGER),
  CAST(two * colour_squares AS INTEGER), CAST(two * colour_again AS INTEGER),
  CAST(together AND same_half AS INTEGER),
  CAST(CASE WHEN together THEN (apart - ideal) * (apart - ideal) ELSE apart * apart END
    AS INTEGER),
  CAST(choice AS INTEGER),
  CAST(CASE WHEN together THEN min(choice, abs(apart - ideal)) ELSE two * choice END AS INTEGER),
  CAST(white_line AS INTEGER), CAST(CASE WHEN two THEN black_line ELSE present + 1 END AS INTEGER)
FROM (
  SELECT w.tournament_id, w.round_number, w.player_id <> b.player_id AS two,
    w.player_id AS white_id, w.name AS white, b.player_id AS black_id, b.name AS black,
    w.place AS white_place, b.place AS black_place, w.present,
    m.meetings, m.last_meeting, m.prohibited, m.rematch, m.max_meetings, m.max_meetings_period,
    m.rematch_gap,
    COALESCE(m.rematch OR m.max_meetings OR m.max_meetings_period OR m.rematch_gap, 0)
      AS repeated,
    w.bye_at_start, w.bye_again, w.fewest_byes, w.bye_legal,
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
    w.present - CASE u.system WHEN 'swiss' THEN w.to_line ELSE w.place END AS below,
    min(w.score_group, b.score_group) AS score_group,
    abs(w.score_group - b.score_group) AS floats,
    (w.preference < 0) + (b.preference > 0) AS unwanted_colour,
    (w.colour_difference > 0) + (b.colour_difference < 0) AS strongly_unwanted,
    (w.colour_difference + 1) * (w.colour_difference + 1)
      + (b.colour_difference - 1) * (b.colour_difference - 1) AS colour_squares,
    (w.colour_run > 0) + (b.colour_run < 0) AS colour_again,
    -- Halves: the first of the two chooses from the lower half, from its top.
    abs(w.line - b.line) AS apart, w.ideal,
    w.player_id <> b.player_id AND w.ideal > 1 AND w.score_group = b.score_group AS together,
    CASE WHEN w.player_id = b.player_id THEN w.present - w.line
      WHEN w.ideal = 1 OR w.score_group <> b.score_group
        OR min(w.line, b.line) >= w.from_line + w.ideal THEN abs(w.line - b.line) - 1
      WHEN max(w.line, b.line) >= w.from_line + w.ideal
      THEN max(w.line, b.line) - w.from_line - w.ideal
      ELSE w.to_line - max(w.line, b.line) END AS choice,
    (w.line < w.from_line + w.ideal) = (b.line < w.from_line + w.ideal) AS same_half,
    w.line AS white_line, b.line AS black_line
  FROM rules AS u
  CROSS JOIN here AS w ON w.tournament_id = u.tournament_id
  CROSS JOIN here AS b ON b.tournament_id = u.tournament_id AND b.claim >= w.claim
  LEFT JOIN met AS m ON m.tournament_id = w.tournament_id
    AND m.low = min(w.player_id, b.player_id) AND m.high = max(w.player_id, b.player_id)
  -- The bye; then two. If their games do not decide: who had Black in their last meeting; in
  -- Keizer who is ranked lower; in a Swiss the higher-ranked alternates, and odd places begin.
  WHERE w.player_id = b.player_id OR w.claim < b.claim OR CASE
    WHEN m.meetings THEN m.last_white = b.player_id
    WHEN u.system = 'keizer' THEN w.place > b.place
    WHEN w.colour_run THEN (w.colour_run < 0) = (w.place < b.place)
    ELSE (min(w.place, b.place) % 2 = 1) = (w.place < b.place) END
);
