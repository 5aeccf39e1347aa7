CREATE VIEW tiebreak_progressive (
  -- A row per player, table and name (ps, ps-c1, ps-c2): the sum of the scores after
  -- each round, cut 1 and 2 without those after the first 1 and 2. FIDE C.07 7.5.

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
SELECT tournament_id, round_number, player_id, name, total / 1000.0, total
FROM (
  SELECT p.tournament_id, p.round_number, p.player_id, t.name,
    row_number() OVER his AS number,
    -- Points of a round are in the score after it and all that follow.
    sum(p.points * max(0,
      p.round_number - max(p.played_in, me.counts_from + t.low_cuts) + 1)) OVER his AS total
  FROM _tiebreak_round AS p
  CROSS JOIN ranking AS me ON me.tournament_id = p.tournament_id
    AND me.round_number = p.round_number AND me.player_id = p.player_id
  CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_progressive'
  WINDOW his AS (PARTITION BY p.tournament_id, p.round_number, p.player_id, t.name)
)
WHERE number = 1;
