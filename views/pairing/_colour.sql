CREATE VIEW _colour (
  -- A row per player and game of _meeting.

  tournament_id, round_number, player_id,
  -- W or B.
  colour
) AS
SELECT tournament_id, round_number, white, 'W' FROM _meeting
UNION ALL SELECT tournament_id, round_number, black, 'B' FROM _meeting;
