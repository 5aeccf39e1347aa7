CREATE VIEW tiebreak_elected (
  -- A row per player and table (rep; GE until July 2024): the rounds he elected to
  -- play, all but requested byes, absences and forfeits lost (15.2: by the editions
  -- before 2026 not those that rules.forfeits takes as played). FIDE C.07 7.6.

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
SELECT tournament_id, round_number, player_id, 'rep', total, total
FROM (
  SELECT tournament_id, round_number, player_id, row_number() OVER his AS number,
    sum(NOT (voluntary OR (fide = '2026'
      AND COALESCE(kind IN ('forfeit loss', 'double forfeit'), 0)))) OVER his AS total
  FROM _tiebreak_round
  WINDOW his AS (PARTITION BY tournament_id, round_number, player_id)
)
WHERE number = 1;
