CREATE VIEW tiebreak_mutual (
  -- A row per player and table (mutual): his classical points from the games with
  -- those who share his place in it. (While a table is made, that is the place
  -- before this tie-break; what ordered it is kept in tiebreak_value.)

  tournament_id, round_number, player_id,
  -- tiebreak.name; what it comes to, for reading; and what orders exactly.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, CAST('mutual' AS TEXT),
  CAST(total / 1000.0 AS REAL), CAST(total AS INTEGER)
FROM (
  SELECT p.tournament_id, p.round_number, p.player_id, row_number() OVER his AS number,
    sum(CASE WHEN other.place = me.place THEN p.points ELSE 0 END) OVER his AS total
  FROM _tiebreak_round AS p
  CROSS JOIN ranking_list AS me ON me.tournament_id = p.tournament_id
    AND me.round_number = p.round_number AND me.player_id = p.player_id
  LEFT JOIN ranking_list AS other ON other.tournament_id = p.tournament_id
    AND other.round_number = p.round_number AND other.player_id = p.opponent_id
    AND other.rank_before IS NOT NULL
  WINDOW his AS (PARTITION BY p.tournament_id, p.round_number, p.player_id)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('mutual', 'tiebreak_mutual', 'points among those tied', 0, 0, 0, 'Keizer clubs');
