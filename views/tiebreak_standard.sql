CREATE VIEW tiebreak_standard (
  -- A row per player and table (std): his points if a win were 1 and a draw a half,
  -- whatever the tournament gives; unplayed rounds by what they brought. FIDE C.07
  -- 7.7.

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
SELECT tournament_id, round_number, player_id, 'std', total / 2.0, total
FROM (
  SELECT tournament_id, round_number, player_id, row_number() OVER his AS number,
    sum(CASE
      WHEN open THEN 0
      WHEN kind IN ('win', 'forfeit win') THEN 2
      WHEN kind IN ('draw', 'adjourned') THEN 1
      WHEN opponent_id IS NOT NULL THEN 0
      WHEN points >= win THEN 2
      ELSE points >= draw AND draw > 0 END) OVER his AS total
  FROM _tiebreak_round
  WINDOW his AS (PARTITION BY tournament_id, round_number, player_id)
)
WHERE number = 1;
