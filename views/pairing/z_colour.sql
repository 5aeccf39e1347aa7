CREATE VIEW z_colour (
  -- A row per player and game of z_meeting.

  tournament_id, round_number, player_id,
  -- W or B.
  colour,
  -- player.id.
  opponent_id
) AS
SELECT tournament_id, round_number, white, 'W', black FROM z_meeting
UNION ALL SELECT tournament_id, round_number, black, 'B', white FROM z_meeting;
