CREATE VIEW _colour (
  -- A row per player and game of _meeting.

  tournament_id, round_number, player_id,
  -- W or B.
  colour,
  -- player.id.
  opponent_id
) AS
SELECT tournament_id, round_number, white, 'W', black FROM _meeting
UNION ALL SELECT tournament_id, round_number, black, 'B', white FROM _meeting;
