CREATE VIEW tiebreak_mutual (
  -- A row per player and table (mutual): his classical points from the games with
  -- those who share his place in it. (While a table is made, that is the place
  -- before this tie-break; what ordered it is kept in tiebreak_value.)

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
SELECT tournament_id, round_number, player_id, 'mutual', total / 1000.0, total
FROM (
  SELECT p.tournament_id, p.round_number, p.player_id, row_number() OVER his AS number,
    sum(CASE WHEN other.place = me.place THEN p.points ELSE 0 END) OVER his AS total
  FROM _tiebreak_round AS p
  CROSS JOIN ranking AS me ON me.tournament_id = p.tournament_id
    AND me.round_number = p.round_number AND me.player_id = p.player_id
  LEFT JOIN ranking AS other ON other.tournament_id = p.tournament_id
    AND other.round_number = p.round_number AND other.player_id = p.opponent_id
    AND other.rank_before IS NOT NULL AND other.in_list
  WINDOW his AS (PARTITION BY p.tournament_id, p.round_number, p.player_id)
)
WHERE number = 1;
