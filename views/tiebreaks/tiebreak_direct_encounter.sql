CREATE VIEW tiebreak_direct_encounter (
  -- A row per player and standings (de): the points from the games with those who share
  -- the player's place, from several games with one opponent the mean. (While standings
  -- is made, that is the place before this tie-break.) The key starts as that place;
  -- z_direct_encounter separates tied players. FIDE C.07 6.

  tournament_id, round_number, player_id,
  -- tiebreak.name; the figure, for reading; and the exact key of the order.
  name, value, key
) AS
SELECT tournament_id, round_number, player_id, CAST('de' AS TEXT),
  CAST(total / 1000.0 AS REAL), CAST(-place AS INTEGER)
FROM (
  SELECT tournament_id, round_number, player_id, place, row_number() OVER of_player AS number,
    sum(points / CAST(times AS REAL)) OVER of_player AS total
  FROM (
    SELECT p.tournament_id, p.round_number, p.player_id, own.place,
      CASE WHEN p.played AND other.place = own.place THEN p.points ELSE 0 END AS points,
      max(1, sum(p.played) OVER (PARTITION BY p.tournament_id, p.round_number,
        p.player_id, p.opponent_id)) AS times
    FROM z_tiebreak_round AS p
    CROSS JOIN ranking_list AS own ON own.tournament_id = p.tournament_id
      AND own.round_number = p.round_number AND own.player_id = p.player_id
    LEFT JOIN ranking_list AS other ON other.tournament_id = p.tournament_id
      AND other.round_number = p.round_number AND other.player_id = p.opponent_id
      AND other.rank_before IS NOT NULL
  )
  WINDOW of_player AS (PARTITION BY tournament_id, round_number, player_id)
)
WHERE number = 1;

INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source) VALUES
  ('de', 'tiebreak_direct_encounter', 'direct encounter (DE)', 0, 0, 0, 'FIDE C.07 6');
