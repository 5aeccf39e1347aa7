CREATE VIEW tiebreak_opponents (
  -- A row per player, standings and name: the sum of the scores of the opponents met
  -- over the board (opponents); Sonneborn-Berger on values, the classical points of
  -- each game times the value of the opponent (value-sb); the classical points from the
  -- games with those who share that place in the standings (mutual: while it is made, that is
  -- the place before this tie-break; what ordered it is kept in tiebreak_value).

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, name, CAST(total / unit AS REAL),
  CAST(total AS INTEGER)
FROM (
  SELECT tournament_id, round_number, player_id, name, row_number() OVER of_player AS number,
    CASE name WHEN 'opponents' THEN 6000000.0 WHEN 'mutual' THEN 1000.0
      ELSE 6000000000.0 END AS unit,
    COALESCE(sum(CASE name WHEN 'opponents' THEN played * opponent_score
      WHEN 'mutual' THEN points * tied ELSE points * opponent_value END) OVER of_player, 0) AS total
  FROM (
    SELECT p.*, t.name, opponent.score_units AS opponent_score,
      opponent.value_before_units AS opponent_value,
      opponent.place = own.place AND opponent.rank_before IS NOT NULL AS tied
    FROM z_tiebreak_round AS p
    CROSS JOIN tiebreak AS t ON t.view = 'tiebreak_opponents'
    CROSS JOIN ranking_list AS own ON own.tournament_id = p.tournament_id
      AND own.round_number = p.round_number AND own.player_id = p.player_id
    LEFT JOIN ranking_list AS opponent ON opponent.tournament_id = p.tournament_id
      AND opponent.round_number = p.round_number
      AND opponent.player_id = p.opponent_id
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id, name)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('opponents', 'tiebreak_opponents', 'scores of the opponents', 0, 0, 0, 'earlier Swiss programs'),
  ('value-sb', 'tiebreak_opponents', 'Sonneborn-Berger on values', 0, 0, 0, 'Keizer clubs'),
  ('mutual', 'tiebreak_opponents', 'points among those tied', 0, 0, 0, 'Keizer clubs');
