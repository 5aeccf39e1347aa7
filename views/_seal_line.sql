CREATE VIEW _seal_line (
  -- A row per game and unplayed round: what the seal of the round is made of.

  -- tournament.id.
  tournament_id,
  -- The round, from 1.
  round_number,
  -- Board, White, Black, result and games won, by their numbers; or player and kind.
  line
) AS
SELECT tournament_id, round_number,
  board || ' ' || white || '-' || black || ' ' || ifnull(result, '*')
    || ifnull(' ' || white_wins || '-' || black_wins || '-' || drawn, '')
FROM round
UNION ALL
SELECT tournament_id, round_number, player_id || ' ' || kind FROM unplayed;
