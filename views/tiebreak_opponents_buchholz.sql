CREATE VIEW tiebreak_opponents_buchholz (
  -- A row per player, table and name (aob; aob-f for fore-Buchholz): the mean
  -- Buchholz of the opponents met over the board, each as often as he was met; NULL
  -- when nobody was. FIDE C.07 8.2.

  -- tournament.id.
  tournament_id,
  -- The table: the ranking after this round.
  round_number,
  -- player.id.
  player_id,
  -- tiebreak.name.
  name,
  -- For reading.
  value,
  -- What orders exactly.
  key
) AS
SELECT tournament_id, round_number, player_id, CASE fore WHEN 1 THEN 'aob-f' ELSE 'aob' END,
  total / 1000.0 / games,
  -- Fractions of denominators below 1,000 differ by a millionth or more.
  total * 1000000 / games
FROM (
  -- Met by each other: what the opponent's rows have, the player's partition sums.
  SELECT tournament_id, round_number, fore, opponent AS player_id,
    sum(CASE WHEN met THEN buchholz END) OVER his AS total,
    NULLIF(sum(met) OVER his, 0) AS games, row_number() OVER his AS number
  FROM (
    SELECT *, COALESCE(opponent_id, player_id) AS opponent,
      sum(score) OVER (PARTITION BY tournament_id, round_number, fore, player_id)
        AS buchholz
    FROM _buchholz_round
  )
  WINDOW his AS (PARTITION BY tournament_id, round_number, fore, opponent)
)
WHERE number = 1;
